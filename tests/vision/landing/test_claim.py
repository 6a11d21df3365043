"""Claimed dice held against pictures of the test bed: those that are there, and others."""

import numpy as np
import pytest

from calibration.arrays import Picture
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.claim import ClaimVerdict, verify_claims
from vision.landing.cube import Cube, flat_cube
from vision.learned.networks import Networks

pytestmark = pytest.mark.long

SEEN = window(camera(), 120.0, 320.0, 220)
FLAT = flat_cube(120.0, 320.0, 0.3, 16.0, 1.6)


def pictured(tilt_deg: float = 0.0, dice: int = 1) -> Picture:
    """A die at that place, tilted towards the camera's far side; or none."""
    die = StagedDie(x_mm=120, y_mm=320, yaw_deg=float(np.degrees(0.3)), tilt_deg=tilt_deg, tilt_axis_deg=60)
    return photograph(SEEN, Table(calibrated(SEEN)), [die] * dice, Light(seed=4))


def verdict(picture: Picture, cube: Cube) -> ClaimVerdict:
    (told,) = verify_claims(picture, SEEN, [cube], Networks())
    return told


def test_a_flat_die_holds_where_it_lies() -> None:
    assert verdict(pictured(), FLAT).holds > 0.5


@pytest.mark.parametrize(
    ("x_mm", "y_mm", "yaw_rad"), [(124.0, 320.0, 0.3), (120.0, 314.0, 0.3), (120.0, 320.0, 0.8)]
)
def test_it_does_not_hold_beside_its_place_nor_turned(x_mm: float, y_mm: float, yaw_rad: float) -> None:
    assert verdict(pictured(), flat_cube(x_mm, y_mm, yaw_rad, 16.0, 1.6)).holds < 0.2


def test_a_leaning_die_holds_less_as_a_flat_one() -> None:
    still, leaning = verdict(pictured(), FLAT), verdict(pictured(tilt_deg=10), FLAT)
    assert leaning.holds < still.holds / 2


def test_no_die_holds_on_the_bare_table() -> None:
    assert verdict(pictured(dice=0), FLAT).there < 0.2


def test_nothing_is_asked_where_nothing_is_claimed() -> None:
    assert verify_claims(pictured(dice=0), SEEN, [], Networks()) == []
