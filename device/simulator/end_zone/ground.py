"""Paints an end of the empty End Zone table: boards, sheet, dot, tapes, and the floor beyond the edge.

Every edge is drawn by its distance in pixels, so that it is right to a small part of a pixel: lines are what
this table is measured against.
"""

from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Reals
from calibration.ends import End, Ends, join
from calibration.fit import find_landmarks
from calibration.table import TableCalibration
from device.simulator.cast import MainLight
from device.simulator.end_zone.table import (
    TapeWay,
    eye,
    in_table_frame,
    known_table,
    on_sheet,
    planned,
    tapes,
    turn,
)
from device.simulator.ground import Backdrop, lit_from_both_sides, smooth
from device.simulator.lens import SimulatedLens

FLOOR_Z_MM = -740.0
BOARD_MM = 118.0
_WOOD = (104, 146, 186)
_FLOOR = (74, 70, 66)


def lamp() -> MainLight:
    """The lamp over the table, to its left and towards the halfway line."""
    return MainLight(place_mm=np.array([-420.0, 900.0, 1500.0], np.float32), radius_mm=90.0, share=0.5)


@lru_cache(maxsize=6)
def stage(width_px: int, height_px: int, end: End | None = None) -> Backdrop:
    """Eye, lamp and empty table, in the table frame; painted once for each size of picture.

    `end` is which one of two End Zones; None is the only one of a table that has no other.
    """
    lens = eye(width_px, height_px, end or "near")
    ground = lit_from_both_sides(_paint(lens, end))
    return Backdrop(in_table_frame(lens, end or "near"), lamp(), ground)


@lru_cache(maxsize=6)
def calibration(width_px: int, height_px: int, end: End | None = None) -> TableCalibration:
    """The maker's knowledge of an end, in its own frame, with the landmarks that its empty picture shows."""
    made = known_table(width_px, height_px, end or "near")
    empty = stage(width_px, height_px, end).ground.lit((0.5, 0.5))
    side = planned().table.surface_width_mm / 2
    marks = find_landmarks(empty, made.view, made.laid, ((-side, 0.0), (side, 0.0)))
    return replace(made, landmarks=marks)


def both_ends(width_px: int, height_px: int) -> Ends:
    """The same of a table with two End Zones, each under its own camera."""
    return join(calibration(width_px, height_px, "near"), calibration(width_px, height_px, "far"))


def _paint(lens: SimulatedLens, end: End | None) -> Reals:
    """The empty table in even light, as picture values (rows, columns, 3); all in the end's own frame."""
    y_px, x_px = np.mgrid[0 : lens.height_px, 0 : lens.width_px].astype(np.float32)
    place = lens.on_plane(x_px, y_px, 0)
    noise = np.random.default_rng(32 if end == "far" else 31)  # the same table in every game
    painted = _floor(lens, x_px, y_px, noise)
    scale = _scale(place)
    plan = planned()
    side = plan.table.surface_width_mm / 2
    surface = np.maximum(np.abs(place[..., 0]) - side, -place[..., 1])
    # The table's shadow on the floor makes its edge look high.
    painted *= (1 - 0.45 * np.exp(-np.maximum(surface, 0) / 60))[..., None]
    _lay(painted, _boards(lens, place, noise), surface, scale)
    tape = _colour(plan.tape.color) * (1 + 0.012 * smooth(lens, noise, 2, 2))[..., None]
    for way in tapes(end or "near"):
        _lay_tape(painted, tape, way, place, scale)
    if end is not None:  # the side lines run on to the other end
        beyond = (place.reshape(-1, 2) - turn().shift_mm) @ turn().matrix
        for way in tapes("near" if end == "far" else "far"):
            _lay_tape(painted, tape, way, beyond.reshape(place.shape).astype(np.float32), scale)
    _lay_sheet(painted, place, scale, 1 + 0.008 * smooth(lens, noise, 25, 25))
    found: Reals = cv2.GaussianBlur(painted, (3, 3), 0.6).astype(np.float32, copy=False)
    return found


def _lay_tape(painted: Reals, colour: Reals, way: TapeWay, place: Reals, scale: Reals) -> None:
    along, across = (0, 1) if way.name == "halfway" else (1, 0)
    middle = way.across_mm(place[..., along])
    beyond = np.maximum(way.start_mm - place[..., along], place[..., along] - way.end_mm)
    off = np.abs(place[..., across] - middle) - planned().tape.width_mm / 2
    _lay(painted, colour, np.maximum(off, beyond), scale)


def _lay_sheet(painted: Reals, place: Reals, scale: Reals, tone: Reals) -> None:
    own, sheet = np.ascontiguousarray(np.moveaxis(on_sheet(place), -1, 0)), planned().end_zone
    for zone in sheet.zone:
        corners = np.array(zone.polygon_mm, np.float32)
        low, high = corners.min(axis=0), corners.max(axis=0)
        beyond = [np.maximum(low[axis] - own[axis], own[axis] - high[axis]) for axis in (0, 1)]
        outside = np.maximum(beyond[0], beyond[1])
        _lay(painted, _colour(zone.color) * tone[..., None], outside, scale)
    if sheet.dot:
        away = np.hypot(own[0] - sheet.dot.x_mm, own[1] - sheet.dot.y_mm)
        _lay(painted, _colour(sheet.dot.color) * tone[..., None], away - sheet.dot.diameter_mm / 2, scale)


def _lay(painted: Reals, colour: Reals, outside_mm: Reals, scale_px: Reals) -> None:
    """Cover with `colour` where `outside_mm` is negative; a pixel on the edge takes its share, in light."""
    cover = np.clip(0.5 - outside_mm * scale_px, 0, 1)
    there = cover > 0
    rows, columns = np.flatnonzero(there.any(axis=1)), np.flatnonzero(there.any(axis=0))
    if not rows.size:
        return
    box = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    piece, share = painted[box], cover[box][..., None]
    paint = colour[box] if colour.ndim == 3 else colour
    # Shares are of light, and picture values are not: mixed by their squares, which is close to it.
    np.sqrt(piece * piece * (1 - share) + paint * paint * share, out=piece)


def _scale(place: Reals) -> Reals:
    """Pixels to a millimetre at each pixel (rows, columns)."""
    right = np.gradient(place, axis=1)
    found: Reals = (1 / np.maximum(np.hypot(right[..., 0], right[..., 1]), 1e-6)).astype(np.float32)
    return found


def _boards(lens: SimulatedLens, place: Reals, noise: np.random.Generator) -> Reals:
    """Oiled oak: boards along the table, each of its own tone, with thin joints."""
    number = (place[..., 0] + 1000) / BOARD_MM
    tone = noise.normal(1, 0.045, 32).astype(np.float32)[number.astype(np.int32) % 32]
    joint = np.abs(number - np.round(number)) * BOARD_MM
    veins = sum(
        strength * smooth(lens, noise, across, along)
        for strength, across, along in ((0.022, 1.0, 55.0), (0.035, 3.2, 190.0), (0.04, 9.0, 300.0))
    )
    wood = (1 + veins) * tone * (1 - 0.4 * np.exp(-((joint / 0.8) ** 2)))
    found: Reals = np.array(_WOOD, np.float32) * wood[..., None].astype(np.float32)
    return found


def _floor(lens: SimulatedLens, x_px: Reals, y_px: Reals, noise: np.random.Generator) -> Reals:
    """Grey tiles, far below."""
    low = lens.on_plane(x_px, y_px, FLOOR_Z_MM) / 300.0
    off = np.abs(low - np.round(low)) * 300.0
    joint = np.minimum(off[..., 0], off[..., 1])
    tone = 1 + 0.05 * smooth(lens, noise, 30, 30) + 0.02 * smooth(lens, noise, 1.5, 1.5)
    found: Reals = (
        np.array(_FLOOR, np.float32) * (tone * (1 - 0.35 * np.exp(-((joint / 2.5) ** 2))))[..., None]
    )
    return found


def _colour(hexadecimal: str) -> Reals:
    """ "#rrggbb" as blue, green, red."""
    return np.array([int(hexadecimal[at : at + 2], 16) for at in (5, 3, 1)], np.float32)
