"""Finds dice with the finder network, in two or three sizes of the picture.

The network knows dice from some 10 to 120 pixels. The picture is looked at with about 640 x 480 pixels, and
once more much smaller, for dice close to the camera. When the dice found are small and the picture has more
to show, it is looked at again with up to four times the pixels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from models.faces import Picture, Place
from models.peaks import MOST, Peak, once, peaks, scaled
from vision.learned.networks import Networks

USUAL_PIXELS = 640 * 480
SMALL_SHARE = 0.36
"""The small look's side by the usual one's."""
MOST_PIXELS = 4 * USUAL_PIXELS
LARGE_HALF_PX = 22.0
"""In the small look only dice with a larger half edge count; smaller ones the usual look sees better."""
TOO_LARGE_HALF_PX = 75.0
"""In the other looks, dice with a larger half edge do not count."""
SMALL_HALF_PX = 7.0
"""Where dice are smaller than this, or none is found, it is worth looking closer."""
PANORAMA = 3.0
"""A picture longer than this by its short side is looked at part by part, each twice as long as high; they
overlap by a quarter of that, so that each die of half the height lies wholly in one."""
SHORTEST_PART_PX = 640
GREY = (127, 127, 127)


@dataclass(frozen=True, slots=True)
class Looked:
    """One size in which a picture is looked at."""

    scale: float
    least_px: float
    """Half edges in that size that count, from and to."""
    most_px: float


def found(picture: Picture, networks: Networks, least_heat: float) -> list[Peak]:
    """What may be dice, hottest first, in pixels of the picture (height x width x 3)."""
    parts = _parts(*picture.shape[:2])
    if len(parts) == 1:
        return _not_within(once(_found(picture, networks, least_heat))[:MOST])
    every = [
        _shifted(peak, columns.start, rows.start)
        for rows, columns in parts
        for peak in once(_found(np.ascontiguousarray(picture[rows, columns]), networks, least_heat))
    ]
    return _not_within(once(every)[:MOST])


def _parts(height: int, width: int) -> list[tuple[slice, slice]]:
    """Rows and columns of the parts in which a picture is looked at: one part, but for a panorama.

    Made as small as a usual picture, that would be so low that its dice vanish.
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
    return Peak(Place(center, peak.place.axes), peak.heat, peak.turn)


def _found(picture: Picture, networks: Networks, least_heat: float) -> list[Peak]:
    """The same in one part, some dice more than once."""
    height, width = picture.shape[:2]
    usual = min(1.0, (USUAL_PIXELS / (height * width)) ** 0.5)
    smaller, factor = _resized(picture, usual)
    near = _look(smaller, Looked(1.0, 0, TOO_LARGE_HALF_PX), networks, least_heat)
    if min(smaller.shape[:2]) * SMALL_SHARE >= 48:
        near += _look(smaller, Looked(SMALL_SHARE, LARGE_HALF_PX, np.inf), networks, least_heat)
    sure = [peak.place.half_px for peak in near if peak.heat > 0.4]
    out = [scaled(peak, factor) for peak in near]
    closer = min(1.0, 2 * usual, (MOST_PIXELS / (height * width)) ** 0.5)
    if closer > 1.2 * usual and (not sure or float(np.median(sure)) < SMALL_HALF_PX):
        out += _look(picture, Looked(closer, 0, SMALL_HALF_PX * 2.5), networks, least_heat)
    return out


def _look(picture: Picture, look: Looked, networks: Networks, least_heat: float) -> list[Peak]:
    small, factor = shrunk(picture, look.scale)
    here = peaks(networks.find(small), least_heat)
    return [scaled(peak, factor) for peak in here if look.least_px <= peak.place.half_px <= look.most_px]


def shrunk(picture: Picture, scale: float) -> tuple[Picture, float]:
    """The picture at that scale with its sides filled up to multiples of 32, and the factor back."""
    picture, factor = _resized(picture, scale)
    below, right = (-side % 32 for side in picture.shape[:2])
    if below or right:
        filled = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=GREY)
        picture = np.asarray(filled, np.uint8)
    return picture, factor


def _resized(picture: Picture, scale: float) -> tuple[Picture, float]:
    """The picture at that scale, and the factor back."""
    height, width = picture.shape[:2]
    rows, columns = max(1, round(height * scale)), max(1, round(width * scale))
    if (rows, columns) != (height, width):
        picture = np.asarray(cv2.resize(picture, (columns, rows), interpolation=cv2.INTER_AREA), np.uint8)
    return picture, max(width / columns, height / rows)


def _not_within(found_: Sequence[Peak]) -> list[Peak]:
    """Without what lies within the face of a much larger die: a pip is no die."""
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
