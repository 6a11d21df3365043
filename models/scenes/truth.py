"""What a drawn scene shows, and what is true of it."""

from dataclasses import dataclass
from typing import Literal

from calibration.arrays import Picture, Singles
from models.painting.design import Kind

Pose = Literal["flat", "cocked", "stacked", "hidden", "cut"]

KINDS: tuple[Kind, ...] = ("pip", "zoinx", "bet", "d4", "foreign")
VALUES: dict[Kind, tuple[int | str | None, ...]] = {
    "pip": (1, 2, 3, 4, 5, 6),
    "zoinx": ("dot", "square"),
    "bet": (0, 2, 4, 6, 8, 10),
    "d4": (1, 2, 3, 4),
    "foreign": (None,),
}
"""What a die of each kind can show."""


@dataclass(frozen=True, slots=True, eq=False)
class SceneDie:
    """One die of a scene. Pixels are the picture's; the middle of the first one is (0, 0)."""

    kind: Kind
    value: int | str | None
    """What the up-face shows, also where it is cocked or hidden; None for a foreign die."""
    corners_px: Singles
    """Clockwise round the up-face as pictured, where its edges would meet if sharp: 4 x 2 for a cube;
    for a D4 3 x 2, the corners of the face that it lies on; for rounder dice their outline."""
    center_px: tuple[float, float]
    """The middle of the up-face; for a D4 its upper tip."""
    box_px: tuple[float, float, float, float]
    """Left, top, width, height of the whole die as far as it is in the picture, hidden parts counted in."""
    color: str
    """The body's colour in a plain word."""
    pose: Pose
    """Cocked and stacked dice say so; "cut" is an up-face that leaves the picture; "hidden" is one with
    more than a seventh covered by something else, or with marks lost in glare, dark or blur."""
    visible: float
    """The share of the up-face (of a D4: of the whole die) that the picture shows."""
    step_px: tuple[float, float]
    """How the line is pictured that leads from the middle of the die's other side up to ``center_px``: the
    vertical there for a flat die, another for one that leans."""
    contrast: float = 255.0
    """By how many grey levels its marks stand out from its body."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """A picture with all that is true of its dice. Those of which less than a tenth shows are left out."""

    picture: Picture
    """Blue, green, red; height x width x 3."""
    dice: tuple[SceneDie, ...]
