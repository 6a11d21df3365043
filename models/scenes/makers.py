"""The dice of the rulebooks, as their makers draw them."""

import numpy as np

from models.painting.design import Design
from models.painting.marks import Mark, disc, pips, square
from models.painting.materials import BODIES
from models.painting.numerals import on_d4, place
from models.scenes.chance import Chance, between, maybe
from models.scenes.colors import any_color
from models.scenes.design import bake
from models.scenes.materials import STUFFS, stuff
from models.scenes.shapes import cube_solid, four_sided
from models.scenes.styles import numerals, pip_style


def pip_design(chance: Chance, edge_mm: float, size: int) -> Design:
    """A die with one to six pips; opposite faces sum to seven, either way round."""
    style = pip_style(chance)
    pairs = [[1, 6], [2, 5], [3, 4]]
    chance.shuffle(pairs)
    values = [value for pair in pairs for value in (pair if maybe(chance, 0.5) else pair[::-1])]
    marks = [pips(style, value, size, maybe(chance, 0.5)) for value in values]
    if maybe(chance, 0.06):
        marks[values.index(6)] = _numbered(chance, marks[values.index(6)], size)
    return bake(chance, "pip", stuff(chance), cube_solid(chance, edge_mm), tuple(values), marks)


def _numbered(chance: Chance, six: Mark, size: int) -> Mark:
    """A casino die's six with its serial number between the pips."""
    turn = 90.0 * int(chance.integers(4))
    serial = place(numerals(chance), str(chance.integers(100, 9999)), size, (0.0, 0.0), 0.1, turn)
    return Mark(np.maximum(six.mask, serial * np.float32(0.8)), six.dent, six.color)


def zoinx_design(chance: Chance, edge_mm: float, size: int) -> Design:
    """Two faces with a dot, four with a square or its outline; an open ring is a betting die's 0."""
    dots = {0, 1} if maybe(chance, 0.5) else {0, int(chance.integers(2, 6))}
    radius, half = between(chance, 0.21, 0.34), between(chance, 0.19, 0.34)
    corner = half * (0.02 if maybe(chance, 0.5) else between(chance, 0.05, 0.3))
    dot, inside = disc(size, (0, 0), radius)
    box, within = square(size, half, corner)
    if maybe(chance, 0.35):
        line = between(chance, 0.12, 0.3) * half
        box = box - square(size, half - line, max(corner - line, 0.01))[0]
    depth = 0.0 if maybe(chance, 0.6) else between(chance, 0.02, 0.06)
    colors = [None, None] if maybe(chance, 0.6) else [any_color(chance, (0.4, 0.9), (0.2, 0.95)), None]
    marks = []
    for face in range(6):
        mask, rim = (dot, inside) if face in dots else (box, within)
        marks.append(Mark(mask, np.asarray(np.minimum(rim * 6, 1) * np.float32(depth), np.float32),
                          colors[0] if face in dots else colors[1]))  # fmt: skip
    values = tuple("dot" if face in dots else "square" for face in range(6))
    return bake(chance, "zoinx", stuff(chance), cube_solid(chance, edge_mm), values, marks)


BET_WORDS = tuple(word for word in BODIES if word not in ("grey", "brown"))


def bet_design(chance: Chance, edge_mm: float, size: int) -> Design:
    """The numbers 0 (or an open circle), 2, 4, 6, 8 and 10."""
    style = numerals(chance)
    circle = maybe(chance, 0.4)
    values = [0, 2, 4, 6, 8, 10]
    chance.shuffle(values)
    height = between(chance, 0.42, 0.72)
    depth = 0.0 if maybe(chance, 0.5) else between(chance, 0.01, 0.04)
    marks = []
    for value in values:
        if value == 0 and circle:
            radius = between(chance, 0.21, 0.33)
            mask = disc(size, (0, 0), radius)[0] - disc(size, (0, 0), radius * between(chance, 0.55, 0.85))[0]
        else:
            tall = height * (between(chance, 0.75, 0.95) if value == 10 else 1.0)
            mask = place(style, str(value), size, (0.0, 0.0), tall, 90.0 * int(chance.integers(4)))
        marks.append(Mark(mask, mask * np.float32(depth)))
    made = stuff(chance, BET_WORDS, tuple(name for name in STUFFS if name != "metal"))
    return bake(chance, "bet", made, cube_solid(chance, edge_mm), tuple(values), marks)


def d4_design(chance: Chance, edge_mm: float, size: int) -> Design:
    """A D4 whose number stands at the upper tip of its three faces, or at their lower edges."""
    style = numerals(chance)
    at_tip = maybe(chance, 0.6)
    values = [1, 2, 3, 4]
    chance.shuffle(values)
    height = between(chance, 0.23, 0.36) if at_tip else between(chance, 0.2, 0.3)
    depth = 0.0 if maybe(chance, 0.5) else between(chance, 0.01, 0.03)
    solid = four_sided(chance, edge_mm * between(chance, 1.0, 1.35))
    masks = [on_d4(style, values, solid, face, size, height, at_tips=at_tip) for face in range(4)]
    blank = np.zeros((size, size), np.float32)
    marks = [Mark(mask, mask * np.float32(depth)) for mask in masks] + [Mark(blank, blank)] * 4
    return bake(chance, "d4", stuff(chance), solid, tuple(values), marks)
