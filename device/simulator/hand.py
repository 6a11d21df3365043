"""The hand over the simulated table: a right hand with its arm, seen from above, as a picture to lay over.

The hand is a heap of rounded limbs; where two meet, the higher one shows, blended at the seam. Its height
gives the shading. In the hand's own frame (mm) the grip is the origin and the arm comes from -y.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, get_args

import cv2
import numpy as np

from calibration.arrays import Picture, Reals
from device.simulator.cast import MainLight, PixelBox
from device.simulator.lens import SimulatedLens
from models.painting.materials import light_of, pictured

Shape = Literal["open", "cupped", "pointing"]

HEIGHT_MM = 45.0
"""How high over the felt the hand is taken to be."""
SCALE = 2.0
"""Pixels to a millimetre in the drawn hand."""
BLUSH_RADII, NAIL_RADII = 4.0, 1.5
"""Farther than so many of a finger's radii from a joint its skin is no redder, and no nail is there."""
_LEFT_MM, _RIGHT_MM, _FRONT_MM, _BACK_MM = -72.0, 72.0, 75.0, -900.0

_SKIN = (122, 158, 214)
_NAIL = (172, 186, 226)
_SLEEVE = (112, 74, 48)

Part = tuple[slice, slice]
"""Rows and columns of the drawn hand."""
Limb = tuple[float, float, float, float, float, float, float]
"""x, y, radius at one end, x, y, radius at the other, and how high the limb lies."""

_PALM: tuple[Limb, ...] = (
    (-24, -38, 19, -15, -88, 17, 6),
    (-4, -34, 20, -4, -90, 18, 8),
    (16, -36, 19, 8, -90, 17, 6),
    (31, -44, 15, 19, -92, 15, 3),
    (-26, -66, 17, -14, -98, 17, 5),
)
_ARM: Limb = (0, -100, 25, 0, -190, 31, 0)
_SLEEVE_LIMB: Limb = (0, -165, 38, 0, -900, 62, 10)

_FINGERS: dict[Shape, tuple[Limb, ...]] = {
    "open": (
        (-27, -32, 9.6, -35, 14, 8.2, 6), (-35, 14, 8.2, -36, 38, 7.0, 0),
        (-6, -26, 10, -8, 28, 8.6, 8), (-8, 28, 8.6, -7, 54, 7.4, 1),
        (15, -28, 9.6, 20, 22, 8.2, 6), (20, 22, 8.2, 23, 46, 7.0, 0),
        (32, -38, 8.4, 43, -2, 7.0, 2), (43, -2, 7.0, 48, 18, 6.0, -3),
        (-38, -74, 13, -56, -38, 10, -2), (-56, -38, 10, -60, -10, 8.2, -6),
    ),
    "cupped": (
        (-27, -34, 9.8, -27, 4, 9.0, 7), (-27, 4, 9.0, -21, 16, 8.4, -4),
        (-6, -30, 10.2, -6, 12, 9.2, 9), (-6, 12, 9.2, -4, 22, 8.6, -4),
        (15, -32, 9.8, 16, 8, 8.8, 7), (16, 8, 8.8, 14, 18, 8.2, -4),
        (32, -40, 8.8, 34, -8, 7.8, 3), (34, -8, 7.8, 29, 2, 7.2, -5),
        (-38, -74, 13, -46, -42, 10.4, -1), (-46, -42, 10.4, -36, -18, 8.8, -6),
    ),
    "pointing": (
        (-20, -66, 9.8, -4, -22, 8.6, 7), (-4, -22, 8.6, 0, -7.2, 7.2, 0),
        (-6, -62, 10.2, 2, -44, 9.6, 9), (14, -60, 9.8, 16, -46, 9.2, 7),
        (30, -62, 8.8, 30, -52, 8.0, 3), (-34, -86, 12, -30, -58, 9.6, 4),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HandPose:
    """Where the grip is, how the arm is turned (0: it comes from the picture's bottom) and the shape."""

    x_mm: float
    y_mm: float
    turn_rad: float
    shape: Shape


@lru_cache(maxsize=3)
def draw_hand(shape: Shape) -> tuple[Picture, Picture]:
    """A hand's colour weighted with its cover (h, w, 3), and its cover (h, w; 255 is all)."""
    columns, rows = int((_RIGHT_MM - _LEFT_MM) * SCALE), int((_FRONT_MM - _BACK_MM) * SCALE)
    x = (np.arange(columns, dtype=np.float32) + 0.5) / SCALE + _LEFT_MM
    y = _FRONT_MM - (np.arange(rows, dtype=np.float32) + 0.5) / SCALE
    grid_x, grid_y = np.meshgrid(x, y)
    # The pointing hand's palm lies further back, so that its fingertip is the grip.
    back = -32.0 if shape == "pointing" else 0.0
    shifted = tuple((a, b + back, r, c, d + back, s, z) for a, b, r, c, d, s, z in (*_PALM, _ARM))
    skin = _heap(grid_x, grid_y, (*shifted, *_FINGERS[shape]))
    sleeve = _heap(grid_x, grid_y, (_SLEEVE_LIMB,))
    # Cloth falls in folds round the arm.
    folds = 0.9 * np.sin(grid_y / 7.5 + 1.7 * np.sin(grid_x / 17)) + 0.6 * np.sin(grid_y / 3.1 + grid_x / 9)
    # The cuff is cut straight, and its hem is thicker.
    sleeve = np.where(grid_y < -190 - grid_x**2 / 160, sleeve, -99)
    folds = folds + 2.2 * np.exp(-(((grid_y + 193.5 + grid_x**2 / 160) / 2.2) ** 2))
    in_sleeve = sleeve > -50
    height = np.where(in_sleeve, sleeve + folds, skin)
    cover = cv2.GaussianBlur((height > -50).astype(np.float32), (0, 0), 0.8)
    albedo = np.where(
        in_sleeve[..., None], light_of(_SLEEVE), light_of(_SKIN) * _blush(grid_x, grid_y, shape)
    )
    color = pictured(albedo * _relief(height)[..., None]) * cover[..., None]
    return color.astype(np.uint8), (cover * 255 + 0.5).astype(np.uint8)


def prepare_hands() -> None:
    """Draw a hand of every shape now. Each is drawn once, and would else be so while dice roll."""
    for shape in get_args(Shape):
        draw_hand(shape)


def _heap(x: Reals, y: Reals, limbs: tuple[Limb, ...]) -> Reals:
    """Heights (mm) of rounded limbs laid together; below -50 where there is none."""
    total = np.full(x.shape, np.float32(1e-12), np.float32)
    soft = 2.2
    for ax, ay, ar, bx, by, br, z in limbs:
        part = _around(x, y, ((ax, ay), (bx, by)), max(ar, br))
        x_there, y_there = x[part], y[part]
        dx, dy = bx - ax, by - ay
        along = np.clip(((x_there - ax) * dx + (y_there - ay) * dy) / (dx * dx + dy * dy), 0, 1)
        radius = ar + (br - ar) * along
        across2 = (x_there - ax - along * dx) ** 2 + (y_there - ay - along * dy) ** 2
        inside = across2 < radius * radius
        height = z * (1 - 0.4 * along) + np.sqrt(np.maximum(radius * radius - across2, 0))
        total[part] += np.where(inside, np.exp(np.minimum(height, 90) / soft), 0)
    return np.where(total > 1e-6, soft * np.log(total), np.float32(-99)).astype(np.float32)


def _around(x: Reals, y: Reals, points: Sequence[tuple[float, float]], margin_mm: float) -> Part:
    """The part of the drawn hand that comes so near to one of the points, or to what is between them."""
    across, along = zip(*points, strict=True)
    columns = np.flatnonzero((x[0] > min(across) - margin_mm) & (x[0] < max(across) + margin_mm))
    rows = np.flatnonzero((y[:, 0] > min(along) - margin_mm) & (y[:, 0] < max(along) + margin_mm))
    if not (columns.size and rows.size):
        return slice(0), slice(0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _relief(height: Reals) -> Reals:
    """Light on a surface of such heights, from the left and the back."""
    filled = cv2.GaussianBlur(np.maximum(height, -4), (0, 0), 1.6)
    slope_y, slope_x = np.gradient(filled * SCALE)
    length = np.sqrt(slope_x**2 + slope_y**2 + 1)
    # Picture rows run down: towards the back is -row, so the lamp stands at (-0.33, -0.37, 0.87).
    facing = np.maximum((0.33 * slope_x + 0.37 * slope_y + 0.87) / length, 0)
    found: Reals = (0.30 + 0.16 / length + 0.62 * facing).astype(np.float32)
    return found


def _blush(x: Reals, y: Reals, shape: Shape) -> Reals:
    """Skin is redder at knuckles and fingertips, and finely uneven; nails are paler."""
    tone = np.ones((*x.shape, 3), np.float32)
    noise = np.random.default_rng(5).standard_normal(x.shape, dtype=np.float32)
    fine, broad = cv2.GaussianBlur(noise, (0, 0), 1.2), cv2.GaussianBlur(noise, (0, 0), 9)
    tone += (0.10 * fine + 0.9 * broad)[..., None] * np.array([1.0, 0.9, 0.6], np.float32)
    for ax, ay, ar, bx, by, br, z in _FINGERS[shape]:
        for px, py, radius in ((ax, ay, ar), (bx, by, br)):
            part = _around(x, y, ((px, py),), BLUSH_RADII * radius)
            near = np.exp(-((x[part] - px) ** 2 + (y[part] - py) ** 2) / (radius * 0.9) ** 2)
            tone[part] *= 1 - near[..., None] * np.array([0.20, 0.15, 0.02], np.float32)
        if shape != "cupped" and br < 8.5 and z <= 1:  # the last joint of a finger that lies open
            length = float(np.hypot(bx - ax, by - ay))
            ux, uy = (bx - ax) / length, (by - ay) / length
            part = _around(x, y, ((bx, by),), NAIL_RADII * br)
            x_there, y_there = x[part] - bx, y[part] - by
            along, across = x_there * ux + y_there * uy, x_there * uy - y_there * ux
            nail = np.clip(
                3 * (1.15 - ((along - br * 0.25) / (br * 0.72)) ** 2 - (across / (br * 0.55)) ** 2), 0, 1
            )
            tone[part] += nail[..., None] * (light_of(_NAIL) / light_of(_SKIN) - 1) * 0.55
    return tone


def _placing(lens: SimulatedLens, pose: HandPose) -> Reals:
    """The affine map (2 x 3) from the drawn hand's pixels to the picture's."""
    c, s = np.cos(pose.turn_rad), np.sin(pose.turn_rad)
    middle = np.array([pose.x_mm, pose.y_mm, HEIGHT_MM])
    right, ahead = np.array([c, s, 0]) * 40, np.array([-s, c, 0]) * 40
    there = lens.project(np.array([middle, middle + right, middle + ahead], np.float32))
    here = (np.array([[0, 0], [40, 0], [0, 40]], np.float32) * (1, -1) - (_LEFT_MM, -_FRONT_MM)) * SCALE - 0.5
    return cv2.getAffineTransform(here.astype(np.float32), there).astype(np.float32)


def _bounds(lens: SimulatedLens, placing: Reals) -> PixelBox:
    columns, rows = (_RIGHT_MM - _LEFT_MM) * SCALE, (_FRONT_MM - _BACK_MM) * SCALE
    ends = np.array([[0, 0, 1], [columns, 0, 1], [0, rows, 1], [columns, rows, 1]], np.float32)
    return PixelBox.around(ends @ placing.T, 30, lens)


def lay_over(
    picture: Picture, lens: SimulatedLens, light: MainLight, pose: HandPose, speed_px: Reals, gain: Reals
) -> None:
    """Draw the hand and its shadow into `picture` (in place), blurred along `speed_px` a frame's exposure."""
    placing = _placing(lens, pose)
    _lay_shadow(picture, lens, light, pose)
    box = _bounds(lens, placing)
    if box.empty:
        return
    rows, columns = box.shape
    placing = placing - np.array([[0, 0, box.x0], [0, 0, box.y0]], np.float32)
    color, cover = draw_hand(pose.shape)
    blur = tuple(max(1, round(abs(float(part)))) for part in speed_px)
    tinted = cv2.warpAffine(color, placing, (columns, rows))
    masked = cv2.warpAffine(cover, placing, (columns, rows))
    if max(blur) > 1:
        tinted, masked = cv2.blur(tinted, blur), cv2.blur(masked, blur)
    piece = picture[box.y0 : box.y1, box.x0 : box.x1]
    dimmed = cv2.convertScaleAbs(tinted, alpha=float(gain.mean()))
    beneath = cv2.multiply(piece, cv2.merge([cv2.bitwise_not(masked)] * 3), scale=1 / 255)
    cv2.add(beneath, dimmed, dst=piece)


def _lay_shadow(picture: Picture, lens: SimulatedLens, light: MainLight, pose: HandPose) -> None:
    """The hand's soft shadow, reckoned at a quarter of the size: it has no detail."""
    away = (np.array([pose.x_mm, pose.y_mm]) - light.place_mm[:2]) * (HEIGHT_MM / float(light.place_mm[2]))
    shifted = HandPose(pose.x_mm + float(away[0]), pose.y_mm + float(away[1]), pose.turn_rad, pose.shape)
    placing = _placing(lens, shifted)
    box = _bounds(lens, placing)
    if box.empty:
        return
    rows, columns = (max(1, size // 4) for size in box.shape)
    small = (placing - np.array([[0, 0, box.x0], [0, 0, box.y0]], np.float32)) / 4
    mask = cv2.GaussianBlur(cv2.warpAffine(draw_hand(pose.shape)[1], small, (columns, rows)), (0, 0), 4.0)
    factor = np.clip(255.5 - 0.40 * mask, 0, 255).astype(np.uint8)
    wide = cv2.resize(factor, (box.x1 - box.x0, box.y1 - box.y0), interpolation=cv2.INTER_LINEAR)
    piece = picture[box.y0 : box.y1, box.x0 : box.x1]
    piece[:] = cv2.multiply(piece, cv2.merge([wide, wide, wide]), scale=1 / 255)
