"""Finds starts for the fit: where a die's outline would run along edges of the picture, to a millimetre.

How it works. On a picture of about 0.6 mm a pixel, the colour's slope across each of eight directions is
measured, levelled so that a strong edge says not much more than a clear one. The outline that a flat die
would have here is laid over it at twelve yaws and at every place; where slopes stand across it nearly all
round, a die may lie. The best places that differ are the starts; the fit decides.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture, Singles
from calibration.description import Dice
from calibration.view import View
from vision.landing.cube import Cube, flat_cube

SEEK_MM = 0.62
"""About how many millimetres a pixel of the searched picture covers."""
DIRECTIONS = 8
YAWS = 12
CIRCLE_POINTS = 16
"""Points of each of a cube's eight round corners: the chords fall short by a thirtieth of a millimetre."""
REACH = 1.2
"""In edges: the farthest that any point of a die's outline is seen from its middle."""
BEST_SHIFT_PX = 5
LEAST_SLOPE = 5.0
"""A slope of this many grey levels a pixel counts half of what a sharp edge does."""
APART_MM = 3.0
APART_RAD = 0.2


@dataclass(frozen=True, slots=True)
class Start:
    """A place to begin a fit at."""

    x_mm: float
    y_mm: float
    yaw_rad: float
    score: float
    """How much of the outline has slopes across it, 0 to 1."""


@dataclass(frozen=True, eq=False)
class SlopeField:
    """How steep the picture is within a box, in each direction."""

    slopes: Singles
    """Steepness (DIRECTIONS, h, w), 0 to 1."""
    x_px: float
    y_px: float
    scale: float
    """How many pixels of the picture make one of this field, along each side."""

    def to_small(self, points: Floats) -> Floats:
        """Pixels (n, 2) of the picture, as pixels of this field."""
        found: Floats = (points - (self.x_px, self.y_px) + 0.5) / self.scale - 0.5
        return found

    def to_picture(self, points: Floats) -> Floats:
        """Pixels (n, 2) of this field, as pixels of the picture."""
        found: Floats = (points + 0.5) * self.scale - 0.5 + (self.x_px, self.y_px)
        return found

    def best_shift(self, view: View, cube: Cube, reach_px: int = BEST_SHIFT_PX) -> tuple[float, float, float]:
        """How well a cube's outline lies on slopes when it may shift by up to `reach_px`: the best score, and
        x and y of its middle there, mm."""
        line = rim(view, cube, 1.5 * self.scale)
        at = np.rint(self.to_small(line.points_px)).astype(int)
        zero = np.zeros(2, int)
        first, last = zero - reach_px, zero + reach_px
        scores = _laid_over(self.slopes, at, line.directions, first, last)
        row, column = np.unravel_index(int(np.argmax(scores)), scores.shape)
        moved = np.array([[column - reach_px, row - reach_px]], np.float64) * self.scale
        height = float(cube.center_mm[2])
        seen = view.project(cube.center_mm[None]) + moved
        x, y = view.on_plane(seen, height)[0]
        return float(scores[row, column]), float(x), float(y)


@dataclass(frozen=True, eq=False)
class Rim:
    """A cube's outline in the picture, to a fifth of a millimetre."""

    points_px: Floats
    """Its points (n, 2), equally spaced."""
    directions: NDArray[np.int_]
    """For each point (n), which of the directions stands across the outline there."""


def rim(view: View, cube: Cube, step_px: float) -> Rim:
    """The outline at points about `step_px` apart: the hull of round discs where the cube's eight balls are
    seen. Ten times as fast as `cube.outline`, which uses the ellipses that they really are."""
    return _rims(view, [cube], step_px)[0]


def _rims(view: View, cubes: Sequence[Cube], step_px: float) -> list[Rim]:
    """The outlines of several cubes of one size, projected together."""
    balls = np.concatenate([cube.balls_mm for cube in cubes])
    far = balls @ view.turn[2] + view.translation_mm[2]
    size = cubes[0].radius_mm * np.sqrt(view.lens.focal_px[0] * view.lens.focal_px[1]) / far
    discs = view.project(balls)[:, None] + size[:, None, None] * _circle()
    return [_rim(own, step_px) for own in discs.astype(np.float32).reshape(len(cubes), -1, 1, 2)]


def _rim(discs: Singles, step_px: float) -> Rim:
    """The outline round eight discs, as points (n, 1, 2)."""
    hull = cv2.convexHull(discs).reshape(-1, 2).astype(np.float64)
    corner = np.concatenate((hull, hull[:1]))
    along = corner[1:] - corner[:-1]
    ways = np.concatenate((np.zeros(1), np.cumsum(np.hypot(along[:, 0], along[:, 1]))))
    count = max(12, round(float(ways[-1]) / step_px))
    at = (np.arange(count) + 0.5) * (ways[-1] / count)
    points = np.stack([np.interp(at, ways, corner[:, axis]) for axis in (0, 1)], axis=1)
    angle = np.arctan2(-along[:, 0], along[:, 1])
    direction = np.rint(angle / np.pi * DIRECTIONS).astype(int) % DIRECTIONS
    return Rim(points, direction[np.searchsorted(ways[1:], at)])


@cache
def _circle() -> Floats:
    angle = np.arange(CIRCLE_POINTS) * (2 * np.pi / CIRCLE_POINTS)
    return np.column_stack((np.cos(angle), np.sin(angle)))


def starts(
    picture: Picture, view: View, dice: Dice, box: tuple[int, int, int, int], most: int = 6
) -> tuple[list[Start], SlopeField]:
    """The places in the box (x0, y0, x1, y1) of the picture where a die's middle may be seen, best first; and
    the slopes."""
    middle = np.array([[(box[0] + box[2]) / 2, (box[1] + box[3]) / 2]])
    place = view.on_plane(middle, dice.edge_mm / 2)[0]
    per_mm = view.scale_px_per_mm(float(place[0]), float(place[1]), dice.edge_mm / 2)
    field = _field(picture, box, per_mm, dice)
    height, width = picture.shape[:2]
    seen = np.array([[max(box[0], 0), max(box[1], 0)], [min(box[2], width), min(box[3], height)]], np.float64)
    low, high = field.to_small(seen)
    first, last = np.floor(low).astype(int), np.ceil(high).astype(int)
    cubes = [
        flat_cube(place[0], place[1], turn * np.pi / 2 / YAWS, dice.edge_mm, dice.corner_radius_mm)
        for turn in range(YAWS)
    ]
    middle = field.to_small(view.project(cubes[0].center_mm[None]))
    scores: list[Singles] = []
    for line in _rims(view, cubes, 1.5 * field.scale):
        at = np.rint(field.to_small(line.points_px) - middle).astype(int)
        scores.append(_laid_over(field.slopes, at, line.directions, first, last))
    return _peaks(np.stack(scores), field, first, view, dice, most), field


def _field(picture: Picture, box: tuple[int, int, int, int], per_mm: float, dice: Dice) -> SlopeField:
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
    # Directions first, then channels, then rows and columns, so that all are turned at once.
    steep = np.stack((across, down)).transpose(0, 3, 1, 2).reshape(2, -1)
    usual = float(np.median(np.hypot(*steep).reshape(3, -1).max(axis=0)))
    turned = np.abs(_turns() @ steep).reshape(DIRECTIONS, 3, *small.shape[:2]).max(axis=1)
    turned /= turned + np.float32(LEAST_SLOPE + 1.5 * usual)
    own_scale = (x1 - x0) / size[0]
    # A die in the box may reach beyond the picture: nothing is steep there.
    border = int(np.ceil(REACH * dice.edge_mm / SEEK_MM)) + BEST_SHIFT_PX
    padded = np.zeros((DIRECTIONS, size[1] + 2 * border, size[0] + 2 * border), np.float32)
    for way, slope in zip(padded, turned, strict=True):
        way[border:-border, border:-border] = cv2.dilate(slope, np.ones((3, 3), np.uint8))
    return SlopeField(padded, x0 - border * own_scale, y0 - border * own_scale, own_scale)


@cache
def _turns() -> Singles:
    """The factors (DIRECTIONS, 2) that make the slope in each direction from the slopes across and down."""
    angle = np.pi * np.arange(DIRECTIONS) / DIRECTIONS
    return np.stack((np.cos(angle), np.sin(angle)), axis=1).astype(np.float32)


def _laid_over(
    slopes: Singles,
    at: NDArray[np.int_],
    direction: NDArray[np.int_],
    first: NDArray[np.int_],
    last: NDArray[np.int_],
) -> Singles:
    """How well an outline lies on slopes with its middle at each pixel from `first` to `last`."""
    wide, high = (int(size) for size in last - first + 1)
    total = np.zeros((high, wide), np.float32)
    for left, top, way in np.column_stack((at + first, direction)).tolist():
        total += slopes[way, top : top + high, left : left + wide]
    return np.asarray(total / np.float32(len(at)), np.float32)


def _peaks(
    scores: Singles, field: SlopeField, first: NDArray[np.int_], view: View, dice: Dice, most: int
) -> list[Start]:
    best = scores.max(axis=0)
    peak = (best >= cv2.dilate(best, np.ones((3, 3), np.uint8)) - 1e-6) & (best > 0.25)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-best[rows, columns])[: 6 * most]
    rows, columns = rows[order], columns[order]
    if not len(rows):
        return []
    at = field.to_picture(np.column_stack((columns + first[0], rows + first[1])).astype(np.float64))
    places = view.on_plane(at, dice.edge_mm / 2)
    here = scores[:, rows, columns]
    turns = np.argsort(-here, axis=0)[:2]
    score = np.take_along_axis(here, turns, axis=0)
    found: list[Start] = []
    for turn, place in zip(*np.unravel_index(np.argsort(-score, axis=None), score.shape), strict=True):
        x, y = (float(part) for part in places[place])
        yaw = float(turns[turn, place]) * np.pi / 2 / YAWS
        start = Start(x, y, yaw, float(score[turn, place]))
        if all(_differ(start, other) for other in found):
            found.append(start)
        if len(found) == most:
            break
    return found


def _differ(one: Start, other: Start) -> bool:
    turned = abs(one.yaw_rad - other.yaw_rad)
    apart = math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
    return apart > APART_MM or min(turned, math.pi / 2 - turned) > APART_RAD
