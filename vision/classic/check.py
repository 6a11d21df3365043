"""Measures proposed faces on the picture, and how sure their reading is.

`vision.classic.check` turns these numbers into a confidence.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Picture, Singles
from engine.dice import Die
from engine.wording import phrase_later
from vision.classic.marks import Marks, middle, to_level
from vision.classic.pips import (
    GRID,
    LARGEST_SYMBOL,
    SMALLEST_PIP,
    SQUARE_FROM,
    SYMBOL_FROM,
    Patterns,
    Squares,
    find_lone_marks,
    fit,
    levels_for,
    lone_marks,
    reach,
    sample,
    sample_each,
    tolerance,
)
from vision.face_place import FacePlace

# How sure a reading is: turns the checks' numbers into the frequency with which such a reading is right.
#
# There is a logistic curve for each group of faces, fitted on the photographs that may be trained on and on
# drawn scenes (docs/reading-study.md tells how, and how well it holds). Each number enters through `shape`,
# after which more of it is always better or always worse: so the curves behave sensibly where no example was.

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


Many = dict[str, Singles]
"""What was measured of N faces: for each name an array of N numbers."""
SMALLEST_SYMBOL_PX = 4.0
"""Radius of a mark below which dot and square look alike, and a letter's eye like both."""
LEAST_CORNER = 1.075
"""The least reach into the corners of its square (`Squares.corner`) of a lone mark's face: a disc, such as a
coin, has 1.0 to 1.06, a well rounded die 1.08."""

NEAREST_BORDER = 1.45
"""The least distance from the middle to the border, in steps between pips: no maker sets the pips of a two or
three nearer to the border."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A face that may be there, with what was measured of it."""

    die: Die
    place: FacePlace
    members: tuple[int, ...]
    """The indices of the marks on it."""
    body: Singles
    """The colour of its body, blue green red."""
    numbers: Numbers
    confidence: float
    """How often a face with such numbers is right, 0 to 1."""

    @property
    def edge_px(self) -> float:
        """The edge of a square of the face's area."""
        return 2 * self.place.half_px

    def covers(self, points: Singles, margin: float = 1.0) -> NDArray[np.bool_]:
        """Which of N x 2 points, pixels, lie on the face enlarged by `margin`."""
        steps = (points - self.place.center) @ np.linalg.inv(self.place.axes.T)
        return np.asarray((np.abs(steps) < margin).all(axis=1))


def _of_marks(marks: Marks, faces: Patterns) -> Many:
    """The numbers that come from the marks themselves."""
    return {
        "contrast": np.minimum(faces.middles(np.abs(marks.contrast)), 200) / 100,
        "radius": np.log2(faces.middles(marks.radius) / 4),
        "aspect": faces.middles(marks.aspect),
        "rough": np.float32(10) * faces.means(np.minimum(marks.rough, 0.15)),
        "uneven": faces.means(marks.uneven),
        "mottled": np.float32(4) * faces.means(marks.mottled),
    }


def _of_borders(borders: Squares) -> Many:
    """The numbers that come from the faces' borders."""
    return {
        "share": borders.share,
        "early": borders.early,
        "straight": borders.straight,
        "corner": np.clip(borders.corner, 0.6, 1.7, dtype=np.float32),
        "step": np.minimum(borders.step, 120) / 60,
    }


def _taken(numbers: Many, which: Ints) -> Many:
    return {name: number[which] for name, number in numbers.items()}


def _of_one(numbers: Many, i: int) -> Numbers:
    return {name: float(number[i]) for name, number in numbers.items()}


def check_patterns(
    levels: list[Picture], marks: Marks, found: Patterns, least: float = 0.0
) -> list[Proposal | None]:
    """Measure patterns of two to six pips.

    None for a pair whose body ends close to its pips, and for what does not reach a confidence of `least`.
    """
    out: list[Proposal | None] = [None] * len(found)
    if not len(found):
        return out
    faces = found
    numbers = _of_marks(marks, faces)
    numbers["misfit"] = np.minimum(faces.misfit, 1.5)
    numbers |= {
        f"{word}": (faces.value == value).astype(np.float32) for word, value in (("six", 6), ("two", 2))
    }
    which = np.nonzero(_few_or_many(faces.value, numbers) >= least)[0]
    faces, numbers = faces.take(which), _taken(numbers, which)
    body = faces.middles(marks.body)
    numbers["ghost"] = np.clip(_ghosts(levels, marks, faces, body), -0.3, 1)
    left = np.nonzero(_few_or_many(faces.value, numbers) >= least)[0]
    which, faces, numbers, body = which[left], faces.take(left), _taken(numbers, left), body[left]
    if not len(faces):
        return out
    borders = _clearer_borders(levels, marks, faces, body)
    numbers |= _of_borders(borders)
    usual = (borders.agreeing < 2) | (borders.half <= 1.5) | (borders.half >= 2.9)
    half = np.where(usual, np.float32(2.0), borders.half)
    axes = np.asarray(faces.axes * half[:, None, None], np.float32)
    numbers |= {"extra": np.minimum(_extras(marks, faces, axes), 2), "half": borders.half - 2}
    sure = _few_or_many(faces.value, numbers)
    good = (sure >= least) & ((faces.value > 3) | (borders.half >= NEAREST_BORDER))
    for i in np.nonzero(good)[0]:
        place = FacePlace(faces.center[i], np.asarray(axes[i].T, np.float32))
        members = tuple(faces.members[i, faces.there[i]].tolist())
        die, shown = Die("pip", int(faces.value[i])), _of_one(numbers, int(i))
        out[which[i]] = Proposal(die, place, members, body[i], shown, float(sure[i]))
    return out


def _few_or_many(value: Ints, numbers: Many) -> Singles:
    """The confidence in faces with these values, each from the curve of its group."""
    return np.where(value < 4, confidence("few", numbers), confidence("many", numbers))


def _clearer_borders(levels: list[Picture], marks: Marks, faces: Patterns, body: Singles) -> Squares:
    """The borders of patterned faces. Two tolerances for colours are tried; the one that shows a border more
    clearly counts."""
    limit = tolerance(faces.middles(np.abs(marks.contrast)))
    spans = np.tile(np.array(((1.3, 3.4),), np.float32), (len(faces), 1))
    limits = np.column_stack((limit, 0.5 * limit))
    wide, narrow = (
        fit(ends, range(-1, 2)) for ends in reach(levels, faces.center, faces.axes, spans, body, limits)
    )
    clearer = narrow.share > wide.share
    return wide.with_(np.nonzero(clearer)[0], narrow.take(clearer))


def check_lones(
    levels: list[Picture], marks: Marks, members: Ints, least: float = 0.0
) -> list[Proposal | None]:
    """Measure the faces round lone marks.

    None for what cannot be a pip or a symbol, and for what does not reach a confidence of `least`.
    """
    out: list[Proposal | None] = [None] * len(members)
    own = marks.take(members)
    numbers = _of_marks(own, lone_marks(own.xy)) | {
        "plain": 10 * np.minimum(np.abs(own.square - SQUARE_FROM), 0.05)
    }
    large = own.radius >= SMALLEST_SYMBOL_PX
    hope = np.maximum(confidence("one", numbers), confidence("zoinx", numbers) * large)
    which = np.nonzero(hope >= least)[0]
    if not len(which):
        return out
    own, numbers, large = own.take(which), _taken(numbers, which), large[which]
    found = find_lone_marks(levels, own)
    numbers |= _of_borders(found.borders)
    numbers |= {"size": found.share, "square": 10 * np.minimum(own.square, 0.2)}
    symbol = found.share >= SYMBOL_FROM
    sure = np.where(symbol, confidence("zoinx", numbers), confidence("one", numbers))
    good = (sure >= least) & (found.share > SMALLEST_PIP) & (found.share < LARGEST_SYMBOL)
    good &= (found.borders.corner >= LEAST_CORNER) & (large | ~symbol)
    for i in np.nonzero(good)[0]:
        die = Die("pip", 1)
        if symbol[i]:
            die = Die("zoinx", "square" if own.square[i] > SQUARE_FROM else "dot")
        member, shown = int(members[which[i]]), _of_one(numbers, int(i))
        place = FacePlace(own.xy[i], np.asarray(found.axes[i].T, np.float32))
        out[which[i]] = Proposal(die, place, (member,), own.body[i], shown, float(sure[i]))
    return out


def _ghosts(levels: list[Picture], marks: Marks, faces: Patterns, body: Singles) -> Singles:
    """The most ink at any of a face's places that should be empty (N): 0 none, 1 as much as in a pip."""
    if not len(faces):
        return np.zeros(0, np.float32)
    steps = (marks.xy[faces.members] - faces.center[:, None]) @ np.linalg.inv(faces.axes)
    near = ((steps[:, :, None] - GRID) ** 2).sum(axis=3).min(axis=1)  # N x 9
    radius = faces.middles(marks.radius)
    spots = faces.center[:, None] + GRID @ faces.axes
    points = np.asarray(spots[:, :, None] + _CROSS * radius[:, None, None, None], np.float32)
    colours = sample_each(levels, points, levels_for(radius, 3.0, len(levels))).mean(axis=2)  # N x 9 x 3
    axis = faces.middles(marks.ink) - body
    amount = ((colours - body[:, None]) * axis[:, None]).sum(axis=2)
    amount /= np.maximum((axis * axis).sum(axis=1), 1.0)[:, None]
    return np.asarray(np.where(near > 0.36, amount, -np.inf).max(axis=1), np.float32)


_CROSS = np.array(((0, 0), (0.45, 0), (-0.45, 0), (0, 0.45), (0, -0.45)), np.float32)
"""The points at which a place is sampled, in a pip's radii from its middle."""


def _extras(marks: Marks, faces: Patterns, axes: Singles) -> Singles:
    """How many marks lie on each face without belonging to its pattern (N)."""
    radius = faces.middles(marks.radius)[:, None]
    steps = np.abs((marks.xy - faces.center[:, None]) @ np.linalg.inv(axes)).max(axis=2)
    inside = (steps < 0.8) & (marks.radius > 0.6 * radius) & (marks.radius < 1.7 * radius)
    inside[np.arange(len(faces))[:, None], faces.members] = False
    return np.asarray(inside.sum(axis=1), np.float32)


# What the dice of one picture tell of each other: one leans, one stands on another, one is half hidden.
#
# - The marks of a leaning die are flatter than its neighbours' marks: one camera sees all flat dice alike.
# - Beyond an up-face at most two adjacent sides of its own die can be seen. Something on two opposite sides
#   is a second body, under it. Where the surface is not plain, this is not judged.
# - A mark that is like those of the dice that were read, but lies on none of them, belongs to a die without a
#   visible square face.

LIKE_COLOR = 55.0
"""The most by which two inks, or two bodies, of one make of dice differ, in grey levels."""
LEAST_ASPECT = 0.6
OWN_REACH = 0.95
"""Marks nearer than this to a face's middle, in edges, may be on a side face of that die."""
FLATTER = 0.02
"""How much flatter, as aspect, a leaning die's marks must be at least; more where the marks are uneven."""
ALONE = 0.03
"""The scatter of aspects that is assumed where there is only one other die."""
BEYOND = 1.24
"""How far from the middle a second body is looked for, in half edges: clear of rounded edges and blur."""
FAR = 3.0
"""Dice farther apart than this, in the sum of their edges, cannot cover the places that are looked at round
each other's faces."""
SMALLEST_EDGE_PX = 32.0
SQUARELY = 0.95
"""The least aspect of the marks with which a second body is looked for: below it the camera looks too much
from the side."""
CLEAR_BORDER = 0.75
"""The least share of agreeing border rays with which a second body is looked for: of a face with a vaguer
border, its own body might show beyond."""
CORNERED = 0.65
TIGHTEST = -0.29
"""The least "half" number (half edge in steps between pips, less 2) for a second body to be looked for, as
`CORNERED` is the least "corner": with less, what was found is not the whole border of the face."""
OTHER_GREY = 16.0
"""The least difference in grey levels from the table's colour, lit or shaded, that makes a colour another
one."""
LEAST_RUN = 0.1
"""The share of places beyond a side that must differ from the table for something to be there."""
MOST_UNPLAIN = 0.05
"""The largest share of the surroundings that may have another colour than the table."""
_ALONG = np.linspace(-0.93, 0.93, 21).astype(np.float32)
_NORMALS = np.array(((1, 0), (0, 1), (-1, 0), (0, -1)), np.float32)
_ACROSS = np.array(((0, 1), (1, 0), (0, 1), (1, 0)), np.float32)
_SIDES = BEYOND * _NORMALS[:, None] + _ALONG[None, :, None] * _ACROSS[:, None]
"""4 sides x 21 places beyond a face, in half edges from its middle."""
_ROUND = np.concatenate(
    [d * _NORMALS[:, None] + 1.7 * _ALONG[None, ::2, None] * _ACROSS[:, None] for d in (1.8, 2.1, 2.4)]
).reshape(-1, 2)
"""Places further round a face, in half edges from its middle."""


def is_cocked(face: Proposal, others: Sequence[Proposal]) -> bool:
    """Whether a face's marks are clearly flatter than those of the other dice."""
    if not others:
        return False
    aspects = np.array([other.numbers["aspect"] for other in others], np.float32)
    usual = float(middle(aspects))
    scatter = 1.48 * float(middle(np.abs(aspects - usual))) if len(others) > 1 else ALONE
    # Marks that are often not round, drilled or worn ones, say less; so does a single mark.
    doubt = (1 - usual) + 2.5 * scatter
    allowed = 2.5 * FLATTER + 1.5 * doubt if len(face.members) == 1 else FLATTER + doubt
    return face.numbers["aspect"] < usual - allowed


def is_stacked(levels: list[Picture], face: Proposal, others: Sequence[Proposal]) -> bool:
    """Whether a second body is seen on two opposite sides of a face."""
    edge = face.edge_px
    numbers = face.numbers
    if edge < SMALLEST_EDGE_PX or numbers["aspect"] < SQUARELY or numbers["share"] < CLEAR_BORDER:
        return False
    if numbers["corner"] < CORNERED or numbers.get("half", 0.0) < TIGHTEST:
        return False
    level = int(levels_for(np.asarray(edge, np.float32), 40.0, len(levels)))
    most = np.array(levels[0].shape[1::-1], np.float32) - 1
    others = [
        other
        for other in others
        if np.hypot(*(other.place.center - face.place.center)) < FAR * (edge + other.edge_px)
    ]

    def colors(steps: Singles) -> tuple[Singles, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Colours at places given in half edges, and which of the places are in the picture and on no other
        die."""
        places = np.asarray(face.place.center + steps.reshape(-1, 2) @ face.place.axes.T, np.float32)
        free = ((places >= 0) & (places <= most)).all(axis=1)
        for other in others:
            free &= ~other.covers(places, 1.75)
        return sample(levels[level], to_level(places, level)).astype(np.float32), np.asarray(free)

    round_it, free = colors(_ROUND)
    if np.count_nonzero(free) < 0.3 * len(free):
        return False
    table = middle(round_it[free])
    if float((_unlike(round_it[free], table) > OTHER_GREY).mean()) > MOST_UNPLAIN:
        return False
    beyond, free = colors(_SIDES)
    seen = ((_unlike(beyond, table) > OTHER_GREY) & free).reshape(4, -1).mean(axis=1) > LEAST_RUN
    return bool((seen[:2] & seen[2:]).any())


def _unlike(colors: Singles, table: Singles) -> Singles:
    """How far N colours are from the table's at its best fitting brightness, in grey levels (N)."""
    light = np.clip(colors @ table / max(float(table @ table), 1.0), 0.2, 1.3)
    return np.asarray(np.abs(colors - light[:, None] * table).max(axis=1), np.float32)


def find_strays(marks: Marks, read: Sequence[Proposal], known: Sequence[Proposal]) -> list[Singles]:
    """Where marks lie that are like those of the sure faces `read` but on none of the faces `known`: one
    place (2,) for each die."""
    if not len(marks) or not read:
        return []
    free = marks.aspect > LEAST_ASPECT
    for face in known:
        away = np.hypot(*(marks.xy - face.place.center).T)
        free &= away > OWN_REACH * face.edge_px
    found: list[Singles] = []
    for face in read:
        members = list(face.members)
        edge = face.edge_px
        for place in marks.xy[free & _like(marks, members)]:
            if not found or np.hypot(*(np.stack(found) - place).T).min() > 0.9 * edge:
                found.append(np.asarray(place, np.float32))
    return found


def _like(marks: Marks, members: list[int]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Which marks have about the same size, ink and surround as the marks `members`."""
    ratio = marks.radius / float(middle(marks.radius[members]))
    ink = np.abs(marks.ink - middle(marks.ink[members])).max(axis=1)
    body = np.abs(marks.body - middle(marks.body[members])).max(axis=1)
    return np.asarray((ratio > 0.7) & (ratio < 1.35) & (ink < LIKE_COLOR) & (body < LIKE_COLOR))
