"""What a die's neighbours tell of it: dice that lie flat on one table all look alike in two ways.

They are foreshortened alike: a far camera stretches every flat up-face by the same symmetric matrix
(`vision.learned.contract`); one that is stretched otherwise is tipped, or no up-face at all.

And they stand alike: the step from a die's foot up to its up-face points away from the spot right below the
camera and grows with the distance from there. In edges of the dice it is a c + b, where c is the die's place
in the picture, and a and b belong to the camera. A die whose step is another one leans. Where few dice lie
there, or none, what is usual for cameras over tables stands in for a and b: a Gaussian before the fit, which
each of the others narrows; and those that fit badly count little (Student's t).

Under a calibrated camera nobody need be asked: how a flat die stands there is known
(`vision.learned.upright`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from vision.learned.contract import encode_place
from vision.learned.faces import Face, Stance
from vision.learned.stance import is_likely_cube
from vision.learned.upright import Part

LEAST = 3
"""Fewer faces, the one in question among them, tell nothing of one another's stretch."""
USUAL_SHAPE = 1.5
"""Longer by shorter side: of a longer picture a part so long stands for what a camera shows at once, and
the camera may have hung over any part of it."""
USUAL_GROWTH, GROWTH_OFF = 1.0, 0.7
"""How much longer the step is, in edges, at one side of the picture than at the other, and how much that
differs between cameras (one sigma). It is one edge where the camera sees a table as wide as the camera is
high."""
TILT_OFF = 0.3
"""The step in the picture's middle, in edges along each axis (one sigma): a camera in a hand is tilted."""
FREEDOM = 3.0
"""Degrees of freedom of Student's t: the fewer, the less a die counts that fits badly."""
ROUNDS = 6
TIPS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 1.3, 1.7)
"""By so much, in edges, another step than a flat die's is one's that leans, by 12 to 37 degrees, or that of a
side taken for the up-face."""
SIDES = 12
"""Directions in which it may lean."""
KNOWN_OFF = 0.03
"""How far a flat die's step may be off under a calibrated camera, in edges (one sigma): its make and the
calibration."""
TAIL, TAIL_WIDE = 0.15, 2.5
"""The share of all steps that lie farther off than usual, and how many times farther."""

_TURNS = np.arange(SIDES) * (2 * np.pi / SIDES)
_TIPPED: Floats = np.multiply.outer(TIPS, np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))).reshape(-1, 2)
"""By how much the steps of leaning dice differ from flat ones', N x 2."""


def compare_with_neighbours(faces: Sequence[Face], part: Part, steps: Floats | None = None) -> list[Face]:
    """The faces with `askew` and `leaning` filled in, as seen in that part of a picture.

    `steps`, N x 2, say how flat dice stand there under a calibrated camera (NaN where nobody knows).
    """
    stretches = np.array([encode_place(face.place)[1:3] for face in faces], np.float64).reshape(-1, 2)
    counts = np.array([is_likely_cube(face) for face in faces], np.bool_)
    size = np.array((part.whole_width_px, part.whole_height_px))
    side = min(size.max(), USUAL_SHAPE * size.min())
    at = np.array([face.place.center for face in faces], np.float64).reshape(-1, 2)
    at = (at + np.array((part.left_px, part.top_px)) - size / 2) / side
    out = []
    for i, face in enumerate(faces):
        others = counts.copy()
        others[i] = False
        askew = 0.0
        if others.sum() >= LEAST - 1:
            askew = float(np.hypot(*(stretches[i] - np.median(stretches[others], axis=0))))
        if face.stance is None:
            out.append(replace(face, askew=askew))
            continue
        if steps is not None and np.isfinite(steps[i]).all():
            flat = FlatStep(steps[i], np.eye(2) * KNOWN_OFF**2)
        else:
            stand = [(at[k], s) for k, f in enumerate(faces) if others[k] and (s := f.stance) is not None]
            flat = expect_step(at[i], stand, TILT_OFF * float(size.max() / side))
        out.append(replace(face, askew=askew, leaning=lean_log_odds(face.stance, flat)))
    return out


@dataclass(frozen=True, slots=True, eq=False)
class FlatStep:
    """The step of a die that lies flat at some place."""

    step: Floats
    """x, y in edges."""
    spread: Floats
    """2 x 2, its covariance."""


def expect_step(at: Floats, others: Sequence[tuple[Floats, Stance]], tilt_off: float = TILT_OFF) -> FlatStep:
    """How a flat die would stand at a place, from how others do at theirs (by the picture's longer side)."""
    x, y = np.array([place for place, _ in others], np.float64).reshape(-1, 2).T
    right, down = np.array([stance.step for _, stance in others], np.float64).reshape(-1, 2).T
    off = np.array([stance.off for _, stance in others], np.float64)
    # Of the fit's equations: what multiplies growth and tilt, then what they come to. With these sums of each
    # round the equations are solved by hand, which is many times as fast for so few.
    summed = np.stack((x * x + y * y, x, y, np.ones(len(x)), x * right + y * down, right, down), axis=1)
    before = np.array((GROWTH_OFF**-2, 0, 0, tilt_off**-2, USUAL_GROWTH * GROWTH_OFF**-2, 0, 0))
    counts = np.ones(len(others))
    for _ in range(ROUNDS):
        squares, xs, ys, ones, along, rights, downs = (before + (counts / off**2) @ summed).tolist()
        growth = (along - (xs * rights + ys * downs) / ones) / (squares - (xs * xs + ys * ys) / ones)
        tilt_x, tilt_y = (rights - xs * growth) / ones, (downs - ys * growth) / ones
        away = np.hypot(right - growth * x - tilt_x, down - growth * y - tilt_y) / off
        counts = (FREEDOM + 2) / (FREEDOM + away**2)
    here = _field(at)
    known = np.array(((squares, xs, ys), (xs, ones, 0), (ys, 0, ones)))
    return FlatStep(here @ (growth, tilt_x, tilt_y), here @ np.linalg.inv(known) @ here.T)


def _field(at: Floats) -> Floats:
    """2 x 3: what growth and tilt add to the step there."""
    return np.array(((at[0], 1, 0), (at[1], 0, 1)))


def lean_log_odds(stance: Stance, flat: FlatStep) -> float:
    """How much likelier the step is a leaning die's than a flat one's: the log of the ratio."""
    off = stance.step - flat.step
    spread = flat.spread + np.eye(2) * stance.off**2
    inverse = np.asarray(np.linalg.inv(spread), np.float64)
    return float(np.log(_density(off - _TIPPED, inverse).mean()) - np.log(_density(off[None], inverse)[0]))


def _density(off: Floats, inverse: Floats) -> Floats:
    """The density at N x 2 offsets, N, of a normal distribution with wide tails, given the inverse of its
    covariance; up to a factor."""
    squared = ((off @ inverse) * off).sum(axis=1)
    wide = TAIL / TAIL_WIDE**2 * np.exp(-squared / (2 * TAIL_WIDE**2))
    return np.asarray((1 - TAIL) * np.exp(-squared / 2) + wide + 1e-12)
