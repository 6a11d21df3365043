"""A pinhole camera with a bending lens, as both painters see through it.

World: millimetres; x to the right, y away from the viewer, z up; the table is z = 0. Pixels: x to the right,
y down, the middle of the first one at (0, 0). Points are rows (..., 3), as in `calibration.view`; rays are
columns (3 x n), as the bodies take them that they meet (`models.painting.solids`).
"""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from calibration.arrays import Reals, Singles


class Bend(Protocol):
    """How a lens bends, on the picture plane one unit before the eye. Points are 2 x n."""

    def bent(self, plane: Singles) -> Singles:
        """Where the lens shows what a pinhole would show there."""

    def straight(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """Where a pinhole would show what the lens shows there."""


@dataclass(frozen=True, slots=True)
class MildBend:
    """Straight = bent * (1 + strength * r^2), r on the bent side: rays cost nothing."""

    strength: float

    def bent(self, plane: Singles) -> Singles:
        """By iteration; where the bend is mild it converges at once."""
        found = plane.copy()
        for _ in range(4):
            found = plane / (1 + self.strength * (found * found).sum(axis=0))
        return found

    def straight(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """As the model says it."""
        stretch = 1 + np.float32(self.strength) * (x * x + y * y)
        return x * stretch, y * stretch


@dataclass(frozen=True, slots=True)
class RadialBend:
    """Bent = straight * (1 + k1 r^2 + k2 r^4), r on the straight side, as in OpenCV and in a calibration."""

    k1: float
    k2: float

    def bent(self, plane: Singles) -> Singles:
        """As the model says it."""
        r2 = (plane * plane).sum(axis=0)
        return np.asarray(plane * (1 + r2 * (self.k1 + r2 * self.k2)))

    def straight(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """By iteration: the bend is a few percent, a tenth of it at the next round, and five leave a
        thousandth of a pixel."""
        k1, k2, found_x, found_y = np.float32(self.k1), np.float32(self.k2), x, y
        for _ in range(5):
            r2 = found_x * found_x + found_y * found_y
            by = 1 / (1 + r2 * (k1 + r2 * k2))
            found_x, found_y = x * by, y * by
        return found_x, found_y


AnyBend = TypeVar("AnyBend", bound=Bend)


@dataclass(frozen=True, eq=False)  # slots and a generic class do not go together in Python 3.11
class Pinhole(Generic[AnyBend]):
    """Where a camera hangs and how it draws."""

    width_px: int
    height_px: int
    focal_px: float
    middle_px: tuple[float, float]
    """Where the optical axis meets the picture; far off the middle in a picture cut from a larger one."""
    bend: AnyBend
    eye_mm: Singles
    turn: Singles
    """3 x 3: rows are the picture's right, the picture's down and the view, in the world."""

    def project(self, points_mm: Reals) -> Singles:
        """Where world points (..., 3) are pictured, in pixels (..., 2)."""
        flat = points_mm.reshape(-1, 3).T
        seen = np.asarray(self.turn @ (flat - self.eye_mm[:, None]))
        bent = self.bend.bent(seen[:2] / np.maximum(seen[2], 1e-3))
        found = np.ascontiguousarray(bent.T * self.focal_px + np.asarray(self.middle_px), np.float32)
        return found.reshape(*points_mm.shape[:-1], 2)

    def rays(self, x_px: Reals, y_px: Reals) -> Singles:
        """Unit directions (3, ...) in which pixels look."""
        return self._ahead(*self._straight(x_px, y_px))

    def ray_grid(self, x_px: Reals, y_px: Reals) -> Singles:
        """Unit directions (3 x n) of a small grid of pixels, row by row, from its corners.

        Over a die's width the lens bends so evenly that the corners give the rest to a tenth of a pixel.
        """
        (x0, x1), (y0, y1) = x_px[[0, -1]], y_px[[0, -1]]
        corners = self._straight(np.array((x0, x1, x0, x1)), np.array((y0, y0, y1, y1)))
        ends = np.array(corners).reshape(2, 2, 2, 1)
        right, down = ((line - line[0]) / max(float(line[-1] - line[0]), 1e-6) for line in (x_px, y_px))
        edges = ends[:, :, 0] + (ends[:, :, 1] - ends[:, :, 0]) * right
        grid = edges[:, :1] + (edges[:, 1:] - edges[:, :1]) * down[:, None]
        return self._ahead(*np.asarray(grid, np.float32).reshape(2, -1))

    def on_plane(self, x_px: Reals, y_px: Reals, height_mm: float = 0.0) -> Singles:
        """The points (..., 2) in mm that pixels see at that height."""
        rays = self.rays(x_px, y_px)
        reach = (np.float32(height_mm) - self.eye_mm[2]) / np.minimum(rays[2], -1e-3)
        across = [np.asarray(self.eye_mm[axis] + rays[axis] * reach, np.float32) for axis in (0, 1)]
        return np.moveaxis(np.stack(across), 0, -1)

    def scale_px_per_mm(self, height_mm: float) -> float:
        """Pixels to a millimetre at a height, in the middle of the picture."""
        return self.focal_px / (float(self.eye_mm[2]) - height_mm)

    def _straight(self, x_px: Reals, y_px: Reals) -> tuple[Singles, Singles]:
        """Pixels on the plane one unit before the eye, as if the lens did not bend."""
        x = np.asarray((x_px - np.float32(self.middle_px[0])) / np.float32(self.focal_px), np.float32)
        y = np.asarray((y_px - np.float32(self.middle_px[1])) / np.float32(self.focal_px), np.float32)
        return self.bend.straight(x, y)

    def _ahead(self, x: Singles, y: Singles) -> Singles:
        """Unit directions in the world through places of that plane."""
        seen = np.stack((x, y, np.ones_like(x))).reshape(3, -1)
        seen /= np.sqrt((seen * seen).sum(axis=0))
        return np.asarray(self.turn.T @ seen, np.float32).reshape(3, *x.shape)
