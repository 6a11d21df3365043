"""Finds the regions that make up the sheet, and which of its sides is the back.

A sheet is a rectangle of two or more colours, wholly in the picture, none of which is the table's beside it.
Of several such rectangles (its zones make smaller ones) it is the largest. Its back lies on the table's edge,
so behind it there is no table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Singles
from calibration.fit.sheet import Flat
from calibration.trouble import CalibrationError
from engine.wording import phrase, phrase_later

# Parts of the table that are of one colour each, in the picture as if seen from straight above.
#
# Where colours change fast runs an edge; what lies between edges is the core of a region, and from the cores
# a watershed (F. Meyer 1992) fills the picture up to the edges. Light that fades slowly makes no edge.

STEEPEST = 1.3
"""The change of colour in CIE L*a*b* a mm from which on there is an edge: zones that people tell apart by 15
change by 5 where they meet, grain and a lamp's fading by less than 1."""
SMALLEST_MM2 = 150.0
"""A smaller core is no region of its own: a crumb, the dot, the ruler's lines on a board."""
UNSEEN = 1
"""The region of all that the camera does not see."""
SPECKS = 5
"""The side in pixels within which single specks are passed over."""
NEXT_PX = 3
"""Two regions meet where they are so near to each other: the watershed leaves a line between them."""


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The table cut into regions by colour; pixels of `flat`."""

    flat: Flat
    numbers: NDArray[np.int32]
    """Which region each pixel (h, w) belongs to, from `UNSEEN` on; -1 on the lines between them."""
    lab: Singles
    """The picture in CIE L*a*b* (h, w, 3), without specks."""
    colors: Floats
    """The median colour (n, 3) of each region, by number."""
    areas_mm2: Floats
    """How large each is (n,), by number."""
    borders_mm: Floats
    """How long each two of them meet (n, n), mm."""

    def mask(self, *numbers: int) -> NDArray[np.uint8]:
        """1 where one of these regions is (h, w)."""
        return np.isin(self.numbers, numbers).astype(np.uint8)

    def places(self, pixels: Floats) -> Floats:
        """Pixels (n, 2) as places (n, 2) on the plane, mm."""
        found: Floats = pixels * self.flat.step_mm + self.flat.origin
        return found


def find_regions(flat: Flat) -> Regions:
    """Cut the flat picture into regions of one colour each."""
    codes = np.clip(flat.picture, 0, 255).astype(np.uint8)
    soft = np.asarray(cv2.medianBlur(codes, SPECKS), np.uint8)
    share = soft.astype(np.float32) / np.float32(255)
    lab = np.asarray(cv2.cvtColor(share, cv2.COLOR_BGR2Lab), np.float32)
    edge = (_steepness(lab) > STEEPEST * flat.step_mm) | ~flat.seen
    core = (cv2.dilate(edge.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0).astype(np.uint8)
    count, cores, stats, _ = cv2.connectedComponentsWithStats(core, connectivity=4)
    large = stats[:, cv2.CC_STAT_AREA] * flat.step_mm**2 >= SMALLEST_MM2
    large[0] = False
    named = np.zeros(count, np.int32)
    named[large] = np.arange(UNSEEN + 1, UNSEEN + 1 + np.count_nonzero(large))
    seeds = named[cores]
    seeds[~flat.seen] = UNSEEN
    numbers = np.asarray(cv2.watershed(soft, seeds.astype(np.int32)), np.int32)
    many = int(named.max(initial=UNSEEN)) + 1
    return Regions(
        flat=flat,
        numbers=numbers,
        lab=lab,
        colors=_colors(lab, numbers, many),
        areas_mm2=np.bincount(numbers[numbers > 0], minlength=many).astype(np.float64) * flat.step_mm**2,
        borders_mm=_borders(numbers, many) * flat.step_mm,
    )


def _steepness(lab: Singles) -> Singles:
    """How fast colour changes (h, w), a pixel."""
    soft = cv2.GaussianBlur(lab, (0, 0), 0.8)
    gx, gy = (cv2.Sobel(soft, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1)))
    return np.asarray(np.sqrt(np.sum(gx**2 + gy**2, axis=2)), np.float32)


def _colors(lab: Singles, numbers: NDArray[np.int32], many: int) -> Floats:
    flat, colors = numbers.ravel(), lab.reshape(-1, 3)
    order = np.argsort(flat, kind="stable")
    ends = np.searchsorted(flat[order], np.arange(many + 1))
    found = np.zeros((many, 3))
    for number in range(UNSEEN + 1, many):
        own = order[ends[number] : ends[number + 1]]
        if len(own):
            found[number] = np.median(colors[own], axis=0)
    return found


def _borders(numbers: NDArray[np.int32], many: int) -> Floats:
    """How many pixels long each two regions (n, n) meet."""
    found = np.zeros(many * many, np.int64)
    for one, other in (
        (numbers[:, :-NEXT_PX], numbers[:, NEXT_PX:]),
        (numbers[:-NEXT_PX], numbers[NEXT_PX:]),
    ):
        meet = (one > 0) & (other > 0) & (one != other)
        found += np.bincount(one[meet] * many + other[meet], minlength=many * many)
    pairs = found.reshape(many, many)
    # Each place of a border is passed by as many steps as a step is long.
    return np.asarray((pairs + pairs.T) / NEXT_PX, np.float64)


# Why no sheet could be told in a picture.

Reason = Literal["none", "covered", "crooked", "edge"]
WORDS: Mapping[Reason, str] = {
    "none": phrase_later(
        "No sheet is seen: a rectangle of several colours, wholly in the picture, none of them the table’s. "
        "Let the camera see the whole sheet, avoid glare, or describe the table by hand."
    ),
    "covered": phrase_later(
        "Something lies on the sheet or over its rim, or a lamp mirrors in it: no whole rectangle of colours "
        "is seen. Take everything off the table, hands as well, and measure again."
    ),
    "edge": phrase_later(
        "The table’s edge behind the sheet is not to be told in the picture, and lines are measured from it. "
        "Let the camera see it with a floor of another colour behind it, or describe the table by hand."
    ),
    "crooked": phrase_later(
        "Something lies on a line of the sheet where the picture is shaded red, or a zone there has no "
        "straight sides. Take it off and measure again, or describe the table by hand."
    ),
}


class SheetUnclear(CalibrationError):
    """No sheet can be told, or not all of it."""

    def __init__(self, reason: Reason, around_mm: Floats | None = None) -> None:
        """`around_mm`: what is in doubt, as an outline (n, 2) on the plane."""
        super().__init__(phrase(WORDS[reason]))
        self.reason: Reason = reason
        self.around_mm: Floats = np.empty((0, 2)) if around_mm is None else around_mm
        self.around_px: tuple[tuple[float, float], ...] = ()
        """The same in the picture, once it is known how the camera hangs."""


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
    left = _median_color_of(regions, sheet, (-half - far, -half - near), (0.1 * deep, 0.9 * deep))
    right = _median_color_of(regions, sheet, (half + near, half + far), (0.1 * deep, 0.9 * deep))
    front = _median_color_of(regions, sheet, (-0.5 * half, 0.5 * half), (deep + near, deep + far))
    back = _median_color_of(regions, sheet, (-0.9 * half, 0.9 * half), (-far, -near))

    def apart(one: Floats, other: Floats) -> float:
        return min(float(np.linalg.norm(one - other)), 60.0)

    table = (left + right) / 2
    tapes = [
        _median_color_of(
            regions, sheet, (side * half - 9.0, side * half + 9.0), (deep + near, deep + 3 * far)
        )
        for side in (-1, 1)
    ]
    taped = min(apart(tape, front) for tape in tapes)
    return apart(back, table) + taped - apart(left, right) - apart(front, table)


def _median_color_of(
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
