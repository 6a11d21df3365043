"""Where a predicted outline really runs: sub-pixel edges found across it in the picture.

How it works. Colours are read along short lines across the outline, in light (the camera's gamma undone: in
grey levels a blurred edge lies a third of a pixel on the dark side of where it is). Neighbours on one side
are averaged to stretches. Across an edge of a rounded die the colour is modelled as what it physically is:
the surroundings with their gradient (a shadow may fall there), a blurred step, and the die's own side of it,
whose rounding turns away from light and eye like the root of a circle. For each place where the step may be,
the colours of all three channels are fitted together; how much better one place explains them than another
says where the edge is and how sure that is.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Picture, Singles
from calibration.view import View
from vision.landing.cube import ARC, Cube, Outline

STRETCH_MM = 2.5
"""Points of one side so near to each other share an edge measurement."""
STEP_PX = 0.5
"""Between colours read across the outline."""
SWEPT = 8
"""The table of roundings holds so many amounts of visible turn, from none to a quarter."""
TRUSTED = 9.0
"""The most independent colours that a stretch is believed to hold, however many were read: models are never
exact."""
FINE_PX = 0.125
"""Sharp colours are drawn so finely before the blur is put over them."""
MOST_SAID = 3.0
"""What one stretch may say against a place, as a logarithm: a pip beside the edge must not outvote the
side."""
LEAST_SURE_PX = 1.5
"""One standard deviation of an edge's place where the colours say nothing of it."""
SLOPE_COST = 0.1
"""Cost of a colour that slopes by the whole contrast within a pixel, in units of the colours' squared
errors."""
TURN_COST = 0.005
"""Cost of a rounded edge that turns the colour by the whole contrast, in the same units."""
GAMMA = 1.7
"""Between a screen's curve undone (2.2) and none: cameras sharpen and lift contrast in grey levels."""
_LIGHT = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Patch:
    """A part of the picture in light, 0 to 1."""

    light: Singles
    """h x w x 3"""
    x_px: int
    y_px: int
    """Where its first pixel lies in the picture."""

    def read(self, points_px: Floats) -> Singles:
        """Colours (..., 3) at points (..., 2) of the picture; beyond the patch its border repeats."""
        at = (points_px - (self.x_px, self.y_px)).astype(np.float32)
        flat = at.reshape(len(at), -1, 2)
        found = cv2.remap(
            self.light, flat[..., 0], flat[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(found, np.float32).reshape(*points_px.shape[:-1], 3)

    def covers(self, points_px: Floats, margin_px: float = 1.0) -> NDArray[np.bool_]:
        """Which of points (..., 2) lie in it."""
        height, width = self.light.shape[:2]
        at = points_px - (self.x_px, self.y_px)
        inside = (at >= margin_px) & (at <= np.array((width, height)) - 1 - margin_px)
        return np.asarray(inside.all(axis=-1))


def patch(picture: Picture, box: tuple[int, int, int, int]) -> Patch:
    """The patch x0, y0, x1, y1 of a picture, cut to what the picture holds."""
    height, width = picture.shape[:2]
    x0, y0, x1, y1 = max(box[0], 0), max(box[1], 0), min(box[2], width), min(box[3], height)
    return Patch(np.asarray(_LIGHT[picture[y0:y1, x0:x1]], np.float32), x0, y0)


@dataclass(frozen=True, eq=False)
class Stretches:
    """An outline cut into stretches, as parallel arrays of length m."""

    first: Ints
    """The index of each one's first point; it reaches to the next one's first."""
    count: Ints
    side: Ints

    def mean(self, values: Floats) -> Floats:
        """Means (m, ...) of values (n, ...) of the outline's points."""
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
    """What was found across each stretch, as parallel arrays of length m."""

    offset_px: Floats
    """Outwards from where it was predicted."""
    sigma_px: Floats
    """One standard deviation of the offset as far as the colours tell; large where no edge shows."""
    gain: Floats
    """How many times better a step explains the colours than none does, as a logarithm: 0 is no better."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """How edges are looked for."""

    reach_px: float
    """Offsets up to this are tried."""
    inside_px: float
    """How far colours are read to the die's side and to the surroundings' side."""
    outside_px: float
    blur_px: float
    """Standard deviation of the picture's own blur."""
    pull_px: float
    """An edge so far from where it is expected must explain the colours clearly better than a near one."""
    alike_px: float
    """By about so much the stretches of one straight side may differ."""


def find_edges(view: View, at: Patch, line: Outline, cube: Cube, cut: Stretches, how: Search) -> Edges:
    """The edges across an outline's stretches."""
    places = _places(how)
    reach = line.points_px[:, None] + places[None, :, None] * line.normals_px[:, None]
    colors = cut.mean(np.asarray(at.read(reach), np.float64))
    tries = _tries(how)
    rounding = cube.radius_mm * cut.mean(line.gain)
    swept = _swept(view, line, cube)
    bins = np.rint(cut.mean(swept) * SWEPT).astype(np.intp)
    radius = max(round(float(np.median(rounding)) * 4) / 4, 0.25)
    basis, smooth = _bases(how, radius)
    return _best(colors, tries, basis[bins], smooth, cut.side, how)


def _places(how: Search) -> Floats:
    inner, outer = round(how.inside_px / STEP_PX), round(how.outside_px / STEP_PX)
    found: Floats = np.asarray(np.arange(-inner, outer + 1) * STEP_PX, np.float64)
    return found


def _tries(how: Search) -> Floats:
    """Offsets that are tried: a quarter of a pixel apart, finer in a narrow search."""
    step = 0.25 if how.reach_px > 1.2 else 0.125
    count = round(how.reach_px / step)
    found: Floats = np.asarray(np.arange(-count, count + 1) * step, np.float64)
    return found


def _swept(view: View, line: Outline, cube: Cube) -> Floats:
    """How far the surface turns between the outline and the face that is seen beside it: 0 not, 1 a
    quarter."""
    faces = np.vstack((cube.turn.T, -cube.turn.T))
    towards = view.eye_mm - (cube.center_mm + faces * cube.edge_mm / 2)
    visible = faces[(towards * faces).sum(axis=1) > 0]
    cosine = (line.normals_mm @ visible.T).max(axis=1)
    found: Floats = 1 - np.clip(cosine, 0.0, 1.0)
    return found


@lru_cache(maxsize=64)
def _bases(how: Search, radius_px: float) -> tuple[Floats, Floats]:
    """Bases (bins, tries, places, 5) of the colours across an edge, and one (places, 4) without an edge.

    Scaled so that squared products with colours are what the basis explains, less what its slopes cost.
    """
    places = _places(how)
    middle = places / max(abs(places[0]), places[-1])
    smooth, _ = np.linalg.qr(np.stack([middle**power for power in range(4)], axis=1))
    cost = np.diag([1e-9, 1e-9, SLOPE_COST, SLOPE_COST, TURN_COST])
    # Sharp colours on a fine grid about the edge, and what the blur takes from it to each place for each try.
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
    """The likeliest offset of each stretch; colours (m, places, 3), bases (m, tries, places, 5)."""
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
    # How sure it is, by its own colours alone: what was expected is no evidence.
    own = said[row, best - 1] - 2 * said[row, best] + said[row, best + 1]
    return Edges(offset, step / np.sqrt(np.maximum(own, (step / LEAST_SURE_PX) ** 2)), gain)


def _with_neighbours(cost: Floats, tries: Floats, side: Ints, how: Search) -> Floats:
    """Costs (m, tries) that keep the stretches of a straight side together.

    What one stretch says may be a pip's edge; where all of a side agree is its edge. No stretch can say more
    than `MOST_SAID` against a place.
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
