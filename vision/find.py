"""Finds marks: compact filled spots that stand out from the surface round them, as pips and Zoinx symbols do.

How it works. The picture becomes a pyramid of halves. On its small levels, differences of Gaussians answer to
spots of a given radius; their extremes are the candidates. Each candidate is then looked at once, in polar
coordinates, on the level where it is a few pixels large: the radius at which its edge is crossed in 24
directions gives centre, size, ellipse (second harmonic), squareness (fourth) and roughness (the rest).
All candidates of a level are looked at together, so the work is a few array operations whatever their number.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
Ints = NDArray[np.intp]

SEARCH_PIXELS = 520_000
"""Candidates are searched on the first pyramid level that is no larger than this."""
MOST_CANDIDATES = 900
MOST_MARKS = 420
SMALLEST_RADIUS_PX = 1.5
SMALLEST_RESPONSE = 6
"""Of a difference of Gaussians; a disc answers with about a quarter of its contrast."""
BUSY_FACTOR = 5.0
"""On a busy surface (carpet, cloth) a spot must answer so many times more than the surface's mean."""
MOST_LEAST_RESPONSE = 14.0
FAIR_CONTRAST = 8.0
"""Grey levels by which a spot's middle must differ from points round it to be looked at closely."""
_KERNEL = np.ones((3, 3), np.uint8)
_BOXES = ((3,), (3, 3), (5,), (5, 5, 5))
"""Widths of the boxes that blur on, from each of the four standard deviations to the next."""


@dataclass(frozen=True, slots=True, eq=False)
class Marks:
    """Marks as parallel arrays; coordinates are pixels of the full picture."""

    xy: Floats
    """N x 2 centres."""
    radius: Floats
    """Of the circle with the same area."""
    aspect: Floats
    """Short by long axis of the fitted ellipse, 0 to 1."""
    square: Floats
    """Fourth harmonic of the outline by its mean: near 0 for a disc, 0.09 for a square."""
    rough: Floats
    """What no ellipse or square explains of the outline, by its mean radius."""
    contrast: Floats
    """Mark minus surround in its channel, grey levels; negative for a dark mark."""
    body: Floats
    """N x 3 colour (BGR) round the mark."""
    ink: Floats
    """N x 3 colour (BGR) of the mark."""
    uneven: Floats
    """How much the surround changes with direction, by the contrast."""
    mottled: Floats
    """How much the mark itself changes within, by the contrast: a whole die with its pips is no mark."""

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
class _Spots:
    """Candidates as parallel arrays; coordinates are pixels of the full picture."""

    xy: Floats
    radius: Floats
    sign: Floats
    """1 for a light spot, -1 for a dark one."""
    channel: Ints
    """0 to 2: where it stands out most."""


@dataclass(frozen=True, slots=True, eq=False)
class _Rays:
    """Where a candidate is sampled: so many rays, at radii in units of its expected radius."""

    count: int
    radii: Floats


_RAYS = _Rays(24, np.arange(0.0, 2.61, 0.2, dtype=np.float32))
_FEW_RAYS = _Rays(12, np.arange(0.0, 2.41, 0.3, dtype=np.float32))
"""For the first look, which most candidates do not pass."""


def middle(values: Floats) -> Floats:
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


def to_full(xy: Floats, level: int) -> Floats:
    """Pixel positions of a pyramid level in the full picture (pixel centres are at whole numbers)."""
    scale = np.float32(2**level)
    return np.asarray((xy + 0.5) * scale - 0.5, np.float32)


def to_level(xy: Floats, level: int) -> Floats:
    """The other way round."""
    scale = np.float32(2**level)
    return np.asarray((xy + 0.5) / scale - 0.5, np.float32)


def find_marks(levels: list[Picture]) -> Marks:
    """All marks of a picture, the best of each place, most striking first."""
    first = _look(levels, _candidates(levels), _FEW_RAYS)
    good = first.take(_plausible(first, strict=False))
    spots = _Spots(good.xy, good.radius, np.sign(good.contrast), _best_channel(good))
    second = _look(levels, spots, _RAYS)
    marks = second.take(_plausible(second, strict=True))
    return _distinct(marks)


def _best_channel(marks: Marks) -> Ints:
    """For each mark the colour channel in which it stands out most."""
    return np.asarray(np.argmax(np.abs(marks.ink - marks.body), axis=1), np.intp)


def _plausible(marks: Marks, *, strict: bool) -> NDArray[np.bool_]:
    """Which look like printed or drilled marks."""
    slack = 1.0 if strict else 1.5
    return np.asarray(
        (np.abs(marks.contrast) > 16 / slack)
        & (marks.aspect > 0.5 / slack)
        & (marks.rough < 0.13 * slack)
        & (marks.uneven < 0.55 * slack)
        & (marks.mottled < 0.3 * slack)
        & (marks.radius > SMALLEST_RADIUS_PX / slack)
    )


def _candidates(levels: list[Picture]) -> _Spots:
    """Spots of any size, strongest first."""
    start = next((i for i, level in enumerate(levels) if _searchable(level)), len(levels) - 1)
    found: list[NDArray[np.float32]] = []
    for level in range(start, len(levels)):
        found += _spots(levels[level], level)
    if not found:
        empty = np.zeros(0, np.float32)
        return _Spots(np.zeros((0, 2), np.float32), empty, empty, np.zeros(0, np.intp))
    rows = np.concatenate(found)
    height, width = levels[start].shape[:2]
    most = MOST_CANDIDATES * max(1, round(height * width / SEARCH_PIXELS))
    rows = rows[np.argsort(-np.abs(rows[:, 3]), kind="stable")]
    rows = rows[_once(rows)[: 3 * most]]
    channel, fair = _standing_out(levels, start, rows)
    rows, channel = rows[fair][:most], channel[fair][:most]
    return _Spots(rows[:, :2], rows[:, 2], np.asarray(np.sign(rows[:, 3]), np.float32), channel)


def _once(rows: NDArray[np.float32]) -> Ints:
    """The strongest of the candidates that several colour planes give for one spot; strongest first."""
    cell = np.rint(rows[:, :2] / (0.7 * rows[:, 2:3])).astype(np.int64)
    size = np.rint(4 * np.log2(rows[:, 2])).astype(np.int64)
    key = ((cell[:, 0] * 40_000 + cell[:, 1]) * 80 + size) * 2 + (rows[:, 3] > 0)
    _, first = np.unique(key, return_index=True)
    return np.asarray(np.sort(first), np.intp)


def _searchable(level: Picture) -> bool:
    """Whether candidates are searched from this level on: a panorama is not made too low for its dice."""
    height, width = level.shape[:2]
    return bool(height * width <= SEARCH_PIXELS * (12 if min(height, width) < 640 else 1))


def _spots(picture: Picture, level: int) -> list[NDArray[np.float32]]:
    """Extremes of band passes in all three channels: rows of x, y, radius, response in full pixels."""
    height, width = picture.shape[:2]
    blurred = _blurred(picture)
    rows: list[NDArray[np.float32]] = []
    for narrow, wide, radius in zip(blurred, blurred[1:], (1.8, 2.6, 3.8), strict=False):
        band = cv2.subtract(narrow, wide, dtype=cv2.CV_16S)
        busy = float(np.abs(band[::4, ::4]).mean())
        least = min(max(SMALLEST_RESPONSE, BUSY_FACTOR * busy), MOST_LEAST_RESPONSE)
        # Summed over 3 x 3, because whole grey levels make flat tops whose every pixel would be an extreme.
        band = cv2.boxFilter(band, cv2.CV_16S, (3, 3), normalize=False)
        # Side by side the channels are one plane three times as wide, so each step is one call for all.
        flat = band.reshape(height, 3 * width)
        peak = np.zeros((height, 3 * width), np.uint8)
        for low, high, extreme in (
            (9 * least, 3e4, cv2.dilate(band, _KERNEL)),
            (-3e4, -9 * least, cv2.erode(band, _KERNEL)),
        ):
            strong = cv2.inRange(flat, low, high)
            highest = cv2.compare(flat, extreme.reshape(height, 3 * width), cv2.CMP_EQ)
            cv2.bitwise_or(peak, highest, dst=peak, mask=strong)
        if not cv2.countNonZero(peak):
            continue
        x, y = cv2.findNonZero(peak).reshape(-1, 2).T  # OpenCV 4 gives N x 1 x 2, OpenCV 5 N x 2
        xy = to_full(np.column_stack((x // 3, y)).astype(np.float32), level)
        size = np.full(len(x), radius * 2**level, np.float32)
        rows.append(np.column_stack((xy, size, flat[y, x] / 9)).astype(np.float32))
    return rows


def _blurred(picture: Picture) -> list[Picture]:
    """The picture blurred with standard deviations of about 0.8, 1.4, 2.0 and 3.2 pixels.

    Small boxes in a row are as good as Gaussians here and many times as fast.
    """
    out: list[Picture] = []
    for boxes in _BOXES:
        for box in boxes:
            picture = np.asarray(cv2.blur(picture, (box, box)), np.uint8)
        out.append(picture)
    return out


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
    # One of the eight may fall on a neighbouring pip or a highlight.
    fair = ordered[np.arange(len(rows)), 1, channel] > FAIR_CONTRAST
    return np.asarray(channel, np.intp), np.asarray(fair)


def _look(levels: list[Picture], spots: _Spots, rays: _Rays) -> Marks:
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


def directions(count: int) -> Floats:
    """`count` unit vectors round the circle, from +x towards +y."""
    angle = np.arange(count, dtype=np.float32) * np.float32(2 * np.pi / count)
    return np.column_stack((np.cos(angle), np.sin(angle))).astype(np.float32)


def _polar(picture: Picture, at: Floats, radius: Floats, rays: _Rays) -> NDArray[np.uint8]:
    """Colours on rays from each point: N x directions x radii x 3."""
    grid = (directions(rays.count)[:, None, :] * rays.radii[None, :, None]).reshape(-1, 2)
    x = at[:, :1] + radius[:, None] * grid[:, 0]
    y = at[:, 1:] + radius[:, None] * grid[:, 1]
    out = np.empty((*x.shape, 3), np.uint8)
    for begin in range(0, len(at), 30_000):  # remap takes at most 32,767 rows
        part = slice(begin, begin + 30_000)
        out[part] = cv2.remap(picture, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out.reshape(len(at), rays.count, len(rays.radii), 3)


def _measure(samples: NDArray[np.uint8], radii: Floats, spots: _Spots) -> Marks:
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


def _median(values: NDArray[np.uint8] | Floats) -> Floats:
    """The median over the last two axes."""
    flat = values.reshape(*values.shape[:-2], -1)
    count = flat.shape[-1]
    ordered = np.sort(flat, axis=-1).astype(np.float32)
    return np.asarray((ordered[..., (count - 1) // 2] + ordered[..., count // 2]) / 2, np.float32)


def _rim(one: Floats, radii: Floats, inner: Floats, outer: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """The radius, in units of the expected one, where each ray leaves the mark, and whether it does."""
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


def _distinct(marks: Marks) -> Marks:
    """One mark a place: of those that overlap, the roundest and most striking."""
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
        # A dark die on a light table is a spot too, and must not hide the pips on it.
        same = (radius > radius[i] * 0.62) & (radius < radius[i] * 1.6)
        free &= ~(same & (np.hypot(x - x[i], y - y[i]) < 0.8 * np.maximum(radius, radius[i])))
    return marks.take(np.asarray(kept, np.intp))
