"""Pips on a face that was pulled square: how their picture changes with place and turn."""

import numpy as np
import pytest

from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import flat_cube
from vision.landing.faces import PATTERNS, _drawn, _Mark, _registered, read_face
from vision.landing.pose_evidence import anchor_of

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


@pytest.mark.long
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
def test_a_known_number_is_found_where_its_pips_are_and_doubted_where_they_are_not(value: int) -> None:
    view = window(camera(), 60.0, 600.0, 260)
    dark = StagedDie(x_mm=60, y_mm=600, yaw_deg=30, value=value, body=(0.05, 0.05, 0.05), ink=(0.8, 0.8, 0.8))
    picture = photograph(view, Table(calibrated(view)), [dark], Light(seed=2))
    beside = flat_cube(60.3, 600.0, np.radians(30), 16.0, 1.6)
    right, wrong = (read_face(picture, view, beside, 0.6, told) for told in (value, value % 6 + 1))
    assert right.value == value
    assert right.confidence > 0.9
    assert wrong.confidence < 0.5
    middle = anchor_of(beside, right, 3.3)
    assert middle is not None
    assert np.hypot(middle.x_mm - 60, middle.y_mm - 600) < 0.1
