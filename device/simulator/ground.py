"""What lies under the dice: a felt tray with a wooden rim on a wooden table, and the light on it.

The ground is painted once, under two lights (the lamp a little to the left and warm, to the right and cool).
Light that changes is then a blend of two pictures, which costs a millisecond and not a painting.
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import pi, sin
from random import Random

import cv2
import numpy as np

from calibration.arrays import Picture, Reals
from device.simulator.cast import MainLight, lamp
from device.simulator.lens import SimulatedLens, overhead, resized
from models.painting.materials import GAMMA

TRAY_HALF_MM = (166.0, 117.0)
"""Half the felt's width and depth."""
RIM_WIDTH_MM = 15.0
RIM_HEIGHT_MM = 18.0

_FELT = (74, 96, 26)
_RIM = (62, 98, 148)
_TABLE = (96, 132, 168)
_GAIN_GRID = (48, 64)


@dataclass(frozen=True, slots=True, eq=False)
class LitGround:
    """The empty table under both lights, and each light's strength (coarse grid over the picture, BGR)."""

    left: Picture
    right: Picture
    left_gain: Reals
    right_gain: Reals

    def lit(self, weights: tuple[float, float]) -> Picture:
        """The empty table under a blend of the two lights."""
        lit = cv2.addWeighted(self.left, weights[0], self.right, weights[1], 0)
        return lit.astype(np.uint8, copy=False)

    def gain(self, weights: tuple[float, float], x_px: float, y_px: float) -> Reals:
        """The light (3) on something that stands at a pixel, 1 being full light."""
        rows, columns = self.left.shape[:2]
        row = min(max(int(y_px / rows * _GAIN_GRID[0]), 0), _GAIN_GRID[0] - 1)
        column = min(max(int(x_px / columns * _GAIN_GRID[1]), 0), _GAIN_GRID[1] - 1)
        found: Reals = weights[0] * self.left_gain[row, column] + weights[1] * self.right_gain[row, column]
        return found


@dataclass(frozen=True, slots=True)
class Daylight:
    """How the light changes: the lamp swings, and now and then a cloud passes the window."""

    phases: tuple[float, float, float]

    @classmethod
    def of(cls, rng: Random) -> "Daylight":
        """Some weather."""
        return cls((rng.random(), rng.random(), rng.random()))

    def weights(self, time_ms: float) -> tuple[float, float]:
        """How strong the left and the right light are; their sum is the light as a whole."""
        swing = 0.5 + 0.3 * sin(2 * pi * (time_ms / 41_000 + self.phases[0]))
        drift = 1 + 0.015 * sin(2 * pi * (time_ms / 97_000 + self.phases[1]))
        in_turn = (time_ms / 53_000 + self.phases[2]) % 1
        cloud = 0.09 * sin(pi * in_turn / 0.25) ** 2 if in_turn < 0.25 else 0.0
        level = drift - cloud
        return level * swing, level * (1 - swing)


@dataclass(frozen=True, slots=True, eq=False)
class Backdrop:
    """What stays when dice come and go: the eye, the lamp and the empty table under them."""

    lens: SimulatedLens
    lamp: MainLight
    ground: LitGround


def enlarged(stage: Backdrop, width_px: int, height_px: int) -> Backdrop:
    """The same in more pixels: what is painted there grows, and gets no finer."""
    left, right = (
        np.asarray(cv2.resize(one, (width_px, height_px), interpolation=cv2.INTER_CUBIC), np.uint8)
        for one in (stage.ground.left, stage.ground.right)
    )
    lens = resized(stage.lens, width_px, height_px)
    return replace(stage, lens=lens, ground=replace(stage.ground, left=left, right=right))


@lru_cache(maxsize=4)
def tray(width_px: int, height_px: int) -> Backdrop:
    """The felt tray as `table_lens.overhead` sees it; painted once for each size of picture."""
    lens = overhead(width_px, height_px)
    return Backdrop(lens, lamp(), lit_from_both_sides(_paint(lens, lamp())))


def lit_from_both_sides(base: Reals) -> LitGround:
    """A table painted in even light (rows, columns, 3), under both lights."""
    height_px, width_px = base.shape[:2]
    gains = [_gain(side) for side in (-1, 1)]
    pictures = []
    for gain in gains:
        wide = cv2.resize(gain, (width_px, height_px), interpolation=cv2.INTER_LINEAR)
        pictures.append(cv2.multiply(base, wide, dtype=cv2.CV_8U).astype(np.uint8, copy=False))
    return LitGround(pictures[0], pictures[1], gains[0], gains[1])


def _gain(side: int) -> Reals:
    """One light's strength over the picture: the lens darkens corners, the lamp favours its side."""
    y, x = np.mgrid[-1 : 1 : _GAIN_GRID[0] * 1j, -1 : 1 : _GAIN_GRID[1] * 1j]
    vignette = 1 - 0.10 * (x * x + y * y * 0.56)
    tint = np.array([1 + 0.02 * side, 1.0, 1 - 0.02 * side])
    found: Reals = ((vignette * (1 + 0.07 * side * x))[..., None] * tint).astype(np.float32)
    return found


def _paint(lens: SimulatedLens, light: MainLight) -> Reals:
    """The empty table in even light, as picture values (rows, columns, 3)."""
    # One shade a pixel for as long as possible, and colour last: it takes three times the memory.
    y, x = np.mgrid[0 : lens.height_px, 0 : lens.width_px].astype(np.float32)
    low, high = lens.on_plane(x, y, 0), lens.on_plane(x, y, RIM_HEIGHT_MM)
    del x, y
    noise = np.random.default_rng(20)  # the same table in every game
    outside = _outside(high)
    # The rim's inner and outer edges are drawn half a pixel soft.
    soft = lens.scale_px_per_mm(RIM_HEIGHT_MM)
    on_rim = np.clip(outside * soft + 0.5, 0, 1) * np.clip((RIM_WIDTH_MM - outside) * soft + 0.5, 0, 1)
    felt = _fibres(noise, lens) * _felt_light(low, light)
    table = _boards(noise, lens, low) * _table_light(low, light)
    rim = _rim_wood(noise, lens, high, outside)
    on_table, on_wall = outside >= RIM_WIDTH_MM / 2, _outside(low) >= 0
    under = np.where(on_table, table, np.where(on_wall, _wall_light(high, low), felt))
    del felt, table, low, high, outside
    painted = np.array((_FELT, _RIM, _TABLE), np.float32)[np.where(on_table, 2, on_wall.astype(np.int8))]
    painted *= (under * (1 - on_rim))[..., None]
    for channel in range(3):
        painted[..., channel] += _RIM[channel] * (rim * on_rim)
    found: Reals = cv2.GaussianBlur(painted, (3, 3), 0.6).astype(np.float32, copy=False)
    return found


def _outside(points: Reals) -> Reals:
    """How far (mm) points are outside the felt's rectangle; negative inside."""
    x, y = (np.abs(points[..., axis]) - np.float32(half) for axis, half in enumerate(TRAY_HALF_MM))
    found: Reals = np.hypot(np.maximum(x, 0), np.maximum(y, 0)) + np.minimum(np.maximum(x, y), 0)
    return found


def smooth(lens: SimulatedLens, noise: np.random.Generator, across_px: float, along_px: float) -> Reals:
    """Cloudy noise with mean 0 and spread 1, softened by so much across and along (pixels)."""
    # Drawn small and stretched: soft noise has no detail that could be lost.
    shrink_x, shrink_y = max(1.0, along_px / 3), max(1.0, across_px / 3)
    size = int(lens.width_px / shrink_x) + 2, int(lens.height_px / shrink_y) + 2
    raw = noise.standard_normal((size[1], size[0]), dtype=np.float32)
    small = cv2.GaussianBlur(raw, (0, 0), sigmaX=along_px / shrink_x, sigmaY=across_px / shrink_y)
    wide = cv2.resize(small, (lens.width_px, lens.height_px), interpolation=cv2.INTER_CUBIC)
    found: Reals = (wide / wide.std()).astype(np.float32)
    return found


def _fibres(noise: np.random.Generator, lens: SimulatedLens) -> Reals:
    """Felt: fine fibres both ways, and broad patches where hands have brushed it."""
    fine = smooth(lens, noise, 0.7, 1.8) + smooth(lens, noise, 1.8, 0.7)
    found: Reals = 1 + 0.032 * fine + 0.022 * smooth(lens, noise, 5, 5) + 0.02 * smooth(lens, noise, 70, 70)
    return found


def _grain(noise: np.random.Generator, lens: SimulatedLens, upright: bool) -> Reals:
    """Wood: long veins, lying or upright."""
    sizes = ((1.0, 40.0), (3.0, 160.0), (9.0, 260.0))
    parts = [smooth(lens, noise, along if upright else across, across if upright else along)
             for across, along in sizes]  # fmt: skip
    found: Reals = 1 + 0.028 * parts[0] + 0.05 * parts[1] + 0.045 * parts[2]
    return found


def _boards(noise: np.random.Generator, lens: SimulatedLens, low: Reals) -> Reals:
    """The table's boards, each of its own tone, with dark joints."""
    board_mm = 62.0
    place = (low[..., 1] + 1000) / board_mm
    number = place.astype(np.int32)
    tone = noise.normal(1, 0.05, 64).astype(np.float32)[number % 64]
    joint = np.abs(place - np.round(place)) * board_mm
    found: Reals = _grain(noise, lens, False) * tone * (1 - 0.45 * np.exp(-((joint / 0.7) ** 2)))
    return found


def _step(distance_mm: Reals, soft_mm: float) -> Reals:
    """0 below, 1 above, smooth between -soft and +soft."""
    part = np.clip(distance_mm / (2 * soft_mm) + 0.5, 0, 1)
    found: Reals = part * part * (3 - 2 * part)
    return found


def _dim(share: Reals | float, light: MainLight) -> Reals:
    """The factor on picture values where `share` of the lamp is hidden."""
    found: Reals = np.asarray((1 - np.float32(light.share) * share) ** (1 / GAMMA), np.float32)
    return found


def _felt_light(low: Reals, light: MainLight) -> Reals:
    """The rim's shadow on the felt and the dusk in the tray's corners."""
    towards = (light.place_mm[:2] - low) * (RIM_HEIGHT_MM / light.place_mm[2])
    hidden = _step(_outside(low + towards), light.radius_mm * RIM_HEIGHT_MM / float(light.place_mm[2]) + 0.5)
    dusk = 1 - 0.16 * np.exp(np.minimum(_outside(low), 0) / 7)
    found: Reals = _dim(hidden, light) * dusk
    return found


def _table_light(low: Reals, light: MainLight) -> Reals:
    """The rim's shadow on the table outside."""
    towards = (light.place_mm[:2] - low) * (RIM_HEIGHT_MM / light.place_mm[2])
    hidden = _step(RIM_WIDTH_MM - _outside(low + towards), 1.8)
    dusk = 1 - 0.14 * np.exp(-np.maximum(_outside(low) - RIM_WIDTH_MM, 0) / 6)
    found: Reals = _dim(hidden, light) * dusk
    return found


def _rim_wood(noise: np.random.Generator, lens: SimulatedLens, high: Reals, outside: Reals) -> Reals:
    """The rim's top: mitred corners, edges rounded by use that catch the light or lose it."""
    beyond = np.abs(high) - np.array(TRAY_HALF_MM, np.float32)
    sides = beyond[..., 0] > beyond[..., 1]
    wood = np.where(sides, _grain(noise, lens, True), _grain(noise, lens, False))
    mitre = np.where(np.minimum(beyond[..., 0], beyond[..., 1]) > 0,
                     np.exp(-(((beyond[..., 0] - beyond[..., 1]) / 0.6) ** 2)), 0)  # fmt: skip
    # Towards the lamp (left and back) an edge shines, away from it it is dark.
    facing = np.where(sides, -np.sign(high[..., 0]), np.sign(high[..., 1]))
    outer, inner = np.exp(-(((RIM_WIDTH_MM - outside) / 1.6) ** 2)), np.exp(-((outside / 1.6) ** 2))
    found: Reals = wood * (1 - 0.35 * mitre) * (1 + 0.16 * facing * (outer - inner))
    return found


def _wall_light(high: Reals, low: Reals) -> Reals:
    """The rim's inner sides: those that face the lamp are lit."""
    beyond = np.abs(low) - np.array(TRAY_HALF_MM, np.float32)
    sides = beyond[..., 0] > beyond[..., 1]
    facing = np.where(sides, np.sign(high[..., 0]), -np.sign(high[..., 1]))
    return (0.62 + 0.14 * facing).astype(np.float32)
