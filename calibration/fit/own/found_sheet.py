"""Finds which regions make up the sheet, and which of its sides is the back.

A sheet is a rectangle of two or more colours, wholly in the picture, none of which is the table's beside it.
Of several such rectangles (its zones make smaller ones) it is the largest. Its back lies on the table's edge,
so behind it there is no table.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Bools, Floats
from calibration.fit.own.regions import UNSEEN, Regions
from calibration.fit.own.unclear import SheetUnclear

LEAST_ZONE_MM2 = 400.0
MOST_CANDIDATES = 12
TAPE_LIKE = 80.0
"""A region as slim as that is no zone to begin with: the tapes hang on the sheet as a zone does."""
SHORTEST_SIDE_MM, LONGEST_SIDE_MM = 100.0, 1000.0
RECTANGULAR, PARTLY = 0.965, 0.6
"""The least share of its smallest rectangle that a sheet fills; with less, down to the second, something lies
on it."""
MOST_HIDDEN = 0.6
"""A whole rectangle that is less than this share of a larger one, which is not whole, is but a zone of it."""
WHOLLY = 0.9
"""The least share of a zone that lies within the sheet's rectangle."""
ALIKE_LAB = 7.0
"""Colours nearer to each other than this are one."""
MOST_ALIKE = 0.15
"""The share of a sheet's rim along which what lies beside it may have a zone's colour: a tape may, a table
may not."""
TABLE_PART_MM2 = 20_000.0
"""From here on a region of a zone's colour counts wherever it lies."""
MOST_OF_ONE = 0.4
"""The share of a sheet that three zones of one colour may make up."""
TOUCHING_MM = 12.0
"""Two regions are neighbours from so long a border on."""
BESIDE_MM = (6.0, 24.0)
"""From where to where beside the sheet its surroundings are looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundSheet:
    """The sheet's regions, and its own frame on the plane: the back's middle is the origin, +y points to the
    front."""

    numbers: tuple[int, ...]
    origin_mm: Floats
    """Where the middle of its back lies on the plane (2,)."""
    forward: Floats
    """Unit vector (2,) from back to front."""
    width_mm: float
    depth_mm: float

    @property
    def right(self) -> Floats:
        """Unit vector (2,) along the back."""
        return np.array([self.forward[1], -self.forward[0]])

    def own(self, places: Floats) -> Floats:
        """Places (n, 2) of the plane in the sheet's own frame."""
        found: Floats = (places - self.origin_mm) @ np.stack([self.right, self.forward], axis=1)
        return found

    def places(self, own: Floats) -> Floats:
        """Places (n, 2) of the sheet's own frame on the plane."""
        found: Floats = self.origin_mm + own @ np.stack([self.right, self.forward])
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    numbers: tuple[int, ...]
    corners: Floats
    """Corners of the smallest rectangle round them, pixels (4, 2)."""
    area: float
    filled: float
    """The share of that rectangle which they fill."""


def choose_sheet(regions: Regions) -> FoundSheet:
    """The sheet among the regions. Raises `SheetUnclear` where there is none, or something lies on it."""
    groups = [_grouped(regions, some) for some in _hanging_together(regions)]
    groups = [group for group in groups if group.filled >= PARTLY]
    groups.sort(key=lambda group: -group.area)
    largest, whole = None, None
    for group in groups:
        held = _with_what_it_holds(regions, group)
        if _is_the_table_s(regions, held.numbers):
            continue
        largest = largest or held
        if held.filled >= RECTANGULAR:
            whole = held
            break
    if largest is None:
        raise SheetUnclear("none")
    if whole is None or whole.area < MOST_HIDDEN * largest.area:
        raise SheetUnclear("covered")
    return _oriented(regions, whole)


def _with_what_it_holds(regions: Regions, group: _Group) -> _Group:
    """The group with all that lies wholly inside its outline, too."""
    held = _inside(regions, group)
    inner = np.bincount(regions.numbers[held & (regions.numbers > 0)], minlength=len(regions.areas_mm2))
    share = inner * regions.flat.step_mm**2 / np.maximum(regions.areas_mm2, 1.0)
    own = (share > WHOLLY) & (regions.areas_mm2 >= LEAST_ZONE_MM2)
    own[: UNSEEN + 1] = False
    return replace(group, numbers=tuple(int(number) for number in np.flatnonzero(own)))


def _inside(regions: Regions, group: _Group) -> Bools:
    held = np.zeros(regions.numbers.shape, np.uint8)
    cv2.fillConvexPoly(held, np.rint(group.corners).astype(np.int32), 1)
    return held > 0


def _is_the_table_s(regions: Regions, some: tuple[int, ...]) -> bool:
    """Whether a group holds a part of the table.

    Sheet and tapes cut the table in parts of one colour: some lie in such a group, and others beside it, or
    three of them make up much of it.
    """
    areas, colors, members = regions.areas_mm2, regions.colors, list(some)
    alike = np.linalg.norm(colors[:, None] - colors[None], axis=2) < ALIKE_LAB
    others = [n for n in range(UNSEEN + 1, len(areas)) if n not in some]
    like_own = alike[np.ix_(members, others)].any(axis=0)
    rim = regions.borders_mm[np.ix_(members, others)].sum(axis=0)
    large = areas[others] > TABLE_PART_MM2
    slim = np.array([_slimness(regions, number) > TAPE_LIKE for number in others], bool)
    outside = like_own & ~slim & ((rim > MOST_ALIKE * rim.sum()) | large)
    own = alike[np.ix_(members, members)]
    parts = (own.sum(axis=0) >= 3) & (own @ areas[members] > MOST_OF_ONE * areas[members].sum())
    return len(some) < 2 or bool(outside.any() or parts.any())


def _hanging_together(regions: Regions) -> list[tuple[int, ...]]:
    """All sets of two or more regions that hang together, wholly in the picture."""
    areas, borders = regions.areas_mm2, regions.borders_mm
    inside = [
        number
        for number in range(UNSEEN + 1, len(areas))
        if areas[number] >= LEAST_ZONE_MM2
        and borders[number, UNSEEN] < TOUCHING_MM
        and _slimness(regions, number) < TAPE_LIKE
    ]
    inside = sorted(inside, key=lambda number: -areas[number])[:MOST_CANDIDATES]
    meets = borders >= TOUCHING_MM
    found = []
    for bits in range(1, 1 << len(inside)):
        some = [number for place, number in enumerate(inside) if bits >> place & 1]
        if len(some) > 1 and _hang_together(some, meets):
            found.append(tuple(some))
    return found


def _slimness(regions: Regions, number: int) -> float:
    """A region's area over the square of its largest inner circle's radius: 3 for a disc, 260 for tapes."""
    mask = cv2.copyMakeBorder(regions.mask(number), 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0)
    radius_mm = float(cv2.distanceTransform(mask, cv2.DIST_L2, 3).max()) * regions.flat.step_mm
    return float(regions.areas_mm2[number]) / max(radius_mm, 0.5) ** 2


def _hang_together(some: list[int], meets: Bools) -> bool:
    reached, left = {some[0]}, set(some[1:])
    while grown := {each for each in left if any(meets[each, one] for one in reached)}:
        reached |= grown
        left -= grown
    return not left


def _grouped(regions: Regions, some: tuple[int, ...]) -> _Group:
    mask = cv2.morphologyEx(regions.mask(*some), cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    outline = max(contours, key=len)
    rectangle = cv2.minAreaRect(outline)
    wide, high = (float(side) for side in rectangle[1])
    step = regions.flat.step_mm
    short, long = sorted((wide * step, high * step))
    fits = short >= SHORTEST_SIDE_MM and long <= LONGEST_SIDE_MM
    filled = cv2.contourArea(outline) / max(wide * high, 1.0) if fits else 0.0
    corners = np.asarray(cv2.boxPoints(rectangle), np.float64)
    return _Group(some, corners, wide * high * step**2, filled)


def _oriented(regions: Regions, group: _Group) -> FoundSheet:
    """The sheet with the one of four sides as its back behind which there is no table."""
    corners = regions.places(group.corners)
    best: tuple[float, FoundSheet] | None = None
    for turn in range(4):
        a, b, c = (corners[(turn + k) % 4] for k in range(3))
        # Corners go clockwise or counter-clockwise: the back is the side from a to b, the front beyond c.
        forward = (c - b) / np.linalg.norm(c - b)
        sheet = FoundSheet(
            numbers=group.numbers,
            origin_mm=(a + b) / 2,
            forward=forward,
            width_mm=float(np.linalg.norm(b - a)),
            depth_mm=float(np.linalg.norm(c - b)),
        )
        score = _back_score(regions, sheet)
        if best is None or score > best[0]:
            best = (score, sheet)
    assert best is not None  # noqa: S101 - four were tried
    return best[1]


def _back_score(regions: Regions, sheet: FoundSheet) -> float:
    """How well the surroundings fit: table on both sides and, between tapes, before it; else behind it."""
    half, deep = sheet.width_mm / 2, sheet.depth_mm
    near, far = BESIDE_MM
    left = _seen(regions, sheet, (-half - far, -half - near), (0.1 * deep, 0.9 * deep))
    right = _seen(regions, sheet, (half + near, half + far), (0.1 * deep, 0.9 * deep))
    front = _seen(regions, sheet, (-0.5 * half, 0.5 * half), (deep + near, deep + far))
    back = _seen(regions, sheet, (-0.9 * half, 0.9 * half), (-far, -near))

    def apart(one: Floats, other: Floats) -> float:
        return min(float(np.linalg.norm(one - other)), 60.0)

    table = (left + right) / 2
    tapes = [
        _seen(regions, sheet, (side * half - 9.0, side * half + 9.0), (deep + near, deep + 3 * far))
        for side in (-1, 1)
    ]
    taped = min(apart(tape, front) for tape in tapes)
    return apart(back, table) + taped - apart(left, right) - apart(front, table)


def _seen(
    regions: Regions, sheet: FoundSheet, across: tuple[float, float], along: tuple[float, float]
) -> Floats:
    """The median colour (3,) of a rectangle in the sheet's own frame."""
    grid = np.stack(np.meshgrid(np.linspace(*across, 9), np.linspace(*along, 25)), axis=-1).reshape(-1, 2)
    places = sheet.origin_mm + grid[:, :1] * sheet.right + grid[:, 1:] * sheet.forward
    high, wide = regions.numbers.shape
    spots = np.rint((places - regions.flat.origin) / regions.flat.step_mm).astype(int)
    spots = np.clip(spots, 0, (wide - 1, high - 1))
    found: Floats = np.median(regions.lab[spots[:, 1], spots[:, 0]], axis=0).astype(np.float64)
    return found
