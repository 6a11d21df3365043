"""A die's shape: a cube with rounded edges and corners, its outline in the picture, its vertical projection.

How it works. A cube of edge e with rounding r is everything within r of an inner cube of edge e - 2r: the
hull of eight balls. A pinhole sees a ball as the circle in which rays from the eye touch it, and sees a hull
as the hull of its parts. So the outline is exactly the convex hull of eight touching circles, and each of its
points comes with the point of the die that is seen there and the surface's normal. How the outline moves with
the die needs no finite differences: sliding along a surface that the eye looks along changes nothing, so only
the motion along that normal counts.
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Ints
from calibration.view import View

CIRCLE_POINTS = 96
"""Points of a ball's touching circle: the chords fall short of a 2 mm ball by a thousandth of a
millimetre."""
CORNER_CHORDS = 12
"""Chords of a quarter turn of a footprint's corner: 0.0034 mm short at a radius of 1.6 mm."""
ARC = -1
SIGNS: Floats = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
"""The eight corners (8, 3), in half edges from the middle."""


@dataclass(frozen=True, eq=False)
class Cube:
    """A rounded cube somewhere in the table frame."""

    center_mm: Floats
    """(3,)"""
    turn: Floats
    """3 x 3: its axes as columns, in the table frame."""
    edge_mm: float
    radius_mm: float

    @property
    def balls_mm(self) -> Floats:
        """The middles (8, 3) of the balls whose hull it is."""
        reach = self.edge_mm / 2 - self.radius_mm
        found: Floats = self.center_mm + (reach * SIGNS) @ self.turn.T
        return found


def flat_cube(x_mm: float, y_mm: float, yaw_rad: float, edge_mm: float, radius_mm: float) -> Cube:
    """A cube that lies flat on the table."""
    c, s = math.cos(yaw_rad), math.sin(yaw_rad)
    turn = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return Cube(np.array([x_mm, y_mm, edge_mm / 2]), turn, edge_mm, radius_mm)


def resting_cube(x_mm: float, y_mm: float, turn: Floats, edge_mm: float, radius_mm: float) -> Cube:
    """A cube turned any way that touches the table with its lowest corner, edge or face; x, y are its
    middle's."""
    reach = edge_mm / 2 - radius_mm
    height = reach * float(np.abs(turn[2]).sum()) + radius_mm
    return Cube(np.array([x_mm, y_mm, height]), turn, edge_mm, radius_mm)


@dataclass(frozen=True, eq=False)
class Outline:
    """A cube's outline in the picture, as equally spaced points with what is known at each."""

    points_mm: Floats
    """The surface's unit normals there (n, 3), in the table frame."""
    normals_mm: Floats
    """n x 3: the surface's unit normals there, in the table frame."""
    corners: Floats
    """Which ball each point belongs to (n, 3), as its corner in half edges; between two balls a mixture of
    theirs."""
    points_px: Floats
    """The points in the picture (n, 2)."""
    normals_px: Floats
    """Unit normals of the outline in the picture (n, 2), pointing outwards."""
    gain: Floats
    """Pixels by which the outline moves outwards when the surface moves one mm along its normal (n)."""
    sides: Ints
    """The straight side that each point belongs to (n), counted from 0; ARC round the corners."""

    def __len__(self) -> int:
        """How many points."""
        return len(self.gain)


def outline(view: View, cube: Cube, step_px: float) -> Outline:
    """The outline as points about `step_px` apart, once round.

    The cube must lie in front of the camera and not contain its eye.
    """
    seen, normals, owner = _touching_circles(view, cube)
    flat = seen[:, :2] / seen[:, 2:]
    spread = (flat - flat.mean(axis=0)) * 1e3
    hull = cv2.convexHull(spread.astype(np.float32), returnPoints=False).ravel()
    after = np.roll(hull, -1)
    begin_px, end_px = _pinhole_px(view, flat[hull]), _pinhole_px(view, flat[after])
    length = np.hypot(*(end_px - begin_px).T)
    piece, share = _spaced(length, step_px)
    one, other = hull[piece], after[piece]
    weight = share[:, None]
    straight = owner[hull] != owner[after]
    sides = np.where(straight, np.cumsum(straight) - 1, ARC)[piece]
    points = seen[one] * (1 - weight) + seen[other] * weight
    bent = normals[one] * (1 - weight) + normals[other] * weight
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    mixed = SIGNS[owner[one]] * (1 - weight) + SIGNS[owner[other]] * weight
    return _pictured(view, points, bent, mixed, sides)


def _touching_circles(view: View, cube: Cube) -> tuple[Floats, Floats, Ints]:
    """Where rays from the eye touch the balls: points and unit normals in the camera's frame, and the balls'
    numbers."""
    middles = cube.balls_mm @ view.turn.T + np.array(view.translation_mm)
    squared = (middles**2).sum(axis=1, keepdims=True)
    away = middles / np.sqrt(squared)
    # Any two axes square to the line of sight will do; the camera's x is never along it.
    across = np.stack((np.zeros(8), away[:, 2], -away[:, 1]), axis=1)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    upward = cross(away, across)
    angle = np.arange(CIRCLE_POINTS) * (2 * np.pi / CIRCLE_POINTS)
    lean = cube.radius_mm / np.sqrt(squared)
    rim = np.cos(angle)[None, :, None] * across[:, None] + np.sin(angle)[None, :, None] * upward[:, None]
    normals = np.sqrt(1 - lean**2)[:, None] * rim - (lean * away)[:, None]
    points = middles[:, None] + cube.radius_mm * normals
    owner = np.repeat(np.arange(8), CIRCLE_POINTS)
    return points.reshape(-1, 3), normals.reshape(-1, 3), owner


def cross(one: Floats, other: Floats) -> Floats:
    """The cross products of vectors (n, 3). For a few hundred, numpy's own takes five times as long."""
    (ax, ay, az), (bx, by, bz) = one.T, other.T
    found: Floats = np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)
    return found


def _pinhole_px(view: View, flat: Floats) -> Floats:
    """Pixels without the lens's distortion: exact enough to space points by."""
    found: Floats = flat * np.array(view.lens.focal_px)
    return found


def _spaced(length: Floats, step: float) -> tuple[Ints, Floats]:
    """Equally spaced places on a closed chain of pieces of these lengths: which piece, and how far along it
    from 0 to 1."""
    ends = np.cumsum(length)
    count = max(12, round(float(ends[-1]) / step))
    at = (np.arange(count) + 0.5) * (ends[-1] / count)
    piece = np.minimum(np.searchsorted(ends, at), len(length) - 1)
    share = 1 - (ends[piece] - at) / np.maximum(length[piece], 1e-12)
    return piece, np.clip(share, 0.0, 1.0)


def _pictured(view: View, points: Floats, normals: Floats, corners: Floats, sides: Ints) -> Outline:
    """The outline of points and normals in the camera's frame, projected with the lens's distortion."""
    none = np.zeros(3)
    pixels, slopes = cv2.projectPoints(
        points.reshape(-1, 1, 3), none, none, view.lens.matrix, np.array(view.lens.distortion, np.float64)
    )
    by_mm = np.asarray(slopes, np.float64)[:, 3:6].reshape(-1, 2, 3)
    along = cross(normals, points)
    tangent = np.einsum("nij,nj->ni", by_mm, along)
    moved = np.einsum("nij,nj->ni", by_mm, normals)
    outward = np.column_stack((tangent[:, 1], -tangent[:, 0]))
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    gain = (outward * moved).sum(axis=1)
    outward *= np.sign(gain)[:, None]
    return Outline(
        points_mm=(points - np.array(view.translation_mm)) @ view.turn,
        normals_mm=normals @ view.turn,
        corners=corners,
        points_px=np.asarray(pixels, np.float64).reshape(-1, 2),
        normals_px=outward,
        gain=np.abs(gain),
        sides=sides,
    )


@dataclass(frozen=True, eq=False)
class Slopes:
    """How far an outline's points move outwards, in pixels (n), for one unit of each parameter."""

    x_mm: Floats
    y_mm: Floats
    z_mm: Floats
    spin_x: Floats
    """Turn about the table's x axis through the cube's middle, by one radian."""
    spin_y: Floats
    spin_z: Floats
    edge_mm: Floats
    """Growth about its middle, by one mm."""
    radius_mm: Floats


def slopes(line: Outline, cube: Cube) -> Slopes:
    """The outline's slopes; the top of this file gives the reason for their form."""
    arm = line.points_mm - cube.center_mm
    spin = cross(arm, line.normals_mm)
    corner = line.corners @ cube.turn.T
    towards = (line.normals_mm * corner).sum(axis=1)
    x, y, z = (line.normals_mm * line.gain[:, None]).T
    spin_x, spin_y, spin_z = (spin * line.gain[:, None]).T
    return Slopes(x, y, z, spin_x, spin_y, spin_z, line.gain * towards / 2, line.gain * (1 - towards))


def footprint(cube: Cube) -> Floats:
    """The vertical projection as a convex polygon (n, 2), counter-clockwise, mm. Its chords fall short of the
    round corners by less than 0.005 mm."""
    middles = cube.balls_mm[:, :2]
    # The chords start along the cube's own sides, so that these come out exactly straight.
    side = cube.turn[:2, int(np.argmin(np.abs(cube.turn[2])))]
    begin = math.atan2(float(side[1]), float(side[0]))
    angle = begin + np.arange(4 * CORNER_CHORDS) * (np.pi / (2 * CORNER_CHORDS))
    circle = cube.radius_mm * np.column_stack((np.cos(angle), np.sin(angle)))
    points = (middles[:, None] + circle[None]).reshape(-1, 2)
    offset = points - cube.center_mm[:2]
    order = cv2.convexHull(offset.astype(np.float32), returnPoints=False).ravel()
    found: Floats = points[order]
    return found if _signed_area(found) > 0 else found[::-1]


def up_axis(cube: Cube) -> Floats:
    """The unit normal (3,) of the face that is up."""
    axis = int(np.argmax(np.abs(cube.turn[2])))
    found: Floats = cube.turn[:, axis] * np.sign(cube.turn[2, axis])
    return found


def yaw_of(cube: Cube) -> float:
    """The direction of an upright side of a cube, in radians, known up to quarter turns."""
    level = cube.turn[:, (int(np.argmax(np.abs(cube.turn[2]))) + 1) % 3]
    return math.atan2(level[1], level[0])


def gap_mm(one: Cube, other: Cube) -> float:
    """How far apart two cubes' vertical projections are, mm; where they overlap, minus about the depth of the
    overlap."""
    shapes = footprint(one), footprint(other)
    axes = np.concatenate((one.turn[:2].T, other.turn[:2].T))
    axes = axes[np.linalg.norm(axes, axis=1) > 0.3]
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    near, far = shapes[0] @ axes.T, shapes[1] @ axes.T
    return float(np.maximum(far.min(axis=0) - near.max(axis=0), near.min(axis=0) - far.max(axis=0)).max())


def _signed_area(polygon: Floats) -> float:
    x, y = polygon.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) / 2
