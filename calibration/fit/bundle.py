"""The least squares under both fits: where a lens at a pose sees points, and what moves them."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats

HUBER = 2.5
"""Residuals beyond this many standard deviations count less (P. J. Huber 1964)."""


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """Points as a lens at a pose sees them, and the derivatives; rows are x and y of each point in turn."""

    points_px: Floats
    """(n, 2)."""
    by_pose: Floats
    """(2n, 6): Rodrigues' vector, then translation in mm."""
    by_lens: Floats
    """(2n, 9), in the order of `calibration.camera.INTRINSICS`."""

    def by_point(self, rotation: Floats) -> Floats:
        """(2n, 3): by each point's own place in the frame that `rotation` (3,) turns."""
        turn, _ = cv2.Rodrigues(rotation)
        found: Floats = self.by_pose[:, 3:] @ np.asarray(turn, np.float64)
        return found


def see(points_mm: Floats, pose: Floats, lens: Floats) -> ProjectedPoints:
    """Points (n, 3) through the lens `lens` (9,) at the pose (6,)."""
    fx, fy, cx, cy = (float(value) for value in lens[:4])
    matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    seen, slopes = cv2.projectPoints(
        np.ascontiguousarray(points_mm).reshape(-1, 1, 3), pose[:3], pose[3:], matrix, lens[4:]
    )
    return ProjectedPoints(
        np.asarray(seen, np.float64).reshape(-1, 2),
        np.asarray(slopes[:, :6], np.float64),
        np.asarray(slopes[:, 6:15], np.float64),
    )


def spread(residuals: Floats) -> float:
    """The standard deviation of most of the residuals, whatever the few worst do (from the median)."""
    return 1.4826 * float(np.median(np.abs(residuals))) if residuals.size else 0.0


def trust(residuals: Floats, sigma: float) -> Floats:
    """The root of Huber's weight of each point, for residuals (n, 2)."""
    size = np.linalg.norm(residuals, axis=-1) / max(sigma, 1e-9)
    weight: Floats = np.sqrt(np.minimum(1.0, HUBER / np.maximum(size, 1e-9)))
    return weight


def inverse(normal: Floats) -> Floats:
    """The inverse of a normal matrix whose rows differ by many powers of ten."""
    scale = np.sqrt(np.maximum(np.diag(normal), 1e-30))
    turned: Floats = np.linalg.pinv(normal / np.outer(scale, scale), rcond=1e-14, hermitian=True)
    turned /= np.outer(scale, scale)
    return turned
