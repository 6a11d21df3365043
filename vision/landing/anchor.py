"""Where something other than its outline puts a die, as equations of a fit."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from vision.landing.cube import Cube, up_axis, yaw_of

X, Y, SPIN, EDGE, RADIUS, RIM, TILT_X, TILT_Y = range(8)
"""The parameters of a fit in their order: where a die lies, how it is turned, how large and how round it is,
how far outwards its edges seem to lie, and how it leans."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where something other than the outline puts the die: the pips on its up-face."""

    x_mm: float
    y_mm: float
    """With x, the up-face's middle."""
    sigma_mm: float
    yaw_rad: float | None
    sigma_rad: float


def anchored(cube: Cube, anchor: Anchor, count: int) -> tuple[Floats, Floats, Floats]:
    """The anchor's equations: derivatives (3, count) of the up-face's middle and yaw, their weights, and how
    far each is off."""
    up = up_axis(cube) * cube.edge_mm / 2
    top = cube.center_mm + up
    rows = np.zeros((3, count))
    rows[0, X] = rows[1, Y] = rows[2, SPIN] = 1.0
    rows[0, SPIN], rows[1, SPIN] = -up[1], up[0]
    if count > TILT_X:
        rows[0, TILT_Y], rows[1, TILT_X] = up[2], -up[2]
    firm = np.array([anchor.sigma_mm**-2, anchor.sigma_mm**-2, 0.0])
    away = np.array([anchor.x_mm - top[0], anchor.y_mm - top[1], 0.0])
    if anchor.yaw_rad is not None:
        quarter = np.pi / 2
        firm[2] = anchor.sigma_rad**-2
        away[2] = (anchor.yaw_rad - yaw_of(cube) + quarter / 2) % quarter - quarter / 2
    return rows, firm, away
