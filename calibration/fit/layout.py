"""Puts together what lies on the table from the measured lines: zones, tapes, dot, table edge.

Where a line was not seen, its place comes from the fit of the sheet as a whole, or from the plan.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.description import TableDescription
from calibration.fit.dot import DotFound
from calibration.fit.frame import TableFrame, within
from calibration.fit.lines import Measured
from calibration.fit.plan_lines import SHORTEST_MM
from calibration.fit.sheet import PlanPose
from calibration.laid import Laid, LaidDot, LaidTape, LaidZone, TapeName

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
        table_edge_mm=_table_edge(plan, frame),
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


def _table_edge(plan: TableDescription, frame: TableFrame) -> tuple[tuple[float, float], ...]:
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
