"""The simulated camera's eye: a pinhole with a bending lens, looking down on the table.

Table frame: mm, origin in the middle of the tray's floor, x to the picture's right, y to its top, z up.
Lens: x' = x (1 + k1 r^2 + k2 r^4) on the picture plane one unit before the eye, as in OpenCV.
"""

from dataclasses import dataclass, replace
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]
"""Single precision wherever there are many; type checkers cannot follow that through every operation."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulatedLens:
    """Where the eye is, where it looks and how it bends."""

    width_px: int
    height_px: int
    focal_px: float
    k1: float
    k2: float
    eye_mm: Floats
    turn: Floats
    """3 x 3, from the table frame to the camera's (x right, y down, z ahead)."""

    def project(self, points_mm: Floats) -> Floats:
        """Where points (..., 3) appear, in pixels (..., 2)."""
        seen = (points_mm - self.eye_mm) @ self.turn.T
        plane = seen[..., :2] / seen[..., 2:]
        r2 = (plane * plane).sum(axis=-1, keepdims=True)
        bent = plane * (1 + r2 * (self.k1 + r2 * self.k2))
        found: Floats = (bent * self.focal_px + self._centre_px()).astype(np.float32)
        return found

    def rays(self, x_px: Floats, y_px: Floats) -> Floats:
        """Directions (..., 3) in the table frame in which pixels look; one unit deep as the camera sees."""
        bent = (np.stack([x_px, y_px], axis=-1) - self._centre_px()) / np.float32(self.focal_px)
        plane = bent
        # The bend is a few percent, a tenth of it at the next round: five leave a thousandth of a pixel.
        for _ in range(5):
            r2 = plane[..., :1] * plane[..., :1] + plane[..., 1:] * plane[..., 1:]
            plane = bent / (1 + r2 * (self.k1 + r2 * self.k2))
        found: Floats = plane @ self.turn[:2] + self.turn[2]
        return found

    def ray_grid(self, x_px: Floats, y_px: Floats) -> Floats:
        """Directions (3, rows * columns) of a small grid of pixels, from its corners.

        Over a die's width the lens bends so evenly that the corners give the rest to a tenth of a pixel.
        """
        ends = self.rays(*np.meshgrid(x_px[[0, -1]], y_px[[0, -1]]))
        right, down = ((line - line[0]) / max(float(line[-1] - line[0]), 1e-6) for line in (x_px, y_px))
        rows = ends[0] + (ends[1] - ends[0]) * down[:, None, None]
        grid = rows.reshape(len(down), 2, 3)
        found: Floats = grid[:, :1] + (grid[:, 1:] - grid[:, :1]) * right[None, :, None]
        return np.ascontiguousarray(found.reshape(-1, 3).T, np.float32)

    def on_plane(self, x_px: Floats, y_px: Floats, z_mm: float) -> Floats:
        """The points (..., 2) in mm at height `z_mm` that the pixels see."""
        rays = self.rays(x_px, y_px)
        found: Floats = self.eye_mm[:2] + rays[..., :2] * ((z_mm - self.eye_mm[2]) / rays[..., 2:])
        return found

    def scale_px_per_mm(self, z_mm: float) -> float:
        """Pixels to a millimetre at a height, in the middle of the picture."""
        return self.focal_px / (float(self.eye_mm[2]) - z_mm)

    def of_width(self, width_px: int, height_px: int) -> "SimulatedLens":
        """The same lens before a sensor that has more pixels, or fewer, on the same area."""
        focal_px = self.focal_px * width_px / self.width_px
        return replace(self, width_px=width_px, height_px=height_px, focal_px=focal_px)

    def _centre_px(self) -> Floats:
        return np.array([(self.width_px - 1) / 2, (self.height_px - 1) / 2], np.float32)


def overhead(width_px: int, height_px: int) -> SimulatedLens:
    """A camera 0.9 m above the tray, hung by hand: a little off the middle and a little askew."""
    tilt, roll = radians(0.9), radians(-1.3)
    down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]])
    tilted = np.array([[1, 0, 0], [0, cos(tilt), -sin(tilt)], [0, sin(tilt), cos(tilt)]])
    rolled = np.array([[cos(roll), -sin(roll), 0], [sin(roll), cos(roll), 0], [0, 0, 1]])
    return SimulatedLens(
        width_px=width_px,
        height_px=height_px,
        focal_px=2.11 * width_px,
        k1=-0.16,
        k2=0.05,
        eye_mm=np.array([5.0, 12.0, 900.0], np.float32),
        turn=(rolled @ tilted @ down).astype(np.float32),
    )
