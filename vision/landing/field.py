"""The field of play as it lies on the table: every line, with what lies on either side of it.

The painted areas, the side tapes and the halfway tape are cut where they cross; each piece knows the zones on
its left and on its right. A zone is then the set of pieces round it, holes and all.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats
from calibration.description import PointMm
from calibration.laid import Laid, LaidTape, TapeName
from engine.wording import phrase, phrase_later
from vision.landing.outline import apart, contain, crossings, sides

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
