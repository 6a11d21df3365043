"""The rounded cube's outline, slopes and projection, against rays and finite differences."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.arrays import Floats
from tests.vision.landing.stage import StagedDie, camera
from vision.landing.cube import Cube, flat_cube, footprint, gap_mm, outline, resting_cube, slopes

VIEW = camera()
LEAN, _ = cv2.Rodrigues(np.array([0.25, -0.3, 0.6]))
POSES = {
    "flat, far from the middle": flat_cube(-130.0, 60.0, 0.4, 16.0, 1.6),
    "flat, below the camera": flat_cube(20.0, 330.0, 1.2, 15.8, 1.3),
    "leaning": resting_cube(200.0, 700.0, np.asarray(LEAN, np.float64), 16.2, 1.9),
}


def least_distance(cube: Cube, pixels: Floats) -> Floats:
    """How near rays through pixels come to the inner cube, by walking along each (mm)."""
    rays = VIEW.rays(pixels)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    start, along = (VIEW.eye_mm - cube.center_mm) @ cube.turn, rays @ cube.turn
    low = -(along @ start) - 30.0
    high = low + 60.0
    inner = cube.edge_mm / 2 - cube.radius_mm

    def distance(far: Floats) -> Floats:
        beyond = np.maximum(np.abs(start + far[:, None] * along) - inner, 0)
        return np.asarray(np.linalg.norm(beyond, axis=1))

    for _ in range(70):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        left = distance(one) < distance(other)
        low, high = np.where(left, low, one), np.where(left, other, high)
    return distance(low)


@pytest.mark.parametrize("name", POSES)
def test_rays_just_outside_the_outline_miss_and_just_inside_meet_the_cube(name: str) -> None:
    cube = POSES[name]
    line = outline(VIEW, cube, 1.0)
    away = least_distance(cube, line.points_px) - cube.radius_mm
    assert np.abs(away).max() < 0.002
    beyond = least_distance(cube, line.points_px + 0.2 * line.normals_px) - cube.radius_mm
    within = least_distance(cube, line.points_px - 0.2 * line.normals_px) - cube.radius_mm
    assert beyond.min() > 0
    assert within.max() < 0


def support(view_cube: Cube, directions: Floats) -> Floats:
    """How far the outline reaches in each direction, pixels."""
    return np.asarray((outline(VIEW, view_cube, 0.1).points_px @ directions.T).max(axis=0))


def moved(cube: Cube, name: str, by: float) -> Cube:
    """The cube with one parameter changed."""
    match name:
        case "edge_mm":
            return replace(cube, edge_mm=cube.edge_mm + by)
        case "radius_mm":
            return replace(cube, radius_mm=cube.radius_mm + by)
        case "x_mm" | "y_mm" | "z_mm":
            return replace(cube, center_mm=cube.center_mm + by * np.eye(3)["xyz".index(name[0])])
        case _:
            spin, _ = cv2.Rodrigues(by * np.eye(3)["xyz".index(name[-1])])
            return replace(cube, turn=np.asarray(spin, np.float64) @ cube.turn)


@pytest.mark.parametrize(
    "name", ["x_mm", "y_mm", "z_mm", "spin_x", "spin_y", "spin_z", "edge_mm", "radius_mm"]
)
@pytest.mark.parametrize("pose", POSES)
def test_slopes_say_how_far_the_outline_moves(pose: str, name: str) -> None:
    cube = POSES[pose]
    line = outline(VIEW, cube, 4.0)
    by = 0.002 if name.startswith("spin") else 0.02
    grown = support(moved(cube, name, by), line.normals_px) - support(moved(cube, name, -by), line.normals_px)
    found = getattr(slopes(line, cube), name)
    # Along a straight side the outline only reaches farthest at one of its ends.
    corner = line.sides < 0
    assert np.abs(grown / (2 * by) - found)[corner].max() < 0.06 * max(1.0, np.abs(found).max())


@given(yaw=st.floats(0, 6.28), edge=st.floats(15.5, 16.5), radius=st.floats(0.8, 2.5))
def test_a_flat_footprint_is_the_rounded_square(yaw: float, edge: float, radius: float) -> None:
    shape = footprint(flat_cube(3.0, 7.0, yaw, edge, radius))
    x, y = shape.T
    area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2
    assert area == pytest.approx(edge**2 - (4 - math.pi) * radius**2, abs=0.06)
    assert shape.mean(axis=0) == pytest.approx((3.0, 7.0), abs=0.6)
    c, s = math.cos(yaw), math.sin(yaw)
    local = np.abs((shape - (3.0, 7.0)) @ np.array([[c, -s], [s, c]]))
    beyond = np.hypot(*np.maximum(local - (edge / 2 - radius), 0).T)
    middles = (shape + np.roll(shape, -1, axis=0)) / 2
    local = np.abs((middles - (3.0, 7.0)) @ np.array([[c, -s], [s, c]]))
    chords = np.hypot(*np.maximum(local - (edge / 2 - radius), 0).T)
    assert beyond == pytest.approx(radius, abs=1e-6)
    assert chords.min() > radius - 0.006


def test_a_leaning_footprint_covers_every_point_of_the_cube() -> None:
    die = StagedDie(x_mm=0, y_mm=0, yaw_deg=30, tilt_deg=24, tilt_axis_deg=70)
    cube = Cube(die.center_mm, die.turn, die.edge_mm, die.radius_mm)
    shape = footprint(cube).astype(np.float32).reshape(-1, 1, 2)
    for ball in cube.balls_mm:
        away = cv2.pointPolygonTest(shape, (float(ball[0]), float(ball[1])), measureDist=True)
        assert away > cube.radius_mm - 0.006
    assert resting_cube(0, 0, die.turn, 16.0, 1.6).center_mm == pytest.approx(die.center_mm)


def test_gaps_between_dice() -> None:
    one = flat_cube(0, 0, 0.0, 16.0, 1.6)
    assert gap_mm(one, flat_cube(18.5, 3.0, 0.0, 16.0, 1.6)) == pytest.approx(2.5, abs=0.01)
    assert gap_mm(one, flat_cube(12.0, 0.0, 0.0, 16.0, 1.6)) == pytest.approx(-4.0, abs=0.01)
