"""Reads a fixed camera's pictures again only where they changed.

Theory of operation
- A small picture is kept beside each reading: grey, logarithmic, with its broad light taken off, one cell
  for 4 x 4 pixels. What a lamp or a cloud does to the whole table leaves it as it was; a die that moved or
  turned does not.
- Cells that differ are put into one window, widened by a die's edge, by every die that it touches, and by
  the nearest dice until it holds some that did not change: readers tell a leaning die by its neighbours. Only
  the window is read; what lies outside keeps what was read there, and its place in the small picture stays
  the one it was read from, so that slow changes add up until they count.
- What was unsure is read again LOOKS times in all: another picture may show it better. After that it is left
  as it is until something changes there.
- When more than half of the picture changed, all of it is read; so it is where no die lay before: a window
  about the first die would show it and nothing else, and readers take that for the picture's edge.
- Where the camera also gives the view in more pixels (`vision.face_place`), this is not compared: a change
  shows in the small picture, too.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Picture, Singles
from vision.learned.camera_prior import CameraPoseMemory, CameraPrior
from vision.learned.networks import Networks
from vision.learned.reader import Adapts
from vision.reader import Reader
from vision.reading import DiceChoice, Point, Reading, SeenDie, Window, judge_throw_confidence

CELL_PX = 4
BROAD_CELLS = 15
"""What is broader than this many cells is light, not things."""
CHANGED = 0.05
"""The least change that counts, in log units, as a mean over 3 x 3 cells: some seven times a usual sensor's
noise there."""
LEAST_CELLS = 3
"""Fewer changed cells together are noise."""
MOST_SHARE = 0.5
NEIGHBOURS = 3
"""The fewest dice of the last reading that the window holds that is read again: readers tell a leaning die by
its neighbours."""
LOOKS = 3
"""How often a place that stays unsure is read while nothing changes there."""
UNKNOWN_EDGE = 0.05
"""A die's edge, as a share of the picture's width, where no die was read."""


@dataclass(slots=True, eq=False)
class _LastReading:
    """The last reading, and the small picture of each place as it was when it was read."""

    small: Singles
    shape: tuple[int, ...]
    dice: DiceChoice
    reading: Reading
    looks: list[int]
    """For each unsure one of the reading, how often it was read."""
    sharp: bool
    """Whether a sharper picture was there for all that changed last."""


class IncrementalReader:
    """A reader that remembers, for the pictures of one fixed camera in the order in which they were taken."""

    def __init__(self, read: Callable[[Picture, DiceChoice, Picture | None, Window | None], Reading]) -> None:
        """`read` reads a picture (height x width x 3, blue green red), with the same view in more pixels
        where there is one; or a window of it, and then it answers in the window's own pixels."""
        self._read = read
        self._known: _LastReading | None = None

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """What lies in the picture (height x width x 3); where nothing changed, the last reading stands.

        What stayed unsure in a picture alone is looked at anew when there is a `sharp` one beside it.
        """
        begun = time.perf_counter()
        small = _small(picture)
        known = self._known
        if known is None or known.shape != picture.shape or known.dice != dice:
            reading = self._read(picture, dice, sharp, None)
            looks = [1] * len(reading.unsure)
            self._known = _LastReading(small, picture.shape, dice, reading, looks, sharp is not None)
            return reading
        if sharp is not None and not known.sharp:
            known.looks, known.sharp = [0] * len(known.looks), True
        changes = _changes(_changed(known.small, small))
        known.sharp = known.sharp and (sharp is not None or not changes)
        window = _window(changes, known.reading, known.looks)
        if window is not None:
            reading, window = self._again(picture, known, window, sharp)
            known.looks = _looks(known, reading, changes, window)
            rows, columns = _cells(window)
            known.small[rows, columns] = small[rows, columns]
            known.reading = replace(reading, elapsed_ms=(time.perf_counter() - begun) * 1000)
        return known.reading

    def _again(
        self, picture: Picture, known: _LastReading, window: Window, sharp: Picture | None
    ) -> tuple[Reading, Window]:
        """The reading after this window was read again, or the whole picture where the window is most of it
        or no die lay there; and what was read."""
        height, width = picture.shape[:2]
        if not known.reading.dice or _area(window) > MOST_SHARE * height * width:
            return self._read(picture, known.dice, sharp, None), (0, 0, width, height)
        return _put(known.reading, self._read(picture, known.dice, sharp, window), window), window


def _small(picture: Picture) -> Singles:
    """Rows x columns of log brightness, less its local mean over `BROAD_CELLS`."""
    height, width = picture.shape[:2]
    size = (max(1, width // CELL_PX), max(1, height // CELL_PX))
    grey = cv2.cvtColor(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    logs = np.log(grey.astype(np.float32) + 8)
    return np.asarray(logs - cv2.blur(logs, (BROAD_CELLS, BROAD_CELLS)), np.float32)


def _changed(before: Singles, now: Singles) -> NDArray[np.uint8]:
    """1 where a cell and its neighbours differ on average by more than `CHANGED`, else 0."""
    return np.asarray(np.abs(cv2.blur(now - before, (3, 3))) > CHANGED, np.uint8)


def _changes(changed: NDArray[np.uint8]) -> list[Window]:
    """The windows, in pixels, in which cells have changed."""
    _, _, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    return [
        (x * CELL_PX, y * CELL_PX, (x + w) * CELL_PX, (y + h) * CELL_PX)
        for x, y, w, h, cells in stats[1:].tolist()
        if cells >= LEAST_CELLS
    ]


def _window(changes: Sequence[Window], reading: Reading, looks: Sequence[int]) -> Window | None:
    """The window that has to be read again; None where nothing has."""
    edge = _edge(reading)
    parts = [_about(*change, edge) for change in changes]
    for one, often in zip(reading.unsure, looks, strict=True):
        if often < LOOKS:
            parts.append(_about(*one.center_px, *one.center_px, 1.5 * edge))
    if not parts:
        return None
    bodies = [_body(die, edge) for die in reading.dice]
    window = _hull(parts)
    touched = [body for body in bodies if any(_overlap(body, part) for part in parts)]
    others = sorted((body for body in bodies if body not in touched), key=lambda body: _growth(window, body))
    window = _hull([window, *touched, *others[: max(0, NEIGHBOURS - len(touched))]])
    while (wider := _hull([window, *(body for body in bodies if _overlap(window, body))])) != window:
        window = wider
    left, top, right, bottom = window
    return max(0, left), max(0, top), min(reading.width_px, right), min(reading.height_px, bottom)


def _growth(window: Window, body: Window) -> int:
    """By how many square pixels the window would grow to hold the body."""
    return _area(_hull([window, body])) - _area(window)


def _put(reading: Reading, part: Reading, window: Window) -> Reading:
    """The reading with what was read in a window in place of what lay there."""
    left, top = window[:2]

    def to_whole(point: Point) -> Point:
        return round(point[0] + left, 2), round(point[1] + top, 2)

    dice = [die for die in reading.dice if not _inside(die.center_px, window)]
    dice += [die.moved(to_whole) for die in part.dice]
    unsure = [one for one in reading.unsure if not _inside(one.center_px, window)]
    unsure += [one.moved(to_whole) for one in part.unsure]
    return replace(
        reading,
        dice=tuple(sorted(dice, key=lambda die: die.center_px)),
        unsure=tuple(sorted(unsure, key=lambda one: one.center_px)),
    )


def _looks(known: _LastReading, reading: Reading, changes: Sequence[Window], window: Window) -> list[int]:
    """For each unsure one of the new reading, how often it was read since something changed there."""
    edge = _edge(reading)
    before = list(zip(known.reading.unsure, known.looks, strict=True))
    out = []
    for one in reading.unsure:
        near = [often for was, often in before if dist(was.center_px, one.center_px) < edge / 2]
        body = _about(*one.center_px, *one.center_px, edge)
        fresh = any(_overlap(body, change) for change in changes)
        again = int(_inside(one.center_px, window))
        out.append(again if fresh else max(near, default=0) + again)
    return out


def _edge(reading: Reading) -> float:
    """A die's edge in pixels: the median of the dice read, or a guess where none was."""
    edges = [float(np.hypot(*np.subtract(die.corners_px[0], die.corners_px[1]))) for die in reading.dice]
    return float(np.median(edges)) if edges else UNKNOWN_EDGE * reading.width_px


def _body(die: SeenDie, edge: float) -> Window:
    """The window that holds a die with its sides and the beginning of its shadow."""
    x, y = zip(*die.corners_px, strict=True)
    return _about(min(x), min(y), max(x), max(y), 0.4 * edge)


def _about(left: float, top: float, right: float, bottom: float, margin: float) -> Window:
    return int(left - margin), int(top - margin), int(right + margin) + 1, int(bottom + margin) + 1


def _hull(windows: Sequence[Window]) -> Window:
    left, top, right, bottom = zip(*windows, strict=True)
    return min(left), min(top), max(right), max(bottom)


def _overlap(one: Window, other: Window) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _inside(point: Point, window: Window) -> bool:
    return window[0] <= point[0] < window[2] and window[1] <= point[1] < window[3]


def _area(window: Window) -> int:
    return max(0, window[2] - window[0]) * max(0, window[3] - window[1])


def _cells(window: Window) -> tuple[slice, slice]:
    """The cells that lie wholly in the window."""
    left, top, right, bottom = window
    return slice(-(-top // CELL_PX), bottom // CELL_PX), slice(-(-left // CELL_PX), right // CELL_PX)


class TableReader:
    """The reader that a box uses."""

    def __init__(
        self,
        threads: int = 1,
        known: Adapts | None = None,
        bearings: CameraPrior | None = None,
        *,
        mounted: bool = True,
    ) -> None:
        """`known` is what was learnt of the owner's dice; `bearings` hold a calibrated camera's view.

        A camera that is not `mounted` is held in a hand: one picture tells nothing of the next.
        Raises ValueError for fewer than one thread, ModelError where a network is missing or unfit.
        """
        networks = Networks(threads=threads).tried()
        earlier = CameraPoseMemory() if mounted else None
        self._remembering = IncrementalReader(
            Reader(threads, networks, known, bearings=bearings, earlier=earlier).read_each
        )

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """What lies in the camera's next picture (height x width x 3, blue green red); `sharp` is the same
        view in more pixels, where there is one."""
        return judge_throw_confidence(self._remembering.read(picture, dice, sharp))
