"""How long a die's edge is and where it lies, told by a network from strips of picture across its sides.

How it works. Along each side of a die that was fitted a strip is cut out twice, in the plane of its up-face
and in that of the table, both along the side and in millimetres: so all sides look alike. The network sees
the four sides of a die together. Where a side seems to end depends on how it is rounded, lit and seen, and on
what the camera does to edges; following edges one by one does not tell these apart, colours on both sides of
all four do. It learnt from drawn dice alone, so it is one witness beside the fit.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.view import View
from vision.landing.cube import Cube, yaw_of
from vision.landing.laid_out import laid_out
from vision.landing.roundness import Roundness
from vision.learned.strip_contract import ACROSS, ALONG, SIDES

STRIP_STEP_MM = 0.1
"""From one colour to the next across a side; like all lengths here, of a die meant to be `USUAL_EDGE_MM`
wide."""
REACH_MM = 6.2
"""How far from its middle a side is looked at, both ways along it."""
AVERAGED = 4
"""How many places along a side are put together to one colour."""
PLACES = ALONG * AVERAGED
_RIM_MM: Floats = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (
    REACH_MM,
    STRIP_STEP_MM * (ACROSS - 1) / 2,
)
"""The corners of a strip about the middle of its side, along it and outwards."""


@dataclass(frozen=True, eq=False)
class SideStrips:
    """The sides of one die as the network is shown them."""

    strips: Picture
    """SIDES x ACROSS x ALONG x 6, from within the die outwards: up-face, then foot, each blue green red."""
    known: Singles
    """SIDES x KNOWN: how aslant each side is seen, how fine the picture is, and what is known of the
    rounding."""


def cut_strips(
    picture: Picture, view: View, cube: Cube, rounding: Roundness, unit: float = 1.0
) -> SideStrips | None:
    """The sides of a flat die in a picture (h, w, 3); None if one lies beyond its border.

    `unit` is how wide the dice are meant to be, in `USUAL_EDGE_MM`.
    """
    yaw, half, eye = yaw_of(cube), cube.edge_mm / 2, view.eye_mm
    grids, slants = [], []
    for turn in range(SIDES):
        angle = yaw + turn * math.pi / 2
        out, along = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        middle = cube.center_mm[:2] + half * out
        slants.append(np.array([out, along]) @ (eye[:2] - middle) / (eye[2] - half))
        rim = middle + unit * _RIM_MM @ np.array([along, out])
        grids += [np.column_stack((rim, np.full(len(rim), height))) for height in (cube.edge_mm, 0.0)]
    seen = view.project(np.concatenate(grids)).reshape(SIDES * 2, len(_RIM_MM), 2)
    if (seen < 0).any() or (seen > np.array(picture.shape[1::-1]) - 1).any():
        return None
    colors = laid_out(picture, seen, (PLACES, ACROSS))
    mean = colors.reshape(SIDES, 2, ACROSS, ALONG, AVERAGED, 3).mean(axis=4, dtype=np.float32)
    strips = np.rint(mean).astype(np.uint8).transpose(0, 2, 3, 1, 4).reshape(SIDES, ACROSS, ALONG, 6)
    scale = view.scale_px_per_mm(float(cube.center_mm[0]), float(cube.center_mm[1]), half)
    alike = [math.log(scale * unit / 2.5), rounding.mm / unit - 1.6, math.log(rounding.sigma_mm / unit / 0.4)]
    known = np.column_stack((3 * np.array(slants), np.tile(alike, (SIDES, 1))))
    return SideStrips(np.ascontiguousarray(strips), known.astype(np.float32))
