"""Where a footprint lies: the highest zone it touches, how far it reaches in, how far off the next one is.

The rules, in the words of End Zone's rulebook (numbers are those of `engine.end_zone`):

- The highest zone that the die touches counts, seen from straight above. It has to protrude over the line: a
  die that is even with a line stays below.
- A die that touches a side line's tape is in play.
- It is past the halfway line once it is wholly clear of the tape.

All footprints are convex, counter-clockwise outlines in mm in the table frame.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.laid import LaidDot
from vision.landing.field import Field, FieldPart, Zones, along
from vision.landing.outline import Apart, apart, contain, depth_within, probe, sides

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
    return Standing(zone, deepest, gap, _line(found[level], level), reaches)


def _gap(field: Field, die: _Probed, level: int) -> float:
    """The distance of one footprint from the zone of just that multiplier, mm."""
    alone = field.alone[level]
    found = _open(field, die, alone) if level == 1 else _touch(field, die, alone)
    return max(0.0, -float(found.mm[0]))


def _line(found: Reach, level: int) -> NearLine:
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
