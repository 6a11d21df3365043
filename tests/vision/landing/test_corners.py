"""What the corners of a die tell of its rounding, asked of pictures by another painter than the network's."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.table import TableCalibration
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.measure import Measurer
from vision.landing.pose_evidence import FittedDie
from vision.landing.shape_refinement import CornerReader, cut_corners

IVORY, INK = (0.50, 0.68, 0.76), (0.02, 0.02, 0.02)
PLACE = (60.0, 250.0)
SEEN = window(camera(), *PLACE, 360)


@cache
def stood(radius_mm: float, yaw_deg: float = 25) -> tuple[Picture, TableCalibration, FittedDie]:
    """A picture of a die so much rounded, and the die as outline and pips alone tell it."""
    die = StagedDie(x_mm=60, y_mm=250, yaw_deg=yaw_deg, radius_mm=radius_mm, body=IVORY, ink=INK)
    calibration = calibrated(SEEN)
    picture = photograph(SEEN, Table(calibration), [die], Light(seed=3))
    (one,), _ = Measurer(calibration).fitted(picture)
    return picture, calibration, one


def thought(one: FittedDie, mm: float, sigma_mm: float) -> FittedDie:
    """The same die, fitted as if its rounding had been taken for another."""
    covariance = one.fit.covariance.copy()
    covariance[4, :] = covariance[:, 4] = 0.0
    covariance[4, 4] = sigma_mm**2
    cube = replace(one.cube, radius_mm=mm)
    return replace(one, fit=replace(one.fit, cube=cube, covariance=covariance))


@pytest.mark.long
@pytest.mark.parametrize(("true_mm", "thought_mm"), [(2.7, 1.6), (1.6, 2.6), (0.7, 1.6)])
def test_corners_tell_their_rounding_where_the_fit_does_not(true_mm: float, thought_mm: float) -> None:
    picture, calibration, one = stood(true_mm)
    (told,) = CornerReader(calibration).read_roundings(picture, [thought(one, thought_mm, 0.7)])
    assert told is not None
    assert abs(told.mm - true_mm) < 0.4
    assert told.sigma_mm < (0.5 if true_mm > 1 else 0.9), "sharp corners it knows less well"


@pytest.mark.long
def test_all_corners_look_alike_whichever_way_a_die_is_turned() -> None:
    """The corner itself is at the same place of each cut: the up-face within, what is around it outside."""
    picture, _, one = stood(0.7)
    cut = cut_corners(picture, SEEN, one.fit)
    assert cut is not None
    tops = cut.cuts[..., :3].astype(float)
    inside, outside = tops[:, 4:16, 4:16].mean(axis=(1, 2)), tops[:, 27:, 27:].mean(axis=(1, 2))
    # Ivory on the yellow zone: it is blue that tells them apart.
    assert np.ptp(inside[:, 0]) < 40
    assert (inside[:, 0] > outside[:, 0] + 40).all()
    eye = SEEN.eye_mm[:2] - PLACE
    # How aslant the corners are seen adds up to nothing but the die's own size, seen from its middle.
    slants = cut.known[:, :2] / 3
    assert abs(math.hypot(*(slants[0] - slants[2]) / 2) - np.hypot(*eye) / 1092) < 0.002


@pytest.mark.long
def test_of_a_die_half_out_of_the_picture_or_one_that_leans_nothing_is_told() -> None:
    picture, calibration, one = stood(1.6)
    x, y = (round(float(part)) for part in SEEN.project(one.cube.center_mm[None])[0])
    assert cut_corners(picture[:y, :], SEEN, one.fit) is None
    assert cut_corners(picture[:, :x], SEEN, one.fit) is None
    leaning = replace(one, pose="cocked")
    assert CornerReader(calibration).read_roundings(picture, [leaning]) == [None]
    assert CornerReader(calibration).read_roundings(picture, []) == []


@pytest.mark.long
def test_each_die_of_a_picture_is_told_its_own() -> None:
    sharp, round_ = stood(0.7)[2], stood(2.7)[2]
    picture, calibration, _ = stood(2.7)
    leaning = replace(sharp, pose="cocked")
    none, told = CornerReader(calibration).read_roundings(picture, [leaning, round_])
    (alone,) = CornerReader(calibration).read_roundings(picture, [round_])
    assert none is None
    assert told is not None
    assert alone is not None
    assert told.mm == pytest.approx(alone.mm, abs=1e-4)
