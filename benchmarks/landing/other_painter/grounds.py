"""What the second painter's tables are made of: cloth, dark glass, laminate, terrazzo, wood and stone.

A ground is a map of reflectances over all that the camera sees, with how much it mirrors and how sharply.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Floats, Singles

GROUNDS = ("cloth", "glass", "laminate", "terrazzo", "wood", "stone")


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """A map (h, w, 3) of reflectances, blue first; x to the right, y up from the first row."""

    tints: Singles
    low_mm: tuple[float, float]
    """The place of the first texel's middle."""
    texel_mm: float
    mirrors: float
    """The share of light that it mirrors when looked at straight on."""
    rough: float
    """How far, in rad, mirrored light is strewn."""

    def tint_at(self, points: Floats) -> Singles:
        """Reflectances (n, 3) at places (n, 2) mm."""
        high, wide = self.tints.shape[:2]
        x = np.clip((points[:, 0] - self.low_mm[0]) / self.texel_mm, 0, wide - 1.001)
        y = np.clip((points[:, 1] - self.low_mm[1]) / self.texel_mm, 0, high - 1.001)
        i, j = x.astype(np.int32), y.astype(np.int32)
        a, b = (x - i).astype(np.float32)[:, None], (y - j).astype(np.float32)[:, None]
        flat, at = self.tints.reshape(-1, 3), j * wide + i
        near = flat[at] * (1 - a) + flat[at + 1] * a
        far = flat[at + wide] * (1 - a) + flat[at + wide + 1] * a
        return np.asarray(near * (1 - b) + far * b, np.float32)


@dataclass(frozen=True, slots=True)
class _Canvas:
    """Where a ground's map is made."""

    rng: np.random.Generator
    shape: tuple[int, int]
    texel_mm: float

    def clouds(self, wide_mm: float, high_mm: float, octaves: int = 1, fade: float = 0.5) -> Singles:
        """Smooth noise (h, w) of mean 0 and spread 1, with blobs of that size and finer ones."""
        total, weight = np.zeros(self.shape, np.float32), 1.0
        for _ in range(octaves):
            rows = max(2, int(self.shape[0] * self.texel_mm / high_mm) + 2)
            columns = max(2, int(self.shape[1] * self.texel_mm / wide_mm) + 2)
            rows, columns = min(rows, self.shape[0]), min(columns, self.shape[1])
            grid = self.rng.standard_normal((rows, columns)).astype(np.float32)
            total += weight * cv2.resize(grid, self.shape[::-1], interpolation=cv2.INTER_CUBIC)
            weight, wide_mm, high_mm = weight * fade, wide_mm / 2, high_mm / 2
        return np.asarray((total - total.mean()) / total.std(), np.float32)

    def places(self) -> tuple[Singles, Singles]:
        """x (1, w) and y (h, 1) of the texels in mm."""
        high, wide = self.shape
        x = np.arange(wide, dtype=np.float32)[None] * self.texel_mm
        return x, np.arange(high, dtype=np.float32)[:, None] * self.texel_mm

    def pick(self, *tints: tuple[float, float, float]) -> Singles:
        """One of some colours, a little changed."""
        chosen = np.array(tints[int(self.rng.integers(len(tints)))])
        return np.asarray(chosen * self.rng.uniform(0.85, 1.15) * self.rng.uniform(0.94, 1.06, 3), np.float32)


def make_ground(
    kind: str, rng: np.random.Generator, low_mm: Floats, high_mm: Floats, texel_mm: float
) -> Ground:
    """The ground of a table that reaches from one place to another."""
    size = np.ceil((high_mm - low_mm) / texel_mm).astype(int) + 2
    canvas = _Canvas(rng, (int(size[1]), int(size[0])), texel_mm)
    makers = {"cloth": _cloth, "glass": _glass, "laminate": _laminate, "terrazzo": _terrazzo}
    makers |= {"wood": _wood, "stone": _stone}
    tints, mirrors, rough = makers[kind](canvas)
    soft = cv2.GaussianBlur(np.clip(tints, 0.004, 0.88), (0, 0), 0.4)
    return Ground(soft.astype(np.float32), (float(low_mm[0]), float(low_mm[1])), texel_mm, mirrors, rough)


def _cloth(on: _Canvas) -> tuple[Singles, float, float]:
    """A woven or felted cloth with fibres and fluff, a little creased."""
    tint = on.pick((0.05, 0.16, 0.05), (0.14, 0.06, 0.04), (0.06, 0.03, 0.17), (0.1, 0.1, 0.11),
                   (0.30, 0.36, 0.42), (0.018, 0.017, 0.017), (0.24, 0.30, 0.18))  # fmt: skip
    x, y = on.places()
    pitch = float(on.rng.uniform(0.9, 1.7))
    weave = np.sin(x * (2 * np.pi / pitch)) * np.sin(y * (2 * np.pi / pitch))
    deep = 0.13 if pitch > 2.6 * on.texel_mm and on.rng.random() < 0.6 else 0.0
    fluff = on.clouds(0.5, 0.5) * 0.07 + on.clouds(0.4, 4.0) * 0.04 + on.clouds(4.0, 0.4) * 0.04
    creases = on.clouds(130, 60, 3) * 0.04
    tone = 1 + deep * weave.astype(np.float32) + fluff + creases
    lint = on.clouds(0.9, 0.9) > 3.6
    tints = tint * np.maximum(tone, 0.1)[..., None]
    tints[lint] += 0.12
    return tints, 0.0, 1.0


def _glass(on: _Canvas) -> tuple[Singles, float, float]:
    """Dark glass with dust and fingerprints: it mirrors what stands and hangs above it."""
    tint = on.pick((0.012, 0.011, 0.010), (0.022, 0.017, 0.013), (0.012, 0.016, 0.012))
    smears = np.maximum(on.clouds(40, 90, 4) - 0.8, 0) * 0.003
    dust = np.maximum(on.clouds(0.6, 0.6) - 3.1, 0) * 0.05
    tone = 1 + 0.08 * on.clouds(200, 200)
    tints = tint * tone[..., None] + (smears + dust)[..., None]
    return tints, float(on.rng.uniform(0.04, 0.07)), float(on.rng.uniform(0.001, 0.006))


def _rings(on: _Canvas, spacing_mm: float, width_mm: float, bow_mm: float) -> tuple[Singles, Singles]:
    """Year rings (h, w), 0 to 1 within each, on boards cut along a trunk; and each board's tone (h, w)."""
    x, y = on.places()
    warp = on.clouds(70, 420, 2) * bow_mm + on.clouds(9, 120) * spacing_mm * 0.22
    board = np.floor_divide(x, width_mm).astype(int) % 64
    middles = on.rng.uniform(-0.5, 1.5, 64)[board] * width_mm
    depth = on.rng.uniform(6, 60, 64)[board] + on.rng.uniform(-0.05, 0.05, 64)[board] * y
    across = x % width_mm - middles + warp
    ring = np.hypot(across, depth) / spacing_mm
    tones = on.rng.uniform(0.86, 1.12, 64)[board]
    tones = np.where(x % width_mm < 0.5, tones * 0.55, tones)
    return np.asarray(ring % 1.0, np.float32), np.asarray(np.broadcast_to(tones, on.shape), np.float32)


def _grained(light: Singles, dark: Singles, share: Singles) -> Singles:
    share = np.clip(share, 0, 1)[..., None]
    return np.asarray(light * (1 - share) + dark * share, np.float32)


def _laminate(on: _Canvas) -> tuple[Singles, float, float]:
    """Printed wood whose grain is far stronger than the real one's."""
    light = on.pick((0.42, 0.60, 0.70), (0.40, 0.48, 0.53), (0.16, 0.27, 0.40), (0.07, 0.11, 0.17))
    ring, tones = _rings(on, float(on.rng.uniform(5, 13)), float(on.rng.uniform(120, 260)), 14.0)
    dark = light * np.array([0.4, 0.5, 0.58], np.float32)
    lines = np.exp(-((ring - 0.8) ** 2) * 70) * 0.9 + ring**4 * 0.3
    streaks = np.clip(on.clouds(0.8, 14) * 0.16, -0.1, 0.5)
    tints = _grained(light, dark, lines + streaks) * tones[..., None]
    return tints, float(on.rng.uniform(0.025, 0.045)), float(on.rng.uniform(0.02, 0.09))


def _wood(on: _Canvas) -> tuple[Singles, float, float]:
    """Boards with year rings and pores, oiled or lacquered."""
    light = on.pick((0.12, 0.25, 0.42), (0.05, 0.10, 0.19), (0.22, 0.36, 0.50), (0.022, 0.04, 0.08))
    ring, tones = _rings(on, float(on.rng.uniform(2.2, 6)), float(on.rng.uniform(70, 140)), 9.0)
    dark = light * np.array([0.55, 0.6, 0.68], np.float32)
    pores = (on.clouds(0.4, 5) > 1.5).astype(np.float32) * 0.5
    tints = _grained(light, dark, ring**2 * 0.8 + pores + on.clouds(0.6, 30) * 0.12) * tones[..., None]
    return tints, float(on.rng.choice([0.01, 0.025, 0.04])), float(on.rng.uniform(0.03, 0.16))


def _stone(on: _Canvas) -> tuple[Singles, float, float]:
    """Granite of three sorts of grains, or marble with veins."""
    rough = float(on.rng.uniform(0.004, 0.05))
    if on.rng.random() < 0.5:
        base = on.pick((0.26, 0.28, 0.30), (0.16, 0.19, 0.28), (0.06, 0.06, 0.065))
        size = float(on.rng.uniform(1.4, 4))
        tints = base * (1 + 0.12 * on.clouds(size, size) + 0.05 * on.clouds(90, 90))[..., None]
        for tint, share in ((base * 0.15, 1.3), (base * 1.9, 1.4), (base * [0.8, 0.9, 1.3], 1.2)):
            edge = np.clip((on.clouds(size, size, 2) - share) * 5, 0, 1)[..., None]
            tints = tints * (1 - edge) + tint * edge
        return tints.astype(np.float32), 0.04, rough
    base = on.pick((0.60, 0.63, 0.64), (0.38, 0.42, 0.44), (0.03, 0.035, 0.03))
    bend = on.clouds(140, 110, 5, 0.6)
    veins = np.exp(-np.abs(bend) * on.rng.uniform(20, 45)) + 0.4 * np.exp(-np.abs(bend - 0.7) * 60)
    vein = base * 0.35 if base.mean() > 0.1 else np.array([0.4, 0.45, 0.45])
    return (
        _grained(base * (1 + 0.07 * on.clouds(60, 60, 3))[..., None], vein.astype(np.float32), veins),
        0.04,
        rough,
    )


def _terrazzo(on: _Canvas) -> tuple[Singles, float, float]:
    """Chips of broken stone in cement, ground flat and sealed."""
    base = on.pick((0.52, 0.55, 0.57), (0.22, 0.22, 0.23), (0.42, 0.50, 0.50), (0.05, 0.05, 0.05))
    tints = np.asarray(base * (1 + 0.04 * on.clouds(1, 1) + 0.03 * on.clouds(60, 60))[..., None], np.float32)
    sorts = np.array([(0.08, 0.08, 0.09), (0.62, 0.66, 0.68), (0.10, 0.20, 0.38), (0.22, 0.30, 0.20),
                      (0.12, 0.15, 0.34), (0.34, 0.36, 0.38)])  # fmt: skip
    sorts = sorts[on.rng.permutation(6)[:4]]
    high, wide = on.shape
    area = high * wide * on.texel_mm**2
    for _ in range(int(area / on.rng.uniform(90, 200))):
        size = float(np.exp(on.rng.normal(0.7, 0.5))) / on.texel_mm
        _lay_chip(tints, on.rng, size, sorts[int(on.rng.integers(4))])
    return tints, 0.035, float(on.rng.uniform(0.01, 0.06))


def _lay_chip(tints: Singles, rng: np.random.Generator, size: float, tint: Floats) -> None:
    """One chip: the inside of a few straight cuts round a place."""
    high, wide = tints.shape[:2]
    x, y, reach = rng.uniform(0, wide), rng.uniform(0, high), int(size * 1.6) + 2
    rows = np.arange(max(0, int(y) - reach), min(high, int(y) + reach))
    columns = np.arange(max(0, int(x) - reach), min(wide, int(x) + reach))
    inside = np.full((len(rows), len(columns)), np.inf, np.float32)
    turn, sides = rng.uniform(0, 6.3), int(rng.integers(4, 8))
    for i in range(sides):
        angle = turn + (i + rng.uniform(-0.3, 0.3)) * 2 * np.pi / sides
        cut = size * rng.uniform(0.6, 1.1)
        away = cut - ((columns - x)[None] * np.cos(angle) + (rows - y)[:, None] * np.sin(angle))
        np.minimum(inside, away, out=inside)
    cover = np.clip(inside + 0.5, 0, 1)[..., None]
    part = tints[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] if len(rows) and len(columns) else None
    if part is not None:
        part += cover * (tint * rng.uniform(0.85, 1.15) - part)
