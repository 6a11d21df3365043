"""A die's colour in a plain word."""

import colorsys

import numpy as np

from calibration.arrays import Singles
from engine.wording import phrase, phrase_later

_HUES = ((14, "red"), (38, "orange"), (70, "yellow"), (165, "green"), (200, "turquoise"), (262, "blue"),
         (300, "purple"), (340, "pink"), (361, "red"))  # fmt: skip


COLORS = (
    phrase_later("black"),
    phrase_later("blue"),
    phrase_later("brown"),
    phrase_later("green"),
    phrase_later("grey"),
    phrase_later("ivory"),
    phrase_later("orange"),
    phrase_later("pink"),
    phrase_later("purple"),
    phrase_later("red"),
    phrase_later("turquoise"),
    phrase_later("white"),
    phrase_later("yellow"),
)
"""All the words. Dice are known by them, in English; `told_color` tells them to people."""


def told_color(word: str) -> str:
    """One of the words in the language of the house: "red"; any other as it is."""
    return phrase(word) if word in COLORS else word


def color_word(bgr: Singles) -> str:
    """The word for a colour (blue, green, red from 0 to 255), as somebody at the table would say it."""
    blue, green, red = (float(np.clip(part, 0, 255)) / 255 for part in bgr)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    degrees = hue * 360
    if value < 0.22:
        return "black"
    if saturation < 0.09:
        return "white" if value > 0.62 else "grey"
    if saturation < 0.42 and 15 <= degrees <= 75:
        return "ivory" if value > 0.5 else "brown"
    if 14 <= degrees < 45 and value < 0.55:
        return "brown"
    return next(word for end, word in _HUES if degrees < end)
