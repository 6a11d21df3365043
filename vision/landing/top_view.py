"""The table as it would look from straight above, put together from a picture taken from anywhere.

Everything is brought to the table's plane; a die's top, which leans outwards in the picture, is brought down
from its own height, and each point of its rounded edges from its own. What stands behind a die was not seen
by the camera: it is drawn as it was laid, and striped so that nobody takes it for photographed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Picture
from calibration.laid import LaidDot
from calibration.table import TableCalibration
from calibration.view import View
from vision.landing.field import field_of
from vision.landing.measured import MeasuredDie

_UNSEEN = (96, 96, 96)
"""The colour of what lies outside the picture."""
_BLOCK = 8
"""Rays are calculated for every eighth pixel and interpolated: a lens bends nothing in between."""


@dataclass(frozen=True, slots=True)
class DrawnArea:
    """Which part of the table a drawing shows. The table's +y points up in it."""

    center_mm: tuple[float, float]
    px_per_mm: float
    width_px: int
    height_px: int

    def px(self, points_mm: Floats) -> Floats:
        """Where points (..., 2) of the table lie in the drawing."""
        off = (np.asarray(points_mm) - self.center_mm) * (self.px_per_mm, -self.px_per_mm)
        found: Floats = np.add(off, ((self.width_px - 1) / 2, (self.height_px - 1) / 2))
        return found

    def mm(self, points_px: Floats) -> Floats:
        """The places of the table (..., 2) at points of the drawing."""
        off = np.asarray(points_px) - ((self.width_px - 1) / 2, (self.height_px - 1) / 2)
        found: Floats = off / (self.px_per_mm, -self.px_per_mm) + self.center_mm
        return found

    def grid_mm(self, step_px: int = 1, around: int = 0) -> Floats:
        """The places on the table (h, w, 2) of all blocks of `step_px` pixels, with `around` more blocks on
        each side."""
        count_x, count_y = -(-self.width_px // step_px), -(-self.height_px // step_px)
        xs = (np.arange(-around, count_x + around) + 0.5) * step_px - 0.5
        ys = (np.arange(-around, count_y + around) + 0.5) * step_px - 0.5
        return self.mm(np.stack(np.meshgrid(xs, ys), axis=-1))

    def filled(self, outline_mm: Floats) -> Bools:
        """Which pixels lie within a closed outline (height, width)."""
        mask = np.zeros((self.height_px, self.width_px), np.uint8)
        cv2.fillPoly(mask, [np.rint(self.px(outline_mm) * 16).astype(np.int32)], 1, shift=4)
        return mask.astype(bool)


def view_from_above(
    picture: Picture, calibration: TableCalibration, dice: Sequence[MeasuredDie], frame: DrawnArea
) -> Picture:
    """The part of the table in `frame` (height, width, 3) as seen from straight above."""
    view = calibration.view
    table = _on_plane(picture, view, frame)
    flat = [die for die in dice if die.pose == "flat"]
    footprints = [np.array(die.footprint_mm) for die in flat]
    hidden = np.zeros(table.shape[:2], bool)
    for die, outline in zip(flat, footprints, strict=True):
        hidden |= frame.filled(_behind(view, outline, die.edge_mm))
    if hidden.any():
        _as_laid(table, hidden, calibration, frame)
    for die, outline in zip(flat, footprints, strict=True):
        _lower(table, picture, die, outline, (calibration, frame))
    return table


def _on_plane(picture: Picture, view: View, frame: DrawnArea) -> Picture:
    """The whole picture seen as if it all lay in the table's plane."""
    places = frame.grid_mm(_BLOCK, around=1)
    height, width = places.shape[:2]
    seen = view.project(np.dstack([places, np.zeros((height, width))]).reshape(-1, 3))
    coarse = seen.reshape(height, width, 2).astype(np.float32)
    fine = cv2.resize(coarse, (width * _BLOCK, height * _BLOCK), interpolation=cv2.INTER_LINEAR)
    fine = fine[_BLOCK : _BLOCK + frame.height_px, _BLOCK : _BLOCK + frame.width_px]
    return _sampled(picture, np.asarray(fine, np.float32))


def _sampled(picture: Picture, places_px: NDArray[np.float32]) -> Picture:
    found = cv2.remap(
        picture,
        places_px[..., 0],
        places_px[..., 1],
        cv2.INTER_CUBIC,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_UNSEEN,
    )
    return np.asarray(found, np.uint8)


def _behind(view: View, outline_mm: Floats, height_mm: float) -> Floats:
    """The part of the table (n, 2) that a die covers in the picture, including what it stands on."""
    eye = view.eye_mm
    top = eye[:2] + (outline_mm - eye[:2]) * eye[2] / (eye[2] - height_mm)
    hull = cv2.convexHull(np.concatenate([outline_mm, top]).astype(np.float32))
    return np.asarray(hull, np.float64).reshape(-1, 2)


def _as_laid(table: Picture, hidden: Bools, calibration: TableCalibration, frame: DrawnArea) -> None:
    """Paint what a die hides in the colours of its zones, with stripes."""
    zones = np.zeros(hidden.shape, np.int64)
    for value, lines in field_of(calibration.laid).painted:
        zones[frame.filled(lines[:, 0])] = value
    planned = {zone.value: bgr(zone.color) for zone in calibration.planned.end_zone.zone}
    for zone in np.unique(zones[hidden]).tolist():
        here = zones == zone
        open_ = here & ~hidden
        # Colours as they look in this light, where enough of the zone is visible.
        seen = np.median(table[open_], axis=0) if open_.sum() > 500 else planned.get(zone, (150, 150, 150))
        table[here & hidden] = np.asarray(seen, np.uint8)
    dot, drawn = calibration.laid.dot, calibration.planned.end_zone.dot
    if dot is not None and drawn is not None:
        table[frame.filled(circle(dot)) & hidden] = bgr(drawn.color)
    rows, columns = np.arange(hidden.shape[0])[:, None], np.arange(hidden.shape[1])
    pitch = max(10, round(frame.px_per_mm * 0.7))
    stripe = hidden & ((rows + columns) % pitch < pitch // 4)
    table[stripe] = (0.72 * table[stripe] + 0.28 * 255).astype(np.uint8)


def circle(dot: LaidDot) -> Floats:
    """The dot's outline (120, 2)."""
    turn = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    found: Floats = dot.diameter_mm / 2 * np.stack([np.cos(turn), np.sin(turn)], axis=-1) + dot.center_mm
    return found


def bgr(color: str) -> tuple[int, int, int]:
    """A planned colour (#rrggbb) as blue, green, red."""
    red, green, blue = (int(color[at : at + 2], 16) for at in (1, 3, 5))
    return blue, green, red


def _lower(
    table: Picture,
    picture: Picture,
    die: MeasuredDie,
    outline_mm: Floats,
    where: tuple[TableCalibration, DrawnArea],
) -> None:
    """Bring a die's top down onto its footprint, each point of its rounded edge from its own height."""
    calibration, frame = where
    inside = frame.filled(outline_mm)
    if not inside.any():
        return
    left, top, width, height = cv2.boundingRect(inside.astype(np.uint8))
    box = (slice(top, top + height), slice(left, left + width))
    radius = calibration.dice.corner_radius_mm
    depth_px = cv2.distanceTransform(inside.astype(np.uint8), cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    rounded = np.maximum(radius - depth_px[box] / frame.px_per_mm, 0.0)
    below = radius - np.sqrt(np.maximum(radius**2 - rounded**2, 0.0))
    xs, ys = np.meshgrid(np.arange(left, left + width), np.arange(top, top + height))
    solid = np.dstack([frame.mm(np.dstack([xs, ys])), die.edge_mm - below])
    seen = calibration.view.project(solid.reshape(-1, 3)).astype(np.float32).reshape(height, width, 2)
    table[box][inside[box]] = _sampled(picture, seen)[inside[box]]
