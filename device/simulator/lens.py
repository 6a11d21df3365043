"""The simulated camera's eye: the painters' pinhole with OpenCV's bend, looking down on the table.

Table frame: mm, origin in the middle of the tray's floor, x to the picture's right, y to its top, z up.
"""

from math import cos, radians, sin

import numpy as np

from calibration.arrays import Reals
from models.painting.camera import Pinhole, RadialBend

SimulatedLens = Pinhole[RadialBend]


def hang(
    size_px: tuple[int, int],
    focal_px: float,
    bend: RadialBend,
    eye_mm: tuple[float, float, float],
    turn: Reals,
) -> SimulatedLens:
    """A camera at that place, turned so; its optical axis meets the middle of the picture."""
    width_px, height_px = size_px
    middle = ((width_px - 1) / 2, (height_px - 1) / 2)
    place = np.array(eye_mm, np.float32)
    return Pinhole(width_px, height_px, focal_px, middle, bend, place, turn.astype(np.float32))


def resized(lens: SimulatedLens, width_px: int, height_px: int) -> SimulatedLens:
    """The same lens before a sensor that has more pixels, or fewer, on the same area."""
    x, y, z = lens.eye_mm.tolist()
    focal_px = lens.focal_px * width_px / lens.width_px
    return hang((width_px, height_px), focal_px, lens.bend, (x, y, z), lens.turn)


def overhead(
    width_px: int, height_px: int, eye_mm: tuple[float, float, float] = (5.0, 12.0, 900.0)
) -> SimulatedLens:
    """A camera 0.9 m above the tray, hung by hand: a little off the middle and a little askew."""
    tilt, roll = radians(0.9), radians(-1.3)
    down = np.array([[1, 0, 0], [0, -1, 0], [0, 0, -1]])
    tilted = np.array([[1, 0, 0], [0, cos(tilt), -sin(tilt)], [0, sin(tilt), cos(tilt)]])
    rolled = np.array([[cos(roll), -sin(roll), 0], [sin(roll), cos(roll), 0], [0, 0, 1]])
    bend = RadialBend(k1=-0.16, k2=0.05)
    return hang((width_px, height_px), 2.11 * width_px, bend, eye_mm, rolled @ tilted @ down)
