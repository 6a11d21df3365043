"""Calibrates drawn tables as a builder would, and says how far the lines found lie off the true ones."""

from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

from benchmarks.landing.bridge import true_calibration, true_view
from benchmarks.landing.judged.calibrated import BOARD, camera_of
from benchmarks.tables.drawn import DrawnTable
from calibration.arrays import Floats, Picture
from calibration.fit import TableFound, calibrate_table, find_board
from calibration.table import Laid, TableCalibration
from calibration.trouble import CalibrationError

EVERY_MM = 4.0
"""The distance between the places at which a line is compared."""
CLEAR_MM = 3.0
"""What is left out at the ends of a line: corners are rounded by the camera."""


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What came of one table; lengths in mm."""

    table: DrawnTable
    refused: str = ""
    frame_mm: Floats = field(default_factory=lambda: np.empty((0, 2)))
    """How far points of sheet and field (n, 2) are off in the table's frame. None where the table's own edges
    are not in the picture: there the sheet is the frame."""
    lines_mm: Floats = field(default_factory=lambda: np.empty(0))
    """How far the lines found lie off the true ones (n,), across them, as the camera sees both."""
    sigma_mm: float = 0.0
    line_sigma_mm: float = 0.0
    unseen: int = 0
    bridged: int = 0


def judged(table: DrawnTable, boards: int = 4) -> Judged:
    """The table, calibrated from its pictures and compared with the truth."""
    flats = [(find_board(grey_of(p), BOARD, "flat"), p) for p in map(picture_of, table.flats()[:boards])]
    try:
        found = calibrate_table(camera_of(table.kit), table.plan, BOARD, flats, picture_of(table.empty()))
    except CalibrationError as error:
        return Judged(table=table, refused=str(error))
    made = found.table
    return Judged(
        table=table,
        frame_mm=np.empty((0, 2)) if _by_the_sheet(found) else frame_errors_mm(table, made),
        lines_mm=line_errors_mm(table, made),
        sigma_mm=made.sigma_mm,
        line_sigma_mm=made.laid.sigma_mm,
        unseen=sum(not feature.measured for feature in found.features),
        bridged=sum(len(feature.bridged_mm) for feature in found.features),
    )


def _by_the_sheet(found: TableFound) -> bool:
    """Whether sheet and tapes had to fix the frame."""
    return any("x = 0 is the middle of sheet" in note or "is y = 0" in note for note in found.notes)


def frame_errors_mm(table: DrawnTable, found: TableCalibration) -> Floats:
    """Points of sheet and field (n, 2): where the calibration has them, less where they are."""
    across, deep = table.plan.end_zone.width_mm / 2, table.plan.end_zone.depth_mm + 150
    grid = np.stack(np.meshgrid(np.linspace(-across, across, 7), np.linspace(0, deep, 12)), -1).reshape(-1, 2)
    return _as_found(table, found, grid) - grid


def line_errors_mm(table: DrawnTable, found: TableCalibration) -> Floats:
    """How far lines of sheet and tapes lie off the true ones, at places along them (n,)."""
    true = true_calibration(table.kit).laid
    pairs = [*_outlines(true, found.laid)]
    errors = []
    for real, made in pairs:
        errors.append(_apart(_as_found(table, found, _in_picture(table, _along(real))), made))
    return np.concatenate(errors)


def _in_picture(table: DrawnTable, points: Floats) -> Floats:
    """Those of the points (n, 2) that the camera sees."""
    view = true_view(table.kit)
    pixels = view.project(np.column_stack((points, np.zeros(len(points)))))
    size = np.array([view.lens.width_px, view.lens.height_px])
    return points[np.all((pixels > 4) & (pixels < size - 5), axis=1)]


def _as_found(table: DrawnTable, found: TableCalibration, points: Floats) -> Floats:
    """Where the calibration has what really lies at these points (n, 2)."""
    pixels = true_view(table.kit).project(np.column_stack((points, np.zeros(len(points)))))
    return found.view.on_plane(pixels)


def _outlines(true: Laid, found: Laid) -> list[tuple[Floats, Floats]]:
    """Each true line (n, 2), and what was found of it (m, 2)."""
    made = [
        (side, np.array([*other.polygon_mm, other.polygon_mm[0]]))
        for one, other in zip(true.zones, found.zones, strict=True)
        for side in _sides(np.array(one.polygon_mm))
    ]
    for one_tape, other_tape in zip(true.tapes, found.tapes, strict=True):
        if one_tape.name != "halfway":
            made.append((np.array(one_tape.outer_mm), np.array(other_tape.outer_mm)))
            made.append((np.array(one_tape.inner_mm), np.array(other_tape.inner_mm)))
    return made


def _sides(outline: Floats) -> list[Floats]:
    """A closed outline (n, 2), cut where it turns by more than 25 degrees."""
    back, ahead = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    turn = np.arctan2(back[:, 0] * ahead[:, 1] - back[:, 1] * ahead[:, 0], np.sum(back * ahead, axis=1))
    corners = np.flatnonzero(np.abs(turn) > np.radians(25))
    closed = np.concatenate((outline[corners[0] :], outline[: corners[0] + 1]))
    ends = [*(corners - corners[0]), len(outline)]
    return [closed[a : b + 1] for a, b in pairwise(ends)]


def _along(line: Floats) -> Floats:
    """Places (n, 2) along a line, clear of its ends."""
    far = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))))
    at = np.arange(CLEAR_MM, max(far[-1] - CLEAR_MM, CLEAR_MM + 0.1), EVERY_MM)
    return np.stack([np.interp(at, far, line[:, k]) for k in (0, 1)], axis=1)


def _apart(points: Floats, line: Floats) -> Floats:
    """How far points (n, 2) lie off a line (m, 2), as lengths (n,)."""
    start, way = line[:-1], np.diff(line, axis=0)
    size = np.maximum(np.sum(way * way, axis=1), 1e-12)
    share = np.clip(np.einsum("nmk,mk->nm", points[:, None] - start[None], way) / size, 0, 1)
    foot = start[None] + share[..., None] * way[None]
    found: Floats = np.linalg.norm(points[:, None] - foot, axis=2).min(axis=1)
    return found


def picture_of(path: Path) -> Picture:
    """A kept picture."""
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def grey_of(picture: Picture) -> Picture:
    """The same without colours."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
