"""Colours of dice and of what is printed on them, by the plain word that a player would say."""

import colorsys

import numpy as np

from calibration.arrays import Singles
from models.scenes.chance import Chance, between, linear, maybe

Color = tuple[float, float, float]
"""Blue, green, red, each 0 to 255, as pictured in white light."""

BODIES: dict[str, tuple[Color, ...]] = {
    "white": ((246, 246, 246), (232, 234, 236), (235, 228, 224)),
    "ivory": ((196, 222, 236), (172, 208, 228), (205, 228, 238), (150, 190, 215)),
    "black": ((26, 26, 26), (40, 36, 34), (16, 16, 20)),
    "grey": ((128, 128, 128), (152, 150, 148), (92, 92, 94)),
    "red": ((38, 32, 190), (30, 20, 150), (60, 50, 215), (25, 15, 110)),
    "orange": ((30, 110, 235), (40, 90, 240)),
    "yellow": ((40, 205, 240), (60, 225, 250), (20, 180, 220)),
    "green": ((60, 130, 30), (80, 160, 40), (40, 90, 20), (90, 200, 90), (60, 220, 150)),
    "turquoise": ((170, 165, 30), (190, 190, 80)),
    "blue": ((170, 80, 30), (120, 50, 20), (210, 130, 50), (220, 160, 90), (80, 40, 25)),
    "purple": ((140, 40, 95), (110, 40, 75), (200, 110, 160)),
    "pink": ((160, 90, 230), (190, 140, 235)),
    "brown": ((40, 70, 110), (62, 98, 136), (30, 50, 80)),
}
SHARES: dict[str, float] = {
    "white": 5, "ivory": 3.5, "black": 2.5, "grey": 0.8, "red": 3, "orange": 1, "yellow": 1.3, "green": 2.2,
    "turquoise": 0.8, "blue": 2.6, "purple": 1.2, "pink": 0.9, "brown": 1,
}  # fmt: skip
DARK_INKS: tuple[Color, ...] = ((20, 20, 20), (35, 30, 28), (60, 55, 50), (20, 20, 20))
LIGHT_INKS: tuple[Color, ...] = (
    (245, 245, 245),
    (225, 230, 232),
    (200, 222, 232),
    (90, 190, 215),
    (190, 190, 190),
)
VIVID_INKS: tuple[Color, ...] = ((30, 25, 180), (150, 60, 20), (50, 120, 20), (40, 190, 240), (120, 30, 90),
                                 (200, 170, 30), (30, 100, 235))  # fmt: skip


def body_color(chance: Chance, words: tuple[str, ...] = tuple(BODIES)) -> tuple[str, Color]:
    """A word and a colour that goes by it."""
    shares = np.array([SHARES[word] for word in words])
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


def lightness(color: Color) -> float:
    """How light a colour looks, 0 to 255 (Rec. 601)."""
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def ink_for(chance: Chance, body: Color) -> Color:
    """A colour that can be read on that body."""
    light = lightness(body)
    plain = DARK_INKS if light > (150 if maybe(chance, 0.5) else 110) else LIGHT_INKS
    if maybe(chance, 0.16):
        bold = [ink for ink in VIVID_INKS if abs(lightness(ink) - light) > 70]
        if bold:
            return vary(chance, pick(chance, tuple(bold)), 0.1)
    return vary(chance, pick(chance, plain), 0.08)


def light_of(color: Color) -> Singles:
    """The colour as light, 0 to 1."""
    return linear(color)
