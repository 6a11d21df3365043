"""Scatters things over the table, and puts hands over them."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.design import SPOTS, disc, grid, pips, place_text, square
from models.painting.materials import Color, blend, light_of, lit
from models.scenes.chance import Chance, between, clouds, maybe, noise, scaled
from models.scenes.lamps import SceneLights
from models.scenes.layout import Camera, spot
from models.scenes.styles import any_color, numerals, pick, vary, wide_ink, wide_pip_style

# Flat things that lie about on tables and are no dice: coins, buttons, pencils, cards, paper, dominoes.

FINE = 96
"""The longer side of a thing's picture, in fine pixels."""
METALS: tuple[Color, ...] = ((70, 150, 190), (180, 185, 185), (60, 95, 150), (90, 170, 205), (140, 140, 145))
PAPERS: tuple[Color, ...] = ((248, 248, 248), (225, 235, 240), (190, 220, 235), (200, 235, 250))


@dataclass(frozen=True, slots=True, eq=False)
class FlatThing:
    """A flat thing seen from above."""

    color: Singles
    """As light, h x w x 3."""
    cover: Singles
    """Where it is, h x w, 0 to 1."""
    size_mm: tuple[float, float]
    """Its picture's width and height on the table."""
    thick_mm: float
    name: str = "thing"
    places: tuple[tuple[float, float, float, float], ...] = ()
    """What on it could be taken for a die's up-face: left, top, right and bottom of each, by its size."""


def thing(chance: Chance, *, wide: bool = False) -> FlatThing:
    """One of many things; ``wide``: with prints of dice among them, and told what could be taken for one."""
    makers = WIDE_MAKERS if wide else MAKERS
    shares = np.array([share for _, share in makers])
    return makers[int(chance.choice(len(makers), p=shares / shares.sum()))][0](chance)


def _coin(chance: Chance) -> FlatThing:
    wide = between(chance, 14, 30)
    cover, inside = disc(FINE, (0, 0), 0.49)
    u, v = grid(FINE)
    way = between(chance, 0, 2 * np.pi)
    sheen = 0.75 + 0.5 * (u * np.cos(way) + v * np.sin(way)) + 0.06 * noise(chance, (FINE, FINE), 5)
    relief = 0.25 * place_text(
        numerals(chance), "1258X&"[int(chance.integers(6))], FINE, (0.0, 0.0), 0.5, 0.0
    )
    relief = relief + 0.12 * noise(chance, (FINE, FINE), 8) + 0.3 * (inside < 0.12)
    if maybe(chance, 0.25):  # a coin of two metals
        relief = relief + 0.35 * (inside > 0.35)
    color = lit(light_of(vary(chance, pick(chance, METALS), 0.15)), np.asarray(sheen + relief, np.float32))
    return FlatThing(color, cover, (wide, wide), 1.8)


def _button(chance: Chance) -> FlatThing:
    wide = between(chance, 9, 24)
    cover, inside = disc(FINE, (0, 0), 0.49)
    shade = 0.8 + 0.3 * (inside < 0.2) + 0.1 * clouds(chance, (FINE, FINE), 30, 2)
    color = lit(light_of(any_color(chance, (0, 0.9), (0.1, 1))), np.asarray(shade, np.float32))
    holes = np.zeros((FINE, FINE), np.float32)
    spread, radius = between(chance, 0.08, 0.14), between(chance, 0.03, 0.06)
    for x, y in SPOTS[2 if maybe(chance, 0.4) else 4]:
        holes = np.maximum(holes, disc(FINE, (x * spread, y * spread), radius)[0])
    return FlatThing(blend(color, light_of((25, 25, 25)), holes), cover, (wide, wide), 2.5)


def _pencil(chance: Chance) -> FlatThing:
    height, width = 12, FINE * 2
    long, thick = between(chance, 60, 170), between(chance, 5, 10)
    across = np.linspace(-1, 1, height, dtype=np.float32)[:, None]
    shade = np.repeat(np.sqrt(1 - 0.9 * across**2) + 0.4 * (np.abs(across + 0.3) < 0.15), width, axis=1)
    along = np.arange(width, dtype=np.float32) / width
    color = lit(light_of(any_color(chance, (0, 1), (0.05, 1))), np.asarray(shade, np.float32))
    tip, cap = along < between(chance, 0.05, 0.12), along > between(chance, 0.6, 0.97)
    color[:, tip] = lit(light_of((120, 175, 215)), np.asarray(shade, np.float32))[:, tip]
    color[:, cap] = lit(light_of(any_color(chance, (0, 1), (0.05, 1))), np.asarray(shade, np.float32))[:, cap]
    cover = np.asarray(np.abs(across) < np.clip(along / 0.08, 0.1, 1), np.float32)
    return FlatThing(color, cover, (long, thick), thick)


def _card(chance: Chance) -> FlatThing:
    height, width = FINE, int(FINE * 0.64)
    color = np.full((height, width, 3), vary(chance, pick(chance, PAPERS), 0.03), np.uint8)
    ink = pick(chance, ((30, 20, 190), (20, 20, 20), (120, 60, 20), (40, 120, 30)))
    if maybe(chance, 0.3):  # its back
        cv2.rectangle(color, (5, 5), (width - 6, height - 6), ink, -1)
        for line in range(-height, width + height, 7):
            cv2.line(color, (line, 0), (line + height, height), (235, 235, 235), 1, cv2.LINE_AA)
    else:
        count = int(chance.integers(1, 11))
        for number in range(count):
            column = (0.5,) if count < 4 else (0.3, 0.7)
            x = column[number % len(column)] * width
            y = height * (0.2 + 0.6 * (number // len(column) + 0.5) / max(1, -(-count // len(column))))
            cv2.circle(color, (int(x), int(y)), int(between(chance, 4, 6)), ink, -1, cv2.LINE_AA)
        cv2.putText(color, "23456789JQKA"[int(chance.integers(12))], (4, 16), 0, 0.5, ink, 1, cv2.LINE_AA)
    return FlatThing(
        _light(color),
        np.ones((height, width), np.float32),
        (between(chance, 44, 63), between(chance, 66, 90)),
        0.4,
    )


def _paper(chance: Chance) -> FlatThing:
    height, width = FINE * 2, int(FINE * between(chance, 1.2, 2.5))
    color = np.full((height, width, 3), vary(chance, pick(chance, PAPERS), 0.03), np.uint8)
    ink = any_color(chance, (0, 0.9), (0, 0.45))
    if maybe(chance, 0.6):
        for top in range(14, height, int(between(chance, 9, 22))):
            text = "".join("aeounrstlm .oO0:"[int(k)] for k in chance.integers(0, 16, 30))
            cv2.putText(
                color,
                text,
                (6, top),
                int(chance.choice((0, 3))),
                between(chance, 0.25, 0.5),
                ink,
                1,
                cv2.LINE_AA,
            )
    else:  # a scribble
        steps = np.array((width / 2, height / 2)) + np.cumsum(chance.normal(0, 14, (60, 2)), axis=0)
        cv2.polylines(color, [steps.astype(np.int32)], False, ink, int(chance.integers(1, 3)), cv2.LINE_AA)
    tall = between(chance, 40, 180)
    return FlatThing(_light(color), np.ones((height, width), np.float32), (tall * width / height, tall), 0.2)


def _domino(chance: Chance) -> FlatThing:
    half = FINE // 2
    dark = maybe(chance, 0.4)
    body, ink = (
        light_of((30, 30, 30) if dark else (215, 232, 240)),
        light_of((235, 235, 235) if dark else (25, 25, 25)),
    )
    mask = np.zeros((half, FINE), np.float32)
    for side in (0, 1):
        value = int(chance.integers(0, 7))
        for x, y in SPOTS.get(value, ()):
            spot = disc(half, (x * 0.27, y * 0.27), 0.085)[0]
            mask[:, side * half : (side + 1) * half] = np.maximum(
                mask[:, side * half : (side + 1) * half], spot
            )
    mask[4:-4, half - 1 : half + 1] = 1
    color = blend(np.broadcast_to(body, (half, FINE, 3)), ink, mask)
    wide = between(chance, 36, 52)
    return FlatThing(color, np.ones((half, FINE), np.float32), (wide, wide / 2), 6.0)


def _tile(chance: Chance) -> FlatThing:
    """A letter tile, a counter, a sticker."""
    cover = disc(FINE, (0, 0), 0.49)[0] if maybe(chance, 0.5) else square(FINE, 0.48, 0.06)[0]
    body = light_of(any_color(chance, (0, 0.8), (0.2, 1)))
    mask = np.zeros((FINE, FINE), np.float32)
    if maybe(chance, 0.6):
        letter = "ABCDEFGHKLMNRSTUVWXYZ"[int(chance.integers(21))]
        mask = place_text(numerals(chance), letter, FINE, (0.0, 0.0), between(chance, 0.3, 0.6), 0.0)
    color = blend(
        np.broadcast_to(body, (FINE, FINE, 3)), light_of(any_color(chance, (0, 0.8), (0, 0.4))), mask
    )
    wide = between(chance, 8, 26)
    return FlatThing(
        lit(color, 1 + 0.08 * clouds(chance, (FINE, FINE), 40, 2)),
        cover,
        (wide, wide),
        between(chance, 0.2, 4),
    )


def _nut(chance: Chance) -> FlatThing:
    """A nut or a washer."""
    canvas = np.zeros((FINE, FINE), np.uint8)
    turn = np.linspace(0, 2 * np.pi, 6 if maybe(chance, 0.6) else 40, endpoint=False)
    points = FINE / 2 + 0.48 * FINE * np.column_stack((np.cos(turn), np.sin(turn)))
    cv2.fillPoly(canvas, [np.round(points).astype(np.int32)], 255, cv2.LINE_AA)
    cv2.circle(canvas, (FINE // 2, FINE // 2), int(FINE * between(chance, 0.15, 0.3)), 0, -1, cv2.LINE_AA)
    shade = np.asarray(0.8 + 0.25 * noise(chance, (FINE, FINE), 30), np.float32)
    wide = between(chance, 7, 18)
    return FlatThing(
        lit(light_of(pick(chance, METALS)), shade),
        np.asarray(canvas, np.float32) / np.float32(255),
        (wide, wide),
        4,
    )


def _cable(chance: Chance) -> FlatThing:
    fine = FINE * 2
    canvas = np.zeros((fine, fine), np.uint8)
    points = np.cumsum(chance.normal(0, 1, (5, 2)), axis=0)
    points = (points - points.min(axis=0)) / np.ptp(points, axis=0) * fine * 0.9 + fine * 0.05
    knots = np.linspace(0, 4, 60)
    smooth = np.column_stack([np.interp(knots, np.arange(5), points[:, k]) for k in (0, 1)])
    smooth = np.column_stack(
        [np.convolve(np.pad(smooth[:, k], 6, "edge"), np.ones(13) / 13, "valid") for k in (0, 1)]
    )
    cv2.polylines(
        canvas, [np.round(smooth).astype(np.int32)], False, 255, int(chance.integers(4, 9)), cv2.LINE_AA
    )
    deep = cv2.distanceTransform((canvas > 127).astype(np.uint8), cv2.DIST_L2, 3)
    shade = np.asarray(np.clip(0.35 + deep / 5, 0, 1), np.float32)
    wide = between(chance, 60, 200)
    color = lit(light_of(any_color(chance, (0, 0.5), (0.05, 0.95))), shade)
    return FlatThing(color, np.asarray(canvas, np.float32) / np.float32(255), (wide, wide), 4)


def _light(color: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> Singles:
    return np.asarray((color.astype(np.float32) / np.float32(255)) ** np.float32(2.2), np.float32)


MAKERS: tuple[tuple[Callable[[Chance], FlatThing], float], ...] = (
    (_coin, 3), (_button, 1.5), (_pencil, 2), (_card, 2), (_paper, 2), (_domino, 0.8), (_tile, 2), (_nut, 1),
    (_cable, 1),
)  # fmt: skip


# Prints of dice: what shows faces, and has no body.


def _faces_printed(chance: Chance, size: int, count: int) -> list[Singles]:
    """The masks of some faces of one set: pips, signs of Zoinx or numbers."""
    lot = chance.random()
    if lot < 0.55:
        style = wide_pip_style(chance)
        return [pips(style, int(chance.integers(1, 7)), size, maybe(chance, 0.5)).mask for _ in range(count)]
    if lot < 0.75:
        half = between(chance, 0.1, 0.36)
        signs = (disc(size, (0, 0), half)[0], square(size, half, half * between(chance, 0.02, 0.3))[0])
        return [signs[int(chance.integers(2))] for _ in range(count)]
    hand, tall = numerals(chance), between(chance, 0.3, 0.8)
    texts = ("0", "2", "4", "6", "8", "10") if maybe(chance, 0.6) else ("1", "3", "5", "7", "9", "A", "X")
    drawn = [texts[int(chance.integers(len(texts)))] for _ in range(count)]
    return [place_text(hand, text, size, (0, 0), tall * (0.8 if len(text) > 1 else 1), 0) for text in drawn]


def _print(chance: Chance) -> FlatThing:
    """Paper, a rule sheet, a mat or a sticker with printed faces: in outline, filled, or marks alone."""
    columns, rows = int(chance.choice((1, 2, 3, 6), p=(0.3, 0.2, 0.25, 0.25))), int(chance.integers(1, 5))
    cell = 64 if columns * rows < 8 else 48
    gap = between(chance, 0.1, 0.8)
    step = cell * (1 + gap)
    width, height = round(columns * step + gap * cell), round(rows * step + gap * cell)
    paper = (
        vary(chance, pick(chance, PAPERS), 0.04) if maybe(chance, 0.6) else any_color(chance, (0, 1), (0, 1))
    )
    color = np.array(np.broadcast_to(light_of(paper), (height, width, 3)), np.float32)
    body = paper if maybe(chance, 0.4) else any_color(chance, (0, 1), (0, 1))
    ink = light_of(wide_ink(chance, body))
    corner, line = between(chance, 0.0, 0.2), between(chance, 0.01, 0.06)
    outlined, places = maybe(chance, 0.65), []
    outside = square(cell, 0.495, max(corner, 0.005))[0]
    rim = outside - square(cell, 0.495 - line, max(corner - line, 0.005))[0]
    shaded = maybe(chance, 0.25)
    for number, mask in enumerate(_faces_printed(chance, cell, columns * rows)):
        if maybe(chance, 0.1):
            continue
        left, top = (round(gap * cell + step * at) for at in (number % columns, number // columns))
        part = color[top : top + cell, left : left + cell]
        face = blend(part, light_of(body), outside)
        if shaded:
            face = lit(face, np.asarray(1 + 0.25 * (grid(cell)[1] - grid(cell)[0]), np.float32))
        face = blend(face, ink, np.maximum(mask, rim) if outlined else mask)
        part[:] = face
        places.append((left / width, top / height, (left + cell) / width, (top + cell) / height))
    if maybe(chance, 0.4):  # print wears off, and paper creases
        color = lit(color, 1 + 0.08 * clouds(chance, (height, width), 60, 3))
    mm = scaled(chance, 6, 30) / cell
    return FlatThing(color, np.ones((height, width), np.float32), (width * mm, height * mm),
                     between(chance, 0.05, 0.5), "print", tuple(places))  # fmt: skip


WHOLE = ((0.0, 0.0, 1.0, 1.0),)
HALVES = ((0.0, 0.0, 0.5, 1.0), (0.5, 0.0, 1.0, 1.0))


def _named(
    make: Callable[[Chance], FlatThing], name: str, places: tuple[tuple[float, float, float, float], ...]
) -> Callable[[Chance], FlatThing]:
    """The same maker, told what could be taken for a die."""
    return lambda chance: replace(make(chance), name=name, places=places)


WIDE_MAKERS: tuple[tuple[Callable[[Chance], FlatThing], float], ...] = (
    (_print, 7), (_named(_coin, "coin", WHOLE), 2), (_named(_button, "coin", WHOLE), 1.5), (_pencil, 1),
    (_named(_card, "card", ((0.0, 0.18, 1.0, 0.82),)), 2.5), (_paper, 1.5),
    (_named(_domino, "domino", HALVES), 1), (_named(_tile, "tile", WHOLE), 2),
    (_named(_nut, "coin", WHOLE), 1), (_cable, 1),
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class LaidThing:
    """A thing with its place."""

    made: FlatThing
    footprint_mm: Singles
    """Its picture's corners on the table, 4 x 2: top left, top right, bottom right, bottom left."""

    def places_mm(self) -> list[Singles]:
        """Where on the table that lies which could be taken for dice: 3 x 4 each, clockwise."""
        left_top, right_top, _, left_bottom = self.footprint_mm
        across, down = right_top - left_top, left_bottom - left_top
        out = []
        for left, top, right, bottom in self.made.places:
            ends = ((left, top), (right, top), (right, bottom), (left, bottom))
            flat = np.array([left_top + x * across + y * down for x, y in ends], np.float32)
            out.append(np.concatenate((flat.T, np.full((1, 4), self.made.thick_mm, np.float32))))
        return out


def scatter_things(chance: Chance, camera: Camera, *, wide: bool = False) -> list[LaidThing]:
    """None on half of the tables, elsewhere a few things."""
    count = 0 if maybe(chance, 0.5) else int(chance.integers(1, 7))
    lying = []
    for _ in range(count):
        made = thing(chance, wide=wide)
        x, y = spot(chance, camera, 0.0)
        turn = between(chance, 0, 2 * np.pi)
        axis = np.array((np.cos(turn), np.sin(turn)))
        side = np.array((axis[1], -axis[0]))
        half = np.array(made.size_mm) / 2
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        points = [np.array((x, y)) + a * half[0] * axis + b * half[1] * side for a, b in corners]
        lying.append(LaidThing(made, np.asarray(points, np.float32)))
    return lying


def scatter_blockers(lying: list[LaidThing]) -> list[Singles]:
    """The footprints of those on which no die can lie flat."""
    return [one.footprint_mm for one in lying if one.made.thick_mm > 2.0]


def lay_down(camera: Camera, lights: SceneLights, color: Singles, lying: list[LaidThing]) -> Singles:
    """The table's colour (h x w x 3, light) with the things on it, each with its small shadow."""
    color = color.copy()
    lamp = lights.lamps[0].place_mm
    for one in lying:
        height = one.made.thick_mm
        size_px = height * camera.focal_px / max(float(camera.eye_mm[2]), 1.0)
        blur = 0.5 + 0.25 * size_px
        goal = _pictured(camera, one.footprint_mm, height)
        shade = _pictured(
            camera, one.footprint_mm - np.clip(lamp[:2] / lamp[2], -3, 3) * np.float32(height), 0.0
        )
        both = np.concatenate((goal, shade))
        left, top = np.maximum(np.floor(both.min(axis=0) - 3 * blur), 0).astype(int)
        right, bottom = np.ceil(both.max(axis=0) + 3 * blur).astype(int)
        part = color[top : max(bottom, top), left : max(right, left)]
        if not part.size:
            continue
        corner = np.array((left, top), np.float32)
        size = (part.shape[1], part.shape[0])
        soft = int(1.8 * blur) | 1
        shadow = cv2.blur(cv2.blur(_warped(one.made.cover, shade - corner, size), (soft, soft)), (soft, soft))
        cover, picture = (_warped(what, goal - corner, size) for what in (one.made.cover, one.made.color))
        part[:] = blend(lit(part, 1 - np.float32(0.6) * np.asarray(shadow, np.float32)), picture, cover)
    return color


def _pictured(camera: Camera, corners_mm: Singles, height_mm: float) -> Singles:
    """Where the corners are seen at that height, 4 x 2."""
    ground = np.concatenate((corners_mm.T, np.full((1, 4), height_mm)))
    return camera.project(np.asarray(ground, np.float32).T)


def _warped(what: Singles, goal: Singles, size: tuple[int, int]) -> Singles:
    """A thing's cover or colour laid on four corners, in a picture of that width and height."""
    high, wide = what.shape[:2]
    shrunk = float(np.linalg.norm(goal[1] - goal[0])) / wide
    if shrunk < 0.6:  # else its pattern would turn into noise
        what = np.asarray(cv2.GaussianBlur(what, (0, 0), 0.4 / shrunk), np.float32)
    # A margin instead of cv2.BORDER_REPLICATE, with which warping takes eight times as long.
    margin = cv2.BORDER_CONSTANT if what.ndim == 2 else cv2.BORDER_REPLICATE
    what = np.asarray(cv2.copyMakeBorder(what, 2, 2, 2, 2, margin, value=0), np.float32)
    source = np.array(((2, 2), (wide + 1, 2), (wide + 1, high + 1), (2, high + 1)), np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(goal, np.float32))
    return np.asarray(cv2.warpPerspective(what, matrix, size, flags=cv2.INTER_LINEAR), np.float32)


# Hands: between the dice and the camera, reaching in from the picture's border.

SKINS: tuple[Color, ...] = (
    (110, 135, 190),
    (140, 170, 220),
    (90, 115, 170),
    (60, 85, 135),
    (40, 55, 95),
    (160, 185, 232),
)
Bone = tuple[Singles, Singles, float]
"""From one point to another (pixels), and how thick."""


@dataclass(frozen=True, slots=True, eq=False)
class Over:
    """Something between the dice and the camera."""

    cover: Singles
    """h x w, 0 to 1."""
    color: Singles
    """As light under the scene's own lamps, h x w x 3."""
    shadow: Singles
    """How much light it keeps from what is below, h x w."""


def lay_over(light: Singles, over: Over) -> Singles:
    """The light that reaches the camera past it."""
    return blend(lit(light, 1 - over.shadow), over.color, over.cover)


def hand(
    chance: Chance, camera: Camera, lights: SceneLights, goal_px: tuple[float, float], edge_px: float
) -> Over:
    """A hand whose fingers end about ``goal_px``."""
    full, small = (camera.width_px, camera.height_px), (camera.height_px // 2, camera.width_px // 2)
    thick = edge_px * between(chance, 0.35, 0.7)
    bones, sleeve = _bones(chance, full, np.asarray(goal_px, np.float32), thick)
    depth, cuff = _depth(bones, small), _depth(sleeve, small)
    shade = _shade(np.maximum(depth, cuff), lights, thick)
    skin = light_of(vary(chance, pick(chance, SKINS), 0.15))
    cloth = light_of(any_color(chance, (0, 0.8), (0.05, 0.9)))
    tint = blend(np.broadcast_to(skin, (*small, 3)), cloth, np.asarray(cuff > depth, np.float32))
    blotched = shade * (1 + 0.1 * clouds(chance, small, thick, 3))
    color = np.asarray(cv2.resize(lit(tint, np.asarray(blotched, np.float32)), full), np.float32)
    cover = np.asarray(np.clip(cv2.resize(np.maximum(depth, cuff), full) / 2 + 0.5, 0, 1), np.float32)
    lamp = lights.lamps[0].place_mm
    lift = np.clip(lamp[:2] / lamp[2], -2, 2) * edge_px * between(chance, 0.2, 1.5)
    move = np.array(((1, 0, -lift[0]), (0, 1, lift[1])), np.float32)
    soft = cv2.GaussianBlur(cv2.warpAffine(cover, move, full), (0, 0), between(chance, 0.1, 0.6) * thick)
    return Over(cover, color, np.asarray(soft * np.float32(between(chance, 0.3, 0.8)), np.float32))


def _bones(
    chance: Chance, full: tuple[int, int], goal: Singles, thick: float
) -> tuple[list[Bone], list[Bone]]:
    """The hand's bones, and the sleeve's."""
    way = between(chance, 0, 2 * np.pi)
    back = np.array((np.cos(way), np.sin(way)), np.float32)
    side = np.array((-back[1], back[0]))
    knuckles = goal + back * thick * between(chance, 2.5, 5)
    palm = knuckles + back * thick * 3.2
    bones: list[Bone] = [(knuckles + back * thick * 1.6, palm, 2.4 * thick)]
    count = int(chance.integers(1, 5))
    for finger in range(4):
        base = np.asarray(knuckles + side * thick * 1.35 * (finger - 1.5), np.float32)
        reach = 1.0 if finger < count else between(chance, 0.1, 0.4)  # the others are bent back
        tip = np.asarray(base + (goal + side * thick * 0.9 * (finger - 1.5) - base) * reach, np.float32)
        middle = np.asarray((base + tip) / 2 + side * thick * between(chance, -0.4, 0.4), np.float32)
        bones += [(base, middle, 0.75 * thick), (middle, tip, 0.65 * thick)]
    sign = -1 if maybe(chance, 0.5) else 1
    thumb = np.asarray(palm + side * sign * thick * 2.6 - back * thick, np.float32)
    bones += [
        (palm, thumb, 0.95 * thick),
        (thumb, thumb - back * thick * between(chance, 1.5, 3), 0.75 * thick),
    ]
    out = palm + back * 2.0 * max(full)
    wrist = palm + back * thick * between(chance, 2, 6)
    bones.append((palm, out, 1.7 * thick))
    return bones, [(wrist, out, 2.3 * thick)] if maybe(chance, 0.6) else []


def _depth(bones: list[Bone], small: tuple[int, int]) -> Singles:
    """How deep each second pixel lies under the outline of the bones' flesh (negative outside)."""
    rows, columns = np.mgrid[: small[0], : small[1]].astype(np.float32) * np.float32(2)
    out = np.full(small, -1e6, np.float32)
    for start, end, thick in bones:
        along = end - start
        length = float(along @ along) + 1e-6
        x, y = columns - start[0], rows - start[1]
        share = np.clip((x * along[0] + y * along[1]) / length, 0, 1)
        away = np.sqrt((x - share * along[0]) ** 2 + (y - share * along[1]) ** 2)
        np.maximum(out, np.float32(thick) - away, out=out)
    return out


def _shade(depth: Singles, lights: SceneLights, thick: float) -> Singles:
    """Light on flesh that is as round as its outline is near."""
    rise = np.sqrt(np.clip(1 - (1 - np.clip(depth / thick, 0, 1)) ** 2, 0, 1)) * thick
    rise = cv2.GaussianBlur(np.asarray(rise, np.float32), (0, 0), max(thick * 0.1, 0.8))
    right, down = cv2.Sobel(rise, cv2.CV_32F, 1, 0) / 16, cv2.Sobel(rise, cv2.CV_32F, 0, 1) / 16
    facing = 1 / np.sqrt(right * right + down * down + 1)
    shade = float(lights.room[1]) * (0.4 + 0.6 * facing)
    for lamp in lights.lamps:
        way = lamp.place_mm / np.linalg.norm(lamp.place_mm)
        shade = shade + np.clip((-right * way[0] + down * way[1] + way[2]) * facing, 0, 1) * lamp.light[1]
    return np.asarray(shade, np.float32)
