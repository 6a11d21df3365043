"""Hangs the camera of a drawn scene: how high, how askew, with which lens."""

import numpy as np

from models.painting.camera import MildBend, Pinhole
from models.scenes.chance import Chance, between, maybe

Camera = Pinhole[MildBend]

MOST_TILT_DEG = 50.0
"""With more, the lower corners of the widest lens would look over the horizon."""


def hang(chance: Chance, size_px: tuple[int, int], edge_mm: float, edge_px: float, aslant: bool = False
         ) -> Camera:  # fmt: skip
    """A camera over the table's origin that shows an edge of ``edge_mm`` there about ``edge_px`` long.

    It looks down steeply, but for one that hangs ``aslant``.
    """
    width, height = size_px
    focal = max(width, height) * between(chance, 0.75, 1.3)
    shift = (0.0, 0.0)
    if maybe(chance, 0.35):  # cut from a larger picture, or scaled up from a smaller one
        focal *= between(chance, 1.0, 2.2)
        room = 0.45 * (focal - 0.7 * max(width, height)) / focal
        shift = (between(chance, -room, room) * focal, between(chance, -room, room) * focal)
    focal = max(focal, 5.0 * edge_px)  # nobody holds a camera nearer than five edges
    if aslant:
        tilt = np.deg2rad(between(chance, 0, MOST_TILT_DEG))
    else:
        tilt = np.deg2rad(0.0 if maybe(chance, 0.15) else min(abs(float(chance.normal(0, 9))), 25.0))
    heading = between(chance, 0, 2 * np.pi)
    view = np.array((np.sin(tilt) * np.cos(heading), np.sin(tilt) * np.sin(heading), -np.cos(tilt)))
    right = np.cross(view, (0.0, 1.0, 0.0))
    right /= np.linalg.norm(right)
    axes = np.stack((right, np.cross(view, right), view))
    middle = ((width - 1) / 2 + shift[0], (height - 1) / 2 + shift[1])
    distance = focal * edge_mm / edge_px
    across = np.array((-shift[0] / focal, -shift[1] / focal))
    aim = view + across @ axes[:2]  # the origin stands in the picture's middle
    return Camera(width, height, focal, middle, MildBend(between(chance, -0.06, 0.12)),
                  np.asarray(-aim * distance, np.float32), np.asarray(axes, np.float32))  # fmt: skip
