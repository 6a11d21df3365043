"""Finds dice with the finder network, in two sizes of the picture, and in tiles.

The network knows dice from some 10 to 120 pixels. The picture is looked at with about 640 x 480 pixels, and
once more much smaller, for dice close to the camera. Where these looks show no dice, or only small ones,
`look_closer` looks at it with up to four times the pixels, wherever it is neither plain nor cold: with more
of its detail, or, where a small picture has no more, enlarged, for the network knows no smaller dice.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from vision.learned.contract import MOST, PLACE_PX, Peak, drop_doubles, find_peaks, scale_peak
from vision.learned.networks import Networks

# A picture looked at closer, tile by tile: only those that are neither plain nor cold, and of a fixed
# camera's pictures only those that changed.
#
# A tray's rim and the planks beside it are not plain, but they look the same in each picture of a camera that
# hangs still. So what was found in a tile stands for as long as it looks the way it did when it was looked
# at; small changes add up until they count. Where five dice were thrown, 10 to 16 of 45 tiles are left.

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
    told = _peaks_of_tiles(picture, fresh, networks, least_heat)
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


def _peaks_of_tiles(
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


USUAL_PIXELS, UNREDUCED_PIXELS = 640 * 480, 800 * 600
"""A picture with more pixels than the latter is reduced to about the former. Of epanemu_dice3, whose pictures
have 640 x 640, 19 dice of 1,093 more are read since they are not reduced a little; larger pictures are looked
at closer where it helps, and with more pixels in the usual look, dice close to the camera get lost."""
SMALL_SHARE = 0.36
"""The scale of the small look, divided by the usual one."""
CLOSER = 2.0
"""The scale of a closer look, divided by the usual one. A picture of at most `USUAL_PIXELS` is enlarged by
it: of dice with an edge of 9 pixels 79 % are read, and 15 % were (`fudw_bowl`, `benchmarks read --scales`);
in larger pictures enlarging brings as many questions about nothing as dice."""
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
            find_at_scale(smaller, SMALL_SHARE, networks, least_heat), LARGE_HALF_PX / SMALL_SHARE, np.inf
        )
    return [scale_peak(peak, factor) for peak in near], told[0]


def _found_closer(
    picture: Picture, networks: Networks, least_heat: float, heat: Singles, seen: SeenTiles
) -> list[Peak]:
    """What may be small dice in one part, where it is not cold."""
    height, width = picture.shape[:2]
    usual = _usual(height, width)
    most = CLOSER if height * width <= USUAL_PIXELS else 1.0
    closer = min(most, CLOSER * usual)
    large, back = _resized(picture, closer)
    smaller, factor = _resized(large, usual / closer)
    if factor < LEAST_CLOSER:
        return []
    found = find_in_tiles(large, smaller, networks, least_heat, heat, seen)
    return [scale_peak(peak, back) for peak in _counting(found, 0, CLOSER_HALF_PX)]


def find_at_scale(picture: Picture, scale: float, networks: Networks, least_heat: float) -> list[Peak]:
    """What may be dice in a picture that is looked at in that scale, in its own pixels."""
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
