"""The shapes of the owner's dice, learnt over the evening: a die has the same one wherever it lands.

How it works. One picture tells edge and rounding only roughly, and with them place and yaw: what is unsure of
the one makes the other unsure. So what each landing tells of a die is put together, and the next landing of
that die is measured as one of a known shape. Dice of one colour and about one shape are taken for one die,
which is right for a set bought together and for no others: strangers of one colour would be given each
other's shapes. So it is only done where the table's description says so (`of_one_set`). All landings have
some error in common, by light and lens: no shape is ever known better than that.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.description import Dice
from vision.landing.cube import flat_cube, footprint
from vision.landing.fit import EDGE_SIGMA_MM, RADIUS_SIGMA_MM
from vision.landing.measured import MeasuredDie
from vision.landing.pose_evidence import outline_sigma_mm

COMMON_EDGE_MM, COMMON_ROUNDING_MM = 0.05, 0.15
"""One sigma of what all landings of a die have in common: how its colour and its rounding take the light."""
MOST_APART = 13.8
"""The squared distance, in sigmas, up to which two shapes may be one die's: 999 of 1000 are nearer."""
MOVED_MM, TURNED_DEG = 3.0, 5.0
"""A die that lies within these of where it taught before would only repeat itself."""
_SHAPE = slice(3, 5)
"""Edge and rounding in a pose's covariance."""


@dataclass(eq=False)
class _Shape:
    """What the landings of one die have told of (edge mm, rounding mm)."""

    color: str
    weight: Floats
    """The inverse of its covariance (2, 2), of landings and of what was expected before any."""
    weighted: Floats
    """That times the shape (2,)."""
    taught: list[tuple[float, float, float]]
    """Where it lay then: x and y in mm, yaw in degrees."""

    @property
    def mm(self) -> Floats:
        """Edge and rounding (2,)."""
        return np.asarray(np.linalg.solve(self.weight, self.weighted), np.float64)

    @property
    def covariance(self) -> Floats:
        """Of edge and rounding (2, 2), with what no landing tells."""
        common = np.diag([COMMON_EDGE_MM**2, COMMON_ROUNDING_MM**2])
        return np.asarray(np.linalg.inv(self.weight) + common, np.float64)


class LearntShapes:
    """The dice that were seen under one camera."""

    def __init__(self, dice: Dice) -> None:
        """`dice` is what the table's description says of them."""
        self._expected = np.array([dice.edge_mm, dice.corner_radius_mm])
        self._before = np.diag([EDGE_SIGMA_MM**-2, RADIUS_SIGMA_MM**-2])
        self._shapes: list[_Shape] = []

    def improve(self, dice: Sequence[MeasuredDie]) -> tuple[MeasuredDie, ...]:
        """The dice of a picture, measured with all that is known of their shapes; then learns from them."""
        shapes = [self._shape_of(die) for die in dice]
        better = tuple(
            die if shape is None else self._of_shape(die, shape)
            for die, shape in zip(dice, shapes, strict=True)
        )
        for die, shape in zip(dice, shapes, strict=True):
            if _teaches(die):
                self._learn(die, shape)
        return better

    def _shape_of(self, die: MeasuredDie) -> _Shape | None:
        """The known shape that is a die's, the nearest where there are several."""
        if die.pose != "flat" or not die.rounding_sigma_mm:
            return None
        seen, spread = _seen(die)
        far = {
            _apart(shape.mm - seen, shape.covariance + spread): shape
            for shape in self._shapes
            if shape.color == die.color
        }
        least = min(far, default=math.inf)
        return far[least] if least < MOST_APART else None

    def _learn(self, die: MeasuredDie, shape: _Shape | None) -> None:
        if shape is None:
            shape = _Shape(die.color, self._before.copy(), self._before @ self._expected, [])
            self._shapes.append(shape)
        here = (*die.center_mm, die.yaw_deg)
        if any(_same_place(here, there) for there in shape.taught):
            return
        seen, spread = _seen(die)
        after = np.linalg.inv(spread)
        # A landing's shape leans on what was expected: only what the picture adds is told.
        values, vectors = np.linalg.eigh(after - self._before)
        told = (vectors * np.clip(values, 0.0, None)) @ vectors.T
        alone = self._expected + np.linalg.pinv(told) @ after @ (seen - self._expected)
        shape.weight += told
        shape.weighted += told @ alone
        shape.taught.append(here)

    def _of_shape(self, die: MeasuredDie, shape: _Shape) -> MeasuredDie:
        """A die measured again, with what is known of its shape in the place of what was expected of it."""
        seen, _ = _seen(die)
        known = np.linalg.inv(shape.covariance)
        weight = np.linalg.inv(_covariance(die))
        weight[_SHAPE, _SHAPE] += known - self._before
        left = np.asarray(np.linalg.inv(weight), np.float64)
        pull = known @ (shape.mm - seen) - self._before @ (self._expected - seen)
        return _moved(die, left[:, _SHAPE] @ pull, (left + left.T) / 2)


def _teaches(die: MeasuredDie) -> bool:
    """Whether a die's shape may be learnt from how it lies: flat, alone, and its number read."""
    alone = not die.may_lean and not die.note
    return die.pose == "flat" and alone and die.value is not None and die.rounding_sigma_mm > 0


def _seen(die: MeasuredDie) -> tuple[Floats, Floats]:
    """A die's edge and rounding (2,), and their covariance (2, 2)."""
    return np.array([die.edge_mm, die.rounding_mm]), _covariance(die)[_SHAPE, _SHAPE]


def _covariance(die: MeasuredDie) -> Floats:
    """Of x mm, y mm, yaw rad, edge mm and rounding mm (5, 5)."""
    found = np.zeros((5, 5))
    found[:4, :4] = die.covariance
    found[4, :4] = found[:4, 4] = die.rounding_with
    found[4, 4] = die.rounding_sigma_mm**2
    return found


def _apart(difference: Floats, spread: Floats) -> float:
    return float(difference @ np.linalg.solve(spread, difference))


def _same_place(one: tuple[float, float, float], other: tuple[float, float, float]) -> bool:
    turned = abs((one[2] - other[2] + 45.0) % 90.0 - 45.0)
    return math.dist(one[:2], other[:2]) < MOVED_MM and turned < TURNED_DEG


def _moved(die: MeasuredDie, step: Floats, left: Floats) -> MeasuredDie:
    """A die whose pose and shape are off by a step (5,), with the covariance (5, 5) that is left."""
    x, y, yaw, edge, rounding = (float(part) for part in step)
    cube = flat_cube(
        die.center_mm[0] + x,
        die.center_mm[1] + y,
        math.radians(die.yaw_deg) + yaw,
        die.edge_mm + edge,
        max(die.rounding_mm + rounding, 0.0),
    )
    a, b, c, d, _ = (tuple(float(part) for part in row) for row in left)
    return replace(
        die,
        center_mm=(float(cube.center_mm[0]), float(cube.center_mm[1])),
        yaw_deg=(die.yaw_deg + math.degrees(yaw)) % 90.0,
        edge_mm=cube.edge_mm,
        rounding_mm=cube.radius_mm,
        footprint_mm=tuple((float(x), float(y)) for x, y in footprint(cube)),
        covariance=tuple((row[0], row[1], row[2], row[3]) for row in (a, b, c, d)),
        rounding_sigma_mm=math.sqrt(left[4, 4]),
        rounding_with=(a[4], b[4], c[4], d[4]),
        sigma_mm=outline_sigma_mm(cube, left),
    )
