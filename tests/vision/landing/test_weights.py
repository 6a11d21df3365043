"""What edges may say of a die's pose."""

import numpy as np
import pytest

from calibration.view import View
from tests.vision.landing.stage import camera
from vision.landing.cube import ARC, flat_cube, outline
from vision.landing.edges import Edges, Stretches, _medians, bowed_px, stretches, weights

BLUR_PX = 0.85


@pytest.fixture(scope="module")
def view() -> View:
    return camera()


def told(cut: Stretches, sigma_px: float = 0.14) -> Edges:
    """Equally sure edges where they were expected."""
    count = len(cut.count)
    return Edges(np.zeros(count), np.full(count, sigma_px), np.ones(count))


def sigma_of(which: np.ndarray, weight: np.ndarray) -> float:
    """How surely all chosen edges together tell one shift, pixels."""
    one = which.astype(np.float64)
    return float(1 / np.sqrt(one @ weight @ one))


def test_a_side_of_many_edges_is_hardly_surer_than_its_common_shift(view: View) -> None:
    line = outline(view, flat_cube(120.0, 500.0, 0.4, 16.0, 1.6), 1.0)
    cut = stretches(line)
    seen = np.ones(len(cut.count), np.bool_)
    weight = weights(line, cut, told(cut), seen, np.zeros(len(cut.count)))
    facing = cut.mean(line.normals_mm[:, 2])
    straight = cut.side != ARC
    upper, lower = (
        sigma_of(cut.side == cut.side[int(np.argmax(np.where(straight, way * facing, -9.0)))], weight)
        for way in (1.0, -1.0)
    )
    assert 0.15 < upper < 0.3
    assert lower > 2 * upper  # Where the die meets its own shadow, little is believed.


def test_an_edge_far_from_the_others_weighs_next_to_nothing(view: View) -> None:
    cut = stretches(line := outline(view, flat_cube(0.0, 300.0, 0.4, 16.0, 1.6), 1.0))
    seen = np.ones(len(cut.count), np.bool_)
    left = np.zeros(len(cut.count))
    left[3] = 2.0
    plain = weights(line, cut, told(cut), seen, np.zeros(len(cut.count)))
    assert weights(line, cut, told(cut), seen, left)[3, 3] < 0.01 * plain[3, 3]


def test_blur_draws_sharp_corners_in_and_leaves_sides(view: View) -> None:
    bows = []
    for radius_mm in (0.5, 1.6, 3.0):
        line = outline(view, flat_cube(60.0, 400.0, 0.7, 16.0, radius_mm), 1.0)
        cut = stretches(line)
        bow = bowed_px(line, cut, radius_mm, BLUR_PX)
        assert not bow[cut.side != ARC].any()
        bows.append(float(bow[cut.side == ARC].mean()))
    assert bows[0] > 1.5 * bows[1] > 2.0 * bows[2] > 0.0


def test_a_corner_that_blur_rounds_is_where_a_blurred_corner_is_seen() -> None:
    """The middle of a sharp right angle's edge, blurred: where half of the light is reached on its axis."""
    fine = 40
    at = (np.arange(-12 * fine, 12 * fine) + 0.5) / fine
    spread = np.exp(-((at / BLUR_PX) ** 2) / 2)
    share = np.cumsum(spread) / spread.sum()
    half = float(np.interp(np.sqrt(0.5), share, at))  # Both sides together let half of the light by.
    assert np.sqrt(2) * half == pytest.approx(BLUR_PX / 1.3, abs=0.06)


def test_a_parts_median_is_the_median_of_its_own_stretches() -> None:
    rng = np.random.default_rng(1)
    values, parts = rng.uniform(size=41), rng.integers(-3, 4, 41)
    found = _medians(values, parts)
    for number in np.unique(parts):
        assert found[parts == number] == pytest.approx(np.median(values[parts == number]))
