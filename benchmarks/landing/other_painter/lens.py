"""The second painter's camera: pixels to rays and back, both exactly.

The lens squeezes angles (the tangent of an angle times `bend`, over `bend`) and the sensor stands a little
askew behind it. No polynomial anywhere, so what a calibration fits is never quite what drew the picture.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from calibration.arrays import Floats, Singles


@dataclass(frozen=True, slots=True, kw_only=True)
class BentLens:
    """A lens; lengths in px, (0, 0) in the middle of the picture's upper left pixel."""

    width_px: int
    height_px: int
    focal_px: float
    centre_px: tuple[float, float]
    bend: float
    """1 for straight lines, below 1 for a barrel."""
    askew: tuple[float, float]
    """By how much the sensor leans, as a share of the focal length for each focal length off the middle."""
    aspect: float = 1.0
    """A pixel's width over its height."""

    def rays(self, points_px: Floats) -> Floats:
        """Directions (n, 3) in the camera's frame, 1 along the axis, that pixels (n, 2) look along."""
        x = (points_px[:, 0] - self.centre_px[0]) / self.focal_px
        y = (points_px[:, 1] - self.centre_px[1]) / (self.focal_px * self.aspect)
        off = 1.0 / (1.0 - self.askew[0] * x - self.askew[1] * y)
        x, y = x * off, y * off
        bent = np.hypot(x, y)
        straight = np.tan(np.arctan(bent * self.bend) / self.bend)
        share = np.where(bent > 1e-9, straight / np.maximum(bent, 1e-9), 1.0)
        return np.stack((x * share, y * share, np.ones_like(x)), axis=1)

    def spots(self, directions: Floats) -> Floats:
        """Pixels (n, 2) of directions (n, 3) in the camera's frame."""
        x, y = directions[:, 0] / directions[:, 2], directions[:, 1] / directions[:, 2]
        straight = np.hypot(x, y)
        bent = np.tan(np.arctan(straight) * self.bend) / self.bend
        share = np.where(straight > 1e-9, bent / np.maximum(straight, 1e-9), 1.0)
        x, y = x * share, y * share
        off = 1.0 + self.askew[0] * x + self.askew[1] * y
        return np.stack(
            (
                x / off * self.focal_px + self.centre_px[0],
                y / off * self.focal_px * self.aspect + self.centre_px[1],
            ),
            axis=1,
        )


@lru_cache(maxsize=1)
def rays_of_pixels(lens: BentLens) -> Singles:
    """The rays (h, w, 3) of all pixels of a lens: kept, for every picture needs them."""
    x, y = np.meshgrid(np.arange(lens.width_px), np.arange(lens.height_px))
    rays = lens.rays(np.stack((x.ravel(), y.ravel()), axis=1).astype(np.float64))
    return np.asarray(rays.reshape(lens.height_px, lens.width_px, 3), np.float32)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HungCamera:
    """A lens over the table; its frame has x to the right, y down, z away from it."""

    lens: BentLens
    eye_mm: Floats
    turn: Floats
    """(3, 3), from the table's frame to the camera's."""

    def project(self, points_mm: Floats) -> Floats:
        """Pixels (n, 2) of points (n, 3) of the table's frame."""
        return self.lens.spots((points_mm - self.eye_mm) @ self.turn.T)

    def look_along(self, points_px: Floats) -> Floats:
        """Directions (n, 3) of length 1 in the table's frame."""
        rays = self.lens.rays(points_px) @ self.turn
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def look_in(self, window: tuple[int, int, int, int]) -> Floats:
        """Directions (n, 3) of length 1 that a window's pixels look along, row by row."""
        left, top, right, bottom = window
        rays = rays_of_pixels(self.lens)[top:bottom, left:right].reshape(-1, 3) @ self.turn
        return np.asarray(rays / np.sqrt(np.einsum("ij,ij->i", rays, rays))[:, None])

    def reach_table(self, towards: Floats) -> Floats:
        """Where directions (n, 3) from the camera meet the table (n, 2), mm."""
        return np.asarray(self.eye_mm[:2] - towards[:, :2] * (self.eye_mm[2] / towards[:, 2:]))

    def meet_table(self, points_px: Floats) -> Floats:
        """Where on the table (n, 2) mm, z = 0, pixels (n, 2) look."""
        rays = self.lens.rays(points_px) @ self.turn
        reach = -self.eye_mm[2] / rays[:, 2]
        return np.asarray(self.eye_mm[:2] + rays[:, :2] * reach[:, None])


def hang_camera(lens: BentLens, aim_mm: tuple[float, float], up_mm: float, angles_deg: Floats) -> HungCamera:
    """A camera that looks down on a place; `angles_deg` lean it about its x and y and then turn it."""
    a, b, c = np.radians(angles_deg)
    lean_x = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    lean_y = np.array([[np.cos(b), 0, np.sin(b)], [0, 1, 0], [-np.sin(b), 0, np.cos(b)]])
    spin = np.array([[np.cos(c), -np.sin(c), 0], [np.sin(c), np.cos(c), 0], [0, 0, 1]])
    turn = lean_x @ lean_y @ spin @ np.diag([1.0, -1.0, -1.0])
    axis = turn[2]
    eye = np.array([*aim_mm, 0.0]) - axis * (up_mm / -axis[2])
    return HungCamera(lens=lens, eye_mm=eye, turn=turn)
