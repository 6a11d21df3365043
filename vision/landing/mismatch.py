"""Whether a picture is one that its calibration is for."""

import numpy as np

from calibration.arrays import Picture
from calibration.view import Lens
from engine.wording import phrase


class CalibrationMismatch(ValueError):
    """The picture cannot be measured with this calibration; the message says why."""


def refuse_mismatch(picture: Picture, lens: Lens) -> None:
    """Raise `CalibrationMismatch` for a picture without colour, or of another size than the lens is for."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise CalibrationMismatch(
            phrase("The picture must be an ordinary colour picture of 8 bits a colour.")
        )
    height, width = picture.shape[:2]
    if (width, height) != (lens.width_px, lens.height_px):
        raise CalibrationMismatch(
            phrase(
                "The picture has {width} x {height} pixels, the calibration is for {width_px} x "
                "{height_px}: take pictures at that size, or calibrate the table at this one.",
                width=width,
                height=height,
                width_px=lens.width_px,
                height_px=lens.height_px,
            )
        )
