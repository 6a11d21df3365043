"""Hangs the camera of a drawn scene: how high, how askew, with which lens."""

from typing import Literal

import numpy as np

from models.painting.camera import MildBend, Pinhole
from models.scenes.chance import Chance, between, maybe

Camera = Pinhole[MildBend]

View = Literal["above", "aslant", "low"]
"""How a camera looks at the table: down steeply; from above or from the side; or from its rim."""
MOST_TILT_DEG = 50.0
"""With more, the lower corners of the widest lens would look over the horizon."""
LOW_DEG = (35.0, 65.0)
"""How far a low camera is tilted, if its lens does not see the horizon then."""
BELOW_HORIZON_DEG = 4.0
"""How far below the horizon a low camera's farthest corner looks at the least."""
UPRIGHT, ROLLED = np.pi / 2, 0.15
"""The heading with which what rises from the table points up in the picture; and by how much, in radians, a
camera's differs that looks from the side: people hold cameras upright, and set them so. Without that, nobody
could tell an up-face from the front of its die. Seen from above there is no upright."""


def hang(chance: Chance, size_px: tuple[int, int], edge_mm: float, edge_px: float, view: View = "above"
         ) -> Camera:  # fmt: skip
    """A camera over the table's origin that shows an edge of ``edge_mm`` there about ``edge_px`` long."""
    width, height = size_px
    focal = max(width, height) * between(chance, 0.75, 1.3)
    shift = (0.0, 0.0)
    if maybe(chance, 0.35):  # cut from a larger picture, or scaled up from a smaller one
        focal *= between(chance, 1.0, 2.2)
        room = 0.45 * (focal - 0.7 * max(width, height)) / focal
        shift = (between(chance, -room, room) * focal, between(chance, -room, room) * focal)
    focal = max(focal, 5.0 * edge_px)  # nobody holds a camera nearer than five edges
    if view == "aslant":
        tilt = np.deg2rad(between(chance, 0, MOST_TILT_DEG))
    elif view == "low":
        corner = np.hypot(width / 2 + abs(shift[0]), height / 2 + abs(shift[1]))
        most = 90 - BELOW_HORIZON_DEG - np.rad2deg(np.arctan(corner / focal))
        tilt = np.deg2rad(between(chance, LOW_DEG[0], max(min(LOW_DEG[1], float(most)), LOW_DEG[0])))
    else:
        tilt = np.deg2rad(0.0 if maybe(chance, 0.15) else min(abs(float(chance.normal(0, 9))), 25.0))
    anyhow = view == "above"
    heading = between(chance, 0, 2 * np.pi) if anyhow else UPRIGHT + float(chance.normal(0, ROLLED))
    gaze = np.array((np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), -np.cos(tilt)))
    right = np.cross(gaze, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    axes = np.stack((right, np.cross(gaze, right), gaze))
    middle = ((width - 1) / 2 + shift[0], (height - 1) / 2 + shift[1])
    distance = focal * edge_mm / edge_px
    across = np.array((-shift[0] / focal, -shift[1] / focal))
    aim = gaze + across @ axes[:2]  # the origin stands in the picture's middle
    return Camera(width, height, focal, middle, MildBend(between(chance, -0.06, 0.12)),
                  np.asarray(-aim * distance, np.float32), np.asarray(axes, np.float32))  # fmt: skip
