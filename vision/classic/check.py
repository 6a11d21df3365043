"""Measures proposed faces on the picture: what a pattern or a lone mark shows, as numbers.

`vision.classic.trust` turns these numbers into a confidence.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Picture, Singles
from engine.dice import Die
from vision.classic.marks import Marks
from vision.classic.pips import GRID, Patterns, lone_marks
from vision.classic.square import Squares, fit, levels_for, reach, sample_each
from vision.classic.symbols import (
    LARGEST_SYMBOL,
    SMALLEST_PIP,
    SQUARE_FROM,
    SYMBOL_FROM,
    find_lone_marks,
    tolerance,
)
from vision.classic.trust import Numbers, confidence
from vision.place import Place

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
    place: Place
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
        place = Place(faces.center[i], np.asarray(axes[i].T, np.float32))
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
        place = Place(own.xy[i], np.asarray(found.axes[i].T, np.float32))
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
