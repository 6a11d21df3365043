"""What vision says of a picture: the dice it read, and those it would not vouch for."""

from dataclasses import dataclass
from typing import Literal

from engine.dice import Die, DieKind, Face

DiceChoice = Literal[DieKind, "auto"]
"""The dice to expect; auto: whatever lies there."""
Point = tuple[float, float]
"""x, y in pixels of the picture as given: origin at the centre of the top left pixel, y down."""
Window = tuple[int, int, int, int]
"""A part of a picture: left, top, right and bottom in pixels; the last two just outside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDie:
    """A die whose up-face was read."""

    kind: DieKind
    value: Face
    confidence: float
    """How often a reading with this figure is right, 0 to 1."""
    color: str
    """The die's body in a plain word: ivory, white, black, red, ..."""
    center_px: Point
    corners_px: tuple[Point, ...]
    """The up-face's corners, in order round it: four, or the three of a D4's outline."""

    @property
    def die(self) -> Die:
        """What it is and shows."""
        return Die(self.kind, self.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnsureDie:
    """Something that is, or may be, a die and was not read."""

    center_px: Point
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All that was read in one picture."""

    width_px: int
    height_px: int
    dice: tuple[SeenDie, ...]
    """Left to right."""
    unsure: tuple[UnsureDie, ...]
    elapsed_ms: float
