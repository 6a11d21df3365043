"""Two cameras, one over each End Zone, in one table frame.

Each end is calibrated by itself, in its own frame: the origin in the middle of its own edge, y towards the
halfway line. The table frame is the near end's. Seen from it, the far end is turned by half a circle; how far
away it is and how well it is aligned is measured where both cameras see the halfway tape meet the side lines,
and taken from the plan where one of them does not.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.description import PointMm
from calibration.files import load_table
from calibration.table import LaidTape, TableCalibration, TapeName
from calibration.trouble import CalibrationError
from engine.wording import phrase, phrase_later

OTHER_TABLES = phrase_later(
    "The two ends were calibrated with different tables: {name} is {here:g} and {there:g}. Calibrate "
    "both with one description."
)
DISAGREE = phrase_later(
    "The two cameras disagree by {apart:.2f} mm about the halfway line (at most {agree_mm:g} mm). "
    "Calibrate both ends again, with the same board."
)
FAR_OFF = phrase_later(
    "The far end lies {off:.0f} mm from where the description has it (at most {off_plan_mm:g} mm). "
    "Measure halfway_y_mm again, or lay the halfway tape in the middle."
)

OTHER_END: dict[str, str] = {
    "near": phrase_later(
        "{path} was made for the near end and is named for the far one. Name each file for its own end."
    ),
    "far": phrase_later(
        "{path} was made for the far end and is named for the near one. Name each file for its own end."
    ),
}

End = Literal["near", "far"]

AGREE_MM = 0.5
"""The most by which the two cameras may disagree about how far the side lines are apart at the halfway
tape."""
OFF_PLAN_MM = 15.0
"""An end that lies further than this from where the plan puts it was calibrated with another table's plan."""
_OTHER: dict[TapeName, TapeName] = {"left": "right", "right": "left", "halfway": "halfway"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FrameTurn:
    """The way from the far end's frame to the table frame: a turn about the upright axis, then a shift."""

    angle_rad: float
    shift_mm: PointMm

    @property
    def matrix(self) -> Floats:
        """The turn as a 2 x 2 matrix."""
        c, s = math.cos(self.angle_rad), math.sin(self.angle_rad)
        return np.array([[c, -s], [s, c]])

    def to_table(self, points_mm: Floats) -> Floats:
        """Points (n, 2) of the far end's frame, in the table frame."""
        found: Floats = points_mm @ self.matrix.T + self.shift_mm
        return found

    def to_far(self, points_mm: Floats) -> Floats:
        """Points (n, 2) of the table frame, in the far end's frame."""
        found: Floats = (points_mm - self.shift_mm) @ self.matrix
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Ends:
    """Both ends of one table."""

    near: TableCalibration
    far: TableCalibration
    """In the far end's own frame, in which its landings are measured and called."""
    turn: FrameTurn
    apart_mm: float | None
    """How far the two cameras disagree, in mm, where both see side lines and halfway tape meet; None when one
    of them does not see that."""

    def end_of(self, place_mm: PointMm) -> End:
        """The end whose camera measures at this place of the table frame: the nearer one."""
        beyond = self.turn.to_far(np.array([place_mm]))[0, 1]
        return "near" if place_mm[1] <= beyond else "far"

    def calibration(self, end: End) -> TableCalibration:
        """The calibration that an end's landings are measured with, in that end's own frame."""
        return self.near if end == "near" else self.far

    def in_sight(self, end: End) -> TableCalibration:
        """An end's calibration with the other end's side tapes added, so that they are not taken for dice:
        they run on through this end's picture.

        They are added at the end of the list: a call looks a tape up by its name and takes the first, its
        own.
        """
        own, other = (self.near, self.far) if end == "near" else (self.far, self.near)
        way = self.turn.to_table if end == "near" else self.turn.to_far
        beyond = tuple(
            LaidTape(
                name=_OTHER[tape.name],
                outer_mm=_pairs(way(np.array(tape.outer_mm, np.float64))),
                inner_mm=_pairs(way(np.array(tape.inner_mm, np.float64))),
            )
            for tape in other.laid.tapes
            if tape.name != "halfway"
        )
        return replace(own, laid=replace(own.laid, tapes=(*own.laid.tapes, *beyond)))

    def to_table(self, end: End, points_mm: Sequence[PointMm]) -> tuple[PointMm, ...]:
        """Points of an end's own frame, in the table frame."""
        if end == "near" or not points_mm:
            return tuple(points_mm)
        return _pairs(self.turn.to_table(np.array(points_mm, np.float64)))


def join(near: TableCalibration, far: TableCalibration) -> Ends:
    """Two calibrated ends as one table.

    Raises `CalibrationError` when they cannot be two ends of one table, or contradict each other.
    """
    for name, one, other in (("halfway_y_mm", near, far), ("surface_width_mm", near, far)):
        here, there = (getattr(each.planned.table, name) for each in (one, other))
        if abs(here - there) > 0.05:
            raise CalibrationError(phrase(OTHER_TABLES, name=name, here=here, there=there))
    planned = FrameTurn(angle_rad=math.pi, shift_mm=(0.0, 2 * near.planned.table.halfway_y_mm))
    shared, mirrored = _crossings(near), _crossings(far)
    if shared is None or mirrored is None:
        return Ends(near=near, far=far, turn=planned, apart_mm=None)
    turn = _turn(mirrored[::-1], shared)
    apart = float(np.hypot(*(turn.to_table(mirrored[::-1]) - shared).T).max())
    if apart > AGREE_MM:
        raise CalibrationError(phrase(DISAGREE, apart=apart, agree_mm=AGREE_MM))
    corner = np.array([[near.planned.end_zone.width_mm / 2, 0.0]])
    off = float(np.hypot(*(turn.to_table(corner) - planned.to_table(corner))[0]))
    if off > OFF_PLAN_MM:
        raise CalibrationError(phrase(FAR_OFF, off=off, off_plan_mm=OFF_PLAN_MM))
    return Ends(near=near, far=far, turn=turn, apart_mm=apart)


def load_ends(near: Path, far: Path) -> Ends:
    """Two ends as one table, from their `table.json` files. Raises `CalibrationError` when they are not two
    ends of one table."""
    one, other = load_table(near), load_table(far)
    for path, made, end in ((near, one, "near"), (far, other, "far")):
        if made.end not in ("", end):
            raise CalibrationError(phrase(OTHER_END[made.end], path=path))
    sizes = [(made.view.lens.width_px, made.view.lens.height_px) for made in (one, other)]
    if sizes[0] != sizes[1]:
        one_size, other_size = (f"{width} x {height}" for width, height in sizes)
        raise CalibrationError(
            phrase(
                "The two ends were calibrated with pictures of {one} and {other}. Both cameras must give "
                "pictures of one size: calibrate again.",
                one=one_size,
                other=other_size,
            )
        )
    return join(one, other)


def _crossings(end: TableCalibration) -> Floats | None:
    """Where left and right side line (outer edges) meet the middle of the halfway tape (2, 2); None when the
    camera does not see these places."""
    tapes = {tape.name: tape for tape in end.laid.tapes}
    if len(tapes) < 3:
        return None
    edges = [_line(edge) for edge in (tapes["halfway"].outer_mm, tapes["halfway"].inner_mm)]
    sides = [_line(tapes[name].outer_mm) for name in ("left", "right")]
    found = np.array([np.mean([_meet(side, edge) for edge in edges], axis=0) for side in sides])
    lens = end.view.lens
    seen = end.view.project(np.column_stack([found, np.zeros(2)]))
    inside = (seen >= 0) & (seen <= (lens.width_px - 1, lens.height_px - 1))
    return found if bool(inside.all()) else None


def _line(points_mm: Sequence[PointMm]) -> tuple[Floats, Floats]:
    """The line through many points, by total least squares: a point of it (2,) and its direction (2,)."""
    points = np.array(points_mm, np.float64)
    middle = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - middle)
    return middle, axes[0]


def _meet(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Where two lines cross."""
    along = np.linalg.solve(np.column_stack([one[1], -other[1]]), other[0] - one[0])
    found: Floats = one[0] + along[0] * one[1]
    return found


def _turn(from_mm: Floats, to_mm: Floats) -> FrameTurn:
    """The turn and shift that best take two points (2, 2) to two others."""
    (fx, fy), (tx, ty) = from_mm[1] - from_mm[0], to_mm[1] - to_mm[0]
    angle = math.atan2(ty, tx) - math.atan2(fy, fx)
    turn = FrameTurn(angle_rad=angle % (2 * math.pi), shift_mm=(0.0, 0.0))
    x, y = to_mm.mean(axis=0) - turn.to_table(from_mm).mean(axis=0)
    return replace(turn, shift_mm=(float(x), float(y)))


def _pairs(points_mm: Floats) -> tuple[PointMm, ...]:
    return tuple((float(x), float(y)) for x, y in points_mm)
