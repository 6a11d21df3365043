"""The End Zones of the simulated table: where their lines really lie, and the eyes that hang over them.

As on a real table nothing lies quite as planned: the sheets were stuck on a little askew and the tapes bend.
The plan is `calibration/classic.toml`; `laid()` is the truth that the painter paints and a calibration finds.
Each end is told in its own frame; the table's is the near end's (`calibration.ends`).
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import cos, pi, radians, sin

import cv2
import numpy as np

from calibration.arrays import Reals
from calibration.description import CLASSIC, Dot, PointMm, TableDescription, load_description
from calibration.ends import End, FrameTurn
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, TableCalibration, TapeName
from calibration.view import Lens, View
from device.simulator.lens import SimulatedLens, hang
from models.painting.camera import RadialBend

SHEET_OFFSET_MM = (0.7, 0.35)
SHEET_TURN_DEG = 0.12
LEAN_MM = {"left": 0.5, "right": -0.4, "halfway": 0.6}
"""From its middle to its end a tape leaves the planned direction by so much."""
BEND_MM = {"left": 0.35, "right": -0.3, "halfway": 0.2}
"""Between its ends a tape bows out by so much."""
LONGER_MM = 1.2
"""The table is longer than planned by so much: the halfway tape was measured off from the near end alone."""
TAPE_POINTS = 9
LEAST_WIDTH_PX = 1600
"""This camera sees four times the length of a tray: with fewer pixels a die has not even twenty across."""
SIGMA_LINES_MM = 0.04
SIGMA_VIEW_MM = 0.03
"""What a careful calibration leaves unsure; the maker's own figures are exact, and nobody's table is."""


@dataclass(frozen=True, slots=True)
class TapeWay:
    """One tape: along its length a slanting, slightly bowed line."""

    name: TapeName
    start_mm: float
    end_mm: float
    middle_mm: float
    """Across, half way along."""
    lean_mm: float
    bend_mm: float

    def across_mm(self, along_mm: Reals) -> Reals:
        """Where the tape's middle line lies across, at places along it."""
        part = (along_mm - (self.start_mm + self.end_mm) / 2) / ((self.end_mm - self.start_mm) / 2)
        found: Reals = self.middle_mm + self.lean_mm * part + self.bend_mm * (1 - part * part)
        return found


@lru_cache(maxsize=1)
def planned() -> TableDescription:
    """The table as planned."""
    return load_description(CLASSIC)


def on_table(points_mm: Reals) -> Reals:
    """Points (n, 2) of the sheet's own frame in the table's."""
    turn, offset = radians(SHEET_TURN_DEG), np.array(SHEET_OFFSET_MM)
    rotated = points_mm @ np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    found: Reals = rotated + offset
    return found


def on_sheet(points_mm: Reals) -> Reals:
    """Points (..., 2) of the table in the sheet's own frame."""
    turn = radians(SHEET_TURN_DEG)
    back = np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]], points_mm.dtype)
    found: Reals = (points_mm - np.array(SHEET_OFFSET_MM, points_mm.dtype)) @ back
    return found


def turn() -> FrameTurn:
    """From the far end's frame to the table's, as the simulated table stands."""
    return FrameTurn(angle_rad=pi, shift_mm=(0.0, 2 * planned().table.halfway_y_mm + LONGER_MM))


def tapes(end: End = "near") -> tuple[TapeWay, ...]:
    """Both side tapes and the halfway tape as they stick on the table, in that end's frame."""
    plan = planned()
    half, (left, right) = plan.tape.width_mm / 2, plan.tape.side_lines_x_mm
    front, halfway = plan.end_zone.depth_mm + 0.8, plan.table.halfway_y_mm
    leans, bends = LEAN_MM, BEND_MM
    if end == "far":  # it is the same halfway tape, seen from its other side, and the side lines meet there
        halfway, bends = halfway + LONGER_MM, {**BEND_MM, "halfway": -BEND_MM["halfway"]}
        leans = {**LEAN_MM, "left": -LEAN_MM["right"], "right": -LEAN_MM["left"]}
    ways: tuple[tuple[TapeName, float, float, float], ...] = (
        ("left", front, halfway, left + half),
        ("right", front, halfway, right - half),
        ("halfway", left, right, halfway),
    )
    return tuple(
        TapeWay(name, start, stop, middle, leans[name], bends[name]) for name, start, stop, middle in ways
    )


@lru_cache(maxsize=2)
def laid(end: End = "near") -> Laid:
    """Where sheet, dot, tapes and edge of that end really lie, in its own frame."""
    plan = planned()
    dot, side = plan.end_zone.dot, plan.table.surface_width_mm / 2
    return Laid(
        zones=tuple(
            LaidZone(value=zone.value, polygon_mm=_points(on_table(np.array(zone.polygon_mm))))
            for zone in plan.end_zone.zone
        ),
        dot=None if dot is None else _laid_dot(dot),
        tapes=tuple(_laid_tape(way, plan.tape.width_mm) for way in tapes(end)),
        table_edge_mm=((-side, 0.0), (side, 0.0)),
        sigma_mm=SIGMA_LINES_MM,
    )


def size_px(width_px: int, height_px: int) -> tuple[int, int]:
    """The size of this camera's pictures where such a size was asked for."""
    larger = max(1.0, LEAST_WIDTH_PX / width_px)
    return round(width_px * larger), round(height_px * larger)


def eye(width_px: int, height_px: int, end: End = "near") -> SimulatedLens:
    """A camera 1.2 m over an end, hung by hand; the table runs from right to left through its picture."""
    place, tilt, roll = (9.0, 620.0, 1190.0), radians(1.4), radians(0.8)
    if end == "far":
        place, tilt, roll = (-14.0, 634.0, 1204.0), radians(0.7), radians(-1.1)
    down = np.array([[0, -1, 0], [-1, 0, 0], [0, 0, -1]])
    tilted = np.array([[cos(tilt), 0, sin(tilt)], [0, 1, 0], [-sin(tilt), 0, cos(tilt)]])
    rolled = np.array([[cos(roll), -sin(roll), 0], [sin(roll), cos(roll), 0], [0, 0, 1]])
    bend = RadialBend(k1=-0.085, k2=0.02)
    return hang((width_px, height_px), 0.885 * width_px, bend, place, rolled @ tilted @ down)


def in_table_frame(lens: SimulatedLens, end: End) -> SimulatedLens:
    """An end's eye, with places given in the table frame."""
    if end == "near":
        return lens
    upright, way = np.eye(3), turn()
    upright[:2, :2] = way.matrix
    place = upright @ lens.eye_mm + np.array([*way.shift_mm, 0.0])
    return replace(lens, eye_mm=place.astype(np.float32), turn=(lens.turn @ upright.T).astype(np.float32))


def view_of(lens: SimulatedLens) -> View:
    """The same eye in the words of `calibration`."""
    turn = lens.turn.astype(np.float64)
    rotation, _ = cv2.Rodrigues(turn)
    shift = -turn @ lens.eye_mm.astype(np.float64)
    return View(
        lens=Lens(
            width_px=lens.width_px,
            height_px=lens.height_px,
            focal_px=(lens.focal_px, lens.focal_px),
            centre_px=lens.middle_px,
            distortion=(lens.bend.k1, lens.bend.k2, 0.0, 0.0, 0.0),
        ),
        rotation=(float(rotation[0, 0]), float(rotation[1, 0]), float(rotation[2, 0])),
        translation_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
    )


def known_table(width_px: int, height_px: int, end: End = "near") -> TableCalibration:
    """What this table's maker knows of an end's camera and lines, for pictures of that size; without
    landmarks."""
    return TableCalibration(
        view=view_of(eye(width_px, height_px, end)),
        planned=planned(),
        laid=laid(end),
        landmarks=(),
        sigma_mm=SIGMA_VIEW_MM,
        end=end,
    )


def _laid_dot(dot: Dot) -> LaidDot:
    center = _points(on_table(np.array([[dot.x_mm, dot.y_mm]])))[0]
    return LaidDot(center_mm=center, diameter_mm=dot.diameter_mm, sigma_mm=SIGMA_LINES_MM)


def _laid_tape(way: TapeWay, width_mm: float) -> LaidTape:
    along = np.linspace(way.start_mm, way.end_mm, TAPE_POINTS)
    across, half = way.across_mm(along), width_mm / 2
    # Outside is the left tape's left, the right tape's right, and the halfway tape's far side.
    out = -half if way.name == "left" else half
    if way.name == "halfway":
        outer, inner = np.stack([along, across + half], axis=1), np.stack([along, across - half], axis=1)
    else:
        outer, inner = np.stack([across + out, along], axis=1), np.stack([across - out, along], axis=1)
    return LaidTape(name=way.name, outer_mm=_points(outer), inner_mm=_points(inner))


def _points(points_mm: Reals) -> tuple[PointMm, ...]:
    return tuple((float(x), float(y)) for x, y in points_mm)
