"""The benchmark's own camera: a true perspective with Brown-Conrady distortion, inverted by Newton's method.

Written apart from `calibration.view` and from OpenCV's projection on purpose: two cameras hide fewer mistakes
than one. Pixel (0, 0) is the centre of the top left pixel; the table frame is that of the table description.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats

NEWTON_ROUNDS = 6
MAP_STEP_PX = 8


@dataclass(frozen=True, kw_only=True)
class Optics:
    """What the glass and the sensor do: D. C. Brown's radial and tangential terms on a pinhole."""

    width_px: int
    height_px: int
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    k: tuple[float, float, float]
    p: tuple[float, float]

    def bend(self, flat: Floats) -> Floats:
        """Where the ray through (x, y, 1) really falls on the plane one unit deep; (n, 2) to (n, 2)."""
        x, y = flat[:, 0], flat[:, 1]
        r2 = x * x + y * y
        radial = 1 + r2 * (self.k[0] + r2 * (self.k[1] + r2 * self.k[2]))
        p1, p2 = self.p
        return np.stack(
            (
                x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
                y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
            ),
            axis=1,
        )

    def unbend(self, bent: Floats) -> Floats:
        """The inverse of `bend`, to the last bits of a double."""
        p1, p2 = self.p
        k1, k2, k3 = self.k
        flat = bent.copy()
        for _ in range(NEWTON_ROUNDS):
            x, y = flat[:, 0], flat[:, 1]
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
            slope = 2 * (k1 + r2 * (2 * k2 + r2 * 3 * k3))
            xx = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x
            xy = x * y * slope + 2 * p1 * x + 2 * p2 * y
            yy = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x
            off = self.bend(flat) - bent
            whole = xx * yy - xy * xy
            flat = flat - np.stack(
                ((yy * off[:, 0] - xy * off[:, 1]) / whole, (xx * off[:, 1] - xy * off[:, 0]) / whole), axis=1
            )
        return flat


@dataclass(frozen=True, kw_only=True)
class Camera:
    """Optics that hang over the table."""

    optics: Optics
    eye_mm: tuple[float, float, float]
    axes: tuple[tuple[float, float, float], ...]
    """Right, down and ahead, as unit vectors of the table frame."""

    @cached_property
    def turn(self) -> Floats:
        """The axes as a matrix (3, 3): it takes the table's directions to the camera's."""
        return np.array(self.axes)

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3) of the table frame."""
        seen = (np.asarray(points_mm, np.float64) - np.array(self.eye_mm)) @ self.turn.T
        bent = self.optics.bend(seen[:, :2] / seen[:, 2:])
        return np.asarray(bent * np.array(self.optics.focal_px) + np.array(self.optics.centre_px))

    def look(self, points_px: Floats) -> Floats:
        """Unit directions (n, 3) of the table frame in which pixels (n, 2) look."""
        flat = self._flat(np.asarray(points_px, np.float64))
        rays = np.column_stack((flat, np.ones(len(flat)))) @ self.turn
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def ground(self, points_px: Floats) -> Floats:
        """The points (n, 2) of the plane z = 0 that pixels (n, 2) see."""
        rays = self.look(points_px)
        eye = np.array(self.eye_mm)
        return np.asarray(eye[:2] - rays[:, :2] * (eye[2] / rays[:, 2:]))

    def ground_map(self, first_row: int, last_row: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """x and y in mm, (rows, width) each, that the pixels of some rows see.

        Exact at every eighth pixel and straight in between, which leaves less than 0.002 px.
        """
        wide = self.optics.width_px
        columns = np.arange(-MAP_STEP_PX, wide + 2 * MAP_STEP_PX, MAP_STEP_PX, dtype=np.float64)
        rows = np.arange(first_row - MAP_STEP_PX, last_row + 2 * MAP_STEP_PX, MAP_STEP_PX, dtype=np.float64)
        grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        known = self.ground(grid).reshape(len(rows), len(columns), 2).astype(np.float32)
        at_y = (np.arange(first_row, last_row) - rows[0]) / MAP_STEP_PX
        at_x = (np.arange(wide) - columns[0]) / MAP_STEP_PX
        y0, x0 = at_y.astype(int), at_x.astype(int)
        wy = (at_y - y0).astype(np.float32)[:, None, None]
        wx = (at_x - x0).astype(np.float32)[None, :]
        lines = known[y0] * (1 - wy) + known[y0 + 1] * wy
        x, y = (lines[:, x0, i] * (1 - wx) + lines[:, x0 + 1, i] * wx for i in range(2))
        return x, y

    def _flat(self, points_px: Floats) -> Floats:
        optics = self.optics
        return optics.unbend((points_px - np.array(optics.centre_px)) / np.array(optics.focal_px))


def hang(
    optics: Optics, aim_mm: tuple[float, float], up_mm: float, tilt_deg: tuple[float, float], roll_deg: float
) -> Camera:
    """A camera `up_mm` above the table whose axis meets it at `aim_mm`.

    Tilted about x and then y, and turned about its axis; at roll 0 the picture's top is the halfway line's
    side.
    """
    a, b, c = (math.radians(v) for v in (*tilt_deg, roll_deg))
    about_x = np.array([[1, 0, 0], [0, math.cos(a), -math.sin(a)], [0, math.sin(a), math.cos(a)]])
    about_y = np.array([[math.cos(b), 0, math.sin(b)], [0, 1, 0], [-math.sin(b), 0, math.cos(b)]])
    roll = np.array([[math.cos(c), -math.sin(c), 0], [math.sin(c), math.cos(c), 0], [0, 0, 1]])
    upright = np.array([[1.0, 0, 0], [0, -1, 0], [0, 0, -1]])
    turn = roll @ upright @ (about_y @ about_x).T
    ahead = turn[2]
    eye = (aim_mm[0] + ahead[0] / ahead[2] * up_mm, aim_mm[1] + ahead[1] / ahead[2] * up_mm, up_mm)
    axes = tuple((float(row[0]), float(row[1]), float(row[2])) for row in turn)
    return Camera(optics=optics, eye_mm=(float(eye[0]), float(eye[1]), float(eye[2])), axes=axes)
