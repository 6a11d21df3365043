"""Did the camera move between the flat pictures and the empty one? Whatever lies still must be where it was.

Sheet, tapes and table edge, measured in the empty picture, are looked for in each flat picture beside the
board. If they are shifted there, the camera or the sheet has moved: either way the plane no longer holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Picture
from calibration.fit.bundle import spread, trust
from calibration.fit.edges import crossings, profiles
from calibration.fit.lines import COARSE_PX, Measured
from calibration.fit.plan_lines import inside
from calibration.view import View

NOTICED_MM = 0.15
"""The least shift that matters."""
REACH_MM = 5.0
BOARD_MARGIN_MM = 30.0
"""The margin kept round the board, for its paper and its shadow."""
FEWEST_EDGES = 40


@dataclass(frozen=True, slots=True)
class Shift:
    """How far sheet, tapes and edge seem to have moved in one flat picture."""

    moved_mm: float
    sigma_mm: float
    seen: float
    """The share of the edges found beside the board that agree with this shift, 0 to 1."""

    @property
    def moved(self) -> bool:
        """Whether the shift is more than noise and more than matters."""
        return self.moved_mm > NOTICED_MM + 3 * self.sigma_mm


def shift_between(flat: Picture, view: View, lines: Sequence[Measured], board_mm: Floats) -> Shift | None:
    """How far things moved from the empty picture to this flat one, whose board lies at `board_mm` (4, 2).

    None when too little of what was measured is visible beside the board to tell.
    """
    middle = board_mm.mean(axis=0)
    away = board_mm - middle
    around = middle + away * (1 + BOARD_MARGIN_MM / np.linalg.norm(away, axis=1, keepdims=True))
    normals, offsets, points, asked = [], [], [], 0
    for line in lines:
        along = line.plan.seen_at_mm
        along = along[(along >= line.span_mm[0]) & (along <= line.span_mm[1])]
        at = line.at(along)
        free = ~inside(at, around)
        if np.count_nonzero(free) < 5:
            continue
        across = np.repeat(line.placed.turned(line.plan.normal[None]), np.count_nonzero(free), axis=0)
        seen = profiles(flat, view, at[free], across, REACH_MM, fine_px=COARSE_PX)
        edge = crossings(seen)
        there = seen.inside & (edge.strength > 0.5 * line.contrast)
        asked += int(np.count_nonzero(seen.inside))
        normals.append(across[there])
        offsets.append(edge.offset_mm[there])
        points.append(at[free][there])
    if asked < FEWEST_EDGES or sum(len(o) for o in offsets) < FEWEST_EDGES:
        return None
    return _shift(np.concatenate(points), np.concatenate(normals), np.concatenate(offsets), asked)


def _shift(points: Floats, normals: Floats, offsets: Floats, asked: int) -> Shift | None:
    """Shift and turn of everything, fitted robustly; of the shift, the largest at any of the points (n, 2).
    None when too few edges agree."""
    middle = points.mean(axis=0)
    arm = points - middle
    lever = arm[:, 0] * normals[:, 1] - arm[:, 1] * normals[:, 0]
    a = np.column_stack([normals, lever])
    step, weight = np.zeros(3), np.ones(len(a))
    for _ in range(15):
        step = np.asarray(np.linalg.lstsq(a * weight[:, None], offsets * weight, rcond=None)[0], np.float64)
        left = offsets - a @ step
        weight = trust(left[:, None], max(spread(left), 0.02)) ** 2
    close: NDArray[np.bool_] = np.abs(left) < max(3 * spread(left), 0.15)
    if np.count_nonzero(close) < max(FEWEST_EDGES, 0.3 * asked):
        return None
    normal = a[close].T @ a[close]
    if np.linalg.eigvalsh(normal[:2, :2])[0] < 5:
        return None
    sigma = float(np.sqrt(np.trace(np.linalg.inv(normal)[:2, :2]))) * max(spread(left[close]), 0.02)
    each = step[:2] + step[2] * np.column_stack([-arm[:, 1], arm[:, 0]])
    return Shift(float(np.linalg.norm(each, axis=1).max()), sigma, float(np.mean(close)))
