"""Which way a die with a lone pip is turned, told by its sides."""

import math

import numpy as np
import pytest

from calibration.arrays import Floats
from tests.vision.landing.stage import Light, Paint, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import flat_cube
from vision.landing.shape_refinement import Turned, yaw_along_sides

SEEN = window(camera(), 60.0, 250.0, 220)
TABLE = calibrated(SEEN)


def told(thought_deg: float, *, x_mm: float = 60.0, paint: Paint | None = None) -> Turned | None:
    """What the sides of a die that is turned by 25 degrees say where another turn is thought."""
    die = StagedDie(x_mm=60, y_mm=250, yaw_deg=25, value=1, radius_mm=2.4)
    picture = photograph(SEEN, paint or Table(TABLE), [die], Light(seed=3))
    return yaw_along_sides(picture, SEEN, flat_cube(x_mm, 250.0, math.radians(thought_deg), 16.0, 1.6))


def grain(points: Floats) -> Floats:
    """Colours (n, 3) of planks with fine stripes, turned by 20 degrees, at table points (n, 2)."""
    across = points @ (-math.sin(math.radians(20)), math.cos(math.radians(20)))
    return np.array((0.10, 0.17, 0.30)) * (1 + 0.4 * np.sin(across / 0.7))[:, None]


@pytest.mark.long
@pytest.mark.parametrize("thought_deg", [19.0, 22.5, 25.0, 30.5])
def test_the_yaw_is_told_from_several_degrees_away(thought_deg: float) -> None:
    found = told(thought_deg)
    assert found is not None
    assert abs(math.degrees(found.yaw_rad) - 25) < 0.5


@pytest.mark.long
def test_the_grain_of_wood_does_not_turn_it() -> None:
    plain, grained = told(25.0), told(25.0, paint=grain)
    assert plain is not None
    assert grained is not None
    assert abs(math.degrees(grained.yaw_rad) - 25) < 1
    assert grained.sigma_rad > plain.sigma_rad


@pytest.mark.long
def test_a_die_turned_further_than_was_tried_is_not_told() -> None:
    assert told(25.0 + 13.0) is None


@pytest.mark.long
def test_a_die_at_the_pictures_border_is_not_told() -> None:
    assert told(25.0, x_mm=60.0 + 0.3 * 110 - 9) is None
