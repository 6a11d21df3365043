"""One calibrated camera (`camera.json`): from millimetres to pixels and back.

The lens is OpenCV's model (pinhole, then k1 k2 p1 p2 k3). The pose takes the table frame (right-handed, z up,
the playing surface z = 0) to the camera's (x right, y down, z ahead). Whatever needs to know where a point of
the table appears in the picture asks here.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.lock import CameraLock


@dataclass(frozen=True, kw_only=True)
class Lens:
    """What one camera's lens does at one resolution, wherever the camera hangs."""

    width_px: int
    height_px: int
    focal_px: tuple[float, float]
    centre_px: tuple[float, float]
    """The principal point; (0, 0) is the centre of the top left pixel."""
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    """k1, k2, p1, p2, k3 as in OpenCV."""

    @cached_property
    def matrix(self) -> Floats:
        """The 3 x 3 camera matrix."""
        (fx, fy), (cx, cy) = self.focal_px, self.centre_px
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def directions(self, points_px: Floats) -> Floats:
        """The directions (n, 3) in which pixels (n, 2) look, in the camera's frame and scaled to z = 1."""
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        if not len(points):
            return np.empty((0, 3))
        # Exact to a thousandth of a pixel: the default five rounds leave a tenth at the corners of a wide
        # lens.
        rounds = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-9)
        plane = cv2.undistortPoints(
            points, self.matrix, np.array(self.distortion, np.float64), criteria=rounds
        )
        return np.hstack([plane.reshape(-1, 2), np.ones((len(points), 1))])


@dataclass(frozen=True, kw_only=True)
class View:
    """A lens at a known pose: all that is needed to go from the table to the picture and back."""

    lens: Lens
    rotation: tuple[float, float, float]
    """Rodrigues' vector of the rotation from the table frame to the camera's, radians."""
    translation_mm: tuple[float, float, float]

    @cached_property
    def turn(self) -> Floats:
        """The rotation as a 3 x 3 matrix."""
        matrix, _ = cv2.Rodrigues(np.array(self.rotation, np.float64))
        return np.asarray(matrix, np.float64)

    @cached_property
    def eye_mm(self) -> Floats:
        """The place of the camera's optical centre (3,), in the table frame."""
        found: Floats = -self.turn.T @ np.array(self.translation_mm, np.float64)
        return found

    def project(self, points_mm: Floats) -> Floats:
        """Where points (n, 3) of the table frame appear, as pixels (n, 2)."""
        points = np.asarray(points_mm, np.float64).reshape(-1, 1, 3)
        if not len(points):
            return np.empty((0, 2))
        seen, _ = cv2.projectPoints(
            points,
            np.array(self.rotation, np.float64),
            np.array(self.translation_mm, np.float64),
            self.lens.matrix,
            np.array(self.lens.distortion),
        )
        return np.asarray(seen, np.float64).reshape(-1, 2)

    def rays(self, points_px: Floats) -> Floats:
        """Directions (n, 3) in the table frame in which pixels (n, 2) look; not of unit length."""
        found: Floats = self.lens.directions(points_px) @ self.turn
        return found

    def on_plane(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2), in mm at height `z_mm`, that pixels (n, 2) see."""
        rays = self.rays(points_px)
        found: Floats = self.eye_mm[:2] + rays[:, :2] * ((z_mm - self.eye_mm[2]) / rays[:, 2:])
        return found

    def scale_px_per_mm(self, x_mm: float, y_mm: float, z_mm: float = 0.0) -> float:
        """Pixels per millimetre at a place of the table: the square root of how many square pixels one square
        millimetre of a level plane covers."""
        near = np.array([[x_mm, y_mm, z_mm], [x_mm + 1.0, y_mm, z_mm], [x_mm, y_mm + 1.0, z_mm]])
        at = self.project(near)
        area: float = abs(float(np.linalg.det(at[1:] - at[0])))
        return math.sqrt(area)


# `camera.json`: what one camera's lens does at one resolution, and how surely that is known.

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
