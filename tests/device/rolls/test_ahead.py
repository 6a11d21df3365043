"""Dice are read as soon as nothing moves, once in each stillness."""

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.rolls.detector import ReadingAhead
from vision.reading import DiceChoice, Reading
from vision.watch import FrameState
from vision.watch.watch import State


class Noting:
    """A reader that notes by its brightness each picture that it is shown, and the dice that it looks for."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, DiceChoice, bool]] = []

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        self.shown.append((int(picture[0, 0, 0]), dice, sharp is not None))
        return Reading(width_px=1, height_px=1, dice=(), unsure=(), elapsed_ms=1.0)


@pytest.fixture
def reader() -> Noting:
    return Noting()


def look(time_ms: float, since_ms: float, state: State = "still", *, settled: bool = False) -> FrameState:
    return FrameState(
        time_ms=time_ms,
        state=state,
        still_since_ms=since_ms,
        settled=settled,
        scene=1,
        hand_before_scene=False,
        tumbled_ms=0.0,
        hand_since_scene=False,
        trouble="",
    )


def frame(number: int, *, sharp: bool = False) -> Frame:
    picture = np.full((1, 1, 3), number, np.uint8)
    return Frame(picture=picture, time_ms=0.0, name="", sharp=picture if sharp else None)


def test_the_first_picture_in_which_nothing_moves_is_read_and_no_other(reader: Noting) -> None:
    ahead = ReadingAhead(reader, lambda: False)
    ahead.read_once(frame(1), look(100, 100, "moving"), "pip")
    ahead.read_once(frame(2), look(150, 100), "pip")
    ahead.read_once(frame(3), look(180, 100), "pip")
    ahead.read_once(frame(4), look(200, 100, settled=True), "pip")
    assert reader.shown == [(2, "pip", False)]


def test_at_many_frames_a_second_the_first_two_may_be_alike_by_chance(reader: Noting) -> None:
    ahead = ReadingAhead(reader, lambda: False)
    for number in range(4):
        ahead.read_once(frame(number), look(100 + 16.7 * number, 100), "zoinx")
    assert reader.shown == [(2, "zoinx", False)]


def test_dice_that_moved_on_are_read_anew_when_they_lie_again(reader: Noting) -> None:
    ahead = ReadingAhead(reader, lambda: False)
    ahead.read_once(frame(1), look(150, 100), "auto")
    ahead.read_once(frame(2), look(200, 200, "moving"), "auto")
    ahead.read_once(frame(3, sharp=True), look(250, 200), "auto")
    assert reader.shown == [(1, "auto", False), (3, "auto", True)]


@pytest.mark.parametrize("state", ["moving", "hand"])
def test_nothing_is_read_while_something_moves_or_a_hand_is_there(reader: Noting, state: State) -> None:
    ahead = ReadingAhead(reader, lambda: False)
    ahead.read_once(frame(1), look(500, 100, state), "auto")
    assert reader.shown == []


def test_what_has_settled_by_the_second_picture_is_read_once_too(reader: Noting) -> None:
    """At eight frames a second the second still picture is late enough to count."""
    ahead = ReadingAhead(reader, lambda: False)
    ahead.read_once(frame(1), look(225, 100, settled=True), "auto")
    ahead.read_once(frame(2), look(350, 100, settled=True), "auto")
    assert reader.shown == [(1, "auto", False)]


def test_a_picture_that_comes_with_more_pixels_is_waited_for(reader: Noting) -> None:
    """Dice that only the sharper one shows would else be taken for read: nothing changed since."""
    comes = [True]
    ahead = ReadingAhead(reader, lambda: comes[0])
    ahead.read_once(frame(1), look(150, 100), "auto")
    ahead.read_once(frame(2), look(200, 100), "auto")
    assert reader.shown == []
    ahead.read_once(frame(3, sharp=True), look(250, 100), "auto")
    assert reader.shown == [(3, "auto", True)]
    ahead.read_once(frame(4), look(450, 400), "auto")
    comes[0] = False  # the camera has shown that it has none
    ahead.read_once(frame(5), look(500, 400), "auto")
    assert reader.shown[1:] == [(5, "auto", False)]
