"""When the camera is asked for its sharpest pictures, and which one a frame goes with."""

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.table.reading import ENOUGH, PATIENCE, Doubting, Sharpening
from vision.reading import DiceChoice, Reading, UnsureDie
from vision.watch import FrameState
from vision.watch.watch import State


def look(state: State, since_ms: float = 0.0) -> FrameState:
    return FrameState(
        time_ms=since_ms + 100,
        state=state,
        still_since_ms=since_ms,
        settled=state == "still",
        scene=1,
        hand_before_scene=False,
        tumbled_ms=0.0,
        hand_since_scene=False,
        trouble="",
    )


def frame(sharp: int | None = None) -> Frame:
    """A frame; `sharp` tells its sharp pictures apart."""
    larger: Picture | None = None if sharp is None else np.full((2, 2, 3), sharp, np.uint8)
    return Frame(picture=np.zeros((1, 1, 3), np.uint8), time_ms=0.0, name="", sharp=larger)


def told(frame: Frame) -> int | None:
    return None if frame.sharp is None else int(frame.sharp[0, 0, 0])


class Camera:
    """Notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[bool] = []


@pytest.fixture
def camera() -> Camera:
    return Camera()


def test_sharp_pictures_are_asked_for_from_the_first_look_at_which_nothing_moves(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    for state in ("moving", "hand", "moving"):
        assert told(sharpening.add_sharp(frame(), look(state))) is None
    assert camera.asked == []
    assert told(sharpening.add_sharp(frame(), look("still"))) is None
    assert camera.asked == [True]
    assert told(sharpening.add_sharp(frame(1), look("still"))) == 1


def test_after_a_few_no_more_are_asked_for_and_the_last_one_stands(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    sharpening.add_sharp(frame(), look("still"))
    for number in range(ENOUGH):
        assert told(sharpening.add_sharp(frame(number), look("still"))) == number
    assert camera.asked == [True, False]
    assert told(sharpening.add_sharp(frame(), look("still"))) == ENOUGH - 1, "for ROLL DONE, however late"
    assert camera.asked == [True, False]


@pytest.mark.parametrize("state", ["moving", "hand"])
def test_what_moved_since_is_not_shown_by_an_old_one(camera: Camera, state: State) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    sharpening.add_sharp(frame(1), look("still"))
    assert told(sharpening.add_sharp(frame(), look(state))) is None
    assert camera.asked == [True, False]
    assert told(sharpening.add_sharp(frame(), look("still", 900.0))) is None
    assert camera.asked == [True, False, True]


def test_a_rest_that_began_anew_between_two_looks_is_another_one(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    sharpening.add_sharp(frame(1), look("still"))
    assert told(sharpening.add_sharp(frame(), look("still", 50.0))) is None


def test_where_no_dice_are_read_none_are_asked_for(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    sharpening.end()
    assert camera.asked == []
    sharpening.add_sharp(frame(1), look("still"))
    sharpening.end()
    assert camera.asked == [True, False]
    assert told(sharpening.add_sharp(frame(), look("still"))) is None


class Doubtful:
    """A reader that is sure of nothing without a sharp picture."""

    def read(self, picture: Picture, _dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        unsure = () if sharp is not None else (UnsureDie(center_px=(0, 0), reason="too small"),)
        rows, columns = picture.shape[:2]
        return Reading(width_px=columns, height_px=rows, dice=(), unsure=unsure, elapsed_ms=1.0)


def test_who_reads_by_himself_asks_only_in_doubt(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=False)
    reader = Doubting(Doubtful(), sharpening)
    seen = sharpening.add_sharp(frame(), look("still"))
    assert camera.asked == [], "a plain throw pays for nothing"
    reader.read(seen.picture, "pip", seen.sharp)
    assert camera.asked == [True]
    seen = sharpening.add_sharp(frame(1), look("still"))
    assert reader.read(seen.picture, "pip", seen.sharp).unsure == ()
    assert camera.asked == [True]
    sharpening.add_sharp(frame(), look("moving"))
    sharpening.add_sharp(frame(), look("still", 500.0))
    assert camera.asked == [True, False], "the next throw is another one"


def test_a_doubt_while_things_move_asks_for_nothing(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=False)
    seen = sharpening.add_sharp(frame(), look("moving"))
    Doubting(Doubtful(), sharpening).read(seen.picture)
    assert camera.asked == []


def test_a_sharp_picture_comes_until_a_camera_has_shown_that_it_has_none(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append, at_once=True)
    assert not sharpening.comes
    sharpening.add_sharp(frame(), look("still"))
    for _ in range(PATIENCE):
        assert sharpening.comes
        sharpening.add_sharp(frame(), look("still"))
    assert not sharpening.comes
    sharpening.add_sharp(frame(), look("moving"))
    sharpening.add_sharp(frame(), look("still", 900.0))
    assert not sharpening.comes, "nobody waits again for what never came"
    sharpening.add_sharp(frame(1), look("still", 900.0))
    assert sharpening.comes


def test_where_there_is_no_such_camera_none_comes() -> None:
    sharpening = Sharpening(None, at_once=True)
    sharpening.add_sharp(frame(), look("still"))
    assert not sharpening.comes
