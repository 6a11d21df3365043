"""Whether a die beside another rests on its face."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.table import TableCalibration
from tests.vision.landing.lying import fitted_flat
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.lean_test import LEANS_DOUBT, MAY_LEAN_DOUBT, RestTest

SEEN = window(camera(), 120.0, 320.0, 220)
FLAT = fitted_flat(120.0, 320.0)


@pytest.fixture(scope="module", name="table")
def _table() -> TableCalibration:
    return calibrated(SEEN)


def pictured(table: TableCalibration, tilt_deg: float) -> Picture:
    """A die at the fit's place, tilted towards the camera's far side."""
    die = StagedDie(x_mm=120, y_mm=320, yaw_deg=float(np.degrees(0.3)), tilt_deg=tilt_deg, tilt_axis_deg=60)
    return photograph(SEEN, Table(table), [die], Light(seed=4))


@pytest.mark.long
def test_a_die_that_lies_flat_and_touches_another_rests_on_its_face(table: TableCalibration) -> None:
    doubt = RestTest(table).doubt(pictured(table, 0), FLAT, gap_mm=0.05)
    assert doubt < MAY_LEAN_DOUBT


@pytest.mark.long
def test_the_step_alone_tells_a_die_that_leans_by_twenty_degrees(table: TableCalibration) -> None:
    """Outline and neighbour are a flat die's in both."""
    test = RestTest(table)
    flat, leaning = (test.doubt(pictured(table, tilt), FLAT, gap_mm=0.0) for tilt in (0, 20))
    assert leaning - flat > LEANS_DOUBT / 5


@pytest.mark.long
def test_an_outline_that_strays_or_pulls_away_speaks_against_a_flat_die(table: TableCalibration) -> None:
    picture, good, test = pictured(table, 0), FLAT, RestTest(table)
    doubt = test.doubt(picture, good, gap_mm=0.0)
    assert test.doubt(picture, replace(good, stray_mm=0.35), gap_mm=0.0) > LEANS_DOUBT > doubt
    assert test.doubt(picture, replace(good, pull_mm=np.array([0.7, 0.0])), gap_mm=0.0) > LEANS_DOUBT


@pytest.mark.long
@pytest.mark.parametrize("gap_mm", [-0.8, 0.8])
def test_flat_dice_neither_overlap_nor_stand_off_where_they_lean(
    table: TableCalibration, gap_mm: float
) -> None:
    picture, test = pictured(table, 0), RestTest(table)
    touching, unmeasured, apart = (test.doubt(picture, FLAT, gap) for gap in (0.0, None, 9.0))
    assert test.doubt(picture, FLAT, gap_mm) > unmeasured > touching == apart
