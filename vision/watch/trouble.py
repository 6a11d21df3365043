"""Names pictures that are no use: black, frozen, over-exposed."""

from typing import Literal

import numpy as np

from calibration.arrays import Picture
from vision.watch.glance import Glance

Trouble = Literal["", "black", "frozen", "over-exposed"]
BLACK_MEAN = 8.0
BLACK_GREY = 30
"""If one pixel in a hundred is above this grey level, there is something to see."""
GLARE_GREY = 250
GLARE_SHARE = 0.6


class Troubles:
    """Says of each glance what is wrong with it. Sensor noise makes live pictures differ, so equal ones are
    frozen."""

    def __init__(self, frozen_after_ms: float | None) -> None:
        """`frozen_after_ms` is how long equal pictures are accepted; None: for ever (a film, a folder)."""
        self._frozen_after_ms = frozen_after_ms
        self._last: Picture | None = None
        self._same_since_ms = 0.0

    def of(self, seen: Glance, time_ms: float) -> Trouble:
        """The worst trouble of the newest glance, or ""."""
        frozen = self._frozen(seen.small, time_ms)
        if seen.mean < BLACK_MEAN and float((seen.small > BLACK_GREY).mean()) < 0.01:
            return "black"
        if frozen:
            return "frozen"
        if seen.mean < GLARE_GREY * GLARE_SHARE:
            return ""
        return "over-exposed" if float((seen.small >= GLARE_GREY).mean()) > GLARE_SHARE else ""

    def _frozen(self, small: Picture, time_ms: float) -> bool:
        """Whether the picture has been the same to the bit for too long."""
        if self._frozen_after_ms is None:
            return False
        same = self._last is not None and np.array_equal(self._last, small)
        self._last = small
        if not same:
            self._same_since_ms = time_ms
        return time_ms - self._same_since_ms >= self._frozen_after_ms
