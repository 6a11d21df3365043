"""Thrown dice of which the box knows nothing, each drawn as a small piece of the camera's picture.

Edges are rounded from 0.5 mm (a casino's dice) to 3 mm, half of the dice have any colour at all, and every
table has a lamp of its own. A piece of picture takes a fraction of a second where a whole one takes several,
so that thousands of landings can be drawn; what is measured on it is measured as on a whole picture.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.landing.camera import expose
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import KINDS, Skin, draw_skin, dress, set_dice
from benchmarks.landing.scenes import (
    PRESETS,
    Kit,
    Scene,
    against,
    cache_file,
    draw_lean,
    gap,
    in_sight,
    judge,
    kit,
    lines_of,
    moved,
    on_tape,
    sensor_of,
    truth_of,
    unpack,
)
from benchmarks.landing.table import Setting, paint, patches_of
from calibration.arrays import Picture, Singles

STYLES = ("line", "even", "lean", "touch")
"""A die within a millimetre of a line; anywhere; leaning on another; flat beside another."""
OF_A_SET = "set"
"""The style of landings anywhere of the owner's dice: each table has a few, of a colour and a shape each."""
SET_DICE = 3
EDGE_MM, ROUNDING_MM = (15.8, 16.2), (0.5, 4.0)
FIRST_TABLE, PER_TABLE = 1000, 50
"""The seed of the first table, and how many landings of each style lie on one."""
HALF_MM = 56.0
"""Half the side of the piece of picture: it holds the die's shadow and enough of the table round it."""


@dataclass(frozen=True, kw_only=True)
class OwnedDie:
    """One die of an owner's set."""

    skin: Skin
    edge_mm: float
    rounding_mm: float


@dataclass(frozen=True, kw_only=True)
class CloseUp:
    """One landing in its piece of the picture."""

    scene: Scene
    window_px: tuple[int, int, int, int]
    """Left, top, right, bottom in the camera's whole picture."""

    @property
    def path(self) -> Path:
        """The JPEG file; drawn when first asked for."""
        scene = self.scene
        return cache_file(f"{scene.kit.name}-closeup-{scene.style}/{scene.seed:06d}.jpg", self._drawn)

    @property
    def picture(self) -> Picture:
        """The file, unpacked: BGR (height, width, 3)."""
        return unpack(self.path)

    def _drawn(self) -> bytes:
        over, seed = self.scene.kit, self.scene.seed
        left, top, right, bottom = self.window_px
        whole = _empty(over.name, over.seed)
        piece = whole[top:bottom, left:right].copy()
        set_dice(whole, over.setting, tuple(each.die for each in self.scene.dice), seed)
        drawn = whole[top:bottom, left:right].copy()
        # The empty table is used again.
        whole[top:bottom, left:right] = piece
        return expose(drawn, sensor_of(over, seed), seed + 8_000_000)


def close_up(number: int, camera: str, style: str) -> CloseUp:
    """The landing of a number under a camera ("12mp", "3mp", "1mp"), in one of `STYLES` or `OF_A_SET`."""
    over = strange_kit(camera, FIRST_TABLE + number // PER_TABLE)
    rng = np.random.default_rng([number, (*STYLES, OF_A_SET).index(style), 2026])
    owned = _owned(over.seed, number % SET_DICE)
    cubes = lying(over, style, rng, owned)
    dice = tuple(
        dress(cube, owned.skin if style == OF_A_SET else strange_skin(rng), int(rng.integers(1, 7)), rng)
        for cube in cubes
    )
    truths = tuple(truth_of(over, die, touching=len(dice) > 1) for die in dice)
    scene = Scene(seed=number, style=style, kit=over, dice=truths)
    return CloseUp(scene=scene, window_px=window_of(over, cubes))


def lying(over: Kit, style: str, rng: np.random.Generator, owned: OwnedDie | None = None) -> list[Cube]:
    """Dice in one of `STYLES` in sight of a kit's camera; in the style `OF_A_SET` the `owned` one."""
    makers: dict[str, Callable[[], list[Cube]]] = {
        "line": lambda: _line(over, rng),
        "even": lambda: _even(over, rng),
        "lean": lambda: _pair(rng, draw_lean(rng)),
        "touch": lambda: _pair(rng, None),
        OF_A_SET: lambda: _even(over, rng, owned),
    }
    cubes = makers[style]()
    while not all(in_sight(over, cube) for cube in cubes):
        cubes = makers[style]()
    return [on_tape(over, cube) for cube in cubes]


@lru_cache(maxsize=4)
def strange_kit(camera: str, seed: int) -> Kit:
    """The kit of a seed in a light of its own: a lamp from a point to a panel, alone or in a bright room."""
    over = kit(camera, seed)
    rng = np.random.default_rng([seed, 41])
    light = over.setting.light
    both = np.array(light.lamp) + np.array(light.sky)
    share = float(rng.uniform(0.25, 0.9))
    red, green, blue = (float(part) for part in both)
    strange = replace(
        light,
        half_size_mm=float(rng.uniform(5, 300)),
        lamp=(red * share, green * share, blue * share),
        sky=(red * (1 - share), green * (1 - share), blue * (1 - share)),
    )
    return replace(over, setting=replace(over.setting, light=strange))


def strange_skin(rng: np.random.Generator) -> Skin:
    """What a die is made of: as dice usually are, or of any colour and gloss, with pips that show on it."""
    skin = draw_skin(str(rng.choice(KINDS)), rng)
    if rng.random() < 0.5:
        return skin
    blue, green, red = (float(part) for part in rng.uniform(0.02, 0.8, 3))
    ink = float(rng.uniform(0.6, 0.85) if 0.3 * red + 0.6 * green + 0.1 * blue < 0.3 else 0.02)
    gloss = float(rng.uniform(0.0, 1.0))
    return replace(
        skin, kind="any colour", body=(blue, green, red), pip=(ink, ink, ink), gloss=gloss, clear=0.0
    )


@lru_cache(maxsize=1)
def _empty(camera: str, seed: int) -> Singles:
    """The light of a strange kit's empty table. Whoever draws on it puts back what was there."""
    setting: Setting = strange_kit(camera, seed).setting
    return paint(setting, *patches_of(strange_kit(camera, seed).layout, setting.camera))


def window_of(over: Kit, cubes: list[Cube]) -> tuple[int, int, int, int]:
    """The piece of a kit's picture that shows some dice: left, top, right, bottom, pixels."""
    middle = np.mean([cube.center_mm for cube in cubes], axis=0)
    x, y = over.camera.project(middle[None])[0]
    half = round(HALF_MM / PRESETS[over.name].mm_per_px)
    optics = over.camera.optics
    # The colour filters begin at the piece's corner as they do at the whole picture's.
    left, top = (max(0, (round(at) - half) // 2 * 2) for at in (x, y))
    return left, top, min(optics.width_px, left + 2 * half), min(optics.height_px, top + 2 * half)


def _body(rng: np.random.Generator, at: tuple[float, float], turn: np.ndarray | None = None) -> Cube:
    edge, rounding = float(rng.uniform(*EDGE_MM)), float(rng.uniform(*ROUNDING_MM))
    return standing((at[0], at[1], 0.0), edge, rounding, float(rng.uniform(0, 90)), turn)


def _line(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """A die whose nearest point is within a millimetre of a line by which it is called, on either side."""
    while True:
        cube = _at_a_line(over, rng)
        if judge(over.layout, cube.footprint()).slack_mm < 1.0:
            return [cube]


def _at_a_line(over: Kit, rng: np.random.Generator) -> Cube:
    """The same, of any line; one zone may cover another's."""
    lines = lines_of(over)
    line = lines[int(rng.integers(len(lines)))]
    i = int(rng.integers(1, len(line) - 1))
    side = line[i + 1] - line[i - 1]
    facing = np.array([side[1], -side[0]]) / np.linalg.norm(side) * rng.choice([-1, 1])
    cube = _body(rng, (0.0, 0.0))
    reach = float((cube.footprint() @ facing).max())
    at = line[i] - facing * (reach + rng.uniform(-1, 1))
    return moved(cube, (float(at[0]), float(at[1])))


def _even(over: Kit, rng: np.random.Generator, owned: OwnedDie | None = None) -> list[Cube]:
    """A die anywhere on the sheet or within 60 mm of it: any, or one of the owner's."""
    half = min(212.0, over.layout.half_width_mm)
    at = (float(rng.uniform(-half, half)), float(rng.uniform(3, 517)))
    if owned is None:
        return [_body(rng, at)]
    return [standing((*at, 0.0), owned.edge_mm, owned.rounding_mm, float(rng.uniform(0, 90)))]


def _owned(table: int, number: int) -> OwnedDie:
    """The die of that number of a table's set: no two are of one colour."""
    rng = np.random.default_rng([table, 43])
    kinds = [str(kind) for kind in rng.permutation(KINDS)[:SET_DICE]]
    shapes = rng.uniform([EDGE_MM[0], ROUNDING_MM[0]], [EDGE_MM[1], ROUNDING_MM[1]], (SET_DICE, 2))
    edge, rounding = (float(part) for part in shapes[number])
    return OwnedDie(skin=[draw_skin(kind, rng) for kind in kinds][number], edge_mm=edge, rounding_mm=rounding)


def _pair(rng: np.random.Generator, turn: np.ndarray | None) -> list[Cube]:
    """A die that lies flat, and one that touches it."""
    still = _body(rng, (float(rng.uniform(-170, 170)), float(rng.uniform(40, 470))))
    other = against(still, _body(rng, (0.0, 0.0), turn), float(rng.uniform(0, 2 * math.pi)))
    if gap(still, other) > 0.3:
        raise ValueError("the second die was not brought to touch the first")
    return [still, other]
