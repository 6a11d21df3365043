"""Paints what dice lie on: felt, wood, paper, leather, stone, mats, trays."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.materials import Color, blend, light_of, lit
from models.scenes.chance import Chance, between, clouds, maybe, noise, scaled
from models.scenes.styles import any_color, pick, vary

Shape = tuple[int, int]


@dataclass(frozen=True, slots=True, eq=False)
class TableTop:
    """A table's top, seen square on."""

    color: Singles
    """As light, height x width x 3."""
    gloss: float
    rough: float


@dataclass(frozen=True, slots=True)
class Canvas:
    """What a painter works on; sizes of patterns go by the dice's edge."""

    shape: Shape
    edge_px: float
    wide: bool = False
    """Whether also tartan, batik, terrazzo and glass are painted."""


Painter = Callable[[Chance, Canvas], TableTop]
WOODS: tuple[Color, ...] = ((60, 90, 140), (40, 60, 130), (110, 150, 190), (140, 175, 205), (30, 40, 70),
                            (45, 80, 170), (150, 165, 180), (70, 85, 100))  # fmt: skip
FELTS: tuple[Color, ...] = (
    (58, 92, 34),
    (110, 60, 20),
    (35, 25, 120),
    (40, 36, 34),
    (70, 40, 60),
    (120, 110, 100),
)
PALES: tuple[Color, ...] = (
    (235, 235, 235),
    (210, 214, 216),
    (190, 205, 215),
    (225, 220, 210),
    (170, 172, 172),
)


def mixed(first: Color, second: Color, share: Singles) -> Singles:
    """From one colour to another, pixel by pixel."""
    return blend(light_of(first), light_of(second), np.clip(share, 0, 1))


def plain(chance: Chance, canvas: Canvas) -> TableTop:
    """Paper, card, a lacquered or plastic top: nearly one colour."""
    base = pick(chance, PALES) if maybe(chance, 0.55) else any_color(chance, (0, 0.9), (0.05, 1))
    shade = 1 + between(chance, 0, 0.05) * clouds(
        chance, canvas.shape, canvas.edge_px * scaled(chance, 0.3, 8), 3
    )
    if maybe(chance, 0.4):
        shade = shade + between(chance, 0.01, 0.08) * noise(chance, canvas.shape, 1.5)
    return TableTop(
        lit(light_of(vary(chance, base, 0.1)), shade), between(chance, 0.01, 0.06), scaled(chance, 0.05, 0.6)
    )


def felt(chance: Chance, canvas: Canvas) -> TableTop:
    """Felt or velours: fibres without direction."""
    base = pick(chance, FELTS) if maybe(chance, 0.6) else any_color(chance, (0.1, 0.9), (0.1, 0.8))
    fibre = noise(chance, canvas.shape, 1.2) + noise(chance, canvas.shape, max(0.05 * canvas.edge_px, 1.5))
    nap = clouds(chance, canvas.shape, canvas.edge_px * 2, 3)
    shade = 1 + between(chance, 0.04, 0.16) * fibre + between(chance, 0, 0.12) * nap
    return TableTop(lit(light_of(vary(chance, base, 0.25)), shade), 0.0, 0.9)


def wood(chance: Chance, canvas: Canvas) -> TableTop:
    """Planks or veneer: long grain, rings, now and then a joint."""
    base = vary(chance, pick(chance, WOODS), 0.2)
    dark = tuple(part * between(chance, 0.35, 0.85) for part in base)
    edge = canvas.edge_px
    fine = noise(
        chance, canvas.shape, edge * scaled(chance, 1, 6), max(edge * scaled(chance, 0.02, 0.12), 1.0)
    )
    rings = noise(chance, canvas.shape, edge * 12, edge * scaled(chance, 0.5, 3))
    grain = 0.5 + 0.25 * fine * between(chance, 0.2, 1.2) + 0.3 * np.sin(rings * between(chance, 1, 9))
    color = mixed(base, (dark[0], dark[1], dark[2]), np.asarray(grain * between(chance, 0.3, 1), np.float32))
    if maybe(chance, 0.35):
        width = max(int(edge * scaled(chance, 2, 12)), 8)
        for top in range(int(chance.integers(width)), canvas.shape[0], width):
            color[top : top + width] *= np.float32(between(chance, 0.75, 1.2))
            color[top : top + max(1, int(edge * 0.04))] *= np.float32(0.3)
    return TableTop(color, between(chance, 0.01, 0.06), scaled(chance, 0.05, 0.5))


def leather(chance: Chance, canvas: Canvas) -> TableTop:
    """Leather and its imitations: small cells with dark seams, shining on top."""
    base = (
        any_color(chance, (0.0, 0.6), (0.05, 0.45))
        if maybe(chance, 0.7)
        else any_color(chance, (0.1, 0.5), (0.4, 0.9))
    )
    cell = max(canvas.edge_px * scaled(chance, 0.04, 0.15), 2.0)
    seams = np.abs(noise(chance, canvas.shape, cell)) + np.abs(noise(chance, canvas.shape, cell * 1.7))
    shade = 0.6 + between(chance, 0.1, 0.5) * np.clip(seams, 0, 2) + 0.05 * noise(chance, canvas.shape, 1)
    color = lit(light_of(base), shade)
    if maybe(chance, 0.5):  # dust
        specks = np.clip(noise(chance, canvas.shape, 2.0) - 2.6, 0, 1) * np.float32(0.3)
        color += cv2.merge([specks, specks, specks])
    return TableTop(color, between(chance, 0.02, 0.06), between(chance, 0.2, 0.6))


def stone(chance: Chance, canvas: Canvas) -> TableTop:
    """Stone: clouds and veins, or the chips of terrazzo."""
    first, second = any_color(chance, (0, 0.25), (0.2, 1)), any_color(chance, (0, 0.3), (0.1, 1))
    field = clouds(chance, canvas.shape, canvas.edge_px * scaled(chance, 1, 6), 5)
    if maybe(chance, 0.4):
        field = np.asarray(1.6 * (1 - np.abs(field) * 4).clip(0, 1) - 0.5, np.float32)
    elif maybe(chance, 0.4):
        field = np.asarray(
            (noise(chance, canvas.shape, canvas.edge_px * scaled(chance, 0.05, 0.3)) - 0.8) * 5, np.float32
        )
    color = mixed(first, second, np.asarray(0.5 + 0.4 * field, np.float32))
    return TableTop(color, between(chance, 0.01, 0.07), scaled(chance, 0.03, 0.5))


def weave(chance: Chance, canvas: Canvas) -> TableTop:
    """Woven cloth or carpet: threads over and under, of one colour or of two that jump to the eye."""
    y, x = np.mgrid[: canvas.shape[0], : canvas.shape[1]].astype(np.float32)
    pitch = max(canvas.edge_px * scaled(chance, 0.05, 0.35), 2.0)
    bend = noise(chance, canvas.shape, pitch * 6) * between(chance, 0, 0.8)
    across, down = (
        x * np.float32(2 * np.pi / pitch) + bend,
        y * np.float32(2 * np.pi / (pitch * between(chance, 0.6, 1.6))),
    )
    threads = np.sin(across + np.pi * np.floor(down / (2 * np.pi))) * np.abs(np.sin(down / 2))
    first = any_color(chance, (0, 0.5), (0.1, 0.9))
    second = any_color(chance, (0, 0.7), (0.05, 1)) if maybe(chance, 0.4) else vary(chance, first, 0.4)
    hairs = noise(chance, canvas.shape, max(pitch * 0.3, 1.0)) * between(chance, 0, 0.3)
    share = 0.5 + threads * between(chance, 0.2, 1.5) + hairs
    return TableTop(mixed(first, second, np.asarray(share, np.float32)), 0.0, 0.9)


def carpet(chance: Chance, canvas: Canvas) -> TableTop:
    """Loops and tufts."""
    tuft = max(canvas.edge_px * scaled(chance, 0.08, 0.5), 2.0)
    lumps = noise(chance, canvas.shape, tuft) + 0.6 * noise(chance, canvas.shape, tuft / 2.5)
    base = any_color(chance, (0, 0.5), (0.15, 0.85))
    shade = 0.75 + between(chance, 0.1, 0.35) * lumps + 0.08 * noise(chance, canvas.shape, 1)
    return TableTop(lit(light_of(base), np.clip(shade, 0.1, 2)), 0.0, 0.9)


def striped(chance: Chance, canvas: Canvas) -> TableTop:
    """A table cloth with stripes both ways, checked or with lines."""
    ground = (
        any_color(chance, (0, 0.3), (0.5, 1))
        if maybe(chance, 0.7)
        else any_color(chance, (0, 0.9), (0.1, 0.9))
    )
    color = lit(light_of(ground), 1 + between(chance, 0.02, 0.12) * noise(chance, canvas.shape, 1.5))
    period = canvas.edge_px * scaled(chance, 0.6, 6)
    for _ in range(int(chance.integers(1, 4))):
        width, at = period * between(chance, 0.05, 0.5), period * chance.random()
        ink, cover = light_of(any_color(chance, (0.2, 0.9), (0.1, 0.9))), between(chance, 0.3, 0.9)
        for axis in (0, 1):
            line = (np.arange(canvas.shape[axis]) - at) % period < width
            strip = np.asarray(line * cover, np.float32)
            color = blend(color, ink, np.broadcast_to(strip[:, None] if axis == 0 else strip, canvas.shape))
    return TableTop(color, 0.0, 0.9)


def dotted(chance: Chance, canvas: Canvas) -> TableTop:
    """Cloth or paper with dots as large as pips, in rows or strewn."""
    ground, ink = any_color(chance, (0, 0.8), (0.05, 1)), any_color(chance, (0, 0.8), (0.05, 1))
    mask = np.zeros(canvas.shape, np.uint8)
    pitch = canvas.edge_px * scaled(chance, 0.25, 1.2)
    radius = pitch * between(chance, 0.12, 0.4)
    shaken = between(chance, 0.2, 0.5) * pitch if maybe(chance, 0.3) else 0.0
    hollow = max(1, int(radius * 0.4)) if maybe(chance, 0.15) else -1
    for row, top in enumerate(np.arange(0, canvas.shape[0] + pitch, pitch)):
        for left in np.arange(0, canvas.shape[1] + pitch, pitch) + (row % 2) * pitch / 2:
            at = np.round(16 * (np.array((left, top)) + chance.normal(0, 1, 2) * shaken)).astype(int)
            cv2.circle(mask, (int(at[0]), int(at[1])), round(radius * 16), 255, hollow, cv2.LINE_AA, 4)
    color = mixed(ground, ink, np.asarray(mask, np.float32) / np.float32(255))
    return TableTop(lit(color, 1 + 0.06 * noise(chance, canvas.shape, 1.5)), 0.0, 0.8)


def printed(chance: Chance, canvas: Canvas) -> TableTop:
    """A page, a poster, a game board: boxes, lines and text."""
    color = np.full((*canvas.shape, 3), pick(chance, PALES), np.uint8)
    edge = canvas.edge_px
    for _ in range(int(chance.integers(2, 14))):
        x, y = int(chance.integers(canvas.shape[1])), int(chance.integers(canvas.shape[0]))
        wide, tall = int(edge * scaled(chance, 0.5, 6)), int(edge * scaled(chance, 0.5, 6))
        fill = -1 if maybe(chance, 0.6) else max(1, int(edge * between(chance, 0.02, 0.1)))
        cv2.rectangle(
            color, (x, y), (x + wide, y + tall), any_color(chance, (0, 0.9), (0.2, 1)), fill, cv2.LINE_AA
        )
    ink = any_color(chance, (0, 0.8), (0, 0.4))
    height = edge * scaled(chance, 0.12, 0.8)
    letters = "abcdefghijklmnoprstuvwz O0 o. 8: %3"
    for top in np.arange(height, canvas.shape[0], height * between(chance, 1.5, 4)):
        text = "".join(letters[int(k)] for k in chance.integers(0, len(letters), 60))
        at, font = (int(chance.integers(0, 40)), int(top)), int(chance.choice((0, 2, 3, 4)))
        cv2.putText(color, text, at, font, height / 30, ink, max(1, int(height / 14)), cv2.LINE_AA)
    light = (color.astype(np.float32) / 255) ** 2.2
    return TableTop(np.asarray(light, np.float32), between(chance, 0.0, 0.06), scaled(chance, 0.05, 0.7))


def ruled(chance: Chance, canvas: Canvas) -> TableTop:
    """A cutting mat, squared paper, tiles: thin lines at even distances."""
    made = (plain, felt, stone)[int(chance.integers(3))](chance, canvas)
    color = made.color.copy()
    pitch = max(int(canvas.edge_px * scaled(chance, 0.3, 4)), 4)
    width = max(1, int(canvas.edge_px * between(chance, 0.01, 0.06)))
    ink = light_of(any_color(chance, (0, 0.5), (0, 1)))
    for line in range(int(chance.integers(pitch)), max(canvas.shape), pitch):
        color[line : line + width] += (ink - color[line : line + width]) * np.float32(0.7)
        color[:, line : line + width] += (ink - color[:, line : line + width]) * np.float32(0.7)
    return TableTop(color, made.gloss, made.rough)


def muddle(chance: Chance, canvas: Canvas) -> TableTop:
    """No surface that exists: blots, bars and clouds of any colour."""
    share = clouds(chance, canvas.shape, canvas.edge_px * scaled(chance, 0.3, 5), 5)
    color = mixed(any_color(chance, (0, 1), (0, 1)), any_color(chance, (0, 1), (0, 1)),
                  np.asarray(0.5 + share * between(chance, 0.2, 2), np.float32))  # fmt: skip
    for _ in range(int(chance.integers(0, 40))):
        corners = chance.normal(0, canvas.edge_px * scaled(chance, 0.05, 2), (int(chance.integers(3, 7)), 2))
        corners += chance.random(2) * canvas.shape[::-1]
        ink = light_of(any_color(chance, (0, 1), (0, 1)))
        cv2.fillPoly(color, [corners.astype(np.int32)], tuple(map(float, ink)), cv2.LINE_8)
    return TableTop(color, between(chance, 0, 0.05), scaled(chance, 0.05, 0.7))


PAINTERS: tuple[tuple[Painter, float], ...] = (
    (plain, 6.5), (felt, 3), (wood, 4), (leather, 1.5), (stone, 1.5), (weave, 1.5), (carpet, 1.3),
    (striped, 1.3), (dotted, 1), (printed, 1.2), (ruled, 1), (muddle, 1),
)  # fmt: skip


def painted(chance: Chance, canvas: Canvas) -> TableTop:
    """One of all these surfaces."""
    painters = WIDE_PAINTERS if canvas.wide else PAINTERS
    shares = np.array([share for _, share in painters])
    return painters[int(chance.choice(len(painters), p=shares / shares.sum()))][0](chance, canvas)


# Surfaces of wide scenes.


def tartan(chance: Chance, canvas: Canvas) -> TableTop:
    """Bands of several colours both ways, woven over one another."""
    height, width = canvas.shape
    count = int(chance.integers(3, 9))
    widths = np.maximum(canvas.edge_px * np.exp(chance.uniform(np.log(0.05), np.log(1.5), count)), 1)
    colors = np.array([light_of(any_color(chance, (0, 1), (0.03, 1))) for _ in range(count)])
    order = np.concatenate((np.arange(count), np.arange(count)[::-1]))
    ends = np.cumsum(widths[order])
    lines = [np.searchsorted(ends, np.arange(side) % ends[-1], side="right") for side in (width, height)]
    across, down = (colors[order[np.minimum(line, 2 * count - 1)]] for line in lines)
    rows, columns = np.mgrid[:height, :width]
    pitch = max(2, round(canvas.edge_px * between(chance, 0.02, 0.1)))
    over = np.asarray(((rows + columns) // pitch % 2), np.float32) * between(chance, 0.2, 1.0)
    share = np.asarray(0.5 + (over - over.mean()), np.float32)[..., None]
    color = np.asarray(across[None] * share + down[:, None] * (1 - share), np.float32)
    return TableTop(lit(color, 1 + 0.08 * noise(chance, canvas.shape, 1.5)), 0.0, 0.9)


def batik(chance: Chance, canvas: Canvas) -> TableTop:
    """Printed cloth: rosettes, leaves and dots in rows, with cracks of dye."""
    color = np.full((*canvas.shape, 3), any_color(chance, (0.1, 1), (0.05, 0.9)), np.uint8)
    inks = [any_color(chance, (0, 1), (0.1, 1)) for _ in range(3)]
    pitch = canvas.edge_px * scaled(chance, 0.5, 3)
    petals, reach = int(chance.integers(4, 10)), pitch * between(chance, 0.2, 0.45)
    for row, top in enumerate(np.arange(0, canvas.shape[0] + pitch, pitch)):
        for left in np.arange(0, canvas.shape[1] + pitch, pitch) + (row % 2) * pitch / 2:
            for petal in range(petals):
                way = 2 * np.pi * petal / petals
                at = (float(left + np.cos(way) * reach * 0.6), float(top + np.sin(way) * reach * 0.6))
                loop = (at, (reach * 0.8, reach * 0.3), float(np.degrees(way)))
                cv2.ellipse(color, loop, inks[0], -1, cv2.LINE_AA)
            middle = (int(left), int(top))
            cv2.circle(color, middle, max(1, int(reach * 0.28)), inks[1], -1, cv2.LINE_AA)
            beside = (int(left + pitch / 2), int(top))
            cv2.circle(
                color, beside, max(1, int(reach * between(chance, 0.1, 0.2))), inks[2], -1, cv2.LINE_AA
            )
    light = np.asarray((color.astype(np.float32) / 255) ** 2.2, np.float32)
    cracks = np.exp(-np.abs(clouds(chance, canvas.shape, canvas.edge_px * 2, 4)) * between(chance, 15, 60))
    shade = 1 - between(chance, 0, 0.6) * np.asarray(cracks, np.float32)
    return TableTop(lit(light, np.asarray(shade, np.float32)), 0.0, 0.9)


def terrazzo(chance: Chance, canvas: Canvas) -> TableTop:
    """Chips of stone of several colours in cement."""
    ground = (
        any_color(chance, (0, 0.2), (0.3, 1)) if maybe(chance, 0.7) else any_color(chance, (0, 1), (0, 1))
    )
    color = np.full((*canvas.shape, 3), ground, np.uint8)
    inks = [any_color(chance, (0, 0.7), (0.05, 1)) for _ in range(int(chance.integers(2, 6)))]
    size = canvas.edge_px * scaled(chance, 0.08, 0.8)
    count = min(int(between(chance, 0.1, 0.6) * canvas.shape[0] * canvas.shape[1] / size**2), 3000)
    for _ in range(count):
        at = chance.random(2) * canvas.shape[::-1]
        corners = int(chance.integers(4, 8))
        turn = np.sort(chance.uniform(0, 2 * np.pi, corners))
        out = 0.5 * size * chance.uniform(0.4, 1.3, (corners, 1))
        points = at + out * np.column_stack((np.cos(turn), np.sin(turn)))
        cv2.fillPoly(color, [points.astype(np.int32)], inks[int(chance.integers(len(inks)))], cv2.LINE_AA)
    light = np.asarray((color.astype(np.float32) / 255) ** 2.2, np.float32)
    return TableTop(lit(light, 1 + 0.04 * noise(chance, canvas.shape, 2)), between(chance, 0.02, 0.08), 0.15)


def glass(chance: Chance, canvas: Canvas) -> TableTop:
    """A glass plate: what lies below it, dim or bright, and the room mirrored in it."""
    below = painted(chance, replace(canvas, wide=False))
    dim = np.float32(between(chance, 0.05, 0.9))
    soft = cv2.GaussianBlur(below.color, (0, 0), max(canvas.edge_px * between(chance, 0.02, 0.3), 0.5))
    tint = light_of(any_color(chance, (0, 0.5), (0.4, 1)))
    color = np.asarray(soft * (tint * dim), np.float32)
    patches = clouds(chance, canvas.shape, canvas.edge_px * scaled(chance, 1, 8), 2)
    sheen = np.clip(patches - between(chance, 0.0, 1.2), 0, 1) * between(chance, 0, 0.35)
    color += cv2.merge([np.asarray(sheen, np.float32)] * 3)
    return TableTop(color, between(chance, 0.06, 0.2), between(chance, 0.01, 0.05))


WIDE_PAINTERS: tuple[tuple[Painter, float], ...] = (
    *PAINTERS, (tartan, 2.5), (batik, 2.5), (terrazzo, 2.5), (glass, 2.5),
)  # fmt: skip


def turned(chance: Chance, made: TableTop) -> TableTop:
    """The surface turned and tilted as it lies under the camera."""
    height, width = made.color.shape[:2]
    angle = 0.0 if maybe(chance, 0.25) else between(chance, 0, 360)
    turn = np.eye(3)
    turn[:2] = cv2.getRotationMatrix2D((width / 2, height / 2), angle, between(chance, 1.0, 1.2))
    tilt = np.eye(3)
    tilt[2, :2] = chance.normal(0, 0.12, 2) / max(width, height)
    matrix = tilt @ turn
    frame = np.array((((0, 0), (width, 0), (width, height), (0, height)),), np.float64)
    seen_from = cv2.perspectiveTransform(frame, np.linalg.inv(matrix))[0]
    beyond = np.maximum(-seen_from.min(axis=0), seen_from.max(axis=0) - (width, height)) + 2
    beside, above = (int(part) for part in np.clip(beyond, 2, (width - 1, height - 1)))
    # Mirrored about its borders by hand: with cv2.BORDER_REFLECT_101 warping takes four times as long.
    padded = cv2.copyMakeBorder(made.color, above, above, beside, beside, cv2.BORDER_REFLECT_101)
    move = np.array(((1.0, 0.0, -beside), (0.0, 1.0, -above), (0.0, 0.0, 1.0)))
    seen = cv2.warpPerspective(padded, matrix @ move, (width, height), flags=cv2.INTER_LINEAR)
    return TableTop(np.asarray(np.clip(seen, 0.003, 0.97), np.float32), made.gloss, made.rough)


# Dice trays: a floor, a rim about it, and the table outside.


def tray(chance: Chance, canvas: Canvas) -> TableTop:
    """A tray so large that two or three sides are in view, or all of them, or none."""
    floor, outside = painted(chance, canvas), painted(chance, canvas)
    depth = _inside(chance, canvas)
    rim = canvas.edge_px * scaled(chance, 0.12, 1.3)
    wall = (
        light_of(any_color(chance, (0, 0.7), (0.05, 1)))
        if maybe(chance, 0.6)
        else floor.color.mean(axis=(0, 1))
    )
    band = np.clip((depth + rim) / rim, 0, 1)
    turned = np.asarray(
        0.45 + 0.55 * np.sin(np.pi * band) + 0.06 * clouds(chance, canvas.shape, 40, 2), np.float32
    )
    color = blend(outside.color, lit(np.asarray(wall, np.float32), turned), np.clip(depth + rim + 0.5, 0, 1))
    if maybe(chance, 0.35):
        color = _studs(chance, color, depth, rim)
    hollow = 1 - between(chance, 0.1, 0.6) * np.exp(
        -np.maximum(depth, 0) / (canvas.edge_px * between(chance, 0.15, 1))
    )
    inner = lit(floor.color, np.asarray(hollow, np.float32))
    return TableTop(blend(color, inner, np.clip(depth + 0.5, 0, 1)), floor.gloss, floor.rough)


def _inside(chance: Chance, canvas: Canvas) -> Singles:
    """How far each pixel lies inside the tray's floor; negative outside."""
    height, width = canvas.shape
    half = np.array((width, height)) * chance.uniform(0.28, 0.75, 2)
    middle = np.array((width, height)) * chance.uniform(0.3, 0.7, 2)
    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    x, y = np.abs(columns - np.float32(middle[0])), np.abs(rows - np.float32(middle[1]))
    if maybe(chance, 0.25):
        return np.asarray(half.min() - np.hypot(x, y), np.float32)
    corner = half.min() * between(chance, 0.02, 0.5)
    beyond_x, beyond_y = x - np.float32(half[0] - corner), y - np.float32(half[1] - corner)
    if maybe(chance, 0.2):  # eight corners
        gap = np.maximum(np.maximum(beyond_x, beyond_y), (beyond_x + beyond_y) * np.float32(0.7071)) - corner
        return np.asarray(-gap, np.float32)
    out = np.hypot(np.maximum(beyond_x, 0), np.maximum(beyond_y, 0))
    return np.asarray(corner - out - np.minimum(np.maximum(beyond_x, beyond_y), 0), np.float32)


def _studs(chance: Chance, color: Singles, depth: Singles, rim: float) -> Singles:
    """Press studs, magnets or screws along the rim: round, and as dark as pips."""
    mask = np.zeros(depth.shape, np.uint8)
    along = np.argwhere(np.abs(depth + rim / 2) < 1)
    for number in chance.integers(0, len(along), 6) if len(along) else ():
        row, column = along[int(number)]
        cv2.circle(
            mask, (int(column), int(row)), max(2, int(rim * between(chance, 0.15, 0.4))), 255, -1, cv2.LINE_AA
        )
    return blend(
        color,
        light_of(any_color(chance, (0, 0.4), (0.05, 0.9))),
        np.asarray(mask, np.float32) / np.float32(255),
    )
