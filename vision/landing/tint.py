"""The colour of a die's body as numbers, by which the dice of an owner are told from one another."""

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from vision.landing.measured import MeasuredDie

FACE_PX = 24
"""The up-face is looked at with so many pixels a side."""
BORDER_PX = 3
"""How many of them at its rim belong to the rounding, which shines, or to what lies beside it."""


def tint_of(picture: Picture, die: MeasuredDie) -> Floats:
    """The lightness and the two hues (3,), CIE Lab, of the body round the pips of a die's up-face.

    `picture` (h, w, 3) is the one that it was measured in. Pips cover less than half a face: the median is
    the body's.
    """
    side = float(FACE_PX)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    upright = cv2.getPerspectiveTransform(np.array(die.corners_px, np.float32), square)
    face = cv2.warpPerspective(picture, upright, (FACE_PX, FACE_PX), flags=cv2.INTER_LINEAR)
    inner = face[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX].astype(np.float32) / 255
    lab = cv2.cvtColor(inner, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    return np.asarray(np.median(lab, axis=0), np.float64)
