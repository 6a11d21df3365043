"""Colours as pictured and as light, and how they mix."""

import cv2
import numpy as np

from calibration.arrays import Singles

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
