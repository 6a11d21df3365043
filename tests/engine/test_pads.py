"""The score pad: what a card, King's line and ZONK's quotas say is what the rules have counted."""

from pathlib import Path

import pytest

from engine.game import Position
from engine.history import History
from engine.pad import KeepsPad, PadCell, PadRow, ScorePad
from engine.recording import play_again
from tests.engine.end_zone_modes import seated, turn
from tests.engine.say import Table

RECORDINGS = Path(__file__).parents[1] / "recordings"
KEPT = sorted([*RECORDINGS.glob("end-zone*.txt"), *RECORDINGS.glob("zonk*.txt")])
SUMMED = {"turn", "bonus", "extra", "minus"}


def pads(history: History) -> tuple[ScorePad, ...]:
    """The papers of a game."""
    assert isinstance(history.position, KeepsPad)
    return history.position.pads(history.start, history.played)


def pad(table: Table, kind: str) -> ScorePad:
    """One of the papers on that table."""
    return next(each for each in pads(table.history) if each.kind == kind)


def row(table: Table, kind: str, name: str) -> PadRow:
    """A line of that paper; of several of that name the first."""
    return next(each for each in pad(table, kind).rows if each.name == name)


def told(cell: PadCell) -> tuple[int | None, str, str]:
    """What stands in a field."""
    return cell.points, cell.words, cell.mark


def card(words: str, players: str = "Ann Bob", **options: str) -> Table:
    """A score card on which that was played."""
    table = seated("score-card", players, **options)
    table.say(words)
    return table


def rounds(ann: list[str]) -> str:
    """Ann's rolls, between them Bob's, which are worth nothing."""
    return ", ".join(f"{roll}, lands 1x0" for roll in ann)


def adds_up(paper: ScorePad, position: Position) -> bool:
    """Whether the lines of a paper make the points that the game has."""
    scores = dict(zip(position.players, position.view().scores, strict=True))
    for place, column in enumerate(paper.columns):
        cells = {each: [line.cells[place] for line in paper.rows if line.role == each] for each in SUMMED}
        lines = sum(cell.points or 0 for role in SUMMED for cell in cells[role])
        if paper.kind == "quotas":
            lines = sum(cell.points or 0 for cell in cells["turn"])
        if lines != scores[column.players[0]]:
            return False
    return True


@pytest.mark.parametrize("recording", KEPT, ids=lambda recording: recording.stem)
def test_at_each_moment_the_lines_make_the_points_of_the_game(recording: Path) -> None:
    whole = play_again(recording.read_text(encoding="utf-8"))
    history, kinds = History(whole.start), set()
    for event in whole.events:
        history.take(event)
        for paper in pads(history):
            kinds.add(paper.kind)
            assert {len(line.cells) for line in paper.rows} == {len(paper.columns)}
            if paper.kind in {"score-card", "quotas"}:
                assert adds_up(paper, history.position)
            if paper.kind in {"goal", "dice"}:
                totals = next(line for line in paper.rows if line.name == "Total")
                scores = history.position.view().scores
                assert sorted(cell.points or 0 for cell in totals.cells) == sorted(
                    scores[history.position.players.index(each.players[0])] for each in paper.columns
                )
    assert kinds


def test_the_official_card_has_its_lines_as_printed() -> None:
    lines = [(line.role, line.name, line.about) for line in pad(card("lands 1x1"), "score-card").rows]
    bonus = [
        ("bonus", "Bonus", "100 after line 7: 50 more"),
        ("bonus", "Bonus", "250 after line 14: 100 more"),
    ]
    assert lines == [
        *[("turn", str(line), "") for line in range(1, 8)],
        bonus[0],
        *[("turn", str(line), "") for line in range(8, 15)],
        bonus[1],
        *[("turn", "15", "two dice"), ("turn", "16", "two dice"), ("turn", "17", "three dice")],
        ("extra", "Extra 2", "for a 2 in the 2 zone"),
        ("extra", "Extra 5", "for a 5 in the 5 zone"),
        ("extra", "Extra 10", "for a 1 in the 10 zone"),
        ("extra", "Extra 20", "for a 2 in the 20 zone"),
        ("total", "Total", ""),
    ]


def test_columns_stand_in_the_rolling_order_as_the_card_asks() -> None:
    table = Table("end-zone", "Ann Bob Cat", mode="score-card")
    assert pads(table.history) == ()
    table.say("throws 5, throws 2, throws 3")
    assert [each.name for each in pad(table, "score-card").columns] == ["Bob", "Cat", "Ann"]


def test_a_line_says_what_it_is_worth_and_which_throw_filled_it() -> None:
    table = card("lands 1x1, lands 6x2, lands 3x10, lands 4x1, lands 5x5")
    third = row(table, "score-card", "3").cells
    assert told(third[0]) == (25, "", "")
    assert [(die.landing, die.words, die.points) for die in third[0].dice] == [(5, "5 x 5", 25)]
    assert told(third[1]) == (None, "", "now")
    table.say("referee on 5 lands 5x20")
    assert row(table, "score-card", "3").cells[0].points == 100
    table.say("undo, undo")
    assert told(row(table, "score-card", "3").cells[0]) == (None, "", "now")


@pytest.mark.parametrize(
    ("seventh", "bonus"),
    [("lands 4x10", (50, "", "crossed")), ("lands 3x10", (None, "", "missed"))],
)
def test_rule_51_the_box_of_line_7_is_crossed_with_100_points(
    seventh: str, bonus: tuple[int | None, str, str]
) -> None:
    table = card(rounds(["lands 1x10"] * 6))
    assert told(row(table, "score-card", "Bonus").cells[0]) == (None, "60 of 100", "")
    table.say(seventh)
    assert told(row(table, "score-card", "Bonus").cells[0]) == bonus
    assert row(table, "score-card", "Total").cells[0].points == 60 + (40 + 50 if bonus[0] else 30)


def test_rule_51a_the_first_bonus_counts_for_the_second() -> None:
    table = card(rounds([*["lands 4x5"] * 6, "lands 4x5", *["lands 3x5"] * 4]))
    second = [line for line in pad(table, "score-card").rows if line.name == "Bonus"][1]
    assert told(second.cells[0]) == (None, "250 of 250", "")
    table.say(rounds(["lands 1x0"] * 3))
    second = [line for line in pad(table, "score-card").rows if line.name == "Bonus"][1]
    assert told(second.cells[0]) == (100, "", "crossed")
    assert told(second.cells[1]) == (None, "", "missed")


def test_rules_52_52b_extra_rolls_are_crossed_when_won_and_filled_from_the_top_at_the_end() -> None:
    table = card(rounds(["lands 2x20", "lands 5x5", *["lands 1x1"] * 12]))
    extras = [line.cells[0] for line in pad(table, "score-card").rows if line.role == "extra"]
    blank, won = (None, "", ""), (None, "won", "crossed")
    assert list(map(told, extras)) == [blank, won, blank, won]
    two, three = "lands 1x1, lands 1x1", "lands 1x1, lands 1x1, lands 1x1"
    table.say(f"{two}, {two}, {two}, {two}, {three}, {three}")
    assert told(row(table, "score-card", "Extra 5").cells[0]) == (None, "", "now")
    table.say("lands 6x20")
    assert told(row(table, "score-card", "Extra 5").cells[0]) == (120, "", "crossed")
    assert told(row(table, "score-card", "Extra 20").cells[0]) == (None, "", "now")


def test_dice_of_a_roll_stand_there_before_it_scores_and_as_they_lie_in_the_end() -> None:
    table = card(rounds(["lands 1x1"] * 14))
    table.say("lands 3x5")
    assert [die.words for die in row(table, "score-card", "15").cells[0].dice] == ["3 x 5"]
    table.say("lands 4x10 hitting 1 to 6x20")
    dice = row(table, "score-card", "15").cells[0].dice
    assert [(die.landing, die.words, die.points) for die in dice] == [(29, "6 x 20", 120), (30, "4 x 10", 40)]


def test_rule_10_minus_points_have_a_line_of_their_own() -> None:
    table = card("lands 6x20", minus="10")
    assert all(line.name != "Minus" for line in pad(table, "score-card").rows)
    table.say("lands off missed")
    assert [cell.points for cell in row(table, "score-card", "Minus").cells] == [-10, None]
    assert [cell.points for cell in row(table, "score-card", "Total").cells] == [110, 0]


def test_rule_6_a_covered_dot_stands_in_the_line_that_it_ended() -> None:
    table = card("lands 1x5 dot", dot="confirmed")
    assert [die.words for die in row(table, "score-card", "1").cells[0].dice] == ["1 x 5"]
    table.say("covered")
    assert told(row(table, "score-card", "1").cells[0]) == (None, "covered dot", "won")
    assert told(row(table, "score-card", "Total").cells[0]) == (0, "", "won")


def test_rule_12_in_shuffle_play_each_has_the_own_dice() -> None:
    table = seated("fast", shuffle="dice")
    table.say("lands 1x5, lands 2x5, lands 3x5, lands 4x5 hitting 1 to 6x20")
    dice = [[cell.dice for cell in line.cells] for line in pad(table, "dice").rows if line.role == "turn"]
    assert [(die.landing, die.words) for (ann, _) in dice for die in ann] == [(1, "6 x 20"), (3, "3 x 5")]
    assert [(die.landing, die.words) for (_, bob) in dice for die in bob] == [(2, "2 x 5"), (4, "4 x 5")]


def test_first_of_500_writes_each_total_and_says_who_is_challenged_who_is_out_and_who_must_still_roll() -> (
    None
):
    table = seated("first-of-500", "Ann Bob Cat Dan", goal="100")
    assert [cell.words for cell in row(table, "goal", "To go").cells] == ["100"] * 4
    table.say(f"{turn(50)}, {turn(20)}, {turn(8)}, {turn(9)}, {turn(60)}, {turn(20)}")
    assert [told(cell) for cell in row(table, "goal", "2").cells] == [
        (110, "+60", "challenged"),
        (40, "+20", ""),
        (None, "", "now"),
        (None, "", ""),
    ]
    assert [told(cell) for cell in row(table, "goal", "Challenge").cells] == [
        (None, "challenged at 110", "challenged"),
        (None, "out", "out"),
        (None, "102 to tie", ""),
        (None, "101 to tie", ""),
    ]
    table.say(f"{turn(9)}, {turn(120)}")
    assert row(table, "goal", "Challenge").cells[3].words == "challenged at 129"


def test_kings_throne_and_line_move_up_and_king_of_kings_counts_the_wins() -> None:
    table = Table("end-zone", "Ann Bob Cat", mode="king-of-kings", order="seats", wins="2")
    places = [(line.role, line.cells[0].words) for line in pad(table, "king").rows]
    assert places == [("challenger", "Ann"), ("challenger", "Bob"), ("waiting", "Cat")]
    table.say(f"{turn(50)}, {turn(20)}, {turn(50)}, {turn(20)}")
    king = pad(table, "king")
    assert king.columns[1].name == "Wins as King, 2 to win"
    assert [(line.role, line.name, line.cells[0].words, line.cells[1].points) for line in king.rows] == [
        ("king", "King", "Ann", 1),
        ("challenger", "Challenger", "Bob", 0),
        ("waiting", "Next in line", "Cat", 0),
    ]
    table.say(f"{turn(50)}, {turn(20)}")
    assert (king := pad(table, "king")).rows[0].cells[0].mark == "won"
    assert king.rows[0].cells[1].points == 2


def test_the_games_of_a_3s_stand_one_below_the_other() -> None:
    table = seated("threes", "Ann Bob")
    table.say(f"{turn(50)}, {turn(20)}, {turn(30)}, {turn(40)}, lands 5x5")
    games = [(line.name, [told(cell) for cell in line.cells]) for line in pad(table, "games").rows]
    assert games == [
        ("Game 1", [(50, "", "won"), (20, "", "")]),
        ("Game 2", [(40, "", "won"), (30, "", "")]),
        ("Game 3", [(None, "", ""), (None, "", "now")]),
        ("Games won", [(2, "", ""), (0, "", "")]),
    ]
    table.say("lands 1x1, lands 1x1, lands 6x20, lands 1x1, lands 1x1")
    assert told(row(table, "games", "Game 3").cells[0]) == (122, "", "won")
    assert told(row(table, "games", "Games won").cells[0]) == (3, "", "won")


def test_zonk_writes_turns_quotas_and_cards_and_not_the_deck() -> None:
    table = Table("zonk", "Ann Bob", deck="box", seed="lucky", copies="4")
    table.say("casts 1 1 1 2 3 4, caches")
    assert told(row(table, "quotas", "Turn 1").cells[0]) == (1000, "", "")
    assert told(row(table, "quotas", "Quota 1").cells[0]) == (1000, "of 1,000", "")
    assert told(row(table, "quotas", "Turn 1").cells[1]) == (None, "", "now")
    assert "lucky" not in repr(pads(table.history))


def test_zonk_rule_2c_a_missed_quota_ends_a_run_and_a_met_one_is_crossed() -> None:
    table = Table("zonk", "Ann Bob", deck="none")
    table.say(", ".join(["casts 1 1 1 2 3 4, caches", "casts 2 3 4 6 6 2"] * 3))
    assert [told(cell) for cell in row(table, "quotas", "Turn 3").cells] == [
        (1000, "", ""),
        (0, "ZONK", "missed"),
    ]
    assert [told(cell) for cell in row(table, "quotas", "Quota 1").cells] == [
        (3000, "of 1,000", "crossed"),
        (0, "of 1,000", "missed"),
    ]
    assert row(table, "quotas", "Total").cells[1].mark == "out"


def test_a_game_that_nobody_writes_down_has_no_pad() -> None:
    assert not isinstance(Table("tray", "Ann").history.position, KeepsPad)
