"""Pips on a face that was pulled square: how their picture changes with place and turn."""

import numpy as np
import pytest

from tests.vision.landing.stage import Light, StagedDie, Table, calibrated, camera, photograph, window
from vision.landing.cube import flat_cube
from vision.landing.faces import PATTERNS, _drawn, _Mark, _registered, read_face, shows_part
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
@pytest.mark.parametrize(("value", "aside", "few"), [(4, (0.0, 1.0), 2), (6, (1.0, 0.0), 3)])
def test_some_of_a_larger_number_are_told_from_a_small_one(
    value: int, aside: tuple[float, float], few: int
) -> None:
    view = window(camera(), 60.0, 250.0, 220)
    dark = StagedDie(x_mm=60, y_mm=250, value=value, body=(0.05, 0.05, 0.05), ink=(0.8, 0.8, 0.8))
    picture = photograph(view, Table(calibrated(view)), [dark], Light(seed=2))
    reach = 0.27 * 16.0
    turned = flat_cube(60.0 + reach * aside[0], 250.0 + reach * aside[1], np.pi / 4, 16.0, 1.6)
    reading = read_face(picture, view, turned, 1.0)
    assert reading.value == few
    middle = anchor_of(turned, reading, 3.3)
    assert middle is not None
    assert middle.yaw_rad is not None
    there = flat_cube(middle.x_mm, middle.y_mm, middle.yaw_rad, 16.0, 1.6)
    assert shows_part(picture, view, there, read_face(picture, view, there))


@pytest.mark.long
@pytest.mark.parametrize("value", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("x_mm", [60.0, 142.0])
def test_a_whole_face_is_no_part_of_a_larger_number(value: int, x_mm: float) -> None:
    view = window(camera(), x_mm, 600.0, 260)
    dark = StagedDie(
        x_mm=x_mm, y_mm=600, yaw_deg=30, value=value, body=(0.05, 0.05, 0.05), ink=(0.8, 0.8, 0.8)
    )
    picture = photograph(view, Table(calibrated(view)), [dark], Light(seed=2))
    cube = flat_cube(x_mm, 600.0, np.radians(30), 16.0, 1.6)
    reading = read_face(picture, view, cube)
    assert reading.value == value
    assert not shows_part(picture, view, cube, reading)
