"""The Pi's camera with two sizes at once: small pictures to watch, large ones at need."""

import sys
from collections.abc import Callable, Iterator

import pytest

from device.cameras import Frame, grabber
from device.cameras.picamera import PiCamera
from tests.device.cameras.fake_picamera import Gate
from tests.waiting import PATIENCE_S

Takes = Callable[..., tuple[PiCamera, Iterator[Frame]]]


@pytest.fixture
def takes(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Takes:
    """A camera and its frames, on a sensor of 200 x 200; more is said to the fake in words."""
    gate.let("")

    def made(*, sharp: bool = True, **said: str) -> tuple[PiCamera, Iterator[Frame]]:
        monkeypatch.setenv("FAKE_SENSOR", "200")
        for name, word in said.items():
            monkeypatch.setenv(name, word)
        eye = PiCamera(0, 64, 48, 1e6, python=sys.executable, stall_ms=1000 * PATIENCE_S, sharp=sharp)
        return eye, eye.frames()

    return made


def until_sharp(gate: Gate, frames: Iterator[Frame]) -> Frame:
    """The first frame with a sharp picture; one that was asked for comes some frames later."""
    while True:
        gate.let("f")
        frame = next(frames)
        if frame.sharp is not None:
            return frame


def test_a_large_picture_comes_only_when_asked_for(gate: Gate, takes: Takes) -> None:
    eye, frames = takes()
    gate.let("f")
    first = next(frames)
    assert first.sharp is None
    assert first.picture.shape == (48, 64, 3)
    eye.sharpen(True)
    frame = until_sharp(gate, frames)
    assert frame.sharp is not None
    assert frame.sharp.shape == (150, 200, 3), "as large as the sensor gives it in this shape"
    assert frame.sharp[5, 199].tolist() == [10, 20, 30], "blue, green, red, and no padding"
    assert frame.sharp[0, 0, 0] == int(frame.name.split()[1]), "the same moment as the small one"
    eye.sharpen(False)
    gate.let("ff")
    while next(frames).sharp is not None:
        gate.let("f")
    frames.close()  # type: ignore[attr-defined]


def test_small_pictures_have_their_colours(gate: Gate, takes: Takes) -> None:
    _, frames = takes()
    gate.let("f")
    # Y 100, U 20 above the middle and V 30 below it, in full range: JPEG's formulas (ITU-T T.871).
    blue, green, red = 100 + 1.772 * 20, 100 - 0.344136 * 20 + 0.714136 * 30, 100 - 1.402 * 30
    picture = next(frames).picture
    for row, column in ((1, 1), (24, 63), (47, 0)):
        assert picture[row, column].tolist() == pytest.approx([blue, green, red], abs=1)
    frames.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("trouble", ["no memory", "other size"])
def test_a_camera_that_cannot_give_both_gives_the_small_one(gate: Gate, takes: Takes, trouble: str) -> None:
    eye, frames = takes(FAKE_BOTH=trouble)
    eye.sharpen(True)
    gate.let("fff")
    for _ in range(2):
        frame = next(frames)
        assert (frame.sharp, frame.picture.shape) == (None, (48, 64, 3))
        assert frame.picture[5, 63].tolist() == [10, 20, 30]
        gate.let("f")
    frames.close()  # type: ignore[attr-defined]


def test_who_wants_none_has_one_stream(gate: Gate, takes: Takes) -> None:
    eye, frames = takes(sharp=False)
    eye.sharpen(True)
    gate.let("ff")
    assert next(frames).sharp is None
    link = eye._link
    assert link is not None
    assert link._sharp is None, "and pays for no memory"
    frames.close()  # type: ignore[attr-defined]


@pytest.mark.long
def test_a_camera_that_was_lost_is_asked_again(gate: Gate, takes: Takes) -> None:
    eye, frames = takes()
    eye.sharpen(True)
    until_sharp(gate, frames)
    frames.close()  # type: ignore[attr-defined]
    again = eye.frames()
    assert until_sharp(gate, again).sharp is not None
    again.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("size", "most", "largest"),
    [
        ((1280, 960), (2028, 1520), (2024, 1518)),
        ((1280, 960), (2304, 1296), (1728, 1296)),
        ((1280, 720), (2304, 1296), (2304, 1296)),
        ((1600, 1200), (2028, 1520), (2024, 1518)),
        ((64, 48), (200, 200), (200, 150)),
        ((2028, 1520), (2028, 1520), None),
        ((1280, 958), (2028, 1520), None),
        ((1280, 960), (640, 480), None),
    ],
)
def test_the_large_size_has_exactly_the_small_one_s_shape(
    size: tuple[int, int], most: tuple[int, int], largest: tuple[int, int] | None
) -> None:
    assert grabber.most_like(size, most) == largest


def test_the_large_size_is_the_mode_s_but_no_more_than_a_small_pi_has_room_for() -> None:
    sharp = {mode: grabber.sharp_size(None, {"output_size": mode}, (1280, 960)) for mode in MODES}
    assert sharp == MODES
    assert grabber.sharp_size(object(), None, (1280, 960)) is None, "a camera that tells nothing of itself"


MODES = {(2028, 1520): (2024, 1518), (4056, 3040): (2024, 1518), (1332, 990): (1320, 990)}
"""The modes of an IMX477, and the largest pictures of 4:3 that are taken from each."""
