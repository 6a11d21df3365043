"""Starts for the fit: where in a patch of the picture the outline of a die runs along edges, to a millimetre.

How it works. On a picture of about 0.6 mm a pixel, the colour's slope across each of eight directions is
measured, levelled so that a strong edge says not much more than a clear one. The outline that a flat die
would have here is laid over it at twelve yaws and at every place; where slopes stand across it nearly all
round, a die may lie. The best places that are not the same are the starts; the fit decides.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.description import Dice
from calibration.view import View
from vision.find import Picture
from vision.landing.cube import Cube, Floats, Outline, flat_cube, outline

Slopes = NDArray[np.float32]

SEEK_MM = 0.62
"""To a pixel, about."""
DIRECTIONS = 8
YAWS = 12
LEAST_SLOPE = 5.0
"""Grey levels a pixel: a slope like that says half of what a sharp edge says."""
APART_MM = 3.0
APART_RAD = 0.2


@dataclass(frozen=True, slots=True)
class Start:
    """A place to begin a fit at."""

    x_mm: float
    y_mm: float
    yaw_rad: float
    score: float
    """0 to 1: how much of the outline has slopes across it."""


@dataclass(frozen=True, eq=False)
class Field:
    """How steep the picture is round a box of it, for each direction, and where that lies in the picture."""

    slopes: Slopes
    """DIRECTIONS x h x w, 0 to 1."""
    x_px: float
    y_px: float
    scale: float
    """Pixels of the picture to one of this."""

    def to_small(self, points: Floats) -> Floats:
        """Pixels (n, 2) of the picture in this field's."""
        found: Floats = (points - (self.x_px, self.y_px) + 0.5) / self.scale - 0.5
        return found

    def to_picture(self, points: Floats) -> Floats:
        """The other way round."""
        found: Floats = (points + 0.5) * self.scale - 0.5 + (self.x_px, self.y_px)
        return found

    def best_shift(self, view: View, cube: Cube, reach_px: int = 5) -> tuple[float, float, float]:
        """How well a cube's outline lies on slopes when it may shift a little: score, and where its middle is
        then, x and y in mm."""
        line = outline(view, cube, 1.5 * self.scale, fine=False)
        at = np.rint(self.to_small(line.points_px)).astype(int)
        zero = np.zeros(2, int)
        first, last = zero - reach_px, zero + reach_px
        scores = _laid_over(self.slopes, at, _directions(line), first, last)
        row, column = np.unravel_index(int(np.argmax(scores)), scores.shape)
        moved = np.array([[column - reach_px, row - reach_px]], np.float64) * self.scale
        height = float(cube.center_mm[2])
        seen = view.project(cube.center_mm[None]) + moved
        x, y = view.on_plane(seen, height)[0]
        return float(scores[row, column]), float(x), float(y)


def _directions(line: Outline) -> NDArray[np.int_]:
    angle = np.arctan2(line.normals_px[:, 1], line.normals_px[:, 0])
    return np.asarray(np.rint(angle / np.pi * DIRECTIONS).astype(int) % DIRECTIONS)


def starts(
    picture: Picture, view: View, dice: Dice, box: tuple[int, int, int, int], most: int = 6
) -> tuple[list[Start], Field]:
    """Where in the box x0, y0, x1, y1 of the picture a die's middle may be seen, best first; and the
    slopes."""
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    place = view.on_plane(middle, dice.edge_mm / 2)[0]
    per_mm = view.scale_px_per_mm(float(place[0]), float(place[1]), dice.edge_mm / 2)
    field = _field(picture, box, per_mm, dice)
    height, width = field.slopes.shape[1:]
    first = np.floor(field.to_small(np.array([[box[0], box[1]]], np.float64))[0]).astype(int)
    last = np.ceil(field.to_small(np.array([[box[2], box[3]]], np.float64))[0]).astype(int)
    first, last = np.maximum(first, 0), np.minimum(last, (width - 1, height - 1))
    scores: list[Slopes] = []
    for turn in range(YAWS):
        yaw = turn * np.pi / 2 / YAWS
        cube = flat_cube(place[0], place[1], yaw, dice.edge_mm, dice.corner_radius_mm)
        line = outline(view, cube, 1.5 * field.scale, fine=False)
        at = field.to_small(line.points_px) - field.to_small(view.project(cube.center_mm[None]))
        scores.append(_laid_over(field.slopes, np.rint(at).astype(int), _directions(line), first, last))
    return _peaks(np.stack(scores), field, first, view, dice, most), field


def _field(picture: Picture, box: tuple[int, int, int, int], per_mm: float, dice: Dice) -> Field:
    margin = round(dice.edge_mm * per_mm)
    height, width = picture.shape[:2]
    x0, y0 = max(box[0] - margin, 0), max(box[1] - margin, 0)
    x1, y1 = min(box[2] + margin, width), min(box[3] + margin, height)
    scale = max(1.0, SEEK_MM * per_mm)
    size = (max(8, round((x1 - x0) / scale)), max(8, round((y1 - y0) / scale)))
    whole = cv2.resize(picture[y0:y1, x0:x1], size, interpolation=cv2.INTER_AREA)
    small = np.asarray(whole, np.float32)
    if scale < 1.5:
        small = np.asarray(cv2.GaussianBlur(small, (3, 3), 0), np.float32)
    across = cv2.Scharr(small, cv2.CV_32F, 1, 0, scale=1 / 32)
    down = cv2.Scharr(small, cv2.CV_32F, 0, 1, scale=1 / 32)
    usual = float(np.median(_largest(np.asarray(cv2.magnitude(across, down), np.float32))))
    level = LEAST_SLOPE + 1.5 * usual
    slopes = []
    for direction in range(DIRECTIONS):
        angle = np.pi * direction / DIRECTIONS
        slope = _largest(np.abs(np.cos(angle) * across + np.sin(angle) * down).astype(np.float32))
        slopes.append(cv2.dilate(slope / (slope + level), np.ones((3, 3), np.uint8)))
    return Field(np.stack(slopes).astype(np.float32), x0, y0, (x1 - x0) / size[0])


def _largest(values: Slopes) -> Slopes:
    """The largest of the three channels."""
    blue, green, red = cv2.split(values)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _laid_over(
    slopes: Slopes,
    at: NDArray[np.int_],
    direction: NDArray[np.int_],
    first: NDArray[np.int_],
    last: NDArray[np.int_],
) -> Slopes:
    """How well an outline lies on slopes when its middle is at each pixel from `first` to `last`."""
    wide, high = last - first + 1
    lowest, highest = (at.min(axis=0) + first).min(), (at.max(axis=0) + last - slopes.shape[:0:-1]).max()
    reach = max(0, -int(lowest), int(highest) + 1)
    padded = np.pad(slopes, ((0, 0), (reach, reach), (reach, reach)))
    total = np.zeros((high, wide), np.float32)
    for (x, y), way in zip(at, direction, strict=True):
        left, top = first[0] + x + reach, first[1] + y + reach
        total += padded[way, top : top + high, left : left + wide]
    return np.asarray(total / np.float32(len(at)), np.float32)


def _peaks(
    scores: Slopes, field: Field, first: NDArray[np.int_], view: View, dice: Dice, most: int
) -> list[Start]:
    best = scores.max(axis=0)
    peak = (best >= cv2.dilate(best, np.ones((3, 3), np.uint8)) - 1e-6) & (best > 0.25)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-best[rows, columns])[: 6 * most]
    found: list[Start] = []
    at = field.to_picture(
        np.column_stack((columns[order] + first[0], rows[order] + first[1])).astype(np.float64)
    )
    for (x, y), row, column in zip(
        view.on_plane(at, dice.edge_mm / 2), rows[order], columns[order], strict=True
    ):
        for turn in np.argsort(-scores[:, row, column])[:2]:
            yaw = float(turn) * np.pi / 2 / YAWS
            start = Start(float(x), float(y), yaw, float(scores[turn, row, column]))
            if all(_differ(start, other) for other in found):
                found.append(start)
    found.sort(key=lambda start: -start.score)
    return found[:most]


def _differ(one: Start, other: Start) -> bool:
    turned = abs(one.yaw_rad - other.yaw_rad)
    apart = float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm))
    return apart > APART_MM or min(turned, np.pi / 2 - turned) > APART_RAD
