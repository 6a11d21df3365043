"""How round a die's corners are, asked of the picture for a whole row of roundings.

How it works. A fit that follows edges step by step stays where it began when corners are much rounder or
sharper than was thought: each corner's edge then lies further off than all others, so that it is believed
less and less. Here each rounding of a row is laid over the picture, all else as it was fitted, and it is
asked how much of the colours across the corners a single edge, just there, leaves unexplained. The corners
are heard one by one, and none may say more than so much: one may lie in a shadow, another over a line of the
table.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints
from calibration.view import View
from vision.landing.cube import Cube, Outline
from vision.landing.edges import Patch, Search, Stretches, swept, unexplained
from vision.landing.length import Length
from vision.landing.weights import bow_px, parts_of

TRIED_MM: Floats = np.arange(0.4, 3.41, 0.2)
"""The roundings that are tried."""
SAID, MOST_SAID, MOST_SAID_BELOW = 3.0, 3.0, 1.5
"""What a corner says against a rounding, as a log likelihood: by how much the log of the unexplained share
weighs, the most that a corner may say, and the most that one may say which faces downwards, into a shadow."""
CORNERS_FACTOR, CORNERS_SIGMA_MM = 1.5, 0.3
"""What all corners together say is this much less sure than it says, and no surer than this."""
IN_COMMON = 0.15
"""How much of that a fit to the same edges knew already."""
BELOW = -0.12
"""The upward part of the normals of such a corner, or less."""


class Roundness(Length):
    """The rounding of a die's edges and corners, and one sigma of it."""

    __slots__ = ()

    def told(self, corners: "Roundness") -> "Roundness":
        """This rounding with what all corners together say of it."""
        spread = math.hypot(CORNERS_FACTOR * corners.sigma_mm, CORNERS_SIGMA_MM)
        return self.with_other(Roundness(corners.mm, spread), IN_COMMON)


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a die's outline in the picture."""

    line: Outline
    """The whole outline, as it was fitted."""
    cut: Stretches
    which: NDArray[np.bool_]
    """The stretches of the corners that are in sight (m)."""
    rim_px: float
    """How far outwards of the outline its edges seem to lie."""


def roundness(
    view: View, at: Patch, cube: Cube, corners: Corners, how: Search, usual: Roundness
) -> Roundness | None:
    """The rounding that fits the corners of a cube that was fitted; None where no corner is in sight.

    `usual` is what is expected of it.
    """
    if not corners.which.any():
        return None
    line, cut = corners.line, corners.cut
    point = np.repeat(corners.which, cut.count)
    count, parts = cut.count[corners.which], parts_of(cut.side)[corners.which]
    arcs = Stretches(np.cumsum(count) - count, count, cut.side[corners.which])
    away = line.normals_mm[point] - line.corners[point] @ cube.turn.T
    moved = line.points_mm[point] + (TRIED_MM - cube.radius_mm)[:, None, None] * away
    points_px = view.project(moved.reshape(-1, 3)).reshape(*moved.shape[:2], 2)
    turn, gain = arcs.mean(swept(view, line, cube)[point]), arcs.mean(line.gain[point])
    rows = [
        unexplained(
            at,
            (points_px[k], line.normals_px[point]),
            arcs,
            turn,
            how,
            radius_px=float(radius * np.median(gain)),
            off_px=corners.rim_px - bow_px(radius * gain, how.blur_px),
        )
        for k, radius in enumerate(TRIED_MM)
    ]
    said = _said(np.array(rows), parts, count, arcs.mean(line.normals_mm[point, 2]))
    said += ((TRIED_MM - usual.mm) / usual.sigma_mm) ** 2 / 2
    chance = np.exp(said.min() - said)
    chance /= chance.sum()
    mean = float(chance @ TRIED_MM)
    return Roundness(mean, float(np.sqrt(chance @ (TRIED_MM - mean) ** 2)))


def _said(rows: Floats, parts: Ints, count: Ints, upward: Floats) -> Floats:
    """What all corners say against each rounding (k), from what each stretch leaves unexplained (k, m)."""
    total = np.zeros(len(rows))
    for part in np.unique(parts):
        own = parts == part
        share = count[own] / count[own].sum()
        left = rows[:, own] @ share
        most = MOST_SAID if upward[own] @ share > BELOW else MOST_SAID_BELOW
        total += np.minimum(SAID * (left - left.min()), most)
    return total
