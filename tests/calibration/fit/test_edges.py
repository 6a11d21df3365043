"""Where an edge crosses a line: to hundredths of a pixel, whatever is bright and whatever is dark."""

import numpy as np
import pytest

from calibration.arrays import Singles
from calibration.fit.edges import crossings, profiles, to_light_at
from calibration.view import View
from tests.calibration.stage import Paint, lens, looking, painted

VIEW = looking(lens(320, 240, strength=0.0), (0.0, 0.0, 300.0), (0.0, 0.0), 7.0)
PX_PER_MM = VIEW.scale_px_per_mm(0.0, 0.0)


def halves(at_mm: float, low: float, high: float) -> Paint:
    """Dark to the left of a line x = at_mm, bright to the right of it."""

    def paint(x: Singles, _: Singles) -> Singles:
        found = np.where(x < at_mm, low, high).astype(np.float32)
        return np.repeat(found[..., None], 3, axis=2)

    return paint


def found_mm(view: View, paint: Paint, **how: float) -> np.ndarray:
    """Where the edge is found, at forty places along it."""
    picture = painted(view, paint, rays=16, blur_px=0.8, noise=how.pop("noise", 0.5))
    y = np.linspace(-70, 70, 40)
    points = np.column_stack([np.zeros(40), y])
    across = np.repeat([[1.0, 0.0]], 40, axis=0)
    return crossings(profiles(picture, view, points, across, 4.0, 2.0)).offset_mm


@pytest.mark.parametrize("at_mm", [-1.3, 0.0, 0.41, 2.2])
@pytest.mark.parametrize(("low", "high"), [(0.02, 0.85), (0.85, 0.02), (0.2, 0.3)])
def test_an_edge_is_found_to_a_thirtieth_of_a_pixel(at_mm: float, low: float, high: float) -> None:
    off_px = (found_mm(VIEW, halves(at_mm, low, high)) - at_mm) * PX_PER_MM
    assert abs(np.mean(off_px)) < 0.033
    assert np.std(off_px) < 0.15


def test_with_a_colour_only_edges_of_that_colour_count() -> None:
    """Red ends on the left of the profile, and a stronger white tape begins on the right."""

    def paint(x: Singles, _: Singles) -> Singles:
        light = np.zeros((*x.shape, 3), np.float32)
        light[..., 2] = np.where(x < -3, 0.6, 0.1)
        light[x > 3] = 0.9
        return light

    picture = painted(VIEW, paint, rays=12)
    points, across = np.zeros((1, 2)), np.array([[1.0, 0.0]])
    seen = profiles(picture, VIEW, points, across, 6.0)
    assert crossings(seen).offset_mm[0] == pytest.approx(3.0, abs=0.1)
    red = crossings(seen, colour=np.array([0.0, 0.0, -1.0]))
    assert red.offset_mm[0] == pytest.approx(-3.0, abs=0.1)
    assert crossings(seen, np.array([-2.5]), 1.5).offset_mm[0] == pytest.approx(-3.0, abs=0.1)


def test_a_profile_that_leaves_the_picture_is_known() -> None:
    picture = painted(VIEW, halves(0, 0.1, 0.8), rays=4)
    points = np.array([[0.0, 0.0], [170.0, 0.0]])
    seen = profiles(picture, VIEW, points, np.repeat([[1.0, 0.0]], 2, axis=0), 20.0)
    assert seen.inside.tolist() == [True, False]


def test_light_is_what_srgb_says() -> None:
    grey = np.repeat(np.array([[0, 10, 188, 255]], np.uint8)[..., None], 3, axis=2)
    light = to_light_at(grey, np.array([[(x, 0) for x in range(4)]], np.float32))
    assert light[0, :, 0] == pytest.approx([0.0, 0.003035, 0.502886, 1.0], abs=1e-5)
