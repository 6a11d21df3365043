"""A USB camera: the real grabber program, with a camera of the tests' own making beneath it."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.lock import CameraLock
from device.cameras import CameraLost, Frame, grabbed, usb, usb_grabber
from device.cameras.grabber import Trouble
from device.cameras.locking import SETTLED, by_hand, usb_lock
from device.cameras.usb import UsbCamera
from device.cameras.usb_grabber import chosen, trouble_in
from device.cameras.v4l2 import Mode, Node, plugged_in
from device.commands.opening import Shape, open_camera
from tests.device.cameras.fake_picamera import Gate
from tests.waiting import PATIENCE_S

FOUND = usb_lock(
    {"auto_exposure": 3, "brightness": 128, "exposure_time_absolute": 333, "gain": 12}, "Fake Cam"
)


@pytest.fixture
def plugged(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """The gate of the fake camera's pictures."""
    fake = Path(__file__).with_name("fake_usb.py")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    monkeypatch.setattr(usb, "PROGRAM", [sys.executable, str(fake)])
    return gate


def camera(*, lock: CameraLock | None = None, size: tuple[int, int] = (64, 48), fps: float = 15) -> UsbCamera:
    return UsbCamera("/dev/video7", *size, fps, stall_ms=1000 * PATIENCE_S, lock=lock)


def lost(frames: Iterator[Frame]) -> str:
    with pytest.raises(CameraLost) as caught:
        next(frames)
    return str(caught.value)


def test_a_frame_has_size_colours_time_name_and_what_the_camera_is_set_to(plugged: Gate) -> None:
    before_ms = grabbed.steady_ms()
    (frame,) = plugged.frames(camera(), 1)
    assert frame.picture.shape == (48, 64, 3)
    assert frame.picture[5, 63].tolist() == [10, 20, 30], "blue, green, red"
    assert before_ms - 5 <= frame.time_ms <= grabbed.steady_ms() - 5, "when it was taken, not when it came"
    assert (frame.name, frame.settings, frame.remark) == ("usb:/dev/video7 00001", FOUND, "")


@pytest.mark.long
def test_a_hang_is_buried_and_what_is_unplugged_comes_back(
    plugged: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    eye = camera()
    eye.stall_ms = 50
    plugged.let("fH")
    frames = eye.frames()
    next(frames)
    assert lost(frames).startswith("No picture for 0.05 s. Cause: the camera hangs or was unplugged")
    plugged.let("f")
    eye.stall_ms = 1000 * PATIENCE_S
    frames = eye.frames()
    assert next(frames).name == "usb:/dev/video7 00002"
    plugged.let("U")
    assert "/dev/video7 is gone" in lost(frames)
    monkeypatch.setenv("FAKE_USB", "gone")
    assert "unplugged or not recognised. Fix: plug it in again" in lost(eye.frames())
    monkeypatch.delenv("FAKE_USB")
    assert plugged.frames(eye, 1)[0].name == "usb:/dev/video7 00003"


@pytest.mark.parametrize(
    ("ill", "says"),
    [
        ("busy", "another program uses it"),
        ("denied", "usermod -aG video"),
        ("no pictures", "no such USB camera"),
    ],
)
def test_what_ails_a_camera_is_told_with_its_cure(
    ill: str, says: str, plugged: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_USB", ill)
    assert says in lost(camera().frames())


def test_a_locked_camera_is_told_all_of_it_what_it_sets_by_itself_first(plugged: Gate) -> None:
    lock = by_hand(FOUND, {"gain": 40})
    assert dict(lock.controls) == {
        "auto_exposure": 1, "brightness": 128, "exposure_time_absolute": 333, "gain": 40,
    }  # fmt: skip
    (frame,) = plugged.frames(camera(lock=lock), 1)
    assert frame.settings == lock


def test_a_camera_that_does_not_keep_to_its_lock_is_told_with_both_numbers(
    plugged: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_USB", "stubborn")
    frames = plugged.frames(camera(lock=by_hand(FOUND, {})), SETTLED)
    assert {frame.remark for frame in frames[:-1]} == {""}
    assert "not set as it was locked: gain is 99, not 12" in frames[-1].remark


def test_a_camera_that_is_too_slow_is_told(plugged: Gate) -> None:
    (frame,) = plugged.frames(camera(fps=60), 1)
    assert "gives 30 pictures a second of this size, and 60 were asked for" in frame.remark


HD = (1280, 960)
MODES = [
    Mode("YUYV", *HD, (7.5,)),
    Mode("MJPG", *HD, (15.0, 29.97)),
    Mode("YUYV", 640, 480, (15.0, 30.0)),
    Mode("MJPG", 640, 480, (30.0,)),
    Mode("H264", 1920, 1080, (30.0,)),
]


@pytest.mark.parametrize(
    ("size", "fps", "form", "rate"),
    [
        pytest.param(HD, 30, "MJPG", 29.97, id="compressed where the cable is too narrow"),
        pytest.param(HD, 7, "YUYV", 7.5, id="uncompressed where that is fast enough"),
        pytest.param((640, 480), 20, "YUYV", 30.0, id="no more pictures than needed"),
        pytest.param(HD, 60, "MJPG", 29.97, id="the fastest where none is fast enough"),
    ],
)
def test_the_mode_that_is_fast_enough_is_chosen(
    size: tuple[int, int], fps: float, form: str, rate: float
) -> None:
    mode, at = chosen(MODES, size, fps)
    assert (mode.form, mode.width_px, at) == (form, size[0], rate)


def test_a_size_that_the_camera_has_not_is_told_with_those_that_it_has() -> None:
    with pytest.raises(Trouble, match=r"1920x1080 was asked for, the camera has 1280x960, 640x480$"):
        chosen(MODES, (1920, 1080), 15)


def test_every_trouble_of_the_grabber_has_a_sentence() -> None:
    words = set(re.findall(r'Trouble\("(\w+)"', Path(usb_grabber.__file__).read_text()))
    assert words == set(usb.SENTENCES)
    assert trouble_in(OSError(16, "Device or resource busy"), "0").word == "busy"
    assert trouble_in(ValueError("odd"), "0").word == "other"


def test_usb_cameras_are_told_from_the_many_other_devices_of_a_pi(tmp_path: Path) -> None:
    for number, (bus, index, name) in enumerate(
        [
            ("platform/rp1-cfe", 0, "rp1-cfe"),
            ("usb1/1-1", 0, "C920"),
            ("usb1/1-1", 1, "C920"),
            ("usb1/1-2", 0, "B"),
        ]
    ):
        entry, device = tmp_path / f"video{number + 9}", tmp_path / "devices" / bus
        entry.mkdir()
        device.mkdir(parents=True, exist_ok=True)
        (entry / "device").symlink_to(device)
        (entry / "name").write_text(f"{name}\n")
        (entry / "index").write_text(f"{index}\n")
    assert plugged_in(tmp_path) == [Node("/dev/video10", "C920"), Node("/dev/video12", "B")]


@pytest.mark.parametrize(
    ("spec", "name"),
    [("usb", "usb:0"), ("usb:1", "usb:1"), ("usb:/dev/v4l/by-id/usb-B", "usb:/dev/v4l/by-id/usb-B")],
)
def test_a_usb_camera_is_named_by_number_or_device(spec: str, name: str) -> None:
    eye = open_camera(spec, shape=Shape(no_picture_ms=700))
    assert isinstance(eye, UsbCamera)
    assert (eye._name, eye.stall_ms) == (name, 700)


def test_a_wrong_name_is_told() -> None:
    with pytest.raises(CameraLost, match="The first USB camera is usb:0"):
        open_camera("usb:first")
