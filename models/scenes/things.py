"""Makes bodies that lie among dice and are none: dominoes, tokens, tiles, chips, bricks, pawns."""

from collections.abc import Callable

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.design import SPOTS, Design, Mark, disc, grid, place_text
from models.painting.materials import Color, Stuff
from models.painting.solids import CORNERS, CUBE, Body, Frames, Rests, Solid, cube_frames
from models.scenes.chance import Chance, between, maybe, noise, scaled
from models.scenes.styles import any_color, bake, numerals, wide_ink, wide_stuff

# The shapes of such bodies.

RING = np.array(((-1, 1), (1, 1), (1, -1), (-1, -1)), np.float32)


def box_solid(size_mm: tuple[float, float, float], bevel: float) -> Solid:
    """A box of that width, depth and height that lies on one of its two large sides; ``bevel``: the width of
    its soft edges, by half its height."""
    half = np.asarray(size_mm, np.float32) / 2
    reach = np.repeat(half, 2).astype(np.float32)
    body = Body(
        "facets",
        float(half[2]),
        float(half[2]) * bevel,
        CUBE,
        reach,
        np.asarray(CORNERS * half[:, None], np.float32),
    )
    plain = cube_frames(float(max(size_mm)))
    frames = Frames(np.asarray(CUBE * reach[:, None], np.float32), plain.right, plain.up, plain.edge_mm)
    return Solid(body, frames, _flat_rests(frames, (4, 5), np.asarray(RING * half[:2], np.float32)))


def prism_solid(corners: int, radius_mm: float, height_mm: float, taper: float = 0.0) -> Solid:
    """An upright body with so many sides: a tile with six corners, or a disc with very many. ``taper``: how
    much narrower it becomes a millimetre upwards, by a millimetre."""
    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.stack((np.cos(turn), np.sin(turn), np.zeros(corners)), axis=1)
    lean = np.hypot(1.0, taper)
    sides = (ring + np.array((0, 0, taper))) / lean
    ends = np.array(((0, 0, 1), (0, 0, -1)), np.float64)
    normals = np.concatenate((ends, sides)).astype(np.float32)
    half = height_mm / 2
    reach = np.asarray([half, half] + [radius_mm / lean] * corners, np.float32)
    between_sides = np.stack((np.cos(turn + np.pi / corners), np.sin(turn + np.pi / corners)))
    wide = between_sides / np.cos(np.pi / corners)
    levels = [
        np.concatenate((wide * (radius_mm - taper * z), np.full((1, corners), z))) for z in (half, -half)
    ]
    hull = np.asarray(np.concatenate(levels, axis=1), np.float32)
    up = np.concatenate((np.tile((0, 1.0, 0), (2, 1)), np.tile((0, 0, 1.0), (corners, 1))))
    right = np.cross(up, normals)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(normals, right)
    edge = 2 * radius_mm / float(np.cos(np.pi / corners))
    middle = np.asarray(normals * reach[:, None], np.float32)
    frames = Frames(middle, right.astype(np.float32), up.astype(np.float32), max(edge, height_mm))
    body = Body("facets", half, 0.12 * half, normals, reach, hull)
    shown = 0.8 * (radius_mm - taper * half)
    return Solid(body, frames, _flat_rests(frames, (0, 1), RING * np.float32(shown)))


def _flat_rests(frames: Frames, faces: tuple[int, int], corners: Singles) -> Rests:
    """Lying with one of these faces up; ``corners`` are a rectangle's on it, 4 x 2."""
    chosen = list(faces)
    right, up, middle = frames.right[chosen], frames.up[chosen], frames.middle[chosen]
    normal = np.cross(right, up)
    outline = middle[:, :, None] + right[:, :, None] * corners[:, 0] + up[:, :, None] * corners[:, 1]
    turns = np.stack((right, up, normal), axis=1)
    return Rests(
        turns.astype(np.float32),
        outline.astype(np.float32),
        np.asarray(middle, np.float32),
        tuple((face,) for face in faces),
    )


# What they are: each maker takes the chance that a set has in common, the chance of one piece, the dice's
# edge in mm and the texels of a face.


def _blank(size: int) -> Mark:
    empty = np.zeros((size, size), np.float32)
    return Mark(empty, empty)


def _dots(size: int, middle: tuple[float, float], spread: float, radius: float, value: int) -> Singles:
    """The dots of a domino's half."""
    mask = np.zeros((size, size), np.float32)
    for x, y in _DOMINO_SPOTS[value]:
        at = (middle[0] + x * spread, middle[1] + y * spread)
        mask = np.maximum(mask, disc(size, at, radius)[0])
    return mask


_DOMINO_SPOTS: dict[int, tuple[tuple[float, float], ...]] = {
    0: (),
    **SPOTS,
    7: (*SPOTS[6], (0, 0)),
    8: (*SPOTS[6], (0, -1), (0, 1)),
    9: (*SPOTS[6], (0, -1), (0, 0), (0, 1)),
}


def domino(chance: Chance, piece: Chance, edge_mm: float, size: int) -> Design:
    """Two joined halves with dots, sunk or raised, with a line between them or none."""
    long = 2 * edge_mm * between(chance, 0.9, 1.5)
    wide = long / between(chance, 1.85, 2.1)
    solid = box_solid((long, wide, wide * between(chance, 0.18, 0.55)), between(chance, 0.05, 0.5))
    most = 6 if maybe(chance, 0.8) else 9
    half_wide = 0.5 * wide / long
    spread, radius = half_wide * between(chance, 0.5, 0.62), half_wide * between(chance, 0.13, 0.24)
    values = [int(value) for value in piece.integers(0, most + 1, 2)]
    mask = np.zeros((size, size), np.float32)
    for side, value in zip((-0.25, 0.25), values, strict=True):
        mask = np.maximum(mask, _dots(size, (side, 0.0), spread, radius, value))
    relief = np.asarray(cv2.GaussianBlur(mask, (0, 0), max(radius * size / 3, 0.8)), np.float32)
    relief = relief * np.float32(radius * between(chance, -0.5, 0.5))
    u, v = grid(size)
    if maybe(chance, 0.85):
        line = (np.abs(u) < between(chance, 0.004, 0.012)) & (np.abs(v) < half_wide * between(chance, 0.6, 1))
        mask = np.maximum(mask, line.astype(np.float32))
    if maybe(chance, 0.2):  # the pin that the halves turn about
        mask = np.asarray(mask * (1 - disc(size, (0, 0), 0.05)[0]), np.float32)
    color = any_color(chance, (0.4, 1), (0.1, 0.9)) if maybe(chance, 0.3) else None
    back = _blank(size)
    if maybe(chance, 0.3):
        star = place_text(numerals(chance), "X*&#"[int(chance.integers(4))], size, (0.0, 0.0), 0.3, 0.0)
        back = Mark(star, star * np.float32(0.01))
    marks = [*(_blank(size) for _ in range(4)), Mark(mask, relief, color), back]
    return _baked(chance, "domino", solid, marks, _stuff_of_domino(chance))


def _stuff_of_domino(chance: Chance) -> Stuff:
    if maybe(chance, 0.35):
        return wide_stuff(chance)
    return wide_stuff(chance, ("white", "ivory", "black", "brown"), ("plain", "pearl", "wood", "marbled"))


def token(chance: Chance, piece: Chance, edge_mm: float, size: int) -> Design:
    """A disc with a number, mostly with dots below it, as games with hexagons have them."""
    radius = edge_mm * between(chance, 0.5, 1.1)
    solid = prism_solid(16, radius, radius * scaled(chance, 0.08, 0.5))
    number = int(piece.integers(0, 13))
    height = between(chance, 0.26, 0.5)
    lift = between(chance, 0.0, 0.12)
    mask = place_text(numerals(chance), str(number), size, (0.0, lift), height, 0.0)
    if maybe(chance, 0.75):
        count = max(1, 6 - abs(7 - number)) if maybe(chance, 0.8) else int(chance.integers(1, 6))
        gap, low = between(chance, 0.06, 0.1), lift - height / 2 - between(chance, 0.06, 0.12)
        for place in range(count):
            at = ((place - (count - 1) / 2) * gap, low)
            mask = np.maximum(mask, disc(size, at, gap * between(chance, 0.25, 0.42))[0])
    if maybe(chance, 0.5):
        mask = np.maximum(mask, _ring(size, between(chance, 0.38, 0.46), between(chance, 0.008, 0.03)))
    red = maybe(chance, 0.6)
    color: Color | None = (30, 30, 190) if red and number in (6, 8) else None
    return _baked(chance, "token", solid, [Mark(mask, mask * 0, color)], _pale_or_any(chance))


def chip(chance: Chance, _piece: Chance, edge_mm: float, size: int) -> Design:
    """A chip for betting: rings, bars at its rim, a value or nothing."""
    radius = edge_mm * between(chance, 0.7, 1.5)
    solid = prism_solid(16, radius, radius * between(chance, 0.12, 0.25))
    u, v = grid(size)
    angle, away = np.arctan2(v, u), np.hypot(u, v)
    bars = int(chance.integers(4, 9))
    rim = (np.cos(angle * bars) > between(chance, -0.3, 0.6)) & (away > between(chance, 0.33, 0.4))
    mask = np.asarray(rim, np.float32)
    if maybe(chance, 0.6):
        mask = np.maximum(mask, _ring(size, between(chance, 0.22, 0.32), between(chance, 0.01, 0.04)))
    if maybe(chance, 0.6):
        text = ("1", "5", "10", "25", "50", "100", "2", "4", "8")[int(chance.integers(9))]
        mask = np.maximum(
            mask, place_text(numerals(chance), text, size, (0, 0), between(chance, 0.12, 0.3), 0.0)
        )
    elif maybe(chance, 0.5):
        mask = np.maximum(mask, disc(size, (0, 0), between(chance, 0.05, 0.2))[0])
    return _baked(chance, "chip", solid, [Mark(mask, mask * 0)], wide_stuff(chance))


def tile(chance: Chance, piece: Chance, edge_mm: float, size: int) -> Design:
    """A flat tile with a letter, a number or a picture: square, oblong or with six corners."""
    wide = edge_mm * between(chance, 0.8, 1.4)
    lot = chance.random()
    if lot < 0.25:
        solid = prism_solid(6, wide / 2 * 1.1, wide * between(chance, 0.08, 0.3))
    else:
        long = wide * (1.0 if lot < 0.7 else between(chance, 1.15, 1.5))
        solid = box_solid((wide, long, wide * scaled(chance, 0.1, 0.5)), between(chance, 0.05, 0.4))
    mask = np.zeros((size, size), np.float32)
    lot = chance.random()
    if lot < 0.6:
        signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if maybe(chance, 0.7) else "0123456789"
        letter = signs[int(piece.integers(len(signs)))]
        mask = place_text(numerals(chance), letter, size, (0.0, 0.03), between(chance, 0.35, 0.6), 0.0)
        if maybe(chance, 0.6):
            small = place_text(numerals(chance), str(piece.integers(1, 11)), size, (0.28, -0.3), 0.14, 0.0)
            mask = np.maximum(mask, small)
    elif lot < 0.85 and solid.body.half_mm < 0.15 * wide:  # circles, as on the tiles of mahjong
        count = int(piece.integers(1, 10))
        spots = _DOMINO_SPOTS[count]
        radius = between(chance, 0.06, 0.1) if count > 1 else between(chance, 0.1, 0.25)
        for x, y in spots:
            one = disc(size, (x * 0.22, y * 0.3), radius)[0]
            if maybe(chance, 0.5):
                one = one - disc(size, (x * 0.22, y * 0.3), radius * 0.6)[0]
            mask = np.maximum(mask, one)
    return _baked(chance, "tile", solid, [Mark(mask, mask * np.float32(between(chance, 0, 0.02)))],
                  _pale_or_any(chance))  # fmt: skip


def brick(chance: Chance, _piece: Chance, edge_mm: float, size: int) -> Design:
    """A toy brick with round studs: one, two or more in a row."""
    rows, columns = int(chance.integers(1, 3)), int(chance.integers(1, 5))
    pitch = edge_mm * between(chance, 0.35, 0.7)
    solid = box_solid((columns * pitch, rows * pitch, pitch * between(chance, 0.4, 1.2)), 0.1)
    most = max(rows, columns)
    dent, mask = np.zeros((size, size), np.float32), np.zeros((size, size), np.float32)
    rim = between(chance, 0.0, 0.35)
    for row in range(rows):
        for column in range(columns):
            at = ((column - (columns - 1) / 2) / most, (row - (rows - 1) / 2) / most)
            stud = disc(size, at, 0.3 / most)[0]
            dent = np.maximum(dent, stud)
            mask = np.maximum(mask, (stud - disc(size, at, 0.25 / most)[0]) * np.float32(rim))
    smooth = cv2.GaussianBlur(dent, (0, 0), max(0.03 * size / most, 0.7))
    bump = np.asarray(smooth, np.float32) * np.float32(-0.1 / most)
    made = wide_stuff(chance, names=("plain", "plain", "glass"))
    return _baked(chance, "brick", solid, [Mark(mask, bump)], made)


def pawn(chance: Chance, _piece: Chance, edge_mm: float, size: int) -> Design:
    """A cone, a peg or a low cylinder that stands."""
    radius = edge_mm * between(chance, 0.25, 0.6)
    height = radius * between(chance, 0.7, 3.0)
    taper = between(chance, 0.0, 0.85) * radius / height
    solid = prism_solid(16, radius, height, taper)
    mask = np.zeros((size, size), np.float32)
    if maybe(chance, 0.3):
        mask = disc(size, (0, 0), between(chance, 0.05, 0.2))[0]
    return _baked(chance, "pawn", solid, [Mark(mask, mask * np.float32(0.03))], wide_stuff(chance))


def coin(chance: Chance, _piece: Chance, edge_mm: float, size: int) -> Design:
    """A coin with a relief that shines, or a button with holes."""
    radius = edge_mm * between(chance, 0.45, 1.0)
    solid = prism_solid(16, radius, radius * between(chance, 0.08, 0.3))
    if maybe(chance, 0.3):
        spread, hole = between(chance, 0.07, 0.13), between(chance, 0.03, 0.07)
        mask = _dots(size, (0.0, 0.0), spread, hole, 2 if maybe(chance, 0.4) else 4)
        return _baked(chance, "coin", solid, [Mark(mask, mask * np.float32(0.1))], wide_stuff(chance))
    relief = 0.02 * noise(chance, (size, size), size / 8)
    text = ("1", "2", "5", "10", "20", "50")[int(chance.integers(6))]
    relief = relief + 0.02 * place_text(numerals(chance), text, size, (0, 0), between(chance, 0.3, 0.6), 0.0)
    relief = relief + 0.02 * _ring(size, 0.45, 0.03)
    made = wide_stuff(chance, ("yellow", "grey", "brown"), ("metal",))
    return _baked(chance, "coin", solid, [Mark(np.zeros_like(relief), -np.asarray(relief, np.float32))], made)


def _ring(size: int, radius: float, width: float) -> Singles:
    return np.asarray(disc(size, (0, 0), radius)[0] - disc(size, (0, 0), radius - width)[0], np.float32)


def _pale_or_any(chance: Chance) -> Stuff:
    if maybe(chance, 0.5):
        return wide_stuff(chance, ("white", "ivory", "yellow", "brown"), ("plain", "wood", "pearl"))
    return wide_stuff(chance)


def _baked(chance: Chance, name: str, solid: Solid, marks: list[Mark], made: Stuff) -> Design:
    """The body with its marks; one mark alone is its upper side's and, at times, its lower one's."""
    count, size = len(solid.frames.middle), marks[0].mask.shape[0]
    if len(marks) == 1:
        (top,) = marks
        faces = [_blank(size) for _ in range(count)]
        first, second = (face for (face,) in solid.rests.up)
        faces[first] = top
        faces[second] = top if maybe(chance, 0.7) else faces[second]
        marks = faces
    return bake(chance, "thing", made, solid, (name,) * len(solid.rests.up), marks, wide_ink)


MAKERS: tuple[tuple[Callable[[Chance, Chance, float, int], Design], float], ...] = (
    (domino, 5), (token, 2.5), (chip, 1.5), (tile, 2.5), (brick, 1), (pawn, 1), (coin, 1.5),
)  # fmt: skip


def things(chance: Chance, edge_mm: float, size: int) -> list[Design]:
    """Some things of one set, each with marks of its own."""
    shares = np.array([share for _, share in MAKERS])
    maker = MAKERS[int(chance.choice(len(MAKERS), p=shares / shares.sum()))][0]
    style = int(chance.integers(1 << 31))
    count = int(chance.choice((1, 2, 4, 8, 20), p=(0.3, 0.25, 0.2, 0.15, 0.1)))
    if maker is not domino:  # many sides take long to paint
        count, size = min(count, 6), min(size, 112)
    pieces = range(style, style + count) if maybe(chance, 0.85) else [style] * count
    return [
        maker(np.random.default_rng(style), np.random.default_rng(piece), edge_mm, size) for piece in pieces
    ]
