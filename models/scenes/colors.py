"""Colours that chance chooses, of dice and of what is printed on them."""

import colorsys

import numpy as np

from models.painting.light import Color, lightness
from models.painting.materials import BODIES, DARK_INKS, LIGHT_INKS, VIVID_INKS
from models.scenes.chance import Chance, between, maybe

COLOR_SHARES: dict[str, float] = {
    "white": 5, "ivory": 3.5, "black": 2.5, "grey": 0.8, "red": 3, "orange": 1, "yellow": 1.3, "green": 2.2,
    "turquoise": 0.8, "blue": 2.6, "purple": 1.2, "pink": 0.9, "brown": 1,
}  # fmt: skip


def body_color(chance: Chance, words: tuple[str, ...] = tuple(BODIES)) -> tuple[str, Color]:
    """A word and a colour that goes by it."""
    shares = np.array([COLOR_SHARES[word] for word in words])
    word = words[int(chance.choice(len(words), p=shares / shares.sum()))]
    return word, vary(chance, pick(chance, BODIES[word]), 0.05)


def pick(chance: Chance, colors: tuple[Color, ...]) -> Color:
    """One of several colours."""
    return colors[int(chance.integers(len(colors)))]


def vary(chance: Chance, color: Color, by: float) -> Color:
    """Nearly the same colour."""
    blue, green, red = (min(max(part * (1 + between(chance, -by, by)), 0.0), 255.0) for part in color)
    return blue, green, red


def any_color(chance: Chance, saturation: tuple[float, float], value: tuple[float, float]) -> Color:
    """Any hue, with its strength and brightness (0 to 1) between these."""
    red, green, blue = colorsys.hsv_to_rgb(
        chance.random(), between(chance, *saturation), between(chance, *value)
    )
    return blue * 255, green * 255, red * 255


def ink_for(chance: Chance, body: Color) -> Color:
    """A colour that can be read on that body."""
    light = lightness(body)
    plain = DARK_INKS if light > (150 if maybe(chance, 0.5) else 110) else LIGHT_INKS
    if maybe(chance, 0.16):
        bold = [ink for ink in VIVID_INKS if abs(lightness(ink) - light) > 70]
        if bold:
            return vary(chance, pick(chance, tuple(bold)), 0.1)
    return vary(chance, pick(chance, plain), 0.08)
