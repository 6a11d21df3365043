"""What people say of throws at a table: foreseen and done in the same words, and not while it is paused."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.box import Box
from device.games.evening import PAUSED
from device.table.judging import Judging
from engine.dice import Die
from engine.events import Corrected, Rolled, Ruled
from engine.refusal import Refused
from tests.playing import simulated, trial_setup

FIVE, SIX = (Die("pip", 5),), (Die("pip", 6),)


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Box(trial_setup(simulated(seed=1), tmp_path)) as box:
        yield box


def refusal(box: Box, event: Corrected | Ruled) -> str:
    with pytest.raises(Refused) as refused:
        Judging(box.table).foresee(event)
    return str(refused.value)


@pytest.mark.long
def test_a_correction_is_foreseen_and_then_done_in_the_same_words(box: Box) -> None:
    assert box.table.start("tray", ("Ann", "Bea"), {}) == ""
    assert box.table.play is not None
    match, judging = box.table.play.match, Judging(box.table)
    assert match.take((Rolled(dice=FIVE),), [], box.table.parts.now())
    told = judging.foresee(Corrected(dice=SIX))
    assert match.last_roll == Rolled(dice=FIVE)
    assert judging.correct(SIX, "it was a 6") == ""
    assert (match.last_roll, box.table.snapshot.message.text) == (Rolled(dice=SIX), told)


def test_it_is_said_why_nothing_can_be_foreseen_now(box: Box) -> None:
    assert refusal(box, Corrected(dice=SIX)) == "No game is going on."
    assert box.table.start("tray", ("Ann", "Bea"), {}) == ""
    assert refusal(box, Ruled(zone=10)) == "There are no landings to rule on in this game."
    assert refusal(box, Corrected(dice=SIX)) == "There is no roll to correct yet."
    assert box.table.play is not None
    assert box.table.tend("pause", box.table.play.match.game_id) == ""
    assert refusal(box, Corrected(dice=SIX)) == PAUSED == Judging(box.table).correct(SIX, "")
