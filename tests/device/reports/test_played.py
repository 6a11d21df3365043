"""What is told of a game: its throws as they count at last, and whose points they were."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.journal import Journal, Moment
from device.journal.replay import replay
from device.reports.figures import Best, add_up, figures
from device.reports.played import LandingPlace, PlayedGame, played
from device.reports.results import results
from engine.dice import Die
from engine.events import Cache, Corrected, Event, Landed, Refereed, Rolled, Ruled, Undo
from tests.device.reports.kept import EVENING, RECORDINGS, keep, keep_recording

OWN_TURNS_ALONE = {"Ten Thousand", "ZONK", "Dice tray"}
"""Games in which nobody gets points in another's turn."""


def pips(*values: int) -> tuple[Die, ...]:
    return tuple(Die("pip", value) for value in values)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[PlayedGame]:
    """All recorded games, as they were played."""
    with Journal.open(tmp_path_factory.mktemp("recorded") / "journal.db") as opened:
        return [seen(opened, keep_recording(opened, path)) for path in RECORDINGS]


def seen(journal: Journal, game_id: int) -> PlayedGame:
    return played(replay(journal.game(game_id), journal.rows(game_id)))


def of(journal: Journal, game: str, events: Sequence[Event], **options: str) -> PlayedGame:
    """A game of Ann and Bob."""
    return seen(journal, keep(journal, game, ("Ann", "Bob"), options, events))


@pytest.mark.long
def test_what_the_turns_brought_adds_up_to_the_score(recorded: list[PlayedGame]) -> None:
    told = [game for game in recorded if game.kind.partition(",")[0] in OWN_TURNS_ALONE]
    assert len(told) >= 8
    for game in told:
        gained: Counter[str] = Counter()
        for turn in game.turns:
            gained[turn.player] += turn.points
        assert [gained[name] for name in game.record.players] == list(game.scores), game.kind


@pytest.mark.long
def test_every_throw_is_told_once_with_its_dice_and_whose_it_was(recorded: list[PlayedGame]) -> None:
    for game in recorded:
        counts = figures(game)
        assert counts.throws == len(game.throws) > 0
        assert sum(map(sum, (faces.values() for faces in counts.dice.values()))) == sum(
            len(throw.dice) for throw in game.throws
        )
        assert {throw.player for throw in game.throws} <= set(game.record.players)
        assert sum(player.throws for player in counts.players.values()) == sum(
            throw.points is not None for throw in game.throws
        )


@pytest.mark.long
def test_the_winner_is_first_and_a_match_of_several_games_has_no_total(recorded: list[PlayedGame]) -> None:
    for game in recorded:
        told = results(game)
        if game.ending is None:
            assert [each.place for each in told] == [None] * len(told)
            continue
        winners = {each.player for each in told if each.place == 1 and each.won}
        assert winners == set(game.ending.winners)
    restarts = {game.kind for game in recorded if game.restarts}
    assert {"End Zone, king", "End Zone, tournament", "End Zone, threes-sets"} <= restarts
    assert not {"End Zone, score-card", "Ten Thousand, classic", "ZONK"} & restarts


def test_a_corrected_throw_counts_as_it_was_corrected_and_one_taken_back_not_at_all(journal: Journal) -> None:
    told = of(
        journal,
        "ten-thousand",
        [
            Rolled(dice=pips(6, 1, 3, 5, 2, 4)),
            Undo(),
            Rolled(dice=pips(2, 2, 3, 3, 4, 1)),
            Corrected(dice=pips(2, 2, 3, 3, 4, 5), reason="a 1 was a 5"),
            Cache(),
        ],
        first="named",
        opening="0",
    )
    assert [(throw.player, throw.points) for throw in told.throws] == [("Ann", 50)]
    assert told.throws[0].colors == ("ivory", "red") * 3
    assert figures(told).dice["pip", "red"] == Counter({2: 1, 3: 1, 5: 1})
    assert [(change.words, change.by) for change in told.changes] == [
        ("UNDO", ""),
        ("corrected to 2, 2, 3, 3, 4 and 5 (a 1 was a 5)", "the referee Rita"),
    ]
    ann = figures(told).players["Ten Thousand, classic", "Ann"]
    assert ann.turn == Best(points=50, game_id=told.record.id)
    assert ann.throw == Best(points=50, game_id=told.record.id, words="2, 2, 3, 3, 4, 5")


def test_a_landing_that_was_ruled_on_stays_where_it_lay(journal: Journal) -> None:
    told = of(
        journal,
        "end-zone",
        [
            Rolled(dice=pips(6)),
            Rolled(dice=pips(2)),
            Landed(value=4, zone=5),
            Landed(value=3, zone=2),
            Ruled(zone=10, by="Cleo", landing=1),
            Landed(off="missed"),
            Refereed(landed=Landed(value=3, zone=2, foul="late"), reason="beyond the line", landing=2),
        ],
        mode="fast",
    )
    points = [(throw.points, throw.place) for throw in told.throws]
    assert points == [
        (None, None),
        (None, None),
        (40, LandingPlace(x_mm=40.0, y_mm=300.0)),
        (0, LandingPlace(x_mm=30.0, y_mm=500.0)),
        (0, None),
    ]
    assert figures(told).landings == [
        LandingPlace(x_mm=40.0, y_mm=300.0),
        LandingPlace(x_mm=30.0, y_mm=500.0),
    ]
    assert figures(told).dice["pip", "red"] == Counter({4: 1, 3: 1})


def test_a_game_that_is_not_understood_says_why(journal: Journal) -> None:
    game = journal.begin("pachisi", ["Ann"], {}, Moment(EVENING, 0.0))
    told = seen(journal, game)
    assert "no game called pachisi" in told.trouble
    assert figures(told).players == {}


@pytest.mark.long
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(range(len(RECORDINGS))))
def test_counts_do_not_depend_on_the_order_of_the_games(recorded: list[PlayedGame], order: list[int]) -> None:
    games = recorded
    one, other = add_up(map(figures, games)), add_up(figures(games[number]) for number in order)
    assert (one.throws, one.dice) == (other.throws, other.dice)
    for who, player in one.players.items():
        best = other.players[who].throw
        assert (player.wins, player.points, player.throws) == (
            other.players[who].wins,
            other.players[who].points,
            other.players[who].throws,
        )
        assert (player.throw and player.throw.points) == (best and best.points)
