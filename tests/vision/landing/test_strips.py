"""What is cut out across the sides of a die."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from calibration.arrays import Picture
from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import flat_cube
from vision.landing.fit import Roundness
from vision.landing.shape_refinement import STRIP_STEP_MM, cut_strips

IVORY, INK = (0.50, 0.68, 0.76), (0.02, 0.02, 0.02)
SEEN = window(camera(), 60.0, 250.0, 360)
KNOWN = Roundness(1.6, 0.4)
DIE = flat_cube(60.0, 250.0, math.radians(25), 16.0, 1.6)


@cache
def picture() -> Picture:
    """An ivory die on the yellow zone."""
    die = StagedDie(x_mm=60, y_mm=250, yaw_deg=25, body=IVORY, ink=INK)
    return photograph(SEEN, Table(calibrated(SEEN)), [die], Light(seed=3))


def rims_px(edge_mm: float) -> list[float]:
    """Where across each side its up-face seems to end, if the edge is taken to be so long: where blue falls
    most."""
    cut = cut_strips(picture(), SEEN, replace(DIE, edge_mm=edge_mm), KNOWN)
    assert cut is not None
    blue = cut.strips[..., 0].astype(float).mean(axis=2)
    return [float(np.argmin(row[10:] - row[:-10]) + 4.5) for row in blue]


@pytest.mark.long
def test_all_sides_look_alike_whichever_way_a_die_is_turned() -> None:
    cut = cut_strips(picture(), SEEN, DIE, KNOWN)
    assert cut is not None
    blue = cut.strips[..., 0].astype(float)
    inside, outside = blue[:, :12].mean(axis=(1, 2)), blue[:, -12:].mean(axis=(1, 2))
    # Ivory on the yellow zone: it is blue that tells them apart.
    assert np.ptp(inside) < 40
    assert (inside > outside + 40).all()
    # Its far sides end where their up-face does; of its near sides the flank is seen beyond.
    assert sum(abs(rim - 31.5) < 6 for rim in rims_px(16.0)) >= 2


@pytest.mark.long
def test_a_die_taken_for_a_longer_one_ends_further_in() -> None:
    usual, longer = np.sort(rims_px(16.0)), np.sort(rims_px(16.8))
    assert (usual - longer).mean() == pytest.approx(0.4 / STRIP_STEP_MM, abs=1.5)


def test_a_die_half_out_of_the_picture_is_not_cut_out() -> None:
    x, y = (round(float(part)) for part in SEEN.project(DIE.center_mm[None])[0])
    assert cut_strips(picture()[:y], SEEN, DIE, KNOWN) is None
    assert cut_strips(picture()[:, :x], SEEN, DIE, KNOWN) is None


def test_a_die_of_another_size_is_cut_out_to_scale() -> None:
    """What lies a tenth of a millimetre from one sixteen wide lies twice as far from one twice as wide."""
    wide = flat_cube(60.0, 250.0, math.radians(25), 32.0, 3.2)
    cut = cut_strips(picture(), SEEN, wide, Roundness(3.2, 0.8), 2.0)
    one = cut_strips(picture(), SEEN, DIE, KNOWN)
    assert cut is not None
    assert one is not None
    assert cut.known[:, 3:] == pytest.approx(one.known[:, 3:], abs=1e-5)
    assert (cut.known[:, 2] - one.known[:, 2]) == pytest.approx(np.full(4, math.log(2)), abs=0.02)
