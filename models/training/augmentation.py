"""Shows faces in very many ways: turned, larger, sheared, in other light and colours, out of focus, noisy.

A whole batch is shown at once, on whatever device the network learns on. What is true of a face stays true:
places are calculated along with every change of shape, only faces without digits are mirrored, and dice lie
as they lay, since all of a cut is sheared alike, as it would be from another place of the camera.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from calibration.arrays import Picture, Singles
from models.scenes.chance import Chance
from models.training.cuts import UNIT_PX, WIDE_PX
from models.training.targets import turn_by
from vision.learned.contract import CLASSES, CUT_SIDE_PX

HAS_NO_UPRIGHT = ("d4", "foreign", "none")
MIRRORED = ("pip", "zoinx", "none", "hidden")
"""The kinds that may be mirrored: digits may not."""
SIZES = math.log(0.75), math.log(1.3)
SHEAR = 0.2
SQUEEZED, MOST_SQUEEZED = 0.25, math.log(1.8)
"""The share of cuts that are squeezed in some direction, as dice are that a camera sees from the side, and
as photographs are that were made square; and the log of by how much at most."""
CLOUDED, SHONE_THROUGH = 0.3, 0.15
"""The shares of cuts in which clouds are drawn, and through which another face shines."""
SPECKED, MOST_SPECKS = 0.1, 0.03
"""The share of cuts with black and white specks, and the largest share of their pixels that is one."""
REACH_PX = 5
"""How far the blur reaches, in pixels either way."""

Shapes = tuple[NDArray[np.float64], NDArray[np.float64]]


def labels_of(classes: NDArray[np.int64]) -> list[str]:
    """The kind of each class; "hidden" where it is not asked."""
    return [CLASSES[int(number)][0] if number >= 0 else "hidden" for number in classes]


def shapes(labels: Sequence[str], chance: Chance) -> Shapes:
    """Random maps from the cut to the upright face in half edges, one for each label: N x 2 x 2, and the
    shifts, N x 2.

    Half of them are far off, as a finder errs at its worst, the others a little.
    """
    count = len(labels)
    much = chance.random(count) < 0.5
    wide = np.where(much, 0.17, 0.05)
    angle = chance.integers(4, size=count) * (np.pi / 2) + chance.normal(0, np.where(much, 0.25, 0.06))
    anyhow = np.isin(labels, HAS_NO_UPRIGHT) | (much & (chance.random(count) < 0.5))
    angle = np.where(anyhow, chance.uniform(0, 2 * np.pi, count), angle)
    size = np.where(much, chance.uniform(*SIZES, count), chance.normal(0, 0.05, count))
    stretch = np.exp(size)[:, None, None] * np.eye(2)
    stretch = stretch + chance.normal(0, 0.3, (count, 2, 2)) * wide[:, None, None]
    shear = chance.uniform(-SHEAR, SHEAR, count) * (chance.random(count) < 0.5)
    along = np.tile(np.eye(2), (count, 1, 1))
    along[:, 0, 1] = shear
    way = chance.uniform(0, np.pi, count)
    linear = turn_by(angle) @ stretch @ turn_by(way) @ along @ turn_by(-way)
    squeeze = chance.uniform(0, MOST_SQUEEZED / 2, count) * (chance.random(count) < SQUEEZED)
    across, thin = chance.uniform(0, np.pi, count), np.exp(np.outer(squeeze, (1, -1)))
    linear = linear @ turn_by(across) @ (thin[:, :, None] * np.eye(2)) @ turn_by(-across)
    linear[np.isin(labels, MIRRORED) & (chance.random(count) < 0.5), :, 0] *= -1
    return linear, chance.normal(0, 1, (count, 2)) * wide[:, None]


def places_told(shaped: Shapes, labels: Sequence[str], placed: NDArray[np.bool_]) -> Singles:
    """Where each face then lies in its cut, as the reader is to tell it: N x 12, the numbers of `MOVES`, and
    whether its place, the turn of a square and that of a triangle are asked. Nothing is asked where the face
    does not lie in the middle (`placed`), nor of what is no face."""
    axes = np.linalg.inv(shaped[0])
    center = -(axes @ shaped[1][:, :, None])[:, :, 0]
    mirrored = np.linalg.det(axes) < 0
    axes[mirrored, :, 1] *= -1
    (a, b), (c, d) = axes.transpose(1, 2, 0)
    half = np.sqrt(np.maximum(a * d - b * c, 1e-6))
    turn = np.arctan2(c - b, a + d)
    cosine, sine = np.cos(turn), np.sin(turn)
    along, across = (a * cosine - b * sine - c * sine - d * cosine) / 2 / half, (a * sine + b * cosine) / half
    kinds = np.array(labels)
    asked = placed & (kinds != "none")
    turns = [np.cos(4 * turn), np.sin(4 * turn), np.cos(3 * turn), np.sin(3 * turn)]
    flags = [np.ones(len(kinds)), ~np.isin(kinds, ("d4", "foreign")), kinds == "d4"]
    moves = np.column_stack((center, np.log(half), along, across, *turns, *flags))
    return np.asarray(moves * asked[:, None], np.float32)


def show(wide: Any, linear: Any, shift: Any, seed: int) -> Any:
    """Cuts as the reader sees them (N x 3 x 48 x 48, whole numbers from 0 to 255, as floats), from wide ones
    (N x 82 x 82 x 3, bytes), in the given shapes and in random light, colour and focus."""
    cuts = _shaped(wide.permute(0, 3, 1, 2).float() / 255, linear.float(), shift.float())
    return show_lit(stuffed(cuts, seed + 1), seed)


def show_lit(cuts: Any, seed: int, hardness: float = 1.0) -> Any:
    """Cuts (N x 3 x side x side, from 0 to 1) in random light, colour and focus: whole numbers
    from 0 to 255, as floats. With less `hardness` than 1, other colours, much light or little, blur
    and few pixels are as much rarer, and the fewest pixels more."""
    chance = torch.Generator(cuts.device).manual_seed(seed)
    return (_worn(_lit(cuts, chance, hardness), chance, hardness).clamp(0, 1) * 255).round()


def in_any_light(cuts: Picture, chance: Chance, hardness: float) -> Picture:
    """Cuts in bytes (N x 3 x side x side), as `show_lit` shows them."""
    shown = show_lit(torch.from_numpy(cuts).float() / 255, int(chance.integers(2**31)), hardness)
    return np.asarray(shown.numpy(), np.uint8)


def _shaped(wide: Any, linear: Any, shift: Any) -> Any:
    """Each cut's pixels, looked up in the wide one."""
    steps = torch.arange(CUT_SIDE_PX, device=wide.device, dtype=torch.float32) - (CUT_SIDE_PX - 1) / 2
    y, x = torch.meshgrid(steps, steps, indexing="ij")
    at = torch.stack((x, y), -1).reshape(1, -1, 2) @ linear.transpose(1, 2) + shift[:, None] * UNIT_PX
    grid = (at / ((WIDE_PX - 1) / 2)).reshape(-1, CUT_SIDE_PX, CUT_SIDE_PX, 2)
    return functional.grid_sample(wide, grid, padding_mode="border", align_corners=True)


def stuffed(cuts: Any, seed: int) -> Any:
    """The cuts (N x 3 x side x side, from 0 to 1), some of them as if of other stuff: clouds of another
    colour in the body, as marbled dice have them; another face shining through faintly, as in clear ones."""
    chance = torch.Generator(cuts.device).manual_seed(seed)
    draws, count = _Draws(cuts, chance), len(cuts)
    cells = int(torch.randint(3, 9, (1,), generator=chance, device=cuts.device))
    clouds = torch.randn(count, 1, cells, cells, generator=chance, device=cuts.device)
    clouds = functional.interpolate(clouds, cuts.shape[-2:], mode="bicubic", align_corners=False)
    color = draws.between(-1, 1, channels=3) * draws.between(0.03, 0.22)
    # Half of the clouds have hard edges, as where two colours were poured into one mould.
    poured = torch.tanh(clouds * draws.between(1, 8)) * 1.5
    clouds = torch.where(draws.often(0.5) > 0, poured, clouds)
    cuts = cuts + draws.often(CLOUDED) * color * clouds
    order = torch.randperm(count, generator=chance, device=cuts.device)
    other = cuts[order].flip(3)
    through = draws.often(SHONE_THROUGH) * draws.between(0.05, 0.3)
    return cuts + through * (other - other.mean((2, 3), keepdim=True))


class _Draws:
    """Random numbers, one for each cut, shaped so that cuts can be multiplied by them."""

    def __init__(self, cuts: Any, chance: Any) -> None:
        self._count, self._device, self._chance = len(cuts), cuts.device, chance

    def between(self, low: float, high: float, channels: int = 1) -> Any:
        shape = (self._count, channels, 1, 1)
        return torch.rand(shape, generator=self._chance, device=self._device) * (high - low) + low

    def often(self, share: float) -> Any:
        """1 for that share of the cuts, 0 for the others."""
        return (self.between(0, 1) < share).float()


def _lit(cuts: Any, chance: Any, hardness: float) -> Any:
    """The cuts in other light and other colours: channels change places, dark becomes light, contrast, tint,
    a shadow's edge or a lamp's gleam across them."""
    draws = _Draws(cuts, chance)
    order = torch.rand(len(cuts), 3, generator=chance, device=cuts.device).argsort(1)
    order = torch.where(
        draws.often(0.5 * hardness)[:, :, 0, 0] > 0, order, torch.arange(3, device=cuts.device)
    )
    cuts = torch.gather(cuts, 1, order[:, :, None, None].expand_as(cuts))
    negative = draws.often(0.25 * hardness)
    cuts = cuts + negative * (1 - 2 * cuts)
    grey = draws.often(0.15) * draws.between(0.5, 1)
    cuts = cuts + grey * (cuts.mean(1, keepdim=True) - cuts)
    cuts = cuts.clamp(1e-4, 1) ** torch.exp(draws.between(-0.4, 0.4))
    hard = draws.often(0.8 * hardness)
    contrast = 1 + hard * (draws.between(0.4, 1.6) - 1)
    light = hard * (draws.between(-0.27, 0.27) + draws.between(-0.12, 0.12, channels=3))
    cuts = (cuts - 0.5) * contrast + 0.5 + light
    return cuts * _shadow(cuts, draws) + _gleam(cuts, draws)


def _shadow(cuts: Any, draws: _Draws) -> Any:
    """Factors (N x 1 x H x W) that are darker or lighter beyond a line, in a quarter of the cuts."""
    steps = torch.linspace(-1, 1, cuts.shape[-1], device=cuts.device)
    angle = draws.between(0, 2 * math.pi)
    along = steps * torch.cos(angle) + steps[:, None] * torch.sin(angle) + draws.between(-0.8, 0.8)
    step = torch.sigmoid(along * torch.exp(draws.between(0.5, 4.0)))
    return 1 + draws.often(0.25) * draws.between(-0.6, 0.6) * step


def _gleam(cuts: Any, draws: _Draws) -> Any:
    """Light to add (N x 3 x H x W): a round, soft spot of a lamp, near white, in an eighth of the cuts."""
    steps = torch.linspace(-1, 1, cuts.shape[-1], device=cuts.device)
    x, y = steps - draws.between(-0.8, 0.8), steps[:, None] - draws.between(-0.8, 0.8)
    spot = torch.exp(-(x * x + y * y) / draws.between(0.08, 0.5) ** 2)
    return draws.often(0.125) * draws.between(0.1, 0.8) * draws.between(0.8, 1.0, channels=3) * spot


def _worn(cuts: Any, chance: Any, hardness: float) -> Any:
    """The cuts worn: from few pixels, out of focus or in motion, sharpened too much, and noisy."""
    draws, side = _Draws(cuts, chance), cuts.shape[-1]
    least = round(side * (1 - hardness * 2 / 3))
    few = int(torch.randint(least, side, (1,), generator=chance, device=cuts.device))
    coarse = draws.often(0.25 * hardness)[:, 0, 0, 0] > 0
    if coarse.any():
        small = functional.interpolate(cuts[coarse], (few, few), mode="area")
        cuts[coarse] = functional.interpolate(small, (side, side), mode="bilinear", align_corners=False)
    long, moved = draws.between(0.2, 2.0), draws.often(0.2)
    kernel = _kernel(long + moved * draws.between(0, 1.5), long, draws.between(0, math.pi))
    kind = draws.between(0, 1)
    by = (kind < 0.5 * hardness).float() - 0.9 * (kind > 0.9).float()
    worn = by[:, 0, 0, 0] != 0
    if worn.any():
        cuts[worn] += by[worn] * (_blurred(cuts[worn], kernel[worn]) - cuts[worn])
    noise = torch.randn(cuts.shape, generator=chance, device=cuts.device)
    cuts = cuts + draws.often(0.5) * draws.between(0, 14 / 255) * noise
    lot = torch.rand(cuts[:, :1].shape, generator=chance, device=cuts.device)
    specks = draws.often(SPECKED) * draws.between(0, MOST_SPECKS / 2)
    return torch.where(lot < specks, 0.0, torch.where(lot > 1 - specks, 1.0, cuts))


def _blurred(cuts: Any, kernel: Any) -> Any:
    """Each cut, blurred by its kernel."""
    flat = cuts.reshape(1, -1, *cuts.shape[-2:])
    padded = functional.pad(flat, (REACH_PX,) * 4, mode="replicate")
    each = kernel.repeat_interleave(3, 0)
    return functional.conv2d(padded, each, groups=len(each)).reshape(cuts.shape)


def _kernel(long: Any, short: Any, angle: Any) -> Any:
    """Blur kernels (N x 1 x 11 x 11): bells with these sigmas along an angle and across it, in pixels."""
    steps = torch.arange(-REACH_PX, REACH_PX + 1, device=long.device, dtype=torch.float32)
    along = steps * torch.cos(angle) + steps[:, None] * torch.sin(angle)
    across = steps[:, None] * torch.cos(angle) - steps * torch.sin(angle)
    bell = torch.exp(-0.5 * ((along / long) ** 2 + (across / short) ** 2))
    return bell / bell.sum((2, 3), keepdim=True)
