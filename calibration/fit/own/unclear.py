"""Why no sheet could be told in a picture."""

from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.trouble import CalibrationError

Reason = Literal["none", "covered", "crooked"]
WORDS: dict[Reason, str] = {
    "none": (
        "No sheet is seen: a rectangle of several colours, wholly in the picture, none of them the table's."
        " Move the camera so that it sees the whole sheet, avoid glare, or write the description by hand."
    ),
    "covered": (
        "Something lies on the sheet or over its rim, or a lamp mirrors there: what is seen of it is no whole"
        " rectangle. Take everything off the table, hands as well, and measure again."
    ),
    "crooked": (
        "Something lies on a line of the sheet, or a zone has no straight sides. Take everything off the"
        " table and measure again, or write the description by hand."
    ),
}


class SheetUnclear(CalibrationError):
    """No sheet can be told, or not all of it."""

    def __init__(self, reason: Reason, around_mm: Floats | None = None) -> None:
        """`around_mm`: what is in doubt, as an outline (n, 2) on the plane."""
        super().__init__(WORDS[reason])
        self.reason: Reason = reason
        self.around_mm: Floats = np.empty((0, 2)) if around_mm is None else around_mm
        self.around_px: tuple[tuple[float, float], ...] = ()
        """The same in the picture, once it is known how the camera hangs."""
