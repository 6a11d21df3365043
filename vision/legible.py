"""How large dice must be in a picture to be read, and how fine it must be to measure where they landed.

The one place for these figures: the readers go by them, `callbox plan` says what they mean for a camera, and
docs/reading.md and docs/landing-study.md tell where they come from.
"""

from dataclasses import dataclass
from typing import Literal

from engine.dice import DieKind

Legibility = Literal["well", "often unsure", "no"]


@dataclass(frozen=True, slots=True)
class EdgeNeeded:
    """The edges, in pixels of the picture that a kind is read from."""

    least_px: float
    """Below this a die is rarely read, or never."""
    well_px: float
    """From here on its size makes a reading no less sure."""


D4_LEAST_PX = 52.0
"""On a smaller D4 the numbers are less than five pixels high."""
SMALL_HALF_PX = 16.0
"""Half an edge: with less, a face is trusted less."""
_CUBE = EdgeNeeded(25.0, 2 * SMALL_HALF_PX)
EDGE_NEEDED: dict[DieKind, EdgeNeeded] = {
    "pip": _CUBE,
    "zoinx": _CUBE,
    "bet": _CUBE,
    "d4": EdgeNeeded(D4_LEAST_PX, 66.0),
}
"""Cubes in the picture that is watched, for there they are found; a D4 in the largest one."""
LEAN_LEAST_PX_PER_MM = 2.5
"""The coarsest scale at which leaning poses are measured: in coarser pictures some that fitted well were up
to 2 mm off."""
OUTLINE_MM: tuple[tuple[float, float, float], ...] = (
    (0.30, 0.108, 0.211),
    (0.60, 0.153, 0.274),
    (0.95, 0.177, 0.329),
)
"""Mm a pixel, and by how much the outline of a flat die is off there: mean and 95th percentile in mm."""


def legible(kind: DieKind, edge_px: float) -> Legibility:
    """How a die of that kind is read whose edge has so many pixels."""
    needed = EDGE_NEEDED[kind]
    if edge_px < needed.least_px:
        return "no"
    return "well" if edge_px >= needed.well_px else "often unsure"


def outline_mm(mm_per_px: float) -> tuple[float, float] | None:
    """How far a flat die's outline is off, in mean and 95th percentile, by the next coarser scale that was
    measured; None for pictures coarser than all of them."""
    return next(((mean, most) for scale, mean, most in OUTLINE_MM if mm_per_px <= scale), None)
