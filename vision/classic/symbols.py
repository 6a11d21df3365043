"""Measures lone marks: the pip of a one, or a Zoinx face's big dot or square, in the middle of a square
face."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Ints, Picture, Singles
from vision.classic.marks import Marks
from vision.classic.square import Squares, fit, reach

SYMBOL_FROM = 0.45
"""A mark wider than this share of its face is a Zoinx symbol; a smaller one is a pip."""
SMALLEST_PIP = 0.12
LARGEST_SYMBOL = 0.72
SOFT_EDGE_PX = 1.3
"""How far lens and demosaicing smear a mark's edge."""
SQUARE_FROM = 0.05
"""The fourth harmonic of the outline (`Marks.square`) from which a symbol is a square: a disc has 0.00, a
sharp square 0.09."""


@dataclass(frozen=True, slots=True, eq=False)
class Lones:
    """N marks, each alone on what may be a face."""

    borders: Squares
    """The faces' borders, in units of the marks' radii."""
    axes: Singles
    """N x 2 x 2: from the middle to the middles of two neighbouring sides, pixels."""

    @property
    def share(self) -> Singles:
        """The marks' widths divided by the faces' (N)."""
        return np.asarray(1 / np.maximum(self.borders.half, 1e-3), np.float32)


def find_lone_marks(levels: list[Picture], marks: Marks) -> Lones:
    """The face round each of N marks, as far as its border shows."""
    axes = np.asarray(np.eye(2) * marks.radius[:, None, None], np.float32)
    full = tolerance(np.abs(marks.contrast))
    tolerances = np.column_stack((full, 0.5 * full))
    begin = 1.3 + SOFT_EDGE_PX / marks.radius

    def borders(which: Ints, end: Singles) -> Iterator[Squares]:
        """The borders from rays that end at these radii, once for each tolerance."""
        spans = np.column_stack((begin[which], end)).astype(np.float32)
        for found in reach(levels, marks.xy[which], axes[which], spans, marks.body[which], tolerances[which]):
            yield fit(found)

    every = np.arange(len(marks))
    best, other = borders(every, np.asarray(begin + 2.1, np.float32))
    best = _better(best, other, every)
    unclear = np.nonzero(best.share <= 0.95)[0]  # where all rays agree, longer ones cannot agree better
    if len(unclear):
        for other in borders(unclear, np.full(len(unclear), 9.0, np.float32)):
            best = _better(best, other, unclear)
    angle = np.deg2rad(best.turn * 5.0)
    along = np.column_stack((np.cos(angle), np.sin(angle)))
    across = np.column_stack((-along[:, 1], along[:, 0]))
    sides = np.stack((along, across), axis=1) * (best.half * marks.radius)[:, None, None]
    return Lones(best, np.asarray(sides, np.float32))


def _better(best: Squares, others: Squares, which: Ints) -> Squares:
    """The best borders so far, replaced at the indices `which` by those of `others` that agree clearly
    better."""
    clearly = others.share > best.share[which] + 0.05
    return best.with_(which[clearly], others.take(clearly))


def tolerance(contrast: Singles) -> Singles:
    """Grey levels by which a colour may differ from the body's, for marks of this contrast."""
    return np.asarray(np.clip(0.25 * contrast, 12, 40), np.float32)
