"""Where on a calibrated table something lies that is not the table: the places in which dice are looked for.

How it works. On a picture of about 1.8 mm a pixel, the calibration says what paint each pixel shows: which
zone, tape, dot or bare surface, and how much of it where two meet. Each paint's colour is taken from this
very picture, smoothly over the table, from pixels that agree with their neighbourhood. What differs from that
by far more than its paint's own unevenness (grain, noise, an outline a little off) is foreground; blobs of it
are places to look at. With a picture of the empty table, that is held against this one in the same manner.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableCalibration
from vision.find import Picture
from vision.landing.cube import Floats

Small = NDArray[np.float32]
Mask = NDArray[np.uint8]
Part = tuple[slice, slice]

COARSE_MM = 1.8
"""To a pixel of the small picture, about."""
SURROUND_MM = 70.0
"""Over so wide a square a paint's colour is taken as even."""
PAINT_FINE = 4
"""Paints are drawn so many times finer than the small picture."""
THIN = 3
"""Every so manieth pixel is enough for a paint's colour."""
MISPLACED_PX = 0.35
"""A small picture's outlines may lie so far off."""
LEAST_GREY = 4.0
STRIKING = 4.5
"""Times its paint's usual unevenness by which a pixel stands out."""
LARGEST_DICE = 10.0
"""Of a die's area: a larger blob is no heap of dice, and is looked at more strictly."""
_AROUND = np.ones((3, 3), np.uint8)
SMALLEST_SHARE = 0.12
"""Of a die's area: smaller blobs are dirt."""


@dataclass(frozen=True, eq=False)
class Blob:
    """One connected piece of foreground."""

    box_px: tuple[int, int, int, int]
    """x0, y0, x1, y1 in pixels of the full picture."""
    center_px: tuple[float, float]
    area_dice: float
    """Its area in areas of one die."""
    depth: float
    """How strongly its middle stands out, in times of usual unevenness."""


@dataclass(frozen=True, eq=False)
class Foreground:
    """What lies on the table, on the small picture."""

    mask: Mask
    """255 where something is."""
    factor: int
    """Full pixels to a small one."""
    strength: Small
    blobs: tuple[Blob, ...]


class Finder:
    """Finds foreground in pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration) -> None:
        """Draws the paints once; some tenths of a second."""
        view = calibration.view
        middle = view.on_plane(np.array([[view.lens.width_px / 2, view.lens.height_px / 2]]))[0]
        self._scale = view.scale_px_per_mm(float(middle[0]), float(middle[1]))
        self.factor = max(1, round(COARSE_MM * self._scale))
        self._size = (view.lens.width_px // self.factor, view.lens.height_px // self.factor)
        self._paints, self._beyond = _paints(calibration, self._size, self.factor)
        self._die_px = (calibration.dice.edge_mm * self._scale / self.factor) ** 2
        self._window = max(9, round(SURROUND_MM * self._scale / self.factor)) | 1

    def small(self, picture: Picture) -> Picture:
        """The picture at the size in which blobs are looked for."""
        width, height = self._size
        whole = picture[: height * self.factor, : width * self.factor]
        return np.asarray(cv2.resize(whole, self._size, interpolation=cv2.INTER_AREA), np.uint8)

    def find(self, picture: Picture, empty: Picture | None = None) -> Foreground:
        """The foreground of a picture (h, w, 3); `empty` is the empty table from the same place."""
        small = self.small(picture).astype(np.float32)
        strength = self._from_paints(small) if empty is None else self._from_empty(small, empty)
        mask = (strength > STRIKING).astype(np.uint8) * 255
        near = max(1, round(2.0 * self._scale / self.factor))
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * near + 1, 2 * near + 1))
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel), np.uint8)
        mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _AROUND), np.uint8)
        mask[self._beyond] = 0
        return Foreground(mask, self.factor, strength, self._blobs(mask, strength))

    def _blobs(self, mask: Mask, strength: Small) -> tuple[Blob, ...]:
        """The connected pieces; one much larger than a heap of dice is looked at again for what stands out in
        it."""
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

    def _from_paints(self, small: Small) -> Small:
        expected = np.zeros_like(small)
        usual = np.zeros(small.shape[:2], np.float32)
        for part, share in self._paints:
            colour, spread = _paint_colour(small[part], share, self._window)
            expected[part] += share[..., None] * colour
            usual[part] += share * spread
        return _strength(small, expected, usual)

    def _from_empty(self, small: Small, empty: Picture) -> Small:
        before = self.small(empty).astype(np.float32)
        ratio = (small + 4) / (before + 4)
        agrees = np.ones(small.shape[:2], np.float32)
        gain = np.median(ratio.reshape(-1, 3), axis=0)
        for _ in range(2):
            light = _smooth(ratio, agrees, self._window)
            gain = np.where(light[1][..., None] > 0.05, light[0], gain)
            away = _largest(np.abs(small - ((before + 4) * gain - 4)).astype(np.float32))
            agrees = (away < 2.5 * max(float(np.median(away)), 1.5)).astype(np.float32)
        usual = np.full(small.shape[:2], 1.48 * max(float(np.median(away)), 1.0), np.float32)
        return _strength(small, np.asarray((before + 4) * gain - 4, np.float32), usual)


def _strength(small: Small, expected: Small, usual: Small) -> Small:
    """How far pixels are from what is expected, in times of what is usual there."""
    away = _largest(np.asarray(cv2.blur(cv2.absdiff(small, expected), (3, 3)), np.float32))
    across = _largest(np.abs(cv2.Sobel(expected, cv2.CV_32F, 1, 0, scale=1 / 8)))
    down = _largest(np.abs(cv2.Sobel(expected, cv2.CV_32F, 0, 1, scale=1 / 8)))
    slack = MISPLACED_PX * STRIKING * cv2.magnitude(across, down)
    return np.asarray(away / cv2.magnitude(np.maximum(usual, LEAST_GREY), slack), np.float32)


def _largest(values: Small) -> Small:
    """The largest of the three channels."""
    blue, green, red = cv2.split(values)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.float32)


def _paint_colour(small: Small, share: Small, window: int) -> tuple[Small, float]:
    """A paint's colour at every pixel, and its usual unevenness in grey levels; from every third pixel."""
    thin, pure = np.ascontiguousarray(small[::THIN, ::THIN]), share[::THIN, ::THIN] > 0.98
    if np.count_nonzero(pure) < 30:
        thin, pure = small, share > 0.6
    if np.count_nonzero(pure) < 8:
        return np.zeros_like(small), LEAST_GREY
    own = thin[pure]
    common = np.median(own, axis=0)
    limit = 4 * max(1.48 * float(np.median(_farthest(own - common))), LEAST_GREY)
    colour = np.ascontiguousarray(np.broadcast_to(common, thin.shape), np.float32)
    spread = LEAST_GREY
    across = max(3, window // THIN) | 1
    for _ in range(2):
        away = _largest(np.asarray(cv2.absdiff(thin, colour), np.float32))
        agrees = (pure & (away < limit)).astype(np.float32)
        smooth, known = _smooth(thin, agrees, across)
        colour = np.asarray(np.where(known[..., None] > 0.04, smooth, common), np.float32)
        # Of a surface with stains or coarse grain the tail counts more than the middle.
        usual, tail = np.percentile(_farthest(own - colour[pure]), (50, 90))
        spread = max(1.48 * float(usual), 0.8 * min(float(tail), 4 * float(usual)))
        limit = 3.5 * max(spread, LEAST_GREY)
    whole = cv2.resize(colour, small.shape[1::-1], interpolation=cv2.INTER_LINEAR)
    return np.asarray(whole, np.float32), spread


def _farthest(differences: Small) -> Small:
    """The largest of three differences (n, 3), by size."""
    blue, green, red = np.abs(differences).T
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.float32)


def _smooth(values: Small, weight: Small, window: int) -> tuple[Small, Small]:
    """The weighted mean over a square window, and how much weight there was (0 to 1)."""
    total = cv2.blur(weight, (window, window))
    mean = cv2.blur(values * weight[..., None], (window, window)) / np.maximum(total, 1e-6)[..., None]
    return np.asarray(mean, np.float32), np.asarray(total, np.float32)


def _paints(
    calibration: TableCalibration, size: tuple[int, int], factor: int
) -> tuple[tuple[tuple[Part, Small], ...], NDArray[np.bool_]]:
    """For each paint a part of the small picture and the share of each of its pixels that the paint covers:
    beyond the table, its surface, tapes, zones, dot. And where nothing is looked for: more than a die's width
    beyond the table."""
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
    shares = []
    for label in np.unique(canvas):
        share = cv2.resize((canvas == label).astype(np.float32), size, interpolation=cv2.INTER_AREA)
        x, y, wide, high = cv2.boundingRect((share > 0).astype(np.uint8))
        part = (slice(y, y + high), slice(x, x + wide))
        shares.append((part, np.ascontiguousarray(share[part], np.float32)))
    small = cv2.resize(canvas, size, interpolation=cv2.INTER_NEAREST)
    reach = round(calibration.dice.edge_mm * 1.3 / COARSE_MM)
    near = cv2.dilate((small > 0).astype(np.uint8), np.ones((2 * reach + 1, 2 * reach + 1), np.uint8))
    return tuple(shares), near == 0


def _draw(canvas: Mask, calibration: TableCalibration, polygon: Floats, label: int, scale: float) -> None:
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
