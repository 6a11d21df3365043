"""Measures marks: compact filled spots that stand out from what is round them, as pips and Zoinx symbols do.

`vision.classic.find` says where spots may be. Each is measured in polar coordinates, on the level of the
picture's pyramid where it is a few pixels large: the radius at which its edge is crossed in 12 or 24
directions gives centre, size, ellipse (second harmonic), squareness (fourth) and roughness (the rest). All
candidates of a level are measured together, so the work is a few array operations whatever their number.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Picture, Singles


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Marks as parallel arrays; coordinates are pixels of the full picture."""

    xy: Singles
    """N x 2 centres."""
    radius: Singles
    """Radius of the circle with the same area."""
    aspect: Singles
    """Short axis of the fitted ellipse divided by the long one, 0 to 1."""
    square: Singles
    """Fourth harmonic of the outline divided by its mean radius: near 0 for a disc, 0.09 for a square."""
    rough: Singles
    """What neither ellipse nor square explains of the outline, divided by its mean radius."""
    contrast: Singles
    """Mark minus surround in its channel, grey levels; negative for a dark mark."""
    body: Singles
    """Colour round the mark (N x 3), blue green red."""
    ink: Singles
    """Colour of the mark (N x 3), blue green red."""
    uneven: Singles
    """How much the surround changes with direction, divided by the contrast."""
    mottled: Singles
    """How much the mark itself changes within, divided by the contrast: a whole die with its pips is no
    mark."""

    def __len__(self) -> int:
        """How many marks."""
        return len(self.radius)

    def take(self, which: Ints | NDArray[np.bool_]) -> "Marks":
        """Only these marks."""
        return Marks(
            self.xy[which],
            self.radius[which],
            self.aspect[which],
            self.square[which],
            self.rough[which],
            self.contrast[which],
            self.body[which],
            self.ink[which],
            self.uneven[which],
            self.mottled[which],
        )


@dataclass(frozen=True, slots=True, eq=False)
class Spots:
    """Candidates as parallel arrays; coordinates are pixels of the full picture."""

    xy: Singles
    radius: Singles
    sign: Singles
    """1 for a light spot, -1 for a dark one."""
    channel: Ints
    """The channel in which it stands out most, 0 to 2."""


@dataclass(frozen=True, slots=True, eq=False)
class Rays:
    """Where a candidate is sampled: on `count` rays, at radii in units of its expected radius."""

    count: int
    radii: Singles


def middle(values: Singles) -> Singles:
    """The median along the first axis; of a few values, numpy's own takes ten times as long."""
    ordered = np.sort(values, axis=0)
    count = len(ordered)
    return np.asarray((ordered[(count - 1) // 2] + ordered[count // 2]) / 2, np.float32)


def pyramid(picture: Picture) -> list[Picture]:
    """The picture and its halves, down to about 40 pixels."""
    levels = [picture]
    while min(levels[-1].shape[:2]) >= 80:
        height, width = levels[-1].shape[:2]
        half = cv2.resize(levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return levels


def to_full(xy: Singles, level: int) -> Singles:
    """Pixel positions on a pyramid level, in the full picture (pixel centres are at whole numbers)."""
    scale = np.float32(2**level)
    return np.asarray((xy + 0.5) * scale - 0.5, np.float32)


def to_level(xy: Singles, level: int) -> Singles:
    """Pixel positions in the full picture, on a pyramid level."""
    scale = np.float32(2**level)
    return np.asarray((xy + 0.5) / scale - 0.5, np.float32)


def measure_marks(levels: list[Picture], spots: Spots, rays: Rays) -> Marks:
    """Measure every candidate on the level where its radius is some three to six pixels."""
    radius = spots.radius
    if not len(radius):
        none, colour = np.zeros(0, np.float32), np.zeros((0, 3), np.float32)
        return Marks(colour[:, :2], none, none, none, none, none, colour, colour, none, none)
    level = np.clip(np.floor(np.log2(np.maximum(radius, 1e-3) / 3.0)), 0, len(levels) - 1).astype(np.intp)
    samples = np.empty((len(radius), rays.count, len(rays.radii), 3), np.uint8)
    for which in np.unique(level):
        rows = np.nonzero(level == which)[0]
        at = to_level(spots.xy[rows], int(which))
        samples[rows] = _polar(levels[which], at, radius[rows] / np.float32(2**which), rays)
    return _measure(samples, rays.radii, spots)


def directions(count: int) -> Singles:
    """`count` unit vectors round the circle, from +x towards +y."""
    angle = np.arange(count, dtype=np.float32) * np.float32(2 * np.pi / count)
    return np.column_stack((np.cos(angle), np.sin(angle))).astype(np.float32)


def _polar(picture: Picture, at: Singles, radius: Singles, rays: Rays) -> NDArray[np.uint8]:
    """Colours on rays from each point: N x directions x radii x 3."""
    grid = (directions(rays.count)[:, None, :] * rays.radii[None, :, None]).reshape(-1, 2)
    x = at[:, :1] + radius[:, None] * grid[:, 0]
    y = at[:, 1:] + radius[:, None] * grid[:, 1]
    out = np.empty((*x.shape, 3), np.uint8)
    for begin in range(0, len(at), 30_000):  # remap takes at most 32,767 rows
        part = slice(begin, begin + 30_000)
        out[part] = cv2.remap(picture, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out.reshape(len(at), rays.count, len(rays.radii), 3)


def _measure(samples: NDArray[np.uint8], radii: Singles, spots: Spots) -> Marks:
    """Centre, size and shape from the rays."""
    count, turns = samples.shape[:2]
    one = samples[np.arange(count), :, :, spots.channel].astype(np.float32)  # N x directions x radii
    outside = one[:, :, radii >= 1.35]
    inner = _median(one[:, ::2, radii <= 0.45])
    outer = _median(outside[:, ::2, :4])
    contrast = inner - outer
    rim, closed = _rim(one, radii, inner, outer)
    shape = np.fft.rfft(rim, axis=1) / turns
    mean = np.maximum(shape[:, 0].real, 1e-3)
    first, second, fourth = 2 * shape[:, 1], 2 * np.abs(shape[:, 2]), 2 * np.abs(shape[:, 4])
    rest = np.sqrt(2 * (np.abs(shape[:, 3]) ** 2 + np.sum(np.abs(shape[:, 5:]) ** 2, axis=1)))
    stretch = np.clip(second / mean, 0, 0.9)
    moved = np.column_stack((first.real, -first.imag)) * spots.radius[:, None]
    close = samples[:, ::2, (radii >= 1.35) & (radii <= 1.85)]
    wide = samples[:, ::2, (radii >= 1.75) & (radii <= 2.25)]  # clear of a small mark's soft edge
    ring = np.where((spots.radius < 4)[:, None, None, None], wide, close)
    spread = outside[:, :, :3].mean(axis=2).std(axis=1)
    within = one[:, :, radii <= 0.7].std(axis=(1, 2))
    strength = np.maximum(np.abs(contrast), 1)
    wrong = (~closed).mean(axis=1) + (np.sign(contrast) != spots.sign)
    return Marks(
        xy=np.asarray(spots.xy + moved, np.float32),
        radius=np.asarray(mean * spots.radius, np.float32),
        aspect=np.asarray((1 - stretch) / (1 + stretch), np.float32),
        square=np.asarray(fourth / mean, np.float32),
        rough=np.asarray(rest / mean + wrong, np.float32),
        contrast=np.asarray(contrast, np.float32),
        body=_median(ring.transpose(0, 3, 1, 2)),
        ink=_median(samples[:, ::2, radii <= 0.45].transpose(0, 3, 1, 2)),
        uneven=np.asarray(spread / strength, np.float32),
        mottled=np.asarray(within / strength, np.float32),
    )


def _median(values: NDArray[np.uint8] | Singles) -> Singles:
    """The median over the last two axes."""
    flat = values.reshape(*values.shape[:-2], -1)
    count = flat.shape[-1]
    ordered = np.sort(flat, axis=-1).astype(np.float32)
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2, np.float32)


def _rim(one: Singles, radii: Singles, inner: Singles, outer: Singles) -> tuple[Singles, NDArray[np.bool_]]:
    """The radius, in units of the expected one, at which each ray leaves the mark, and whether it leaves
    it."""
    span = np.where(np.abs(outer - inner) < 1, 1, outer - inner)
    share = (one - inner[:, None, None]) / span[:, None, None]  # 0 in the mark, 1 outside
    out = share > 0.5
    step = np.argmax(out, axis=2)
    closed = out.any(axis=2)
    step = np.clip(step, 1, len(radii) - 1)
    after = np.take_along_axis(share, step[..., None], 2)[..., 0]
    before = np.take_along_axis(share, step[..., None] - 1, 2)[..., 0]
    part = np.clip((0.5 - before) / np.where(after - before == 0, 1, after - before), 0, 1)
    rim = radii[step - 1] + part * (radii[1] - radii[0])
    return np.where(closed, rim, radii[-1]).astype(np.float32), np.asarray(closed)
