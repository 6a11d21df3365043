"""How sure a reading is: turns the checks' numbers into the frequency with which such a reading is right.

There is a logistic curve for each group of faces, fitted on the photographs that may be trained on and on
drawn scenes (docs/reading-study.md tells how, and how well it holds). Each number enters through `shape`,
after which more of it is always better or always worse: so the curves behave sensibly where no example was.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from calibration.arrays import Singles
from engine.wording import phrase_later

Numbers = dict[str, float]
"""What was measured of a face, by name."""


class Curve(NamedTuple):
    """The curve of one group of faces."""

    bias: float
    weights: dict[str, float]


CURVES = {
    "one": Curve(
        -19.208,
        {
            "aspect": 11.645,
            "contrast": 2.990,
            "corner": -3.712,
            "plain": 2.870,
            "radius": 0.568,
            "share": 2.107,
            "size": -9.351,
            "straight": 7.321,
        },
    ),
    "few": Curve(
        -28.703,
        {
            "aspect": 10.643,
            "contrast": 14.985,
            "extra": -2.631,
            "ghost": -4.906,
            "half": -2.710,
            "rough": -7.452,
            "share": 0.545,
            "step": 0.387,
            "straight": 12.270,
        },
    ),
    "many": Curve(
        -24.321,
        {
            "aspect": 30.846,
            "corner": -4.035,
            "ghost": -19.555,
            "half": -1.464,
            "misfit": -8.363,
            "share": 4.431,
            "straight": 2.489,
        },
    ),
    "zoinx": Curve(
        -61.989,
        {
            "aspect": 38.119,
            "contrast": 9.329,
            "corner": -21.714,
            "early": -34.416,
            "mottled": -16.586,
            "plain": 5.316,
            "radius": 35.790,
            "rough": -1.005,
            "share": 3.282,
            "size": -86.825,
            "step": 0.914,
            "straight": 7.486,
            "uneven": -22.876,
        },
    ),
}


def confidence(group: str, numbers: Mapping[str, Singles]) -> Singles:
    """How often each of N faces of a group with such numbers is right, 0 to 1.

    `numbers` has N of each. A number that is missing is taken to be ideal: the answer is then the best
    confidence that is still possible.
    """
    curve = CURVES[group]
    total: Singles = np.asarray(curve.bias, np.float32)
    for name, weight in curve.weights.items():
        worth = shape(group, name, numbers[name]) if name in numbers else np.float32(_IDEAL.get(name, 0.0))
        total = np.asarray(total + weight * worth, np.float32)
    return np.asarray(1 / (1 + np.exp(-np.clip(total, -30, 30))), np.float32)


def shape(group: str, name: str, number: Singles | float) -> Singles:
    """A number as the curves take it: its distance from the ideal, or limited to the range in which it
    matters."""
    match name:
        case "corner":
            free = 0.16 if group in ("one", "zoinx") else 0.0  # from well rounded to sharp
            ideal = 1.24 if free else 1.0
            shaped = np.minimum(np.maximum(0.0, np.abs(np.asarray(number) - ideal) - free), 0.4)
        case "half":
            shaped = np.maximum(0.0, np.abs(number) - 0.3)
        case "size" if group == "zoinx":
            shaped = np.maximum(0.0, np.abs(np.asarray(number) - 0.54) - 0.07)
        case "size":
            shaped = np.maximum(0.0, np.abs(np.log2(np.asarray(number) / 0.2)) - 0.25)
        case _:
            low, high = _RANGES.get(name, (-math.inf, math.inf))
            shaped = np.minimum(np.maximum(number, low), high)
    return np.asarray(shaped, np.float32)


_RANGES = {
    "step": (0.0, 1.0),
    "contrast": (0.0, 1.0),
    "radius": (-math.inf, 0.5),
    "aspect": (0.0, 0.85),
    "rough": (0.3, math.inf),
    "uneven": (0.05, math.inf),
    "mottled": (0.3, math.inf),
    "ghost": (0.0, math.inf),
    "plain": (0.0, 0.25),
}
"""The range in which each number matters; beyond it, it is cut off."""


_IDEAL = {"share": 1.0, "straight": 1.0, "step": 1.0, "plain": 0.25}
"""The best value after `shape` of those numbers whose best is not 0 and that may be unknown at first."""


def group_of(value: int | str) -> str:
    """The group of faces, a key of `CURVES`, that a value belongs to."""
    match value:
        case int(value) if value > 1:
            return "few" if value < 4 else "many"
        case int():
            return "one"
        case _:
            return "zoinx"


_COMPLAINTS: tuple[tuple[str, float, float, str], ...] = (
    ("extra", -math.inf, 0.5, phrase_later("its marks make no face of a die")),
    ("ghost", -math.inf, 0.35, phrase_later("its marks make no face of a die")),
    ("aspect", 0.75, math.inf, phrase_later("seen too much from the side")),
    ("contrast", 0.35, math.inf, phrase_later("its marks hardly stand out")),
    ("radius", -0.7, math.inf, phrase_later("too small in the picture")),
    ("share", 0.8, math.inf, phrase_later("its border does not show clearly")),
)
"""A number, the least and the largest value that are well, and the reason to give outside of them."""


def reason(numbers: Numbers) -> str:
    """Why a proposal is not vouched for, in words for people: the first complaint that applies."""
    for name, low, high, text in _COMPLAINTS:
        if name in numbers and not low <= numbers[name] <= high:
            return text
    return phrase_later("not like a face lying flat")
