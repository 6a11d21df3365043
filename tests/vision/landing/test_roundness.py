"""How round a die's corners are, asked of a picture of it."""

import numpy as np
import pytest

from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import ARC, Cube, flat_cube, outline
from vision.landing.edges import Search, patch, stretches
from vision.landing.fit import Corners, Roundness, roundness

SEEN = window(camera(), 60.0, 250.0, 220)
HOW = Search(reach_px=1.5, inside_px=4.0, outside_px=4.0, blur_px=0.85, pull_px=1.0, alike_px=0.35)
USUAL = Roundness(1.6, 0.72)


def asked(true_mm: float, thought_mm: float, *, sides: bool = False) -> Roundness | None:
    """What the corners of a die of one rounding say where another is thought, all else as it is."""
    die = StagedDie(
        x_mm=60, y_mm=250, yaw_deg=25, radius_mm=true_mm, body=(0.05, 0.05, 0.5), ink=(0.8, 0.8, 0.8)
    )
    picture = photograph(SEEN, Table(calibrated(SEEN)), [die], Light(seed=3))
    cube: Cube = flat_cube(60.0, 250.0, np.radians(25), 16.0, thought_mm)
    line = outline(SEEN, cube, 1.0)
    cut = stretches(line)
    which = np.zeros(len(cut.side), np.bool_) if sides else cut.side == ARC
    return roundness(
        SEEN, patch(picture, (0, 0, 220, 220)), cube, Corners(line, cut, which, -0.02), HOW, USUAL
    )


@pytest.mark.long
@pytest.mark.parametrize(("true_mm", "thought_mm"), [(2.9, 1.0), (2.9, 1.6), (1.6, 2.8), (0.6, 2.0)])
def test_corners_tell_their_rounding_whatever_was_thought(true_mm: float, thought_mm: float) -> None:
    found = asked(true_mm, thought_mm)
    assert found is not None
    assert abs(found.mm - true_mm) < 0.4
    assert found.sigma_mm < USUAL.sigma_mm / 2


@pytest.mark.long
def test_where_no_corner_is_in_sight_none_is_asked() -> None:
    assert asked(1.6, 1.6, sides=True) is None
