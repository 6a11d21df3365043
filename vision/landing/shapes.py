"""Learns and stores the shapes of the owner's dice, told apart by their tint.

How it works. One picture tells edge and rounding only roughly, and with them place and yaw: what is unsure of
the one makes the other unsure. So what each landing tells of a die is put together, and the next landing of
that die is measured as one of a known shape. Dice of one tint and about one shape are taken for one die,
which is right for a set bought together and for no others: strangers of one tint would be given each other's
shapes. So it is only done where the table's description says so (`of_one_set`), or with dice that the owner
taught (`callbox learn --shape`). All landings have some error in common, by light and lens: no shape is ever
known better than that. Most of it is the edge's: whether a die is a little larger, or shines a little further
out, pictures do not tell; a calliper does.

What was learnt is kept without what was expected before, so that it holds with another description, too.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated

import cv2
import msgspec
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.description import Dice
from engine.wording import phrase, phrase_later
from vision.landing.cube import flat_cube, footprint
from vision.landing.fit import EDGE_SIGMA_MM, RADIUS_SIGMA_MM
from vision.landing.pose_evidence import outline_sigma_mm
from vision.measured import MeasuredDie

# What was learnt of dice's shapes, as it is kept over a restart.

SCHEMA = 1
DAMAGED = phrase_later("This file is damaged. Run `callbox learn --shape` again.")
OTHER_VERSION = phrase_later(
    "This was learnt by another version of Callbox. Run `callbox learn --shape` again."
)
Pair = tuple[float, float]
Triple = tuple[float, float, float]
NOTHING: Pair = (0.0, 0.0)
_Words = Annotated[str, msgspec.Meta(max_length=40)]


class ShapesError(ValueError):
    """What was learnt of shapes cannot be used; the message says why and what to do."""


class KeptShape(msgspec.Struct, frozen=True, kw_only=True):
    """What the landings of one die have told of its edge and its rounding, mm; nothing at first."""

    color: _Words
    """What people call its colour."""
    tint: Triple = (0.0, 0.0, 0.0)
    """The mean of `vision.landing.shapes.tint_of` over the landings."""
    rows: tuple[Pair, Pair] = (NOTHING, NOTHING)
    """The inverse of the covariance that the landings by themselves leave; without what was expected."""
    sums: Pair = NOTHING
    """That times (edge, rounding)."""
    taught: tuple[Triple, ...] = ()
    """Where it lay then: x and y in mm, yaw in degrees."""
    by_calliper: bool = False
    """Whether somebody measured its edge."""

    @property
    def weight(self) -> Floats:
        """`rows` (2, 2)."""
        return np.array(self.rows)

    @property
    def weighted(self) -> Floats:
        """`sums` (2,)."""
        return np.array(self.sums)

    def landed(self, weight: Floats, weighted: Floats, tint: Floats, place: Triple) -> "KeptShape":
        """With what one more landing of that tint, at that place, tells."""
        mean = (len(self.taught) * np.array(self.tint) + tint) / (len(self.taught) + 1)
        lightness, red, yellow = mean.tolist()
        told = self._add_evidence(weight, weighted)
        return msgspec.structs.replace(told, tint=(lightness, red, yellow), taught=(*self.taught, place))

    def measured(self, edge_mm: float, sigma_mm: float) -> "KeptShape":
        """With an edge that somebody measured."""
        firm = np.diag([sigma_mm**-2, 0.0])
        return msgspec.structs.replace(self._add_evidence(firm, firm @ [edge_mm, 0.0]), by_calliper=True)

    def _add_evidence(self, weight: Floats, weighted: Floats) -> "KeptShape":
        (a, b), (c, d) = (self.weight + weight).tolist()
        edge, rounding = (self.weighted + weighted).tolist()
        return msgspec.structs.replace(self, rows=((a, b), (c, d)), sums=(edge, rounding))


class _ShapesFile(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="callbox shapes"):
    """The content of the file."""

    version: int
    shapes: tuple[KeptShape, ...]


def shapes_to_bytes(shapes: tuple[KeptShape, ...]) -> bytes:
    """The content of a file that holds them; `shapes_from_bytes` reads it."""
    return (
        msgspec.json.format(msgspec.json.encode(_ShapesFile(version=SCHEMA, shapes=shapes)), indent=1) + b"\n"
    )


def shapes_from_bytes(content: bytes) -> tuple[KeptShape, ...]:
    """Read what `shapes_to_bytes` made. Raises `ShapesError`."""
    try:
        told = msgspec.json.decode(content, type=_ShapesFile)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ShapesError(phrase(DAMAGED)) from error
    if told.version != SCHEMA:
        raise ShapesError(phrase(OTHER_VERSION))
    if not all(_is_sound(shape) for shape in told.shapes):
        raise ShapesError(phrase(DAMAGED))
    return told.shapes


def _is_sound(shape: KeptShape) -> bool:
    """Whether the numbers can come from landings of a die."""
    (a, b), (c, d) = shape.rows
    numbers = (a, b, c, d, *shape.sums, *shape.tint, *(part for place in shape.taught for part in place))
    if not all(math.isfinite(number) and abs(number) < 1e9 for number in numbers):
        return False
    slack = 1e-9 * max(a, d, 1.0)
    return math.isclose(b, c, abs_tol=slack) and min(a, d) >= 0 and a * d - b * b >= -slack * max(a, d, 1.0)


COMMON_EDGE_MM, COMMON_ROUNDING_MM = 0.06, 0.10
"""One sigma of what all landings of a die have in common: how its colour and its rounding take the light."""
CALLIPER_MM = 0.02
"""One sigma of an edge that somebody measured with a calliper: dice are not quite cubes."""
ONE_DIE, TWO_DICE = 13.8, 40.0
"""Squared distances in sigmas: up to the first two shapes may be one die's (999 of 1000 are nearer), from the
second on they are not. What lies between is a die that was measured badly: it is left as it is."""
HUE_OFF, HUE_SHARE, LIGHT_OFF = 3.0, 0.4, 22.0
"""Two tints may be one die's if their hues differ by no more than the first and that share of their chroma,
and their lightness by no more than the third, CIE Lab: a pale die's hue hardly changes with the light, that
of clear resin does."""
MOVED_MM, TURNED_DEG = 3.0, 5.0
"""A die that lies within these of where it taught before would only repeat itself."""
MOST_TAUGHT, MOST_SHAPES = 40, 40
"""How many landings tell all that those of a die can tell; and more kinds of dice than any owner throws."""
_SHAPE = slice(3, 5)
"""Edge and rounding in a pose's covariance."""


class LearntShapes:
    """The dice that were seen under one camera, or under those of one table."""

    def __init__(
        self,
        dice: Dice,
        kept: Sequence[KeptShape] = (),
        *,
        new: bool = True,
        keep: Callable[[tuple[KeptShape, ...]], object] = lambda _: None,
        edge_mm: float | None = None,
    ) -> None:
        """`dice` is what the table's description says of them, `kept` what was learnt before.

        Without `new` only those dice are learnt further and no other ones. `keep` is told all that is known
        whenever something was learnt. `edge_mm` is how wide somebody measured the dice that are shown now,
        with a calliper.
        """
        self._expected = np.array([dice.edge_mm, dice.corner_radius_mm])
        self._before = np.diag([EDGE_SIGMA_MM**-2, RADIUS_SIGMA_MM**-2])
        self._kept, self._new, self._keep, self._edge_mm = list(kept), new, keep, edge_mm

    @property
    def shapes(self) -> tuple[KeptShape, ...]:
        """All that is known."""
        return tuple(self._kept)

    def improve(self, dice: Sequence[MeasuredDie], tints: Sequence[Floats]) -> tuple[MeasuredDie, ...]:
        """The dice of a picture, measured with all that is known of their shapes; then learns from them.

        `tints` are their colours (`tint_of`).
        """
        found = [self._shape_of(die, tint) for die, tint in zip(dice, tints, strict=True)]
        better = tuple(
            die if at is None or far > ONE_DIE else self._of_shape(die, self._kept[at])
            for die, (at, far) in zip(dice, found, strict=True)
        )
        learnt = [
            self._learn(die, tint, at if far <= ONE_DIE else None)
            for die, tint, (at, far) in zip(dice, tints, found, strict=True)
            if _teaches(die) and not ONE_DIE < far < TWO_DICE
        ]
        if any(learnt):
            self._keep(self.shapes)
        return better

    def estimate(self, shape: KeptShape) -> tuple[Floats, Floats]:
        """A shape's edge and rounding (2,), mm, and their covariance (2, 2), with what no landing tells."""
        weight = self._before + shape.weight
        mean = np.linalg.solve(weight, self._before @ self._expected + shape.weighted)
        common = np.diag([(CALLIPER_MM if shape.by_calliper else COMMON_EDGE_MM) ** 2, COMMON_ROUNDING_MM**2])
        return np.asarray(mean, np.float64), np.asarray(np.linalg.inv(weight) + common, np.float64)

    def _shape_of(self, die: MeasuredDie, tint: Floats) -> tuple[int | None, float]:
        """The place of the nearest known shape of a die's tint, and its squared distance, in sigmas."""
        if die.pose != "flat" or not die.rounding_sigma_mm:
            return None, math.inf
        seen, spread = _shape_of(die)
        far: dict[float, int] = {}
        for at, shape in enumerate(self._kept):
            if _of_one_tint(tint, np.array(shape.tint)):
                mean, covariance = self.estimate(shape)
                far[_apart(mean - seen, covariance + spread)] = at
        least = min(far, default=math.inf)
        return far.get(least), least

    def _learn(self, die: MeasuredDie, tint: Floats, at: int | None) -> bool:
        """Learn from a die of the shape at that place, or of a new one; whether anything was learnt."""
        if at is None and (not self._new or len(self._kept) >= MOST_SHAPES):
            return False
        before = shape = KeptShape(color=die.color) if at is None else self._kept[at]
        if self._edge_mm is not None and not shape.by_calliper:
            shape = shape.measured(self._edge_mm, CALLIPER_MM)
        here = (*die.center_mm, die.yaw_deg)
        if len(shape.taught) < MOST_TAUGHT and not any(_same_place(here, there) for there in shape.taught):
            seen, spread = _shape_of(die)
            after = np.linalg.inv(spread)
            # A landing's shape leans on what was expected: only what the picture adds is told.
            values, vectors = np.linalg.eigh(after - self._before)
            weight = (vectors * np.clip(values, 0.0, None)) @ vectors.T
            alone = self._expected + np.linalg.pinv(weight) @ after @ (seen - self._expected)
            shape = shape.landed(weight, weight @ alone, tint, here)
        if at is None:
            self._kept.append(shape)
        else:
            self._kept[at] = shape
        return shape != before

    def _of_shape(self, die: MeasuredDie, shape: KeptShape) -> MeasuredDie:
        """A die measured again, with what is known of its shape in the place of what was expected of it."""
        seen, _ = _shape_of(die)
        mean, covariance = self.estimate(shape)
        known = np.linalg.inv(covariance)
        weight = np.linalg.inv(_covariance(die))
        weight[_SHAPE, _SHAPE] += known - self._before
        left = np.asarray(np.linalg.inv(weight), np.float64)
        pull = known @ (mean - seen) - self._before @ (self._expected - seen)
        return _moved(die, left[:, _SHAPE] @ pull, (left + left.T) / 2)


def _teaches(die: MeasuredDie) -> bool:
    """Whether a die's shape may be learnt from how it lies: flat, alone, and its number read."""
    alone = not die.may_lean and not die.note
    return die.pose == "flat" and alone and die.value is not None and die.rounding_sigma_mm > 0


def _shape_of(die: MeasuredDie) -> tuple[Floats, Floats]:
    """A die's edge and rounding (2,), and their covariance (2, 2)."""
    return np.array([die.edge_mm, die.rounding_mm]), _covariance(die)[_SHAPE, _SHAPE]


def _covariance(die: MeasuredDie) -> Floats:
    """The covariance of x mm, y mm, yaw rad, edge mm and rounding mm (5, 5)."""
    found = np.zeros((5, 5))
    found[:4, :4] = die.covariance
    found[4, :4] = found[:4, 4] = die.rounding_with
    found[4, 4] = die.rounding_sigma_mm**2
    return found


def _of_one_tint(one: Floats, other: Floats) -> bool:
    """Whether two tints (3,) may be one die's."""
    chroma = float(np.hypot(*(one + other)[1:])) / 2
    hue = float(np.hypot(*(one - other)[1:]))
    return hue < HUE_OFF + HUE_SHARE * chroma and abs(float(one[0] - other[0])) < LIGHT_OFF


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


# The colour of a die's body as numbers, by which the dice of an owner are told from one another.

FACE_PX = 24
"""The up-face is looked at with so many pixels a side."""
BORDER_PX = 3
"""How many of them at its rim belong to the rounding, which shines, or to what lies beside it."""


def tint_of(picture: Picture, die: MeasuredDie) -> Floats:
    """The lightness and the two hues (3,), CIE Lab, of the body round the pips of a die's up-face.

    `picture` (h, w, 3) is the one that it was measured in. Pips cover less than half a face: the median is
    the body's.
    """
    side = float(FACE_PX)
    square = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    upright = cv2.getPerspectiveTransform(np.array(die.corners_px, np.float32), square)
    face = cv2.warpPerspective(picture, upright, (FACE_PX, FACE_PX), flags=cv2.INTER_LINEAR)
    inner = face[BORDER_PX:-BORDER_PX, BORDER_PX:-BORDER_PX].astype(np.float32) / 255
    lab = cv2.cvtColor(inner, cv2.COLOR_BGR2LAB).reshape(-1, 3)
    return np.asarray(np.median(lab, axis=0), np.float64)
