"""The least squares that the fits of lens and plane share: projected points and their derivatives."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats

HUBER = 2.5
"""Residuals beyond this many standard deviations count less (P. J. Huber 1964)."""


@dataclass(frozen=True, slots=True, eq=False)
class ProjectedPoints:
    """Where a lens at a pose sees n points, and the derivatives of that; rows are x and y of each point in
    turn."""

    points_px: Floats
    """Pixels (n, 2)."""
    by_pose: Floats
    """Derivatives (2n, 6) by the pose: Rodrigues' vector, then translation in mm."""
    by_lens: Floats
    """Derivatives (2n, 9) by the lens, in the order of `calibration.view.INTRINSICS`."""

    def by_point(self, rotation: Floats) -> Floats:
        """Derivatives (2n, 3) by each point's own place, in the frame that `rotation` (3,) turns."""
        turn, _ = cv2.Rodrigues(rotation)
        found: Floats = self.by_pose[:, 3:] @ np.asarray(turn, np.float64)
        return found


def project_points(points_mm: Floats, pose: Floats, lens: Floats) -> ProjectedPoints:
    """Project points (n, 3), mm, through the lens `lens` (9,) at the pose `pose` (6,)."""
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
    """The standard deviation of the bulk of the residuals, from their median size: a few bad ones do not
    change it."""
    return 1.4826 * float(np.median(np.abs(residuals))) if residuals.size else 0.0


def trust(residuals: Floats, sigma: float) -> Floats:
    """The square root of Huber's weight for each point's residual (n, 2): rows of the equations are
    multiplied by it."""
    size = np.linalg.norm(residuals, axis=-1) / max(sigma, 1e-9)
    weight: Floats = np.sqrt(np.minimum(1.0, HUBER / np.maximum(size, 1e-9)))
    return weight


def inverse(normal: Floats) -> Floats:
    """The inverse of a normal matrix whose rows differ by many powers of ten."""
    scale = np.sqrt(np.maximum(np.diag(normal), 1e-30))
    turned: Floats = np.linalg.pinv(normal / np.outer(scale, scale), rcond=1e-14, hermitian=True)
    turned /= np.outer(scale, scale)
    return turned
