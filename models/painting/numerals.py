"""Numbers on dice: strokes of our own and OpenCV's stroke fonts, thin to fat, upright or slanted."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.shapes import D4_FACE, Solid

Stroke = Singles
"""Points (n x 2) that a pen passes, in a box 0.6 wide and 1 high, y downwards."""
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


def on_d4(style: Numerals, values: Sequence[int | str], solid: Solid, face: int, size: int, height: float,
          *, at_tips: bool) -> Singles:  # fmt: skip
    """The mask of one face of a D4: three numbers, each the value of the corner that it belongs to.

    ``at_tips``: it stands upright below that corner; else upright above the edge opposite. ``height`` is
    theirs, by the die's edge.
    """
    out = np.zeros((size, size), np.float32)
    away = (0.27 if at_tips else -0.29 + height / 2 + 0.03) / D4_FACE
    for corner in set(range(4)) - {face}:
        tip = -solid.body.normals[corner]
        x, y = float(tip @ solid.frames.right[face]), float(tip @ solid.frames.up[face])
        span = float(np.hypot(x, y))
        mask = place(style, str(values[corner]), size, (x / span * away, y / span * away), height / D4_FACE,
                     float(np.degrees(np.arctan2(-x, y))))  # fmt: skip
        out = np.maximum(out, mask)
    return out
