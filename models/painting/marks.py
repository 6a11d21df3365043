"""What is drawn on a die's face: pips and symbols as crisp masks.

A face is ``size`` x ``size`` texels; its middle is (0, 0) and its edges lie at -0.5 and 0.5, v upwards. A
mask is 1 where the mark is; a dent is how deep the mark sinks (in edges).
"""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Singles
from models.painting.light import Color

SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}


LARGEST_ONE = 0.195
"""Radius of the largest lone pip, in edges: anything larger is a Zoinx dot."""


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """One face's marks."""

    mask: Singles
    dent: Singles
    color: Color | None = None
    """Where it is not the die's own ink."""


@dataclass(frozen=True, slots=True)
class PipStyle:
    """How a maker draws pips; lengths in edges."""

    radius: float
    spread: float
    narrow: float
    """The distance of the six's rows by the spread."""
    one: float
    """The one's radius by the others'."""
    red_one: bool
    depth: float
    form: str
    """disc, ring, eye (a ring with a dot), or block (rounded squares)."""


def grid(size: int) -> tuple[Singles, Singles]:
    """Texels' u (rightwards) and v (upwards), each ``size`` x ``size``."""
    line = ((np.arange(size, dtype=np.float32) + 0.5) / size) - np.float32(0.5)
    return np.asarray(np.broadcast_to(line, (size, size))), np.asarray(
        np.broadcast_to(-line[:, None], (size, size))
    )


def disc(size: int, at: tuple[float, float], radius: float) -> tuple[Singles, Singles]:
    """A disc's mask, and how far each texel lies inside it (radii, 0 outside)."""
    u, v = grid(size)
    away = np.sqrt((u - np.float32(at[0])) ** 2 + (v - np.float32(at[1])) ** 2)
    mask = np.clip((radius - away) * size + 0.5, 0, 1)
    return np.asarray(mask, np.float32), np.asarray(np.clip(1 - away / radius, 0, 1), np.float32)


def square(size: int, half: float, corner: float) -> tuple[Singles, Singles]:
    """A square's mask with rounded corners, and how far each texel lies inside it (half edges)."""
    u, v = grid(size)
    beyond_u, beyond_v = np.abs(u) - (half - corner), np.abs(v) - (half - corner)
    away = np.hypot(np.maximum(beyond_u, 0), np.maximum(beyond_v, 0)) + np.minimum(
        np.maximum(beyond_u, beyond_v), 0
    )
    gap = away - np.float32(corner)
    mask = np.clip(-gap * size + 0.5, 0, 1)
    return np.asarray(mask, np.float32), np.asarray(np.clip(-gap / half, 0, 1), np.float32)


def pips(style: PipStyle, value: int, size: int, turned: bool) -> Mark:
    """The pips of one value; ``turned`` by a quarter or not."""
    mask, dent = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
    radius = style.radius * (style.one if value == 1 else 1.0)
    for along, across in SPOTS[value]:
        a, b = along * style.spread, across * style.spread * (style.narrow if value == 6 else 1.0)
        one, inside = _pip(style.form, size, (-b, a) if turned else (a, b), radius)
        np.maximum(mask, one, out=mask)
        np.maximum(dent, inside, out=dent)
    bowl = np.sqrt(np.clip(1 - (1 - dent) ** 2, 0, 1)) * np.float32(0.45 * radius * style.depth)
    red = style.red_one and value in (1, 4)
    return Mark(mask, np.asarray(bowl, np.float32), (30, 25, 185) if red else None)


def _pip(form: str, size: int, at: tuple[float, float], radius: float) -> tuple[Singles, Singles]:
    mask, inside = disc(size, at, radius)
    if form in ("ring", "eye"):
        mask = mask - disc(size, at, radius * 0.62)[0]
        if form == "eye":
            mask = np.maximum(mask, disc(size, at, radius * 0.38)[0])
    if form == "block":
        u, v = grid(size)
        away = np.maximum(np.abs(u - np.float32(at[0])), np.abs(v - np.float32(at[1])))
        mask = np.asarray(np.clip((radius * 0.88 - away) * size + 0.5, 0, 1), np.float32)
    return mask, inside
