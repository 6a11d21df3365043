"""Puts a description right by where its lines were found."""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from calibration.arrays import Floats
from calibration.description import PointMm, TableDescription
from calibration.fit.own.surroundings import Surroundings
from calibration.fit.sheet import PlanPose
from calibration.fit.table import TableFound
from calibration.laid import Laid, LaidTape

ONE_LINE_MM = 0.06
"""Corners of a description that are no further apart along an axis lie on one line."""
CORNER_MM = 12.0
"""How far a corner may be found from where the description has it."""
PLACES = 2
"""Decimals of a mm that a measured description has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """A description that fits, and how the sheet lies on the table."""

    description: TableDescription
    placed: PlanPose
    """Puts the description's places on the table: a sheet is laid a little askew and aside."""

    def on_table(self, points: Floats) -> Floats:
        """Points (n, 2) of the sheet, in the table's frame."""
        return self.placed.put(points)


def settled(plan: TableDescription, found: TableFound, around: Surroundings) -> Settled:
    """The plan with each line where it was found, straight and level as sheets are printed."""
    laid = found.table.laid
    planned, seen = _corners(plan, laid)
    turn = _turn(planned, seen)
    upright = seen @ PlanPose(0.0, 0.0, turn).matrix
    moved = np.column_stack([_levelled(planned[:, axis], upright[:, axis]) for axis in (0, 1)])
    middle = float(moved[:, 0].min() + moved[:, 0].max()) / 2
    moved -= (middle, 0.0)
    back = planned[:, 1] < ONE_LINE_MM
    moved[back, 1] = 0.0
    sheet = plan.end_zone
    zones, start = [], 0
    for zone in sheet.zone:
        corners = moved[start : start + len(zone.polygon_mm)]
        zones.append(msgspec.structs.replace(zone, polygon_mm=_points(corners)))
        start += len(zone.polygon_mm)
    aside, ahead = PlanPose(0.0, 0.0, turn).turned(np.array([[middle, 0.0]]))[0].tolist()
    placed = PlanPose(aside, ahead, turn)
    dot = sheet.dot
    if dot is not None and laid.dot is not None:
        x, y = (np.array(laid.dot.center_mm) @ PlanPose(0.0, 0.0, turn).matrix).tolist()
        dot = msgspec.structs.replace(
            dot,
            x_mm=round(x - middle, PLACES),
            y_mm=round(y, PLACES),
            diameter_mm=round(laid.dot.diameter_mm, PLACES),
        )
    rim = np.concatenate([np.array(zone.polygon_mm) for zone in zones])
    described = msgspec.structs.replace(
        plan,
        end_zone=msgspec.structs.replace(
            sheet,
            width_mm=round(float(np.ptp(rim[:, 0])), PLACES),
            depth_mm=round(float(rim[:, 1].max()), PLACES),
            zone=tuple(zones),
            dot=dot,
        ),
    )
    return Settled(description=_around(described, found, around), placed=placed)


def _corners(plan: TableDescription, laid: Laid) -> tuple[Floats, Floats]:
    """Each corner (n, 2) of each zone of the plan, and where it was found."""
    planned, seen = [], []
    for zone, other in zip(plan.end_zone.zone, laid.zones, strict=True):
        outline = np.array(other.polygon_mm)
        for corner in np.array(zone.polygon_mm):
            apart = np.linalg.norm(outline - corner, axis=1)
            planned.append(corner)
            seen.append(outline[np.argmin(apart)] if apart.min() < CORNER_MM else corner)
    return np.array(planned), np.array(seen)


def _turn(planned: Floats, seen: Floats) -> float:
    """By what angle the sheet is turned on the table, radians (least squares over its corners)."""
    here, there = planned - planned.mean(axis=0), seen - seen.mean(axis=0)
    turned = float(np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0]))
    return float(np.arctan2(turned, np.sum(here * there)))


def _levelled(planned: Floats, seen: Floats) -> Floats:
    """Places along one axis (n,): what lies on one line in the plan, on one line where it was found."""
    order = np.argsort(planned, kind="stable")
    cuts = np.flatnonzero(np.diff(planned[order]) > ONE_LINE_MM) + 1
    found = np.empty(len(planned))
    for group in np.split(order, cuts):
        found[group] = np.round(np.mean(seen[group]), PLACES)
    return found


def _points(corners: Floats) -> tuple[PointMm, ...]:
    return tuple((round(float(x), PLACES), round(float(y), PLACES)) for x, y in corners)


def _around(plan: TableDescription, found: TableFound, around: Surroundings) -> TableDescription:
    """Tapes and table's width as they were found; what was not seen stays."""
    measured = {each.name: each for each in found.features if each.measured}
    tapes = {tape.name: tape for tape in found.table.laid.tapes}
    left, right = plan.tape.side_lines_x_mm
    if "outer edge of the left tape" in measured:
        left = _mean(tapes["left"].outer_mm, 0)
    if "outer edge of the right tape" in measured:
        right = _mean(tapes["right"].outer_mm, 0)
    both = [
        tapes[side]
        for side in ("left", "right")
        if all(f"{edge} edge of the {side} tape" in measured for edge in ("outer", "inner"))
    ]  # fmt: skip
    width = float(np.mean([_width(tape) for tape in both])) if both else plan.tape.width_mm
    halfway = plan.table.halfway_y_mm
    if around.halfway_y_mm is not None and "near edge of the halfway tape" in measured:
        halfway = _mean(tapes["halfway"].inner_mm, 1) + width / 2
    surface = plan.table.surface_width_mm
    sides = [measured.get(f"the table's {side} edge") for side in ("left", "right")]
    if all(sides):
        # Off to the left is positive for both.
        off = [side.off_plan_mm or 0.0 for side in sides if side is not None]
        surface += off[0] - off[1]
    return msgspec.structs.replace(
        plan,
        table=msgspec.structs.replace(
            plan.table,
            halfway_y_mm=round(halfway, PLACES),
            surface_width_mm=round(surface, PLACES),
        ),
        tape=msgspec.structs.replace(
            plan.tape,
            width_mm=round(width, PLACES),
            side_lines_x_mm=(round(left, PLACES), round(right, PLACES)),
        ),
    )


def _mean(points: Sequence[PointMm], axis: int) -> float:
    return float(np.mean([point[axis] for point in points]))


def _width(tape: LaidTape) -> float:
    return abs(_mean(tape.outer_mm, 0) - _mean(tape.inner_mm, 0))
