"""Finds the table's frame, and what lies in it: zones, tapes, dot, table edge.

Where a line was not seen, its place comes from the fit of the sheet as a whole, or from the plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import TableDescription
from calibration.fit.bundle import spread, trust
from calibration.fit.edges import crossings, profiles
from calibration.fit.lines import Measured, measure_line
from calibration.fit.plan_lines import SHORTEST_MM, STEP_MM, PlanLine
from calibration.fit.sheet import PlanPose
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, TapeName
from calibration.view import View
from engine.wording import phrase, phrase_later

# Measures the instant-win dot from its edge all round: where it is, and how large.

DIRECTIONS = 96
LENS_SOFTNESS_PX = 0.8
"""About how much lens and sensor blur the dot, as a sigma; the filter that runs along its radii does not
shift its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class DotFound:
    """A round spot on the table's plane."""

    center_mm: Floats
    """The middle (2,)."""
    diameter_mm: float
    sigma_mm: float
    """One standard deviation of the centre along each axis, from the noise of its edge."""
    share: float
    """The share of its edge that is seen, 0 to 1."""
    noise_mm: float


def measure_dot(
    picture: Picture, view: View, near_mm: Floats, diameter_mm: float, reach_mm: float = 4.0
) -> DotFound | None:
    """The dot near a place (2,), mm; None where there is none of about that diameter."""
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    out = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    center, radius = near_mm.copy(), diameter_mm / 2
    reach = min(reach_mm, 0.8 * radius)
    for narrow in (1.0, 0.7, 0.5, 0.5):
        seen = profiles(picture, view, center + out * radius, out, reach, 0.0)
        if not seen.inside.all():
            return None
        rough = crossings(seen)
        colour = np.median(rough.step, axis=0)
        edge = crossings(seen, np.zeros(DIRECTIONS), max(reach * narrow, 1.5 / seen.px_per_mm), colour)
        size = float(np.linalg.norm(colour))
        there = edge.step @ (colour / max(size, 1e-9)) > max(0.4 * size, 0.01)
        if np.count_nonzero(there) < DIRECTIONS // 2:
            return None
        shift, left = _circle(out[there], edge.offset_mm[there])
        center, radius = center + shift[:2], radius + shift[2]
        if not 0.5 * diameter_mm < 2 * radius < 1.7 * diameter_mm:
            return None
    noise = max(spread(left), 1e-4)
    soft = (LENS_SOFTNESS_PX / seen.px_per_mm) ** 2
    # Blurred, a disc's steepest slope lies inside its rim, by the square of the blur over twice the radius.
    return DotFound(
        center_mm=center,
        diameter_mm=2 * (radius + soft / (2 * radius)),
        sigma_mm=noise * float(np.sqrt(2 / np.count_nonzero(there))),
        share=float(np.mean(there)),
        noise_mm=noise,
    )


def _circle(out: Floats, offsets: Floats) -> tuple[Floats, Floats]:
    """Shift (x, y) and growth (3,) of a circle whose rim is off by `offsets` (n,) along directions `out` (n,
    2), and the offsets that are left (n,)."""
    a = np.column_stack([out, np.ones(len(out))])
    weight = np.ones(len(out))
    shift = np.zeros(3)
    for _ in range(6):
        shift = np.asarray(np.linalg.lstsq(a * weight[:, None], offsets * weight, rcond=None)[0], np.float64)
        left = offsets - a @ shift
        weight = trust(left[:, None], max(spread(left), 1e-3))
    return shift, offsets - a @ shift


# Finds the table's frame: y = 0 along the table's outer edge as it is seen, x = 0 in the middle of it.
#
# The sheet never lies quite on its plan, so it may not fix the frame unless nothing better is in the picture.

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


POINT_EVERY_MM = 20.0
"""The distance between the points that are kept of an outline that bends."""
EDGE_BIAS_PX = 0.08
"""How far a line as a whole may be off, whatever its edges' noise: what sharpening, demosaicing and the tone
curve do (measured on the benchmark's scenes)."""
COLOUR_BIAS_PX = 0.2
"""The same for a line that shows by colour alone: JPEG blurs colours after the tone curve (chosen by
eye on drawn tables)."""


@dataclass(frozen=True, slots=True)
class SheetFit:
    """The sheet as one piece: shifted, turned and a little stretched from its plan, as its lines say."""

    placed: PlanPose
    scale: float
    """Its size divided by the planned one."""
    rms_mm: float
    """How far its lines lie off this fit, root mean square."""

    def put(self, points: Floats) -> Floats:
        """Points (n, 2) of the plan, on the plane."""
        return self.placed.put(points * self.scale)


def fit_sheet(lines: Sequence[Measured]) -> SheetFit:
    """Fit shift, turn and scale to the sheet's lines (two or more, not parallel)."""
    own = [line for line in lines if line.plan.group == "sheet"]
    start = own[0].placed
    rows, off = [], []
    for line in own:
        along = np.linspace(*line.span_mm, 25)
        plan, across = start.turned(line.plan.at(along)), start.turned(line.plan.normal[None])[0]
        lever = plan[:, 0] * across[1] - plan[:, 1] * across[0]
        rows.append(np.column_stack([np.repeat(across[None], 25, axis=0), lever, plan @ across]))
        off.append(line.offset(along))
    a, b = np.concatenate(rows), np.concatenate(off)
    step = np.asarray(np.linalg.lstsq(a, b, rcond=None)[0], np.float64)
    x, y, turn, grown = step.tolist()
    left = b - a @ step
    placed = PlanPose(start.x_mm + x, start.y_mm + y, start.turn_rad + turn)
    return SheetFit(placed, 1.0 + grown, float(np.sqrt(np.mean(left**2))))


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    """One planned line as it goes into the outlines: measured where it was seen, else placed by the sheet's
    fit."""

    start: Floats
    way: Floats
    line: Measured | None
    fit: SheetFit

    def at(self, along: Floats) -> Floats:
        """Points (n, 2) on the plane at places (n,) along the plan's line."""
        if self.line is None:
            return self.fit.put(self.start + along[:, None] * self.way)
        found: Floats = self.line.at(along)
        return found

    def along(self, point: Floats) -> float:
        """How far along this line a point of the plan (2,) lies, mm."""
        return float((point - self.start) @ self.way)

    @property
    def bends(self) -> bool:
        """Whether it is curved, so that its outline needs points between its ends."""
        return self.line is not None and self.line.curve.degree() > 1


def lay_out(
    plan: TableDescription, frame: TableFrame, lines: Sequence[Measured], dot: DotFound | None, fit: SheetFit
) -> Laid:
    """Everything that lies on the table, in the table's frame."""
    zones = tuple(
        LaidZone(value=zone.value, polygon_mm=_points(_on_table(within(frame.placed, polygon))))
        for zone in plan.end_zone.zone
        for polygon in [_zone(np.array(zone.polygon_mm, np.float64), lines, fit)]
    )
    center = within(frame.placed, dot.center_mm[None])[0].tolist() if dot else None
    sigma = line_sigma_mm(lines)
    laid_dot = (
        LaidDot(
            center_mm=(center[0], center[1]),
            diameter_mm=float(dot.diameter_mm),
            sigma_mm=float(np.hypot(dot.sigma_mm, 0.5 * sigma)),
        )
        if dot and center
        else None
    )
    return Laid(
        zones=zones,
        dot=laid_dot,
        tapes=_tapes(plan, frame, lines, fit),
        table_edge_mm=_table_edge_points(plan, frame),
        sigma_mm=sigma,
    )


def line_sigma_mm(lines: Sequence[Measured]) -> float:
    """One standard deviation of a line's place, across it: the noise of its edges and what shifts all edges
    alike."""
    bias = [np.hypot(EDGE_BIAS_PX, COLOUR_BIAS_PX * line.by_colour) / line.px_per_mm for line in lines]
    return float(np.sqrt(np.mean([line.sigma_mm**2 + b**2 for line, b in zip(lines, bias, strict=True)])))


def _points(points: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in points)


def _on_table(points: Floats) -> Floats:
    """Points (n, 2) moved onto the table where they lie beyond its edge: a sheet ends where the table
    ends."""
    return np.column_stack([points[:, 0], np.maximum(points[:, 1], 0.0)])


def _zone(corners: Floats, lines: Sequence[Measured], fit: SheetFit) -> Floats:
    """A zone's outline (n, 2) on the plane: its sides as measured, its corners where these meet."""
    ends = np.roll(corners, -1, axis=0)
    sides = [_side(a, b, lines, fit) for a, b in zip(corners, ends, strict=True)]
    found = []
    for i, (corner, end, side) in enumerate(zip(corners, ends, sides, strict=True)):
        start = _cross(sides[i - 1], side, corner)
        found.append(start)
        if side.bends:
            count = int(np.linalg.norm(end - corner) // POINT_EVERY_MM)
            along = np.linspace(side.along(corner), side.along(end), count + 2)[1:-1]
            found += list(side.at(along))
    return np.array(found)


def _side(a: Floats, b: Floats, lines: Sequence[Measured], fit: SheetFit) -> _Outline:
    """The measured line on which the side of a zone from `a` to `b` lies; where there is none, the side as
    the sheet's fit has it."""
    length = float(np.linalg.norm(b - a))
    if length >= SHORTEST_MM:
        for line in lines:
            apart = [abs(float((p - line.plan.start_mm) @ line.plan.normal)) for p in (a, b)]
            if line.plan.group == "sheet" and max(apart) < 0.05:
                return _Outline(line.plan.start_mm, line.plan.way, line, fit)
    return _Outline(a, (b - a) / max(length, 1e-9), None, fit)


def _cross(one: _Outline, other: _Outline, corner: Floats) -> Floats:
    """Where two sides meet, near a corner of the plan (2,)."""
    s, t = one.along(corner), other.along(corner)
    for _ in range(3):
        (p, p1), (q, q1) = (side.at(np.array([k, k + 1.0])) for side, k in ((one, s), (other, t)))
        ways = np.column_stack([p1 - p, q - q1])
        if abs(np.linalg.det(ways)) < 0.05:
            return np.asarray((p + q) / 2, np.float64)
        ds, dt = np.linalg.solve(ways, q - p)
        s, t = s + float(np.clip(ds, -20, 20)), t + float(np.clip(dt, -20, 20))
    return np.asarray(one.at(np.array([s]))[0], np.float64)


def _tapes(
    plan: TableDescription, frame: TableFrame, lines: Sequence[Measured], fit: SheetFit
) -> tuple[LaidTape, ...]:
    """Both edges of each tape; an edge that is not seen lies as planned in the table's frame."""
    named = {line.plan.name: line for line in lines}
    wide, half = plan.tape.width_mm, plan.table.halfway_y_mm
    left, right = plan.tape.side_lines_x_mm
    # The side tapes begin where the sheet really ends.
    sheet_front = fit.put(np.array([[left, plan.end_zone.depth_mm], [right, plan.end_zone.depth_mm]]))
    fronts = within(frame.placed, sheet_front)[:, 1].tolist()
    near = named.get("near edge of the halfway tape")
    end = half - wide / 2
    if near is not None:
        middle = near.at(np.array([np.mean(near.span_mm)]))
        end = float(within(frame.placed, middle)[0, 1])
    made = []
    for name, outer, inner, front in (
        ("left", left, left + wide, fronts[0]),
        ("right", right, right - wide, fronts[1]),
    ):
        edges = [
            _edge(named.get(f"{word} edge of the {name} tape"), np.array([[x, front], [x, end]]), frame)
            for word, x in (("outer", outer), ("inner", inner))
        ]
        made.append(_tape("left" if name == "left" else "right", edges[0], edges[1]))
    far_y, near_y = half + wide / 2, half - wide / 2
    edges = [
        _edge(named.get(f"{word} edge of the halfway tape"), np.array([[left, y], [right, y]]), frame)
        for word, y in (("far", far_y), ("near", near_y))
    ]
    made.append(_tape("halfway", edges[0], edges[1]))
    return tuple(made)


def _tape(name: TapeName, outer: Floats, inner: Floats) -> LaidTape:
    return LaidTape(name=name, outer_mm=_points(outer), inner_mm=_points(inner))


def _edge(line: Measured | None, plan: Floats, frame: TableFrame) -> Floats:
    """A tape's edge (n, 2) in the table's frame, from one end of the plan (2, 2) to the other."""
    if line is None:
        return plan
    along = np.asarray((plan - line.plan.start_mm) @ line.plan.way, np.float64)
    for _ in range(2):
        # The line was measured in the frame that the sheet's pose gave; its two ends are given in the table's
        # frame.
        along += (plan - within(frame.placed, line.at(along))) @ line.plan.way
    start, end = along.tolist()
    count = int((end - start) // POINT_EVERY_MM) if line.curve.degree() > 1 else 0
    return within(frame.placed, line.at(np.linspace(start, end, count + 2)))


def _table_edge_points(plan: TableDescription, frame: TableFrame) -> tuple[tuple[float, float], ...]:
    half = plan.table.surface_width_mm / 2
    if frame.edge is None:
        return ((-half, 0.0), (half, 0.0))
    return _points(within(frame.placed, frame.edge.at(np.array([0.0, half, 2 * half]))))


def residuals_mm(lines: Sequence[Measured], frame: TableFrame) -> dict[str, tuple[float, float, float]]:
    """For each line by name, three lengths in mm: its edges' noise about its curve, its middle's distance
    from the plan, its bend."""
    found = {}
    for line in lines:
        middle = np.array([np.mean(line.span_mm)])
        across = frame.placed.matrix.T @ line.placed.turned(line.plan.normal[None])[0]
        off = (within(frame.placed, line.at(middle)) - line.plan.at(middle))[0] @ across
        found[line.plan.name] = (line.noise_mm, float(off), line.bend_mm)
    return found
