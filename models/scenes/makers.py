"""Makes dice: those of the rulebooks, and foreign ones."""

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.design import Design, Mark, disc, on_d4, pips, place_text, square
from models.painting.materials import BODIES
from models.painting.solids import Rests, Solid
from models.scenes.chance import Chance, between, maybe
from models.scenes.styles import (
    STUFFS,
    USUAL,
    Taste,
    any_color,
    bake,
    cube_solid,
    faceted,
    four_sided,
    numerals,
)


def pip_design(chance: Chance, edge_mm: float, size: int, taste: Taste = USUAL) -> Design:
    """A die with one to six pips; opposite faces sum to seven, either way round."""
    style = taste.pips(chance)
    pairs = [[1, 6], [2, 5], [3, 4]]
    chance.shuffle(pairs)
    values = [value for pair in pairs for value in (pair if maybe(chance, 0.5) else pair[::-1])]
    marks = [pips(style, value, size, maybe(chance, 0.5)) for value in values]
    if maybe(chance, 0.06):
        marks[values.index(6)] = _numbered(chance, marks[values.index(6)], size)
    return bake(chance, "pip", taste.stuff(chance), cube_solid(chance, edge_mm), tuple(values), marks,
                taste.ink)  # fmt: skip


def _numbered(chance: Chance, six: Mark, size: int) -> Mark:
    """A casino die's six with its serial number between the pips."""
    turn = 90.0 * int(chance.integers(4))
    serial = place_text(numerals(chance), str(chance.integers(100, 9999)), size, (0.0, 0.0), 0.1, turn)
    return Mark(np.maximum(six.mask, serial * np.float32(0.8)), six.dent, six.color)


def zoinx_design(chance: Chance, edge_mm: float, size: int, taste: Taste = USUAL) -> Design:
    """Two faces with a dot, four with a square or its outline; an open ring is a betting die's 0."""
    dots = {0, 1} if maybe(chance, 0.5) else {0, int(chance.integers(2, 6))}
    radius, half = between(chance, *taste.dot), between(chance, *taste.square)
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
    return bake(chance, "zoinx", taste.stuff(chance), cube_solid(chance, edge_mm), values, marks, taste.ink)


BET_WORDS = tuple(word for word in BODIES if word not in ("grey", "brown"))


def bet_design(chance: Chance, edge_mm: float, size: int, taste: Taste = USUAL) -> Design:
    """The numbers 0 (or an open circle), 2, 4, 6, 8 and 10."""
    style = numerals(chance)
    circle = maybe(chance, 0.4)
    values = [0, 2, 4, 6, 8, 10]
    chance.shuffle(values)
    height = between(chance, *taste.digits)
    depth = 0.0 if maybe(chance, 0.5) else between(chance, 0.01, 0.04)
    marks = []
    for value in values:
        if value == 0 and circle:
            radius = between(chance, 0.21, 0.33)
            mask = disc(size, (0, 0), radius)[0] - disc(size, (0, 0), radius * between(chance, 0.55, 0.85))[0]
        else:
            tall = height * (between(chance, 0.75, 0.95) if value == 10 else 1.0)
            mask = place_text(style, str(value), size, (0.0, 0.0), tall, 90.0 * int(chance.integers(4)))
        marks.append(Mark(mask, mask * np.float32(depth)))
    made = taste.stuff(chance, BET_WORDS, tuple(name for name in STUFFS if name != "metal"))
    return bake(chance, "bet", made, cube_solid(chance, edge_mm), tuple(values), marks, taste.ink)


def d4_design(chance: Chance, edge_mm: float, size: int, taste: Taste = USUAL) -> Design:
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
    return bake(chance, "d4", taste.stuff(chance), solid, tuple(values), marks, taste.ink)


# Dice that no rulebook here knows: digits, pictures, logos or nothing on a D6, and D8 to D20.

LETTERS = "AEFHKLMNRTVWXY&?+#"
"""None that could pass for a digit."""


def foreign_design(chance: Chance, edge_mm: float, size: int, taste: Taste = USUAL) -> Design:
    """A die that can be seen and must not be read."""
    lot = chance.random()
    solid = cube_solid(chance, edge_mm)
    if lot < 0.3:
        marks = _digits(chance, size)
    elif lot < 0.45:
        marks = [_picture(chance, size) for _ in range(6)]
    elif lot < 0.58:
        solid, marks = _with_logo(chance, solid, size, taste)
    elif lot < 0.63:
        blank = np.zeros((size, size), np.float32)
        marks = [Mark(blank, blank)] * 6
    else:
        solid, marks = _many_sided(chance, edge_mm, size)
    values = (None,) * len(solid.rests.up)
    return bake(chance, "foreign", taste.stuff(chance), solid, values, marks, taste.ink)


def _with_logo(chance: Chance, solid: Solid, size: int, taste: Taste) -> tuple[Solid, list[Mark]]:
    """A pip die that shows its maker's logo where the one or the six should be, and lies so that it is up."""
    style, values = taste.pips(chance), (1, 6, 2, 5, 3, 4)
    face = int(chance.integers(2))
    marks = [pips(style, value, size, maybe(chance, 0.5)) for value in values]
    marks[face] = _picture(chance, size)
    rests = solid.rests
    only = slice(face, face + 1)
    up = Rests(rests.turns[only], rests.corners_mm[only], rests.tops_mm[only], rests.up[only])
    return Solid(solid.body, solid.frames, up), marks


def _digits(chance: Chance, size: int) -> list[Mark]:
    """Numbers that no betting die shows, upside down neither; 2, 4 and 6 only inside an ornate frame."""
    style, height = numerals(chance), between(chance, 0.4, 0.7)
    framed = maybe(chance, 0.4)
    texts = ["1", "2", "3", "4", "5", "6"] if framed else ["1", "3", "5", "7", "11", "12"]
    marks = []
    for text in texts:
        tall = height * (0.7 if len(text) > 1 or framed else 1.0)
        mask = place_text(style, text, size, (0.0, 0.0), tall, 90.0 * int(chance.integers(4)))
        if framed:
            frame = square(size, 0.43, 0.03)[0] - square(size, 0.37, 0.03)[0]
            mask = np.maximum(np.maximum(mask, frame), _scrolls(chance, size))
        marks.append(Mark(mask, mask * np.float32(0.01)))
    return marks


def _scrolls(chance: Chance, size: int) -> Singles:
    """Ornaments in the corners of a face."""
    canvas = np.zeros((size, size), np.uint8)
    for x in (0.2, 0.8):
        for y in (0.2, 0.8):
            for _ in range(3):
                at = (np.array((x, y)) + chance.normal(0, 0.05, 2)) * size
                axes = chance.uniform(0.03, 0.1, 2) * size
                loop = (tuple(map(float, at)), tuple(map(float, axes)), between(chance, 0, 180))
                cv2.ellipse(canvas, loop, 255, max(1, size // 40), cv2.LINE_AA)
    return np.asarray(canvas, np.float32) / np.float32(255)


def _picture(chance: Chance, size: int) -> Mark:
    """A logo, a letter, a star, a blot: anything but pips and the signs of Zoinx."""
    fine = size * 2
    canvas = np.zeros((fine, fine), np.uint8)
    lot = chance.random()
    if lot < 0.35:
        letter = LETTERS[int(chance.integers(len(LETTERS)))]
        mask = place_text(numerals(chance), letter, size, (0.0, 0.0), between(chance, 0.35, 0.7),
                     float(chance.integers(4)) * 90)  # fmt: skip
        return Mark(mask, mask * np.float32(0.01))
    count = int(chance.integers(5, 13))
    turn = np.linspace(0, 2 * np.pi, 2 * count, endpoint=False) + chance.random()
    if lot < 0.65:  # a star, a flower, a gear
        reach = np.where(np.arange(2 * count) % 2, between(chance, 0.3, 0.6), 1.0)
    else:  # a blot, the same left and right
        half = chance.uniform(0.25, 1.0, count)
        reach = np.concatenate((half, half[::-1]))
    radius = between(chance, 0.22, 0.42) * fine
    points = fine / 2 + radius * reach[:, None] * np.column_stack((np.cos(turn), np.sin(turn)))
    cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    for _ in range(int(chance.integers(0, 4))):
        at = fine / 2 + chance.normal(0, 0.12, 2) * fine
        cv2.circle(
            canvas, (int(at[0]), int(at[1])), int(between(chance, 0.03, 0.1) * fine), 0, -1, cv2.LINE_AA
        )
    mask = np.asarray(
        cv2.resize(canvas, (size, size), interpolation=cv2.INTER_AREA), np.float32
    ) / np.float32(255)
    return Mark(mask, mask * np.float32(0.01))


def _many_sided(chance: Chance, edge_mm: float, size: int) -> tuple[Solid, list[Mark]]:
    name = str(chance.choice(("d8", "d10", "d12", "d20")))
    by = {"d8": 0.5, "d10": 0.55, "d12": 0.6, "d20": 0.62}[name]
    solid = faceted(chance, name, edge_mm * by * between(chance, 0.9, 1.15))
    style = numerals(chance)
    height = {"d8": 0.34, "d10": 0.3, "d12": 0.42, "d20": 0.34}[name] * between(chance, 0.85, 1.15)
    texts = [str(number) for number in chance.permutation(len(solid.rests.up))]
    if name == "d10" and maybe(chance, 0.3):
        texts = [f"{text}0" for text in texts]
    masks = [place_text(style, text, size, (0.0, 0.0), height, 0.0) for text in texts]
    return solid, [Mark(mask, mask * np.float32(0.01)) for mask in masks]
