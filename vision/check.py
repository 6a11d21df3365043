"""Looks at proposals on the picture: what a pattern or a lone mark must show to be believed, as numbers.

`vision.trust` turns these numbers into a confidence.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.find import Floats, Marks, Picture, middle, to_level
from vision.pips import GRID, Pattern
from vision.reading import DieKind
from vision.square import Square, fit, level_for, reach, sample
from vision.symbols import LARGEST_SYMBOL, SMALLEST_PIP, SQUARE_FROM, SYMBOL_FROM, lone, tolerance
from vision.trust import Numbers, at_best, group_of

SMALLEST_SYMBOL_PX = 4.0
"""Radius below which dot and square, and a letter's eye, are all alike."""
LEAST_CORNER = 1.075
"""A disc, a coin say, reaches 1.0 to 1.06 into the corners of its square; a well rounded die 1.08."""

NEAREST_BORDER = 1.45
"""In steps: no maker sets the pips of a two or three nearer to the border."""


@dataclass(frozen=True, slots=True, eq=False)
class Proposal:
    """A face that may be there, with what was measured of it."""

    kind: DieKind
    value: int | str
    center: Floats
    axes: Floats
    """2 x 2: from the centre to the middles of two neighbouring sides, pixels."""
    members: tuple[int, ...]
    """The marks on it."""
    body: Floats
    """Its colour, BGR."""
    numbers: Numbers

    @property
    def area(self) -> float:
        """Of the face in square pixels."""
        return 4 * abs(float(np.linalg.det(self.axes)))

    def covers(self, points: Floats, margin: float = 1.0) -> NDArray[np.bool_]:
        """Which of N x 2 points lie on the face."""
        steps = (points - self.center) @ np.linalg.inv(self.axes)
        return np.asarray((np.abs(steps) < margin).all(axis=1))


def _of_marks(marks: Marks, chosen: list[int]) -> Numbers:
    """What the marks themselves show."""
    return {
        "contrast": min(float(middle(np.abs(marks.contrast[chosen]))), 200) / 100,
        "radius": float(np.log2(middle(marks.radius[chosen]) / 4)),
        "aspect": float(middle(marks.aspect[chosen])),
        "rough": 10 * float(np.mean(np.minimum(marks.rough[chosen], 0.15))),
        "uneven": float(np.mean(marks.uneven[chosen])),
        "mottled": 4 * float(np.mean(marks.mottled[chosen])),
    }


def _of_border(border: Square) -> Numbers:
    """What the face's border shows."""
    return {
        "share": border.share,
        "early": border.early,
        "straight": border.straight,
        "corner": float(np.clip(border.corner, 0.6, 1.7)),
        "step": min(border.step, 120) / 60,
    }


def check_pattern(
    levels: list[Picture], marks: Marks, pattern: Pattern, least: float = 0.0
) -> Proposal | None:
    """Measure a pattern of two to six pips.

    None for a pair whose body ends between its pips, and for what cannot reach a confidence of `least`.
    """
    chosen = list(pattern.members)
    group = group_of(pattern.value)
    numbers = _of_marks(marks, chosen) | {
        "misfit": min(pattern.misfit, 1.5),
        "six": float(pattern.value == 6),
        "two": float(pattern.value == 2),
    }
    if at_best(group, numbers) < least:
        return None
    body = middle(marks.body[chosen])
    numbers["ghost"] = float(np.clip(_ghost(levels, marks, pattern, body), -0.3, 1))
    if at_best(group, numbers) < least:
        return None
    limit = tolerance(float(middle(np.abs(marks.contrast[chosen]))))
    ends = reach(levels, pattern.center, pattern.axes, (1.3, 3.4), body, (limit, 0.5 * limit))
    border = max((fit(found, range(-1, 2)) for found in ends), key=lambda square: square.share)
    if pattern.value <= 3 and border.half < NEAREST_BORDER:
        return None
    half = border.half if border.agreeing >= 2 and 1.5 < border.half < 2.9 else 2.0
    axes = np.asarray(pattern.axes * np.float32(half), np.float32)
    numbers |= _of_border(border)
    numbers |= {"extra": float(min(_extra(marks, pattern, axes), 2)), "half": border.half - 2}
    return Proposal("pip", pattern.value, pattern.center, axes, pattern.members, body, numbers)


def check_lone(levels: list[Picture], marks: Marks, member: int, least: float = 0.0) -> Proposal | None:
    """Measure the face round one mark.

    None when it cannot be a pip or a symbol, and for what cannot reach a confidence of `least`.
    """
    square = float(marks.square[member])
    numbers = _of_marks(marks, [member]) | {"plain": 10 * min(abs(square - SQUARE_FROM), 0.05)}
    large = marks.radius[member] >= SMALLEST_SYMBOL_PX
    if max(at_best("one", numbers), at_best("zoinx", numbers) if large else 0.0) < least:
        return None
    one = lone(levels, marks, member)
    if not SMALLEST_PIP < one.share < LARGEST_SYMBOL or one.border.corner < LEAST_CORNER:
        return None
    numbers |= _of_border(one.border) | {"size": one.share, "square": 10 * min(square, 0.2)}
    kind: DieKind = "zoinx" if one.share >= SYMBOL_FROM else "pip"
    if kind == "zoinx" and not large:
        return None
    value: int | str = 1
    if kind == "zoinx":
        value = "square" if square > SQUARE_FROM else "dot"
    return Proposal(kind, value, one.center, one.axes, (member,), marks.body[member], numbers)


def _ghost(levels: list[Picture], marks: Marks, pattern: Pattern, body: Floats) -> float:
    """How much ink there is at the most inked of the places that should be empty: 0 none, 1 a pip."""
    chosen = list(pattern.members)
    steps = (marks.xy[chosen] - pattern.center) @ np.linalg.inv(pattern.axes)
    near = (steps[:, None] - GRID[None]) ** 2
    empty = GRID[near.sum(axis=2).min(axis=0) > 0.36]
    if not len(empty):
        return 0.0
    radius = float(middle(marks.radius[chosen]))
    spots = pattern.center + empty @ pattern.axes
    level = level_for(radius, 3.0, len(levels))
    points = np.asarray(spots[:, None, :] + _CROSS[None] * np.float32(radius), np.float32)
    colours = sample(levels[level], to_level(points, level)).mean(axis=1)
    axis = middle(marks.ink[chosen]) - body
    amount = (colours - body) @ axis / max(float(axis @ axis), 1.0)
    return float(amount.max())


_CROSS = np.array(((0, 0), (0.45, 0), (-0.45, 0), (0, 0.45), (0, -0.45)), np.float32)
"""Where a place is sampled, in a pip's radii from its middle."""


def _extra(marks: Marks, pattern: Pattern, axes: Floats) -> int:
    """Marks on the face that are not of its pattern."""
    radius = float(middle(marks.radius[list(pattern.members)]))
    steps = np.abs((marks.xy - pattern.center) @ np.linalg.inv(axes)).max(axis=1)
    inside = (steps < 0.8) & (marks.radius > 0.6 * radius) & (marks.radius < 1.7 * radius)
    inside[list(pattern.members)] = False
    return int(inside.sum())
