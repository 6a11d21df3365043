"""End Zone, rules 70 to 91: King, King of Kings and tournaments, in every mode they can be played in."""

from random import Random

import pytest

from engine.end_zone import PHASES
from engine.end_zone.agreed import UNITS
from engine.events import Landed, Stop
from engine.game import GameView
from engine.rulebooks import rulebook
from tests.engine.legal import landed, random_events
from tests.engine.say import Table

WIN, LOSE = "lands 1x5, lands 1x5, lands 1x5", "lands 1x1, lands 1x1, lands 1x1"
FOUR = "Ann Bob Cat Dan"


def fact(view: GameView, name: str) -> tuple[str, ...]:
    """The words of a fact of the whole table, or the players it stands for with theirs."""
    found = [(each.player, each.words) for each in view.facts if each.name == name]
    if found and found[0][0] is not None:
        return tuple(f"{player} {' '.join(words)}" for player, words in found)
    return found[0][1] if found else ()


def crown(table: Table, name: str) -> GameView:
    """Play the match that begins so that this player wins."""
    table.say("throws 1, throws 2")
    for _ in range(2):
        table.say(WIN if table.view.active == name else LOSE)
    return table.view


def test_rule_70_the_two_highest_play_and_of_them_the_lower_goes_first() -> None:
    table = Table("end-zone", FOUR, mode="king")
    assert table.view.news == "Ann rolls one die: the two highest play first."
    view = table.say("throws 3, throws 6, throws 1, throws 5")
    assert (view.phase, view.active, fact(view, "waiting")) == ("roll", "Dan", ("Ann", "Cat"))
    assert "rolling=4,2" in table.line


def test_rule_70_ties_for_the_two_places_roll_again() -> None:
    table = Table("end-zone", FOUR, mode="king")
    view = table.say("throws 3, throws 6, throws 3, throws 1")
    assert (view.phase, view.active) == ("order", "Ann")
    assert table.say("throws 2, throws 4").active == "Cat"
    assert "match=3,2" in table.line


def test_rule_70_three_highest_that_tie_roll_again_until_two_are_left() -> None:
    table = Table("end-zone", FOUR, mode="king")
    assert table.say("throws 5, throws 5, throws 5, throws 1").active == "Ann"
    view = table.say("throws 4, throws 6, throws 4")
    assert (view.phase, view.active) == ("order", "Ann")
    table.say("throws 1, throws 2")
    assert "match=3,2" in table.line


def test_rule_70_two_highest_that_tie_roll_again_the_lower_first() -> None:
    table = Table("end-zone", FOUR, mode="king")
    table.say("throws 5, throws 1, throws 2, throws 5")
    assert table.say("throws 4, throws 4").active == "Ann"
    assert table.say("throws 4, throws 3").active == "Dan"
    assert "match=4,1" in table.line


def king(**options: str) -> Table:
    """Ann and Bob play first, and Bob is crowned."""
    table = Table("end-zone", FOUR, **{"mode": "king", "game_": "fast", **options})
    table.say(f"throws 5, throws 6, throws 1, throws 1, {LOSE}, {WIN}")
    return table


def test_rule_71_the_winner_stays_and_the_next_in_line_challenges() -> None:
    table = king()
    assert (fact(table.view, "king"), fact(table.view, "waiting")) == (("Bob",), ("Dan", "Ann"))
    assert "Bob wins and is King. Cat challenges." in table.view.news
    assert (table.view.phase, table.view.active) == ("order", "Bob")
    view = crown(table, "Bob")
    assert "Bob wins and stays King. Dan challenges." in view.news
    assert fact(view, "waiting") == ("Ann", "Cat")
    view = crown(table, "Dan")
    assert (fact(view, "king"), fact(view, "waiting")) == (("Dan",), ("Cat", "Bob"))
    assert "match=4,1" in table.line


def test_rule_71b_king_and_challenger_roll_by_the_mode_of_the_game() -> None:
    assert king().say("throws 6, throws 2").active == "Cat"
    table = Table("end-zone", FOUR, mode="king", game_="first-of-500", goal="10")
    table.say(f"throws 5, throws 6, throws 1, throws 1, {LOSE}, {WIN}, {LOSE}")
    assert table.view.news.endswith("the highest goes first.")
    assert table.say("throws 6, throws 2").active == "Bob"


def test_rule_72_stop_between_games_ends_it_for_the_king() -> None:
    table = Table("end-zone", FOUR, mode="king", game_="fast")
    assert "once there is a King" in table.refused("stops")
    table = king()
    assert [each.button for each in table.view.allowed] == ["roll_done", "stop"]
    table.say("throws 3")
    assert table.refused("stops").endswith("(rule 72)")
    assert [each.button for each in table.view.allowed] == ["roll_done"]
    view = table.say("undo, stops")
    assert view.ending is not None
    assert (view.ending.winners, view.phase) == (("Bob",), "ended")
    assert view.ending.cause == "Bob wins as the King at the end (rule 72)."


def test_rule_72_other_modes_play_to_their_end() -> None:
    table = Table("end-zone", "Ann Bob", mode="fast", order="seats")
    assert table.refused("stops") == "This mode plays to its end: Ann rolls. (rule 72)"


def test_rule_72_stop_in_seating_order_needs_an_untouched_game() -> None:
    table = Table("end-zone", "Ann Bob Cat", mode="king", game_="threes", order="seats")
    table.say(", ".join([LOSE, WIN] * 3))
    assert fact(table.view, "king") == ("Bob",)
    assert [each.button for each in table.view.allowed] == ["roll_done", "stop"]
    table.say(f"{LOSE}, {WIN}")
    assert [each.button for each in table.view.allowed] == ["roll_done"]


def test_rule_71d_the_king_chooses_the_mode() -> None:
    table = king(**{"king-chooses": "yes"})
    assert (table.view.phase, table.view.active, table.view.wanted) == ("choose", "Bob", None)
    assert [choice.words for choice in table.view.choices] == list(UNITS)
    assert "is King and chooses the mode" in table.refused("throws 3")
    assert "got solo. (rule 71d)" in table.refused("chooses solo")
    view = table.say("chooses score-card")
    assert (view.phase, view.active) == ("order", "Bob")
    table.say("throws 1, throws 2, lands 1x1")
    assert table.view.scores == (0, 1, 0, 0)
    assert "(rule 71d)" in table.refused("chooses fast")


def test_rule_71d_the_king_may_stop_instead_of_choosing() -> None:
    view = king(**{"king-chooses": "yes"}).say("stops")
    assert view.ending is not None
    assert view.ending.winners == ("Bob",)


def test_rule_6b_in_king_a_covered_dot_wins_the_crown() -> None:
    table = Table("end-zone", FOUR, mode="king", game_="threes")
    view = table.say("throws 5, throws 6, throws 1, throws 1, lands 1x5 dot")
    assert (fact(view, "king"), view.ending) == (("Ann",), None)


def test_rule_80_so_many_wins_as_king_are_king_of_kings() -> None:
    table = king(mode="king-of-kings", wins="2")
    assert fact(table.view, "wins as King") == ()
    crown(table, "Bob")
    assert fact(table.view, "wins as King") == ("Bob 1",)
    assert table.refused("stops").endswith("(rule 72)")
    assert crown(table, "Dan").ending is None
    assert fact(crown(table, "Dan"), "wins as King") == ("Bob 1", "Dan 1")
    view = crown(table, "Dan")
    assert view.ending is not None
    assert view.ending.cause == "Dan wins as King of Kings with 2 wins (rule 80)."


def test_rule_80a_every_win_may_be_marked() -> None:
    table = king(**{"mode": "king-of-kings", "wins": "2", "king-wins": "all"})
    assert fact(table.view, "wins as King") == ("Bob 1",)
    view = crown(table, "Bob")
    assert view.ending is not None
    assert view.ending.winners == ("Bob",)


def test_rule_6b_a_covered_dot_wins_king_of_kings_or_the_game() -> None:
    table = king(mode="king-of-kings")
    assert table.say("throws 1, throws 2, lands 1x5 dot").ending is None
    assert "Bob covers the dot: instant win! Bob wins and stays King." in table.view.news
    view = king(**{"mode": "king-of-kings", "dot-wins": "mode"}).say("throws 1, throws 2, lands 1x5 dot")
    assert view.ending is not None
    assert view.ending.cause == "Bob wins instantly with a covered dot (rule 6)."
    table = king(**{"mode": "king-of-kings", "dot-wins": "game"})
    assert table.say("throws 1, throws 2, lands 1x5 dot").ending is None
    assert fact(table.view, "wins as King") == ("Bob 1",)


def play(table: Table, name: str) -> GameView:
    """The next match, in seating order, won by this player."""
    game = table.view.facts[0]
    while table.view.facts[0] == game and not table.view.ending:
        table.say(WIN if table.view.active == name else LOSE)
    return table.view


@pytest.mark.parametrize(
    ("players", "winners", "pairs"),
    [
        ("Ann Bob", "Bob", "1,2"),
        ("Ann Bob Cat", "Ann Cat", "1,2 3,1"),
        ("Ann Bob Cat Dan", "Ann Dan Dan", "1,2 3,4 1,4"),
        ("Ann Bob Cat Dan Eve", "Ann Dan Eve Dan", "1,2 3,4 5,1 4,5"),
        ("A B C D E F G", "B C F G F G", "1,2 3,4 5,6 7,2 3,6 7,6"),
    ],
)
def test_rule_90_winners_move_on_until_one_is_left(players: str, winners: str, pairs: str) -> None:
    table = Table("end-zone", players, mode="tournament", game_="fast", order="seats")
    met = []
    for name in winners.split():
        met.append(table.line.split(" match=")[1].split(" ")[0])
        view = play(table, name)
    assert " ".join(met) == pairs
    assert view.ending is not None
    assert view.ending.cause.endswith("the tournament (rule 90).")


def test_rule_90_the_last_winner_wins_the_tournament() -> None:
    table = Table("end-zone", FOUR, mode="tournament", game_="fast", order="seats")
    view = play(table, "Ann")
    assert "Ann wins and moves on. Next: Cat and Dan." in view.news
    assert (fact(view, "through"), view.active) == (("Ann",), "Cat")
    play(table, "Dan")
    view = play(table, "Dan")
    assert view.ending is not None
    assert (view.ending.winners, view.ending.cause) == (("Dan",), "Dan wins the tournament (rule 90).")


def test_rule_91_a_covered_dot_moves_on_to_the_next_bracket() -> None:
    table = Table("end-zone", FOUR, mode="tournament", game_="threes", order="seats")
    view = table.say("lands 1x5 dot")
    assert (view.ending, view.active, fact(view, "through")) == (None, "Cat", ("Ann",))
    table.say("lands 1x5 dot")
    view = table.say("lands 1x5 dot")
    assert view.ending is not None
    assert view.ending.winners == ("Ann",)


@pytest.mark.parametrize("mode", ["king", "king-of-kings", "tournament"])
@pytest.mark.parametrize("game", UNITS)
@pytest.mark.parametrize("teams", ["no", "own"])
def test_rules_71c_90_every_mode_can_be_played_so(mode: str, game: str, teams: str) -> None:
    """Chance plays on; the King stops when there is one."""
    options = {"mode": mode, "game_": game, "teams": teams, "goal": "150", "wins": "1"}
    table = Table("end-zone", "A B C D E F", **options)
    chance = Random(f"{mode} {game} {teams}")
    for _ in range(6_000):
        view = table.view
        if view.ending:
            break
        if any(each.button == "stop" for each in view.allowed):
            table.say("stops")
        elif view.wanted and view.wanted.landing:
            table.history.take(landed(view, chance))
        else:
            table.say(f"throws {chance.randint(1, 6)}")
    assert table.view.ending is not None
    assert len(table.view.ending.winners) == (1 if teams == "no" else 2)


PLAYED = [
    {"mode": "fast", "dot": "confirmed"},
    {"mode": "threes", "dot": "confirmed", "tie": "number"},
    {"mode": "king", "game": "fast", "king-chooses": "yes", "dot": "confirmed", "goal": "60"},
    {"mode": "king-of-kings", "game": "first-of-500", "goal": "60", "king-chooses": "yes"},
    {"mode": "tournament", "game": "fast", "order": "seats"},
]


@pytest.mark.long
def test_every_way_from_phase_to_phase_stands_in_the_table() -> None:
    chance, walked = Random(7), set()
    for options in PLAYED * 30:
        position = rulebook("end-zone").start(("Ann", "Bob", "Cat", "Dan"), options)
        for event in random_events(position, chance, 200):
            before, position = position.view().phase, position.after(event)
            walked.add((before, type(event), position.view().phase))
    ways = {
        (phase, event, after)
        for phase, takes in PHASES.items()
        for event, leads_to in takes.items()
        for after in leads_to
    }
    assert walked <= ways
    elsewhere = {("order", Landed), ("roll", Stop)}  # chance says a roll-off's die by its number alone
    assert {way[:2] for way in ways} - {way[:2] for way in walked} <= elsewhere
