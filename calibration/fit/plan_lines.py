"""The lines that a planned table shows: zone edges and tapes, as straight stretches."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.description import TableDescription
from engine.wording import phrase, phrase_later

SIDES = {
    "front": phrase_later("front of the {zone} zone"),
    "back": phrase_later("back of the {zone} zone"),
    "left side": phrase_later("left side of the {zone} zone"),
    "right side": phrase_later("right side of the {zone} zone"),
}

STEP_MM = 2.0
SHORTEST_MM = 15.0
"""A shorter stretch is no line of its own: it is placed by the sheet as a whole."""
_ASIDE_MM = 0.8
_TAPE, _FLOOR = -2, -3


@dataclass(frozen=True, slots=True, eq=False)
class PlanLine:
    """One straight line of the plan, from `start_mm` along `way`; offsets are measured along `normal`."""

    name: str
    group: str
    """What it belongs to: "sheet", "left", "right" or "halfway"."""
    start_mm: Floats
    way: Floats
    """Unit vector (2,)."""
    length_mm: float
    seen_at_mm: Floats
    """Places along it (n,) at which the paints on its two sides differ, every `STEP_MM`, clear of corners."""
    pair: NDArray[np.int64]
    """A number for the two paints that meet at each of these places (n,); equal numbers mean the same two."""

    @property
    def normal(self) -> Floats:
        """Unit vector (2,), to the left of the way."""
        return np.array([-self.way[1], self.way[0]])

    def at(self, along_mm: Floats, offset_mm: Floats | float = 0.0) -> Floats:
        """Points (n, 2) of the plan."""
        across = np.broadcast_to(np.asarray(offset_mm, np.float64), along_mm.shape)
        found: Floats = self.start_mm + along_mm[:, None] * self.way + across[:, None] * self.normal
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Stretch:
    """One side of a zone."""

    start: Floats
    end: Floats
    name: str


def inside(points: Floats, polygon: Floats) -> NDArray[np.bool_]:
    """Whether points (n, 2) lie in a polygon (m, 2); crossing number."""
    ends = np.roll(polygon, -1, axis=0)
    x, y = points[:, :1], points[:, 1:]
    spans = (polygon[:, 1] > y) != (ends[:, 1] > y)
    rise = np.where(ends[:, 1] == polygon[:, 1], 1.0, ends[:, 1] - polygon[:, 1])
    meets = polygon[:, 0] + (y - polygon[:, 1]) / rise * (ends[:, 0] - polygon[:, 0])
    found: NDArray[np.bool_] = np.count_nonzero(spans & (meets > x), axis=1) % 2 == 1
    return found


def sheet_paint(plan: TableDescription, points: Floats) -> NDArray[np.int64]:
    """Which zone is uppermost at points (n, 2), as an index; -1 beside the sheet."""
    found = np.full(len(points), -1, np.int64)
    for i, zone in enumerate(plan.end_zone.zone):
        found[inside(points, np.array(zone.polygon_mm, np.float64))] = i
    return found


def paint(plan: TableDescription, points: Floats) -> NDArray[np.int64]:
    """The same, and -2 on a tape, -3 on the floor beyond the table."""
    found = sheet_paint(plan, points)
    x, y = points[:, 0], points[:, 1]
    left, right = plan.tape.side_lines_x_mm
    wide, half = plan.tape.width_mm, plan.table.halfway_y_mm
    side = ((x > left) & (x < left + wide)) | ((x < right) & (x > right - wide))
    side &= (y > plan.end_zone.depth_mm) & (y < half)
    across = (np.abs(y - half) < wide / 2) & (x > left) & (x < right)
    found[(found == -1) & (side | across)] = _TAPE
    found[(found == -1) & ((y < 0) | (np.abs(x) > plan.table.surface_width_mm / 2))] = _FLOOR
    return found


def sheet_lines(plan: TableDescription) -> tuple[PlanLine, ...]:
    """The zones' edges as lines; edges of several zones that lie on one line are one."""
    found: list[PlanLine] = []
    left: list[_Stretch] = []
    for zone in plan.end_zone.zone:
        corners = np.array(zone.polygon_mm, np.float64)
        for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            if np.linalg.norm(b - a) >= SHORTEST_MM:
                name = f"{_side((a + b) / 2 - corners.mean(axis=0))} of the {zone.value} zone"
                left.append(_Stretch(a, b, name))
    while left:
        first = left.pop(0)
        start, end = first.start, first.end
        way = (end - start) / np.linalg.norm(end - start)
        normal = np.array([-way[1], way[0]])
        same = [s for s in left if all(abs((p - start) @ normal) < 0.05 for p in (s.start, s.end))]
        left = [s for s in left if not any(s is other for other in same)]
        spans = [(p - start) @ way for s in (first, *same) for p in (s.start, s.end)]
        made = _line(plan, start + way * min(spans), way, float(max(spans) - min(spans)), "sheet", first.name)
        if len(made.seen_at_mm) * STEP_MM >= SHORTEST_MM:
            found.append(made)
    return tuple(found)


def line_words(name: str) -> str:
    """A line for people, by the name that it has in files: "back of the 20 zone"."""
    side, of, zone = name.partition(" of the ")
    if of and side in SIDES:
        return phrase(SIDES[side], zone=zone.removesuffix(" zone"))
    return phrase(name)


def _side(out: Floats) -> str:
    """The word for the side of a zone that lies in this direction (2,) from its middle."""
    if abs(out[0]) > abs(out[1]):
        return "right side" if out[0] > 0 else "left side"
    return "front" if out[1] > 0 else "back"


def tape_lines(plan: TableDescription) -> tuple[PlanLine, ...]:
    """Both edges of the side tapes and of the halfway tape: outer, then inner, of left, right, halfway."""
    left, right = plan.tape.side_lines_x_mm
    wide, half, front = plan.tape.width_mm, plan.table.halfway_y_mm, plan.end_zone.depth_mm
    up, along = np.array([0.0, 1.0]), np.array([1.0, 0.0])
    length = half - wide / 2 - front
    return tuple(
        _line(plan, np.array(start), way, size, group, word)
        for group, word, start, way, size in (
            ("left", phrase_later("outer edge of the left tape"), (left, front), up, length),
            ("left", phrase_later("inner edge of the left tape"), (left + wide, front), up, length),
            ("right", phrase_later("outer edge of the right tape"), (right, front), up, length),
            ("right", phrase_later("inner edge of the right tape"), (right - wide, front), up, length),
            (
                "halfway",
                phrase_later("far edge of the halfway tape"),
                (left, half + wide / 2),
                along,
                right - left,
            ),
            (
                "halfway",
                phrase_later("near edge of the halfway tape"),
                (left, half - wide / 2),
                along,
                right - left,
            ),
        )
    )


def _line(
    plan: TableDescription,
    start: Floats,
    way: Floats,
    length: float,
    group: str,
    name: str,
) -> PlanLine:
    normal = np.array([-way[1], way[0]])
    along = np.arange(STEP_MM / 2, length, STEP_MM)
    points = start + along[:, None] * way
    one, other = (paint(plan, points + side * _ASIDE_MM * normal) for side in (1, -1))
    differs = one != other
    # Keep clear of corners: the paints on both sides must stay the same a little way ahead and behind.
    calm = np.ones(len(along), bool)
    for side in (one, other):
        for shift in (-1, 1):
            calm &= np.roll(side, shift) == side
    calm[[0, -1]] = False
    if group == "sheet":
        # A side tape ends at the sheet, but never quite: a sliver of table may show between them.
        differs &= (one != _TAPE) & (other != _TAPE)
    use = differs & calm
    return PlanLine(name, group, start, way, length, along[use], (one * 1000 + other)[use])


def is_back(line: PlanLine) -> bool:
    """Whether this is the sheet's back edge. It lies on the table's own edge, which is stronger and hides
    it."""
    ends = line.at(np.array([0.0, line.length_mm]))
    return line.group == "sheet" and bool(np.all(np.abs(ends[:, 1]) < 0.05))
