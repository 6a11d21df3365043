"""A die as its maker drew it: faces, marks and numbers in a strip of textures."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

import cv2
import numpy as np

from calibration.arrays import Ints, Singles
from models.painting.materials import Color, Stuff
from models.painting.solids import D4_FACE, Body, Frames, Hit, Rests, Solid, dot

# What is drawn on a die's face: pips and symbols as crisp masks.
#
# A face is ``size`` x ``size`` texels; its middle is (0, 0) and its edges lie at -0.5 and 0.5, v upwards. A
# mask is 1 where the mark is; a dent is how deep the mark sinks (in edges).

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


Kind = Literal["pip", "zoinx", "bet", "d4", "foreign", "thing"]
Value = int | str | None
ROW = 512


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A kind of die with its look. The strip holds one square of ``size`` texels a face, from the top."""

    kind: Kind
    made: Stuff
    body: Body
    frames: Frames
    values: tuple[Value, ...]
    """What each way to lie shows."""
    rests: Rests
    size: int
    color: Singles
    """The strip as light."""
    relief: Singles
    """The strip's slopes to the right and upwards, its marks' mask, its polish: x 4."""


def lay_out(marks: list[Mark]) -> tuple[Singles, Singles]:
    """The strip's mask (0 to 1) and how deep its marks sink (in edges): one square a face, from the top."""
    return np.concatenate([mark.mask for mark in marks]), np.concatenate([mark.dent for mark in marks])


def relief(mask: Singles, dent: Singles, dull: float, ripple: Singles | None = None) -> Singles:
    """The strip's relief. ``dull``: the share of its gloss that the surface loses under a mark; ``ripple``:
    slopes of a surface that is not quite flat."""
    steep = np.float32(mask.shape[1] / 8)
    smooth = cv2.blur(dent, (3, 3))
    right, up = cv2.Sobel(smooth, cv2.CV_32F, 1, 0) * steep, -cv2.Sobel(smooth, cv2.CV_32F, 0, 1) * steep
    if ripple is not None:
        right, up = right + ripple, up - ripple
    polish = np.ones(mask.shape, np.float32) - np.float32(dull) * mask
    return np.asarray(cv2.merge([right, up, mask, polish]), np.float32)


def look_up(strips: tuple[Singles, ...], design: Design, face: int, local: Singles) -> list[Singles]:
    """Each strip's values (channels x n) where points of the body's frame (3 x n) lie on one face."""
    frames = design.frames
    offset = local - frames.middle[face][:, None]
    return _texels(strips, design, face, frames.right[face] @ offset, frames.up[face] @ offset)


def skin(design: Design, hit: Hit) -> tuple[Singles, Singles, Singles]:
    """Colour as light, relief and unit normal (3, 4 and 3 x n) where rays have met the body on any face."""
    right, up = design.frames.right[hit.face].T, design.frames.up[hit.face].T
    # A face's middle lies straight above the body's.
    across, along = dot(right, hit.point), dot(up, hit.point)
    color, relief = _texels((design.color, design.relief), design, hit.face, across, along)
    normal = hit.normal + right * relief[0] + up * relief[1]
    normal /= np.sqrt(dot(normal, normal))
    return color, relief, normal


def _texels(
    strips: tuple[Singles, ...], design: Design, face: int | Ints, across_mm: Singles, along_mm: Singles
) -> list[Singles]:
    """Each strip's values (channels x n) so far to the right and upwards from the middle of a face."""
    size = design.size
    scale, half = np.float32(size / design.frames.edge_mm), np.float32(size / 2 - 0.5)
    rows = -(-across_mm.size // ROW)  # cv2.remap takes no list longer than 32,767
    maps = np.zeros((2, rows * ROW), np.float32)
    maps[0, : across_mm.size] = np.clip(across_mm * scale + half, 0, size - 1)
    down = np.clip(half - along_mm * scale, 0, size - 1) + np.asarray(face * size, np.float32)
    maps[1, : across_mm.size] = down
    columns, lines = maps.reshape(2, rows, ROW)
    seen = [cv2.remap(strip, columns, lines, cv2.INTER_LINEAR) for strip in strips]
    return [np.ascontiguousarray(one.reshape(rows * ROW, -1)[: across_mm.size].T, np.float32) for one in seen]


# Numbers on dice: strokes of our own, and OpenCV's stroke fonts and typefaces, thin to fat, upright or
# slanted.

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


def place_text(style: Numerals, text: str, size: int, at: tuple[float, float], height: float, turn_deg: float
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
        at = (x / span * away, y / span * away)
        turn_deg = float(np.degrees(np.arctan2(-x, y)))
        mask = place_text(style, str(values[corner]), size, at, height / D4_FACE, turn_deg)
        out = np.maximum(out, mask)
    return out
