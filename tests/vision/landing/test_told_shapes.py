"""What networks tell of dice's shapes, put together with what was fitted, in pictures by another painter."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.table import TableCalibration
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.fit import Length, rounding_of, with_told
from vision.landing.measure import Measurer
from vision.landing.pose_evidence import FittedDie
from vision.landing.shape_refinement import ShapeReader

IVORY, INK = (0.50, 0.68, 0.76), (0.02, 0.02, 0.02)
SEEN = window(camera(), 60.0, 250.0, 360)


@cache
def stood(edge_mm: float, radius_mm: float) -> tuple[Picture, TableCalibration, FittedDie]:
    """A picture of a die of that shape, and the die as outline and pips alone tell it."""
    die = StagedDie(x_mm=60, y_mm=250, yaw_deg=25, edge_mm=edge_mm, radius_mm=radius_mm, body=IVORY, ink=INK)
    calibration = calibrated(SEEN)
    picture = photograph(SEEN, Table(calibration), [die], Light(seed=3))
    (one,), _ = Measurer(calibration).fitted(picture)
    return picture, calibration, one


@pytest.mark.long
@pytest.mark.parametrize(("edge_mm", "radius_mm"), [(15.8, 1.0), (16.2, 2.6)])
def test_a_die_is_nearer_to_its_own_shape_once_networks_were_asked(edge_mm: float, radius_mm: float) -> None:
    picture, calibration, one = stood(edge_mm, radius_mm)
    (told,) = ShapeReader(calibration).refine(picture, [one])
    assert abs(told.cube.edge_mm - edge_mm) < abs(one.cube.edge_mm - edge_mm)
    assert abs(told.cube.radius_mm - radius_mm) < 0.4
    assert math.dist(told.cube.center_mm[:2], (60, 250)) < 0.1
    assert (np.linalg.eigvalsh(told.fit.covariance) > 0).all()
    assert told.fit.covariance[3, 3] < one.fit.covariance[3, 3]
    assert rounding_of(told.fit).sigma_mm < rounding_of(one.fit).sigma_mm


@pytest.mark.long
def test_one_that_leans_and_one_half_out_of_the_picture_stay_as_they_are() -> None:
    picture, calibration, one = stood(16.2, 2.6)
    leaning = replace(one, pose="cocked")
    reader = ShapeReader(calibration)
    assert reader.refine(picture, [leaning]) == [leaning]
    assert reader.refine(picture, []) == []
    x, _ = (round(float(part)) for part in SEEN.project(one.cube.center_mm[None])[0])
    (beyond,) = reader.refine(picture[:, :x], [one])
    assert beyond is one


def test_with_a_longer_edge_a_die_reaches_further_where_it_is_not_anchored() -> None:
    """The fit knows where one side is, and not the other: it is the other that moves."""
    _, _, one = stood(16.2, 2.6)
    covariance = np.diag([0.05**2, 0.05**2, 1e-6, 0.1**2, 0.2**2])
    along = np.array([math.cos(math.radians(25)), math.sin(math.radians(25))])
    covariance[:2, 3] = covariance[3, :2] = 0.1**2 / 2 * along
    fit = replace(one.fit, covariance=covariance)
    after = with_told(fit, np.eye(5)[3:4], np.array([0.1]), np.array([0.001]))
    assert after.cube.edge_mm == pytest.approx(fit.cube.edge_mm + 0.1, abs=1e-4)
    moved = after.cube.center_mm[:2] - fit.cube.center_mm[:2]
    assert moved == pytest.approx(0.05 * along, abs=1e-4)
    assert math.sqrt(after.covariance[3, 3]) == pytest.approx(0.001, rel=0.01)


def test_what_is_told_of_two_things_at_once_moves_a_die_to_both() -> None:
    """As sure as the fit was itself it is met half way; what it did not know together it leaves."""
    _, _, one = stood(16.2, 2.6)
    fit = replace(one.fit, covariance=np.diag([0.05**2, 0.05**2, 1e-6, 0.1**2, 0.2**2]))
    after = with_told(fit, np.eye(5)[[0, 3]], np.array([0.06, 0.1]), np.array([0.05, 1e-5]))
    assert after.cube.center_mm[:2] - fit.cube.center_mm[:2] == pytest.approx([0.03, 0.0], abs=1e-6)
    assert after.cube.edge_mm == pytest.approx(fit.cube.edge_mm + 0.1, abs=1e-4)
    assert after.cube.radius_mm == pytest.approx(fit.cube.radius_mm)
    assert np.sqrt(np.diag(after.covariance))[:2] == pytest.approx([0.05 / math.sqrt(2), 0.05], abs=1e-5)


def test_a_die_that_is_taken_to_lie_aside_is_put_back() -> None:
    picture, calibration, one = stood(16.2, 2.6)
    unsure = one.fit.covariance + np.diag([0.1**2, 0.1**2, 0, 0, 0])
    for x_mm, y_mm in ((0.08, 0.0), (0.0, -0.08)):
        beside = one.cube.center_mm + np.array([x_mm, y_mm, 0.0])
        cube = replace(one.cube, center_mm=beside)
        aside = replace(one, fit=replace(one.fit, cube=cube, covariance=unsure))
        (told,) = ShapeReader(calibration).refine(picture, [aside])
        assert math.dist(told.cube.center_mm[:2], (60, 250)) < 0.05


def test_two_words_on_a_length_are_put_together_by_how_sure_they_are() -> None:
    both = Length(16.0, 0.1).with_other(Length(16.2, 0.1))
    assert (both.mm, both.sigma_mm) == pytest.approx((16.1, 0.1 / math.sqrt(2)))
    half = Length(16.0, 0.1).with_other(Length(16.2, 0.1), in_common=1.0)
    assert half.sigma_mm == pytest.approx(0.1)
