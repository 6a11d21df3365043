"""Finds dice with the finder network, in two sizes of the picture, and at need in a third.

The network knows dice from some 10 to 120 pixels. The picture is looked at with about 640 x 480 pixels, and
once more much smaller, for dice close to the camera. Where these looks show no dice, or only small ones, and
the picture has more detail to show, `look_closer` looks at it with up to four times the pixels, wherever it
is neither plain nor cold.
"""

import math
from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from vision.learned.networks import Networks
from vision.learned.peaks import MOST, Peak, drop_doubles, find_peaks, scale_peak
from vision.learned.tiles import SeenTiles, filled, find_in_tiles

USUAL_PIXELS, UNREDUCED_PIXELS = 640 * 480, 800 * 600
"""A picture with more pixels than the latter is reduced to about the former. Of epanemu_dice3, whose pictures
have 640 x 640, 19 dice of 1,093 more are read since they are not reduced a little; larger pictures are looked
at closer where it helps, and with more pixels in the usual look, dice close to the camera get lost."""
SMALL_SHARE = 0.36
"""The scale of the small look, divided by the usual one."""
CLOSER = 2.0
"""The scale of a closer look, divided by the usual one."""
LEAST_CLOSER = 1.2
"""The closer look is left out where it would show less than so many times the detail of the usual one."""
LARGE_HALF_PX = 22.0
"""The least half edge that counts in the small look; smaller dice are seen better in the usual look."""
TOO_LARGE_HALF_PX = 75.0
"""The largest half edge that counts in the usual look."""
CLOSER_HALF_PX = 26.0
"""The largest half edge that counts in the closer look."""
PANORAMA = 3.0
"""A picture with a greater ratio of its sides is looked at part by part. Each part is twice as long as high;
they overlap by a quarter of that, so that each die of half the height lies wholly in one."""
SHORTEST_PART_PX = 640

Warmth = list[Singles]
"""The log odds of a die that the usual look gave each part of a picture (h x w), for every fourth pixel in
the size of that look."""


def find_dice(picture: Picture, networks: Networks, least_heat: float) -> tuple[list[Peak], Warmth]:
    """What may be dice in a picture (height x width x 3), hottest first, in its pixels; and how warm it is
    all over."""
    looks = [_found(part, networks, least_heat) for part in _cut(picture)]
    return _joined(picture, [found for found, _ in looks]), [heat for _, heat in looks]


def look_closer(
    picture: Picture,
    networks: Networks,
    least_heat: float,
    warmth: Warmth,
    seen: SeenTiles | None = None,
) -> list[Peak]:
    """What may be small dice where a picture is looked at closer, hottest first. `warmth` is what `find_dice`
    told of it; what is cold is left out. `seen` is of the earlier pictures of a fixed camera, and goes on
    with this one."""
    parts = _cut(picture)
    one = seen if seen is not None and len(parts) == 1 else None
    looks = [
        _found_closer(part, networks, least_heat, heat, one or SeenTiles())
        for part, heat in zip(parts, warmth, strict=True)
    ]
    return _joined(picture, looks)


def usual_scale(picture: Picture) -> float:
    """The scale of the usual look at a picture."""
    parts = _parts(*picture.shape[:2])
    rows, columns = parts[0]
    return _usual(rows.stop - rows.start, columns.stop - columns.start)


def _usual(height: int, width: int) -> float:
    pixels = height * width
    return 1.0 if pixels <= UNREDUCED_PIXELS else math.sqrt(USUAL_PIXELS / pixels)


def _cut(picture: Picture) -> list[Picture]:
    """The parts of a picture that are looked at one by one."""
    return [np.ascontiguousarray(picture[part]) for part in _parts(*picture.shape[:2])]


def _joined(picture: Picture, looks: Sequence[Sequence[Peak]]) -> list[Peak]:
    """What was found in each part of a picture, each die once, hottest first."""
    every = [
        Peak(peak.place.shifted(columns.start, rows.start), peak.heat)
        for (rows, columns), found in zip(_parts(*picture.shape[:2]), looks, strict=True)
        for peak in found
    ]
    return _not_within(drop_doubles(every)[:MOST])


def _parts(height: int, width: int) -> list[tuple[slice, slice]]:
    """The parts in which a picture is looked at, as slices of rows and columns: one part, but for a panorama.

    Reduced to the usual number of pixels, a panorama would be so low that its dice vanish.
    """
    short, long = sorted((height, width))
    if height * width <= USUAL_PIXELS or long <= PANORAMA * short:
        return [(slice(0, height), slice(0, width))]
    length = max(2 * short, SHORTEST_PART_PX)
    count = 1 + -(-(long - length) // (length - max(short // 2, 1)))
    begins = [round(i * (long - length) / max(count - 1, 1)) for i in range(count)]
    along, across = [slice(begin, begin + length) for begin in begins], slice(0, short)
    return [(across, part) if width > height else (part, across) for part in along]


def _found(picture: Picture, networks: Networks, least_heat: float) -> tuple[list[Peak], Singles]:
    """What may be dice in one part, some dice more than once; and how warm the usual look found it."""
    smaller, factor = _resized(picture, _usual(*picture.shape[:2]))
    told = networks.find(filled(smaller))
    near = _counting(find_peaks(told, least_heat), 0, TOO_LARGE_HALF_PX)
    if min(smaller.shape[:2]) * SMALL_SHARE >= 48:
        near += _counting(
            _look(smaller, SMALL_SHARE, networks, least_heat), LARGE_HALF_PX / SMALL_SHARE, np.inf
        )
    return [scale_peak(peak, factor) for peak in near], told[0]


def _found_closer(
    picture: Picture, networks: Networks, least_heat: float, heat: Singles, seen: SeenTiles
) -> list[Peak]:
    """What may be small dice in one part, where it is not cold."""
    usual = _usual(*picture.shape[:2])
    closer = min(1.0, CLOSER * usual)
    large, back = _resized(picture, closer)
    smaller, factor = _resized(large, usual / closer)
    if factor < LEAST_CLOSER:
        return []
    found = find_in_tiles(large, smaller, networks, least_heat, heat, seen)
    return [scale_peak(peak, back) for peak in _counting(found, 0, CLOSER_HALF_PX)]


def _look(picture: Picture, scale: float, networks: Networks, least_heat: float) -> list[Peak]:
    small, factor = shrink(picture, scale)
    return [scale_peak(peak, factor) for peak in find_peaks(networks.find(small), least_heat)]


def _counting(found_: Sequence[Peak], least_px: float, most_px: float) -> list[Peak]:
    """The peaks whose half edge lies within these bounds."""
    return [peak for peak in found_ if least_px <= peak.place.half_px <= most_px]


def shrink(picture: Picture, scale: float) -> tuple[Picture, float]:
    """The picture at that scale, with its sides filled up to multiples of 32, and the factor from its pixels
    back to the given ones."""
    picture, factor = _resized(picture, scale)
    return filled(picture), factor


def _resized(picture: Picture, scale: float) -> tuple[Picture, float]:
    """The picture at that scale, and the factor back.

    It is halved as often as possible, which is many times as fast as one step and no coarser.
    """
    factor = 1
    while scale * factor <= 0.5 and min(picture.shape[:2]) >= 2:
        height, width = (side // 2 for side in picture.shape[:2])
        even = picture[: 2 * height, : 2 * width]
        picture = np.asarray(cv2.resize(even, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        factor *= 2
    height, width = picture.shape[:2]
    rows, columns = max(1, round(height * scale * factor)), max(1, round(width * scale * factor))
    if (rows, columns) != (height, width):
        picture = np.asarray(cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_LINEAR), np.uint8)
    return picture, factor * max(width / columns, height / rows)


def _not_within(found_: Sequence[Peak]) -> list[Peak]:
    """The peaks, without those inside the face of a much larger die: a pip is no die."""
    if not found_:
        return []
    center = np.array([peak.place.center for peak in found_])
    half = np.array([peak.place.half_px for peak in found_])
    heat = np.array([peak.heat for peak in found_])
    inverse = np.linalg.inv(np.array([peak.place.axes for peak in found_]))
    steps = np.einsum("jkl,ijl->ijk", inverse, center[:, None] - center)  # of each in each other's frame
    inside = (np.abs(steps) < 0.9).all(axis=2)
    within = inside & (half[:, None] <= 0.55 * half) & (heat[:, None] <= 2 * heat)
    return [peak for peak, lies in zip(found_, within.any(axis=1), strict=True) if not lies]
