"""Whether a die can be read at all in the finished picture."""

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from models.painting.marks import grid
from models.scenes.camera import Camera
from models.scenes.layout import LaidDie

SIDE = 28
"""The up-face is looked at in so many steps each way."""


def contrast(picture: Picture, camera: Camera, die: LaidDie) -> float:
    """How far the up-face's marks stand out from its body: grey levels in the clearest channel.

    Half of what shakes the body's own colour is taken off: weaker marks cannot be told from it. A D4 is
    judged by the clearest of its faces.
    """
    design = die.design
    best = 0.0
    for face in design.rests.up[die.rest]:
        strip = design.relief[face * design.size : (face + 1) * design.size, :, 2]
        if strip.max() > 0:
            best = max(best, _face(picture, camera, die, face, strip))
    return best


def _face(picture: Picture, camera: Camera, die: LaidDie, face: int, strip: Singles) -> float:
    frames = die.design.frames
    mask = cv2.resize(np.ascontiguousarray(strip), (SIDE, SIDE), interpolation=cv2.INTER_AREA).ravel()
    u, v = grid(SIDE)
    steps = np.outer(frames.right[face], u.ravel()) + np.outer(frames.up[face], v.ravel())
    points = frames.middle[face][:, None] + steps * np.float32(frames.edge_mm)
    at = camera.project(die.to_world(np.asarray(points, np.float32)).T).T.reshape(2, SIDE, SIDE)
    x, y = (
        np.ascontiguousarray(part) for part in at
    )  # one map of two channels is read wrongly by OpenCV 5.0
    seen = cv2.remap(picture, x, y, cv2.INTER_LINEAR).reshape(-1, 3).astype(np.float32)
    middle = (np.maximum(np.abs(u), np.abs(v)) < 0.4).ravel()
    marks, body = seen[middle & (mask > 0.6 * mask.max())], seen[middle & (mask < 0.1 * mask.max())]
    if not len(marks) or not len(body):
        return 0.0
    gap = np.abs(marks.mean(axis=0) - body.mean(axis=0))
    shaken = np.minimum(marks.std(axis=0), body.std(axis=0))
    return float(np.maximum(gap - 0.5 * shaken, 0).max())
