"""Why no sheet could be told in a picture."""

from collections.abc import Mapping
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.trouble import CalibrationError
from engine.wording import phrase, phrase_later

Reason = Literal["none", "covered", "crooked", "edge"]
WORDS: Mapping[Reason, str] = {
    "none": phrase_later(
        "No sheet is seen: a rectangle of several colours, wholly in the picture, none of them the table’s. "
        "Let the camera see the whole sheet, avoid glare, or describe the table by hand."
    ),
    "covered": phrase_later(
        "Something lies on the sheet or over its rim, or a lamp mirrors in it: no whole rectangle of colours "
        "is seen. Take everything off the table, hands as well, and measure again."
    ),
    "edge": phrase_later(
        "The table’s edge behind the sheet is not to be told in the picture, and lines are measured from it. "
        "Let the camera see it with a floor of another colour behind it, or describe the table by hand."
    ),
    "crooked": phrase_later(
        "Something lies on a line of the sheet where the picture is shaded red, or a zone there has no "
        "straight sides. Take it off and measure again, or describe the table by hand."
    ),
}


class SheetUnclear(CalibrationError):
    """No sheet can be told, or not all of it."""

    def __init__(self, reason: Reason, around_mm: Floats | None = None) -> None:
        """`around_mm`: what is in doubt, as an outline (n, 2) on the plane."""
        super().__init__(phrase(WORDS[reason]))
        self.reason: Reason = reason
        self.around_mm: Floats = np.empty((0, 2)) if around_mm is None else around_mm
        self.around_px: tuple[tuple[float, float], ...] = ()
        """The same in the picture, once it is known how the camera hangs."""
