"""Draws landings for the networks of corners and edges, and alters pictures.

Most tables have a camera whose habits (blur, sharpening, tone, noise) and dice whose gloss reach further than
those that are measured with, for other painters and real cameras have others yet. No stone table and no
table with a lamp like a point is among them: with these it is seen whether the network knows more than it was
shown.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

import cv2
import numpy as np

from benchmarks.landing import scenes as kits
from benchmarks.landing.camera import Sensor, Shading, expose
from benchmarks.landing.close_up import lying, strange_kit, strange_skin, window_of
from benchmarks.landing.cube import Cube
from benchmarks.landing.dice import dress, set_dice
from benchmarks.landing.scenes import sensor_of, true_calibration
from benchmarks.landing.table import falling, paint, patches_of
from calibration.arrays import Picture, Singles
from calibration.table import TableCalibration
from calibration.view import View
from models.scenes.chance import Chance

CAMERAS = {"12mp": 0.5, "x040": 0.2, "x050": 0.15, "3mp": 0.1, "1mp": 0.05}
"""The share of the tables under each camera; two stand between those of the benchmark."""
BETWEEN = {"x040": kits.Preset(3042, 2280, 0.40, 9000.0), "x050": kits.Preset(2434, 1824, 0.50, 12000.0)}
LEFT_OUT, POINT_MM = "stone", 30.0
"""The top, and half the side of a lamp below which a table is not learnt from."""
WILD = 0.7
"""The share of the tables with habits and gloss of their own."""
SHADED, UNFILTERED = 0.85, 0.2
"""The share of the tables on which light falls as it may, and of the cameras without colour filters, where
that is asked for."""
STYLES = {"line": 0.3, "even": 0.58, "touch": 0.12}
LEANING_STYLES = {"lean": 0.7, "even": 0.1, "touch": 0.2}
"""How dice lie for the networks that see them flat, and for the one that tells whether they are."""
UPRIGHT = 0.9995
"""The upright part of the axis of a die that lies flat, or more: two degrees."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DrawnLanding:
    """A piece of a camera's picture with dice, and what is true of it."""

    picture: Picture
    calibration: TableCalibration
    dice: tuple[Cube, ...]


def landings(
    seed: int, count: int, *, plain: bool = False, shaded: bool = False, leaning: bool = False
) -> Iterator[DrawnLanding]:
    """Draws `count` landings on the table of a seed; none where its top or its lamp is left out.

    With `plain` tables are as the benchmark has them, and none is left out. With `shaded` light falls on most
    of the others as it may, too, and some of their cameras have no colour filters. With `leaning` most dice
    lean on others; all lie flat without it.
    """
    styles = LEANING_STYLES if leaning else STYLES
    with _cameras_between():
        yield from _landings(seed, count, styles, plain=plain, shaded=shaded and not plain)


def _landings(
    seed: int, count: int, styles: dict[str, float], *, plain: bool, shaded: bool
) -> Iterator[DrawnLanding]:
    rng = np.random.default_rng([seed, 777])
    over = strange_kit(str(rng.choice(list(CAMERAS), p=list(CAMERAS.values()))), seed)
    if not plain and (over.surface == LEFT_OUT or over.setting.light.half_size_mm < POINT_MM):
        return
    shading = Shading()
    if not plain and rng.random() < WILD:
        over = replace(over, sensor=_habits(over, rng, filtered=1 - UNFILTERED * shaded))
        wide, bright = float(rng.uniform(0.5, 2.2)), float(rng.uniform(0.3, 1.8))
        shading = Shading(shine_wide=wide, shine_bright=bright)
    if shaded and rng.random() < SHADED:
        shading = _other_shading(shading, rng)
    over = replace(over, setting=replace(over.setting, shading=shading))
    for number in range(count):
        yield _landed(over, styles, seed * 1000 + number, rng)


@contextmanager
def _cameras_between() -> Iterator[None]:
    """The benchmark's cameras, with those between them, while this lasts: its tables have a column for
    each."""
    kits.PRESETS.update(BETWEEN)
    try:
        yield
    finally:
        for name in BETWEEN:
            kits.PRESETS.pop(name, None)


def _habits(over: kits.Kit, rng: np.random.Generator, filtered: float) -> Sensor:
    """Another camera; `filtered` is how likely it has colour filters."""
    return replace(
        over.sensor,
        blur_px=float(rng.uniform(0.35, 1.15)),
        sharpen=float(rng.choice([0.0, rng.uniform(0.2, 0.9)])),
        sharpen_px=float(rng.uniform(0.7, 1.6)),
        contrast=float(rng.uniform(0, 0.45)),
        exposure=float(rng.uniform(0.5, 1.0)),
        quality=int(rng.integers(82, 98)),
        mosaic=filtered == 1.0 or bool(rng.random() < filtered),
        electrons=over.sensor.electrons * float(rng.uniform(0.3, 1.5)),
    )


def _other_shading(shading: Shading, rng: np.random.Generator) -> Shading:
    return replace(
        shading,
        depth=float(np.exp(rng.normal(0, 0.45))),
        soft_mm=float(rng.choice([shading.soft_mm, rng.uniform(0.3, 4.0)])),
        sideways=float(rng.uniform(0.4, 0.75)),
        foot_room=float(rng.uniform(0, 0.7)),
        foot_table=float(rng.uniform(0, 0.9)),
        foot_mm=float(rng.uniform(2, 9)),
        grazing=float(rng.choice([0.0, shading.grazing, rng.uniform(0, 0.9)])),
    )


def _landed(over: kits.Kit, styles: dict[str, float], seed: int, rng: np.random.Generator) -> DrawnLanding:
    """One landing, of which only a piece is painted: a whole table takes a hundred times as long."""
    cubes = lying(over, str(rng.choice(list(styles), p=list(styles.values()))), rng)
    dice = tuple(dress(cube, strange_skin(rng), int(rng.integers(1, 7)), rng) for cube in cubes)
    left, top, right, bottom = window_of(over, cubes)
    optics = over.camera.optics
    middle = np.array([[(left + right) / 2, (top + bottom) / 2]])
    centre = optics.centre_px[0] - left, optics.centre_px[1] - top
    glass = replace(optics, width_px=right - left, height_px=bottom - top, centre_px=centre)
    # The lens darkens towards the corners of the whole picture, hardly across a piece of it.
    setting = replace(over.setting, camera=replace(over.camera, optics=glass), fall_off=0.0)
    light = paint(setting, *patches_of(over.layout, setting.camera))
    set_dice(light, setting, dice, seed)
    light *= np.float32(falling(over.setting, middle)[0])
    packed = np.frombuffer(expose(light, sensor_of(over, seed), seed), np.uint8)
    return DrawnLanding(
        picture=np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8),
        calibration=true_calibration(replace(over, setting=setting)),
        dice=tuple(cubes),
    )


# Drawn dice as other cameras and lights would have them, for the networks of corners and of edges.
#
# A piece of a landing's picture is taken round each die, and spoilt before the die is cut out of it; what was
# cut out is recoloured for each batch anew.

REACH_MM = 19.0
"""How far the picture that is taken round a die reaches from its middle."""


def seen_round(landed: DrawnLanding, x_mm: float, y_mm: float) -> tuple[Picture, View]:
    """The picture round a place of the table, and its view."""
    view = landed.calibration.view
    reach = int(REACH_MM * view.scale_px_per_mm(x_mm, y_mm, 8.0))
    x, y = (int(part) for part in view.project(np.array([[x_mm, y_mm, 8.0]]))[0])
    left, top = max(0, x - reach), max(0, y - reach)
    picture = np.ascontiguousarray(landed.picture[top : y + reach, left : x + reach])
    lens = view.lens
    centre = lens.centre_px[0] - left, lens.centre_px[1] - top
    height, width = picture.shape[:2]
    return picture, replace(view, lens=replace(lens, width_px=width, height_px=height, centre_px=centre))


def spoilt(picture: Picture, chance: Chance) -> Picture:
    """A picture (h, w, 3) as another camera in another light might have taken it."""
    seen: Singles = np.asarray(picture / np.float32(255), np.float32)
    if chance.random() < 0.6:
        seen = _otherwise_lit(seen, chance)
    if chance.random() < 0.5:
        away = chance.normal(0, 0.25, 2)
        for channel, side in ((0, -1), (2, 1)):
            moved = np.array([[1, 0, side * away[0]], [0, 1, side * away[1]]], np.float32)
            plane = np.ascontiguousarray(seen[..., channel])
            seen[..., channel] = cv2.warpAffine(
                plane, moved, plane.shape[::-1], borderMode=cv2.BORDER_REPLICATE
            )
    if chance.random() < 0.5:
        seen = np.asarray(cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.3, 0.9)), np.float32)
    if chance.random() < 0.5:
        soft = np.asarray(cv2.GaussianBlur(seen, (0, 0), chance.uniform(0.8, 1.6)), np.float32)
        seen = seen + np.float32(chance.uniform(0.1, 1.0)) * (seen - soft)
    seen = seen + chance.standard_normal(seen.shape, np.float32) * np.float32(chance.uniform(0, 0.012))
    shown = np.clip(seen * 255, 0, 255).astype(np.uint8)
    if chance.random() < 0.5:
        _, packed = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(80, 97))])
        shown = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return shown


def _otherwise_lit(seen: Singles, chance: Chance) -> Singles:
    """Light that falls off to one side, a veil, what is bright spread over its neighbours, or burnt out."""
    light = seen ** (1 / 0.45)
    rows, columns = np.mgrid[: seen.shape[0], : seen.shape[1]]
    angle = chance.uniform(0, 2 * math.pi)
    ramp = (columns * math.cos(angle) + rows * math.sin(angle)) / seen.shape[1]
    light = light * (1 + chance.uniform(-0.5, 0.5) * ramp)[..., None] + chance.uniform(0, 0.06)
    if chance.random() < 0.5:
        glow = cv2.GaussianBlur(np.maximum(light - 0.5, 0), (0, 0), chance.uniform(1.5, 4))
        light = light + glow * chance.uniform(0, 0.5)
    if chance.random() < 0.3:
        light = light * chance.uniform(1, 1.5)
    return np.asarray(np.clip(light, 0, 1) ** 0.45, np.float32)


def recoloured(cuts: Picture, chance: Chance) -> Singles:
    """Cuts (N x 4 x h x w x 6) in other tones and colours, some noise, and at times one is blank."""
    count, levels = len(cuts), np.clip(np.arange(256) / 255, 1e-4, 1)
    shown = np.empty(cuts.shape, np.float32)
    for k in range(count):
        curve = levels ** np.exp(chance.normal(0, 0.2))
        for channel in range(3):
            table = (curve * np.exp(chance.normal(0, 0.12))).astype(np.float32)
            shown[k, ..., channel::3] = table[cuts[k, ..., channel::3]]
    shown *= np.exp(chance.normal(0, 0.15, (count, 1, 1, 1, 1))).astype(np.float32)
    mixes = [
        np.eye(3)[chance.permutation(3) if chance.random() < 0.5 else np.arange(3)] for _ in range(count)
    ]
    mixing = np.array(mixes) + chance.normal(0, 0.12, (count, 3, 3)) * (chance.random((count, 1, 1)) < 0.5)
    mixing /= np.abs(mixing).sum(axis=2, keepdims=True) + 1e-3
    split = shown.reshape(*shown.shape[:4], 2, 3)
    shown = np.einsum("nabcdk,njk->nabcdj", split, mixing.astype(np.float32), optimize=True)
    shown = shown.reshape(cuts.shape)
    noise = chance.uniform(0, 0.012, (count, 1, 1, 1, 1)).astype(np.float32)
    shown += chance.standard_normal(shown.shape, np.float32) * noise
    for blank in np.flatnonzero(chance.random(count) < 0.25):
        corner, first = int(chance.integers(4)), 3 * int(chance.integers(2))
        shown[blank, corner, ..., first : first + 3] = shown[blank, corner, ..., first : first + 3].mean()
    return np.asarray(np.clip(shown, 0, 1) * 255, np.float32)
