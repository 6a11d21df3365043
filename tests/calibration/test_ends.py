"""Two calibrated ends make one table, or say why they cannot."""

import math
from dataclasses import replace

import msgspec
import numpy as np
import pytest

from calibration.ends import Ends, join
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, Landmark, TableCalibration
from calibration.trouble import CalibrationError
from tests.calibration.classic import CLASSIC
from tests.calibration.stage import lens, looking

HALF = CLASSIC.table.halfway_y_mm
SEES_ALL = (0.0, 700.0, 1500.0)
SEES_THE_SHEET = (0.0, 230.0, 500.0)


def end(
    halfway_mm: float = HALF,
    slope: float = 0.0,
    wide_mm: float = 304.8,
    eye_mm: tuple[float, float, float] = SEES_ALL,
    plan_halfway_mm: float = HALF,
) -> TableCalibration:
    """An end whose halfway tape lies at `halfway_mm`, askew by `slope`."""
    view = looking(lens(2028, 1520), eye_mm, eye_mm[:2], 90.0)
    half, tape = wide_mm / 2, CLASSIC.tape.width_mm
    y = halfway_mm

    def across(off: float) -> tuple[tuple[float, float], ...]:
        return tuple((x, y + off + slope * x) for x in (-half, half))

    laid = Laid(
        zones=tuple(LaidZone(value=z.value, polygon_mm=z.polygon_mm) for z in CLASSIC.end_zone.zone),
        dot=LaidDot(center_mm=(1.0, 260.0), diameter_mm=9.0, sigma_mm=0.02),
        tapes=(
            LaidTape(
                name="left",
                outer_mm=((-half, 457.2), (-half, y)),
                inner_mm=((tape - half, 457.2), (tape - half, y)),
            ),
            LaidTape(
                name="right",
                outer_mm=((half, 457.2), (half, y)),
                inner_mm=((half - tape, 457.2), (half - tape, y)),
            ),
            LaidTape(name="halfway", outer_mm=across(tape / 2), inner_mm=across(-tape / 2)),
        ),
        table_edge_mm=((-381.0, 0.0), (381.0, 0.0)),
        sigma_mm=0.03,
    )
    plan = msgspec.structs.replace(
        CLASSIC, table=msgspec.structs.replace(CLASSIC.table, halfway_y_mm=plan_halfway_mm)
    )
    mark = Landmark(name="dot", at_mm=(1.0, 260.0), at_px=(0.0, 0.0))
    return TableCalibration(view=view, planned=plan, laid=laid, landmarks=(mark,), sigma_mm=0.03)


def test_the_far_end_is_the_near_one_turned_by_half_a_circle() -> None:
    ends = join(end(), end())
    assert ends.apart_mm == pytest.approx(0.0, abs=1e-9)
    assert ends.to_table("far", [(10.0, 30.0)])[0] == pytest.approx((-10.0, 2 * HALF - 30.0))
    assert ends.to_table("near", [(10.0, 30.0)]) == ((10.0, 30.0),)


def test_the_table_is_as_long_as_both_ends_measured_it() -> None:
    ends = join(end(halfway_mm=HALF - 3.0), end(halfway_mm=HALF + 1.0))
    assert ends.to_table("far", [(0.0, 0.0)])[0] == pytest.approx((0.0, 2 * HALF - 2.0), abs=1e-6)


def test_an_end_that_stands_askew_is_turned_back() -> None:
    """The tape leaves the near end's frame at a slope; the far end calls it level: its frame is turned."""
    slope = 0.004
    ends = join(end(slope=slope), end(wide_mm=304.8 * math.hypot(1, slope)))
    left, right = ends.to_table("far", [(152.4, HALF), (-152.4, HALF)])
    assert (right[1] - left[1]) / (right[0] - left[0]) == pytest.approx(slope, abs=1e-5)


def test_there_and_back_again() -> None:
    turn = join(end(halfway_mm=HALF + 2), end(slope=0.002, halfway_mm=HALF - 1)).turn
    points = np.random.default_rng(3).uniform(-300, 1300, (50, 2))
    assert np.abs(turn.to_far(turn.to_table(points)) - points).max() < 1e-9


def test_the_other_ends_tapes_run_on_and_change_no_line_of_ones_own() -> None:
    ends = join(end(), end(halfway_mm=HALF + 2.0))
    for own, other in ((ends.near, "near"), (ends.far, "far")):
        seen = ends.in_sight("near" if other == "near" else "far")
        assert seen.laid.tapes[:3] == own.laid.tapes
        beyond = {tape.name: tape for tape in seen.laid.tapes[3:]}
        assert set(beyond) == {"left", "right"}
        own_left = own.laid.tapes[0].outer_mm
        ys = sorted(y for _, y in beyond["left"].outer_mm)
        assert ys[0] == pytest.approx(max(y for _, y in own_left), abs=0.01)
        assert ys[1] > ys[0] + 700.0
        assert beyond["left"].outer_mm[0][0] == pytest.approx(own_left[0][0], abs=0.01)


@pytest.mark.parametrize(
    ("place", "which"), [((0.0, 100.0), "near"), ((0.0, HALF - 1), "near"), ((50.0, HALF + 1), "far")]
)
def test_each_half_is_its_own_camera_s(place: tuple[float, float], which: str) -> None:
    ends: Ends = join(end(), end())
    assert ends.end_of(place) == which
    assert ends.calibration(ends.end_of(place)) is (ends.near if which == "near" else ends.far)


def test_without_the_halfway_tape_in_both_pictures_the_plan_holds() -> None:
    ends = join(end(eye_mm=SEES_THE_SHEET), end(halfway_mm=HALF + 4))
    assert ends.apart_mm is None
    assert ends.to_table("far", [(0.0, 0.0)])[0] == pytest.approx((0.0, 2 * HALF))


def test_cameras_that_measure_different_millimetres_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"disagree by 1\.00 mm about the halfway line"):
        join(end(), end(wide_mm=306.8))


def test_ends_of_different_tables_are_refused() -> None:
    with pytest.raises(CalibrationError, match=r"halfway_y_mm is 1219\.2 and 914\.4"):
        join(end(), end(plan_halfway_mm=914.4))


def test_a_tape_that_is_nowhere_near_the_middle_is_refused() -> None:
    with pytest.raises(CalibrationError, match="25 mm from where the description has it"):
        join(end(), replace(end(halfway_mm=HALF + 25)))
