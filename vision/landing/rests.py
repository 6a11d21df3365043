"""Tells whether a die that lies beside others rests on its face, or leans on one of them.

How it works. A die that leans and is taken for a flat one betrays itself in three ways. Its outline strays
from that of a flat die, and pulls away from the pips. Its step, from the foot to the up-face, points
elsewhere than a flat die's does at that place: a network measures it, of pixels inside the die and not of its
outline. And as a flat die it would overlap the neighbour that it leans on, or stand off it: flat dice that
lie close touch, or do not, but never overlap. Each of the three alone is wrong for one die in ten or
twenty; they are wrong independently, so their doubts are added.

How clearly pips show is no sign: pale ink and the grain of wood make it small on dice that lie flat.
"""

import math

import numpy as np

from calibration.arrays import Floats, Picture
from calibration.table import TableCalibration
from vision.landing.cube import Cube
from vision.landing.faces import up_face
from vision.landing.fit import Fit
from vision.landing.pose_evidence import FINE_SCALE
from vision.learned.contract import stance_cut
from vision.learned.networks import Networks
from vision.learned.stance import told_stance
from vision.learned.upright import Upright
from vision.place import place_of

PULL_MM, STRAY_MM, STEP_SIGMAS, GAP_MM = 0.062, 0.031, 0.285, 0.161
"""What adds 1 to the doubt: the outline's pull from the pips and its stray, at the fine scale; the step off a
flat die's; the gap to, or the overlap with, the nearest neighbour. Weights of a logistic regression on 648
flat dice and 132 leaning ones of drawn close-ups at 0.3 mm to a pixel."""
STEP_OFF = 0.05
"""One sigma, in edges, by which a flat die's step is off whatever the network says of itself."""
MOST_STEP_SIGMAS, MOST_GAP_MM = 5.0, 1.0
"""Beyond these the step and the gap say no more."""
APART_MM = 5.0
"""Dice that are further apart do not touch, and say nothing of each other."""
UNKNOWN_GAP_MM = 0.4
"""The gap that says neither, where the neighbour was not measured."""
MAY_LEAN_DOUBT = 9.0
"""The doubt above which a die is measured as one that rests on its face and may lean all the same."""
LEANS_DOUBT = 12.1
"""The doubt above which it is not believed to rest on its face."""


class RestTest:
    """Judges dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the network's."""
        self._view = calibration.view
        self._upright = Upright.of(calibration)
        self._networks = Networks(threads=threads)

    def doubt(self, picture: Picture, fit: Fit, gap_mm: float | None) -> float:
        """How much speaks against a flat die that was fitted: 1 to 10 for one that rests on its face, mostly
        12 to 40 for one that leans.

        `picture` (h, w, 3) is the one it was fitted in; `gap_mm` is the distance of its footprint from the
        nearest neighbour's: less than nought where they overlap, infinite where nothing is near, None where
        no neighbour was measured.
        """
        x, y = (float(part) for part in fit.cube.center_mm[:2])
        scale = self._view.scale_px_per_mm(x, y, fit.cube.edge_mm / 2)
        coarse = max(1.0, FINE_SCALE / scale)
        pulled = float(np.hypot(*fit.pull_mm)) / (PULL_MM * math.pow(coarse, 0.7))
        strayed = fit.stray_mm / (STRAY_MM * coarse)
        stepped = min(self._step_sigmas(picture, fit.cube), MOST_STEP_SIGMAS) / STEP_SIGMAS
        return pulled + strayed + stepped + _apart(gap_mm) / GAP_MM

    def _step_sigmas(self, picture: Picture, cube: Cube) -> float:
        """How far, in sigmas, a die's step is off that of a flat die in its place."""
        place = place_of(self._view.project(up_face(cube)).astype(np.float32))
        cut = np.asarray(stance_cut(picture, place)[None], np.uint8)
        stance = told_stance(place, self._networks.stance(cut)[0])
        flat: Floats = self._upright.steps(np.asarray(place.center, np.float64)[None])[0]
        return float(np.hypot(*(stance.step - flat))) / math.hypot(stance.off, STEP_OFF)


def _apart(gap_mm: float | None) -> float:
    """How much a gap tells of leaning, mm."""
    if gap_mm is None:
        return UNKNOWN_GAP_MM
    return 0.0 if gap_mm > APART_MM else min(abs(gap_mm), MOST_GAP_MM)
