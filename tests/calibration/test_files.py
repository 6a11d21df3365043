"""Calibrations survive the disk, and a file that cannot be one is refused in a sentence."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration.files import load_camera, load_table, save_camera, save_table
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, Landmark, PlaceSigmas, TableCalibration
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, Lens, View
from tests.calibration.classic import CLASSIC

LENS = Lens(
    width_px=4056,
    height_px=3040,
    focal_px=(4011.25, 4013.5),
    centre_px=(2029.75, 1517.125),
    distortion=(-0.1, 0.05, 1e-4, -2e-4, 0.0),
)
CAMERA = CameraCalibration(
    lens=LENS,
    rms_px=0.13,
    pictures_used=16,
    corners_used=1000,
    covariance=tuple(tuple(row) for row in np.diag([1, 1, 1, 1, 1e-6, 1e-6, 1e-8, 1e-8, 0.0]).tolist()),
    board="charuco:11x8:25:18:DICT_5X5_100",
)
TABLE = TableCalibration(
    view=View(lens=LENS, rotation=(3.1, 0.02, -0.01), translation_mm=(10.0, 300.0, 1200.0)),
    planned=CLASSIC,
    laid=Laid(
        zones=tuple(LaidZone(value=z.value, polygon_mm=z.polygon_mm) for z in CLASSIC.end_zone.zone),
        dot=LaidDot(center_mm=(0.1, 260.2), diameter_mm=9.05, sigma_mm=0.02),
        tapes=(LaidTape(name="left", outer_mm=((-152.4, 457.2),), inner_mm=((-133.3, 457.2),)),),
        table_edge_mm=((-381.0, 0.0), (381.0, 0.0)),
        sigma_mm=0.04,
    ),
    landmarks=(
        Landmark(
            name="sheet corner", at_mm=(1.0, 2.0), at_px=(3.0, 4.0), patch=b"\x00\xff" * 2, patch_side=2
        ),
    ),
    sigma_mm=0.03,
    notes=("the halfway tape is planned",),
)


def test_a_camera_survives_the_disk(tmp_path: Path) -> None:
    save_camera(CAMERA, tmp_path / "camera.json")
    assert load_camera(tmp_path / "camera.json") == CAMERA


def test_a_table_survives_the_disk(tmp_path: Path) -> None:
    save_table(TABLE, tmp_path / "table.json")
    found = load_table(tmp_path / "table.json")
    assert found == TABLE
    assert found.view.project(np.array([[0.0, 0.0, 0.0]])).shape == (1, 2)


def test_what_was_asked_of_a_view_is_not_stored(tmp_path: Path) -> None:
    """The matrices that a view works out are no part of the file."""
    assert TABLE.view.eye_mm.shape == (3,)
    save_table(TABLE, tmp_path / "table.json")
    plain = json.loads((tmp_path / "table.json").read_text())
    assert set(plain["table"]["view"]) == {"lens", "rotation", "translation_mm"}


def test_writing_leaves_nothing_else_behind(tmp_path: Path) -> None:
    save_camera(CAMERA, tmp_path / "camera.json")
    save_camera(replace(CAMERA, rms_px=0.2), tmp_path / "camera.json")
    assert [path.name for path in tmp_path.iterdir()] == ["camera.json"]
    assert load_camera(tmp_path / "camera.json").rms_px == 0.2


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="cannot be written"):
        save_camera(CAMERA, tmp_path / "no" / "camera.json")


def change_in(plain: Any, change: dict[str, Any]) -> None:
    """Change some of the keys ("camera.lens.width_px", "landmarks.0.name") of what stands in a file."""
    for keys, value in change.items():
        *way, last = (int(key) if key.isdecimal() else key for key in keys.split("."))
        inside = plain
        for key in way:
            inside = inside[key]
        inside[last] = value


def spoilt(tmp_path: Path, change: dict[str, Any]) -> Path:
    """A camera file with some of its keys ("camera.lens.width_px") changed."""
    path = tmp_path / "camera.json"
    save_camera(CAMERA, path)
    plain = json.loads(path.read_text())
    change_in(plain, change)
    path.write_text(json.dumps(plain))
    return path


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 99}, "written in form 99"),
        ({"kind": "callbox table"}, "is a table calibration"),
        ({"camera.lens.width_px": -3}, "its picture is -3 x 3040"),
        ({"camera.lens.width_px": "wide"}, "Expected `int`"),
        ({"camera.lens.focal_px": [0.0, 0.0]}, "focal length"),
        ({"camera.lens.centre_px": [1e9, 0.0]}, "optical centre"),
        ({"camera.lens.distortion": [-8.5, 0.0, 0.0, 0.0, 0.0]}, "distorts as no lens does"),
        ({"camera.lens.distortion": [1e300, 0.0, 0.0, 0.0, 0.0]}, "distorts as no lens does"),
        ({"camera.pictures_used": 10**30}, "Integer value out of range|it holds the number"),
        ({"camera.rms_px": 1e300}, r"it holds the number 1e\+300"),
        ({"camera.covariance": [[1.0]]}, "not 9 by 9"),
        ({"camera.covariance": [[-1.0] * 9] * 9}, "covariance is that of no measurement"),
        ({"camera.rms_px": -1.0}, "below zero"),
    ],
)
def test_a_spoilt_camera_is_refused(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        load_camera(spoilt(tmp_path, change))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"landmarks.0.patch_side": 7}, "the patch of its landmark 'sheet corner' is of another size"),
        ({"landmarks.0.patch_side": -2}, "the patch of its landmark 'sheet corner' is of another size"),
        ({"landmarks.0.patch_side": 1000}, "the patch of its landmark 'sheet corner' is of another size"),
        ({"landmarks.0.patch": "AP8="}, "the patch of its landmark 'sheet corner' is of another size"),
        ({"landmarks.0.at_px": [-40.0, 4.0]}, "was seen outside the picture"),
        ({"landmarks.0.sigma_px": -1.0}, "was seen outside the picture"),
        ({"planned.dice.edge_mm": -16.0}, "Expected `float` >= 5.0"),
        ({"laid.zones.0.polygon_mm": [[0.0, 0.0]]}, "has no outline"),
        ({"laid.zones.0.polygon_mm.0": [1e30, 0.0]}, r"it holds the number 1e\+30"),
        ({"view.rotation": [1e12, 0.0, 0.0]}, r"it holds the number 1e\+12"),
        ({"sigma_mm": 0.0}, "without any error"),
    ],
)
def test_a_table_with_a_changed_number_is_refused(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    path = tmp_path / "table.json"
    save_table(TABLE, path)
    plain = json.loads(path.read_text())
    change_in(plain["table"], change)
    path.write_text(json.dumps(plain))
    with pytest.raises(CalibrationError, match=says):
        load_table(path)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (b"", "is no calibration"),
        (b"\xff\xd8\xff", "is no calibration"),
        (b"[1, 2]", "is no calibration"),
        (b"[" * 100_000, "is no calibration"),
        (b'{"kind": "callbox camera", "version": 1, "camera": 1e999}', "is damaged"),
        (b'{"kind": "callbox camera", "version": 1}', "missing required field `camera`"),
    ],
)
def test_what_is_no_calibration_is_refused(tmp_path: Path, text: bytes, says: str) -> None:
    path = tmp_path / "camera.json"
    path.write_bytes(text)
    with pytest.raises(CalibrationError, match=says):
        load_camera(path)


def test_a_missing_file_says_how_to_make_it(tmp_path: Path) -> None:
    with pytest.raises(CalibrationError, match="callbox calibrate table` makes such a file"):
        load_table(tmp_path / "table.json")


@pytest.mark.parametrize(
    ("table", "says"),
    [
        (replace(TABLE, by_place=PlaceSigmas(mean_mm=0.03, least_mm=0.02, curve=(0.02,))), "no curve"),
        (replace(TABLE, sigma_mm=0.0), "without any error"),
        (replace(TABLE, laid=replace(TABLE.laid, zones=())), "no outline"),
        (replace(TABLE, view=replace(TABLE.view, rotation=(0.0, 0.0, 0.0))), "below the table"),
        (replace(TABLE, sigma_mm=float("inf")), "Expected `float`, got `null`"),
    ],
)
def test_a_spoilt_table_is_refused(tmp_path: Path, table: TableCalibration, says: str) -> None:
    save_table(table, tmp_path / "table.json")
    with pytest.raises(CalibrationError, match=says):
        load_table(tmp_path / "table.json")
