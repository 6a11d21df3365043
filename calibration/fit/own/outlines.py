"""The outline of each zone as straight sides that meet in corners, in the sheet's own frame, mm."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.fit.own.found_sheet import FoundSheet
from calibration.fit.own.regions import Regions
from calibration.fit.own.unclear import SheetUnclear

COARSE_MM = 3.0
"""How far an outline may lie off the straight sides that are laid through it."""
SHORTEST_SIDE_MM, SHORTEST_SLANT_MM = 8.0, 20.0
"""A shorter side, or one that slants, is a corner that a lamp or a crumb cut off."""
STRAIGHT_MM = 0.6
"""How far the points of a straight side lie off it, root mean square: they are a mm apart."""
LEAST_STRAIGHT = 0.8
"""The least share of a zone's outline that is straight: a hand's outline is not."""
LEVEL_DEG = 5.0
"""A side that runs along or across the sheet but for this is meant to."""
SAME_MM = 3.0
"""Sides nearer to each other than this lie on one line."""
TO_EDGE_PX = 1.0
"""A region's outline runs through its outermost pixels; the edge lies by half of the line between two regions
further out, and by half a pixel."""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneOutline:
    """A zone's outline; its corners (n, 2) go round it."""

    number: int
    corners_mm: Floats
    straight: float
    """The share of it that is straight, 0 to 1."""
    area_mm2: float


def zone_outlines(regions: Regions, sheet: FoundSheet) -> tuple[FoundSheet, tuple[ZoneOutline, ...]]:
    """The sheet as large as its rim says, and its zones' outlines; sides on one line lie so exactly.

    Raises `SheetUnclear` where they are not straight.
    """
    rough = [_outline(regions, sheet, number) for number in sheet.numbers]
    columns = _merged([side for each in rough for side in each.levels(0)])
    rows = _merged([side for each in rough for side in each.levels(1)])
    if len(columns) < 2 or len(rows) < 2:
        raise SheetUnclear("crooked")
    (left, *_, right), (back, *_, front) = columns.tolist(), rows.tolist()
    middle = np.array([(left + right) / 2, back])
    settled = replace(
        sheet,
        origin_mm=sheet.origin_mm + middle[0] * sheet.right + back * sheet.forward,
        width_mm=right - left,
        depth_mm=front - back,
    )
    made = [each.settled((columns, rows), float(regions.areas_mm2[each.number])) for each in rough]
    shared = _shared(np.concatenate([each.corners_mm for each in made]))
    for each in made:
        if each.straight < LEAST_STRAIGHT:
            raise SheetUnclear("crooked", sheet.places(each.corners_mm))
    return settled, tuple(replace(each, corners_mm=shared(each.corners_mm) - middle) for each in made)


def _shared(corners: Floats) -> Callable[[Floats], Floats]:
    """What puts corners (n, 2) of neighbouring zones that are nearly one into one place: their mean."""

    def settle(some: Floats) -> Floats:
        near = np.linalg.norm(corners[None] - some[:, None], axis=2) < SAME_MM
        found: Floats = np.stack([corners[row].mean(axis=0) for row in near])
        return found

    return settle


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """A straight side: a point of it, its direction, its length, how far its points lie off it."""

    at: Floats
    way: Floats
    length_mm: float
    off_mm: float

    @property
    def level(self) -> int | None:
        """0: it runs along the sheet, so x is the same all along it; 1: across it; None: it slants."""
        slant = np.degrees(np.arctan2(np.abs(self.way), np.abs(self.way[::-1])))
        flat = np.flatnonzero(slant < LEVEL_DEG)
        return int(flat[0]) if len(flat) else None

    @property
    def counts(self) -> bool:
        """Whether it is long enough to be a side."""
        return self.length_mm >= (SHORTEST_SLANT_MM if self.level is None else SHORTEST_SIDE_MM)


@dataclass(frozen=True, slots=True, eq=False)
class _RoughZone:
    number: int
    sides: tuple[_Side, ...]

    def levels(self, axis: int) -> list[tuple[float, float]]:
        """Pairs of place and length, mm, of the sides that run along (0) or across (1)."""
        return [(float(side.at[axis]), side.length_mm) for side in self.sides if side.level == axis]

    def settled(self, lines: tuple[Floats, Floats], area_mm2: float) -> ZoneOutline:
        """The outline with its level sides on the lines (n,) of each axis."""
        sides = [_on_line(side, lines) for side in self.sides]
        corners = [_meet(sides[i - 1], side) for i, side in enumerate(sides)]
        whole = sum(side.length_mm for side in sides)
        straight = sum(side.length_mm for side in sides if side.off_mm < STRAIGHT_MM)
        return ZoneOutline(self.number, np.array(corners), straight / max(whole, 1e-9), area_mm2)


def _outline(regions: Regions, sheet: FoundSheet, number: int) -> _RoughZone:
    """One region's outline as straight sides, each moved out to the edge."""
    mask = cv2.morphologyEx(regions.mask(number), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    pixels = max(contours, key=len).reshape(-1, 2).astype(np.float64)
    points = sheet.own(regions.places(pixels))
    cuts = _cuts(points)
    sides = [
        _fitted(points, a, b, regions.flat.step_mm) for a, b in zip(cuts, [*cuts[1:], cuts[0]], strict=True)
    ]
    return _RoughZone(number, _without_kinks([side for side in sides if side.counts]))


def _cuts(points: Floats) -> list[int]:
    """Where the outline (n, 2) turns: indices of its corners, in order."""
    closed = points.astype(np.float32).reshape(-1, 1, 2)
    corners = cv2.approxPolyDP(closed, COARSE_MM, closed=True).reshape(-1, 2)
    return sorted({int(np.argmin(np.sum((points - corner) ** 2, axis=1))) for corner in corners})


def _fitted(points: Floats, start: int, end: int, step_mm: float) -> _Side:
    """The straight line through the points from one corner to the next, clear of both."""
    count = (end - start) % len(points) or len(points)
    run = points[(start + np.arange(count + 1)) % len(points)]
    clear = min(int(0.15 * len(run)), 8)
    held = run[clear : len(run) - clear] if len(run) - 2 * clear >= 2 else run
    middle = held.mean(axis=0)
    _, _, axes = np.linalg.svd(held - middle)
    way = axes[0] * (1.0 if axes[0] @ (run[-1] - run[0]) >= 0 else -1.0)
    out = np.array([way[1], -way[0]]) * _turning(points)
    off = (held - middle) @ out
    return _Side(
        at=middle + out * TO_EDGE_PX * step_mm,
        way=np.asarray(way, np.float64),
        length_mm=float(np.linalg.norm(run[-1] - run[0])),
        off_mm=float(np.sqrt(np.mean(off**2))),
    )


def _turning(points: Floats) -> float:
    """1 where the outline goes counter-clockwise in its frame, -1 where clockwise."""
    ahead = np.roll(points, -1, axis=0)
    return float(np.sign(np.sum(points[:, 0] * ahead[:, 1] - points[:, 1] * ahead[:, 0])))


def _without_kinks(sides: list[_Side]) -> tuple[_Side, ...]:
    """The sides, those that go on in the same direction on the same line joined."""
    kept: list[_Side] = []
    for side in sides:
        if kept and _same(kept[-1], side):
            kept[-1] = _joined(kept[-1], side)
        else:
            kept.append(side)
    if len(kept) > 1 and _same(kept[-1], kept[0]):
        kept[0] = _joined(kept.pop(), kept[0])
    return tuple(kept)


def _same(one: _Side, other: _Side) -> bool:
    """Whether two sides lie on one line."""
    normal = np.array([-one.way[1], one.way[0]])
    return bool(one.way @ other.way > np.cos(np.radians(12)) and abs((other.at - one.at) @ normal) < SAME_MM)


def _joined(one: _Side, other: _Side) -> _Side:
    length = one.length_mm + other.length_mm
    share = one.length_mm / length
    way = one.way * share + other.way * (1 - share)
    return _Side(
        at=one.at * share + other.at * (1 - share),
        way=way / np.linalg.norm(way),
        length_mm=length,
        off_mm=max(one.off_mm, other.off_mm),
    )


def _merged(levels: Sequence[tuple[float, float]]) -> Floats:
    """The lines (n,) in order on which level sides at these places lie: their means, weighted by length."""
    clusters: list[list[tuple[float, float]]] = []
    for place, length in sorted(levels):
        if clusters and place - clusters[-1][-1][0] < SAME_MM:
            clusters[-1].append((place, length))
        else:
            clusters.append([(place, length)])
    return np.array([
        np.average([place for place, _ in some], weights=[length for _, length in some]) for some in clusters
    ])  # fmt: skip


def _on_line(side: _Side, lines: tuple[Floats, Floats]) -> _Side:
    axis = side.level
    if axis is None:
        return side
    at, way = side.at.copy(), np.zeros(2)
    at[axis] = lines[axis][np.argmin(np.abs(lines[axis] - side.at[axis]))]
    way[1 - axis] = np.sign(side.way[1 - axis])
    return _Side(at, way, side.length_mm, side.off_mm)


def _meet(one: _Side, other: _Side) -> Floats:
    """The corner in which two sides meet."""
    ways = np.column_stack([one.way, -other.way])
    if abs(np.linalg.det(ways)) < 0.05:
        return np.asarray((one.at + other.at) / 2, np.float64)
    found: Floats = one.at + np.linalg.solve(ways, other.at - one.at)[0] * one.way
    return found
