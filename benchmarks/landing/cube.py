"""A die's body: a cube with rounded edges and corners, met by rays, and its exact shadow straight below."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from calibration.arrays import Bools, Floats

STEPS = 40
NEAR_MM = 1e-5
"""A ray this near has met the body."""
ARC_STEPS = 16
"""Chords to a quarter turn: they leave 0.002 mm at a radius of 1.6 mm."""


@dataclass(frozen=True, kw_only=True)
class Cube:
    """A cube of a given edge whose edges and corners are rounded with one radius, anywhere in space."""

    center_mm: tuple[float, float, float]
    edge_mm: float
    radius_mm: float
    turn: tuple[tuple[float, float, float], ...]
    """The cube's own axes as rows, in the table frame."""

    @cached_property
    def axes(self) -> Floats:
        """The turn as a matrix (3, 3): it takes the table's directions to the cube's."""
        return np.array(self.turn)

    @cached_property
    def inner_mm(self) -> Floats:
        """The corners (8, 3) of the inner cube; the body is everything within the radius of it."""
        half = self.edge_mm / 2 - self.radius_mm
        signs = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * 2.0 - 1.0
        return np.asarray(signs * half @ self.axes + np.array(self.center_mm))

    @property
    def lowest_mm(self) -> float:
        """The height of its lowest point."""
        return float(self.inner_mm[:, 2].min()) - self.radius_mm

    def local(self, points_mm: Floats) -> Floats:
        """Points (n, 3) in the cube's own frame."""
        return np.asarray((points_mm - np.array(self.center_mm)) @ self.axes.T)

    def footprint(self) -> Floats:
        """Its vertical projection (n, 2), counter-clockwise: the inner corners' hull, grown by the radius."""
        hull = _hull(self.inner_mm[:, :2])
        sides = np.roll(hull, -1, axis=0) - hull
        facing = np.arctan2(-sides[:, 0], sides[:, 1])
        outline = []
        for corner, before, after in zip(hull, np.roll(facing, 1), facing, strict=True):
            span = (after - before) % (2 * math.pi)
            angles = before + span * np.linspace(
                0, 1, max(2, math.ceil(span / (math.pi / 2) * ARC_STEPS) + 1)
            )
            outline.append(corner + self.radius_mm * np.stack((np.cos(angles), np.sin(angles)), axis=1))
        return np.concatenate(outline)


def standing(
    at_mm: tuple[float, float, float],
    edge_mm: float,
    radius_mm: float,
    yaw_deg: float,
    lean: Floats | None = None,
) -> Cube:
    """A cube over `at_mm`, whose lowest point is at that height; `lean` (3, 3) tilts it first."""
    a = math.radians(yaw_deg)
    flat = np.array([[math.cos(a), math.sin(a), 0], [-math.sin(a), math.cos(a), 0], [0, 0, 1]])
    turn = flat if lean is None else flat @ lean.T
    rows = tuple((float(row[0]), float(row[1]), float(row[2])) for row in turn)
    low = Cube(center_mm=(at_mm[0], at_mm[1], 0.0), edge_mm=edge_mm, radius_mm=radius_mm, turn=rows)
    height = at_mm[2] - low.lowest_mm
    return Cube(center_mm=(at_mm[0], at_mm[1], height), edge_mm=edge_mm, radius_mm=radius_mm, turn=rows)


def distance(cube: Cube, local_mm: Floats) -> Floats:
    """How far points (n, 3) of the cube's frame are outside its skin (negative inside)."""
    past = np.abs(local_mm) - (cube.edge_mm / 2 - cube.radius_mm)
    outside = np.sqrt(np.einsum("ij,ij->i", np.maximum(past, 0), np.maximum(past, 0)))
    return np.asarray(outside + np.minimum(past.max(axis=1), 0) - cube.radius_mm)


def normals(cube: Cube, local_mm: Floats) -> Floats:
    """Outward directions (n, 3), in the cube's frame, at points of its skin."""
    half = cube.edge_mm / 2 - cube.radius_mm
    away = local_mm - np.clip(local_mm, -half, half)
    return np.asarray(away / np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-12))


def meet(cube: Cube, eye_mm: Floats, rays: Floats) -> Floats:
    """How far along unit rays (n, 3) from points (n, 3) or one point the skin is met; infinite where it is
    missed.

    The distance from a convex body is convex along a ray, so Newton's steps from the near side never pass
    the skin and also reach it where a ray all but grazes a face, where plain sphere tracing gives up and
    thins the body.
    """
    start, along = cube.local(np.atleast_2d(eye_mm)), rays @ cube.axes.T
    start = np.broadcast_to(start, along.shape)
    enter, leave = _box(start, along, cube.edge_mm / 2)
    found = np.full(len(rays), np.inf)
    going = np.flatnonzero((enter <= leave) & (leave > 0))
    at = np.maximum(enter, 0)
    half = cube.edge_mm / 2 - cube.radius_mm
    for _ in range(STEPS):
        if not len(going):
            break
        spot = start[going] + along[going] * at[going, None]
        away = spot - np.clip(spot, -half, half)
        length = np.sqrt(np.einsum("ij,ij->i", away, away))
        free = length - cube.radius_mm
        nearing = -np.einsum("ij,ij->i", away, along[going]) / np.maximum(length, 1e-12)
        close = free < NEAR_MM
        found[going[close]] = at[going[close]]
        on = ~close & (nearing > 0)
        going = going[on]
        at[going] += free[on] / nearing[on]
        going = going[at[going] < leave[going] + NEAR_MM]
    return found


def blocked(cube: Cube, points_mm: Floats, towards_mm: Floats) -> Bools:
    """Whether the body stands between points (n, 3) and what lies `towards_mm` (n, 3) of them."""
    start, along = cube.local(points_mm), towards_mm @ cube.axes.T
    enter, leave = _box(start, along, cube.edge_mm / 2)
    hit = (enter <= leave) & (leave > 0) & (enter < 1)
    some = np.flatnonzero(hit)
    if len(some):
        rays = along[some]
        # The edges are round: the nearest approach to the middle of the chord settles it well enough for a
        # shadow.
        low, high = np.clip(enter[some], 0, 1), np.clip(leave[some], 0, 1)
        depth = np.full(len(some), np.inf)
        for share in (0.15, 0.35, 0.5, 0.65, 0.85):
            spot = start[some] + rays * (low + (high - low) * share)[:, None]
            depth = np.minimum(depth, distance(cube, spot))
        hit[some] = depth < 0
    return hit


def _box(start: Floats, along: Floats, half: float) -> tuple[Floats, Floats]:
    """Where rays enter and leave the sharp cube (the slab method)."""
    safe = np.where(np.abs(along) < 1e-12, 1e-12, along)
    one, other = (-half - start) / safe, (half - start) / safe
    return np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)


def _hull(points: Floats) -> Floats:
    """The convex hull (n, 2), counter-clockwise (A. M. Andrew's chain)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))]
    chains: list[list[Floats]] = []
    for run in (order, order[::-1]):
        chain: list[Floats] = []
        for point in run:
            while len(chain) > 1 and _left(chain[-2], chain[-1], point) <= 1e-9:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _left(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
