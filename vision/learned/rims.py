"""How up-faces are really stretched, by the edges that the picture shows.

The networks tell where a face lies, but of its stretch they tell a fifth (docs/reading.md). So each side is
looked for anew: colours are sampled across it, and of all lines that may be the side the one stands along
which the colour changes most. Four sides make a face. It is begun with the shape that a face that lies flat
must have there; what lies otherwise draws it away from that.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.faces import Picture, Place, places, told
from vision.learned.upright import Floats, stretch_of

ROUNDS = 2
"""The second look begins where the first one found the sides."""
MOST_CHANGE = 60.0
"""Grey levels: a stronger change of colour counts no more, lest a shadow outdo the die's own edge."""
CHANGE_OVER = 2
"""Samples to each side between which a change is taken."""
_ALONG = np.linspace(-0.72, 0.72, 13)
"""Where a side is crossed, in half edges from its middle: clear of the rounded corners."""
_AWAY = np.arange(0.70, 1.401, 0.02)
"""From the middle of the face, in half edges: outside the marks, and not yet in the next die."""
_HALVES = np.arange(0.86, 1.181, 0.02)
_SLANTS = np.linspace(-0.15, 0.15, 11)
"""The lines that may be a side: how far from the middle, and how they rise along it."""
_USUAL = (0.08, 0.08)
"""One standard deviation of both: of two edges the likelier one is taken."""
_NORMALS = np.array(((1, 0), (0, 1), (-1, 0), (0, -1)), np.float64)
_SIDES = np.stack((-_NORMALS[:, 1], _NORMALS[:, 0]), axis=1)


def _points() -> Floats:
    """Where colours are sampled, in the frame of a face: (4 sides x 13 x 36) x 2."""
    out = _NORMALS[:, None, None] * _AWAY[:, None] + _SIDES[:, None, None] * _ALONG[:, None, None]
    return np.asarray(out.reshape(-1, 2), np.float64)


def _lines() -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Which of the samples of a side (13 x 36, flat) each line (17 x 11, flat) passes, one for each of the
    13, and how much of the next one is to be taken."""
    at = (_HALVES[:, None, None] + _SLANTS[:, None] * _ALONG - _AWAY[0]) / (_AWAY[1] - _AWAY[0])
    low = np.clip(np.floor(at).astype(np.intp), 0, len(_AWAY) - 2)
    first = np.arange(len(_ALONG)) * len(_AWAY)
    return (low + first).reshape(-1, len(_ALONG)), (at - low).reshape(-1, len(_ALONG)).astype(np.float32)


_POINTS = _points()
_PASSED, _NEXT = _lines()
_LIKELY = np.exp(
    -0.5 * (((_HALVES[:, None] - 1) / _USUAL[0]) ** 2 + (_SLANTS[None] / _USUAL[1]) ** 2)
).astype(np.float32)
_ROUND_IT = np.array([(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)])


def stretches_seen(picture: Picture, found: Sequence[Place], expected: Floats) -> Floats:
    """The stretch of each face as its edges show it: N x 2, as `models.faces.told` gives it.

    `picture` is height x width x 3; `found` is where the N faces lie, `expected` (N x 2) how each would be
    stretched if it lay flat.
    """
    if not found:
        return np.empty((0, 2))
    numbers = np.array([told(place) for place in found])
    numbers[:, 1:3] = expected
    begun = places(np.array([place.center for place in found]), numbers)
    centers = np.array([place.center for place in begun], np.float64)
    axes = np.array([place.axes for place in begun], np.float64)
    for _ in range(ROUNDS):
        corners = _corners(_sides(_changes(picture, centers, axes)))
        centers = centers + (axes @ corners.mean(axis=1)[..., None])[..., 0]
        # Corner k lies between the sides of normals k and k + 1: (1, 1), (-1, 1), (-1, -1), (1, -1).
        one, two, three, four = corners.transpose(1, 0, 2)
        axes = axes @ np.stack((one + four - two - three, one + two - three - four), axis=2) / 4
    return stretch_of(axes)


def _changes(picture: Picture, centers: Floats, axes: Floats) -> NDArray[np.float32]:
    """How much the colour changes across the sides: N x 4 x (13 x 36), grey levels."""
    points = centers[:, None] + _POINTS @ axes.transpose(0, 2, 1)
    rows = points.reshape(-1, len(_AWAY), 2).astype(np.float32)
    seen = cv2.remap(picture, rows[..., 0], rows[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colors = seen.reshape(len(centers), 4, len(_ALONG), len(_AWAY), 3).astype(np.float32)
    out = np.zeros(colors.shape[:-1], np.float32)
    over = 2 * CHANGE_OVER
    change = np.abs(colors[:, :, :, over:] - colors[:, :, :, :-over]).max(axis=-1)
    out[..., CHANGE_OVER:-CHANGE_OVER] = np.minimum(change, MOST_CHANGE)
    return out.reshape(len(centers), 4, -1)


def _sides(changes: NDArray[np.float32]) -> Floats:
    """Each side's line, N x 4 x 2: how far from the middle, and how it rises along the side."""
    shape = len(_HALVES), len(_SLANTS)
    flat = changes.reshape(-1, changes.shape[2])
    sums = flat[:, _PASSED] * (1 - _NEXT) + flat[:, _PASSED + 1] * _NEXT
    sums = sums.mean(axis=2).reshape(-1, *shape)
    row = np.arange(len(sums))
    i, j = np.unravel_index((sums * _LIKELY).reshape(len(sums), -1).argmax(axis=1), shape)
    for _ in range(6):  # to the top of that hill, so that the likelihood chooses it and does not bend it
        near_i = np.clip(i[:, None] + _ROUND_IT[:, 0], 0, shape[0] - 1)
        near_j = np.clip(j[:, None] + _ROUND_IT[:, 1], 0, shape[1] - 1)
        best = sums[row[:, None], near_i, near_j].argmax(axis=1)
        i, j = near_i[row, best], near_j[row, best]
    half = _HALVES[i] + (_HALVES[1] - _HALVES[0]) * _summit(sums[row, :, j], i)
    slant = _SLANTS[j] + (_SLANTS[1] - _SLANTS[0]) * _summit(sums[row, i], j)
    return np.stack((half, slant), axis=1).reshape(-1, 4, 2)


def _summit(values: NDArray[np.float32], at: NDArray[np.intp]) -> Floats:
    """How far beside the largest value (N x count, at N) a parabola through three has its top, in steps."""
    inner = np.clip(at, 1, values.shape[1] - 2)
    row = np.arange(len(values))
    before, here, after = (values[row, inner + step].astype(np.float64) for step in (-1, 0, 1))
    bend = before - 2 * here + after
    aside = 0.5 * (before - after) / np.where(bend < 0, bend, -np.inf)
    return np.where(inner == at, np.clip(aside, -0.5, 0.5), 0.0)


def _corners(sides: Floats) -> Floats:
    """Where neighbouring sides meet, in the frame of the face: N x 4 x 2."""
    lines = _NORMALS - sides[..., 1:] * _SIDES
    both = np.stack((lines, np.roll(lines, -1, axis=1)), axis=2)
    reach = np.stack((sides[..., 0], np.roll(sides[..., 0], -1, axis=1)), axis=2)
    return np.asarray(np.linalg.solve(both, reach[..., None])[..., 0], np.float64)
