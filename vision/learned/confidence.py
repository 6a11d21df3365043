"""Turns what the networks say into a confidence that means what it says.

A network's own chances are too sure of themselves. Two logistic curves over a few numbers of each find turn
them into frequencies: one tells how often such a face is read right, the other how often such a die lies flat
and free; a face counts when both are so. They are fitted on faces that no network had learnt from
(docs/reading-study.md tells how, and how well they hold). Each number may enter only with one sign: as a
help, or as a harm.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Bools
from vision.learned.faces import FLAT, Face
from vision.legible import SMALL_HALF_PX

Numbers = dict[str, float]

CURVES: dict[str, tuple[float, dict[str, float]]] = {
    "read": (
        -1.1774,
        {
            "chance": 0.8253,
            "heat": 0.8231,
            "small": -0.2191,
            "off": -0.9770,
            "rivalled": -0.7969,
        },
    ),
    "flat": (
        1.9048,
        {
            "flat": 0.1212,
            "leans": -2.1121,
            "askew": -0.6854,
            "rivalled": -6.1384,
        },
    ),
}
"""The bias and weights of each curve: whether kind and value are right, and whether the die lies flat."""
MOST = 0.989
"""The highest confidence that is claimed. Of 1,578 faces of photographs and of the table that were about as
sure all but two were right (docs/reading-study.md); up to 4 in 1,000 may be wrong all the same, and more
where nothing was tried."""


USUALLY_ASKEW = 0.05
"""The `Face.askew` below which 19 of 20 flat faces stay."""


def numbers(face: Face) -> Numbers:
    """The numbers of a face that the curves weigh, by name."""
    ordered = np.sort(face.chances)
    half = face.place.half_px
    return {
        "margin": min(math.log(max(float(ordered[-1]), 1e-9) / max(float(ordered[-2]), 1e-9)), 9.0),
        "chance": max(-4.0, min(_odds(float(ordered[-1])), 7.0)),
        "flat": max(-4.0, min(_odds(float(face.poses[FLAT])), 7.0)),
        "heat": max(-4.0, min(_odds(face.heat), 4.0)),
        "small": max(0.0, math.log2(SMALL_HALF_PX / max(half, 1.0))),
        "off": min(face.off, 1.0),
        "askew": min(face.askew / USUALLY_ASKEW, 3.0),
        "rivalled": face.rivalled,
        "leans": max(-3.0, min(face.leaning, 6.0)),
    }


def confidence(face: Face) -> float:
    """How often a face read with such numbers is right and its die lies flat, 0 to 1."""
    return min(MOST, chance_of_both(CURVES, numbers(face)))


def chance_to_read(face: Face) -> float:
    """How often a face with such numbers shows what it is read as, 0 to 1, however its die lies."""
    return chance_of_both({"read": CURVES["read"]}, numbers(face))


def chance_of_both(curves: Mapping[str, tuple[float, Mapping[str, float]]], seen: Numbers) -> float:
    """The product of what all curves say of these numbers, 0 to 1: the chance that all holds."""
    chance = 1.0
    for bias, weights in curves.values():
        total = bias + sum(weight * seen[name] for name, weight in weights.items())
        chance /= 1 + math.exp(-max(-30.0, min(30.0, total)))
    return chance


def _odds(chance: float) -> float:
    safe = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(safe / (1 - safe))


# Which finds cannot both be up-faces: of two nearer than two dice lie, one may be the side of the other.

TOO_NEAR = 1.85
"""How far apart the middles of two up-faces are at the least, in half edges of the larger one: a little less
than the two of dice that touch, for at a slant they are pictured nearer."""


def find_overlapping_faces(faces: Sequence[Face]) -> list[Face]:
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


# What is printed on a cloth is printed many times over: which finds look like very many others.

ALIKE, LIKE_SIZE, MOST_ALIKE = 0.8, 0.2, 15
"""A face that looks like more than the last number of others (by the cosine of their embeddings) and is as
large (by the log of the ratio) looks like very many."""


def find_repeated_patterns(faces: Sequence[Face], others: Bools) -> Bools:
    """Which of N faces look like very many of those that `others` names."""
    looks = np.array([face.embedding for face in faces], np.float64)
    looks /= np.maximum(np.linalg.norm(looks, axis=1, keepdims=True), 1e-9)
    sizes = np.log([face.place.half_px for face in faces])
    alike = looks @ looks[others].T > ALIKE
    alike &= np.abs(sizes[:, None] - sizes[others]) < LIKE_SIZE
    return np.asarray(alike.sum(axis=1) > MOST_ALIKE)
