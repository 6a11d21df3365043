"""What the last throw of a game brought, as pages show it."""

from pathlib import Path

import pytest

from device.shown.throws import last_throw_points, score_throws
from engine.dice import Die
from engine.events import Pocket, Rolled
from engine.history import History
from engine.recording import play_again
from engine.rulebooks import rulebook
from tests.device.reports.kept import RECORDINGS


@pytest.mark.parametrize("recording", RECORDINGS, ids=lambda recording: recording.stem)
def test_the_last_throw_brought_what_the_whole_game_says_of_it(recording: Path) -> None:
    game = play_again(recording.read_text(encoding="utf-8"))
    going = History(game.start)
    assert last_throw_points(going) is None
    found = []
    for event in game.counting:
        going.take(event)
        found.append(last_throw_points(going))
    for throw in score_throws(game)[0]:
        assert found[throw.event_index] == throw.points
    assert any(found)


def test_once_dice_are_set_aside_the_throw_brought_what_these_are_worth() -> None:
    game = History(rulebook("ten-thousand").start(("Ann", "Bea"), {"first": "named"}))
    found = []
    for event in (rolled(1, 1, 1, 5, 2, 3), Pocket(combos=((Die("pip", 5),),)), rolled(2, 3, 3, 4, 6)):
        game.take(event)
        found.append(last_throw_points(game))
    assert found == [1050, 50, 0]


def rolled(*values: int) -> Rolled:
    return Rolled(dice=tuple(Die("pip", value) for value in values))
