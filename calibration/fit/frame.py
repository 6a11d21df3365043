"""Finds the table's frame: y = 0 along the table's outer edge as it is seen, x = 0 in the middle of it.

The sheet never lies quite on its plan, so it may not fix the frame unless nothing better is in the picture.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import TableDescription
from calibration.fit.lines import Measured, measure_line
from calibration.fit.plan_lines import STEP_MM, PlanLine
from calibration.fit.sheet import PlanPose
from calibration.view import View
from engine.wording import phrase, phrase_later

EDGE_REACH_MM = 25.0
SIDE_REACH_MM = 30.0
SHORTEST_EDGE_MM = 80.0
"""The shortest stretch of the table's edge that is believed."""
BESIDE_MM = 6.0
"""The distance kept from the sheet's corners."""


@dataclass(frozen=True, slots=True, eq=False)
class TableFrame:
    """Where the table's frame lies on the plane, and what it rests on."""

    placed: PlanPose
    """The frame's origin and turn, in the plane of the boards: puts table millimetres on that plane."""
    edge: Measured | None
    """The table's outer edge, where it was seen."""
    sides: tuple[Measured, ...]
    """The table's long edges, where both were seen: left, right."""
    notes: tuple[str, ...]


def find_frame(
    picture: Picture,
    view: View,
    plan: TableDescription,
    sheet: PlanPose,
    lines: tuple[Measured, ...],
) -> TableFrame:
    """The frame, from the table's edges in the picture or else from the `lines` of sheet and tapes."""
    edge = _table_edge(picture, view, plan, sheet)
    sides = _side_edges(picture, view, plan, sheet)
    notes = []
    if edge is not None:
        origin, way = _straight(edge)
    else:
        origin, way = _back_of_sheet(sheet, lines)
        notes.append(
            phrase("The table's outer edge is not to be told in the picture: the sheet's back edge is y = 0.")
        )
    if sides:
        meets = [_meeting(origin, way, *_straight(side)) for side in sides]
        middle = (meets[0] + meets[1]) / 2
    else:
        middle = _middle_of_lines(origin, way, lines, sheet)
        notes.append(
            phrase("The table's side edges are not both seen: x = 0 is the middle of sheet and tapes.")
        )
    turn = float(np.arctan2(way[1], way[0]))
    x, y = middle.tolist()
    return TableFrame(PlanPose(x, y, turn), edge, sides, tuple(notes))


def in_frame(view: View, placed: PlanPose) -> View:
    """The view whose table frame lies at `placed` in the plane of the given one."""
    own = np.eye(3)
    own[:2, :2] = placed.matrix
    rotation, _ = cv2.Rodrigues(view.turn @ own)
    way = view.turn @ np.array([placed.x_mm, placed.y_mm, 0.0]) + np.array(view.translation_mm)
    (a, b, c), (d, e, f) = np.asarray(rotation).ravel().tolist(), way.tolist()
    return replace(view, rotation=(a, b, c), translation_mm=(d, e, f))


def within(placed: PlanPose, points: Floats) -> Floats:
    """Points (n, 2) of the plane, in the frame that lies at `placed`."""
    found: Floats = (points - (placed.x_mm, placed.y_mm)) @ placed.matrix
    return found


def edge_line(name: str, start: Floats, way: Floats, along: Floats) -> PlanLine:
    """A line of the table itself, to be looked for at places (n,) along it."""
    length = float(along.max()) if len(along) else 0.0
    return PlanLine(name, "table", start, way, length, along, np.zeros(len(along), np.int64))


def _table_edge(picture: Picture, view: View, plan: TableDescription, sheet: PlanPose) -> Measured | None:
    """The table's outer edge, on both sides of the sheet; None where too little of it is seen."""
    half = plan.table.surface_width_mm / 2
    beside = plan.end_zone.width_mm / 2 + BESIDE_MM
    out = np.arange(beside, half - BESIDE_MM, STEP_MM)
    along = np.concatenate([-out[::-1], out]) + half
    line = edge_line(phrase_later("the table's edge"), np.array([-half, 0.0]), np.array([1.0, 0.0]), along)
    found = measure_line(picture, view, line, sheet, EDGE_REACH_MM)
    if found is None or found.found * STEP_MM < SHORTEST_EDGE_MM or found.share < 0.5:
        return None
    return found


def _side_edges(
    picture: Picture, view: View, plan: TableDescription, sheet: PlanPose
) -> tuple[Measured, ...]:
    """The table's left and right edges. None of them unless both are seen, as far apart as the table is
    wide."""
    half = plan.table.surface_width_mm / 2
    along = np.arange(BESIDE_MM, plan.table.halfway_y_mm, STEP_MM)
    found = []
    for name, x in (
        (phrase_later("the table's left edge"), -half),
        (phrase_later("the table's right edge"), half),
    ):
        line = edge_line(name, np.array([x, 0.0]), np.array([0.0, 1.0]), along)
        seen = measure_line(picture, view, line, sheet, SIDE_REACH_MM)
        if seen is None or seen.found * STEP_MM < SHORTEST_EDGE_MM or seen.share < 0.5:
            return ()
        found.append(seen)
    apart = [side.at(np.array([np.mean(found[0].span_mm)]))[0] for side in found]
    if abs(float(np.linalg.norm(apart[1] - apart[0])) - 2 * half) > 10:
        return ()
    return tuple(found)


def _straight(line: Measured) -> tuple[Floats, Floats]:
    """The best straight line through a measured one: a point of it and a unit vector in the plan's
    direction."""
    points = line.at(np.linspace(*line.span_mm, 101))
    middle = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - middle)
    way = axes[0] * np.sign(axes[0] @ line.placed.turned(line.plan.way[None])[0])
    return middle, np.asarray(way, np.float64)


def _meeting(at: Floats, way: Floats, other_at: Floats, other_way: Floats) -> Floats:
    """Where two straight lines meet."""
    t = np.linalg.solve(np.column_stack([way, -other_way]), other_at - at)
    found: Floats = at + t[0] * way
    return found


def _back_of_sheet(sheet: PlanPose, lines: tuple[Measured, ...]) -> tuple[Floats, Floats]:
    """The sheet's back edge, or where the rest of the sheet says it is."""
    for line in lines:
        if (
            line.plan.group == "sheet"
            and np.allclose(line.plan.at(np.zeros(1))[0, 1], 0)
            and line.plan.way[0] > 0
        ):
            return _straight(line)
    return sheet.put(np.zeros((1, 2)))[0], sheet.turned(np.array([[1.0, 0.0]]))[0]


def _middle_of_lines(origin: Floats, way: Floats, lines: tuple[Measured, ...], sheet: PlanPose) -> Floats:
    """The origin on y = 0 for which the left and right lines of sheet and tapes are shifted from the plan by
    0 mm on average."""
    foot = origin + way * ((sheet.put(np.zeros((1, 2)))[0] - origin) @ way)
    x, y = foot.tolist()
    frame = PlanPose(x, y, float(np.arctan2(way[1], way[0])))
    off: dict[float, float] = {}
    for line in lines:
        if abs(line.plan.way[1]) > 0.99:
            planned = round(float(line.plan.start_mm[0]), 2)
            seen = within(frame, line.at(np.linspace(*line.span_mm, 21)))[:, 0]
            off[planned] = float(np.mean(seen)) - planned
    both = [shift for planned, shift in off.items() if -planned in off] or list(off.values()) or [0.0]
    found: Floats = foot + way * float(np.mean(both))
    return found
