"""A small painter for the calibration's tests: flat things seen through a lens, with the truth known exactly.

Each pixel is the mean of `rays` rays, in light, blurred as by a lens, then encoded as sRGB with
noise. It shares nothing with the fits but the meaning of `View`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from calibration.board import Board
from calibration.description import TableDescription
from calibration.view import Lens, View

Paint = Callable[[Singles, Singles], Singles]
"""From x and y in mm (of one shape) to light, blue green red in 0 to 1 (one axis more)."""


def lens(width: int = 1280, height: int = 960, strength: float = 1.0) -> Lens:
    """A lens as a Pi camera has it, with 0.8 of the picture's width as focal length."""
    return Lens(
        width_px=width,
        height_px=height,
        focal_px=(0.9 * width, 0.901 * width),
        centre_px=(0.503 * width, 0.494 * height),
        distortion=(-0.12 * strength, 0.06 * strength, 6e-4 * strength, -4e-4 * strength, 0.0),
    )


def looking(
    lens: Lens, eye_mm: tuple[float, float, float], at_mm: tuple[float, float], turn_deg: float
) -> View:
    """A camera at `eye_mm` that looks at a point of the plane, turned about its own axis."""
    eye = np.array(eye_mm)
    ahead = np.array([*at_mm, 0.0]) - eye
    ahead /= np.linalg.norm(ahead)
    turn = np.radians(turn_deg)
    hint = np.array([np.cos(turn), np.sin(turn), 0.0])
    right = hint - ahead * (hint @ ahead)
    right /= np.linalg.norm(right)
    matrix = np.stack([right, np.cross(ahead, right), ahead])
    rotation, _ = cv2.Rodrigues(matrix)
    rx, ry, rz = (float(v) for v in rotation.ravel())
    tx, ty, tz = (float(v) for v in -matrix @ eye)
    return View(lens=lens, rotation=(rx, ry, rz), translation_mm=(tx, ty, tz))


def painted(
    view: View, paint: Paint, *, rays: int = 10, blur_px: float = 0.6, noise: float = 1.2, seed: int = 0
) -> Picture:
    """The picture (height, width, 3) that `view` takes of the plane z = 0."""
    width, height = view.lens.width_px, view.lens.height_px
    light: Singles = np.zeros((height, width, 3), np.float32)
    for i in range(rays):
        # No two rays of a pixel share a row or a column, so that level edges fall as finely as slanted ones.
        place = _places(view, (i + 0.5) / rays - 0.5, ((7 * i) % rays + 0.5) / rays - 0.5)
        light += paint(place[..., 0], place[..., 1])
    light /= rays
    light = np.asarray(cv2.GaussianBlur(light, (0, 0), blur_px), np.float32)
    code = (
        np.where(light <= 0.0031308, 12.92 * light, 1.055 * np.maximum(light, 1e-6) ** (1 / 2.4) - 0.055)
        * 255
    )
    code += np.random.default_rng(seed).normal(0.0, noise, code.shape).astype(np.float32)
    picture: Picture = np.clip(np.rint(code), 0, 255).astype(np.uint8)
    return picture


def _places(view: View, dx: float, dy: float, step: int = 8) -> Singles:
    """What each pixel, moved by dx and dy, sees of the plane; straight between every eighth: 0.002 px."""
    width, height = view.lens.width_px, view.lens.height_px
    columns, rows = -(-width // step) + 1, -(-height // step) + 1
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), axis=-1).reshape(-1, 2) * float(step)
    known = view.on_plane(grid + np.array([dx, dy])).reshape(rows, columns, 2).astype(np.float32)
    share = ((np.arange(max(width, height)) % step) / step).astype(np.float32)
    row, column = np.arange(height) // step, np.arange(width) // step
    down = known[row] + (known[row + 1] - known[row]) * share[:height, None, None]
    found: Singles = down[:, column] + (down[:, column + 1] - down[:, column]) * share[None, :width, None]
    return found


def light_of(color: str) -> Singles:
    """A colour of the description as light, blue green red."""
    code = np.array([int(color[i : i + 2], 16) for i in (5, 3, 1)], np.float32) / 255
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4).astype(np.float32)


@dataclass(frozen=True)
class Lying:
    """A board that lies on the plane: where its origin is and how it is turned; `bow_mm` lifts its middle."""

    board: Board
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0

    def over(self, under: Paint) -> Paint:
        """The board painted over something."""
        fine = 64
        drawn = self.board.picture(fine).astype(np.float32) / 255 * 0.85 + 0.03
        c, s = np.cos(np.radians(self.turn_deg)), np.sin(np.radians(self.turn_deg))
        width, height = self.board.size_mm
        margin = 0.4 * self.board.square_mm

        def paint(x: Singles, y: Singles) -> Singles:
            u = c * (x - self.x_mm) + s * (y - self.y_mm)
            v = -(-s * (x - self.x_mm) + c * (y - self.y_mm))
            light = under(x, y)
            card = (u > -margin) & (u < width + margin) & (v > -margin) & (v < height + margin)
            light[card] = 0.88
            on = (u >= 0) & (u < width) & (v >= 0) & (v < height)
            column = (u[on] / self.board.square_mm * fine).astype(np.int32)
            row = (v[on] / self.board.square_mm * fine).astype(np.int32)
            light[on] = drawn[row, column, None]
            return light

        return paint


def plain(level: float = 0.35) -> Paint:
    """One grey."""
    return lambda x, _: np.full((*x.shape, 3), level, np.float32)


@dataclass(frozen=True)
class Spread:
    """A table as it really lies: the plan, and how far sheet and tapes are off it."""

    plan: TableDescription
    sheet_mm: tuple[float, float] = (0.0, 0.0)
    sheet_deg: float = 0.0
    sheet_scale: float = 1.0
    tape_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Left, right: further right. Halfway: further away."""
    tape_bow_mm: float = 0.0
    fade: float = 0.0
    """0: the printed colours; 1: all grey."""
    wood: str = "#b98d5f"
    floor: str = "#4a4a4c"
    covered: tuple[tuple[float, float, float, float], ...] = field(default=())
    """Rectangles x0 y0 x1 y1 under something dark."""

    def on_sheet(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """Table millimetres to the sheet's own."""
        c, s = np.cos(np.radians(self.sheet_deg)), np.sin(np.radians(self.sheet_deg))
        u, v = x - self.sheet_mm[0], y - self.sheet_mm[1]
        return (c * u + s * v) / self.sheet_scale, (-s * u + c * v) / self.sheet_scale

    def paint(self, x: Singles, y: Singles) -> Singles:
        """The whole table; see `Paint`."""
        plan = self.plan
        light = np.empty((*x.shape, 3), np.float32)
        light[:] = light_of(self.wood)
        grain = 0.03 * np.sin(y * 0.9 + 2 * np.sin(x * 0.02)) + 0.02 * np.sin(y * 0.31 + x * 0.013)
        light *= (1 + grain)[..., None]
        off = (y < 0) | (np.abs(x) > plan.table.surface_width_mm / 2)
        light[off] = light_of(self.floor)
        self._tapes(light, x, y)
        u, v = self.on_sheet(x, y)
        for zone in plan.end_zone.zone:
            (x0, y0), (x1, y1) = zone.polygon_mm[0], zone.polygon_mm[2]
            inside = (u > x0) & (u < x1) & (v > y0) & (v < y1)
            light[inside & ~off] = self._faded(zone.color)
        if plan.end_zone.dot is not None:
            dot = plan.end_zone.dot
            spot = (u - dot.x_mm) ** 2 + (v - dot.y_mm) ** 2 < (dot.diameter_mm / 2) ** 2
            light[spot] = self._faded(dot.color)
        for x0, y0, x1, y1 in self.covered:
            light[(x > x0) & (x < x1) & (y > y0) & (y < y1)] = 0.03
        return light

    def _tapes(self, light: Singles, x: Singles, y: Singles) -> None:
        plan, width = self.plan, self.plan.tape.width_mm
        front, half = plan.end_zone.depth_mm, plan.table.halfway_y_mm + self.tape_mm[2]
        color = light_of(plan.tape.color)
        bow = self.tape_bow_mm * 4 * ((y - front) / (half - front)) * (1 - (y - front) / (half - front))
        left = x - plan.tape.side_lines_x_mm[0] - self.tape_mm[0] - bow
        right = x - plan.tape.side_lines_x_mm[1] - self.tape_mm[1] - bow
        along = (y > front + self.sheet_mm[1]) & (y < half)
        light[along & (left > 0) & (left < width)] = color
        light[along & (right < 0) & (right > -width)] = color
        light[(np.abs(y - half) < width / 2) & (np.abs(x) < plan.table.surface_width_mm / 2)] = color

    def _faded(self, color: str) -> Singles:
        full = light_of(color)
        return np.asarray((1 - self.fade) * full + self.fade * full.mean(), np.float32)
