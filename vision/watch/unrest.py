"""Places that never rest: a blinking lamp, a scoreboard's digits, a clock in the picture.

Time is cut into spans of 750 ms. A cell that changed in at least ten of the last sixteen spans, each time as
one of few cells, is muted: it no longer counts as motion or as another arrangement. No die tumbles or spins
that long in one place, and a hand changes far more cells at once. When the place has been quiet again for a
few seconds, it counts again.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools

SPAN_MS = 750.0
SPANS = 16
RESTLESS = 10
FEW = 0.02
"""The largest share of all cells that a blinking lamp changes."""


class Unrest:
    """Remembers for each cell in which of the last spans it changed."""

    def __init__(self) -> None:
        """Knows no picture yet."""
        self._changed: NDArray[np.bool_] = np.zeros((SPANS, 1, 1), dtype=np.bool_)
        self._span = 0
        self._muted: Bools = np.zeros((1, 1), dtype=np.bool_)

    def mute(self, changed: Bools, time_ms: float) -> Bools:
        """The muted cells, now that the cells of `changed` have changed."""
        if changed.shape != self._muted.shape:
            self._changed = np.zeros((SPANS, *changed.shape), dtype=np.bool_)
            self._muted = np.zeros(changed.shape, dtype=np.bool_)
        span = int(time_ms // SPAN_MS)
        if span != self._span:
            for later in range(1, min(SPANS, abs(span - self._span)) + 1):
                self._changed[(self._span + later) % SPANS] = False
            self._span = span
            self._muted = self._changed.sum(axis=0) >= RESTLESS
        if 0 < int((changed & ~self._muted).sum()) <= FEW * changed.size or (changed & self._muted).any():
            self._changed[span % SPANS] |= changed
        return self._muted
