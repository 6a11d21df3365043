"""What a die's neighbours tell of it: dice that lie flat on one table are seen from one camera.

That camera looks down on the table at some angle, and the tangent of the angle between its axis and the ray
to a die grows with the die's place in the picture. Two numbers of each die follow from these (`Hanging`): the
step from its foot up to its up-face, which points away from the spot right below the camera, and how its
up-face is foreshortened. A die with another step leans; one that is stretched otherwise is tipped, or no
up-face at all. The camera is told by the steps of the dice. Where few dice or none lie there, what is usual
for cameras over tables stands in for it: a Gaussian prior, which each neighbour narrows; neighbours that fit
badly count little (Student's t).

Under a calibrated camera no neighbours are needed: how a flat die stands there is known
(`vision.learned.stance`).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Bools, Floats
from vision.learned.confidence import find_repeated_patterns
from vision.learned.contract import encode_place
from vision.learned.faces import Face, Stance
from vision.learned.stance import Part, doubt_beside_others, is_likely_cube

LEAST = 3
"""The fewest faces, the one in question included, whose stretches are compared."""
USUAL_SHAPE = 1.5
"""The largest ratio of sides of a usual picture. In a longer picture places are measured in this many shorter
sides, and the camera may have hung over any part of it."""
USUAL_GROWTH, GROWTH_OFF = 1.0, 0.7
"""By how many edges the step grows from one side of the picture to the other, and one sigma of that between
cameras. It grows by one edge where the camera sees a table as wide as the camera is high."""
USUAL_TILT, TILT_OFF = (0.0, -0.2), (0.3, 0.36)
"""The step in the middle of a usual picture, in edges, and one sigma of it along each axis: a camera in a
hand is tilted, and mostly held upright, so that what rises from the table points to the picture's top. With
no such step and 0.3 both ways seven dice fewer of `epanemu_dice3` are read and two of `baxter_oblique`, with
which in view it was chosen."""
FREEDOM = 3.0
"""Degrees of freedom of Student's t: the fewer, the less a die counts that fits badly."""
ROUNDS = 6
MOST_WITHOUT_STEP, SURELY_RISES = 30, 2.0
"""Where more faces than the first are without a step, none of theirs being more than so many sigmas, some of
them are prints on the table: so many dice do not lie right below the camera."""
OF_DICE = 1.0
"""By how many doublings a die's size may differ from that of the middle one in a picture."""
FEWEST_RISING = 3
"""How many dice must rise as one camera sees them before a face without a step is held for printed: two dice
that lean can be taken for two that lie flat under a tilted camera, three hardly ever."""
SURELY_STEPLESS, BELOW = 0.1, 1.5
"""The largest sigma of a step, in edges, that counts as none; and the log odds from which it is too short for
a die that lies there."""
LEAST_UPWARD, LEAST_SHOWN = 0.4, 0.2
"""Bounds of what is calculated with: no camera looks so much from the side."""
TIPS = (0.2, 0.3, 0.4, 0.5, 0.6, 0.9, 1.3, 1.7)
"""How far the steps of dice that do not lie flat are off a flat die's, in edges: 0.2 to 0.6 for leans of 12
to 37 degrees, the others for a side face taken for the up-face."""
SIDES = 12
"""How many directions of leaning are tried."""
KNOWN_OFF = 0.03
"""One sigma of a flat die's step about the calibrated one, in edges: the die's make, and the calibration's
error."""
COMPANY_OFF = 0.1
"""One sigma of the same where dice of other pictures tell it: they mostly lay elsewhere, and how the network
sees steps changes over the picture."""
ALONE_OFF = 2.0
"""By how much more than the network says steps are off where nothing but the picture tells of the camera: it
learnt from drawn dice, and such pictures are anybody's. With the confidence fitted anew, 1.5, 2 and 2.5 were
tried on photographs and at the simulated table: with 2 the most dice of photographs are read, and as many
leaning ones are told as without. A box soon knows how its own camera looks."""
TAIL, TAIL_WIDE = 0.15, 2.5
"""The share of steps that scatter more widely than the network says, and how many times more."""

_TURNS = np.arange(SIDES) * (2 * np.pi / SIDES)
_TIPPED: Floats = np.multiply.outer(TIPS, np.column_stack((np.cos(_TURNS), np.sin(_TURNS)))).reshape(-1, 2)
"""How far the steps of leaning dice are off a flat die's, for all `TIPS` and directions: N x 2, edges."""


def compare_with_neighbours(
    faces: Sequence[Face],
    part: Part,
    steps: Floats | None = None,
    company: Sequence[tuple[Floats, Stance]] = (),
) -> list[Face]:
    """The faces with `askew`, `leaning` and `printed` filled in. `part` says where the picture lies in the
    camera's.

    `steps` (N x 2, edges) are those of flat dice there under a calibrated camera, NaN where unknown; without
    them the neighbours tell, and `company`: how flat dice stood in other pictures of the same camera, each
    with its place as `places_in` gives it.
    """
    alone = not company and (steps is None or not np.isfinite(steps).any())
    faces = doubt_beside_others(faces) if alone else faces
    stances = [_wider(face) if alone else face.stance for face in faces]
    at, side = places_in(faces, part)
    tilt_off = np.array(TILT_OFF) * max(part.whole_width_px, part.whole_height_px) / side
    counts, prints = _who_counts(faces, at, tilt_off, alone=alone)
    stand = [(k, (at[k], s)) for k, s in enumerate(stances) if counts[k] and s is not None]
    stand += [(-1, one) for one in company]
    # The last fit uses all of them; the others leave one face out each.
    used = np.array([[k != i for k, _ in stand] for i in range(len(faces) + 1)], np.bool_)
    hangings = tell_hangings([one for _, one in stand], used.reshape(len(faces) + 1, -1), tilt_off)
    stretches = np.array([encode_place(face.place)[1:3] for face in faces], np.float64).reshape(-1, 2)
    stretches -= hangings[-1].stretches(at)
    out = []
    for i, (face, stance) in enumerate(zip(faces, stances, strict=True)):
        askew = _askew(stretches, counts, i)
        if stance is None:
            out.append(replace(face, askew=askew))
            continue
        flat = hangings[i].step(at[i])
        if steps is not None and np.isfinite(steps[i]).all():
            flat = FlatStep(steps[i], np.eye(2) * KNOWN_OFF**2)
        elif company:
            flat = FlatStep(flat.step, flat.spread + np.eye(2) * COMPANY_OFF**2)
        leaning = lean_log_odds(stance, flat)
        out.append(replace(face, askew=askew, leaning=leaning, printed=bool(prints[i])))
    return out


def _wider(face: Face) -> Stance | None:
    """How a six-sided die stands, told less surely."""
    if face.stance is None or face.close:
        return face.stance
    return replace(face.stance, off=ALONE_OFF * face.stance.off)


def _who_counts(faces: Sequence[Face], at: Floats, tilt_off: Floats, *, alone: bool) -> tuple[Bools, Bools]:
    """Which of N faces, at these places, tell how the camera hangs, and which are prints. Only where they are
    `alone`, and nothing else tells of the camera, prints are known by the dice that rise beside them."""
    likely = np.array([is_likely_cube(face) or face.close for face in faces], np.bool_)
    rises = np.array([face.stance is not None and rises_surely(face.stance) for face in faces], np.bool_)
    prints = _find_prints(faces, likely & ~rises)
    counts = likely & rises & ~prints if prints.any() else likely
    counts &= _are_of_like_size(faces, counts)
    if alone:
        below = _lie_below(faces, at, counts & rises, counts & ~rises, tilt_off)
        prints, counts = prints | below, counts & ~below
    return counts, prints


def _are_of_like_size(faces: Sequence[Face], likely: Bools) -> Bools:
    """Which of N faces are of about the size of the likely ones: a print or a domino, as large as several
    dice, tells nothing of how these stand."""
    sizes = np.log2([face.place.half_px for face in faces]) if faces else np.zeros(0)
    middle = np.median(sizes[likely]) if likely.any() else 0.0
    return np.asarray(np.abs(sizes - middle) < OF_DICE)


def _askew(stretches: Floats, counts: Bools, i: int) -> float:
    """How far the stretch (N x 2) of face `i` is from the others' middle one; 0 where too few count."""
    others = counts.copy()
    others[i] = False
    if others.sum() < LEAST - 1:
        return 0.0
    return float(np.hypot(*(stretches[i] - np.median(stretches[others], axis=0))))


def _find_prints(faces: Sequence[Face], stepless: Bools) -> Bools:
    """Which of N faces are prints, where those without a step are so many that some must be: those that look
    like very many of them, whether they seem to have a step or not."""
    if stepless.sum() <= MOST_WITHOUT_STEP:
        return np.zeros(len(faces), np.bool_)
    return find_repeated_patterns(faces, stepless)


def _lie_below(faces: Sequence[Face], at: Floats, rising: Bools, stepless: Bools, tilt_off: Floats) -> Bools:
    """Which of N `stepless` faces, at these places, are printed on the table: where several dice rise as one
    camera sees them, what has no step although a die there would have one is not as high as a die."""
    out = np.zeros(len(faces), np.bool_)
    standing = [(i, stance) for i in np.flatnonzero(rising).tolist() if (stance := faces[i].stance)]
    if len(standing) < FEWEST_RISING or not stepless.any():
        return out
    used = np.vstack((~np.eye(len(standing), dtype=np.bool_), np.ones(len(standing), np.bool_)))
    hangings = tell_hangings([(at[i], stance) for i, stance in standing], used, tilt_off)
    agree = [
        lean_log_odds(stance, hanging.step(at[i])) < 0
        for (i, stance), hanging in zip(standing, hangings, strict=False)
    ]
    if sum(agree) < FEWEST_RISING:
        return out
    for i in np.flatnonzero(stepless).tolist():
        stance = faces[i].stance
        if stance is not None and stance.off < SURELY_STEPLESS:
            out[i] = lean_log_odds(stance, hangings[-1].step(at[i])) > BELOW
    return out


def places_in(faces: Sequence[Face], part: Part) -> tuple[Floats, float]:
    """Where the faces lie, from the middle of the camera's picture (N x 2), and the length in pixels that
    counts as one there."""
    size = np.array((part.whole_width_px, part.whole_height_px))
    side = min(float(size.max()), USUAL_SHAPE * float(size.min()))
    at = np.array([face.place.center for face in faces], np.float64).reshape(-1, 2)
    return (at + np.array((part.left_px, part.top_px)) - size / 2) / side, side


def rises_surely(stance: Stance) -> bool:
    """Whether it surely stands higher than the table."""
    return float(np.hypot(*stance.step)) > SURELY_RISES * stance.off


@dataclass(frozen=True, slots=True, eq=False)
class FlatStep:
    """The expected step of a flat die at some place."""

    step: Floats
    """x, y in edges."""
    spread: Floats
    """Its covariance, 2 x 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Hanging:
    """How a camera hangs over the table. Places count from the picture's middle, in its longer sides.

    In the camera's frame the table's upward unit normal is (tilt, -upward), and the ray to a place c is
    (c growth / upward, 1). A point of the table and one an edge above it differ in the picture by tilt + c
    growth, divided by the distance; an up-face's edge, by the same distance, is the square root of what
    `_expected_step` tells.
    """

    growth: float
    """By how many edges the step would grow from one side of the picture to the other, if all dice showed as
    large."""
    tilt: tuple[float, float]
    known: Floats
    """The inverse of the covariance of growth and tilt, 3 x 3."""

    @property
    def upward(self) -> float:
        """The cosine of the angle between the camera's axis and the vertical."""
        return math.sqrt(max(1 - self.tilt[0] ** 2 - self.tilt[1] ** 2, LEAST_UPWARD**2))

    def step(self, at: Floats) -> FlatStep:
        """The step of a flat die at a place (2,)."""
        shown = float(_expected_step(self, at[None])[0])
        here = np.array(((at[0], 1, 0), (at[1], 0, 1))) / math.sqrt(shown)
        return FlatStep(here @ (self.growth, *self.tilt), here @ np.linalg.inv(self.known) @ here.T)

    def stretches(self, at: Floats) -> Floats:
        """How a flat up-face is stretched (`vision.learned.contract.encode_place`) at places (N x 2): N x 2.

        With p the ray and w the step before it is divided, both in the picture, the squares of the stretch
        are those of 1 + p p' - w w'.
        """
        ray = at * (self.growth / self.upward)
        step = at * self.growth + self.tilt
        xx, yy = (1 + ray**2 - step**2).T
        xy = ray[:, 0] * ray[:, 1] - step[:, 0] * step[:, 1]
        area = np.sqrt(np.maximum(xx * yy - xy**2, LEAST_SHOWN**2))
        length = area * np.sqrt(np.maximum((xx + yy) / area, 2) + 2)
        return np.asarray(np.stack(((xx - yy) / 2, xy), axis=1) / length[:, None], np.float64)


def _expected_step(hanging: Hanging, at: Floats) -> Floats:
    """What a square of the table at places (N x 2) covers in the picture, by its area and the squared
    distance: N."""
    rise = hanging.upward
    tilted = at @ np.array(hanging.tilt) * (hanging.growth / rise)
    return np.asarray(np.maximum(rise - tilted, LEAST_SHOWN), np.float64)


def tell_hangings(stand: Sequence[tuple[Floats, Stance]], used: Bools, tilt_off: Floats) -> list[Hanging]:
    """How the camera hangs, fitted to the steps of N dice at their places: F times, each time to those that
    are `used` (F x N). `tilt_off` is one sigma of its tilt along each axis (2)."""
    x, y = np.array([place for place, _ in stand], np.float64).reshape(-1, 2).T
    steps = np.array([stance.step for _, stance in stand], np.float64).reshape(-1, 2)
    off = np.array([stance.off for _, stance in stand], np.float64)
    counts, shown = used.astype(np.float64), np.ones(used.shape)
    usual = tilt_off**-2
    for _ in range(ROUNDS):
        # With the foreshortening of the round before, growth and tilt follow from linear equations. Their
        # normal equations are solved by hand, for all fits at once: many times as fast as a solver for each.
        root, weight = np.sqrt(shown), used * counts / (off**2 * shown)
        right, down = steps[:, 0] * root, steps[:, 1] * root
        squares = GROWTH_OFF**-2 + weight @ (x * x + y * y)
        xs, ys, ones = weight @ x, weight @ y, usual + weight.sum(axis=1)[:, None]
        along = USUAL_GROWTH * GROWTH_OFF**-2 + (weight * (x * right + y * down)).sum(axis=1)
        sums = np.stack(((weight * right).sum(axis=1), (weight * down).sum(axis=1)), axis=1)
        sums += usual * USUAL_TILT
        sides = np.stack((xs, ys), axis=1)
        growth = along - (sides * sums / ones).sum(axis=1)
        growth /= squares - (sides * sides / ones).sum(axis=1)
        tilt_x, tilt_y = ((sums - sides * growth[:, None]) / ones).T
        beside = right - np.outer(growth, x) - tilt_x[:, None], down - np.outer(growth, y) - tilt_y[:, None]
        away = (beside[0] ** 2 + beside[1] ** 2) / (off**2 * shown)
        counts = (FREEDOM + 2) / (FREEDOM + away)
        upward = np.sqrt(np.maximum(1 - tilt_x**2 - tilt_y**2, LEAST_UPWARD**2))
        tilted = (np.outer(tilt_x, x) + np.outer(tilt_y, y)) * (growth / upward)[:, None]
        shown = np.maximum(upward[:, None] - tilted, LEAST_SHOWN)
    return [
        Hanging(g, (tx, ty), np.array(((sq, sx, sy), (sx, ones_x, 0), (sy, 0, ones_y))))
        for g, tx, ty, sq, sx, sy, ones_x, ones_y in np.stack(
            (growth, tilt_x, tilt_y, squares, xs, ys, *ones.T), axis=1
        ).tolist()
    ]


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
