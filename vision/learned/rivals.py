"""Which finds cannot both be up-faces: of two nearer than two dice lie, one may be the side of the other."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.learned.faces import Face

TOO_NEAR = 1.85
"""How far apart the middles of two up-faces are at the least, in half edges of the larger one: a little less
than the two of dice that touch, for at a slant they are pictured nearer."""


def find_rivals(faces: Sequence[Face]) -> list[Face]:
    """The faces with `rivalled` filled in."""
    centers = np.array([face.place.center for face in faces], np.float64).reshape(-1, 2)
    halves = np.array([face.place.half_px for face in faces], np.float64)
    likely = np.array(
        [_chance_of_a_die(face) * face.heat * _chance_of_flat(face) for face in faces], np.float64
    )
    out = []
    for i, face in enumerate(faces):
        away = np.hypot(*(centers - centers[i]).T) / np.maximum(halves, halves[i])
        rivals = likely[(away < TOO_NEAR) & (likely > likely[i])]
        out.append(replace(face, rivalled=float(rivals.max(initial=0.0))))
    return out


def _chance_of_a_die(face: Face) -> float:
    """The chance of the likeliest of our dice; 0 for a face that is most likely none of them."""
    return float(face.chances.max()) if face.die is not None else 0.0


def _chance_of_flat(face: Face) -> float:
    """The chance that it lies flat by how it stands, as likely as not where that was not compared yet. The
    side of a flat die stands as no flat die does."""
    return 1 / (1 + math.exp(face.leaning))
