"""Finds where a predicted outline really runs, and weighs each stretch of it.

How it works. Colours are read along short lines across the outline, in light (the camera's gamma undone: in
grey levels a blurred edge lies a third of a pixel on the dark side of where it is). Neighbours on one side
are averaged to stretches. Across an edge of a rounded die the colour is modelled as what it physically is:
the surroundings with their gradient (a shadow may fall there), a blurred step, and the die's own side of it,
whose rounding turns away from light and eye like the root of a circle. For each place where the step may be,
the colours of all three channels are fitted together; how much better one place explains them than another
says where the edge is and how sure that is.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Picture, Singles
from calibration.view import View
from vision.landing.cube import ARC, Cube, Outline

STRETCH_MM = 2.5
"""The length of a stretch: points of one side within it share an edge measurement."""
STEP_PX = 0.5
"""The distance between colours read across the outline."""
SWEPT = 8
"""How many amounts of visible turn of the rounding, from none to a quarter turn, the table of shapes
holds."""
TRUSTED = 9.0
"""How many independent colours a stretch counts for at most, however many were read: models are never
exact."""
FINE_PX = 0.125
"""The grid on which sharp colours are drawn before they are blurred."""
MOST_SAID = 3.0
"""The most that one stretch may say against a place, as a log likelihood: a pip beside the edge must not
outvote the whole side."""
LEAST_SURE_PX = 1.5
"""One standard deviation of an edge's place where the colours tell nothing about it."""
SLOPE_COST = 0.1
"""The cost of a colour that slopes by the whole contrast within a pixel, in units of the colours' squared
errors."""
TURN_COST = 0.005
"""The cost of a rounded edge that turns the colour by the whole contrast, in the same units."""
GAMMA = 1.7
"""The exponent from grey levels to light: less than a screen's 2.2, for cameras sharpen and lift contrast in
grey levels."""
NEAR_PX = 0.75
"""The farthest that an edge is asked for off an outline whose own place is what is asked about."""
_LIGHT = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of the picture in light, 0 to 1."""

    light: Singles
    """Light (h, w, 3)."""
    x_px: int
    y_px: int
    """The place of its first pixel in the picture."""

    def read(self, points_px: Floats) -> Singles:
        """Light (..., 3) at points (..., 2) of the picture; beyond the patch its border repeats."""
        at = (points_px - (self.x_px, self.y_px)).astype(np.float32)
        flat = at.reshape(len(at), -1, 2)
        found = cv2.remap(
            self.light, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(*points_px.shape[:-1], 3)

    def covers(self, points_px: Floats, margin_px: float = 1.0) -> NDArray[np.bool_]:
        """Which of points (..., 2) lie in it, at least `margin_px` from its border."""
        height, width = self.light.shape[:2]
        at = points_px - (self.x_px, self.y_px)
        inside = (at >= margin_px) & (at <= np.array((width, height)) - 1 - margin_px)
        return np.asarray(inside.all(axis=-1))


def patch(picture: Picture, box: tuple[int, int, int, int]) -> Patch:
    """The patch of a picture in a box (x0, y0, x1, y1), cut to what the picture holds."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
    return Patch(np.asarray(_LIGHT[picture[y0:y1, x0:x1]], np.float32), x0, y0)


@dataclass(frozen=True, eq=False)
class Stretches:
    """An outline cut into m stretches."""

    first: Ints
    """The index of each stretch's first point (m); it reaches to the next one's first."""
    count: Ints
    side: Ints

    def mean(self, values: Floats) -> Floats:
        """The mean over each stretch (m, ...) of values (n, ...) of the outline's points."""
        total = np.add.reduceat(values, self.first, axis=0)
        found: Floats = total / self.count.reshape(-1, *[1] * (values.ndim - 1))
        return found


def stretches(line: Outline) -> Stretches:
    """Consecutive points of one side, in about equal parts of `STRETCH_MM`."""
    change = np.nonzero(np.diff(line.sides) != 0)[0] + 1
    begins = np.concatenate(([0], change))
    ends = np.concatenate((change, [len(line)]))
    first: list[int] = []
    for begin, end in zip(begins, ends, strict=True):
        length = float(np.linalg.norm(line.points_mm[end - 1] - line.points_mm[begin]))
        parts = min(max(1, round(length / STRETCH_MM)), end - begin)
        first += [int(begin + (end - begin) * part // parts) for part in range(parts)]
    starts = np.array(first, np.intp)
    count = np.diff(np.append(starts, len(line)))
    return Stretches(starts, count, line.sides[starts])


@dataclass(frozen=True, eq=False)
class Edges:
    """What was found across each of m stretches."""

    offset_px: Floats
    """Where the edge is, outwards from the predicted outline (m)."""
    sigma_px: Floats
    """One standard deviation of the offset (m), from the colours alone; large where no edge shows."""
    gain: Floats
    """How much better a step explains the colours than no step, as the log of the ratio of squared errors
    (m); 0: no better."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """How edges are searched for."""

    reach_px: float
    """The largest offset that is tried, inwards and outwards."""
    inside_px: float
    """How far colours are read on the die's side; `outside_px`, on the surroundings' side."""
    outside_px: float
    blur_px: float
    """Standard deviation of the picture's own blur."""
    pull_px: float
    """The sigma within which an edge is expected of its place: one farther off must explain the colours
    clearly better."""
    alike_px: float
    """The sigma by which the stretches of one straight side differ."""


def find_edges(view: View, at: Patch, line: Outline, cube: Cube, cut: Stretches, how: Search) -> Edges:
    """The edge across each of an outline's stretches."""
    places = _places(how)
    reach = line.points_px[:, None] + places[None, :, None] * line.normals_px[:, None]
    colors = cut.mean(np.asarray(at.read(reach), np.float64))
    tries = _tries(how)
    rounding = cube.radius_mm * cut.mean(line.gain)
    bins = np.rint(cut.mean(swept(view, line, cube)) * SWEPT).astype(np.intp)
    radius = max(round(float(np.median(rounding)) * 4) / 4, 0.25)
    basis, smooth = _bases(how, radius)
    return _best(colors, tries, basis[bins], smooth, cut.side, how)


def unexplained(
    at: Patch,
    across_px: tuple[Floats, Floats],
    cut: Stretches,
    turn: Floats,
    how: Search,
    *,
    radius_px: float,
    off_px: Floats,
) -> Floats:
    """The log of the share of the colours across each of m stretches that an edge in one place leaves
    unexplained.

    `across_px` are the points (n, 2) of an outline and its normals there, `turn` (m) how far the surface
    turns away (`swept`), `radius_px` the radius of that turn, and `off_px` (m) how far outwards of the
    outline the edge is.
    """
    how = replace(how, reach_px=NEAR_PX)
    points, normals = across_px
    places, tries = _places(how), _tries(how)
    reach = points[:, None] + places[None, :, None] * normals[:, None]
    colors = cut.mean(np.asarray(at.read(reach), np.float64))
    basis = _bases(how, float(max(round(radius_px), 1)))[0][np.rint(turn * SWEPT).astype(np.intp)]
    centred = colors - colors.mean(axis=1, keepdims=True)
    total = (centred**2).sum(axis=(1, 2))
    floor = 1e-7 * colors.shape[1] + 1e-4 * total
    place = np.clip((off_px - tries[0]) / (tries[1] - tries[0]), 0, len(tries) - 1.001)
    below, row = place.astype(np.intp), np.arange(len(place))
    found = np.zeros(len(place))
    for tried, share in ((below, 1 - place + below), (below + 1, place - below)):
        explained = (np.matmul(basis[row, tried].transpose(0, 2, 1), centred) ** 2).sum(axis=(1, 2))
        found += share * np.log((np.maximum(total - explained, 0) + floor) / (total + floor))
    return found


def _places(how: Search) -> Floats:
    inner, outer = round(how.inside_px / STEP_PX), round(how.outside_px / STEP_PX)
    found: Floats = np.asarray(np.arange(-inner, outer + 1) * STEP_PX, np.float64)
    return found


def _tries(how: Search) -> Floats:
    """The offsets that are tried: a quarter of a pixel apart, an eighth in a narrow search."""
    step = 0.25 if how.reach_px > 1.2 else 0.125
    count = round(how.reach_px / step)
    found: Floats = np.asarray(np.arange(-count, count + 1) * step, np.float64)
    return found


def swept(view: View, line: Outline, cube: Cube) -> Floats:
    """How far the surface turns between the outline and the visible face beside it (n): 0 not at all, 1 a
    quarter turn."""
    faces = np.vstack((cube.turn.T, -cube.turn.T))
    towards = view.eye_mm - (cube.center_mm + faces * cube.edge_mm / 2)
    visible = faces[(towards * faces).sum(axis=1) > 0]
    cosine = (line.normals_mm @ visible.T).max(axis=1)
    found: Floats = 1 - np.clip(cosine, 0.0, 1.0)
    return found


@lru_cache(maxsize=128)
def _bases(how: Search, radius_px: float) -> tuple[Floats, Floats]:
    """Bases (turns, tries, places, 5) of the colours across an edge, and one (places, 4) for colours without
    an edge.

    They are scaled so that the squared products with colours add up to what the basis explains, less the cost
    of its slopes.
    """
    places = _places(how)
    middle = places / max(abs(places[0]), places[-1])
    smooth, _ = np.linalg.qr(np.stack([middle**power for power in range(4)], axis=1))
    cost = np.diag([1e-9, 1e-9, SLOPE_COST, SLOPE_COST, TURN_COST])
    # Sharp colours on a fine grid about the edge, and the weights with which blur brings them to each place,
    # for each try.
    fine = np.arange(places[0] - how.reach_px - 3, places[-1] + how.reach_px + 3, FINE_PX) + FINE_PX / 2
    away = places[None, :] - _tries(how)[:, None]
    spread = (away[:, :, None] - fine) / how.blur_px
    blur = np.exp(-(spread**2) / 2)
    blur /= blur.sum(axis=2, keepdims=True)
    outside = (fine > 0).astype(np.float64)
    rows = []
    for bin_ in range(SWEPT + 1):
        depth = np.clip(-fine, 0.0, radius_px * bin_ / SWEPT) / radius_px
        turned = np.sqrt(1 - (1 - depth) ** 2)
        columns = [np.ones_like(fine), outside, np.minimum(fine, 0), np.maximum(fine, 0), turned]
        stacked = np.matmul(blur, np.stack(columns, axis=1))
        lower = np.linalg.cholesky(np.matmul(stacked.transpose(0, 2, 1), stacked) + cost)
        rows.append(np.matmul(stacked, np.linalg.inv(lower).transpose(0, 2, 1)))
    return np.stack(rows), smooth


def _best(colors: Floats, tries: Floats, basis: Floats, smooth: Floats, side: Ints, how: Search) -> Edges:
    """The likeliest offset of each stretch, from colours (m, places, 3) and bases (m, tries, places, 5)."""
    centred = colors - colors.mean(axis=1, keepdims=True)
    total = (centred**2).sum(axis=(1, 2))
    parts = np.matmul(basis.transpose(0, 1, 3, 2).reshape(len(basis), -1, basis.shape[2]), centred)
    parts = parts.reshape(len(basis), len(tries), -1)
    floor = 1e-7 * colors.shape[1] + 1e-4 * total
    left = np.maximum(total[:, None] - (parts**2).sum(axis=2), 0) + floor[:, None]
    plain = np.matmul(smooth.T, centred)
    unstepped = np.maximum(total - (plain**2).sum(axis=(1, 2)), 0) + floor
    said = TRUSTED / 2 * np.log(left)
    cost = _with_neighbours(said, tries, side, how) + tries**2 / (2 * how.pull_px**2)
    best = np.clip(np.argmin(cost, axis=1), 1, len(tries) - 2)
    row = np.arange(len(best))
    below, here, above = cost[row, best - 1], cost[row, best], cost[row, best + 1]
    step = float(tries[1] - tries[0])
    bend = np.maximum(below - 2 * here + above, 1e-6)
    offset = tries[best] + np.clip((below - above) / (2 * bend), -1, 1) * step
    gain = np.log(unstepped / left[row, best])
    # How sure the offset is follows from its own colours alone: what was expected is no evidence.
    own = said[row, best - 1] - 2 * said[row, best] + said[row, best + 1]
    return Edges(offset, step / np.sqrt(np.maximum(own, (step / LEAST_SURE_PX) ** 2)), gain)


def _with_neighbours(cost: Floats, tries: Floats, side: Ints, how: Search) -> Floats:
    """Costs (m, tries) that keep the stretches of a straight side together.

    What a single stretch finds may be a pip's edge; where all of a side agree, it is the side's. No stretch
    can say more than `MOST_SAID` against a place.
    """
    said = np.minimum(cost - cost.min(axis=1, keepdims=True), MOST_SAID)
    shared = cost.copy()
    for number in np.unique(side):
        if number == ARC:
            continue
        own = side == number
        together = said[own].sum(axis=0) + tries**2 / (2 * how.pull_px**2)
        shared[own] += (tries - tries[np.argmin(together)]) ** 2 / (2 * how.alike_px**2)
    return shared


# How much each stretch of an outline may say of a die's pose, and which of their errors they share.
#
# Light and shadow shift all edges of a side alike, and those of a corner, so a side of many edges counts for
# little more than one of few. Edges that disagree with the rest are trusted less.

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
