"""Strips across dice's sides as they might look in any other light.

A painter settles how dark it is at a die's foot, how its rounded edges take the light, where they shine; each
does so in his own way, and no real table is like either. So light is made to rise and fall across each side,
smoothly, and bright spots are laid over it: neither moves an edge. What a camera does across an edge is made
to vary beside it.
"""

import math

import numpy as np

from calibration.arrays import Singles
from models.scenes.chance import Chance
from vision.learned.contract import ACROSS, ALONG, SIDES

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
