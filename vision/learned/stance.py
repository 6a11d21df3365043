"""Measures how dice stand: the step from the foot to the up-face, as the stance network sees it."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats, Picture, Singles
from vision.learned.contract import CLASSES, CUBES, stance_cut
from vision.learned.faces import Face, Stance
from vision.learned.networks import Networks
from vision.learned.trust import chance_to_read
from vision.place import Place

LIKELY = 0.5
"""The chance of being read right from which a face is measured, and counts as a neighbour of others: prints
of a cloth stand in no way that tells of dice."""
AT_ONCE = 16
LEAST_SCATTER, MOST_SCATTER = -5.0, 2.0
"""Bounds of the log of the scatter that the network tells; the same as in training
(`models.training.fit.stance_loss`)."""
LEAST_TAKEN = 0.35
"""The shortest step, in edges, that a neighbour's face is thought to have made."""
SAME, TOUCHING = 0.45, 1.12
"""Between how many edges the middles of two touching dice's up-faces are apart, as they are pictured."""
TOWARDS = math.cos(math.radians(35))
"""The cosine of the largest angle between the way to such a face and to the foot that was told."""
ALIKE = 0.12
"""How far such a face may differ in size, turn and stretch, all taken together. Flat dice that lie flush are
alike; one that leans on the other is turned away from it."""
TAKEN_OFF = 0.5
"""One sigma of such a step, in edges. On another painter's dice, in rows of one colour, it had made flat ones
seem to lean; on the simulated table one of 60 leaning dice more is read as if it lay flat because of it."""
_QUARTERS = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]], np.float64)
SPREAD = 3**0.5
"""One sigma along each axis of a distribution exp(-r / b) in the plane, divided by b."""


def is_likely_cube(face: Face) -> bool:
    """Whether it is likely a six-sided die's face, so that others can be compared with it."""
    return CLASSES[face.best][0] in CUBES and chance_to_read(face) > LIKELY


def find_stances(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces with `stance` filled in for those of six-sided dice."""
    return measure_stances(picture, faces, [i for i, f in enumerate(faces) if is_likely_cube(f)], networks)


def measure_stances(
    picture: Picture, faces: Sequence[Face], some_of_them: Sequence[int], networks: Networks
) -> list[Face]:
    """The faces with `stance` filled in for those at these places of the list."""
    out = list(faces)
    for begin in range(0, len(some_of_them), AT_ONCE):
        some = some_of_them[begin : begin + AT_ONCE]
        cuts = np.stack([stance_cut(picture, faces[i].place) for i in some])
        told = networks.stance(np.asarray(cuts, np.uint8))
        for i, each in zip(some, told, strict=True):
            out[i] = replace(out[i], stance=told_stance(faces[i].place, each))
    return out


def doubt_beside_others(faces: Sequence[Face]) -> list[Face]:
    """The faces; what is told of a die's foot is less sure where the up-face of a die that it lies flush with
    is in that direction: it may have been taken for a side of this one."""
    cubes = [face for face in faces if face.stance is not None]
    centers = np.array([face.place.center for face in cubes], np.float64).reshape(-1, 2)
    axes = np.array([face.place.axes for face in cubes], np.float64).reshape(-1, 2, 2)

    def doubted(face: Face) -> Face:
        stance = face.stance
        if stance is None or np.hypot(*stance.step) < LEAST_TAKEN:
            return face
        ways = (centers - face.place.center) / (2 * face.place.half_px)
        away = np.maximum(np.hypot(*ways.T), 1e-9)
        towards = -(ways @ stance.step) / (away * np.hypot(*stance.step))
        beside = (away > SAME) & (away < TOUCHING) & (towards > TOWARDS)
        taken = (_unlike(np.linalg.inv(face.place.axes) @ axes[beside]) < ALIKE).any()
        return replace(face, stance=replace(stance, off=max(stance.off, TAKEN_OFF))) if taken else face

    return [doubted(face) for face in faces]


def _unlike(others: Floats) -> Floats:
    """How far faces (N x 2 x 2, their axes in those of another face) are from being like that one in size,
    turn and stretch, whichever of their four sides is up: N."""
    return np.asarray(np.linalg.norm(others[:, None] @ _QUARTERS - np.eye(2), axis=(2, 3)).min(axis=1))


def told_stance(place: Place, told: Singles) -> Stance:
    """What the network told (3,) of the cut round a place, as a stance in the picture."""
    x, y, scatter = (float(part) for part in told)
    step = place.axes @ np.array((x, y), np.float32) / (2 * place.half_px)
    off = SPREAD * float(np.exp(np.clip(scatter, LEAST_SCATTER, MOST_SCATTER))) / 2
    return Stance(np.asarray(step, np.float32), off)
