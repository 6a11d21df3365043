"""What a die's neighbours tell of it: dice that lie flat on one table look alike in two ways.

They are foreshortened alike: a far camera stretches every flat up-face by the same symmetric matrix
(`vision.learned.contract`). One that is stretched otherwise is tipped, or no up-face at all.

And they stand alike: the step from a die's foot up to its up-face points away from the spot right below the
camera and grows with the distance from there. In edges of the dice the step is a c + b, where c is the die's
place in the picture, and a (growth) and b (tilt) belong to the camera. A die with another step leans. Where
few dice or none lie beside it, what is usual for cameras over tables stands in for a and b: a Gaussian prior,
which each neighbour narrows; neighbours that fit badly count little (Student's t).

Under a calibrated camera no neighbours are needed: how a flat die stands there is known
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
"""The fewest faces, the one in question included, whose stretches are compared."""
USUAL_SHAPE = 1.5
"""The largest ratio of sides of a usual picture. In a longer picture places are measured in this many shorter
sides, and the camera may have hung over any part of it."""
USUAL_GROWTH, GROWTH_OFF = 1.0, 0.7
"""By how many edges the step grows from one side of the picture to the other, and one sigma of that between
cameras. It grows by one edge where the camera sees a table as wide as the camera is high."""
TILT_OFF = 0.3
"""One sigma of the step in the middle of the picture, in edges along each axis: a camera in a hand is
tilted."""
FREEDOM = 3.0
"""Degrees of freedom of Student's t: the fewer, the less a die counts that fits badly."""
ROUNDS = 6
TIPS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 1.3, 1.7)
"""How far the steps of dice that do not lie flat are off a flat die's, in edges: 0.2 to 0.6 for leans of 12
to 37 degrees, the others for a side face taken for the up-face."""
SIDES = 12
"""How many directions of leaning are tried."""
KNOWN_OFF = 0.03
"""One sigma of a flat die's step about the calibrated one, in edges: the die's make, and the calibration's
error."""
TAIL, TAIL_WIDE = 0.15, 2.5
"""The share of steps that scatter more widely than the network says, and how many times more."""

_TURNS = np.arange(SIDES) * (2 * np.pi / SIDES)
_TIPPED: Floats = np.multiply.outer(TIPS, np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))).reshape(-1, 2)
"""How far the steps of leaning dice are off a flat die's, for all `TIPS` and directions: N x 2, edges."""


def compare_with_neighbours(faces: Sequence[Face], part: Part, steps: Floats | None = None) -> list[Face]:
    """The faces with `askew` and `leaning` filled in. `part` says where the picture lies in the camera's.

    `steps` (N x 2, edges) are those of flat dice there under a calibrated camera, NaN where unknown; without
    them the neighbours tell.
    """
    stretches = np.array([encode_place(face.place)[1:3] for face in faces], np.float64).reshape(-1, 2)
    counts = np.array([is_likely_cube(face) or face.close for face in faces], np.bool_)
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
    """The expected step of a flat die at some place."""

    step: Floats
    """x, y in edges."""
    spread: Floats
    """Its covariance, 2 x 2."""


def expect_step(at: Floats, others: Sequence[tuple[Floats, Stance]], tilt_off: float = TILT_OFF) -> FlatStep:
    """The step of a flat die at the place `at` (2,), fitted to the others' steps at theirs; places count from
    the picture's middle, in its longer sides."""
    x, y = np.array([place for place, _ in others], np.float64).reshape(-1, 2).T
    right, down = np.array([stance.step for _, stance in others], np.float64).reshape(-1, 2).T
    off = np.array([stance.off for _, stance in others], np.float64)
    # The terms of the normal equations: what multiplies growth and tilt, then the right-hand sides. With
    # their sums the equations are solved by hand in each round, many times as fast as a solver for so few
    # dice.
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
    """The derivatives of the step there by growth and tilt, 2 x 3."""
    return np.array(((at[0], 1, 0), (at[1], 0, 1)))


def lean_log_odds(stance: Stance, flat: FlatStep) -> float:
    """The log of how much likelier this step is for a leaning die than for a flat one."""
    off = stance.step - flat.step
    spread = flat.spread + np.eye(2) * stance.off**2
    inverse = np.asarray(np.linalg.inv(spread), np.float64)
    return float(np.log(_density(off - _TIPPED, inverse).mean()) - np.log(_density(off[None], inverse)[0]))


def _density(off: Floats, inverse: Floats) -> Floats:
    """The density at N x 2 offsets (N) of a normal distribution with wide tails, up to a factor; `inverse` is
    the inverse of its covariance."""
    squared = ((off @ inverse) * off).sum(axis=1)
    wide = TAIL / TAIL_WIDE**2 * np.exp(-squared / (2 * TAIL_WIDE**2))
    return np.asarray((1 - TAIL) * np.exp(-squared / 2) + wide + 1e-12)
