"""Chance and noise: everything random of a scene comes from its one generator."""

import math
from functools import cache

import cv2
import numpy as np

from calibration.arrays import Singles

Chance = np.random.Generator


def between(chance: Chance, low: float, high: float) -> float:
    """A number between two others, each as likely."""
    return float(chance.uniform(low, high))


def scaled(chance: Chance, low: float, high: float) -> float:
    """A number between two positive ones, each ratio as likely."""
    return float(np.exp(chance.uniform(np.log(low), np.log(high))))


def maybe(chance: Chance, share: float) -> bool:
    """True in that share of the cases."""
    return bool(chance.random() < share)


@cache
def _pool() -> Singles:
    """Normal numbers once for all: drawing them anew for every pixel would take longer than the dice."""
    return np.random.default_rng(1 << 21).standard_normal(1 << 21, np.float32)


def grains(chance: Chance, shape: tuple[int, ...]) -> Singles:
    """Normal numbers, those of neighbouring places independent."""
    count, pool = math.prod(shape), _pool()
    first = int(chance.integers(pool.size))
    sign = np.float32(chance.choice((-1, 1)))
    if first + count > pool.size:
        first, pool = 0, np.resize(np.roll(pool, -first), count)
    return np.asarray(sign * pool[first : first + count].reshape(shape), np.float32)


def noise(chance: Chance, shape: tuple[int, int], grain: float, grain_y: float | None = None) -> Singles:
    """Smooth noise about 0 with a spread near 1; ``grain`` is the width of its blobs in pixels."""
    height, width = shape
    rows = max(2, int(height / max(grain if grain_y is None else grain_y, 1.0)) + 2)
    columns = max(2, int(width / max(grain, 1.0)) + 2)
    coarse = grains(chance, (rows, columns))
    return np.asarray(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def clouds(chance: Chance, shape: tuple[int, int], grain: float, octaves: int = 4) -> Singles:
    """Noise of several sizes on top of one another, the finer the weaker, about 0 with a spread near 1."""
    out = np.zeros(shape, np.float32)
    weight, total = 1.0, 0.0
    for _ in range(octaves):
        out += np.float32(weight) * noise(chance, shape, grain)
        total += weight * weight
        weight *= 0.55
        grain *= 0.5
        if grain < 1.0:
            break
    return np.asarray(out / np.float32(np.sqrt(total)), np.float32)
