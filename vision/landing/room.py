"""Where words find room on a drawn scene: they hide nothing that is to be seen, and no other words."""

import cv2
import numpy as np

from calibration.arrays import Floats, Picture

AROUND_PX = 400
"""Half of the widest words, at the least: beyond the scene there is no room for any."""


class WordRoom:
    """What of a scene may not be hidden, in its pixels."""

    def __init__(self, width_px: int, height_px: int) -> None:
        self._taken: Picture = np.ones((height_px + 2 * AROUND_PX, width_px + 2 * AROUND_PX), np.uint8)
        self._taken[AROUND_PX:-AROUND_PX, AROUND_PX:-AROUND_PX] = 0

    def take(self, outline_px: Floats, edge_px: int = 0) -> None:
        """What lies within this convex outline (n, 2), and so far around it, is to be seen from now on."""
        outline = np.rint(outline_px + AROUND_PX).astype(np.int32)
        cv2.fillConvexPoly(self._taken, outline, 1)
        cv2.polylines(self._taken, [outline], True, 1, 2 * edge_px + 1)

    def take_box(self, middle_px: Floats, size_px: tuple[float, float]) -> None:
        """The same of a box (width, height) about its middle (2,)."""
        half = np.array(size_px) / 2
        self.take(middle_px + half * [[-1, -1], [1, -1], [1, 1], [-1, 1]])

    def hidden_px(self, middles_px: Floats, size_px: tuple[float, float]) -> Floats:
        """How many pixels of it a box (width, height) would hide about each of these middles (n, 2): (n,)."""
        sums = cv2.integral(self._taken)
        half = np.array(size_px) / 2
        most = np.array(self._taken.shape[::-1])
        left, top = np.clip(np.rint(middles_px - half + AROUND_PX), 0, most).astype(int).T
        right, bottom = np.clip(np.rint(middles_px + half + AROUND_PX), 0, most).astype(int).T
        hidden: Floats = (
            sums[bottom, right] - sums[top, right] - sums[bottom, left] + sums[top, left]
        ).astype(float)
        return hidden
