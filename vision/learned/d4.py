"""Reads D4 closely: what the face reader takes for a large D4 is looked at again by a network of its own.

From right above, the three faces of a D4 are foreshortened to a third, so their numbers are the smallest that
any die shows. The D4 network is given the die at twice the face reader's size: first to place its corners and
its tip, then, with the place corrected, from the three turns after which a D4 looks the same.

Where the tip stands over the base tells whether the die lies flat, as the step from foot to up-face does for
six-sided dice. Measured in heights of the die it is the very same step, so dice of both forms can be compared
(`vision.learned.neighbours`).
"""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Picture, Singles
from vision.face_place import FacePlace
from vision.learned.confidence import chance_of_both
from vision.learned.contract import CLASSES, IS_D4, keep_apart
from vision.learned.d4_contract import HEIGHT, TURNS, VALUES, cut_of, edge_px, set_right, tip_px
from vision.learned.faces import AT_ONCE, FLAT, Face, Stance, softmax
from vision.learned.networks import Networks
from vision.legible import D4_LEAST_PX

LIKELY = 0.5
"""The chance of being a D4, whatever its number, from which a face is looked at closely."""
SETTLED = 0.2
"""How far the first look may correct a place, in half edges, before it is looked at again: what is seen at a
slant is found at the face that shows, and its base lies behind that."""
LEAST_HALF_PX = 1.0
"""A place with a smaller half edge, or none that is a number, is none."""
FARTHEST = 1.0
"""The most by which the network may correct a place, in half edges, or its size (log of the ratio): with more
it is no D4."""
MOST = 0.989
"""The highest confidence that a D4 is told with."""
SAME_D4 = 1.4
"""Places nearer than this, in half edges of the larger, are one D4: two D4 are at least 1.9 apart."""
STEP_OFF = 0.06
"""One sigma of a D4's step along each axis, in its heights."""
SIZE_OFF = 0.95
"""How much smaller a D4 may seem than it is: in drawn scenes the tenth part seems smaller than that."""
UNREAD_AT_MOST = 0.5
"""The highest confidence of a D4 that was not looked at closely."""
CURVES: dict[str, tuple[float, dict[str, float]]] = {
    "read": (
        -1.4379,
        {
            "chance": 1.3983,
            "heat": 0.6578,
            "small": -0.3233,
            "off": -0.6919,
            "flat": 0.1821,
        },
    ),
    "flat": (
        3.5580,
        {
            "off": -0.1651,
            "leans": -0.7787,
        },
    ),
}
"""Bias and weights of both curves, as in `vision.learned.confidence`; `benchmarks.fit` fits them."""
_VALUES = np.array([CLASSES.index(("d4", value)) for value in VALUES])


def read_d4_closely(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The same faces, those of large D4 with what the D4 network reads."""
    out = list(faces)
    least_px = SIZE_OFF * D4_LEAST_PX
    chosen = [i for i, face in enumerate(faces) if is_d4(face) and edge_px(face.place) >= least_px]
    for begin in range(0, len(chosen), AT_ONCE // len(TURNS)):
        some = chosen[begin : begin + AT_ONCE // len(TURNS)]
        for i, face in zip(some, _read_closely(picture, [faces[i] for i in some], networks), strict=True):
            out[i] = face
    return _once(out)


def _once(faces: Sequence[Face]) -> list[Face]:
    """Each D4 once: of two finds that turn out to be one die, the surer."""
    close = sorted((i for i, face in enumerate(faces) if face.close), key=lambda i: -confidence(faces[i]))
    kept = {close[i] for i in keep_apart([faces[i].place for i in close], SAME_D4)}
    return [face for i, face in enumerate(faces) if i in kept or not face.close]


def is_d4(face: Face) -> bool:
    """Whether a face is likelier a D4 than anything else."""
    return bool(face.chances[IS_D4].sum() >= LIKELY)


def confidence(face: Face) -> float:
    """How often a D4 that was looked at closely and read with such numbers is right, 0 to 1."""
    return min(MOST, chance_of_both(CURVES, numbers(face)))


def numbers(face: Face) -> dict[str, float]:
    """The numbers that the curves weigh, by name: logs of odds, but for size and place."""
    ordered = np.sort(face.chances)
    return {
        "margin": min(math.log(max(float(ordered[-1]), 1e-9) / max(float(ordered[-2]), 1e-9)), 9.0),
        "chance": _odds(float(ordered[-1])),
        "flat": _odds(float(face.poses[FLAT])),
        "heat": max(-4.0, min(_odds(face.heat), 4.0)),
        "small": max(0.0, math.log2(110.0 / max(edge_px(face.place), 1.0))),
        "off": min(face.off, 1.0),
        "leans": max(-3.0, min(face.leaning, 6.0)),
    }


def _odds(chance: float) -> float:
    safe = min(max(chance, 1e-6), 1 - 1e-6)
    return max(-4.0, min(math.log(safe / (1 - safe)), 7.0))


def _read_closely(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    right = _placed(picture, [face.place for face in faces], networks)
    astray = [i for i, face in enumerate(faces) if _away(face.place, right[i]) > SETTLED]
    for i, place in zip(astray, _placed(picture, [right[i] for i in astray], networks), strict=True):
        right[i] = place
    looks = [(place, turn) for place in right for turn in TURNS]
    classes, poses, points = networks.read_d4(_cuts(picture, looks))
    chances, lying = softmax(classes), softmax(poses)
    out = []
    for i, (face, place) in enumerate(zip(faces, right, strict=True)):
        own = slice(i * len(TURNS), (i + 1) * len(TURNS))
        again = set_right(place, points[own][0])
        moved = _away(face.place, again)
        resized = abs(math.log(max(again.half_px, 1e-6) / face.place.half_px))
        if not (math.isfinite(moved) and max(moved, resized) < FARTHEST):
            again, told = face.place, np.eye(len(VALUES) + 1, dtype=np.float32)[-1]
        else:
            told = chances[own].mean(axis=0)
        out.append(
            replace(
                face,
                place=again,
                stance=_stance(again, tip_px(place, points[own][0])),
                off=_away(place, again),
                chances=_spread(face.chances, told),
                poses=np.asarray(lying[own].mean(axis=0), np.float32),
                close=True,
                unexpected=float(face.chances[IS_D4].sum()),
            )
        )
    return out


def _placed(picture: Picture, places: Sequence[FacePlace], networks: Networks) -> list[FacePlace]:
    """The places as the network corrects them at one look; where what it tells is no triangle, as they
    were."""
    if not places:
        return []
    _, _, points = networks.read_d4(_cuts(picture, [(place, 0.0) for place in places]))
    right = [set_right(place, told) for place, told in zip(places, points, strict=True)]
    return [new if new.half_px >= LEAST_HALF_PX else old for old, new in zip(places, right, strict=True)]


def _away(place: FacePlace, other: FacePlace) -> float:
    """How far the other's middle is from a place's, in half edges of that."""
    return float(np.hypot(*(other.center - place.center))) / place.half_px


def _stance(place: FacePlace, tip: Singles) -> Stance:
    """How a D4 stands: from the middle of its base to its tip, in heights."""
    return Stance(np.asarray((tip - place.center) / (HEIGHT * edge_px(place)), np.float32), STEP_OFF)


def _cuts(picture: Picture, looks: Sequence[tuple[FacePlace, float]]) -> Picture:
    return np.stack([cut_of(picture, place, turn) for place, turn in looks])


def _spread(before: Singles, told: Singles) -> Singles:
    """The chances of all classes: those of D4 values as the D4 network gives them, the rest shared out as the
    face reader had it."""
    out = np.where(IS_D4, 0, before).astype(np.float32)
    out *= told[-1] / max(float(out.sum()), 1e-9)
    out[_VALUES] = told[:-1]
    return out
