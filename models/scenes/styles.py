"""Chooses how dice are made: colours, stuffs, shapes, pips and numbers."""

import colorsys
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.design import LARGEST_ONE, Design, Kind, Mark, Numerals, PipStyle, Value, lay_out, relief
from models.painting.materials import (
    BODIES,
    DARK_INKS,
    LIGHT_INKS,
    VIVID_INKS,
    Color,
    Stuff,
    blend,
    light_of,
    lightness,
    lit,
)
from models.painting.solids import (
    Body,
    Frames,
    Rests,
    Solid,
    cube,
    cube_frames,
    cube_rests,
    facets,
    tetrahedron,
)
from models.scenes.chance import Chance, between, clouds, maybe, noise, scaled

FONTS = (0, 1, 2, 3, 4, cv2.FONT_ITALIC)
"""Hershey's stroke fonts."""
TYPEFACES = ("sans", "italic", "uni")
"""OpenCV's own: Rubik upright and slanted, from light to black, and WenQuanYi Micro Hei."""


def pip_style(chance: Chance) -> PipStyle:
    """A maker's way with pips."""
    spread = between(chance, 0.215, 0.3)
    radius = min(between(chance, 0.058, 0.135), 0.46 * spread, 0.485 - spread)
    asian = maybe(chance, 0.12)
    one = between(chance, 1.5, 2.2) if asian else between(chance, 0.95, 1.15)
    if not asian and maybe(chance, 0.06):
        one = between(chance, 1.3, 1.8)
    narrow = between(chance, 0.72, 1.0) if maybe(chance, 0.4) else 1.0
    depth = 0.0 if maybe(chance, 0.35) else between(chance, 0.15, 1.0)
    form = str(chance.choice(("disc", "ring", "eye", "block"), p=(0.93, 0.025, 0.02, 0.025)))
    return PipStyle(radius, spread, narrow, min(one, LARGEST_ONE / radius), asian, depth, form)


def numerals(chance: Chance) -> Numerals:
    """A maker's way with numbers."""
    font: int | str | None = None
    lot = chance.random()
    if lot < 0.4:
        font = str(chance.choice(TYPEFACES, p=(0.5, 0.15, 0.35)))
    elif lot < 0.6:
        font = int(chance.choice(FONTS))
    weight = between(chance, 0.05, 0.14) if isinstance(font, int) else between(chance, 0.05, 0.24)
    slant = 0.0 if maybe(chance, 0.7) else between(chance, -0.05, 0.25)
    bar = str(chance.choice(("", "_", "."), p=(0.55, 0.35, 0.1)))
    return Numerals(
        font, weight, between(chance, 0.75, 1.3), slant, maybe(chance, 0.4), bar,
        nib=between(chance, 0.2, 0.8) if maybe(chance, 0.5) else 1.0,
        serif=between(chance, 0.15, 0.4) if maybe(chance, 0.4) else 0.0,
        round_zero=maybe(chance, 0.6),
    )  # fmt: skip


# Colours that chance chooses, of dice and of what is printed on them.

COLOR_SHARES: dict[str, float] = {
    "white": 5, "ivory": 3.5, "black": 2.5, "grey": 0.8, "red": 3, "orange": 1, "yellow": 1.3, "green": 2.2,
    "turquoise": 0.8, "blue": 2.6, "purple": 1.2, "pink": 0.9, "brown": 1,
}  # fmt: skip


def body_color(chance: Chance, words: tuple[str, ...] = tuple(BODIES)) -> tuple[str, Color]:
    """A word and a colour that goes by it."""
    shares = np.array([COLOR_SHARES[word] for word in words])
    word = words[int(chance.choice(len(words), p=shares / shares.sum()))]
    return word, vary(chance, pick(chance, BODIES[word]), 0.05)


def pick(chance: Chance, colors: tuple[Color, ...]) -> Color:
    """One of several colours."""
    return colors[int(chance.integers(len(colors)))]


def vary(chance: Chance, color: Color, by: float) -> Color:
    """Nearly the same colour."""
    blue, green, red = (min(max(part * (1 + between(chance, -by, by)), 0.0), 255.0) for part in color)
    return blue, green, red


def any_color(chance: Chance, saturation: tuple[float, float], value: tuple[float, float]) -> Color:
    """Any hue, with its strength and brightness (0 to 1) between these."""
    red, green, blue = colorsys.hsv_to_rgb(
        chance.random(), between(chance, *saturation), between(chance, *value)
    )
    return blue * 255, green * 255, red * 255


def ink_for(chance: Chance, body: Color) -> Color:
    """A colour that can be read on that body."""
    light = lightness(body)
    plain = DARK_INKS if light > (150 if maybe(chance, 0.5) else 110) else LIGHT_INKS
    if maybe(chance, 0.16):
        bold = [ink for ink in VIVID_INKS if abs(lightness(ink) - light) > 70]
        if bold:
            return vary(chance, pick(chance, tuple(bold)), 0.1)
    return vary(chance, pick(chance, plain), 0.08)


# What a maker makes dice of, as chance has it: the stuff, and how it colours a body.

STUFFS = ("plain", "pearl", "marbled", "speckled", "wood", "glass", "gem", "metal")
STUFF_SHARES = (0.5, 0.06, 0.13, 0.05, 0.06, 0.12, 0.04, 0.04)


def stuff(chance: Chance, words: tuple[str, ...] = tuple(BODIES), names: tuple[str, ...] = STUFFS) -> Stuff:
    """A material, in one of these colours."""
    shares = np.array([STUFF_SHARES[STUFFS.index(name)] for name in names])
    name = str(chance.choice(names, p=shares / shares.sum()))
    if name == "wood" and {"brown", "ivory"} & set(words) and maybe(chance, 0.7):
        words = tuple(word for word in words if word in ("brown", "ivory"))
    if name == "metal" and {"grey", "yellow", "brown", "black"} & set(words):
        words = tuple(word for word in words if word in ("grey", "yellow", "brown", "black"))
    word, color = body_color(chance, words)
    strength = between(chance, 0.25, 1.0)
    stranger = (
        any_color(chance, (0.2, 0.9), (0.1, 0.95)) if maybe(chance, 0.35) else pick(chance, BODIES[word])
    )
    other = tuple(a + (b - a) * strength for a, b in zip(color, vary(chance, stranger, 0.25), strict=True))
    matt = maybe(chance, 0.3)
    rough = between(chance, 0.35, 0.8) if matt else scaled(chance, 0.03, 0.3)
    glass = {"glass": between(chance, 0.4, 0.9), "gem": between(chance, 0.5, 0.95), "pearl": 0.15}.get(
        name, 0.0
    )
    metal = between(chance, 0.6, 1.0) if name == "metal" else 0.0
    gloss = 0.5 if metal else between(chance, 0.02, 0.08) * (0.5 if name == "wood" else 1.0)
    return Stuff(name, word, color, (other[0], other[1], other[2]), gloss, rough, metal, glass)


def coat(chance: Chance, made: Stuff, shape: tuple[int, int], size: int) -> Singles:
    """The body's colour as light over a strip of faces (``shape`` texels, faces ``size`` wide), x 3."""
    base, other = light_of(made.color), light_of(made.other)
    share: Singles
    if made.name == "marbled":
        warp = clouds(chance, shape, size * scaled(chance, 0.25, 0.9), 3)
        share = np.asarray(0.5 + 0.5 * np.sin(warp * between(chance, 1.0, 4.5)), np.float32)
        share = np.asarray(share ** between(chance, 0.7, 2.5), np.float32)
    elif made.name == "speckled":
        dots = noise(chance, shape, max(size * scaled(chance, 0.02, 0.07), 1.0))
        share = np.asarray(np.clip((dots - between(chance, 0.6, 1.5)) * 4, 0, 1), np.float32)
    elif made.name == "wood":
        grain = noise(chance, shape, size * 0.8, size * scaled(chance, 0.02, 0.08))
        share = np.asarray(np.clip(0.3 + 0.3 * grain, 0, 1) * 0.6, np.float32)
    elif made.name in ("pearl", "gem", "metal"):
        share = np.asarray(np.clip(0.3 + 0.25 * clouds(chance, shape, size * 0.5, 4), 0, 1), np.float32)
    else:
        share = np.zeros(shape, np.float32)
    out = blend(base, other, share)
    if maybe(chance, 0.4):  # handled, faded, dusty
        out = lit(out, 1 + between(chance, 0.02, 0.12) * clouds(chance, shape, size * 0.3, 3))
    return np.asarray(np.clip(out, 0.004, 0.98), np.float32)


# The shapes of dice as chance has them: razor-edged, round, cut, blunt, with many faces.


def cube_body(chance: Chance, edge_mm: float) -> Body:
    """From a razor-edged casino die to one that is nearly a ball."""
    if maybe(chance, 0.35):
        return cube(edge_mm, 0.0, between(chance, 1.22, 1.6))
    return cube(edge_mm, 0.012 if maybe(chance, 0.15) else between(chance, 0.03, 0.24))


def cube_solid(chance: Chance, edge_mm: float) -> Solid:
    """Any die's cube."""
    frames = cube_frames(edge_mm)
    return Solid(cube_body(chance, edge_mm), frames, cube_rests(frames))


def four_sided(chance: Chance, edge_mm: float) -> Solid:
    """A D4, sharp or blunt."""
    return tetrahedron(edge_mm, blunt=between(chance, 0.78, 0.99), bevel=between(chance, 0.02, 0.12))


def faceted(chance: Chance, name: str, radius_mm: float) -> Solid:
    """A die of flat faces about a ball of that radius; which way up the numbers are is left to chance."""
    normals, corners = facets(name)
    helper = chance.standard_normal(normals.shape)
    right = np.cross(helper, normals)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(normals, right)
    on_face = normals @ corners.T > 1 - 1e-3
    wide = float(np.linalg.norm(corners[on_face[0]] - normals[0], axis=1).max()) * radius_mm
    middle = np.asarray(normals * np.float32(radius_mm), np.float32)
    frames = Frames(middle, right.astype(np.float32), up.astype(np.float32), 2 * wide)
    reach = np.full(len(normals), radius_mm, np.float32)
    body = Body(
        "facets",
        radius_mm,
        radius_mm * between(chance, 0.01, 0.06),
        normals,
        reach,
        corners.T * np.float32(radius_mm),
    )
    turns = np.stack((right, up, normals), axis=1).astype(np.float32)
    outline = np.stack(
        [_four(corners[row] * radius_mm, normal) for row, normal in zip(on_face, normals, strict=True)]
    )
    return Solid(body, frames, Rests(turns, outline, middle, tuple((k,) for k in range(len(normals)))))


def _four(corners: Singles, normal: Singles) -> Singles:
    """Four points (3 x 4) about a face's corners: a square in its plane that is as wide as the face."""
    middle = corners.mean(axis=0)
    arm = corners[0] - middle
    other = np.cross(normal, arm)
    return np.asarray((middle + np.stack((arm, other, -arm, -other))).T, np.float32)


# Bakes a die's design: body and marks laid into its strip, worn as chance will have it.


def bake(chance: Chance, kind: Kind, made: Stuff, solid: Solid, values: tuple[Value, ...],
         marks: list[Mark], choose_ink: Callable[[Chance, Color], Color] = ink_for) -> Design:  # fmt: skip
    """Paints body and marks into the strip, worn as chance will have it."""
    size = marks[0].mask.shape[0]
    shape = (size * len(marks), size)
    mask, dent = lay_out(marks)
    color = coat(chance, made, shape, size)
    ink = light_of(choose_ink(chance, made.color))
    plain = [ink if mark.color is None else light_of(mark.color) for mark in marks]
    inks = np.concatenate([np.broadcast_to(one, (size, size, 3)) for one in plain])
    if maybe(chance, 0.2):  # worn paint
        bare = clouds(chance, shape, size * between(chance, 0.08, 0.3), 3)
        mask = np.asarray(
            mask * np.clip(1.2 + between(chance, 0.3, 1.2) - np.abs(bare) * 1.2, 0.25, 1), np.float32
        )
    if maybe(chance, 0.25):  # dirt in the dents, or pips that let the body show
        mask = mask * np.float32(between(chance, 0.75, 1.0))
    color = blend(color, inks, mask)
    color = lit(color, 1 - between(chance, 0.0, 0.35) * np.clip(dent * 20, 0, 1))
    ripple = np.zeros(shape, np.float32)
    if maybe(chance, 0.35):  # tumbled plastic is never quite flat
        ripple = clouds(chance, shape, size * between(chance, 0.1, 0.6), 2) * np.float32(
            between(chance, 0, 0.04)
        )
    slopes = relief(mask, dent, between(chance, -0.3, 0.8), ripple)
    return Design(kind, made, solid.body, solid.frames, values, solid.rests, size, color, slopes)


# How far makers go: the dice that are sold everywhere, or whatever a die may look like.


@dataclass(frozen=True, slots=True)
class Taste:
    """What makers choose among; lengths in edges."""

    stuff: Callable[..., Stuff]
    ink: Callable[[Chance, Color], Color]
    pips: Callable[[Chance], PipStyle]
    dot: tuple[float, float]
    """A Zoinx dot's radius."""
    square: tuple[float, float]
    """Half a Zoinx square's side."""
    digits: tuple[float, float]
    """How tall a betting die's numbers are."""


def wide_stuff(
    chance: Chance, words: tuple[str, ...] = tuple(BODIES), names: tuple[str, ...] = STUFFS
) -> Stuff:
    """A material of any colour: half of them the usual ones, the others dark, grey or of any hue, and more
    often clear or marbled."""
    if maybe(chance, 0.5):
        return stuff(chance, words, names)
    shares = np.array([WIDE_STUFF_SHARES[STUFFS.index(name)] for name in names])
    name = str(chance.choice(names, p=shares / shares.sum()))
    lot = chance.random()
    if lot < 0.3:
        color = any_color(chance, (0.0, 0.5), (0.03, 0.35))
    elif lot < 0.5:
        color = any_color(chance, (0.0, 0.12), (0.2, 0.75))
    else:
        color = any_color(chance, (0.3, 1.0), (0.2, 1.0))
    other = any_color(chance, (0.0, 1.0), (0.05, 1.0))
    strength = between(chance, 0.2, 1.0)
    mixture = tuple(a + (b - a) * strength for a, b in zip(color, other, strict=True))
    rough = between(chance, 0.35, 0.8) if maybe(chance, 0.3) else scaled(chance, 0.02, 0.3)
    glass = {"glass": between(chance, 0.4, 0.97), "gem": between(chance, 0.5, 0.97), "pearl": 0.2}
    metal = between(chance, 0.6, 1.0) if name == "metal" else 0.0
    gloss = 0.5 if metal else between(chance, 0.02, 0.1)
    word = _nearest_word(color)
    return Stuff(
        name, word, color, (mixture[0], mixture[1], mixture[2]), gloss, rough, metal, glass.get(name, 0.0)
    )


WIDE_STUFF_SHARES = (0.34, 0.06, 0.22, 0.06, 0.03, 0.19, 0.06, 0.04)


def _nearest_word(color: Color) -> str:
    """The plain word whose colours lie nearest."""
    away = {
        word: min(sum((a - b) ** 2 for a, b in zip(color, each, strict=True)) for each in colors)
        for word, colors in BODIES.items()
    }
    return min(away, key=lambda word: away[word])


def wide_ink(chance: Chance, body: Color) -> Color:
    """Any colour that can be told from the body: by its light, by its hue alone, or hardly, as where marks
    were never painted."""
    lot = chance.random()
    if lot < 0.35:
        return ink_for(chance, body)
    if lot < 0.42:
        shade = between(chance, 0.55, 1.35)
        return vary(chance, (body[0] * shade, body[1] * shade, body[2] * shade), 0.05)
    for _ in range(20):
        ink = any_color(chance, (0.0, 1.0), (0.0, 1.0)) if maybe(chance, 0.7) else pick(chance, VIVID_INKS)
        hue = max(abs(a - b) for a, b in zip(ink, body, strict=True))
        if abs(lightness(ink) - lightness(body)) > 60 or (hue > 110 and maybe(chance, 0.6)):
            return ink
    return ink_for(chance, body)


def wide_pip_style(chance: Chance) -> PipStyle:
    """Pips from pinheads to such as nearly touch, near the middle or at the edges."""
    if maybe(chance, 0.4):
        return pip_style(chance)
    spread = between(chance, 0.17, 0.33)
    radius = min(scaled(chance, 0.045, 0.15), 0.47 * spread, 0.49 - spread)
    one = between(chance, 1.3, 2.4) if maybe(chance, 0.25) else between(chance, 0.9, 1.2)
    narrow = between(chance, 0.65, 1.0) if maybe(chance, 0.5) else 1.0
    depth = 0.0 if maybe(chance, 0.25) else between(chance, 0.3, 1.4)
    form = str(chance.choice(("disc", "ring", "eye", "block"), p=(0.92, 0.03, 0.03, 0.02)))
    return PipStyle(radius, spread, narrow, min(one, LARGEST_ONE / radius), maybe(chance, 0.15), depth, form)


USUAL = Taste(stuff, ink_for, pip_style, dot=(0.21, 0.34), square=(0.19, 0.34), digits=(0.42, 0.72))
WIDE = Taste(wide_stuff, wide_ink, wide_pip_style, dot=(0.1, 0.36), square=(0.1, 0.36), digits=(0.3, 0.8))
