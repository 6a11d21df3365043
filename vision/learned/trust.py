"""From what the networks say to a confidence that means what it says.

A network's own chances are too sure of themselves. A logistic curve over a few numbers of each find, fitted
on faces that no network had learnt from, turns them into a frequency (docs/reading.md tells how, and how
well it holds); each number may only help or only harm.
"""

import math

import numpy as np

from vision.learned.faces import FLAT, Face

Numbers = dict[str, float]

BIAS = -2.9063
WEIGHTS: dict[str, float] = {
    "margin": 0.7924,
    "chance": 0.1136,
    "flat": 0.7075,
    "heat": 0.3716,
    "small": -0.7817,
    "leans": -0.4971,
    "vague": -1.0855,
}
MOST = 0.989
"""Alone the networks are never surer than this: of the surest faces one in 650 was wrong in photographs and
at the table, and one in 40 in drawn scenes (docs/reading.md)."""


STEADY = 0.08
"""In edges: where a die shows well, the stance network tells its step so."""
USUALLY_ASKEW = 0.05
"""Of 20 flat faces one is stretched more otherwise than its neighbours."""


def numbers(face: Face) -> Numbers:
    """What the curve looks at."""
    ordered = np.sort(face.chances)
    half = face.place.half_px
    return {
        "margin": min(math.log(max(float(ordered[-1]), 1e-9) / max(float(ordered[-2]), 1e-9)), 9.0),
        "chance": max(-4.0, min(_odds(float(ordered[-1])), 7.0)),
        "flat": max(-4.0, min(_odds(float(face.poses[FLAT])), 7.0)),
        "heat": max(-4.0, min(_odds(face.heat), 4.0)),
        "small": max(0.0, math.log2(16.0 / max(half, 1.0))),
        "off": min(face.off, 1.0),
        "askew": min(face.askew / USUALLY_ASKEW, 3.0),
        "leans": max(-3.0, min(face.leaning, 6.0)),
        "vague": max(0.0, math.log2(face.stance.off / STEADY)) if face.stance else 0.0,
    }


def confidence(face: Face) -> float:
    """How often a face that was told so is right, 0 to 1."""
    seen = numbers(face)
    total = BIAS + sum(weight * seen[name] for name, weight in WEIGHTS.items())
    return min(MOST, 1 / (1 + math.exp(-max(-30.0, min(30.0, total)))))


def _odds(chance: float) -> float:
    safe = min(max(chance, 1e-6), 1 - 1e-6)
    return math.log(safe / (1 - safe))
