"""What vision reads in a picture: dice, unsure dice, and a throw as a whole.

The page and `callbox read --json` show these very objects; in JSON, fields in pixels have no unit in their
name.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import msgspec
from msgspec import structs

from calibration.description import PointMm
from engine.dice import Die, DieKind, Face
from engine.wording import phrase

DiceChoice = Literal[DieKind, "zoinx-and-bet", "auto"]
"""The dice to expect; "zoinx-and-bet": Zoinx dice, and beside them those that were bet with; "auto": any kind
may lie there."""
Point = tuple[float, float]
"""x, y in pixels of the picture as given: (0, 0) is the centre of the top left pixel, y points down."""
Window = tuple[int, int, int, int]
"""A part of a picture: left, top, right and bottom in pixels; the last two just outside."""


ON_THE_WIRE = {"center_px": "center", "corners_px": "corners", "edge_px": "edge", "needed_px": "needed"}
"""What fields in pixels are called in JSON."""


class SeenDie(msgspec.Struct, frozen=True, kw_only=True, rename=ON_THE_WIRE):
    """A die whose up-face was read, and where in the picture."""

    kind: DieKind
    value: Face
    confidence: float
    """How often a reading with this figure is right, 0 to 1."""
    color: str
    """The colour of the die's body as a plain word: ivory, white, black, red, ..."""
    center_px: Point
    corners_px: tuple[Point, ...]
    """The up-face's corners, in order round it: four, or the three corners of a D4's outline."""

    @property
    def die(self) -> Die:
        """Kind and value of the die."""
        return Die(self.kind, self.value)

    def moved(self, to: Callable[[Point], Point]) -> "SeenDie":
        """The same die in another picture; `to` maps a point of this picture to that one."""
        corners = tuple(to(corner) for corner in self.corners_px)
        return structs.replace(self, center_px=to(self.center_px), corners_px=corners)


class UnsureDie(msgspec.Struct, frozen=True, kw_only=True, rename=ON_THE_WIRE, omit_defaults=True):
    """Something that is, or may be, a die, but was not read or not measured."""

    center_px: Point
    reason: str
    """Why, as part of a sentence: "half hidden"."""
    center_mm: PointMm | None = None
    """Where it lies in the table frame; None unless the camera is calibrated and it was located."""
    edge_px: float | None = None
    """Its edge in the picture that it is read from, where that is too small; None otherwise."""
    needed_px: float | None = None
    """The edge from which such a die is read, where its own is too small; None otherwise."""
    likely: SeenDie | None = None
    """What it most likely shows, if that is all that is not sure; for `vision.reading`, not for people."""

    def words(self) -> str:
        """Why, in the language that is spoken, as part of a sentence."""
        if self.edge_px is None or self.needed_px is None:
            return phrase(self.reason)
        return phrase(
            "too small: {edge:.0f} px, {needed:.0f} needed", edge=self.edge_px, needed=self.needed_px
        )

    def moved(self, to: Callable[[Point], Point]) -> "UnsureDie":
        """The same in another picture; `to` maps a point of this picture to that one."""
        likely = self.likely and self.likely.moved(to)
        return structs.replace(self, center_px=to(self.center_px), likely=likely)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that was read in one picture."""

    width_px: int
    height_px: int
    dice: tuple[SeenDie, ...]
    """Left to right."""
    unsure: tuple[UnsureDie, ...]
    elapsed_ms: float
    """How long it took to read; of a picture in which nothing changed, how long the one before it took."""


# Decides for a throw as a whole: nearly sure dice count where all that lies there is likely to be right.
#
# Five dice of which each is just sure enough may be less sure together than four that are quite sure beside
# one that is nearly so. So where nothing lies there but dice that are read, or nearly, the chance that all of
# them are right decides whether the nearly sure ones are vouched for, too. A game that waits for just so many
# dice says more: what is no die, and a die that nobody sees, would change their number.

SURE_OF_ALL, NEARLY_SURE = 0.7, 0.8
"""The least chance, by the dice's own confidences, that a whole throw is right; and the least confidence of
each. Of 13 dice in photographs that are read so all were right, of 14 in drawn scenes 12."""
SURE_OF_AS_MANY = 0.6
"""The same chance where as many lie there as are waited for; then nothing is asked of each. Of 27 dice in
photographs 26 were right, and all of 15 in drawn scenes; with 0.5 it was 19 of 22 of these."""


def judge_throw_confidence(reading: Reading, due: int | None = None) -> Reading:
    """The reading of a throw, its nearly sure dice among those that are vouched for if all of it is sure.

    `due`: the number of dice that are waited for, None for any.
    """
    nearly = [one.likely for one in reading.unsure if one.likely is not None]
    if not nearly or len(nearly) < len(reading.unsure):
        return reading
    dice = sorted((*reading.dice, *nearly), key=lambda die: die.center_px)
    chance = math.prod(die.confidence for die in dice)
    if len(dice) == due:
        sure = chance >= SURE_OF_AS_MANY
    else:
        sure = chance >= SURE_OF_ALL and all(die.confidence >= NEARLY_SURE for die in nearly)
    return replace(reading, dice=tuple(dice), unsure=()) if sure else reading


def leave_guesses_out(unsure: Sequence[UnsureDie]) -> tuple[UnsureDie, ...]:
    """What stays unsure, without what it most likely shows."""
    return tuple(structs.replace(one, likely=None) for one in unsure)


def tell_unsure(unsure: Sequence[UnsureDie]) -> tuple[UnsureDie, ...]:
    """The same as people are told of it: with its reasons in the language that is spoken."""
    return tuple(structs.replace(one, reason=one.words(), likely=None) for one in unsure)
