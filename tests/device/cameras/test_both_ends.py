"""Two cameras as one: frames with both pictures, and what befalls the far one is said with its name."""

import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras import CameraLost, Frame, folder
from device.cameras.both_ends import BothEnds
from device.commands.opening import Shape, open_both
from device.simulator.table import SimulatedTable

SHAPE = Shape(width_px=64, height_px=48)


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A far camera that hangs is not waited for: here it hangs until it is closed."""
    monkeypatch.setattr("device.cameras.both_ends.PATIENCE_S", 0.0)


class Told:
    """A live camera that gives these frames; an exception is raised, and at the end it waits to be closed."""

    live = True

    def __init__(self, *frames: Frame | Exception) -> None:
        self._frames, self._closed = frames, threading.Event()
        self.sharp = False
        self.given = threading.Event()

    def frames(self) -> Iterator[Frame]:
        for each in self._frames:
            if isinstance(each, Exception):
                raise each
            yield each
        self.given.set()
        self._closed.wait()

    def sharpen(self, on: bool) -> None:
        self.sharp = on

    def close(self) -> None:
        self._closed.set()


class After(Told):
    """One whose frames come only after all of another's."""

    def __init__(self, other: Told, *frames: Frame | Exception) -> None:
        super().__init__(*frames)
        self._other = other

    def frames(self) -> Iterator[Frame]:
        self._other.given.wait()
        yield from super().frames()


class Endless(Told):
    """One that goes on and on, at a camera's pace."""

    def frames(self) -> Iterator[Frame]:
        while not self._closed.wait(0.001):
            yield frame(5)


def frame(level: int, time_ms: float = 0.0, size: tuple[int, int] = (48, 64)) -> Frame:
    return Frame(picture=np.full((*size, 3), level, np.uint8), time_ms=time_ms, name=f"{level}")


def first(far: Told, *near: Frame) -> Frame:
    """The first frame of both."""
    pair = BothEnds(After(far, *near), far)
    frames = pair.frames()
    try:
        return next(frames)
    finally:
        pair.close()
        frames.close()  # type: ignore[attr-defined]


def test_each_near_picture_goes_with_the_newest_far_one() -> None:
    found = first(Told(frame(7), frame(9, 40.0)), frame(5, 50.0))
    assert found.picture[0, 0, 0] == 5
    assert found.far is not None
    assert found.far[0, 0, 0] == 9
    assert (found.time_ms, found.name) == (50.0, "5, 9")


def test_a_far_camera_that_stands_still_is_lost() -> None:
    with pytest.raises(CameraLost, match="far camera gives no new pictures"):
        first(Told(frame(7)), frame(5, 2000.0))


def test_pictures_of_two_sizes_do_not_go_together() -> None:
    with pytest.raises(CameraLost, match="64 x 48 and 32 x 24"):
        first(Told(frame(7, size=(24, 32))), frame(5))


@pytest.mark.parametrize(
    ("trouble", "words"),
    [(CameraLost("It is unplugged."), "The far camera: It is unplugged."), (OSError("broken"), "broken")],
)
def test_a_lost_far_camera_is_named(trouble: Exception, words: str) -> None:
    pair = BothEnds(Endless(), Told(trouble))
    with pytest.raises(CameraLost, match=words):
        list(pair.frames())
    pair.close()


def test_folders_are_taken_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = partial(folder.Folder, wait=lambda _ms: None)
    monkeypatch.setattr("device.cameras.folder.Folder", at_once)
    for name, levels in (("near", (10, 20)), ("far", (110, 120, 130))):
        (tmp_path / name).mkdir()
        for at, level in enumerate(levels):
            cv2.imwrite(str(tmp_path / name / f"{at}.png"), np.full((48, 64, 3), level, np.uint8))
    pair = open_both(str(tmp_path / "near"), str(tmp_path / "far"), shape=SHAPE)
    assert not pair.live
    found = [
        (int(each.picture[0, 0, 0]), int(each.far[0, 0, 0])) for each in pair.frames() if each.far is not None
    ]
    assert list(dict.fromkeys(found)) == [(10, 110), (20, 120)]
    pair.close()


def test_wrong_words_are_answered_with_the_right_ones(tmp_path: Path) -> None:
    with pytest.raises(CameraLost, match="Say table for the far camera"):
        open_both("table", "picamera2:1", shape=SHAPE)
    with pytest.raises(CameraLost, match="is named for both ends"):
        open_both("picamera2:0", "picamera2:0", shape=SHAPE)
    cv2.imwrite(str(tmp_path / "a.png"), np.zeros((48, 64, 3), np.uint8))
    with pytest.raises(CameraLost, match="two of a kind"):
        open_both("picamera2:0", str(tmp_path), shape=SHAPE)


def test_the_simulated_table_has_both_cameras_itself() -> None:
    camera = open_both("table", "table", shape=SHAPE, seed=1)
    assert isinstance(camera, SimulatedTable)
    camera.close()
