"""Compares glances for the watch: knows the noise, the restless places, and whether the camera moves."""

import numpy as np

from calibration.arrays import Bools, Singles
from vision.watch.glance import (
    CELL_PX,
    Glance,
    difference,
    noise_between,
    share_by_cell,
    shift,
    shift_between,
    unlike,
)
from vision.watch.unrest import Unrest

LEAST_SHARE = 5e-5
"""The share of the picture that must differ to be a change: 4 of 320 x 240 small pixels, the size of a
pip."""
LEAST_SHARE_HAND_HELD = 1e-3
SCENE_WOBBLE_PX = 1
"""By how many small pixels edges may shift between two rests: somebody may have leant on the table."""
HAND_HELD_WOBBLE_PX = 1
MARGIN = 0.05
"""The share of rows and columns at each border in which changes do not count (for lamps on the box's own
rim)."""
LARGEST_SHIFT = 0.1
"""The largest shift between two pictures of a hand-held camera, as a share of the picture's width; a larger
one is an error of the alignment."""


class Comparer:
    """Tells change from noise; learns the noise and the restless places as it goes."""

    def __init__(self, hand_held: bool) -> None:
        """`hand_held`: align glances before comparing them."""
        self._hand_held = hand_held
        self._noise: float | None = None
        self._unrest = Unrest()
        self._muted: Bools | None = None
        self._wobble_px = HAND_HELD_WOBBLE_PX if hand_held else 0
        self._least = LEAST_SHARE_HAND_HELD if hand_held else LEAST_SHARE

    @property
    def noise(self) -> float:
        """One glance's noise in grey levels, as learnt so far."""
        return self._noise or 1.0

    def moved(self, anchor: Glance, seen: Glance, time_ms: float, hand: bool) -> tuple[bool, Singles]:
        """Whether something moved since the anchor, and for each cell the share of it that differs
        sharply."""
        before = self._aligned(anchor, seen)
        noise = noise_between(before, seen)
        if self._noise is None:
            self._noise = noise
        self._noise += (0.3 if noise < self._noise else 0.1) * (noise - self._noise)
        sharp = share_by_cell(difference(before, seen, self._noise, self._wobble_px), seen)
        if not self._hand_held:
            nothing = np.zeros(sharp.shape, dtype=np.bool_)
            self._muted = self._unrest.mute(nothing if hand else sharp > 0, time_ms)
            sharp = self._counted(sharp)
        return self.is_change(sharp), sharp

    def same(self, earlier: Glance, seen: Glance) -> bool:
        """Whether two glances show the same, noise and restless places apart."""
        before = self._aligned(earlier, seen)
        apart = difference(before, seen, self.noise, self._wobble_px)
        return not self.is_change(self._counted(share_by_cell(apart, seen)))

    def against_table(self, table: Glance, seen: Glance, rest: bool) -> tuple[Glance, Singles]:
        """The table aligned with the glance, and for each cell the share that differs.

        Between two rests, small shifts of edges are no difference.
        """
        before = self._aligned(table, seen)
        wobble_px = self._wobble_px + (SCENE_WOBBLE_PX if rest else 0)
        sharp = share_by_cell(unlike(before, seen, self.noise, wobble_px), seen)
        return before, self._counted(sharp)

    def is_change(self, sharp: Singles) -> bool:
        """Whether so much differs inside the margin that it cannot be chance."""
        rows, columns = (_margin(side) for side in sharp.shape)
        inner = sharp[rows : sharp.shape[0] - rows, columns : sharp.shape[1] - columns]
        return float(inner.sum()) >= self._least * sharp.size

    def was_pushed(self, table: Glance, seen: Glance) -> bool:
        """Whether the camera was pushed: shifting the whole table removes all differences."""
        if min(seen.log.shape[:2]) < 2 * CELL_PX:
            return False
        before = shift(table, *shift_between(table, seen))
        apart = difference(before, seen, self.noise, self._wobble_px + SCENE_WOBBLE_PX)
        return not self.is_change(self._counted(share_by_cell(apart, seen)))

    def _counted(self, sharp: Singles) -> Singles:
        """The cells' shares, with those of restless places set to 0."""
        if self._muted is None or self._muted.shape != sharp.shape or not self._muted.any():
            return sharp
        return np.where(self._muted, np.float32(0), sharp)

    def _aligned(self, before: Glance, seen: Glance) -> Glance:
        """`before` as the moved camera would have seen it."""
        if not self._hand_held or min(seen.log.shape[:2]) < 2 * CELL_PX:
            return before
        right, down = shift_between(before, seen)
        width = seen.log.shape[1]
        if max(abs(right), abs(down)) > LARGEST_SHIFT * width:
            return before
        return shift(before, right, down)


def _margin(side: int) -> int:
    """The number of rows or columns of cells in the margin; 0 in a very small picture."""
    return max(1, round(MARGIN * side)) if side >= 8 else 0
