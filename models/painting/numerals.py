"""Numbers on dice: strokes of our own, and OpenCV's stroke fonts and typefaces, thin to fat, upright or
slanted."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.shapes import D4_FACE, Solid

Ink = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
"""A written number: 255 where ink is, else 0."""

Stroke = Singles
"""Points (n x 2) that a pen passes, in a box 0.6 wide and 1 high, y downwards."""
CANVAS = 96
"""A number's height while it is written, in fine pixels."""
ON_LINE = 0.45
"""Ends of strokes farther than this from a number's middle lie on its upper or lower line."""
PEN_WEIGHTS, TYPE_WEIGHTS = (0.05, 0.24), (100, 900)
"""The lightest and the heaviest weight: of pens, in heights of a number, and of typefaces, for the same."""


@dataclass(frozen=True, slots=True)
class Numerals:
    """One maker's numbers; lengths by their height."""

    font: int | str | None
    """One of OpenCV's: a number for stroke fonts, a name ("sans", "italic", "uni") for typefaces; None for
    strokes of our own."""
    weight: float
    wide: float
    slant: float
    open_four: bool
    bar: str
    """What tells 6 from 9: "" nothing, "_" a bar below, "." a dot."""
    nib: float = 1.0
    """The least width of our own strokes by their largest: with a broad nib, upright strokes are the thick
    ones."""
    serif: float = 0.0
    """How long the feet are at the upper and lower ends of our own strokes; 0 for none."""
    round_zero: bool = False
    """Whether a typeface's zero is as round as its letter O; OpenCV's own are slashed."""


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


def written(style: Numerals, text: str) -> Ink:
    """The text as a picture, 255 where ink is, the middle of its height and width in the middle."""
    pen = max(2, round(style.weight * CANVAS))
    advance = (0.6 * style.wide + style.weight + 0.1) * CANVAS
    canvas = np.zeros((CANVAS * 2, int(advance * len(text) + CANVAS * 1.2)), np.uint8)
    left = canvas.shape[1] / 2 - (advance * len(text) - 0.1 * CANVAS - pen) / 2
    for number, letter in enumerate(text):
        corner = (left + number * advance, CANVAS / 2)
        if style.font is None and letter in "0123456789":
            _pen(canvas, strokes(letter, style.open_four), corner, style)
        elif isinstance(style.font, str):
            _typeset(canvas, letter, corner, style)
        else:
            _letter(canvas, letter, corner, style)
    if text in ("6", "9") and style.bar:
        foot = 1.62 * CANVAS + pen / 2
        middle = canvas.shape[1] / 2
        reach = 0.3 * CANVAS if style.bar == "_" else 0.0
        cv2.line(canvas, (round(middle - reach), round(foot)), (round(middle + reach), round(foot)), 255, pen)
    return canvas


def _pen(canvas: Ink, ways: Sequence[Stroke], corner: tuple[float, float], style: Numerals) -> None:
    """Write strokes with a nib as wide as the weight, with feet at their upper and lower ends."""
    pen = max(2, round(style.weight * CANVAS))
    thin = max(2, round(pen * style.nib))
    ends = [end for way in ways for end in (way[0], way[-1]) if (way[0] != way[-1]).any()]
    feet = [_foot(end, style.serif) for end in ends if style.serif and abs(end[1] - 0.5) > ON_LINE]
    for way in (*ways, *feet):
        x = way[:, 0] * style.wide + (0.5 - way[:, 1]) * style.slant
        points = np.column_stack((x, way[:, 1])) * CANVAS + corner
        cv2.polylines(canvas, [np.round(points * 16).astype(np.int32)], False, 255, thin, cv2.LINE_AA, 4)
    if pen > thin:
        cv2.dilate(canvas, np.ones((1, pen - thin + 1), np.uint8), canvas)


def _foot(end: Singles, length: float) -> Stroke:
    reach = np.array((length / 2, 0))
    return np.array((end - reach, end + reach), np.float32)


def _typeset(canvas: Ink, letter: str, corner: tuple[float, float], style: Numerals) -> None:
    """Set a letter of a typeface, as tall as the others, stretched and slanted."""
    shown = "O" if letter == "0" and style.round_zero else letter
    ink = _type(str(style.font), shown, round(float(np.interp(style.weight, PEN_WEIGHTS, TYPE_WEIGHTS))))
    left = corner[0] + (0.3 * CANVAS - ink.shape[1] / 2) * style.wide
    lean = style.slant * ink.shape[0] / 2
    matrix = np.array(((style.wide, -style.slant, left + lean), (0.0, 1.0, corner[1])))
    np.maximum(canvas, cv2.warpAffine(ink, matrix, canvas.shape[::-1]), out=canvas)


@cache
def _type(font: str, letter: str, weight: int) -> Ink:
    """A letter as a typeface has it, cut out close; its digits are as tall as the canvas."""
    face = cv2.FontFace(font)
    eight, own = (_print(face, one, weight, CANVAS) for one in ("8", letter))
    scale = CANVAS / cv2.boundingRect(eight)[3]
    x, y, wide, tall = cv2.boundingRect(own)
    size = (max(1, round(wide * scale)), max(1, round(tall * scale)))
    return np.asarray(
        cv2.resize(own[y : y + tall, x : x + wide], size, interpolation=cv2.INTER_AREA), np.uint8
    )


def _print(face: cv2.FontFace, letter: str, weight: int, size: int) -> Ink:
    canvas = np.zeros((3 * size, 3 * size), np.uint8)
    cv2.putText(canvas, letter, (size, 2 * size), (255,), face, size, weight)
    return canvas


def _letter(canvas: Ink, letter: str, corner: tuple[float, float], style: Numerals) -> None:
    font = style.font if isinstance(style.font, int) else cv2.FONT_HERSHEY_SIMPLEX
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
