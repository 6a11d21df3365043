"""Puts what networks tell of dice's shapes together with what was fitted to their outlines.

How it works. Where an outline runs depends on how long and how round a die's edges are, and edges that are
followed tell little of either; and all edges of a side give way together to light and shadow, and move the
middle. So once all dice were fitted a network looks at the corners of each and tells its rounding
(`corners`), and another looks across its sides and tells how long its edge is and where its middle lies
(`strips`). All else moves with these as far as the fit knew them together.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Picture, Singles
from calibration.table import TableCalibration
from vision.landing.corners import CornerReader
from vision.landing.cube import yaw_of
from vision.landing.fit import rounding_of, with_rounding, with_told
from vision.landing.pose_evidence import FittedDie
from vision.landing.roundness import Roundness
from vision.landing.strips import SideStrips, cut_strips
from vision.learned.corner_contract import USUAL_EDGE_MM
from vision.learned.networks import Networks

IN_COMMON = 0.2
"""How much of what the network of corners tells the fit to the same corners knew already."""
LEAST_SIGMAS_MM, LEAST_SIGMAS_PX = np.array([0.03, 0.02, 0.02]), np.array([0.2, 0.06, 0.06])
"""Whatever the network of edges says of itself, it is no surer than these together: of the edge, and of the
middle along either side's normal. Dice by another painter than its own it takes for 0.05 mm narrower than
they are."""


class ShapeReader:
    """Asks for the shapes of dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the networks'."""
        self._view = calibration.view
        self._unit = calibration.dice.edge_mm / USUAL_EDGE_MM
        self._corners = CornerReader(calibration, threads)
        self._networks = Networks(threads=threads)

    def told(self, picture: Picture, dice: Sequence[FittedDie]) -> list[FittedDie]:
        """The dice in their order, the flat ones with what the networks tell of their shapes.

        `picture` (h, w, 3) is the one they were fitted in; a die of which a corner lies beyond its border
        stays as it is.
        """
        roundings = self._corners.told(picture, dice)
        rounded = [
            one if told is None else _rounded(one, told) for one, told in zip(dice, roundings, strict=True)
        ]
        shown = [
            None if told is None else self._cut(picture, one)
            for one, told in zip(rounded, roundings, strict=True)
        ]
        asked = [cut for cut in shown if cut is not None]
        if not asked:
            return rounded
        strips = np.concatenate([cut.strips for cut in asked])
        known = np.concatenate([cut.known for cut in asked])
        answers = iter(self._networks.edges(strips, known) * self._unit)
        return [
            one if cut is None else self._heard(one, next(answers))
            for one, cut in zip(rounded, shown, strict=True)
        ]

    def _cut(self, picture: Picture, one: FittedDie) -> SideStrips | None:
        return cut_strips(picture, self._view, one.cube, rounding_of(one.fit), self._unit)

    def _heard(self, one: FittedDie, answer: Singles) -> FittedDie:
        x, y, _ = (float(part) for part in one.cube.center_mm)
        scale = self._view.scale_px_per_mm(x, y, one.cube.edge_mm / 2)
        least_mm = np.hypot(LEAST_SIGMAS_MM, LEAST_SIGMAS_PX / scale)
        cosine, sine = math.cos(yaw_of(one.cube)), math.sin(yaw_of(one.cube))
        along = np.array([[0, 0, 0, 1, 0], [cosine, sine, 0, 0, 0], [-sine, cosine, 0, 0, 0]])
        off_mm, sigma_mm = answer.astype(np.float64).reshape(2, 3)
        return replace(one, fit=with_told(one.fit, along, off_mm, np.hypot(sigma_mm, least_mm)))


def _rounded(one: FittedDie, told: Roundness) -> FittedDie:
    """A die with what the network of corners tells of its rounding."""
    return replace(one, fit=with_rounding(one.fit, rounding_of(one.fit).with_other(told, IN_COMMON)))
