"""Exact shares: how much of each pixel a polygon covers, as an area and not as a count of samples.

Each side of a polygon is cut where it crosses the borders of pixels; a piece inside one pixel adds its
signed height to
all pixels on its right and the trapezoid beside it to its own. A running sum along the rows then gives
the areas (the way of font rasterisers). Edges are therefore unbiased at any angle.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats


@dataclass(frozen=True, slots=True)
class Share:
    """How much of each pixel of a window is covered."""

    left: int
    top: int
    cover: NDArray[np.float32]
    """(rows, columns), 0 to 1."""

    @property
    def window(self) -> tuple[slice, slice]:
        """The rows and columns of the picture that it speaks of."""
        high, wide = self.cover.shape
        return slice(self.top, self.top + high), slice(self.left, self.left + wide)


def share(outlines: list[Floats], width: int, height: int) -> Share | None:
    """The part of each pixel inside the outlines (each (n, 2) pixels, closed, not crossing); None when out
    of sight.

    Outlines that do not overlap add up; one that runs the other way round inside another is a hole.
    """
    starts = np.concatenate(outlines) + 0.5
    ends = np.concatenate([np.roll(line, -1, axis=0) for line in outlines]) + 0.5
    left = max(0, int(np.floor(starts[:, 0].min())))
    right = min(width, int(np.ceil(starts[:, 0].max())) + 1)
    top = max(0, int(np.floor(starts[:, 1].min())))
    bottom = min(height, int(np.ceil(starts[:, 1].max())) + 1)
    if left >= right or top >= bottom:
        return None
    origin = np.array([left, top], np.float64)
    total = _accumulate(starts - origin, ends - origin, right - left, bottom - top)
    cover = np.abs(np.cumsum(total, axis=1)[:, : right - left])
    return Share(left, top, np.clip(cover, 0, 1).astype(np.float32))


def _accumulate(starts: Floats, ends: Floats, wide: int, high: int) -> Floats:
    """Signed heights and trapezoids, (high, wide + 1), still to be summed along the rows."""
    starts, ends = _pieces(starts, ends)
    heights = ends[:, 1] - starts[:, 1]
    middle = (starts + ends) / 2
    rows = np.floor(middle[:, 1]).astype(np.int64)
    across = np.clip(middle[:, 0], 0, None)
    inside = (rows >= 0) & (rows < high) & (across < wide)
    rows, across, heights = rows[inside], across[inside], heights[inside]
    columns = np.floor(across).astype(np.int64)
    beyond = across - columns
    cells = rows * (wide + 1) + columns
    size = high * (wide + 1)
    total = (
        np.bincount(cells, heights * (1 - beyond), size)
        + np.bincount(cells + 1, heights * beyond, size)[:size]
    )
    return np.asarray(total.reshape(high, wide + 1))


def _pieces(starts: Floats, ends: Floats) -> tuple[Floats, Floats]:
    """The sides cut at the borders of pixels, so that each piece lies in one."""
    owner, along = [np.arange(len(starts))], [np.zeros(len(starts))]
    for axis in range(2):
        first, last = starts[:, axis], ends[:, axis]
        low, high = np.minimum(first, last), np.maximum(first, last)
        from_, count = np.floor(low) + 1, np.maximum(0, np.ceil(high) - 1 - np.floor(low)).astype(np.int64)
        which = np.repeat(np.arange(len(starts)), count)
        step = np.arange(len(which)) - np.repeat(np.cumsum(count) - count, count)
        border = from_[which] + step
        owner.append(which)
        along.append((border - first[which]) / (last[which] - first[which]))
    who, when = np.concatenate(owner), np.clip(np.concatenate(along), 0, 1)
    order = np.lexsort((when, who))
    who, when = who[order], when[order]
    later = np.append(when[1:], 1.0)
    later[np.append(who[1:] != who[:-1], True)] = 1.0
    span = ends[who] - starts[who]
    return starts[who] + span * when[:, None], starts[who] + span * later[:, None]
