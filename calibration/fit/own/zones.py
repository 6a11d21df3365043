"""Outlines the zones of a sheet, and describes them: colour, number and dot."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats
from calibration.description import Dot, PointMm, TableDescription, Zone
from calibration.fit.own.found_sheet import FoundSheet, Regions, SheetUnclear
from calibration.fit.plan_lines import inside, sheet_paint

# The outline of each zone as straight sides that meet in corners, in the sheet's own frame, mm.

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


GRID_MM = 4.0
UNCOVERED = 0.02
"""The share of a zone by which a simpler outline may be larger: the grid is no finer."""
LIKE = 0.3
"""The least share of their area that a zone and a known one have in common, both sheets stretched to one
size, for it to have its number."""
DOT_MM = (3.0, 60.0)
DOT_STEP_LAB = 8.0
"""The least difference of the dot's colour from what lies round it."""
ROUND = 0.6
"""The least share of the circle round it that a dot fills."""
STRAIGHT_ON_MM = 0.3
"""A corner that lies no further off the line through its neighbours is none."""
CLEAR_MM = 4.0
"""The distance from a zone's rim within which no dot is looked for."""


@dataclass(frozen=True, slots=True, eq=False)
class PaintedZone:
    """One zone, not numbered yet."""

    corners_mm: Floats
    color: str


def painted_zones(
    regions: Regions, sheet: FoundSheet, outlines: Sequence[ZoneOutline]
) -> tuple[PaintedZone, ...]:
    """The zones in the order in which they are painted, each as simple as what covers it allows."""
    order = sorted(outlines, key=lambda each: -_hull_area(each.corners_mm))
    grid = _grid(sheet.width_mm, sheet.depth_mm)
    half, deep = sheet.width_mm / 2, sheet.depth_mm
    whole = np.array([[-half, 0.0], [half, 0.0], [half, deep], [-half, deep]])
    made: list[PaintedZone] = []
    for place, outline in enumerate(order):
        later = np.zeros(len(grid), bool)
        for other in order[place + 1 :]:
            later |= inside(grid, other.corners_mm)
        own = inside(grid, outline.corners_mm)
        simple = [each for each in (whole, _hull(outline.corners_mm)) if _covers(grid, each, own, later)]
        corners = (simple or [outline.corners_mm])[0]
        made.append(PaintedZone(_counter_clockwise(corners), _hex(regions, outline.number)))
    return tuple(made)


def _covers(grid: Floats, simple: Floats, own: Bools, later: Bools) -> bool:
    """Whether a simpler outline shows no more of a zone than its own, once later zones cover it."""
    extra = inside(grid, simple) & ~own & ~later
    return bool(np.count_nonzero(extra) <= UNCOVERED * np.count_nonzero(own))


def numbered(
    zones: Sequence[PaintedZone], sheet: FoundSheet, known: TableDescription
) -> tuple[tuple[Zone, ...], bool]:
    """The zones with the numbers of a known sheet, and whether these are sure: each lies like one of it."""
    size = np.array([known.end_zone.width_mm / sheet.width_mm, known.end_zone.depth_mm / sheet.depth_mm])
    grid = _grid(sheet.width_mm, sheet.depth_mm)
    own, other = _uppermost(zones, grid), sheet_paint(known, grid * size)
    values = [zone.value for zone in known.end_zone.zone]
    common = np.zeros((len(zones), len(values)))
    for i in range(len(zones)):
        for j in range(len(values)):
            either = np.count_nonzero((own == i) | (other == j))
            common[i, j] = np.count_nonzero((own == i) & (other == j)) / max(int(either), 1)
    best = np.argmax(common, axis=1)
    sure = (
        len(zones) == len(values)
        and len(set(best.tolist())) == len(zones)
        and bool(np.all(common[np.arange(len(zones)), best] >= LIKE))
    )
    chosen = [values[j] for j in best.tolist()] if sure else _by_size(own, len(zones), values)
    told = tuple(
        Zone(value=value, color=zone.color, polygon_mm=_points(zone.corners_mm))
        for zone, value in zip(zones, chosen, strict=True)
    )
    return (_in_known_order(told, known, grid) if sure else told), sure


def _in_known_order(zones: tuple[Zone, ...], known: TableDescription, grid: Floats) -> tuple[Zone, ...]:
    """The zones as the known sheet paints them, one after the other, where that shows the same."""
    values = [zone.value for zone in known.end_zone.zone]
    ordered = tuple(sorted(zones, key=lambda zone: values.index(zone.value)))

    def shows(some: tuple[Zone, ...]) -> list[int]:
        top = _uppermost([PaintedZone(np.array(zone.polygon_mm), zone.color) for zone in some], grid)
        return [some[i].value if i >= 0 else 0 for i in top.tolist()]

    return ordered if shows(ordered) == shows(zones) else zones


def find_dot(regions: Regions, sheet: FoundSheet) -> Dot | None:
    """The roundest spot on the sheet that is of another colour than what lies round it; None where there is
    none."""
    step = regions.flat.step_mm
    best: tuple[float, Dot] | None = None
    for number in sheet.numbers:
        closed = cv2.morphologyEx(regions.mask(number), cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        mask = np.asarray(closed, np.uint8)
        clear = 2 * int(np.ceil(CLEAR_MM / step)) + 1
        held = cv2.erode(mask, np.ones((clear, clear), np.uint8)).astype(bool)
        odd = (_oddness(regions, mask) > DOT_STEP_LAB) & held
        count, _, stats, _ = cv2.connectedComponentsWithStats(odd.astype(np.uint8))
        for spot in range(1, count):
            x, y, wide, high, area = (int(v) for v in stats[spot])
            if not DOT_MM[0] <= max(wide, high) * step <= DOT_MM[1]:
                continue
            fills = area / (np.pi * (max(wide, high) / 2) ** 2)
            if fills < ROUND or min(wide, high) < 0.7 * max(wide, high):
                continue
            middle = regions.places(np.array([[x + (wide - 1) / 2, y + (high - 1) / 2]]))
            at = sheet.own(middle)[0].tolist()
            across = 2 * float(np.sqrt(area / np.pi)) * step
            color = _code(np.median(regions.flat.picture[y : y + high, x : x + wide][
                odd[y : y + high, x : x + wide]
            ], axis=0))  # fmt: skip
            dot = Dot(x_mm=round(at[0], 1), y_mm=round(at[1], 1), diameter_mm=round(across, 1), color=color)
            if best is None or fills * area > best[0]:
                best = (fills * area, dot)
    return None if best is None else best[1]


def _oddness(regions: Regions, mask: NDArray[np.uint8]) -> Floats:
    """How far each pixel's colour (h, w) is from the mean of its region round it."""
    side = 2 * int(DOT_MM[1] / regions.flat.step_mm) + 1
    held = mask.astype(np.float32)
    weight = cv2.boxFilter(held, -1, (side, side), normalize=False)
    mean = cv2.boxFilter(regions.lab * held[..., None], -1, (side, side), normalize=False)
    off = regions.lab - mean / np.maximum(weight, 1.0)[..., None]
    return np.asarray(np.linalg.norm(off, axis=2) * held, np.float64)


def _grid(wide: float, deep: float) -> Floats:
    x, y = np.arange(-wide / 2 + GRID_MM / 2, wide / 2, GRID_MM), np.arange(GRID_MM / 2, deep, GRID_MM)
    return np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float64)


def _uppermost(zones: Sequence[PaintedZone], grid: Floats) -> NDArray[np.int64]:
    found = np.full(len(grid), -1, np.int64)
    for i, zone in enumerate(zones):
        found[inside(grid, zone.corners_mm)] = i
    return found


def _by_size(own: NDArray[np.int64], count: int, values: Sequence[int]) -> list[int]:
    """Numbers for zones that lie like no known ones: the larger the zone, the less it counts."""
    order = np.argsort([-np.count_nonzero(own == i) for i in range(count)])
    steps = [*sorted(values), *(max(values) + 5 * (k + 1) for k in range(count))]
    found = [0] * count
    for value, zone in zip(steps, order.tolist(), strict=False):
        found[zone] = value
    return found


def _hull(corners: Floats) -> Floats:
    """The convex hull (n, 2), without corners that are none."""
    points = cv2.convexHull(corners.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    back, ahead = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
    lever = np.abs(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0])
    kept: Floats = points[lever > STRAIGHT_ON_MM * np.linalg.norm(ahead + back, axis=1)]
    return kept


def _hull_area(corners: Floats) -> float:
    return float(cv2.contourArea(_hull(corners).astype(np.float32)))


def _counter_clockwise(corners: Floats) -> Floats:
    ahead = np.roll(corners, -1, axis=0)
    turning = np.sum(corners[:, 0] * ahead[:, 1] - corners[:, 1] * ahead[:, 0])
    return corners if turning > 0 else corners[::-1]


def _points(corners: Floats) -> tuple[PointMm, ...]:
    return tuple((round(float(x), 2), round(float(y), 2)) for x, y in corners)


def _hex(regions: Regions, number: int) -> str:
    return _code(np.median(regions.flat.picture[regions.numbers == number], axis=0))


def _code(color: Floats) -> str:
    b, g, r = (int(np.clip(round(float(v)), 0, 255)) for v in color)
    return f"#{r:02x}{g:02x}{b:02x}"
