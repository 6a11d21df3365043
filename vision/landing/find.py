"""Finds where something lies on a calibrated table: boxes to look for dice in.

How it works. On a picture of about 1.8 mm a pixel, the calibration says what paint each pixel shows: which
zone, tape, dot or bare surface, and how much of each where two meet. Each paint's colour is taken from this
very picture, smoothly over the table, from pixels that agree with their neighbourhood. What differs from it
by far more than its paint's own unevenness (grain, noise, an outline a little off) is foreground; blobs of
foreground are places to look at. With a picture of the empty table, that is compared in the same manner
instead.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Mask, Picture, Singles
from calibration.table import TableCalibration

Part = tuple[slice, slice]

COARSE_MM = 1.8
"""About how many millimetres a pixel of the small picture covers."""
SURROUND_MM = 70.0
"""The side of the square over which a paint's colour is taken to be even."""
PAINT_FINE = 4
"""How many times finer than the small picture the paints are drawn."""
THIN = 3
"""Only every so many-th pixel is used for a paint's colour."""
ASKED = 4000
"""The most pixels of a paint that are used to find its unevenness."""
LEAST_THIN, LEAST_ASKED = 30, 8
"""With fewer pixels than the first figure, a paint is read at every pixel; with fewer than the second, its
colour stays unknown."""
PURE = 0.98
"""The share of a pixel that a paint must cover for the pixel to tell its colour."""
LEAST_ROWS = 4
"""From this many rows of the picture to one of the small picture on, only two of them are read."""
MISPLACED_PX = 0.35
"""How far outlines may be off on the small picture."""
LEAST_GREY = 4.0
STRIKING = 4.5
"""How far a pixel must be off its paint's colour to stand out, in usual unevennesses of that paint."""
SPOT, LEAST_SPOTS = 4.2, 0.1
"""How far pixels that belong to no blob must be off, and what part of a die's area they must have together,
for spots that may be pips. Lines a little off their places have less."""
PALE, PALE_HEAP = 2.1, 3.15
"""How far, in the same unit, the mean over a die's size must be off: on a table top of coarse grain no single
pixel of a pale die need stand out from the grain. Dice that touch run together at the first figure, and come
apart at the second."""
PALE_MOST = 6.0
"""The most that one pixel counts in that mean."""
PALE_DICE = 2.0
"""In widths of a die: what stands out only in the mean and is larger than this is the light or the table."""
LARGEST_DICE = 10.0
"""In areas of a die: a larger blob is no heap of dice, and is examined more strictly."""
STRIKING_THING, LEAST_THING, THING_ASPECT = 10.0, 1 / 3, 3.0
"""A blob that stands out this much, has at least this part of a die's area, and at most this ratio of sides
is reported even when no die is found in it. Longer ones are strips along the sheet's border in another
light."""
STRIKING_AS_A_DIE = 6.0
DIE_SIZES, DIE_ASPECT = (0.5, 1.7), 1.8
"""The bounds of a faint die's blob: its area in areas of a die, and its largest ratio of sides."""
_AROUND = np.ones((3, 3), np.uint8)
SMALLEST_SHARE = 0.12
"""In areas of a die: smaller blobs are dirt."""


@dataclass(frozen=True, eq=False)
class Blob:
    """A connected piece of the foreground."""

    box_px: tuple[int, int, int, int]
    """x0, y0, x1, y1 in pixels of the full picture."""
    center_px: tuple[float, float]
    area_dice: float
    """Its area in areas of one die."""
    depth: float
    """How strongly it stands out, in usual unevennesses (the upper quartile of its pixels)."""

    @property
    def is_worth_a_word(self) -> bool:
        """Whether it is reported even when no die is found in it: it stands out plainly, or less so but is
        about as large as a die."""
        x0, y0, x1, y1 = self.box_px
        short, long = sorted((x1 - x0, y1 - y0))
        if self.depth > STRIKING_THING:
            return self.area_dice > LEAST_THING and long < THING_ASPECT * short
        of_a_die = DIE_SIZES[0] < self.area_dice < DIE_SIZES[1] and long < DIE_ASPECT * short
        return self.depth > STRIKING_AS_A_DIE and of_a_die


@dataclass(frozen=True, eq=False)
class Foreground:
    """What lies on the table, as seen on the small picture."""

    mask: Mask
    """255 where something is that is large enough to be looked at."""
    factor: int
    """How many pixels of the full picture make one of the small, along each side."""
    die_px: float
    """The area of a die in small pixels."""
    strength: Singles
    """How far each small pixel is off its paint's colour, in usual unevennesses."""
    blobs: tuple[Blob, ...]

    def has_spots(self, x_px: float, y_px: float, reach_px: float) -> bool:
        """Whether round a place of the full picture something stands out that belongs to no blob: the pips of
        a pale die, perhaps."""
        left, top, right, bottom = (
            max(0, round(at / self.factor))
            for at in (x_px - reach_px, y_px - reach_px, x_px + reach_px, y_px + reach_px)
        )
        part = slice(top, bottom + 1), slice(left, right + 1)
        spots = (self.strength[part] > SPOT) & (self.mask[part] == 0)
        return bool(np.count_nonzero(spots) > LEAST_SPOTS * self.die_px)


@dataclass(frozen=True, eq=False)
class _Paint:
    """One paint on the small picture."""

    part: Part
    """The rows and columns of the small picture in which it lies."""
    share: Singles
    """How much of each pixel there it covers (h, w, 3), 0 to 1, the same in all three channels."""
    thin: int
    """Only every so many-th pixel of that part is read for its colour."""
    pure: Singles
    """Which of these pixels (h, w) it covers wholly: 1 or 0."""
    asked: Ints
    """Some of the wholly covered ones, as flat indices."""


class Finder:
    """Finds foreground in pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration) -> None:
        """Draws the paints once; this takes some tenths of a second."""
        view = calibration.view
        middle = view.on_plane(np.array([[view.lens.width_px / 2, view.lens.height_px / 2]]))[0]
        self._scale = view.scale_px_per_mm(float(middle[0]), float(middle[1]))
        self.factor = max(1, round(COARSE_MM * self._scale))
        self._size = (view.lens.width_px // self.factor, view.lens.height_px // self.factor)
        self._paints, self._beyond = _paints(calibration, self._size, self.factor)
        self._die_px = (calibration.dice.edge_mm * self._scale / self.factor) ** 2
        self._window = max(9, round(SURROUND_MM * self._scale / self.factor)) | 1

    def small(self, picture: Picture) -> Picture:
        """The picture at the small size at which blobs are searched for."""
        height, factor = self._size[1] * self.factor, self.factor
        whole = picture[:height, : self._size[0] * factor]
        if factor < LEAST_ROWS:
            return _shrunk(whole, self._size)
        # Reading every row of a large picture would take longer than all that follows.
        upper, lower = (_shrunk(whole[row::factor], self._size) for row in (1, factor - 2))
        return np.asarray(cv2.addWeighted(upper, 0.5, lower, 0.5, 0.0), np.uint8)

    def find(self, picture: Picture, empty: Picture | None = None) -> Foreground:
        """The foreground of a picture (h, w, 3); `empty` is the empty table from the same place."""
        small = self.small(picture)
        expected, usual = self._from_paints(small) if empty is None else self._from_empty(small, empty)
        strength = _strength(small, expected, usual)
        mask = (strength > STRIKING).astype(np.uint8) * 255
        near = max(1, round(2.0 * self._scale / self.factor))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * near + 1, 2 * near + 1))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _AROUND), np.uint8)
        mask[self._beyond] = 0
        self._added(mask, strength)
        return Foreground(self._solid(mask), self.factor, self._die_px, strength, self._blobs(mask, strength))

    def _added(self, mask: Mask, strength: Singles) -> None:
        """Add to a mask what stands out only in the mean over a die's size, unless it lies beside something
        in it already."""
        across = round(math.sqrt(self._die_px)) | 1
        whole = np.asarray(cv2.blur(np.minimum(strength, PALE_MOST), (across, across)), np.float32)
        whole[self._beyond] = 0
        for limit in (PALE, PALE_HEAP):
            self._added_above(limit, mask, whole, across)

    def _added_above(self, limit: float, mask: Mask, whole: Singles, across: int) -> None:
        """The same of the pieces in which the mean over `across` pixels is more than that."""
        near = cv2.dilate(self._solid(mask), np.ones((2 * across + 1, 2 * across + 1), np.uint8)) > 0
        more = (whole > limit).astype(np.uint8)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(more, connectivity=8)
        for i in range(1, count):
            x, y, width, height, _ = (int(part) for part in stats[i])
            part = (slice(y, y + height), slice(x, x + width))
            own = labels[part] == i
            if max(width, height) > PALE_DICE * across or near[part][own].any():
                continue
            # The mean stands out most at a die's middle: from there the die reaches about a quarter of its
            # width further.
            core = (own & (whole[part] > 0.9 * float(whole[part][own].max()))).astype(np.uint8)
            left, top, wide, high = cv2.boundingRect(core)
            grown = slice(max(y + top - across // 4, 0), y + top + high + across // 4)
            mask[grown, max(x + left - across // 4, 0) : x + left + wide + across // 4] = 255

    def _solid(self, mask: Mask) -> Mask:
        """A mask without what is too small to be looked at, such as the pips of a die whose body is pale."""
        _, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        large = stats[:, cv2.CC_STAT_AREA] >= SMALLEST_SHARE * self._die_px
        return np.where(large[labels], mask, 0).astype(np.uint8)

    def _blobs(self, mask: Mask, strength: Singles) -> tuple[Blob, ...]:
        """The connected pieces of a mask. One that is much larger than a heap of dice is searched again for
        what stands out in it."""
        found: list[Blob] = []
        count, labels, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
        for i in range(1, count):
            x, y, width, height, area = (int(part) for part in stats[i])
            if area < SMALLEST_SHARE * self._die_px:
                continue
            part = (slice(y, y + height), slice(x, x + width))
            own = labels[part] == i
            depth = float(np.percentile(strength[part][own], 75))
            if area > LARGEST_DICE * self._die_px and depth < 40 * STRIKING:
                again = np.zeros_like(mask)
                again[part] = (own & (strength[part] > max(1.5 * depth, 2 * STRIKING))).astype(np.uint8) * 255
                parts = self._blobs(
                    np.asarray(cv2.morphologyEx(again, cv2.MORPH_CLOSE, _AROUND), np.uint8), strength
                )
                found += parts
                if parts or depth < 2 * STRIKING:
                    continue
            f = self.factor
            box = (x * f, y * f, (x + width) * f, (y + height) * f)
            center = ((middles[i][0] + 0.5) * f - 0.5, (middles[i][1] + 0.5) * f - 0.5)
            found.append(Blob(box, (float(center[0]), float(center[1])), area / self._die_px, depth))
        return tuple(found)

    def _from_paints(self, small: Picture) -> tuple[Picture, Singles]:
        expected = np.zeros(small.shape, np.float32)
        usual = np.zeros(small.shape[:2], np.float32)
        for paint in self._paints:
            colour, spread = _paint_colour(small[paint.part], paint, self._window)
            cv2.accumulateProduct(colour, paint.share, expected[paint.part])
            usual[paint.part] += paint.share[..., 0] * np.float32(spread)
        return _levels(expected), usual

    def _from_empty(self, small: Picture, empty: Picture) -> tuple[Picture, Singles]:
        now, before = small.astype(np.float32), self.small(empty).astype(np.float32)
        ratio = (now + 4) / (before + 4)
        agrees = np.ones(small.shape[:2], np.float32)
        gain = np.median(ratio.reshape(-1, 3), axis=0)
        for _ in range(2):
            light = _smooth(ratio, agrees, self._window)
            gain = np.where(light[1][..., None] > 0.05, light[0], gain)
            away = _largest(np.abs(now - ((before + 4) * gain - 4)).astype(np.float32))
            agrees = (away < 2.5 * max(float(np.median(away)), 1.5)).astype(np.float32)
        usual = np.full(small.shape[:2], 1.48 * max(float(np.median(away)), 1.0), np.float32)
        return _levels((before + 4) * gain - 4), usual


def _levels(values: cv2.typing.MatLike) -> Picture:
    """Values rounded to whole grey levels, which take a quarter of the time."""
    return np.asarray(cv2.convertScaleAbs(np.maximum(values, 0)), np.uint8)


def _shrunk(picture: Picture, size: tuple[int, int]) -> Picture:
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _strength(small: Picture, expected: Picture, usual: Singles) -> Singles:
    """How far pixels are from the expected colour, in units of what is usual there (h, w)."""
    away = _largest(cv2.blur(cv2.absdiff(small, expected), (3, 3))).astype(np.float32)
    across = _largest(np.abs(cv2.Sobel(expected, cv2.CV_16S, 1, 0))).astype(np.float32)
    down = _largest(np.abs(cv2.Sobel(expected, cv2.CV_16S, 0, 1))).astype(np.float32)
    slack = np.float32(MISPLACED_PX * STRIKING / 8) * cv2.magnitude(across, down)
    return np.asarray(away / cv2.magnitude(np.maximum(usual, LEAST_GREY), slack), np.float32)


def _largest(values: cv2.typing.MatLike) -> cv2.typing.MatLike:
    """The largest of the three channels."""
    blue, green, red = cv2.split(values)
    return cv2.max(cv2.max(blue, green), red)


def _paint_colour(small: Picture, paint: _Paint, window: int) -> tuple[Singles, float]:
    """A paint's colour at every pixel of its part (h, w, 3), and its usual unevenness in grey levels."""
    height, width = small.shape[:2]
    thin = small[:: paint.thin, :: paint.thin].astype(np.float32)
    if not len(paint.asked):
        return np.zeros((height, width, 3), np.float32), LEAST_GREY
    own = thin.reshape(-1, 3)[paint.asked]
    common = np.median(own, axis=0)
    limit = 4 * max(1.48 * float(np.median(_farthest(own - common))), LEAST_GREY)
    colour = np.ascontiguousarray(np.broadcast_to(common, thin.shape), np.float32)
    spread = LEAST_GREY
    across = max(3, window // THIN) | 1
    for _ in range(2):
        away = _largest(cv2.absdiff(thin, colour))
        agrees = paint.pure * (away < limit)
        colour, known = _smooth(thin, agrees, across)
        colour[known <= 0.04] = common
        spread = _spread(_farthest(own - colour.reshape(-1, 3)[paint.asked]))
        limit = 3.5 * max(spread, LEAST_GREY)
    whole = cv2.resize(colour, (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32), spread


def _spread(away: Singles) -> float:
    """The usual unevenness from distances (n,). On a surface with stains or coarse grain the tail counts more
    than the middle."""
    usual, tail = (float(part) for part in np.percentile(away, (50, 90)))
    return max(1.48 * usual, 0.8 * min(tail, 4 * usual))


def _farthest(differences: Singles) -> Singles:
    """The largest of three differences (n, 3), by absolute size."""
    blue, green, red = np.abs(differences).T
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _smooth(values: Singles, weight: Singles, window: int) -> tuple[Singles, Singles]:
    """The weighted mean over a square window, and how much weight there was in it (0 to 1)."""
    total = cv2.blur(weight, (window, window))
    weighted = cv2.blur(cv2.multiply(values, cv2.merge((weight, weight, weight))), (window, window))
    known = np.maximum(total, 1e-6)
    mean = cv2.divide(weighted, cv2.merge((known, known, known)))
    return np.asarray(mean, np.float32), np.asarray(total, np.float32)


def _paints(
    calibration: TableCalibration, size: tuple[int, int], factor: int
) -> tuple[tuple[_Paint, ...], NDArray[np.bool_]]:
    """Each paint on the small picture: the floor beyond the table, its surface, tapes, zones, dot. Also where
    nothing is searched for: more than a die's width beyond the table."""
    laid = calibration.laid
    width, height = size
    fine = PAINT_FINE if width * height < 700_000 else 2
    canvas = np.zeros((height * fine, width * fine), np.uint8)
    edge = np.array(laid.table_edge_mm)
    edge = edge[np.argsort(edge[:, 0])]
    half, far = calibration.planned.table.surface_width_mm / 2, 2 * calibration.planned.table.halfway_y_mm
    left, right = min(-half, edge[0, 0]), max(half, edge[-1, 0])
    top = np.vstack((edge, [[right, edge[-1, 1]], [right, far], [left, far], [left, edge[0, 1]]]))
    shapes: list[tuple[int, Floats]] = [(1, top)]
    shapes += [(3 + number, np.array(zone.polygon_mm)) for number, zone in enumerate(laid.zones)]
    for tape in laid.tapes:
        shapes.append((2, np.vstack((tape.outer_mm, tape.inner_mm[::-1]))))
    for label, polygon in shapes:
        _draw(canvas, calibration, polygon, label, fine / factor)
    if laid.dot is not None:
        angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        circle = np.array(laid.dot.center_mm) + laid.dot.diameter_mm / 2 * np.column_stack(
            (np.cos(angle), np.sin(angle))
        )
        _draw(canvas, calibration, circle, 3 + len(laid.zones), fine / factor)
    shares = (
        cv2.resize((canvas == label).astype(np.float32), size, interpolation=cv2.INTER_AREA)
        for label in np.unique(canvas)
    )
    paints = tuple(_paint(np.asarray(share, np.float32)) for share in shares)
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_NEAREST)
    reach = round(calibration.dice.edge_mm * 1.3 / COARSE_MM)
    near = cv2.dilate((small > 0).astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    return paints, near == 0


def _paint(share: Singles) -> _Paint:
    """A paint, from its share of every pixel of the small picture."""
    x, y, wide, high = cv2.boundingRect((share > 0).astype(np.uint8))
    part = (slice(y, y + high), slice(x, x + wide))
    own = share[part]
    thin, pure = THIN, own[::THIN, ::THIN] > PURE
    if np.count_nonzero(pure) < LEAST_THIN:
        thin, pure = 1, own > 0.6
    at = np.flatnonzero(pure)
    asked = at[:: 1 + len(at) // ASKED] if len(at) >= LEAST_ASKED else at[:0]
    whole = np.asarray(cv2.merge((own, own, own)), np.float32)
    return _Paint(part, whole, thin, pure.astype(np.float32), asked)


def _draw(canvas: Picture, calibration: TableCalibration, polygon: Floats, label: int, scale: float) -> None:
    """Fill a polygon of the table (n, 2) in mm; its sides are bent as the lens bends them."""
    along = np.linspace(0, 1, 24, endpoint=False)[:, None]
    sides = [a + along * (b - a) for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True)]
    dense = np.concatenate(sides)
    view = calibration.view
    at = view.project(np.column_stack((dense, np.zeros(len(dense)))))
    small = ((at + 0.5) * scale - 0.5) * 16
    limit = 16 * 4 * max(canvas.shape)
    points = np.clip(np.rint(small), -limit, limit).astype(np.int32)
    cv2.fillPoly(canvas, [points], label, shift=4)


# Boxes in a picture: x0, y0, x1, y1 in pixels.

Box = tuple[int, int, int, int]


def grouped(boxes: Sequence[Box], near_px: float, longest_px: float) -> list[tuple[Box, list[int]]]:
    """Boxes that lie nearer together than `near_px`, as long as what holds them stays below `longest_px`:
    each group's own box, and the places of its members."""
    groups: list[tuple[Box, list[int]]] = []
    for at, each in enumerate(boxes):
        box, members = each, [at]
        joined = True
        while joined:
            joined = False
            for group in groups:
                if apart(box, group[0]) < near_px and span(box, group[0]) < longest_px:
                    groups.remove(group)
                    box, members = around(box, group[0]), members + group[1]
                    joined = True
                    break
        groups.append((box, members))
    return groups


def apart(one: Box, other: Box) -> float:
    """How many pixels lie between two boxes; 0 where they meet."""
    across = max(one[0], other[0]) - min(one[2], other[2])
    down = max(one[1], other[1]) - min(one[3], other[3])
    return float(max(across, down, 0))


def span(one: Box, other: Box) -> float:
    """The longer side of the smallest box that holds both, in pixels."""
    both = around(one, other)
    return float(max(both[2] - both[0], both[3] - both[1]))


def at_least(box: Box, size: float) -> Box:
    """The box, grown equally to all sides until it is at least `size` wide and high."""
    across = max(0, round((size - box[2] + box[0]) / 2))
    down = max(0, round((size - box[3] + box[1]) / 2))
    return box[0] - across, box[1] - down, box[2] + across, box[3] + down


def around(one: Box, other: Box) -> Box:
    """The smallest box that holds both."""
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
