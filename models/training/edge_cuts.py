"""Makes what the network of edges learns from: strips across sides, relit.

Each die is cut out six times: once from its picture, and five times as if it had been taken for a die a
little beside it, and longer or shorter, from a picture that was spoilt as other cameras and lights would have
it.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from calibration.arrays import Floats, Picture, Singles
from models.files import CACHE
from models.scenes.chance import Chance
from models.training.corner_scenes import DrawnLanding, landings, recoloured, seen_round, spoilt
from models.training.store import joined, kept_part
from vision.landing.cube import Cube, flat_cube, yaw_of
from vision.landing.fit import Roundness
from vision.landing.shape_refinement import SideStrips, cut_strips
from vision.learned.contract import ACROSS, ALONG, SIDE_FEATURES, SIDES

# Strips across dice's sides as they might look in any other light.
#
# A painter settles how dark it is at a die's foot, how its rounded edges take the light, where they shine;
# each does so in his own way, and no real table is like either. So light is made to rise and fall across each
# side, smoothly, and bright spots are laid over it: neither moves an edge. What a camera does across an edge
# is made to vary beside it.

LIT, SPOTTED, SOFTENED = 0.75, 0.5, 0.5
"""The share of the dice in other light, with bright spots, and softened or sharpened."""
MOST_LIT, MOST_BRIGHT = 1.3, 0.6
WAVES = 6
"""How many waves the light across a side is made of; the shortest is some 2.5 mm long."""
ALIKE, BY_PLANE, BY_COLOR = 0.22, 0.095, 0.04
"""How strong each wave is, as a power of e, in both planes and all colours alike, and apart in each."""
GAMMA = 1.7
BLUR_PX = (0.5, 2.5)
_REACH = 8
_TURNS = math.pi * np.arange(WAVES)[:, None] * np.arange(ACROSS) / ACROSS
_ACROSS = np.concatenate((np.cos(_TURNS), np.sin(_TURNS))).astype(np.float32)
_FALL = np.tile(1 / (1 + 0.5 * np.arange(WAVES)), 2)


def relit(strips: Singles, chance: Chance) -> Singles:
    """Strips (N x 4 x 64 x 6 x 6, 0 to 255) in other light and by another camera."""
    shown = strips / np.float32(255) * _gains(len(strips), chance)
    spotted = np.flatnonzero(chance.random(len(strips)) < SPOTTED)
    if len(spotted):
        light = np.maximum(shown[spotted], 0) ** GAMMA + _spots(len(spotted), chance)
        shown[spotted] = light ** (1 / GAMMA)
    for one in np.flatnonzero(chance.random(len(strips)) < SOFTENED):
        soft = _softer(shown[one], float(chance.uniform(*BLUR_PX)))
        shown[one] += float(chance.choice([-1.0, chance.uniform(0.2, 1.0)])) * (shown[one] - soft)
    return np.asarray(np.clip(shown, 0, 1) * 255, np.float32)


def _gains(count: int, chance: Chance) -> Singles:
    """How much brighter each place across each side is (N x 4 x 64 x 1 x 6)."""
    size = (chance.random((count, 1, 1, 1, 1)) < LIT) * chance.uniform(0, MOST_LIT, (count, 1, 1, 1, 1))

    def field(planes: int, colors: int) -> Singles:
        waves = chance.normal(0, 1, (count, SIDES, planes, colors, 2 * WAVES)) * _FALL
        return np.asarray(waves.astype(np.float32) @ _ACROSS, np.float32)

    light = ALIKE * field(1, 1) + BY_PLANE * field(2, 1) + BY_COLOR * field(1, 3)
    gains = np.exp(size * light).astype(np.float32)
    return np.asarray(gains.transpose(0, 1, 4, 2, 3).reshape(count, SIDES, ACROSS, 1, 6))


def _spots(count: int, chance: Chance) -> Singles:
    """Light that is added where a rounded edge shines (N x 4 x 64 x 6 x 1)."""
    each = (count, SIDES, 1, 1, 1)
    apart = np.arange(ACROSS)[None, None, :, None, None] - chance.uniform(8, 48, each)
    bright = chance.uniform(0, MOST_BRIGHT, (count, 1, 1, 1, 1)) * (chance.random(each) < 0.6)
    along = np.clip(chance.normal(0.7, 0.5, (count, SIDES, 1, ALONG, 1)), 0, 1)
    return np.asarray(bright * along * np.exp(-((apart / chance.uniform(2, 9, each)) ** 2)), np.float32)


def _softer(sides: Singles, sigma_px: float) -> Singles:
    """The sides of one die (4 x 64 x 6 x 6), blurred across."""
    weights = np.exp(-((np.arange(-_REACH, _REACH + 1) / sigma_px) ** 2) / 2)
    padded = np.pad(sides, ((0, 0), (_REACH, _REACH), (0, 0), (0, 0)), mode="edge")
    parts = [weight * padded[:, at : at + ACROSS] for at, weight in enumerate(weights / weights.sum())]
    return np.asarray(np.sum(parts, axis=0), np.float32)


FOLDER = CACHE / "strips"
AGAIN = 5
BESIDE_PX, TURNED_PX = 0.15, 0.2
"""How far beside its place a die is taken to lie, and how far its sides' ends to be turned; one sigma."""
LONGER_MM = 0.16
"""By how much longer or shorter it is taken to be; one sigma."""
KNOWN_MM = (0.1, 0.5)
"""The least and the most that one sigma of its rounding is where the picture is fine; it is more where that
is coarse."""


@dataclass(frozen=True, slots=True, eq=False)
class LearntStrips:
    """N dice as the network is shown them, and what is true of each."""

    strips: Picture
    """N x 4 x 64 x 6 x 6."""
    known: Singles
    """N x 4 x 5."""
    steps: Singles
    """How much longer each die's edge is than it was cut out, mm (N)."""
    roundings: Singles
    """Mm (N)."""
    asides: Singles
    """How far each die's middle lies from where it was cut out, along its first side's normal and along its
    second's, mm (N x 2)."""

    def __len__(self) -> int:
        """How many."""
        return len(self.steps)


def strips_of(tables: Sequence[int], per_table: int, *, plain: bool = False) -> LearntStrips:
    """The dice of so many landings on each of the tables of these seeds; drawn where they are not kept.

    With `plain` all are cut out of pictures as the benchmark draws them.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    every = tqdm(tables, desc="edges", mininterval=5)
    parts = [
        kept_part(
            FOLDER / f"{seed}-{per_table}.npz", LearntStrips, partial(_cut, seed, per_table, plain=plain)
        )
        for seed in every
    ]
    return joined(LearntStrips, parts)


def _cut(seed: int, per_table: int, *, plain: bool) -> LearntStrips:
    chance = np.random.default_rng([seed, 56])
    drawn = landings(seed, per_table, plain=plain, shaded=True)
    rows = [row for landed in drawn for row in _rows(landed, plain, chance)]
    return LearntStrips(
        np.array([cut.strips for cut, _, _ in rows], np.uint8).reshape(-1, SIDES, ACROSS, ALONG, 6),
        np.array([cut.known for cut, _, _ in rows], np.float32).reshape(-1, SIDES, SIDE_FEATURES),
        np.array([true.edge_mm - taken.edge_mm for _, true, taken in rows], np.float32),
        np.array([true.radius_mm for _, true, _ in rows], np.float32),
        np.array([_aside(true, taken) for _, true, taken in rows], np.float32).reshape(-1, 2),
    )


def _rows(landed: DrawnLanding, plain: bool, chance: Chance) -> Iterator[tuple[SideStrips, Cube, Cube]]:
    """Each die of a landing, cut out once and so often again: with how it lies, and what it was taken for."""
    for die in landed.dice:
        x, y = die.center_mm[:2]
        picture, view = seen_round(landed, x, y)
        scale = view.scale_px_per_mm(x, y, 8.0)
        true = flat_cube(x, y, math.atan2(die.turn[0][1], die.turn[0][0]), die.edge_mm, die.radius_mm)
        for turn in range(1 + AGAIN):
            taken, rounding = _taken_for(true, scale, chance)
            shown = spoilt(picture, chance) if turn and not plain else picture
            cut = cut_strips(shown, view, taken, rounding)
            if cut is not None:
                yield cut, true, taken


def _aside(true: Cube, taken: Cube) -> Floats:
    cosine, sine = math.cos(yaw_of(taken)), math.sin(yaw_of(taken))
    normals = np.array([[cosine, sine], [-sine, cosine]])
    return np.asarray(normals @ (true.center_mm - taken.center_mm)[:2])


def _taken_for(true: Cube, scale: float, chance: Chance) -> tuple[Cube, Roundness]:
    """What a die may be taken for, and what may be known of its rounding; `scale` is in px per mm."""
    x, y = true.center_mm[:2] + chance.normal(0, BESIDE_PX / scale, 2)
    yaw = yaw_of(true) + chance.normal(0, TURNED_PX / scale / 8)
    sigma_mm = float(chance.uniform(*KNOWN_MM)) / min(1.0, scale / 3)
    thought_mm = max(0.3, true.radius_mm + float(chance.normal(0, sigma_mm)))
    edge_mm = true.edge_mm + float(chance.normal(0, LONGER_MM))
    return flat_cube(float(x), float(y), yaw, edge_mm, thought_mm), Roundness(thought_mm, sigma_mm)


def strip_batch(
    dice: LearntStrips, rows: NDArray[np.intp], chance: Chance
) -> tuple[Singles, Singles, Singles, Singles, Singles]:
    """These dice as the network will see them, in any colours and light and mirrored (4 N x 6 x 64 x 6), what
    is known of each side (4 N x 5), and what is true: steps (N), roundings (N), asides (N x 2)."""
    strips = relit(recoloured(dice.strips[rows], chance), chance)
    known = dice.known[rows].copy()
    mirrored = chance.random(len(rows)) < 0.5
    strips[mirrored] = strips[mirrored][:, :, :, ::-1]
    known[mirrored, :, 1] *= -1
    known += chance.normal(0, 0.02, known.shape).astype(np.float32)
    shown = np.ascontiguousarray(strips.transpose(0, 1, 4, 2, 3).reshape(-1, 6, ACROSS, ALONG))
    return shown, known.reshape(-1, SIDE_FEATURES), dice.steps[rows], dice.roundings[rows], dice.asides[rows]
