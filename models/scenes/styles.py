"""How a maker draws pips and numbers, as chance has it."""

import cv2

from models.painting.marks import LARGEST_ONE, PipStyle
from models.painting.numerals import Numerals
from models.scenes.chance import Chance, between, maybe

FONTS = (0, 1, 2, 3, 4, cv2.FONT_ITALIC)
"""Hershey's stroke fonts."""
TYPEFACES = ("sans", "italic", "uni")
"""OpenCV's own: Rubik upright and slanted, from light to black, and WenQuanYi Micro Hei."""


def pip_style(chance: Chance) -> PipStyle:
    """A maker's way with pips."""
    spread = between(chance, 0.215, 0.3)
    radius = min(between(chance, 0.058, 0.135), 0.46 * spread, 0.485 - spread)
    asian = maybe(chance, 0.12)
    one = between(chance, 1.5, 2.2) if asian else between(chance, 0.95, 1.15)
    if not asian and maybe(chance, 0.06):
        one = between(chance, 1.3, 1.8)
    narrow = between(chance, 0.72, 1.0) if maybe(chance, 0.4) else 1.0
    depth = 0.0 if maybe(chance, 0.35) else between(chance, 0.15, 1.0)
    form = str(chance.choice(("disc", "ring", "eye", "block"), p=(0.93, 0.025, 0.02, 0.025)))
    return PipStyle(radius, spread, narrow, min(one, LARGEST_ONE / radius), asian, depth, form)


def numerals(chance: Chance) -> Numerals:
    """A maker's way with numbers."""
    font: int | str | None = None
    lot = chance.random()
    if lot < 0.4:
        font = str(chance.choice(TYPEFACES, p=(0.5, 0.15, 0.35)))
    elif lot < 0.6:
        font = int(chance.choice(FONTS))
    weight = between(chance, 0.05, 0.14) if isinstance(font, int) else between(chance, 0.05, 0.24)
    slant = 0.0 if maybe(chance, 0.7) else between(chance, -0.05, 0.25)
    bar = str(chance.choice(("", "_", "."), p=(0.55, 0.35, 0.1)))
    return Numerals(
        font, weight, between(chance, 0.75, 1.3), slant, maybe(chance, 0.4), bar,
        nib=between(chance, 0.2, 0.8) if maybe(chance, 0.5) else 1.0,
        serif=between(chance, 0.15, 0.4) if maybe(chance, 0.4) else 0.0,
        round_zero=maybe(chance, 0.6),
    )  # fmt: skip
