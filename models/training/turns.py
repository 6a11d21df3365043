"""Turns in the plane, by which pictures are shown askew."""

import numpy as np
from numpy.typing import ArrayLike

from calibration.arrays import Floats


def turn_by(angle: ArrayLike) -> Floats:
    """The matrix (2 x 2) that turns by an angle, radians; for N angles one each (N x 2 x 2)."""
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.stack((cosine, -sine, sine, cosine), axis=-1).reshape(*np.shape(angle), 2, 2)
