"""The second painter's solids as distance functions, and the marching of rays to them.

Boxes with rounded edges (dice, cards, rims), discs (coins), chains of balls (hands, sleeves). Lengths in mm.
"""

from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats

TIGHT_MM = 0.004
STEPS = 300
"""Rays that graze a side come near it slowly; few need more than 20."""


class Solid(Protocol):
    """Something that rays may hit."""

    @property
    def bound(self) -> tuple[Floats, float]:
        """Middle (3,) and radius of a ball round it."""

    def distance(self, points: Floats) -> Floats:
        """How far points (n, 3) are from its surface (n,); negative inside."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Box:
    """A box with rounded edges."""

    middle_mm: Floats
    axes: Floats
    """(3, 3): its own x, y and z as columns."""
    half_mm: Floats
    rounding_mm: float

    @property
    def bound(self) -> tuple[Floats, float]:
        """Middle and radius of a ball round it."""
        inner = float(np.linalg.norm(self.half_mm - self.rounding_mm))
        return self.middle_mm, inner + self.rounding_mm

    def distance(self, points: Floats) -> Floats:
        """Distance (n,) of points from its surface."""
        off = np.abs((points - self.middle_mm) @ self.axes) - (self.half_mm - self.rounding_mm)
        outside = np.sqrt(np.square(np.maximum(off, 0.0)).sum(axis=1))
        return np.asarray(outside + np.minimum(off.max(axis=1), 0.0) - self.rounding_mm)

    @property
    def inner_mm(self) -> Floats:
        """Corners (8, 3) of the box round which the rounding runs."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        return np.asarray(self.middle_mm + (signs * (self.half_mm - self.rounding_mm)) @ self.axes.T)

    @property
    def lowest_mm(self) -> float:
        """Height of its lowest point."""
        return float(self.inner_mm[:, 2].min()) - self.rounding_mm

    @property
    def skeleton_mm(self) -> Floats:
        """Points along its inner edges (n, 3): no other box touches it but within a rounding of them."""
        corners, share = self.inner_mm, np.linspace(0, 1, 33)[:, None]
        pairs = [(i, i | 1 << k) for i in range(8) for k in range(3) if not i >> k & 1]
        return np.concatenate([corners[i] * (1 - share) + corners[j] * share for i, j in pairs])

    def footprint(self) -> Floats:
        """Its vertical projection (n, 2), counter-clockwise."""
        hull = wrap(self.inner_mm[:, :2])
        ahead = np.roll(hull, -1, axis=0) - hull
        facing = np.arctan2(-ahead[:, 0], ahead[:, 1])
        made = []
        for i, corner in enumerate(hull):
            first, last = facing[i - 1], facing[i]
            angles = first + (last - first) % (2 * np.pi) * np.linspace(0, 1, 17)
            made.append(corner + self.rounding_mm * np.stack((np.cos(angles), np.sin(angles)), 1))
        return np.concatenate(made)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coin:
    """A disc lying flat."""

    middle_mm: Floats
    radius_mm: float
    half_height_mm: float

    @property
    def bound(self) -> tuple[Floats, float]:
        """Middle and radius of a ball round it."""
        return self.middle_mm, float(np.hypot(self.radius_mm, self.half_height_mm))

    def distance(self, points: Floats) -> Floats:
        """Distance (n,) of points from its surface."""
        away = points - self.middle_mm
        out = np.hypot(away[:, 0], away[:, 1]) - self.radius_mm + 0.2
        up = np.abs(away[:, 2]) - self.half_height_mm + 0.2
        outside = np.hypot(np.maximum(out, 0), np.maximum(up, 0))
        return np.asarray(outside + np.minimum(np.maximum(out, up), 0) - 0.2)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Limb:
    """Fingers, a palm or a sleeve: round bars that run into each other."""

    starts_mm: Floats
    ends_mm: Floats
    radii_mm: Floats
    bound: tuple[Floats, float] = field(init=False)

    def __post_init__(self) -> None:
        """Work out the ball round it once."""
        points = np.concatenate((self.starts_mm, self.ends_mm))
        middle = (points.min(axis=0) + points.max(axis=0)) / 2
        reach = np.linalg.norm(points - middle, axis=1).max() + self.radii_mm.max()
        object.__setattr__(self, "bound", (middle, float(reach)))

    def distance(self, points: Floats) -> Floats:
        """Distance (n,) of points from its surface."""
        found = np.full(len(points), np.inf)
        for start, end, radius in zip(self.starts_mm, self.ends_mm, self.radii_mm, strict=True):
            along, off = end - start, points - start
            share = np.clip(off @ along / (along @ along), 0, 1)
            found = np.minimum(found, np.linalg.norm(off - share[:, None] * along, axis=1) - radius)
        return found

    def meet(self, starts: Floats, towards: Floats) -> Floats:
        """How far along rays it is met (n,), exactly; infinity where it is not."""
        best = np.full(len(towards), np.inf)
        for start, end, radius in zip(self.starts_mm, self.ends_mm, self.radii_mm, strict=True):
            best = np.minimum(best, _meet_bar(start, end, float(radius), starts, towards))
        return best


def _meet_bar(start: Floats, end: Floats, radius: float, starts: Floats, towards: Floats) -> Floats:
    """How far along rays a bar with round ends is met (n,)."""
    along, off = end - start, starts - start
    squared = float(along @ along)
    slope, begin = towards @ along, off @ along
    inward = np.einsum("ij,ij->i", towards, np.broadcast_to(off, towards.shape))
    away = np.einsum("ij,ij->i", off, off)
    a = np.maximum(squared - slope * slope, 1e-9)
    b = squared * inward - begin * slope
    room = b * b - a * (squared * away - begin * begin - radius * radius * squared)
    at = (-b - np.sqrt(np.maximum(room, 0))) / a
    share = begin + at * slope
    found = np.where((room > 0) & (at > 0) & (share > 0) & (share < squared), at, np.inf)
    for middle in (start, end):
        off = starts - middle
        inward = np.einsum("ij,ij->i", towards, np.broadcast_to(off, towards.shape))
        room = inward * inward - np.einsum("ij,ij->i", off, off) + radius * radius
        at = -inward - np.sqrt(np.maximum(room, 0))
        found = np.where((room > 0) & (at > 0) & (at < found), at, found)
    return found


def wrap(points: Floats) -> Floats:
    """The convex hull (m, 2) of points, counter-clockwise (Andrew's monotone chain)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))]

    def chain(line: Floats) -> list[Floats]:
        kept: list[Floats] = []
        for point in line:
            while len(kept) > 1 and _turns(kept[-2], kept[-1], point) <= 1e-9:
                kept.pop()
            kept.append(point)
        return kept[:-1]

    return np.array(chain(order) + chain(order[::-1]))


def _turns(a: Floats, b: Floats, c: Floats) -> float:
    return float((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))


def march(solid: Solid, starts: Floats, towards: Floats, steps: int = STEPS) -> Floats:
    """How far along rays (n, 3), directions of length 1, a solid is met (n,); infinity where it is not."""
    middle, radius = solid.bound
    off = middle - starts
    along = np.sum(off * towards, axis=1)
    room = radius * radius - (np.sum(off * off, axis=1) - along * along)
    met = np.full(len(towards), np.inf)
    alive = np.flatnonzero((room > 0) & (along > -radius))
    if isinstance(solid, Limb):
        begin = starts if len(starts) == 1 else starts[alive]
        met[alive] = solid.meet(begin, towards[alive])
        return met
    half = np.sqrt(room[alive])
    at, last = np.maximum(along[alive] - half, 0.0), along[alive] + half
    begin = starts if len(starts) > 1 else np.broadcast_to(starts, towards.shape)
    begin, way = begin[alive], towards[alive]
    for _ in range(steps):
        if not len(alive):
            break
        away = solid.distance(begin + way * at[:, None])
        at += away
        done = away < TIGHT_MM
        met[alive[done]] = at[done]
        go = ~done & (at < last)
        alive, at, last, begin, way = alive[go], at[go], last[go], begin[go], way[go]
    return met


def facing(solid: Solid, points: Floats) -> Floats:
    """Outward normals (n, 3) of points on a solid: the gradient of the distance."""
    small = 0.01
    corners = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], np.float64)
    found = sum(corner * solid.distance(points + corner * small)[:, None] for corner in corners)
    found = np.asarray(found)
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12))


def nearest_hit(solids: list[Solid], starts: Floats, towards: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The distance (n,) to the first solid that rays meet, and which it is; -1 where none is."""
    best, which = np.full(len(towards), np.inf), np.full(len(towards), -1, np.int64)
    for i, solid in enumerate(solids):
        met = march(solid, starts, towards)
        closer = met < best
        best[closer], which[closer] = met[closer], i
    return best, which


def gap_between(one: Box, other: Box) -> float:
    """How far two boxes are apart in mm, to about 0.01; negative where they overlap."""
    here = float(other.distance(one.skeleton_mm).min()) - one.rounding_mm
    there = float(one.distance(other.skeleton_mm).min()) - other.rounding_mm
    return min(here, there)
