"""How round dice are, told by a network from pictures of their corners.

How it works. Each corner of a die that was fitted is cut out twice, in the plane of its up-face and in that
of the table, both along the die's own sides and in millimetres: so all corners look alike. The network sees
the four corners of a die together with what the fit knew, weighs them against one another, and tells the
rounding and one sigma of it. It sees what following edges does not: how far into the faces a rounding shines.
It learnt from drawn dice alone, so it is one witness beside the fit, and never believed to more than a part
of a pixel.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.table import TableCalibration
from calibration.view import View
from vision.landing.cube import yaw_of
from vision.landing.fit import Fit
from vision.landing.laid_out import laid_out
from vision.landing.pose_evidence import FittedDie
from vision.landing.roundness import Roundness
from vision.learned.corner_contract import CORNER_PX, CORNERS, USUAL_EDGE_MM
from vision.learned.networks import Networks

STEP_MM = 0.2
"""What a pixel of a cut shows; like all lengths here, of a die that is meant to be `USUAL_EDGE_MM` wide."""
TOP_INSIDE_MM, FOOT_INSIDE_MM = 4.0, 3.5
"""How far inwards of the corner the cut of the up-face and that of the foot begin."""
LEAST_SIGMA_MM, LEAST_SIGMA_PX = 0.12, 0.5
"""The network is no surer than these together, whatever it says of itself."""
_RIM: Floats = np.array(
    [[0.0, 0.0], [0.0, CORNER_PX - 1], [CORNER_PX - 1, CORNER_PX - 1], [CORNER_PX - 1, 0.0]]
)
"""The corners of a cut: its row runs along the one side of the die, its column along the next."""


@dataclass(frozen=True, eq=False)
class CornerCuts:
    """The corners of one die as the network is shown them."""

    cuts: Picture
    """CORNERS x CUT_PX x CUT_PX x 6: up-face, then foot, each blue green red."""
    known: Singles
    """CORNERS x KNOWN: how aslant each corner is seen, and what the fit knew."""


class CornerReader:
    """Asks the corners of dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the network's."""
        self._view, self._unit = calibration.view, calibration.dice.edge_mm / USUAL_EDGE_MM
        self._networks = Networks(threads=threads)

    def told(self, picture: Picture, dice: Sequence[FittedDie]) -> list[Roundness | None]:
        """What the network says of each die's rounding; None for one that leans, or of which a corner lies
        beyond the border of the picture (h, w, 3) that they were fitted in."""
        shown = [
            cut_corners(picture, self._view, one.fit, self._unit) if one.pose == "flat" else None
            for one in dice
        ]
        asked = [cut for cut in shown if cut is not None]
        if not asked:
            return [None] * len(dice)
        cuts, known = (np.concatenate([getattr(cut, part) for cut in asked]) for part in ("cuts", "known"))
        answers = iter(self._networks.roundings(cuts, known) * self._unit)
        return [
            None if cut is None else self._heard(one, next(answers))
            for one, cut in zip(dice, shown, strict=True)
        ]

    def _heard(self, one: FittedDie, answer: Singles) -> Roundness:
        x, y, _ = (float(part) for part in one.cube.center_mm)
        scale = self._view.scale_px_per_mm(x, y, one.cube.edge_mm / 2)
        mm, sigma_mm = (float(part) for part in answer)
        return Roundness(mm, math.hypot(sigma_mm, LEAST_SIGMA_MM, LEAST_SIGMA_PX / scale))


def cut_corners(picture: Picture, view: View, fit: Fit, unit: float = 1.0) -> CornerCuts | None:
    """The corners of a flat die that was fitted in a picture (h, w, 3); None if one lies beyond its border.

    `unit` is how wide the dice are meant to be, in `USUAL_EDGE_MM`.
    """
    cube = fit.cube
    yaw, half, eye = yaw_of(cube), cube.edge_mm / 2, view.eye_mm
    grids, slants = [], []
    for turn in range(CORNERS):
        angle = yaw + turn * math.pi / 2
        along = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        corner = cube.center_mm[:2] + half * along.sum(axis=0)
        slants.append(along @ (eye[:2] - corner) / (eye[2] - half))
        for height, inside in ((cube.edge_mm, TOP_INSIDE_MM), (0.0, FOOT_INSIDE_MM)):
            away = (STEP_MM * (_RIM + 0.5) - inside) * unit
            grids.append(np.column_stack((corner + away @ along, np.full(len(away), height))))
    seen = view.project(np.concatenate(grids)).reshape(CORNERS, 2, len(_RIM), 2)
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    size = (CORNER_PX, CORNER_PX)
    cuts = np.concatenate([laid_out(picture, seen[:, plane], size) for plane in (0, 1)], axis=-1)
    known = np.column_stack((3 * np.array(slants), np.tile(_known(view, fit, unit), (CORNERS, 1))))
    return CornerCuts(cuts, known.astype(np.float32))


def _known(view: View, fit: Fit, unit: float) -> list[float]:
    """What the fit knew of the die, in numbers of about 1."""
    cube = fit.cube
    x, y, _ = (float(part) for part in cube.center_mm)
    edge_mm, rounding_mm = (float(part) for part in np.sqrt(np.diag(fit.covariance))[3:] / unit)
    return [
        math.log(view.scale_px_per_mm(x, y, cube.edge_mm / 2) * unit / 2.5),
        cube.radius_mm / unit - 1.6,
        (cube.edge_mm / unit - USUAL_EDGE_MM) * 5,
        math.log(rounding_mm / 0.4),
        math.log(edge_mm / 0.1),
        fit.rim_px * 3,
    ]
