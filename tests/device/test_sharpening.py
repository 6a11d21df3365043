"""When the camera is asked for its sharpest pictures, and which one a frame goes with."""

import numpy as np
import pytest

from calibration.arrays import Picture
from device.cameras import Frame
from device.sharpening import ENOUGH, Sharpening
from vision.watch import Look
from vision.watch.watch import State


def look(state: State, since_ms: float = 0.0) -> Look:
    return Look(
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
    sharpening = Sharpening(camera.asked.append)
    for state in ("moving", "hand", "moving"):
        assert told(sharpening.see(frame(), look(state))) is None
    assert camera.asked == []
    assert told(sharpening.see(frame(), look("still"))) is None
    assert camera.asked == [True]
    assert told(sharpening.see(frame(1), look("still"))) == 1


def test_after_a_few_no_more_are_asked_for_and_the_last_one_stands(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append)
    sharpening.see(frame(), look("still"))
    for number in range(ENOUGH):
        assert told(sharpening.see(frame(number), look("still"))) == number
    assert camera.asked == [True, False]
    assert told(sharpening.see(frame(), look("still"))) == ENOUGH - 1, "for ROLL DONE, however late"
    assert camera.asked == [True, False]


@pytest.mark.parametrize("state", ["moving", "hand"])
def test_what_moved_since_is_not_shown_by_an_old_one(camera: Camera, state: State) -> None:
    sharpening = Sharpening(camera.asked.append)
    sharpening.see(frame(1), look("still"))
    assert told(sharpening.see(frame(), look(state))) is None
    assert camera.asked == [True, False]
    assert told(sharpening.see(frame(), look("still", 900.0))) is None
    assert camera.asked == [True, False, True]


def test_a_rest_that_began_anew_between_two_looks_is_another_one(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append)
    sharpening.see(frame(1), look("still"))
    assert told(sharpening.see(frame(), look("still", 50.0))) is None


def test_where_no_dice_are_read_none_are_asked_for(camera: Camera) -> None:
    sharpening = Sharpening(camera.asked.append)
    sharpening.rest()
    assert camera.asked == []
    sharpening.see(frame(1), look("still"))
    sharpening.rest()
    assert camera.asked == [True, False]
    assert told(sharpening.see(frame(), look("still"))) is None
