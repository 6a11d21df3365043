"""`camera.json`: what one camera's lens does at one resolution, and how surely that is known."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.lock import CameraLock
from calibration.view import Lens

INTRINSICS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")
"""The order of rows and columns in a lens's covariance."""


@dataclass(frozen=True, kw_only=True)
class CameraCalibration:
    """A lens as `calibrate camera` found it."""

    lens: Lens
    rms_px: float
    """Root mean square distance between the corners as seen and as the fit places them, over both axes."""
    pictures_used: int
    corners_used: int
    covariance: tuple[tuple[float, ...], ...]
    """9 x 9, rows and columns as in `INTRINSICS`: pixels for the first four, the distortion's own units for
    the others. A term that the fit held at zero has zeros."""
    board: str
    """The board that was used, as `--board` names it."""
    lock: CameraLock | None = None
    """What the camera was locked to; None where nobody said."""

    @property
    def covariance_matrix(self) -> Floats:
        """The covariance (9, 9) as an array."""
        return np.array(self.covariance, np.float64)


def intrinsics(lens: Lens) -> Floats:
    """A lens as a vector (9,) in the order of `INTRINSICS`."""
    return np.array([*lens.focal_px, *lens.centre_px, *lens.distortion], np.float64)


def lens_of(values: Floats, width_px: int, height_px: int) -> Lens:
    """The lens of a vector (9,) in the order of `INTRINSICS`."""
    fx, fy, cx, cy, k1, k2, p1, p2, k3 = (float(value) for value in values)
    return Lens(
        width_px=width_px,
        height_px=height_px,
        focal_px=(fx, fy),
        centre_px=(cx, cy),
        distortion=(k1, k2, p1, p2, k3),
    )
