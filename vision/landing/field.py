"""The field of play: its outlines and zones, and which zone a footprint touches.

The painted areas, the side tapes and the halfway tape are cut where they cross; each piece knows the zones on
its left and on its right. A zone is then the set of pieces round it, holes and all.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats
from calibration.description import PointMm
from calibration.table import Laid, LaidDot, LaidTape, TapeName
from engine.wording import phrase, phrase_later

# Plane geometry in millimetres: points, closed outlines, and the distances between them.
#
# Every function takes stacks, for a call looks at hundreds of slightly different footprints at once.


class Apart(NamedTuple):
    """Distances from things to others."""

    mm: Floats
    """Distances (...)."""
    at_mm: Floats
    """The nearest points (..., 2) of the others, at these distances."""

    def least(self) -> "Apart":
        """The shortest distance along the last axis, and its point."""
        which = self.mm.argmin(axis=-1)
        taken = (*np.ix_(*(np.arange(n) for n in which.shape)), which)
        return Apart(self.mm[taken], self.at_mm[taken])


def sides(outline_mm: Floats) -> Floats:
    """The sides (..., n, 2, 2) of closed outlines (..., n, 2), each from its first to its second point."""
    return np.stack([outline_mm, np.roll(outline_mm, -1, axis=-2)], axis=-2)


def apart(points_mm: Floats, segments_mm: Floats) -> Apart:
    """The distances from points (..., m, 2) to segments (..., s, 2, 2): all pairs (..., m, s)."""
    # Each coordinate by itself: numpy is three times as fast on whole planes as on pairs.
    begin, end = segments_mm[..., None, :, 0, :], segments_mm[..., None, :, 1, :]
    begin_x, begin_y = begin[..., 0], begin[..., 1]
    along_x, along_y = end[..., 0] - begin_x, end[..., 1] - begin_y
    x, y = points_mm[..., :, None, 0], points_mm[..., :, None, 1]
    length = np.maximum(along_x * along_x + along_y * along_y, 1e-18)
    part = ((x - begin_x) * along_x + (y - begin_y) * along_y) / length
    np.clip(part, 0.0, 1.0, out=part)
    at_x, at_y = begin_x + part * along_x, begin_y + part * along_y
    return Apart(np.hypot(at_x - x, at_y - y), np.stack([at_x, at_y], axis=-1))


def contain(segments_mm: Floats, points_mm: Floats) -> Bools:
    """Which of the points (..., 2) lie within the closed outline whose sides (n, 2, 2) are given; it may have
    any shape."""
    (x0, y0), (x1, y1) = segments_mm[:, 0].T, segments_mm[:, 1].T
    x, y = points_mm[..., 0, None], points_mm[..., 1, None]
    spans = (y0 <= y) != (y1 <= y)
    # Whether the point is to the left of the side, without a division by its height, which may be next to
    # nothing.
    left = ((x - x0) * (y1 - y0) < (y - y0) * (x1 - x0)) == (y1 > y0)
    inside: Bools = np.logical_xor.reduce(spans & left, axis=-1)  # The even-odd rule.
    return inside


def depth_within(outlines_mm: Floats, points_mm: Floats) -> Apart:
    """How deep points lie in convex counter-clockwise outlines: positive within, minus the distance outside.

    Outlines (k, n, 2) and points (m, 2) give (k, m); `at_mm` is the outline's nearest point.
    """
    edges = sides(outlines_mm)
    found = apart(points_mm, edges).least()
    begin, end = edges[:, None, :, 0], edges[:, None, :, 1]
    left = (end[..., 0] - begin[..., 0]) * (points_mm[:, None, 1] - begin[..., 1])
    left -= (end[..., 1] - begin[..., 1]) * (points_mm[:, None, 0] - begin[..., 0])
    within = left.min(axis=-1) >= 0
    return found._replace(mm=np.where(within, found.mm, -found.mm))


def probe(outlines_mm: Floats) -> Floats:
    """Points (k, m, 2) of convex outlines (k, n, 2): corners, points on long sides, and the middle.

    On a die of 16 mm none is further than 1.7 mm from the next along the outline.
    """
    edges = sides(outlines_mm)
    long = np.linalg.norm(edges[0, :, 1] - edges[0, :, 0], axis=-1) > 1.7
    parts = np.arange(1, 8)[:, None] / 8.0
    begin, end = edges[:, long][:, :, 0], edges[:, long][:, :, 1]
    between = (begin[:, :, None] + parts * (end - begin)[:, :, None]).reshape(len(outlines_mm), -1, 2)
    return np.concatenate([outlines_mm, between, outlines_mm.mean(axis=1, keepdims=True)], axis=1)


def crossings(segments_mm: Floats) -> list[Floats]:
    """For each segment (s, 2, 2) the places (0 to 1, sorted, both ends included) at which others meet it."""
    begin, along = segments_mm[:, 0], segments_mm[:, 1] - segments_mm[:, 0]
    cuts = []
    for at, (origin, step) in enumerate(zip(begin, along, strict=True)):
        length = float(step @ step)
        # Ends of other segments that lie on this one, as where lines of two zones run along each other.
        to = segments_mm.reshape(-1, 2) - origin
        part = to @ step / length
        off = np.abs(to[:, 0] * step[1] - to[:, 1] * step[0]) / np.sqrt(length)
        ends = part[off < 1e-6]
        cross = step[0] * along[:, 1] - step[1] * along[:, 0]
        slanted = np.abs(cross) > 1e-9 * length
        slanted[at] = False
        gap = begin - origin
        safe = np.where(slanted, cross, 1.0)
        here = (gap[:, 0] * along[:, 1] - gap[:, 1] * along[:, 0]) / safe
        there = (gap[:, 0] * step[1] - gap[:, 1] * step[0]) / safe
        met = here[slanted & (there >= 0) & (there <= 1)]
        both = np.concatenate([[0.0, 1.0], ends, met])
        cuts.append(np.unique(np.round(both[(both >= 0) & (both <= 1)], 12)))
    return cuts


Zones = NDArray[np.int64]

TABLE = "table"
"""The name of the line where the sheet ends at the table's edge."""
_HAIR_MM = 1e-5
"""How far beside a line the zones are looked up that its sides belong to."""
_PAST_MM = 0.5
"""How far beside a line the zones are looked up that people name it by: past hair-thin gaps between measured
outlines."""

NO_TAPE: dict[TapeName, str] = {
    "left": phrase_later("The calibration has no left tape; lay it and calibrate the table again."),
    "right": phrase_later("The calibration has no right tape; lay it and calibrate the table again."),
    "halfway": phrase_later("The calibration has no halfway tape; lay it and calibrate the table again."),
}


class FieldError(ValueError):
    """The calibration does not describe a whole field of play; the message says what it lacks."""


@dataclass(frozen=True, eq=False)
class Pieces:
    """All lines, cut where they meet."""

    segments_mm: Floats
    """The pieces' ends (s, 2, 2)."""
    beside: Zones
    """The multipliers on the left and right of each piece (s, 2)."""
    names: NDArray[np.str_]
    """What each piece is called (s): "2|5", "1|2", "0|1", "table"."""

    def __getitem__(self, kept: Bools) -> "Pieces":
        return Pieces(self.segments_mm[kept], self.beside[kept], self.names[kept])


@dataclass(frozen=True, eq=False)
class FieldPart:
    """A part of the field: some of its zones."""

    counts: Bools
    """For each multiplier whether its zone belongs to the part."""
    lines: NDArray[np.intp]
    """The indices of the field's pieces that lie round the part."""


@dataclass(frozen=True, eq=False)
class Field:
    """One End Zone with its lines, ready to be asked. Points are (..., 2), in mm in the table frame."""

    painted: tuple[tuple[int, Floats], ...]
    """Areas in the order of painting, as a multiplier and sides (n, 2, 2). The first is all that is worth 1:
    from the sheet's front, between the tapes' outer edges, to the halfway tape."""
    levels: tuple[int, ...]
    """All multipliers above 0, from the lowest."""
    halfway_mm: Floats
    """The halfway tape's near edge, a line from left to right."""
    pieces: Pieces
    below: int = 0
    """The multiplier where no area is painted."""
    reach_mm: float = math.inf
    """How far round a place this field holds all lines: see `near`."""

    def zone_at(self, points_mm: Floats) -> Zones:
        """The multiplier at each point."""
        return zone_at(self.painted, points_mm, self.below)

    def near(self, place_mm: Floats, reach_mm: float) -> "Field":
        """The same field with only those lines that pass within `reach_mm` of a place (2,), to be quick."""
        here = np.asarray(place_mm)[None]
        below, painted = self.below, []
        for value, outline in self.painted:
            if apart(here, outline).mm.min() < reach_mm:
                painted.append((value, outline))
            elif contain(outline, here)[0]:
                below, painted = value, []
        close = apart(here, self.pieces.segments_mm).mm[0] < reach_mm
        return replace(
            self, painted=tuple(painted), below=below, pieces=self.pieces[close], reach_mm=reach_mm
        )

    @cached_property
    def at_least(self) -> dict[int, FieldPart]:
        """For each multiplier above 0, the part of the field that is worth that much or more."""
        return {v: self._region(tuple(w for w in self.levels if w >= v)) for v in self.levels}

    @cached_property
    def alone(self) -> dict[int, FieldPart]:
        """For each multiplier, the part that is worth just that; 0 is everything out of play."""
        return {v: self._region((v,)) for v in (0, *self.levels)}

    def _region(self, zones: tuple[int, ...]) -> FieldPart:
        counts = np.isin(np.arange(self.levels[-1] + 1), zones)
        within = counts[self.pieces.beside]
        return FieldPart(counts, np.flatnonzero(within[:, 0] != within[:, 1]))


def zone_at(painted: tuple[tuple[int, Floats], ...], points_mm: Floats, below: int = 0) -> Zones:
    """The multiplier at each point (..., 2): that of the area painted last over it, or `below`."""
    found: Zones = np.full(points_mm.shape[:-1], below, np.int64)
    for value, outline in painted:
        found[contain(outline, points_mm)] = value
    return found


def _cut(painted: tuple[tuple[int, Floats], ...], edge_mm: Floats) -> Pieces:
    """The lines round all areas, cut into pieces, with what lies on either side."""
    lines = np.concatenate([outline for _, outline in painted])
    cut = []
    for (begin, end), cuts in zip(lines, crossings(lines), strict=True):
        corners = begin + cuts[:, None] * (end - begin)
        cut.append(np.stack([corners[:-1], corners[1:]], axis=1))
    pieces = np.concatenate(cut)
    pieces = pieces[np.linalg.norm(pieces[:, 1] - pieces[:, 0], axis=-1) > 10 * _HAIR_MM]
    step = pieces[:, 1] - pieces[:, 0]
    normal = np.stack([-step[:, 1], step[:, 0]], axis=-1) / np.linalg.norm(step, axis=-1)[:, None]

    def both_sides(away_mm: float) -> Floats:
        middle = pieces.mean(axis=1)
        return np.stack([middle + away_mm * normal, middle - away_mm * normal], axis=1)

    past = both_sides(_PAST_MM)
    off = np.any(past[..., 1] < along(edge_mm, past[..., 0]), axis=1).tolist()
    seen = np.sort(zone_at(painted, past), axis=1).tolist()
    names = [
        TABLE if beyond and low == 0 else f"{low}|{high}"
        for (low, high), beyond in zip(seen, off, strict=True)
    ]
    return Pieces(pieces, zone_at(painted, both_sides(_HAIR_MM)), np.array(names))


def along(line_mm: Floats, x_mm: Floats) -> Floats:
    """The y at which a line from left to right (n, 2) passes each x; beyond its ends it goes on straight."""
    x, y = line_mm[:, 0], line_mm[:, 1]
    at = np.clip(np.searchsorted(x, x_mm), 1, len(x) - 1)
    slope = (y[at] - y[at - 1]) / (x[at] - x[at - 1])
    found: Floats = y[at - 1] + slope * (x_mm - x[at - 1])
    return found


@lru_cache(maxsize=4)
def field_of(laid: Laid) -> Field:
    """The field of play of one End Zone. Raises `FieldError` when the calibration lacks a line."""
    if not laid.zones:
        raise FieldError(phrase("The calibration has no painted zone; calibrate the table again."))
    outlines = [np.array(zone.polygon_mm, np.float64) for zone in laid.zones]
    left, right = (_line(laid, name).outer_mm for name in ("left", "right"))
    halfway = _ordered(_line(laid, "halfway").inner_mm, 0)
    corners = np.concatenate(outlines)
    left_front, right_front = corners[[(corners @ (-1.0, 1.0)).argmax(), (corners @ (1.0, 1.0)).argmax()], 1]
    to_left, to_right = _side(left, left_front, halfway), _side(right, right_front, halfway)
    between = halfway[(halfway[:, 0] > to_left[-1, 0]) & (halfway[:, 0] < to_right[-1, 0])]
    outlines.insert(0, np.concatenate([to_right, between[::-1], to_left[::-1]]))
    values = (1, *(zone.value for zone in laid.zones))
    painted = tuple(zip(values, map(sides, outlines), strict=True))
    pieces = _cut(painted, _ordered(laid.table_edge_mm, 0))
    return Field(painted, tuple(sorted(set(values))), halfway, pieces)


def _line(laid: Laid, name: TapeName) -> LaidTape:
    tape = next((tape for tape in laid.tapes if tape.name == name), None)
    if tape is None or min(len(tape.outer_mm), len(tape.inner_mm)) < 2:
        raise FieldError(phrase(NO_TAPE[name]))
    return tape


def _ordered(points: tuple[PointMm, ...], axis: int) -> Floats:
    """A line's points by growing x (axis 0) or y (axis 1)."""
    line = np.array(points, np.float64)
    if len(line) < 2:
        raise FieldError(
            phrase("The calibration has a line of fewer than two points; calibrate the table again.")
        )
    kept: Floats = line[np.argsort(line[:, axis], kind="stable")]
    return kept


def _side(outer: tuple[PointMm, ...], front_y: float, halfway: Floats) -> Floats:
    """The sides of the play area along one tape, from the sheet's front up to the halfway tape's near edge,
    lengthened where the tape is short."""
    turned = _ordered(outer, 1)[:, ::-1]
    y = front_y
    for _ in range(20):  # The lines are nearly square to each other: each round leaves a hundredth.
        y = float(along(halfway, along(turned, np.array([y])))[0])
    between = turned[(turned[:, 0] > front_y) & (turned[:, 0] < y), 0]
    places = np.concatenate([[front_y], between, [y]])
    return np.stack([along(turned, places), places], axis=-1)


# Where a footprint lies: the highest zone it touches, how far it reaches in, how far off the next one is.
#
# The rules, in the words of End Zone's rulebook (numbers are those of `engine.end_zone`):
#
# - The highest zone that the die touches counts, seen from straight above. It has to protrude over the line:
#   a die that is even with a line stays below.
# - A die that touches a side line's tape is in play.
# - It is past the halfway line once it is wholly clear of the tape.
#
# All footprints are convex, counter-clockwise outlines in mm in the table frame.

HALFWAY = "halfway"
EVEN_MM = 1e-6
"""Less than this over a line is an error of rounding, and counts as even with it."""


class Reach(NamedTuple):
    """How far each of k footprints reaches over a line; negative: the gap where it falls short of it."""

    mm: Floats
    on_die_mm: Floats
    """The place on each footprint (k, 2) that reaches furthest, or comes nearest."""
    on_line_mm: Floats
    """Its nearest place on the line (k, 2)."""
    names: NDArray[np.str_]
    """The name of that line for each footprint (k)."""


@dataclass(frozen=True, slots=True)
class NearLine:
    """The line that decides: the one at which the smallest motion would change the zone."""

    name: str
    mm: float
    """How far the die reaches over it into its zone (positive), or falls short of the better zone (negative).
    At the halfway tape: how far it is clear, or minus what it lacks."""
    on_die_mm: tuple[float, float]
    on_line_mm: tuple[float, float]
    level: int
    """The multiplier that is won or lost there."""
    halfway: bool = False
    """Whether it is the halfway tape, which a die must clear rather than reach over."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where one die lies."""

    zone: int
    protrusion_mm: float
    """How deep its projection reaches into the zone: the distance of its deepest point from that zone's
    nearest line."""
    gap_mm: float | None
    """How far it is from the next higher zone; None in the highest."""
    near: NearLine
    reaches_mm: tuple[tuple[int, float], ...]
    """For each multiplier above 0, how far it reaches over the lines of what is worth that much or more."""


@dataclass(frozen=True, eq=False)
class _Probed:
    """Footprints (k), the points (m) that stand for each, and the pieces of line (s) near them."""

    outlines_mm: Floats
    points_mm: Floats
    """The points (k, m, 2)."""
    zones: Zones
    """The multiplier at each point (k, m)."""
    lines: Apart
    """The distance from each point to each piece (k, m, s)."""
    corners_mm: Floats
    """The ends of the pieces, two for each (2s, 2)."""
    corners: Apart
    """How deep each of these ends lies in each footprint (k, 2s)."""


def reach(field: Field, outlines_mm: Floats, level: int) -> Reach:
    """How far footprints (k, n, 2) reach over the lines of what is worth `level` or more.

    Positive: it counts at least that much. The figure is continuous, and changes by no more than the die
    moves.
    """
    return _reach(field, _probed(field, outlines_mm), level)


def _probed(field: Field, outlines_mm: Floats) -> _Probed:
    points, pieces = probe(outlines_mm), field.pieces.segments_mm
    corners = pieces.reshape(-1, 2)
    if not len(pieces):
        nothing = Apart(np.empty((len(points), 0)), np.empty((len(points), 0, 2)))
        return _Probed(outlines_mm, points, field.zone_at(points), nothing, corners, nothing)
    lines, held = apart(points, pieces), depth_within(outlines_mm, corners)
    return _Probed(outlines_mm, points, field.zone_at(points), lines, corners, held)


def _reach(field: Field, dice: _Probed, level: int) -> Reach:
    if level != 1:
        return _touch(field, dice, field.at_least[level])
    sheet = _touch(field, dice, field.at_least[field.levels[1]])
    return _furthest(sheet, _open(field, dice, field.at_least[1]))


def cover(dot: LaidDot, outlines_mm: Floats) -> Floats:
    """How far footprints (k, n, 2) reach beyond the dot where that is least, in mm (k); where the dot is in
    sight, minus how far it reaches beyond the footprint.

    It is the depth of the dot's middle within the convex outline, less the dot's radius: a convex outline
    holds a disc exactly when the disc's middle lies at least a radius deep.
    """
    middle = np.array([dot.center_mm])
    return depth_within(outlines_mm, middle).mm[:, 0] - dot.diameter_mm / 2


def stand(field: Field, outline_mm: Floats) -> Standing:
    """Where one footprint (n, 2) lies."""
    die = _probed(field, outline_mm[None])
    found = {level: _reach(field, die, level) for level in field.levels}
    zone = max((level for level in field.levels if found[level].mm[0] > EVEN_MM), default=0)
    higher = [level for level in field.levels if level > zone]
    level = min([*([zone] if zone else []), *higher], key=lambda level: abs(found[level].mm[0]))
    deepest = _deepest(field, die, field.alone[zone], found[zone or 1].on_die_mm)
    gap = _gap(field, die, higher[0]) if higher else None
    reaches = tuple((level, float(found[level].mm[0])) for level in field.levels)
    return Standing(zone, deepest, gap, _near_line(found[level], level), reaches)


def _gap(field: Field, die: _Probed, level: int) -> float:
    """The distance of one footprint from the zone of just that multiplier, mm."""
    alone = field.alone[level]
    found = _open(field, die, alone) if level == 1 else _touch(field, die, alone)
    return max(0.0, -float(found.mm[0]))


def _near_line(found: Reach, level: int) -> NearLine:
    (die_x, die_y), (line_x, line_y) = found.on_die_mm[0].tolist(), found.on_line_mm[0].tolist()
    halfway = bool(found.names[0] == HALFWAY)
    name = "0|1" if halfway else str(found.names[0])
    return NearLine(name, float(found.mm[0]), (die_x, die_y), (line_x, line_y), level, halfway)


def _touch(field: Field, dice: _Probed, region: FieldPart) -> Reach:
    """How far footprints reach into a region; minus their distance from it where they do not touch it."""
    rows = np.arange(len(dice.points_mm))
    within = region.counts[dice.zones]
    if not len(region.lines):  # They lie farther off than `field` goes.
        far = np.where(within[:, 0], field.reach_mm, -field.reach_mm)
        return Reach(far, dice.points_mm[:, 0], dice.points_mm[:, 0], np.full(len(far), ""))
    apart_mm = dice.lines.mm[:, :, region.lines]
    deep = np.where(within, 1.0, -1.0) * apart_mm.min(axis=-1)
    best = deep.argmax(axis=1)
    line = region.lines[apart_mm[rows, best].argmin(axis=-1)]
    names, on_line = field.pieces.names, dice.lines.at_mm[rows, best, line]
    by_die = Reach(deep[rows, best], dice.points_mm[rows, best], on_line, names[line])
    # Where a corner of the zone lies under a flat side of the die, no point of the die tells how far it
    # reaches in; the zone's corner does.
    ends = np.concatenate([2 * region.lines, 2 * region.lines + 1])
    end = ends[dice.corners.mm[:, ends].argmax(axis=1)]
    on_die = dice.corners.at_mm[rows, end]
    return _furthest(by_die, Reach(dice.corners.mm[rows, end], on_die, dice.corners_mm[end], names[end // 2]))


def _open(field: Field, dice: _Probed, region: FieldPart) -> Reach:
    """How far footprints are in play past the halfway tape: within the side lines and clear of the tape,
    whichever is less."""
    return _furthest(_touch(field, dice, region), _clear(field, dice.outlines_mm), least=True)


def _clear(field: Field, outlines_mm: Floats) -> Reach:
    """How far footprints are wholly past the halfway tape's near edge; minus what they lack."""
    line = field.halfway_mm.copy()
    x = np.array([line[0, 0] - 1e4, line[-1, 0] + 1e4])
    run = line[[1, -1]] - line[[0, -2]]
    y = line[[0, -1], 1] + run[:, 1] / run[:, 0] * (x - line[[0, -1], 0])
    line[[0, -1]] = np.stack([x, y], axis=-1)
    found = apart(outlines_mm, np.stack([line[:-1], line[1:]], axis=1)).least()
    past = np.where(outlines_mm[..., 1] < along(field.halfway_mm, outlines_mm[..., 0]), found.mm, -found.mm)
    last = past.argmin(axis=1)
    rows = np.arange(len(past))
    return Reach(
        past[rows, last], outlines_mm[rows, last], found.at_mm[rows, last], np.full(len(past), HALFWAY)
    )


def _furthest(one: Reach, other: Reach, *, least: bool = False) -> Reach:
    """For each footprint the reach that is greater (or less)."""
    second = other.mm < one.mm if least else other.mm > one.mm
    return Reach(
        np.where(second, other.mm, one.mm),
        np.where(second[:, None], other.on_die_mm, one.on_die_mm),
        np.where(second[:, None], other.on_line_mm, one.on_line_mm),
        np.where(second, other.names, one.names),
    )


def _deepest(field: Field, die: _Probed, region: FieldPart, start_mm: Floats) -> float:
    """The depth in a region of a footprint's deepest point, to a hundredth of a mm: found on ever finer grids
    round the best point so far."""
    within = region.counts[die.zones[0]]
    away = die.lines.mm[0][np.ix_(within, region.lines)]
    if len(away) > 2 and len(np.unique(away.argmin(axis=1))) == 1:
        return float(away.min(axis=1).max())  # One line is nearest all over the die: a corner is deepest.
    outline, middle = sides(die.outlines_mm[0]), die.points_mm[0].mean(axis=0)
    size = float(np.abs(die.points_mm[0] - middle).max())
    lines, close = field.pieces.segments_mm[region.lines], field.near(middle, 1.5 * size)
    points = np.concatenate([die.points_mm[0], start_mm, middle + size * _LATTICE])
    best, depth = middle, 0.0
    while size > 5e-3:
        # Points outside the die are brought to its rim, a hair inside because numbers are rounded.
        rim = middle + (1 - 1e-9) * (apart(points, outline).least().at_mm - middle)
        points = np.where(contain(outline, points)[:, None], points, rim)
        deep = np.where(region.counts[close.zone_at(points)], apart(points, lines).mm.min(axis=-1), -1.0)
        at, before = int(deep.argmax()), best
        if deep[at] > depth:
            best, depth = points[at], float(deep[at])
        if float(np.abs(best - before).max()) <= size / 2:  # Otherwise it lies farther that way.
            size *= 0.5
        points = best + size * _LATTICE
    return depth


_LATTICE = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, 9)] * 2), axis=-1).reshape(-1, 2)
