"""A picture looked at closer, tile by tile: only those that are neither plain nor cold, and of a fixed
camera's pictures only those that changed.

A tray's rim and the planks beside it are not plain, but they look the same in each picture of a camera that
hangs still. So what was found in a tile stands for as long as it looks the way it did when it was looked at;
small changes add up until they count. Where five dice were thrown, 10 to 16 of 45 tiles are left.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from vision.learned.networks import Networks
from vision.learned.peaks import PLACE_PX, Peak, find_peaks

PLAIN = 12.0
"""Where fine brightness (of some two pixels in the usual size) differs from that round it by no more than
this, of 255, nothing is looked at closer: of 300 small dice in drawn scenes none was as faint."""
WARM = 0.5
"""Where the usual look's chance of a die is less than so many times the least heat that counts, all over a
tile, nothing is looked at closer. Of the tiles that are not plain two in five are so cold; where D4 are
named, of which less heat counts, hardly any."""
SAME = 6.0
"""By so much may this difference be another than it was, of 255, anywhere in a tile that counts as unchanged:
half of what a die shows at the least."""
FINE_PX, ROUND_PX = 3, 13
TILE_PX, RIM_PX = 160, 12
"""The side of the tiles; a find within the rim is dropped: too little is seen of what is round it, and the
next tile shows more."""
STEP_PX = TILE_PX - 2 * RIM_PX
TILES_AT_ONCE = 16
MOST_TILED = 0.6
"""Where a larger share of a picture has to be looked at, all of it is, in one piece."""
GREY = (127, 127, 127)

Detail = NDArray[np.int16]
Corner = tuple[int, int]
"""A tile's corner: x, y in the picture that is looked at. The rim of the first ones lies outside of it."""


@dataclass(frozen=True, slots=True, eq=False)
class _Tile:
    """A tile as it was when it was looked at, and what was found in its middle."""

    detail: Detail
    peaks: tuple[Peak, ...]


class SeenTiles:
    """What was found in the tiles of one fixed camera's pictures."""

    def __init__(self) -> None:
        """Nothing was looked at yet."""
        self._of: tuple[tuple[int, ...], float] | None = None
        self._tiles: dict[Corner, _Tile] = {}

    def begin(self, shape: tuple[int, ...], least_heat: float) -> None:
        """A picture of that shape is looked at, for finds of that heat: forget tiles of any other."""
        if self._of != (shape, least_heat):
            self._of, self._tiles = (shape, least_heat), {}

    def recall(self, corner: Corner, detail: Detail) -> tuple[Peak, ...] | None:
        """What was found in a tile that still looks like this; None where it has to be looked at."""
        seen = self._tiles.get(corner)
        if seen is None or cv2.norm(seen.detail, detail, cv2.NORM_INF) > SAME:
            return None
        return seen.peaks

    def keep(self, corner: Corner, detail: Detail, peaks: Sequence[Peak]) -> None:
        """This was found in a tile that looked like that."""
        self._tiles[corner] = _Tile(detail.copy(), tuple(peaks))


def find_in_tiles(
    picture: Picture,
    small: Picture,
    networks: Networks,
    least_heat: float,
    heat: Singles,
    seen: SeenTiles,
) -> list[Peak]:
    """What may be dice where a picture (height x width x 3) is neither plain nor cold, in its pixels; some
    dice more than once. `small` is the same picture in the usual size, by which is told where it is plain;
    `heat` are log odds of a die (h x w) for every fourth of its pixels, by which is told where it is cold."""
    detail, warm = _detail(small), WARM * least_heat
    seen.begin(picture.shape, least_heat)
    looks = _looks(detail, picture.shape)
    known = {corner: seen.recall(corner, look) for corner, look in looks.items()}
    fresh = [
        corner
        for corner, peaks in known.items()
        if peaks is None and _hottest(heat, corner, detail, picture.shape) >= math.log(warm / (1 - warm))
    ]
    if len(fresh) * STEP_PX**2 > MOST_TILED * picture.shape[0] * picture.shape[1]:
        every = find_peaks(networks.find(filled(picture)), least_heat)
        for corner, look in looks.items():
            seen.keep(corner, look, [peak for peak in every if _in_the_middle(peak, corner)])
        return every
    told = _told(picture, fresh, networks, least_heat)
    for corner, peaks in told.items():
        seen.keep(corner, looks[corner], peaks)
    return [peak for corner, peaks in known.items() for peak in peaks or told.get(corner, [])]


def filled(picture: Picture) -> Picture:
    """The picture with its sides filled up to multiples of 32."""
    below, right = (-side % 32 for side in picture.shape[:2])
    if below or right:
        wide = cv2.copyMakeBorder(picture, 0, below, 0, right, cv2.BORDER_CONSTANT, value=GREY)
        picture = np.asarray(wide, np.uint8)
    return picture


def _detail(small: Picture) -> Detail:
    """By how much fine brightness differs from that round it, rows x columns: light that falls on all of a
    tile changes it little."""
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    fine, broad = (cv2.blur(grey, (side, side)) for side in (FINE_PX, ROUND_PX))
    return np.asarray(cv2.subtract(fine, broad, dtype=cv2.CV_16S), np.int16)


def _looks(detail: Detail, shape: tuple[int, ...]) -> dict[Corner, Detail]:
    """The tiles, in a picture of that shape, in whose middle the small one is not plain, each with the detail
    of all of it."""
    factor = shape[0] / detail.shape[0], shape[1] / detail.shape[1]
    unlike = np.abs(detail) > PLAIN
    corners = [(x, y) for y in range(0, shape[0], STEP_PX) for x in range(0, shape[1], STEP_PX)]
    busy = [(x - RIM_PX, y - RIM_PX) for x, y in corners if unlike[_within((x, y), STEP_PX, factor)].any()]
    return {corner: detail[_within(corner, TILE_PX, factor)] for corner in busy}


def _hottest(heat: Singles, corner: Corner, detail: Detail, shape: tuple[int, ...]) -> float:
    """The greatest log odds of a die that the usual look gave anything in a tile."""
    factor = shape[0] / detail.shape[0] * PLACE_PX, shape[1] / detail.shape[1] * PLACE_PX
    return float(heat[_within(corner, TILE_PX, factor)].max(initial=-np.inf))


def _within(corner: Corner, side: int, factor: tuple[float, float]) -> tuple[slice, slice]:
    """The rows and columns of the small picture, `factor` times smaller, that a square covers."""
    (x, y), (down, along) = corner, factor
    rows = slice(max(0, int(y / down)), int((y + side) / down) + 1)
    return rows, slice(max(0, int(x / along)), int((x + side) / along) + 1)


def _told(
    picture: Picture, corners: Sequence[Corner], networks: Networks, least_heat: float
) -> dict[Corner, list[Peak]]:
    """What is seen in the middle of each of these tiles, in pixels of the picture."""
    wide = cv2.copyMakeBorder(picture, RIM_PX, TILE_PX, RIM_PX, TILE_PX, cv2.BORDER_CONSTANT, value=GREY)
    out = {}
    for begin in range(0, len(corners), TILES_AT_ONCE):
        some = corners[begin : begin + TILES_AT_ONCE]
        tiles = [wide[y + RIM_PX :, x + RIM_PX :][:TILE_PX, :TILE_PX] for x, y in some]
        told = networks.find_in(np.asarray(np.stack(tiles), np.uint8))
        for (x, y), answer in zip(some, told, strict=True):
            peaks = [Peak(peak.place.shifted(x, y), peak.heat) for peak in find_peaks(answer, least_heat)]
            out[x, y] = [peak for peak in peaks if _in_the_middle(peak, (x, y))]
    return out


def _in_the_middle(peak: Peak, corner: Corner) -> bool:
    """Whether a find in a tile lies off its rim."""
    away = peak.place.center - corner - (TILE_PX - 1) / 2
    return bool((np.abs(away) <= TILE_PX / 2 - RIM_PX).all())
