"""The simulated dice as their maker draws them: bodies, marks and colours of `models.painting`.

A new kind of die is a new row in `DRAWERS`, and a body in `_solid` where it is no cube.
"""

from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from calibration.arrays import Singles
from engine.dice import DieKind, Face
from models.painting.design import (
    Design,
    Mark,
    Numerals,
    PipStyle,
    disc,
    lay_out,
    on_d4,
    pips,
    place_text,
    relief,
    square,
)
from models.painting.materials import BODIES, DARK_INKS, LIGHT_INKS, Color, Stuff, blend, light_of
from models.painting.solids import Solid, cube, cube_frames, cube_rests, tetrahedron

DARK, LIGHT = DARK_INKS[1], LIGHT_INKS[0]

COLORS: dict[str, tuple[Color, Color]] = {
    "ivory": (BODIES["ivory"][2], DARK),
    "white": (BODIES["white"][0], DARK),
    "black": (BODIES["black"][1], LIGHT),
    "red": (BODIES["red"][0], LIGHT),
    "blue": (BODIES["blue"][0], LIGHT),
    "green": (BODIES["green"][0], LIGHT),
    "yellow": (BODIES["yellow"][0], DARK),
    "orange": (BODIES["orange"][0], DARK),
}
"""A die's colour by name: body and ink."""

FACE_PX: dict[DieKind, int] = {"pip": 96, "zoinx": 96, "bet": 96, "d4": 144}
"""How many texels wide a face is drawn: twice as fine as pictures of 1280 pixels show it."""
GLOSS, ROUGH = 0.033, 0.18
"""How much a surface reflects and how rough it is: polished plastic."""
DULL = 0.6
"""The share of its gloss that the surface loses under ink."""
PIPS = PipStyle(radius=0.0925, spread=0.25, narrow=1.0, one=1.0, red_one=False, depth=1.0, form="disc")
DOT_RADIUS, SQUARE_HALF, SQUARE_CORNER = 0.25, 0.23, 0.025
"""The sizes of a Zoinx die's marks, in edges. Corners are hardly rounded, as a print has them."""
NUMERALS = Numerals(cv2.FONT_HERSHEY_SIMPLEX, 0.06, wide=1.05, slant=0.0, open_four=False, bar="")
BET_HIGH, D4_HIGH = 0.52, 0.32
"""How high a number is, in edges."""
D4_BLUNT, D4_BEVEL = 0.95, 0.03
"""Its tips and soft edges, as `models.painting.solids.tetrahedron` takes them."""


@lru_cache(maxsize=64)
def design(
    kind: DieKind,
    color: str,
    faces: tuple[Face, ...],
    edge_mm: float,
    fillet_mm: float,
    hollow: float = 1.0,
) -> Design:
    """A die of such a body that shows these faces; for a D4, those of its corners. ``hollow``: how deep its
    pips are, by those of `PIPS`."""
    solid, (strip, slopes) = _solid(kind, edge_mm, fillet_mm), _strips(kind, color, faces, hollow)
    body, _ = COLORS[color]
    made = Stuff("plain", color, body, body, GLOSS, ROUGH, metal=0.0, glass=0.0)
    size = strip.shape[1]
    return Design(kind, made, solid.body, solid.frames, faces, solid.rests, size, strip, slopes)


@lru_cache(maxsize=16)
def _strips(kind: DieKind, color: str, faces: tuple[Face, ...], hollow: float) -> tuple[Singles, Singles]:
    """Colour and relief of all faces, the same for every size of die."""
    mask, dent = lay_out(marks(kind, faces))
    body, ink = COLORS[color]
    return blend(light_of(body), light_of(ink), mask), relief(mask, dent * np.float32(hollow), DULL)


def marks(kind: DieKind, faces: tuple[Face, ...]) -> list[Mark]:
    """What stands on each face of a die."""
    return DRAWERS[kind](faces, _solid(kind, 1.0, 0.1))


def _solid(kind: DieKind, edge_mm: float, fillet_mm: float) -> Solid:
    if kind == "d4":
        return tetrahedron(edge_mm, D4_BLUNT, D4_BEVEL)
    frames = cube_frames(edge_mm)
    return Solid(cube(edge_mm, fillet_mm / edge_mm), frames, cube_rests(frames))


def _pips(faces: tuple[Face, ...], _: Solid) -> list[Mark]:
    return [pips(PIPS, int(face), FACE_PX["pip"], turned=False) for face in faces]


def _zoinx(faces: tuple[Face, ...], _: Solid) -> list[Mark]:
    size = FACE_PX["zoinx"]
    drawn = {"dot": disc(size, (0, 0), DOT_RADIUS)[0], "square": square(size, SQUARE_HALF, SQUARE_CORNER)[0]}
    return [_printed(drawn[str(face)]) for face in faces]


def _numbers(faces: tuple[Face, ...], _: Solid) -> list[Mark]:
    return [
        _printed(place_text(NUMERALS, _text(face), FACE_PX["bet"], (0, 0), BET_HIGH, 0.0)) for face in faces
    ]


def _corner_numbers(faces: tuple[Face, ...], solid: Solid) -> list[Mark]:
    """Three numbers on each face, and none on the blunt corners."""
    size, texts = FACE_PX["d4"], [_text(face) for face in faces]
    drawn = [on_d4(NUMERALS, texts, solid, face, size, D4_HIGH, at_tips=True) for face in range(4)]
    return [_printed(mask) for mask in (*drawn, *[0 * drawn[0]] * 4)]


def _text(face: Face) -> str:
    """This font strikes its 0 through; dice have an open one, as its capital O is."""
    return str(face).replace("0", "O")


def _printed(mask: Singles) -> Mark:
    return Mark(mask, 0 * mask)


DRAWERS: dict[DieKind, Callable[[tuple[Face, ...], Solid], list[Mark]]] = {
    "pip": _pips,
    "zoinx": _zoinx,
    "bet": _numbers,
    "d4": _corner_numbers,
}
"""What stands on each face of a kind of dice."""
