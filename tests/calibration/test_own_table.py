"""A table that nobody described is measured from its sheet, each figure as sure as it says."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.description import CLASSIC, TableDescription, load_description, text_of
from calibration.fit import OwnTable, SheetUnclear, TableFigure, measure_own_table, renumbered
from calibration.trouble import CalibrationError
from tests.calibration.own_scene import BACK_MM, BOARD, NARROW, STRIPED, WIDE, OwnScene, own_scene

pytestmark = pytest.mark.long

WITHIN = 4.0
"""Standard deviations that no figure is off by, of some thirty."""


def measured(scene: OwnScene) -> OwnTable:
    return measure_own_table(scene.camera, BOARD, scene.seen, scene.empty, load_description(CLASSIC))


@pytest.fixture(scope="module", params=[NARROW, WIDE], ids=["narrow", "wide"])
def pair(request: pytest.FixtureRequest) -> tuple[TableDescription, OwnTable]:
    plan: TableDescription = request.param
    return plan, measured(own_scene(plan))


@pytest.fixture(scope="module")
def stripes() -> OwnTable:
    return measured(own_scene(STRIPED))


def truth(figure: TableFigure, plan: TableDescription) -> float:
    """The same length as it was painted; the sheet lies `BACK_MM` from the edge."""
    sheet, dot = plan.end_zone, plan.end_zone.dot
    assert dot is not None
    lengths = {
        "sheet_width": sheet.width_mm,
        "sheet_depth": sheet.depth_mm + BACK_MM,
        "dot_across": dot.diameter_mm,
        "dot_from_edge": dot.y_mm + BACK_MM,
        "dot_from_middle": dot.x_mm,
        "tape_width": plan.tape.width_mm,
        "table_width": plan.table.surface_width_mm,
    }
    if figure.what in lengths:
        return lengths[figure.what]
    axis = 0 if figure.what == "line_from_middle" else 1
    zone = next(zone for zone in sheet.zone if zone.value == figure.zone)
    ends = [corner[axis] for corner in zone.polygon_mm]
    found = max(ends) if figure.side in {"front", "right side"} else min(ends)
    return found + (BACK_MM if axis else 0.0)


def test_each_line_is_measured_and_as_sure_as_it_says(pair: tuple[TableDescription, OwnTable]) -> None:
    plan, own = pair
    assert own.numbered
    places = {"left_line", "right_line", "halfway_line", "line_from_edge", "line_from_middle"}
    sure = [each for each in own.figures if each.sigma_mm is not None and each.what not in places]
    lines = [each for each in own.figures if each.what in {"line_from_edge", "line_from_middle"}]
    off = {(each.what, each.side, each.zone): each.mm - truth(each, plan) for each in (*sure, *lines)}
    assert len(off) >= 12
    stated = {(each.what, each.side, each.zone): each.sigma_mm for each in (*sure, *lines)}
    for name, mm in off.items():
        sigma = stated[name]
        assert sigma is not None
        assert sigma < 0.6
        assert abs(mm) < WITHIN * sigma, (name, mm, sigma)


def test_tapes_are_measured_and_what_is_out_of_the_picture_is_said(
    pair: tuple[TableDescription, OwnTable],
) -> None:
    plan, own = pair
    by_what = {each.what: each for each in own.figures}
    for what, true in zip(("left_line", "right_line"), plan.tape.side_lines_x_mm, strict=True):
        assert by_what[what].sigma_mm is not None  # type: ignore[index]
        assert by_what[what].mm == pytest.approx(true, abs=1.6)  # type: ignore[index]
    if plan is WIDE:  # its halfway line is not in the picture
        halfway = by_what["halfway_line"]
        assert (halfway.sigma_mm, halfway.mm) == (None, 1219.2)


def test_the_file_says_the_same_table(pair: tuple[TableDescription, OwnTable], tmp_path: Path) -> None:
    _, own = pair
    path = tmp_path / "table.toml"
    path.write_text(text_of(own.description, ["Measured; \x07 on\ntwo lines"]), encoding="utf-8")
    assert load_description(path) == own.description
    assert path.read_text(encoding="utf-8").startswith("# Measured; on two lines\n")


def test_the_classic_description_survives_the_text(tmp_path: Path) -> None:
    classic = load_description(CLASSIC)
    path = tmp_path / "table.toml"
    path.write_text(text_of(classic, []), encoding="utf-8")
    assert load_description(path) == classic


def test_zones_that_lie_like_no_classic_ones_are_numbered_by_people(stripes: OwnTable) -> None:
    assert not stripes.numbered
    assert stripes.description.end_zone.dot is None
    fronts = sorted(
        max(y for _, y in zone.polygon_mm) - BACK_MM for zone in stripes.description.end_zone.zone
    )
    assert fronts == pytest.approx([90, 240, 450], abs=0.5)
    told = renumbered(stripes, (7, 8, 9))
    assert told.numbered
    assert [zone.value for zone in told.description.end_zone.zone] == [7, 8, 9]
    assert [zone.value for zone in told.found.table.laid.zones] == [7, 8, 9]
    assert {each.zone for each in told.figures} <= {0, 7, 8, 9}


def test_its_calibration_lies_on_the_lines_that_were_painted(pair: tuple[TableDescription, OwnTable]) -> None:
    _, own = pair
    off = [each.off_plan_mm for each in own.found.features if each.measured and each.off_plan_mm is not None]
    sheet = [mm for mm in off if abs(mm) < 20]
    assert np.sqrt(np.mean(np.square(sheet))) < 1.2


@pytest.mark.parametrize(
    "covered", [(-200.0, 300.0, -60.0, 500.0), (-30.0, 280.0, 60.0, 640.0), (-170.0, 20.0, -20.0, 180.0)]
)
def test_a_hand_over_the_rim_is_told(covered: tuple[float, ...]) -> None:
    with pytest.raises(SheetUnclear) as told:
        measured(own_scene(NARROW, covered=covered))
    assert told.value.reason == "covered"


def test_a_round_thing_on_a_line_is_told() -> None:
    scene = own_scene(NARROW)
    (x, y), picture = scene.view.project(np.array([[80.0, 250.0, 0.0]]))[0], scene.empty.copy()
    cv2.circle(picture, (round(x), round(y)), 30, (20, 20, 20), -1)
    with pytest.raises(CalibrationError, match=r"Something lies on a line|The sheet is partly covered"):
        measured(replace(scene, empty=picture))


def glaring(scene: OwnScene, wide_px: float) -> OwnScene:
    """A lamp mirrors on the sheet's right side."""
    y, x = np.mgrid[: scene.empty.shape[0], : scene.empty.shape[1]]
    cx, cy = scene.view.project(np.array([[140.0, 330.0, 0.0]]))[0]
    lamp = 400 * np.exp(-0.5 * ((x - cx) ** 2 + (y - cy) ** 2) / wide_px**2)
    picture: Picture = np.clip(scene.empty + lamp[..., None], 0, 255).astype(np.uint8)
    return replace(scene, empty=picture)


@pytest.mark.parametrize("wide_px", [10.0, 30.0])
def test_a_lamp_that_burns_out_a_line_is_told(wide_px: float) -> None:
    with pytest.raises(CalibrationError, match=r"a lamp mirrors in it|avoid glare"):
        measured(glaring(own_scene(NARROW), wide_px))


def test_a_table_without_a_sheet_says_so() -> None:
    scene = own_scene(NARROW)
    bare = np.asarray(cv2.GaussianBlur(np.full_like(scene.empty, 120), (0, 0), 1.0), np.uint8)
    bare[200:500, 300:600] = 60
    with pytest.raises(CalibrationError, match="No sheet is seen"):
        measured(replace(scene, empty=bare))
