"""`callbox calibrate lock`: the camera finds its settings, keeps to them, and they are stored with
calibrations."""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.files import load_lock, save_lock
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.cameras.locking import by_hand, usb_lock
from device.commands.calibrate import command, lock, lock_line
from device.setup import camera_lock
from device.setup.camera_lock import (
    ALIKE,
    FIRST,
    MOST,
    LockOverrides,
    load_lock_for,
    parse_controls,
    wait_for_lock,
    wait_until_settled,
    without_flicker,
)
from tests.device.cameras.fake_picamera import Gate, gate

__all__ = ["gate"]

LOCK = CameraLock(exposure_us=10_000, gain=2.0, red_gain=1.8, blue_gain=2.1, sensor="imx477")
PICTURE = np.full((8, 8, 3), 120, np.uint8)


def frames(*settings: CameraLock | None) -> Iterator[Frame]:
    """The settings one after the other, the last one for ever."""
    yield from (Frame(picture=PICTURE, time_ms=0.0, name="a", settings=each) for each in settings)
    while True:
        yield Frame(picture=PICTURE, time_ms=0.0, name="a", settings=settings[-1])


@pytest.fixture
def pi(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picamera2 with a Pi camera's controls, whose pictures come by themselves."""
    monkeypatch.setenv("FAKE_FREE", "1")
    monkeypatch.setenv("FAKE_PI", "1")


def ran(tmp_path: Path, *words: str) -> Result:
    settings = tmp_path / "callbox.toml"
    settings.write_text(f'[camera]\npython = "{sys.executable}"\nwidth_px = 320\nheight_px = 240\nfps = 60\n')
    output = str(tmp_path / "lock.json")
    return CliRunner().invoke(lock, ["--config", str(settings), "-o", output, *words])


@pytest.mark.long
@pytest.mark.usefixtures("pi")
def test_a_camera_is_locked_where_it_came_to_rest(tmp_path: Path) -> None:
    done = ran(tmp_path, "--mains", "none")
    assert done.exit_code == 0, done.output
    found = load_lock(tmp_path / "lock.json")
    assert found == CameraLock(exposure_us=13_300, gain=2.0, red_gain=1.5, blue_gain=2.5, focus_dioptre=1.25)
    line = json.loads(done.stdout)
    assert (line["exposure_ms"], line["mean_grey"]) == (13.3, 20.0)
    assert "the picture is dark" in line["notes"][0], "10, 20, 30: hardly to be seen"


@pytest.mark.long
@pytest.mark.usefixtures("pi")
def test_what_people_say_goes_before_what_was_found(tmp_path: Path) -> None:
    assert ran(tmp_path, "--exposure-ms", "4", "--gain", "6", "--focus-cm", "80").exit_code == 0
    found = load_lock(tmp_path / "lock.json")
    assert (found.exposure_us, found.gain, found.focus_dioptre) == (4000, 6.0, 1.25)
    assert (found.red_gain, found.blue_gain) == (1.5, 2.5)


@pytest.mark.usefixtures("pi")
def test_who_says_all_of_it_need_not_wait_for_the_camera(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_lock, "wait_until_settled", lambda _: pytest.fail("nothing is to be found"))
    words = ["--exposure-ms", "4", "--gain", "6", "--white-balance", "1.2", "3.4", "--focus-cm", "80"]
    assert ran(tmp_path, *words).exit_code == 0
    assert load_lock(tmp_path / "lock.json") == CameraLock(
        exposure_us=4000, gain=6.0, red_gain=1.2, blue_gain=3.4, focus_dioptre=1.25
    )


def test_a_lens_without_a_motor_is_focused_by_hand() -> None:
    with pytest.raises(CalibrationError, match="has no motor"):
        LockOverrides(None, None, None, 80.0).instead_of(LOCK)


@pytest.mark.usefixtures("pi")
def test_a_camera_that_does_not_keep_to_it_is_not_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(camera_lock, "MOST", 60)
    monkeypatch.setenv("FAKE_STUBBORN", "1")
    done = ran(tmp_path, "--exposure-ms", "4")
    assert done.exit_code == 1
    assert "does not keep to that: exposure is 5.00 ms, not 4.00 ms" in done.stderr
    assert not (tmp_path / "lock.json").exists()


@pytest.mark.usefixtures("pi")
def test_a_camera_that_says_nothing_of_itself_cannot_be_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("FAKE_PI")
    done = ran(tmp_path)
    assert done.exit_code == 1
    assert "named as usb" in done.stderr


def test_a_camera_is_waited_for_until_it_stays_the_same() -> None:
    wandering = [replace(LOCK, gain=1.0 + number / 20) for number in range(FIRST + 30)]
    assert wait_until_settled(frames(*wandering, LOCK)).settings == LOCK


def test_a_flickering_camera_is_refused_with_what_changes() -> None:
    both = [LOCK, replace(LOCK, gain=3.0)] * MOST
    with pytest.raises(CalibrationError, match="does not settle: gain is"):
        wait_until_settled(frames(*both))


def test_a_camera_is_believed_only_after_some_pictures_in_a_row() -> None:
    other = replace(LOCK, gain=4.0)
    almost = [LOCK] * (ALIKE - 1) + [other]
    with pytest.raises(CalibrationError, match=re.escape("gain is 4.00, not 2.00")):
        wait_for_lock(frames(*almost, other), LOCK)
    assert wait_for_lock(frames(*almost, LOCK), LOCK).picture is PICTURE


def test_an_exposure_of_whole_flickers_keeps_the_brightness() -> None:
    found = without_flicker(replace(LOCK, exposure_us=33_000, gain=2.0), 10_000.0)
    assert found.exposure_us == 30_000
    assert found.exposure_us * found.gain == pytest.approx(33_000 * 2.0)
    bright = replace(LOCK, exposure_us=4_000)
    assert without_flicker(bright, 10_000.0) == bright, "in bright light none is long enough"


def test_a_burnt_out_picture_and_a_noisy_gain_are_told(tmp_path: Path) -> None:
    burnt = np.full((10, 10, 3), 120, np.uint8)
    burnt[:3, :3] = 255
    notes = lock_line(replace(LOCK, gain=12.0), burnt, tmp_path).notes
    assert [note.split(":")[0] for note in notes] == [
        "9 % of the picture is burnt out",
        "a gain of 12.0 makes noise",
    ]


def test_the_same_settings_are_told_for_the_pis_own_programs(tmp_path: Path) -> None:
    told = lock_line(replace(LOCK, focus_dioptre=1.5), PICTURE, tmp_path).elsewhere
    assert told == (
        "rpicam-still --shutter 10000 --gain 2.000 --awbgains 1.800,2.100 "
        "--autofocus-mode manual --lens-position 1.500"
    )
    assert "lens-position" not in lock_line(LOCK, PICTURE, tmp_path).elsewhere


def test_a_table_takes_over_the_lock_of_its_lens(tmp_path: Path) -> None:
    assert load_lock_for(None, LOCK) == LOCK
    assert load_lock_for(None, None) is None
    brighter = replace(LOCK, exposure_us=20_000)
    save_lock(brighter, tmp_path / "lock.json")
    assert load_lock_for(tmp_path / "lock.json", LOCK) == brighter, (
        "light may differ from the lens's pictures"
    )


@pytest.mark.parametrize("change", [{"focus_dioptre": 2.0}, {"sensor": "imx708"}])
def test_a_lens_that_was_calibrated_otherwise_is_refused(
    tmp_path: Path, change: dict[str, float | str]
) -> None:
    lens = replace(LOCK, focus_dioptre=1.0)
    save_lock(replace(lens, **change), tmp_path / "lock.json")  # type: ignore[arg-type]
    with pytest.raises(CalibrationError, match="calibrate the camera again with this lock"):
        load_lock_for(tmp_path / "lock.json", lens)


def test_the_command_stands_beside_the_other_calibrations() -> None:
    assert isinstance(command, click.Group)
    assert command.commands["lock"] is lock


USB = usb_lock({"auto_exposure": 3, "exposure_time_absolute": 333, "gain": 12}, "C920")


def test_a_usb_camera_is_locked_with_nothing_left_to_itself() -> None:
    wanted = LockOverrides(None, None, None, None, {"gain": 20}).instead_of(without_flicker(USB, 10_000.0))
    assert dict(wanted.controls) == {"auto_exposure": 1, "exposure_time_absolute": 300, "gain": 20}
    assert (wanted.exposure_us, wanted.sensor) == (30_000, "C920")
    given = LockOverrides(4.0, None, None, None).instead_of(USB)
    assert dict(given.controls)["exposure_time_absolute"] == 40


@pytest.mark.parametrize(
    ("by_hand", "found", "says"),
    [
        (
            LockOverrides(None, 2.0, None, None),
            USB,
            "steps of its own: give them with --control NAME=NUMBER. It has auto",
        ),
        (
            LockOverrides(None, None, None, None, {"focus": 3}),
            USB,
            "no control 'focus'. It has auto_exposure",
        ),
        (LockOverrides(None, None, None, None, {"gain": 3}), LOCK, "--control is for USB cameras"),
    ],
)
def test_what_the_other_kind_of_camera_has_is_refused(
    by_hand: LockOverrides, found: CameraLock, says: str
) -> None:
    with pytest.raises(CalibrationError, match=re.escape(says)):
        by_hand.instead_of(found)


def test_controls_are_given_as_name_and_number() -> None:
    assert parse_controls(("gain=3", "brightness=-4")) == {"gain": 3, "brightness": -4}
    with pytest.raises(CalibrationError, match="NAME=NUMBER, and not 'gain'"):
        parse_controls(("gain",))


def test_a_usb_camera_s_lock_is_told_and_kept_as_it_is(tmp_path: Path) -> None:
    line = lock_line(by_hand(USB, {}), PICTURE, tmp_path, alone=PICTURE // 2)
    assert line.elsewhere == "v4l2-ctl --set-ctrl auto_exposure=1,exposure_time_absolute=333,gain=12"
    assert "mean grey is 120, and was 60 when the camera set itself" in line.notes[0]
    for lock_kept in (USB, usb_lock({"gain": 0}, "without exposure")):
        save_lock(lock_kept, tmp_path / "lock.json")
        assert load_lock(tmp_path / "lock.json") == lock_kept
