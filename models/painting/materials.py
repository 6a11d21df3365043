"""Colours as pictured and as light, and what dice are made of."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles

# Colours as pictured and as light, and how they mix.

Color = tuple[float, float, float]
"""Blue, green, red, each 0 to 255, as pictured in white light."""
GAMMA = 2.2

_PICTURED: Singles = (255 * np.linspace(0, 1, 1025, dtype=np.float32) ** (1 / GAMMA)).astype(np.float32)


def light_of(color: Color) -> Singles:
    """The colour as light, 0 to 1."""
    return np.asarray((np.asarray(color, np.float32) / 255) ** GAMMA, np.float32)


def pictured(light: Singles) -> Singles:
    """Light, 0 to 1, as picture values 0 to 255; more than 1 is clipped."""
    steps = np.clip(light * 1024, 0, 1024).astype(np.int32)
    return np.asarray(_PICTURED[steps], np.float32)


def lightness(color: Color) -> float:
    """How light a colour looks, 0 to 255 (Rec. 601)."""
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def lit(color: Singles, by: Singles) -> Singles:
    """A colour (3) or a picture of colours (h x w x 3) times a field (h x w)."""
    if color.ndim == 1:
        return np.asarray(cv2.merge([by * part for part in color]), np.float32)
    return np.asarray(color * cv2.merge([by, by, by]), np.float32)


def blend(first: Singles, second: Singles, share: Singles) -> Singles:
    """From one colour (3, or h x w x 3) to another, by a share (h x w)."""
    if first.ndim == 1 and second.ndim == 1:
        return np.asarray(
            cv2.merge([a + (b - a) * share for a, b in zip(first, second, strict=True)]), np.float32
        )
    out = np.asarray(second - first, np.float32)
    out *= cv2.merge([share, share, share])
    out += first
    return out


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
"""A die's body by the plain word that a player would say."""
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


@dataclass(frozen=True, slots=True)
class Stuff:
    """One die's material."""

    name: str
    word: str
    color: Color
    other: Color
    """The second colour of marbled, speckled and grained bodies."""
    gloss: float
    """How much light the surface mirrors head-on (0.04 is bare plastic)."""
    rough: float
    """How far the mirror image is smeared, 0 to 1."""
    metal: float
    glass: float
    """How much of the colour is light that came through the body."""
