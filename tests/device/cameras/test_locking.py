"""A camera that is locked: what the grabber tells picamera2, and what is said when it does not keep to it."""

import sys
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from calibration.lock import CameraLock, differences
from device.cameras import Frame
from device.cameras.both_ends import BothEnds
from device.cameras.locking import SETTLED, SILENT, LockCheck, controls_of, usb_lock
from device.cameras.picamera import PiCamera
from tests.device.cameras.fake_picamera import Gate
from tests.waiting import PATIENCE_S

LOCK = CameraLock(exposure_us=10_000, gain=2.5, red_gain=1.8, blue_gain=2.1, focus_dioptre=1.5)


def camera(*, lock: CameraLock | None, find_focus: bool = False) -> PiCamera:
    return PiCamera(
        0,
        64,
        48,
        1e6,
        python=sys.executable,
        stall_ms=1000 * PATIENCE_S,
        sharp=False,
        lock=lock,
        find_focus=find_focus,
    )


def test_a_locked_camera_is_told_all_of_it_and_keeps_to_it(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PI", "1")
    frames = gate.frames(camera(lock=LOCK), SETTLED + 2)
    assert {frame.settings for frame in frames} == {LOCK}
    assert {frame.remark for frame in frames} == {""}


def test_a_camera_that_is_left_alone_says_what_it_chose(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_PI", "1")
    (frame,) = gate.frames(camera(lock=None, find_focus=True), 1)
    assert frame.settings == CameraLock(
        exposure_us=13_300, gain=2.0, red_gain=1.5, blue_gain=2.5, focus_dioptre=1.25
    )


def test_a_camera_that_does_not_keep_to_its_lock_is_told_with_both_figures(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_PI", "1")
    monkeypatch.setenv("FAKE_STUBBORN", "1")
    frames = gate.frames(camera(lock=LOCK), SETTLED)
    assert {frame.remark for frame in frames[:-1]} == {""}, "it may still be settling"
    assert "exposure is 5.00 ms, not 10.00 ms" in frames[-1].remark
    assert "callbox calibrate lock" in frames[-1].remark


def test_a_camera_without_these_controls_gives_pictures_and_says_that_nobody_knows(gate: Gate) -> None:
    frames = gate.frames(camera(lock=LOCK), SETTLED)
    assert [frame.settings for frame in frames] == [None] * SETTLED
    assert frames[-1].remark == SILENT


def test_without_a_lock_nothing_is_told() -> None:
    check = LockCheck(None)
    assert {check.compare(found) for found in [None, LOCK] * SETTLED} == {""}


def test_settings_that_differ_now_and_then_are_not_told() -> None:
    check, other = LockCheck(LOCK), replace(LOCK, gain=4.0)
    told = [check.compare(LOCK if number % SETTLED == 0 else other) for number in range(10 * SETTLED)]
    assert set(told) == {""}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"exposure_us": 10_400.0}, "exposure is 10.40 ms"),
        ({"gain": 2.7}, "gain is 2.70, not 2.50"),
        ({"red_gain": 1.7}, "white balance in red"),
        ({"blue_gain": 2.3}, "white balance in blue"),
        ({"focus_dioptre": 1.0}, "focus is at 100 cm, not at 67 cm"),
        ({"focus_dioptre": None}, "the lens tells no focus"),
        ({"sensor": "imx477"}, "the camera is a imx477, and was a imx708"),
    ],
)
def test_each_setting_that_differs_is_told(change: dict[str, float], says: str) -> None:
    wanted = replace(LOCK, sensor="imx708")
    (told,) = differences(wanted, replace(wanted, **change))  # type: ignore[arg-type]
    assert told.startswith(says)


@pytest.mark.parametrize(
    ("controls", "says"),
    [
        ({"auto_exposure": 3}, "auto_exposure is 3, not 1"),
        ({"exposure_time_absolute": 340}, "exposure_time_absolute is 340, not 300"),
        ({"focus_absolute": None}, "it has no focus_absolute"),
    ],
)
def test_each_control_of_a_usb_camera_that_differs_is_told(
    controls: dict[str, int | None], says: str
) -> None:
    was = {"auto_exposure": 1, "exposure_time_absolute": 300, "focus_absolute": 0}
    found = {name: value for name, value in (was | controls).items() if value is not None}
    assert differences(usb_lock(was, "C920"), usb_lock(found, "C920")) == (says,)
    assert differences(usb_lock(was, ""), usb_lock(was | {"exposure_time_absolute": 306}, "")) == ()
    assert differences(LOCK, usb_lock(was, "")) == ("it is a USB camera, and was a Pi's",)


def test_what_a_sensor_rounds_is_no_difference() -> None:
    # An IMX477 counts exposure in lines of some 20 us, an IMX219 its gain in steps of 256 / (256 - n).
    assert differences(LOCK, replace(LOCK, exposure_us=9_981, gain=256 / 154, focus_dioptre=1.53)) != ()
    assert differences(LOCK, replace(LOCK, exposure_us=9_981, gain=256 / 102, focus_dioptre=1.53)) == ()


def test_a_lens_without_a_motor_is_told_nothing_of_focus() -> None:
    assert not {"AfMode", "LensPosition"} & set(controls_of(replace(LOCK, focus_dioptre=None)))


class Still:
    """A live camera of one frame after the other."""

    live = True

    def __init__(self, frame: Frame) -> None:
        self.frame = frame

    def frames(self) -> Iterator[Frame]:
        while True:
            yield self.frame

    def sharpen(self, on: bool) -> None: ...

    def close(self) -> None: ...


def test_what_is_said_of_two_cameras_names_the_end() -> None:
    picture = np.zeros((4, 4, 3), np.uint8)
    near = Frame(picture=picture, time_ms=1.0, name="near", remark="A.")
    both = BothEnds(Still(near), Still(replace(near, name="far", remark="B.")))
    frames = both.frames()
    assert next(frames).remark == "At the near end: A. At the far end: B."
    frames.close()  # type: ignore[attr-defined]
