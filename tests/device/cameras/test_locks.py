"""Which lock a camera is opened with, and what is said where two of them disagree."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.files import load_table, save_lock, save_table
from calibration.lock import CameraLock
from calibration.trouble import CalibrationError
from device.cameras.locking import lock_for
from tests.calibration.test_files import TABLE

LOCK = CameraLock(exposure_us=10_000, gain=2.0, red_gain=1.8, blue_gain=2.1)


@pytest.fixture
def told() -> list[str]:
    return []


def table(tmp_path: Path, lock: CameraLock | None) -> Path:
    save_table(replace(TABLE, lock=lock), tmp_path / "table.json")
    return tmp_path / "table.json"


def named(tmp_path: Path, lock: CameraLock) -> str:
    save_lock(lock, tmp_path / "lock.json")
    return str(tmp_path / "lock.json")


def test_a_calibration_brings_its_own_lock(tmp_path: Path, told: list[str]) -> None:
    assert lock_for("none", table(tmp_path, LOCK), told.append) == LOCK
    assert load_table(tmp_path / "table.json").lock == LOCK
    assert told == []


def test_a_table_without_calibration_is_locked_by_the_settings(tmp_path: Path, told: list[str]) -> None:
    assert lock_for(named(tmp_path, LOCK), None, told.append) == LOCK
    assert lock_for(named(tmp_path, LOCK), table(tmp_path, None), told.append) == LOCK
    assert told == []


def test_where_both_differ_the_calibration_goes_first_and_that_is_told(
    tmp_path: Path, told: list[str]
) -> None:
    other = replace(LOCK, gain=4.0)
    assert lock_for(named(tmp_path, other), table(tmp_path, LOCK), told.append) == LOCK
    assert "gain is 4.00, not 2.00" in told[0]


def test_nothing_is_locked_where_nothing_is_named(tmp_path: Path, told: list[str]) -> None:
    assert lock_for("none", None, told.append) is None
    assert lock_for("none", table(tmp_path, None), told.append) is None
    assert told == []


@pytest.mark.parametrize("content", [None, b"{}", b'{"kind": "callbox lock", "version": 1}'])
def test_a_lock_that_cannot_be_read_is_told_and_the_box_plays(
    tmp_path: Path, told: list[str], content: bytes | None
) -> None:
    if content is not None:
        (tmp_path / "lock.json").write_bytes(content)
    assert lock_for(str(tmp_path / "lock.json"), None, told.append) is None
    assert "it is not locked" in told[0]
    assert "callbox calibrate" in told[0] or "Calibrate again" in told[0]


@pytest.mark.parametrize("change", [{"exposure_us": 0.0}, {"gain": -1.0}, {"focus_dioptre": -0.1}])
def test_a_lock_that_no_camera_has_is_refused(tmp_path: Path, change: dict[str, float]) -> None:
    with pytest.raises(CalibrationError, match="what no camera has"):
        load_table(table(tmp_path, replace(LOCK, **change)))  # type: ignore[arg-type]
