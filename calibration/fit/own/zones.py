"""From outlines to the zones of a description: painted one over the other, with colour, number and dot."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats
from calibration.description import Dot, PointMm, TableDescription, Zone
from calibration.fit.own.found_sheet import FoundSheet
from calibration.fit.own.outlines import ZoneOutline
from calibration.fit.own.regions import Regions
from calibration.fit.plan_lines import inside, sheet_paint

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
