"""How much each stretch of an outline may say of a die's pose, and which of their errors they share.

Light and shadow shift all edges of a side alike, and those of a corner, so a side of many edges counts for
little more than one of few. Edges that disagree with the rest are trusted less.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints
from vision.landing.cube import ARC, Outline
from vision.landing.edges import Edges, Stretches

SIDE_SIGMA_PX = (0.15, 0.4, 0.6)
SIDE_SIGMA_MM = (0.03, 0.06, 0.15)
"""By how much light and shadow shift all edges of one side together (one sigma): an upper side, an upright
one seen from its end, and a lower one, where the die meets its own shadow."""
USUAL_EDGE_SIGMA_PX = 0.14
UNSURE_SIDES = (0.4, 4.0)
"""The common shift of a side grows with how unsure its edges are, compared with the usual, within these
factors: faint and shaded edges are also those seen in the wrong place."""
STRETCH_SIGMA_PX = 0.1
CORNER_SHIFT = 0.7
"""The common shift of a corner's arc, as a share of that of a side which faces the same way."""
CORNER_BOW = 1.3
"""The blur by this is how far inwards the tip of a sharp corner seems to lie in a blurred picture."""


def weights(line: Outline, cut: Stretches, edges: Edges, seen: NDArray[np.bool_], left: Floats) -> Floats:
    """The inverse covariance (m, m) of the offsets of the m stretches in sight, in pixels.

    `left` (m) is what is left of each offset; those far from the others weigh less.
    """
    spread = 1.48 * float(np.median(np.abs(left))) + 0.1
    trust = 1 / (1 + (left / (2 * spread)) ** 2) ** 2
    own = (edges.sigma_px[seen] ** 2 + STRETCH_SIGMA_PX**2) / np.maximum(trust, 1e-3)
    parts = parts_of(cut.side)
    common = _common_sigma_px(line, cut, edges, parts)[seen]
    alike = parts[seen][:, None] == parts[seen][None]
    found: Floats = np.linalg.inv(np.diag(own) + common[:, None] * common * alike)
    return found


def bowed_px(line: Outline, cut: Stretches, radius_mm: float, blur_px: float) -> Floats:
    """How far inwards of the outline blur makes each stretch seem to lie (m), pixels: nought along a side,
    more the sharper a corner is."""
    around = radius_mm * cut.mean(line.gain)
    found: Floats = np.where(cut.side == ARC, bow_px(around, blur_px), 0.0)
    return found


def bow_px(rounding_px: Floats, blur_px: float) -> Floats:
    """How far inwards of a corner that is so much rounded blur makes its edge seem to lie, pixels."""
    found: Floats = blur_px**2 / (2 * rounding_px + CORNER_BOW * blur_px)
    return found


def parts_of(side: Ints) -> Ints:
    """Each stretch's part of the outline (m): its side from 0 up, its corner from -1 down."""
    arc = side == ARC
    number = np.cumsum(arc & ~np.roll(arc, 1))
    # The first corner may begin at the end of the outline.
    number[number == 0] = number[-1]
    return np.where(arc, -number, side)


def _common_sigma_px(line: Outline, cut: Stretches, edges: Edges, parts: Ints) -> Floats:
    """One sigma of the shift that all stretches of a part share (m), in pixels: from the way the surface
    faces there, and from how plainly the part's edge shows."""
    facing = cut.mean(line.normals_mm[:, 2])
    ways = (-0.15, 0.0, 0.2)
    of_mm = np.interp(facing, ways, SIDE_SIGMA_MM[::-1])
    of_px = np.interp(facing, ways, SIDE_SIGMA_PX[::-1])
    found: Floats = np.hypot(of_mm * cut.mean(line.gain), of_px)
    unsure = np.clip(_medians(edges.sigma_px, parts) / USUAL_EDGE_SIGMA_PX, *UNSURE_SIDES)
    found *= unsure * np.where(parts < 0, CORNER_SHIFT, 1.0)
    return found


def _medians(values: Floats, parts: Ints) -> Floats:
    """The median (m) of each stretch's part. All are sorted at once: a fit asks some thousands of times."""
    order = np.lexsort((values, parts))
    _, which, count = np.unique(parts, return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - count + (count - 1) / 2
    ordered = values[order]
    found: Floats = (ordered[np.floor(middle).astype(int)] + ordered[np.ceil(middle).astype(int)]) / 2
    return found[which]
