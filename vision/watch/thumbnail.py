"""Makes pictures small, compares them, and buffers those with motion.

Theory of operation
- Small: the picture is halved until its longer side is below 640 pixels (1280x960 becomes 320x240), so one
  pass over the pixels is all that every frame costs; averaging also takes most of the sensor's noise away.
- Logarithm: brightness is kept as `90 log((grey + 16) / 16)`, so that light which grows by a factor adds one
  number everywhere, whatever lies there. All three colours are kept: a red die on green felt may be as bright
  as the felt.
- Light: between two glances, the change of each 8x8 cell is taken, and its median over 5x5 cells is what the
  light did there (a lamp, a cloud, the camera's exposure, the soft shadow of somebody passing). It is added
  to the older glance before the two are compared. A die covers too few of the 25 cells to pass for light.
- Noise: a difference must exceed five times the noise of the difference, measured on the glances themselves
  and spread by brightness (the logarithm makes noise loud in the dark). Single pixels are dropped: a
  difference counts where at least four of nine neighbours differ.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Picture, Singles

UNITS = 90.0
"""Log units for a growth of light by the factor e: 10 per cent more light is 8.6 units where it is bright."""
FLOOR = 16.0
"""Grey levels added before the logarithm, so that black noise stays small."""
CELL_PX = 8
"""Side of a cell in small pixels."""
LONGEST_PX = 640
SIGMAS = 5.0
LEAST_STEP = 6.0
"""The least difference in log units that ever counts: about 7 per cent of light."""
LIGHT_DOUBT = 0.15
"""The share of a change of light that is not trusted (gamma, clipping, a tinted lamp)."""
STEADY_GREY = 0.7
"""A cell whose mean changed by fewer grey levels than this kept its light."""
STEADY = 0.015
"""A growth of light by a smaller share than this is none."""
CLIPPED_GREY = 250
LOWEST_NOISE = 0.5
HIGHEST_NOISE = 12.0
_GREYS = np.arange(256, dtype=np.float64)
_TO_LOG: Picture = np.clip(np.round(UNITS * np.log((_GREYS + FLOOR) / FLOOR)), 0, 255).astype(np.uint8)
_SLOPE = (UNITS / FLOOR) * np.exp(-_GREYS / UNITS)
"""Log units per grey level, for each of the 256 log values."""


def slope(log: NDArray[np.generic]) -> Singles:
    """How many log units one grey level is worth at these log values."""
    return np.asarray((UNITS / FLOOR) * np.exp(log.astype(np.float32) / -UNITS), dtype=np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """One picture made small."""

    small: Picture
    """Height x width x 3 in grey levels."""
    log: Picture
    """The same in log units."""
    means: Singles
    """Mean grey level of each cell (rows x columns x 3)."""
    cells: Singles
    """Mean of each cell in log units (rows x columns x 3)."""

    @property
    def mean(self) -> float:
        """Mean grey level of the picture."""
        return float(self.means.mean())


def make_thumbnail(picture: Picture) -> Thumbnail:
    """Make a picture (height x width x 3) small; ValueError for any other shape."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8 or picture.size == 0:
        raise ValueError(f"a picture is height x width x 3 bytes; got {picture.shape} of {picture.dtype}")
    small = np.ascontiguousarray(picture)
    while max(small.shape[:2]) >= LONGEST_PX:
        height, width = small.shape[:2]
        size = (max(1, width // 2), max(1, height // 2))
        small = np.asarray(cv2.resize(small, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    if np.shares_memory(small, picture):
        small = small.copy()
    return of_small(small)


def of_small(small: Picture) -> Thumbnail:
    """The glance with these small pixels (height x width x 3)."""
    log = np.asarray(cv2.LUT(small, _TO_LOG), dtype=np.uint8)
    height, width = small.shape[:2]
    size = (max(1, width // CELL_PX), max(1, height // CELL_PX))
    means = np.asarray(
        cv2.resize(small.astype(np.float32), size, interpolation=cv2.INTER_AREA), dtype=np.float32
    )
    cells = np.asarray(UNITS * np.log1p(means / FLOOR), dtype=np.float32)
    return Thumbnail(small, log, means, cells)


def light_between(before: Thumbnail, after: Thumbnail) -> Singles:
    """By what factor the light of each cell and colour grew from one glance to the next."""
    growth = (after.means + 1) / (before.means + 1)
    growth[np.abs(after.means - before.means) < STEADY_GREY] = 1
    return np.asarray(cv2.medianBlur(growth, 5), dtype=np.float32)


def _relight(before: Thumbnail, light: Singles) -> tuple[Picture, Picture | None]:
    """`before` in log units as it would look in the later light, and how far that is to be doubted."""
    change = np.abs(light - 1)
    if float(change.max()) < STEADY:
        return before.log, None
    height, width = before.log.shape[:2]
    field = cv2.resize(light, (width, height))
    relit = cv2.LUT(cv2.multiply(before.small, field, dtype=cv2.CV_8U), _TO_LOG)
    doubt = cv2.resize(cv2.convertScaleAbs(UNITS * np.abs(np.log(light)), alpha=LIGHT_DOUBT), (width, height))
    # What was clipped before is not known in less light.
    doubt = np.where((before.small >= CLIPPED_GREY) & (np.asarray(field) < 1 - STEADY), np.uint8(255), doubt)
    return np.asarray(relit, dtype=np.uint8), np.asarray(doubt, dtype=np.uint8)


def noise_between(before: Thumbnail, after: Thumbnail) -> float:
    """Standard deviation of one glance's noise in grey levels, from the calmest six tenths of the picture."""
    a = before.log[::6, ::6].astype(np.float32)
    b = after.log[::6, ::6].astype(np.float32)
    worst = 0.0
    for channel in range(3):
        step = b[..., channel] - a[..., channel]
        step -= np.median(step)
        grey = np.sort((np.abs(step) / _SLOPE[after.log[::6, ::6, channel]]).ravel())
        kept = grey[: max(1, int(grey.size * 0.6))]
        # The mean of the smaller six tenths of |normal| is 0.403 standard deviations, of a difference sqrt 2.
        worst = max(worst, float(kept.mean()) / 0.403 / np.sqrt(2))
    return float(np.clip(worst, LOWEST_NOISE, HIGHEST_NOISE))


def difference(before: Thumbnail, after: Thumbnail, noise: float, tolerance_px: int = 0) -> Bools:
    """Where two glances of the same size show something else, light and noise apart.

    `noise` is in grey levels. With a tolerance, whatever lay within so many small pixels is no difference
    (a camera that trembles, edges that shift by less than a pixel).
    """
    relit, doubt = _relight(before, light_between(before, after))
    if tolerance_px:
        kernel = np.ones((2 * tolerance_px + 1, 2 * tolerance_px + 1), np.uint8)
        above = cv2.subtract(after.log, cv2.dilate(relit, kernel))
        apart = cv2.max(above, cv2.subtract(cv2.erode(relit, kernel), after.log))
    else:
        apart = cv2.absdiff(after.log, relit)
    limits = np.clip(np.maximum(LEAST_STEP, SIGMAS * np.sqrt(2) * noise * _SLOPE), 0, 255).astype(np.uint8)
    excess = cv2.subtract(apart, cv2.LUT(after.log, limits))
    if doubt is not None:
        excess = cv2.subtract(excess, doubt)
    blue, green, red = cv2.split(excess)
    return drop_single_pixels(cv2.max(cv2.max(blue, green), red) > 0)


def unlike(before: Thumbnail, after: Thumbnail, noise: float, tolerance_px: int) -> Bools:
    """The difference, both ways round: with a tolerance, a bare spot of one glance is found anywhere among
    the pips of the other."""
    differs = difference(before, after, noise, tolerance_px)
    if tolerance_px:
        differs |= difference(after, before, noise, tolerance_px)
    return differs


def drop_single_pixels(mask: Bools) -> Bools:
    """`mask` without its single pixels: true where at least four of the nine pixels around are."""
    ones = mask.astype(np.uint8)
    around = np.asarray(cv2.boxFilter(ones, -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT))
    return np.asarray((around >= 4) & mask, dtype=np.bool_)


def share_by_cell(mask: Bools, like: Thumbnail) -> Singles:
    """The share of each cell that `mask` covers, rows x columns."""
    rows, columns = like.cells.shape[:2]
    share = cv2.resize(mask.astype(np.float32), (columns, rows), interpolation=cv2.INTER_AREA)
    return np.asarray(share, dtype=np.float32)


def shift_between(before: Thumbnail, after: Thumbnail) -> tuple[int, int]:
    """How far the whole picture moved, right and down, in small pixels."""
    a, b = (_flat(g) for g in (before, after))
    window = cv2.createHanningWindow((a.shape[1], a.shape[0]), cv2.CV_32F)
    (right, down), _ = cv2.phaseCorrelate(a, b, window)
    return round(right), round(down)


def _flat(seen: Thumbnail) -> Singles:
    """Brightness without the slow changes across the picture, so that things and not light are aligned."""
    height, width = seen.log.shape[:2]
    grey = seen.log.astype(np.float32).mean(axis=2)
    slow = cv2.resize(seen.cells.mean(axis=2), (width, height))
    return np.asarray(grey - slow, dtype=np.float32)


def shift(seen: Thumbnail, right: int, down: int) -> Thumbnail:
    """The glance as if the camera had moved; what comes into the picture repeats its border."""
    if right == 0 and down == 0:
        return seen
    matrix = np.array([[1, 0, right], [0, 1, down]], dtype=np.float32)
    height, width = seen.log.shape[:2]
    small = cv2.warpAffine(
        seen.small, matrix, (width, height), flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE
    )
    return of_small(np.asarray(small, dtype=np.uint8))


# The last small pictures in which something moved: what the history of a throw is told from.
#
# The watch makes a small picture of every frame anyway. Those in which something moves are kept here, and one
# of each rest; nothing is computed for them until somebody asks how the dice came to lie there. The memory is
# fixed: the oldest pictures go first. A camera that stops for a moment, or a clock that jumps, leaves a hole
# in what was seen, and that is said, too.

MOST_BYTES = 24_000_000
"""A hundred small pictures of 320x240: five seconds of motion at 20 frames/s."""
MOST_RESTS = 8
MOST_HOLES = 8
HOLE_MS = 3000.0
"""With no picture for so long a whole throw may have come and gone. A shorter gap only makes ways unsure: a
box that is busy with other things leaves some of up to two seconds."""
HOLE_GAPS = 3.0
"""How many times its usual gap is a hole at a slow camera."""
BESIDE_MS = 300.0
"""A hole counts if dice moved so shortly before it, or lay otherwise right after it."""

Hole = Literal["", "late", "back"]
"""What is wrong with a stretch of pictures: nothing; for a moment none came; the clock went back."""


@dataclass(frozen=True, slots=True, eq=False)
class ReelPicture:
    """One small picture, and where a hand was in it."""

    time_ms: float
    small: Picture
    """Height x width x 3 in grey levels."""
    hands: Bools | None = None
    """The cells that hands cover; None where there is none."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Stretch:
    """What was seen from one rest to another."""

    before: ReelPicture | None
    """The rest with which it begins; None at the first one of all, or where it is no longer kept."""
    pictures: tuple[ReelPicture, ...]
    """Those in between, the oldest first; the first ones may be missing."""
    after: ReelPicture
    """The rest with which it ends."""
    noise: float
    """One picture's noise in grey levels."""
    hand_held: bool
    """Whether the camera moved, too."""
    hole: Hole
    """Why not all of it was seen."""


class Reel:
    """Keeps what the watch has seen last, within `MOST_BYTES`."""

    def __init__(self, *, hand_held: bool = False) -> None:
        """Nothing was seen yet."""
        self._hand_held = hand_held
        self._pictures: deque[ReelPicture] = deque()
        self._rests: deque[ReelPicture] = deque(maxlen=MOST_RESTS)
        self._holes: deque[tuple[float, float, Hole]] = deque(maxlen=MOST_HOLES)
        self._last_ms: float | None = None
        self._gap_ms = 0.0
        self._noise = 1.0

    @property
    def size(self) -> int:
        """How many bytes of pictures are kept."""
        return sum(one.small.nbytes for one in (*self._pictures, *self._rests))

    def pass_time(self, time_ms: float) -> None:
        """A frame came, whatever it shows."""
        last, self._last_ms = self._last_ms, time_ms
        if last is None or time_ms == last:
            return
        gap_ms = time_ms - last
        if gap_ms < 0:
            self._pictures.clear()
            self._rests.clear()
            self._holes.clear()
            self._holes.append((time_ms, time_ms, "back"))
            return
        if gap_ms > max(HOLE_MS, HOLE_GAPS * self._gap_ms):
            self._holes.append((last, time_ms, "late"))
        self._gap_ms = gap_ms if not self._gap_ms else self._gap_ms + 0.1 * (gap_ms - self._gap_ms)

    def move(self, seen: Thumbnail, time_ms: float, hands: Bools | None) -> None:
        """Something moves, or a hand is there."""
        if self._pictures and time_ms <= self._pictures[-1].time_ms:
            return  # a frame that comes twice
        if self._pictures and self._pictures[-1].small.shape != seen.small.shape:
            self.forget()
        self._pictures.append(ReelPicture(time_ms, seen.small, hands))
        while len(self._pictures) > 1 and self.size > MOST_BYTES:
            self._pictures.popleft()

    def rest(self, seen: Thumbnail, time_ms: float, noise: float) -> None:
        """All has come to rest in a new arrangement. `noise` is one picture's, in grey levels."""
        self._noise = noise
        self._rests.append(ReelPicture(time_ms, seen.small))

    def forget(self) -> None:
        """What was seen so far was another table, or another camera."""
        self._pictures.clear()
        self._rests.clear()

    def cut(self, since_ms: float | None, until_ms: float = inf) -> Stretch | None:
        """What was seen from the rest at `since_ms`, or the last one before, to the last one at `until_ms`.

        None where nothing has come to rest in between. With None for `since_ms`: from the last rest but one.
        """
        rests = [one for one in self._rests if one.time_ms <= until_ms]
        if not rests:
            return None
        after = rests.pop()
        if since_ms is not None and after.time_ms <= since_ms <= until_ms:
            return None
        # A rest that seems to be later than the end was before the clock went back.
        earlier = [one for one in rests if since_ms is None or one.time_ms <= since_ms <= until_ms]
        before = earlier[-1] if earlier else None
        begun_ms = before.time_ms if before else -inf
        pictures = tuple(one for one in self._pictures if begun_ms < one.time_ms < after.time_ms)
        return Stretch(
            before=before,
            pictures=pictures,
            after=after,
            noise=self._noise,
            hand_held=self._hand_held,
            hole=self._hole(begun_ms, after.time_ms, [one.time_ms for one in pictures if one.hands is None]),
        )

    def find_stretch(self, since_ms: float, until_ms: float) -> Stretch | None:
        """What moved in that time, even if in the end all lies as it did; None without any rest."""
        rests = [one for one in self._rests if one.time_ms <= until_ms]
        if not rests:
            return None
        earlier = [one for one in rests if one.time_ms <= since_ms]
        pictures = tuple(one for one in self._pictures if since_ms < one.time_ms <= until_ms)
        return Stretch(
            before=earlier[-1] if earlier else rests[0],
            pictures=pictures,
            after=rests[-1],
            noise=self._noise,
            hand_held=self._hand_held,
            hole=self._hole(since_ms, until_ms, [one.time_ms for one in pictures if one.hands is None]),
        )

    def _hole(self, begun_ms: float, ended_ms: float, moved_ms: Sequence[float]) -> Hole:
        """What is wrong with that time; a hole in which nothing but hands moved is none."""
        for from_ms, to_ms, hole in self._holes:
            if not begun_ms < to_ms <= ended_ms:
                continue
            if hole == "back" or any(
                from_ms - BESIDE_MS <= one <= from_ms or one == to_ms for one in moved_ms
            ):
                return hole
        return ""
