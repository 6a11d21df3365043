"""What tables are made of: wood, stone, laminate and dark tops, as tiles of reflectance that repeat
without a seam.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Singles

SURFACES = ("wood", "stone", "laminate", "dark")
TEXEL_MM = 0.5
SIDE = 1024
"""Texels of a tile's side."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A tile (SIDE, SIDE, 3) of reflectances, blue first, and how much the top shines."""

    tile: Singles
    gloss: float


def make_surface(kind: str, seed: int, mm_per_px: float) -> Surface:
    """The top of one table; details finer than a pixel are averaged away."""
    rng = np.random.default_rng([seed, SURFACES.index(kind)])
    makers = {"wood": _wood, "stone": _stone, "laminate": _laminate, "dark": _dark}
    tile, gloss = makers[kind](rng)
    blur = 0.45 * mm_per_px / TEXEL_MM
    soft = cv2.GaussianBlur(np.tile(tile, (3, 3, 1)), (0, 0), blur)[SIDE : 2 * SIDE, SIDE : 2 * SIDE]
    tile = np.clip(soft, 0.004, 0.9).astype(np.float32)
    return Surface(np.ascontiguousarray(tile), gloss)


def _noise(rng: np.random.Generator, across_mm: float, along_mm: float, rough: float = 2.0) -> Singles:
    """Seamless noise of mean 0 and spread 1 whose features have about these sizes."""
    fy = np.fft.fftfreq(SIDE, TEXEL_MM)[:, None] * along_mm
    fx = np.fft.rfftfreq(SIDE, TEXEL_MM)[None, :] * across_mm
    shape = 1 / (1 + (fx * fx + fy * fy) ** (rough / 2) * 30)
    white = np.fft.rfft2(rng.standard_normal((SIDE, SIDE)))
    made = np.fft.irfft2(white * shape, (SIDE, SIDE))
    made -= made.mean()
    return np.asarray(made / made.std(), np.float32)


def _tint(rng: np.random.Generator, *colors: tuple[float, float, float]) -> NDArray[np.float32]:
    chosen = np.array(colors[int(rng.integers(len(colors)))])
    return np.asarray(chosen * rng.uniform(0.85, 1.15) * rng.uniform(0.95, 1.05, 3), np.float32)


def _wood(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.10, 0.21, 0.36), (0.05, 0.11, 0.22), (0.19, 0.33, 0.48), (0.03, 0.06, 0.12))
    rings = _noise(rng, 40, 400) * 4 + _noise(rng, 9, 160)
    grain = (
        np.sin(rings * 3.0).astype(np.float32) * 0.5
        + _noise(rng, 1.2, 40) * 0.35
        + _noise(rng, 0.7, 8) * 0.15
    )
    tone = 1 + 0.16 * float(rng.uniform(0.5, 1.3)) * grain
    boards = int(rng.choice([0, 4, 6]))
    if boards:
        column = np.arange(SIDE) * boards / SIDE
        tone *= rng.uniform(0.85, 1.15, boards).astype(np.float32)[column.astype(int)][None, :]
        tone[:, (column % 1.0) * SIDE / boards < 2] *= 0.35
    return _painted(tone, base, rng), float(rng.uniform(0.1, 0.6))


def _stone(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.32, 0.33, 0.34), (0.50, 0.53, 0.55), (0.14, 0.14, 0.15))
    veins = np.exp(-np.abs(_noise(rng, 90, 60) + 0.3 * _noise(rng, 8, 8)) * 14)
    specks = (_noise(rng, 1.5, 1.5) > 2.0).astype(np.float32) - (_noise(rng, 1.2, 1.2) > 2.1).astype(
        np.float32
    )
    tone = 1 + 0.1 * _noise(rng, 60, 60) + 0.07 * _noise(rng, 5, 5) - 0.25 * veins + 0.3 * specks
    return _painted(tone, base, rng), float(rng.uniform(0.4, 1.0))


def _laminate(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.62, 0.66, 0.68), (0.40, 0.50, 0.56), (0.45, 0.42, 0.38), (0.24, 0.20, 0.16))
    tone = 1 + 0.03 * _noise(rng, 2, 2) + 0.03 * _noise(rng, 80, 80) + 0.02 * _noise(rng, 0.8, 30)
    return _painted(tone, base, rng), float(rng.uniform(0.3, 1.0))


def _dark(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.016, 0.016, 0.017), (0.03, 0.027, 0.025), (0.012, 0.02, 0.03))
    tone = 1 + 0.15 * _noise(rng, 1.0, 25) + 0.12 * _noise(rng, 50, 90)
    return _painted(tone, base, rng), float(rng.uniform(0.2, 1.0))


def _painted(tone: Singles, base: NDArray[np.float32], rng: np.random.Generator) -> Singles:
    """The base colour at each tone; darker parts of natural tops are also a little redder."""
    depth = np.array([1.15, 1.0, 0.9], np.float32) if rng.random() < 0.6 else np.ones(3, np.float32)
    return np.asarray(base * np.maximum(tone, 0.05)[..., None] ** depth, np.float32)
