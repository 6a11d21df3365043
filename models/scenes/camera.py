"""The camera over the table: a pinhole with a mild lens.

World: millimetres; x to the right, y away from the viewer, z up; the table is z = 0. Pixels: x to the right,
y down, the middle of the first pixel at (0, 0). Points and rays are 3 x n.
"""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Singles
from models.scenes.chance import Chance, between, maybe


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """Where it hangs and how it draws."""

    width_px: int
    height_px: int
    focal_px: float
    middle_px: tuple[float, float]
    """Where the optical axis meets the picture; far off the middle in a picture cut from a larger one."""
    bend: float
    """Undistorted = distorted * (1 + bend * r^2), r in units of the focal length."""
    place_mm: Singles
    axes: Singles
    """3 x 3: rows are the picture's right, the picture's down and the view, in the world."""

    def rays(self, x_px: Singles, y_px: Singles) -> Singles:
        """Unit directions (3 x n) in which these pixels look."""
        x = (x_px - np.float32(self.middle_px[0])) / np.float32(self.focal_px)
        y = (y_px - np.float32(self.middle_px[1])) / np.float32(self.focal_px)
        stretch = 1 + np.float32(self.bend) * (x * x + y * y)
        seen = np.stack((x * stretch, y * stretch, np.ones_like(x)))
        seen /= np.sqrt((seen * seen).sum(axis=0))
        return np.asarray(self.axes.T @ seen, np.float32)

    def project(self, points_mm: Singles) -> Singles:
        """Where world points (3 x n) are pictured, n x 2."""
        seen = self.axes @ (points_mm - self.place_mm[:, None])
        flat = seen[:2] / np.maximum(seen[2], 1e-3)
        bent = flat.copy()
        for _ in range(4):  # the mild bend converges at once
            bent = flat / (1 + self.bend * (bent * bent).sum(axis=0))
        return np.ascontiguousarray(bent.T * self.focal_px + np.asarray(self.middle_px), np.float32)

    def on_table(self, x_px: Singles, y_px: Singles, height_mm: float = 0.0) -> Singles:
        """Where these pixels meet the plane at that height, 2 x n."""
        rays = self.rays(x_px, y_px)
        reach = (np.float32(height_mm) - self.place_mm[2]) / np.minimum(rays[2], -1e-3)
        return np.asarray(self.place_mm[:2, None] + rays[:2] * reach, np.float32)


def hang(chance: Chance, size_px: tuple[int, int], edge_mm: float, edge_px: float) -> Camera:
    """A camera over the table's origin that shows an edge of ``edge_mm`` there about ``edge_px`` long."""
    width, height = size_px
    focal = max(width, height) * between(chance, 0.75, 1.3)
    shift = (0.0, 0.0)
    if maybe(chance, 0.35):  # cut from a larger picture, or scaled up from a smaller one
        focal *= between(chance, 1.0, 2.2)
        room = 0.45 * (focal - 0.7 * max(width, height)) / focal
        shift = (between(chance, -room, room) * focal, between(chance, -room, room) * focal)
    focal = max(focal, 5.0 * edge_px)  # nobody holds a camera nearer than five edges
    tilt = np.deg2rad(0.0 if maybe(chance, 0.15) else min(abs(float(chance.normal(0, 9))), 25.0))
    heading = between(chance, 0, 2 * np.pi)
    view = np.array((np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), -np.cos(tilt)))
    right = np.cross(view, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    axes = np.stack((right, np.cross(view, right), view))
    middle = ((width - 1) / 2 + shift[0], (height - 1) / 2 + shift[1])
    distance = focal * edge_mm / edge_px
    across = np.array((-shift[0] / focal, -shift[1] / focal))
    aim = view + across @ axes[:2]  # the origin stands in the picture's middle
    return Camera(width, height, focal, middle, between(chance, -0.06, 0.12),
                  np.asarray(-aim * distance, np.float32), np.asarray(axes, np.float32))  # fmt: skip
