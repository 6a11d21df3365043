"""The doctor looks at the End Zone's calibration: readable, of the camera's size, how old, how sure."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.files import save_table
from calibration.table import Landmark, TableCalibration
from device.config import parse
from device.doctor.checks import landing
from device.doctor.machine import Finding
from device.simulator.end_zone.table import known_table
from tests.device.doctor.test_doctor import BOX, Fake

SIZE = "width_px = 1600\nheight_px = 1200"
MARKS = tuple(Landmark(name=f"mark {at}", at_mm=(at, 0.0), at_px=(at, 0.0)) for at in range(8))


def made(end: str = "near", **changes: Any) -> TableCalibration:
    bare = known_table(1600, 1200, "far" if end == "far" else "near")
    return replace(bare, **{"landmarks": MARKS, **changes})


def found(folder: Path, *, far: bool = False, size: str = SIZE, age: float | None = 3.0) -> Finding:
    """What is said of the files in a folder."""
    text = f'[camera]\n{size}\n[landing]\ncalibration = "{folder}/near.json"\n'
    if far:
        text += f'far_camera = "picamera2:1"\nfar_calibration = "{folder}/far.json"\n'
    return landing(Fake(age=age), replace(BOX, config=parse(text)))


def test_a_good_calibration_is_told_with_its_age_and_residuals(tmp_path: Path) -> None:
    save_table(made(), tmp_path / "near.json")
    told = found(tmp_path)
    assert told.verdict == "ok"
    assert "3 days ago" in told.text
    assert "places are sure to 0.030 mm, lines to 0.040 mm" in told.text


def test_both_ends_are_looked_at(tmp_path: Path) -> None:
    save_table(made(), tmp_path / "near.json")
    missing = found(tmp_path, far=True)
    assert missing.verdict == "fail"
    assert "far.json cannot be read" in missing.text
    save_table(made("far"), tmp_path / "far.json")
    assert found(tmp_path, far=True).text.startswith("Both End Zones are calibrated")
    save_table(made("near"), tmp_path / "far.json")
    swapped = found(tmp_path, far=True)
    assert swapped.verdict == "fail"
    assert "made for the near end and is named for the far one" in swapped.text


def test_a_far_camera_without_a_calibration_is_of_no_use() -> None:
    box = replace(BOX, config=parse('[landing]\ncalibration = "a"\nfar_camera = "picamera2:1"'))
    told = landing(Fake(), box)
    assert told.verdict == "fail"
    assert "--end far" in told.fix


def test_a_file_that_is_no_calibration_is_named(tmp_path: Path) -> None:
    (tmp_path / "near.json").write_text("{}")
    told = found(tmp_path)
    assert told.verdict == "fail"
    assert "near.json is no calibration" in told.text
    assert "docs/calibrating.md" in told.fix


def test_pictures_of_another_size_are_told_with_the_setting(tmp_path: Path) -> None:
    save_table(made(), tmp_path / "near.json")
    told = found(tmp_path, size="width_px = 1280\nheight_px = 960")
    assert told.verdict == "fail"
    assert "made from pictures of 1600 x 1200, and the camera gives 1280 x 960" in told.text
    assert "camera.width_px = 1600" in told.fix
    assert found(tmp_path, size='spec = "table"').verdict == "ok"


@pytest.mark.parametrize(
    ("changes", "age", "verdict", "fix"),
    [
        ({"landmarks": MARKS[:4]}, 1.0, "fail", "print markers"),
        ({"sigma_mm": 0.3}, 1.0, "warn", "four flat boards"),
        ({}, 400.0, "warn", "it is old"),
        ({}, None, "ok", ""),
    ],
)
def test_a_worn_out_calibration_is_told(
    tmp_path: Path, changes: dict[str, Any], age: float | None, verdict: str, fix: str
) -> None:
    save_table(made(**changes), tmp_path / "near.json")
    told = found(tmp_path, age=age)
    assert told.verdict == verdict
    assert fix in told.fix
