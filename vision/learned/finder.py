"""Finds dice with the finder network, in two or three sizes of the picture.

The network knows dice from some 10 to 120 pixels. The picture is looked at with about 640 x 480 pixels, and
once more much smaller, for dice close to the camera. When the dice found are small and the picture has more
detail to show, it is also looked at closer, with up to four times the pixels: in windows round everything
that may be a small die, and all over only where these show nothing.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from calibration.arrays import Picture, Singles
from vision.learned.networks import Networks
from vision.learned.peaks import MOST, Peak, drop_doubles, find_hints, find_peaks, scale_peak
from vision.place import Place

USUAL_PIXELS = 640 * 480
SMALL_SHARE = 0.36
"""The scale of the small look, divided by the usual one."""
CLOSER = 2.0
"""The scale of a closer look, divided by the usual one."""
LARGE_HALF_PX = 22.0
"""The least half edge that counts in the small look; smaller dice are seen better in the usual look."""
TOO_LARGE_HALF_PX = 75.0
"""The largest half edge that counts in the usual look."""
SMALL_HALF_PX = 9.0
"""A closer look is taken where the median half edge is below this, or no die is found."""
SURE_HEAT = 0.4
"""The heat from which a find counts when the dice's size is judged."""
CLOSER_HALF_PX = 17.5
"""The largest half edge that counts in the closer look."""
HINT_HEAT, HINT_HALF_PX, HINTS_APART_PX = 0.02, 11.0, 11.0
"""A hint is what the usual look takes for a die with at least this heat and at most this half edge; it is
looked at closer. Of hints nearer to each other than the third figure only the hottest counts."""
MOST_WINDOWS = 16
WINDOW_PX = 96
"""The side of the windows of the closer look."""
RIM_PX = 12
"""A find within this distance of a window's border is dropped: too little is seen of what is round it."""
PANORAMA = 3.0
"""A picture with a greater ratio of its sides is looked at part by part. Each part is twice as long as high;
they overlap by a quarter of that, so that each die of half the height lies wholly in one."""
SHORTEST_PART_PX = 640
GREY = (127, 127, 127)


def find_dice(picture: Picture, networks: Networks, least_heat: float) -> list[Peak]:
    """What may be dice in a picture (height x width x 3), hottest first, in its pixels."""
    parts = _parts(*picture.shape[:2])
    if len(parts) == 1:
        return _not_within(drop_doubles(_found(picture, networks, least_heat))[:MOST])
    every = [
        _shifted(peak, columns.start, rows.start)
        for rows, columns in parts
        for peak in drop_doubles(_found(np.ascontiguousarray(picture[rows, columns]), networks, least_heat))
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


def _shifted(peak: Peak, x: int, y: int) -> Peak:
    center = np.asarray(peak.place.center + np.array((x, y)), np.float32)
    return Peak(Place(center, peak.place.axes), peak.heat)


def _found(picture: Picture, networks: Networks, least_heat: float) -> list[Peak]:
    """What may be dice in one part, some dice more than once."""
    height, width = picture.shape[:2]
    usual = min(1.0, (USUAL_PIXELS / (height * width)) ** 0.5)
    closer = min(1.0, CLOSER * usual)
    large, back = _resized(picture, closer)
    smaller, factor = _resized(large, usual / closer)
    told = networks.find(_filled(smaller))
    near = _counting(find_peaks(told, least_heat), 0, TOO_LARGE_HALF_PX)
    if min(smaller.shape[:2]) * SMALL_SHARE >= 48:
        near += _counting(
            _look(smaller, SMALL_SHARE, networks, least_heat), LARGE_HALF_PX / SMALL_SHARE, np.inf
        )
    sure = [peak.place.half_px for peak in near if peak.heat > SURE_HEAT]
    out = [scale_peak(peak, factor) for peak in near]
    if factor > 1.2 and (not sure or float(np.median(sure)) < SMALL_HALF_PX):
        middles = find_hints(told, HINT_HEAT, HINT_HALF_PX, HINTS_APART_PX)[:MOST_WINDOWS]
        out += _in_windows(large, (middles + 0.5) * factor, networks, least_heat)
        if not any(peak.heat > SURE_HEAT for peak in out):
            out += _counting(_look(large, 1.0, networks, least_heat), 0, CLOSER_HALF_PX)
    return [scale_peak(peak, back) for peak in out]


def _in_windows(picture: Picture, middles: Singles, networks: Networks, least_heat: float) -> list[Peak]:
    """What is seen in windows round N x 2 middles, pixels of the picture."""
    if not len(middles):
        return []
    half = WINDOW_PX // 2
    wide = cv2.copyMakeBorder(picture, half, half, half, half, cv2.BORDER_CONSTANT, value=GREY)
    corners = np.clip(np.rint(middles).astype(int), 0, picture.shape[1::-1]).tolist()
    windows = np.stack([wide[y : y + WINDOW_PX, x : x + WINDOW_PX] for x, y in corners])
    told = networks.find_in(np.asarray(windows, np.uint8))
    below = told.transpose(1, 0, 2, 3).reshape(told.shape[1], -1, told.shape[3])  # one below the other
    out = []
    for peak in _counting(find_peaks(below, least_heat), 0, CLOSER_HALF_PX):
        number = int((peak.place.center[1] + 0.5) // WINDOW_PX)
        x, y = corners[min(max(number, 0), len(corners) - 1)]
        off = peak.place.center - (half - 0.5, half - 0.5 + number * WINDOW_PX)
        if np.abs(off).max() < half - RIM_PX:
            out.append(_shifted(peak, x - half, y - half - number * WINDOW_PX))
    return out


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
    return _filled(picture), factor


def _filled(picture: Picture) -> Picture:
    below, right = (-side % 32 for side in picture.shape[:2])
    if below or right:
        filled = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=GREY)
        picture = np.asarray(filled, np.uint8)
    return picture


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
