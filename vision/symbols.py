"""Lone marks: the pip of a one, or a Zoinx face's big dot or square, in the middle of a square face."""

from dataclasses import dataclass

import numpy as np

from vision.find import Floats, Marks, Picture
from vision.square import Square, fit, reach

SYMBOL_FROM = 0.45
"""A mark wider than this share of the face is a Zoinx symbol, a smaller one is a pip."""
SMALLEST_PIP = 0.12
LARGEST_SYMBOL = 0.72
SOFT_EDGE_PX = 1.3
"""How far a mark's edge is smeared by lens and demosaicing."""
SQUARE_FROM = 0.05
"""Fourth harmonic of the outline: a disc has 0.00, a sharp square 0.09."""


@dataclass(frozen=True, slots=True, eq=False)
class Lone:
    """A mark alone on what may be a face."""

    member: int
    border: Square
    """In units of the mark's radius."""
    center: Floats
    axes: Floats
    """2 x 2: from the middle to the middles of two neighbouring sides, pixels."""

    @property
    def share(self) -> float:
        """The mark's width by the face's."""
        return 1 / max(self.border.half, 1e-3)


def lone(levels: list[Picture], marks: Marks, member: int) -> Lone:
    """The face round one mark, as far as its border shows."""
    radius = float(marks.radius[member])
    axes = np.asarray(np.eye(2) * radius, np.float32)
    contrast = abs(float(marks.contrast[member]))
    center = marks.xy[member]
    full = tolerance(contrast)
    best: Square | None = None
    begin = 1.3 + SOFT_EDGE_PX / radius
    for end in (begin + 2.1, 9.0):
        if best is not None and best.share > 0.95:
            break  # the longer rays cannot agree better
        for found in reach(levels, center, axes, (begin, end), marks.body[member], (full, 0.5 * full)):
            square = fit(found)
            if best is None or square.share > best.share + 0.05:
                best = square
    assert best is not None  # noqa: S101 - the loop ran
    angle = np.deg2rad(best.turn * 5.0)
    along = np.array((np.cos(angle), np.sin(angle)), np.float32)
    across = np.array((-along[1], along[0]), np.float32)
    return Lone(member, best, center, np.stack((along, across)) * np.float32(best.half * radius))


def tolerance(contrast: float) -> float:
    """Grey levels by which a colour may differ from the body's, for marks of this contrast."""
    return float(np.clip(0.25 * contrast, 12, 40))
