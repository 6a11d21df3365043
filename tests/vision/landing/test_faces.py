"""Pips on a face that was pulled square: how their picture changes with place and turn."""

import numpy as np
import pytest

from vision.landing.faces import PATTERNS, _drawn, _Mark, _registered

MARKS = [_Mark(value, spots, 0.24, 0.085) for value, spots in PATTERNS]


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: f"{mark.value}: {mark.spots[0]}")
def test_a_patterns_slopes_are_those_of_its_picture(mark: _Mark) -> None:
    place = np.array([0.011, -0.007, 0.03])
    drawn = _drawn(mark, place)
    for axis in range(3):
        step = 1e-5 * np.eye(3)[axis]
        change = (_drawn(mark, place + step)[:, 0] - _drawn(mark, place - step)[:, 0]) / 2e-5
        # Halfway between two pips a pixel may go from one to the other: there the slope has a kink.
        assert np.abs(drawn[:, 1 + axis] - change).mean() <= 2e-3 * np.abs(change).mean()


@pytest.mark.parametrize("mark", MARKS, ids=lambda mark: f"{mark.value}: {mark.spots[0]}")
def test_a_pattern_is_found_where_it_was_drawn(mark: _Mark) -> None:
    place = np.array([0.02, -0.03, 0.04 if mark.value > 1 else 0.0])
    right, down, turn = _registered((90 * _drawn(mark, place)[:, 0]).astype(np.float32), mark)
    assert (right, down) == pytest.approx(place[:2], abs=0.001)
    if mark.value == 1:
        assert turn is None
    else:
        assert turn == pytest.approx(place[2], abs=0.002)
