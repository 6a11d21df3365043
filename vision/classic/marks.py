"""Finds and measures marks: compact spots that stand out, as pips and symbols do.

`vision.classic.marks` says where spots may be. Each is measured in polar coordinates, on the level of the
picture's pyramid where it is a few pixels large: the radius at which its edge is crossed in 12 or 24
directions gives centre, size, ellipse (second harmonic), squareness (fourth) and roughness (the rest). All
candidates of a level are measured together, so the work is a few array operations whatever their number.
"""

import math
from collections.abc import Sequence
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


# Searches a picture for spots that may be pips or Zoinx symbols, and keeps those that are marks.
#
# How it works. The picture becomes a pyramid, each level half the size of the one before. On its small
# levels, differences of Gaussians respond to spots of a given radius; their extremes are the candidates, and
# `vision.classic.marks` measures each. Where it is known where dice may lie, only windows round those places
# are searched: on each level the windows are set side by side, like tiles, and searched as if they were one
# picture.

SEARCH_PIXELS = 520_000
"""The candidates' search begins on the first pyramid level that has no more pixels than this."""
MOST_CANDIDATES = 900
MOST_MARKS = 420
SMALLEST_RADIUS_PX = 1.5
SMALLEST_RESPONSE = 6
"""The least response of a difference of Gaussians that counts, in grey levels; a disc's is about a quarter of
its contrast."""
BUSY_FACTOR = 5.0
"""On a busy surface (carpet, cloth) a spot's response must be this many times the surface's mean."""
MOST_LEAST_RESPONSE = 14.0
FAIR_CONTRAST = 8.0
"""The least difference in grey levels between a spot's middle and the points round it for it to be
measured."""
SEARCHED_RADII = (1.8, 2.6)
"""The radii of spots, in pixels of a level, to which that level's two band passes respond; the next level
goes on with 3.6."""
MARK_RADII = (0.12, 0.75)
"""The least and the largest radius of pips and symbols, in half edges of their face."""
MARGIN_PX = 8
"""Margin added round a window, in pixels of a level: what lies beyond its border is blurred in that far."""
_KERNEL = np.ones((3, 3), np.uint8)
_BOXES = ((3,), (3, 3), (5,))
"""Widths of the box filters of each step; after the steps the picture is blurred by about 0.8, 1.4 and 2.0
pixels (sigma)."""
_RAYS = Rays(24, np.arange(0.0, 2.61, 0.2, dtype=np.float32))
_FEW_RAYS = Rays(12, np.arange(0.0, 2.41, 0.3, dtype=np.float32))
"""Fewer rays, for a first measurement that most candidates do not pass."""


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """N square parts of a picture, each round what may be a die."""

    center: Singles
    """Their middles (N x 2), pixels."""
    half_px: Singles
    """Half the edge of each die's up-face (N)."""
    reach: float
    """From a window's middle to its border, in half edges of its die."""

    def take(self, which: NDArray[np.bool_]) -> "Windows":
        """Only these."""
        return Windows(self.center[which], self.half_px[which], self.reach)

    def near(self, points: Singles, share: float) -> NDArray[np.bool_]:
        """Which of M x 2 points lie within `share` half edges of the middle of any of these dice (M)."""
        away = np.hypot(*(points[:, None] - self.center).transpose(2, 0, 1))
        return np.asarray((away <= share * self.half_px).any(axis=1))


def find_marks(levels: list[Picture], windows: Windows | None = None) -> Marks:
    """All marks of a picture, or of the windows in it: the best at each place, most striking first."""
    spots = _candidates(levels) if windows is None else _candidates_in(levels, windows)
    first = measure_marks(levels, spots, _FEW_RAYS)
    good = first.take(_plausible(first, strict=False))
    spots = Spots(good.xy, good.radius, np.sign(good.contrast), _best_channel(good))
    second = measure_marks(levels, spots, _RAYS)
    marks = second.take(_plausible(second, strict=True))
    return _distinct(marks)


def _best_channel(marks: Marks) -> Ints:
    """For each mark the colour channel in which it stands out most."""
    return np.asarray(np.argmax(np.abs(marks.ink - marks.body), axis=1), np.intp)


def _plausible(marks: Marks, *, strict: bool) -> NDArray[np.bool_]:
    """Which marks have the shape and contrast of printed or drilled ones."""
    slack = 1.0 if strict else 1.5
    return np.asarray(
        (np.abs(marks.contrast) > 16 / slack)
        & (marks.aspect > 0.5 / slack)
        & (marks.rough < 0.13 * slack)
        & (marks.uneven < 0.55 * slack)
        & (marks.mottled < 0.3 * slack)
        & (marks.radius > SMALLEST_RADIUS_PX / slack)
    )


def _candidates(levels: list[Picture]) -> Spots:
    """Spots of any size, strongest first."""
    start = next((i for i, level in enumerate(levels) if _searchable(level)), len(levels) - 1)
    found = [_in_full(_spots(levels[level]), level) for level in range(start, len(levels))]
    height, width = levels[start].shape[:2]
    return _best(levels, start, found, MOST_CANDIDATES * max(1, round(height * width / SEARCH_PIXELS)))


def _candidates_in(levels: list[Picture], windows: Windows) -> Spots:
    """Spots of the sizes that marks can have on the dice in the windows, strongest first."""
    scale = np.log2(np.maximum(windows.half_px[:, None], 1) * MARK_RADII / SEARCHED_RADII[0])
    most = len(levels) - 1
    first = np.clip(np.rint(scale[:, 0]), 0, most).astype(np.intp)
    last = np.clip(np.floor(scale[:, 1]), first, most).astype(np.intp)
    found = [
        _in_full(
            _spots_in_tiles(levels[level], level, windows.take((first <= level) & (level <= last))), level
        )
        for level in range(int(first.min(initial=0)), int(last.max(initial=-1)) + 1)
    ]
    return _best(levels, int(first.min(initial=0)), found, MOST_CANDIDATES)


def _best(levels: list[Picture], start: int, found: list[Singles], most: int) -> Spots:
    """Each spot once, in the channel in which it stands out most; at most `most` of them, strongest first."""
    rows = np.concatenate([np.zeros((0, 4), np.float32), *found])
    rows = rows[np.argsort(-np.abs(rows[:, 3]), kind="stable")]
    rows = rows[_once(rows)[: 3 * most]]
    channel, fair = _standing_out(levels, start, rows)
    rows, channel = rows[fair][:most], channel[fair][:most]
    sign = np.asarray(np.sign(rows[:, 3]), np.float32)
    return Spots(rows[:, :2], rows[:, 2], sign, channel)


def _in_full(rows: Singles, level: int) -> Singles:
    """Spots in pixels of a level, as spots in pixels of the full picture."""
    size = rows[:, 2:3] * np.float32(2**level)
    return np.concatenate((to_full(rows[:, :2], level), size, rows[:, 3:]), axis=1)


def _spots_in_tiles(picture: Picture, level: int, windows: Windows) -> Singles:
    """The spots in these windows on one level: rows as from `_spots`."""
    if not len(windows.center):
        return np.zeros((0, 4), np.float32)
    center, half = to_level(windows.center, level), windows.reach * windows.half_px / np.float32(2**level)
    size = np.array(picture.shape[1::-1], np.float32)
    begin = np.clip(np.floor(center - half[:, None]) - MARGIN_PX, 0, size - 1).astype(np.intp)
    end = np.clip(np.ceil(center + half[:, None]) + MARGIN_PX, begin + 1, size).astype(np.intp)
    wide, high = (end - begin).T
    if wide.sum() * high.max() > picture.shape[0] * picture.shape[1]:
        rows = _spots(picture, SMALLEST_RESPONSE)
        near = np.abs(rows[:, None, :2] - center).max(axis=2) < half
        return np.asarray(rows[near.any(axis=1)], np.float32)
    tiles = np.zeros((int(high.max()), int(wide.sum()), 3), np.uint8)
    left = np.cumsum(wide) - wide
    for (x, y), w, h, at in zip(begin, wide, high, left, strict=True):
        tiles[:h, at : at + w] = picture[y : y + h, x : x + w]
        tiles[h:, at : at + w] = tiles[h - 1, at : at + w]
    rows = _spots(tiles, SMALLEST_RESPONSE)
    tile = np.searchsorted(left, rows[:, 0], side="right") - 1
    rows[:, 0] -= left[tile]
    rows[:, :2] += begin[tile]
    near = np.abs(rows[:, :2] - center[tile]).max(axis=1) < half[tile]
    return np.asarray(rows[near], np.float32)


def _once(rows: NDArray[np.float32]) -> Ints:
    """The indices of the strongest candidate for each spot, where several colour channels or radii give one;
    strongest first."""
    cell = np.rint(rows[:, :2] / (0.7 * rows[:, 2:3])).astype(np.int64)
    size = np.rint(4 * np.log2(rows[:, 2])).astype(np.int64)
    key = ((cell[:, 0] * 40_000 + cell[:, 1]) * 80 + size) * 2 + (rows[:, 3] > 0)
    _, first = np.unique(key, return_index=True)
    return np.asarray(np.sort(first), np.intp)


def _searchable(level: Picture) -> bool:
    """Whether the search may begin on this level. A narrow panorama may have more pixels: shrunk further, its
    dice would vanish."""
    height, width = level.shape[:2]
    return bool(height * width <= SEARCH_PIXELS * (12 if min(height, width) < 640 else 1))


def _spots(picture: Picture, least: float | None = None) -> Singles:
    """Extremes of band passes in all three channels: rows of x, y, radius, response, in the picture's own
    pixels.

    `least` is the smallest response that counts; where none is given, it follows from how busy the surface
    is.
    """
    width = picture.shape[1]
    # A few buffers serve all steps: allocating memory for each would take longer than the steps themselves.
    narrow, wide = picture.copy(), np.empty_like(picture)
    band, next_, extreme = (np.empty(picture.shape, np.int16) for _ in range(3))
    rows = [np.zeros((0, 4), np.float32)]
    _blur(narrow, _BOXES[0])
    _sum(narrow, band)
    for boxes, radius in zip(_BOXES[1:], SEARCHED_RADII, strict=True):
        np.copyto(wide, narrow)
        _blur(wide, boxes)
        _sum(wide, next_)
        cv2.subtract(band, next_, dst=band)
        enough = math.ceil(9 * (least or _least_response(narrow, wide))) - 1
        weak = cv2.inRange(band.reshape(len(band), -1), -enough, enough)
        strong = np.flatnonzero(weak == 0)  # few: only these are compared with their surroundings
        response = band.ravel()[strong]
        highest = cv2.dilate(band, _KERNEL, dst=extreme).ravel()[strong]
        lowest = cv2.erode(band, _KERNEL, dst=extreme).ravel()[strong]
        peak = response == np.where(response > 0, highest, lowest)
        row, column = np.divmod(strong[peak] // 3, width)
        size = np.full(len(row), radius)
        rows.append(np.column_stack((column, row, size, response[peak] / 9)).astype(np.float32))
        narrow, wide, band, next_ = wide, narrow, next_, band
    return np.concatenate(rows)


def _blur(picture: Picture, boxes: Sequence[int]) -> None:
    """Blur further, in place. Small box filters in a row are as good as Gaussians here and many times as
    fast."""
    for box in boxes:
        cv2.blur(picture, (box, box), dst=picture)


def _sum(picture: Picture, into: NDArray[np.int16]) -> None:
    """Sums over 3 x 3 pixels: in whole grey levels, extremes would be flat tops on which every pixel
    counts."""
    cv2.boxFilter(picture, cv2.CV_16S, (3, 3), dst=into, normalize=False)


def _least_response(narrow: Picture, wide: Picture) -> float:
    """The least response that a spot must have on a surface so busy."""
    busy = float(cv2.absdiff(narrow[::4], wide[::4])[:, ::4].mean())
    return min(max(SMALLEST_RESPONSE, BUSY_FACTOR * busy), MOST_LEAST_RESPONSE)


def _standing_out(
    levels: list[Picture], level: int, rows: NDArray[np.float32]
) -> tuple[Ints, NDArray[np.bool_]]:
    """In which channel each spot differs most from its surround, and whether it does so nearly all round."""
    picture = levels[level]
    height, width = picture.shape[:2]
    at = to_level(rows[:, :2], level)
    reach = rows[:, 2:3] * np.float32(1.75 / 2**level)
    points = (
        at[:, None, :] + np.concatenate((np.zeros((1, 2), np.float32), directions(8)))[None] * reach[:, None]
    )
    x = np.clip(np.rint(points[..., 0]), 0, width - 1).astype(np.intp)
    y = np.clip(np.rint(points[..., 1]), 0, height - 1).astype(np.intp)
    colours = picture[y, x].astype(np.float32)
    difference = (colours[:, :1] - colours[:, 1:]) * np.sign(rows[:, 3])[:, None, None]
    ordered = np.sort(difference, axis=1)
    channel = np.argmax(ordered[:, 3], axis=1)
    # One of the eight points may fall on a neighbouring pip or a highlight.
    fair = ordered[np.arange(len(rows)), 1, channel] > FAIR_CONTRAST
    return np.asarray(channel, np.intp), np.asarray(fair)


def _distinct(marks: Marks) -> Marks:
    """One mark for each place: of those that overlap, the roundest and most striking."""
    worth = np.minimum(np.abs(marks.contrast), 80) / 80 - 4 * marks.rough - marks.uneven
    best_first = np.argsort(-worth, kind="stable")
    x, y, radius = marks.xy[:, 0], marks.xy[:, 1], marks.radius
    free = np.ones(len(marks), np.bool_)
    kept: list[int] = []
    for i in best_first:
        if not free[i]:
            continue
        if len(kept) >= MOST_MARKS:
            break
        kept.append(int(i))
        # Only marks of like size exclude each other: a dark die on a light table is a spot too, and must not
        # hide its pips.
        same = (radius > radius[i] * 0.62) & (radius < radius[i] * 1.6)
        free &= ~(same & (np.hypot(x - x[i], y - y[i]) < 0.8 * np.maximum(radius, radius[i])))
    return marks.take(np.asarray(kept, np.intp))
