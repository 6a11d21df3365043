"""Numbers on dice: strokes of our own and OpenCV's stroke fonts, thin to fat, upright or slanted."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.scenes.chance import Chance, between, maybe

Stroke = Singles
"""Points (n x 2) that a pen passes, in a box 0.6 wide and 1 high, y downwards."""
FONTS = (0, 1, 2, 3, 4, cv2.FONT_ITALIC)
"""Hershey's stroke fonts."""
CANVAS = 96
"""A number's height while it is written, in fine pixels."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """One maker's numbers; lengths by their height."""

    font: int | None
    """One of OpenCV's; None for strokes of our own."""
    weight: float
    wide: float
    slant: float
    open_four: bool
    bar: str
    """What tells 6 from 9: "" nothing, "_" a bar below, "." a dot."""


def numerals(chance: Chance) -> Numerals:
    """A maker's way with numbers."""
    font = None if maybe(chance, 0.6) else int(chance.choice(FONTS))
    weight = between(chance, 0.07, 0.24) if font is None else between(chance, 0.05, 0.14)
    slant = 0.0 if maybe(chance, 0.7) else between(chance, -0.05, 0.25)
    bar = str(chance.choice(("", "_", "."), p=(0.55, 0.35, 0.1)))
    return Numerals(font, weight, between(chance, 0.75, 1.3), slant, maybe(chance, 0.4), bar)


def place(style: Numerals, text: str, size: int, at: tuple[float, float], height: float, turn_deg: float
          ) -> Singles:  # fmt: skip
    """A face's mask (``size`` x ``size``) with the text's middle at ``at`` (u, v), turned counter-clockwise.

    ``height`` is the text's, in widths of the face.
    """
    ink = written(style, text)
    scale = height * size / CANVAS
    if scale < 0.7:
        tall, wide = max(2, round(ink.shape[0] * scale)), max(2, round(ink.shape[1] * scale))
        ink, scale = np.asarray(cv2.resize(ink, (wide, tall), interpolation=cv2.INTER_AREA), np.uint8), 1.0
    angle = np.deg2rad(turn_deg)
    cos, sin = float(np.cos(angle)) * scale, float(np.sin(angle)) * scale
    middle = np.array((ink.shape[1] / 2, ink.shape[0] / 2))
    matrix = np.array(((cos, sin), (-sin, cos)))
    goal = np.array(((at[0] + 0.5) * size - 0.5, (0.5 - at[1]) * size - 0.5))
    whole = np.column_stack((matrix, goal - matrix @ middle))
    out = cv2.warpAffine(ink, whole, (size, size), flags=cv2.INTER_LINEAR)
    return np.asarray(out, np.float32) / np.float32(255)


def written(style: Numerals, text: str) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The text as a picture, 255 where ink is, the middle of its height and width in the middle."""
    pen = max(2, round(style.weight * CANVAS))
    advance = (0.6 * style.wide + style.weight + 0.1) * CANVAS
    canvas = np.zeros((CANVAS * 2, int(advance * len(text) + CANVAS * 1.2)), np.uint8)
    left = canvas.shape[1] / 2 - (advance * len(text) - 0.1 * CANVAS - pen) / 2
    for number, letter in enumerate(text):
        corner = (left + number * advance, CANVAS / 2)
        if style.font is None and letter in "0123456789":
            for stroke in strokes(letter, style.open_four):
                _draw(canvas, stroke, corner, style)
        else:
            _letter(canvas, letter, corner, style)
    if text in ("6", "9") and style.bar:
        foot = 1.62 * CANVAS + pen / 2
        middle = canvas.shape[1] / 2
        reach = 0.3 * CANVAS if style.bar == "_" else 0.0
        cv2.line(canvas, (round(middle - reach), round(foot)), (round(middle + reach), round(foot)), 255, pen)
    return canvas


def _draw(canvas: Singles | np.ndarray[tuple[int, ...], np.dtype[np.uint8]], stroke: Stroke,
          corner: tuple[float, float], style: Numerals) -> None:  # fmt: skip
    x = stroke[:, 0] * style.wide + (0.5 - stroke[:, 1]) * style.slant
    points = np.column_stack((x, stroke[:, 1])) * CANVAS + corner
    pen = max(2, round(style.weight * CANVAS))
    cv2.polylines(canvas, [np.round(points * 16).astype(np.int32)], False, 255, pen, cv2.LINE_AA, 4)


def _letter(canvas: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], letter: str, corner: tuple[float, float],
            style: Numerals) -> None:  # fmt: skip
    font = cv2.FONT_HERSHEY_SIMPLEX if style.font is None else style.font
    pen = max(2, round(style.weight * CANVAS))
    scale = CANVAS / cv2.getTextSize(letter, font, 1.0, 1)[0][1]
    width = cv2.getTextSize(letter, font, scale, pen)[0][0]
    left = corner[0] + 0.3 * style.wide * CANVAS - width / 2
    cv2.putText(canvas, letter, (round(left), round(corner[1] + CANVAS)), font, scale, 255, pen, cv2.LINE_AA)


def _arc(x: float, y: float, wide: float, high: float, turns: tuple[float, float]) -> Stroke:
    """Part of an ellipse about (x, y), angles in degrees clockwise from the right."""
    angle = np.deg2rad(np.linspace(turns[0], turns[1], 24))
    return np.column_stack((x + wide * np.cos(angle), y + high * np.sin(angle))).astype(np.float32)


def _line(*points: tuple[float, float]) -> Stroke:
    return np.array(points, np.float32)


def strokes(digit: str, open_four: bool) -> list[Stroke]:
    """The pen's way through a digit."""
    four = [_line((0.42, 0), (0.02, 0.62), (0.6, 0.62)), _line((0.42, 0.35), (0.42, 1))]
    if not open_four:
        four = [_line((0.44, 1), (0.44, 0), (0, 0.7), (0.6, 0.7))]
    belly = _arc(0.27, 0.68, 0.31, 0.32, (225, 505))
    ways = {
        "0": [_arc(0.3, 0.5, 0.3, 0.5, (0, 360))],
        "1": [_line((0.1, 0.22), (0.34, 0), (0.34, 1))],
        "2": [np.concatenate((_arc(0.3, 0.28, 0.28, 0.28, (190, 395)), _line((0.02, 1), (0.6, 1))))],
        "3": [_arc(0.27, 0.26, 0.26, 0.26, (205, 450)), _arc(0.27, 0.74, 0.31, 0.26, (-90, 155))],
        "4": four,
        "5": [np.concatenate((_line((0.54, 0), (0.1, 0), (0.06, 0.48)), belly))],
        "6": [_arc(0.3, 0.69, 0.3, 0.31, (0, 360)), _arc(0.62, 0.69, 0.62, 0.69, (180, 262))],
        "7": [_line((0.02, 0), (0.58, 0), (0.22, 1))],
        "8": [_arc(0.3, 0.25, 0.25, 0.25, (0, 360)), _arc(0.3, 0.74, 0.3, 0.26, (0, 360))],
        "9": [_arc(0.3, 0.31, 0.3, 0.31, (0, 360)), _arc(-0.02, 0.31, 0.62, 0.69, (0, 82))],
    }  # fmt: skip
    return ways[digit]
