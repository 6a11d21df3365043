"""Compares thumbnails: noise, flicker, hands, useless pictures, a moved camera."""

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Picture, Singles
from vision.watch.thumbnail import (
    CELL_PX,
    Thumbnail,
    difference,
    noise_between,
    share_by_cell,
    shift,
    shift_between,
    slope,
    unlike,
)

# Places that never rest: a blinking lamp, a scoreboard's digits, a clock in the picture.
#
# Time is cut into spans of 750 ms. A cell that changed in at least ten of the last sixteen spans, each time
# as one of few cells, is muted: it no longer counts as motion or as another arrangement. No die tumbles or
# spins that long in one place, and a hand changes far more cells at once. When the place has been quiet again
# for a few seconds, it counts again.

SPAN_MS = 750.0
SPANS = 16
RESTLESS = 10
FEW = 0.02
"""The largest share of all cells that a blinking lamp changes."""


class FlickerMask:
    """Remembers for each cell in which of the last spans it changed."""

    def __init__(self) -> None:
        """Knows no picture yet."""
        self._changed: NDArray[np.bool_] = np.zeros((SPANS, 1, 1), dtype=np.bool_)
        self._span = 0
        self._muted: Bools = np.zeros((1, 1), dtype=np.bool_)

    def mute(self, changed: Bools, time_ms: float) -> Bools:
        """The muted cells, now that the cells of `changed` have changed."""
        if changed.shape != self._muted.shape:
            self._changed = np.zeros((SPANS, *changed.shape), dtype=np.bool_)
            self._muted = np.zeros(changed.shape, dtype=np.bool_)
        span = int(time_ms // SPAN_MS)
        if span != self._span:
            for later in range(1, min(SPANS, abs(span - self._span)) + 1):
                self._changed[(self._span + later) % SPANS] = False
            self._span = span
            self._muted = self._changed.sum(axis=0) >= RESTLESS
        if 0 < int((changed & ~self._muted).sum()) <= FEW * changed.size or (changed & self._muted).any():
            self._changed[span % SPANS] |= changed
        return self._muted


LEAST_SHARE = 5e-5
"""The share of the picture that must differ to be a change: 4 of 320 x 240 small pixels, the size of a
pip."""
LEAST_SHARE_HAND_HELD = 1e-3
SCENE_WOBBLE_PX = 1
"""By how many small pixels edges may shift between two rests: somebody may have leant on the table."""
HAND_HELD_WOBBLE_PX = 1
MARGIN = 0.05
"""The share of rows and columns at each border in which changes do not count (for lamps on the box's own
rim)."""
LARGEST_SHIFT = 0.1
"""The largest shift between two pictures of a hand-held camera, as a share of the picture's width; a larger
one is an error of the alignment."""


class Comparer:
    """Tells change from noise; learns the noise and the restless places as it goes."""

    def __init__(self, hand_held: bool) -> None:
        """`hand_held`: align glances before comparing them."""
        self._hand_held = hand_held
        self._noise: float | None = None
        self._unrest = FlickerMask()
        self._muted: Bools | None = None
        self._wobble_px = HAND_HELD_WOBBLE_PX if hand_held else 0
        self._least = LEAST_SHARE_HAND_HELD if hand_held else LEAST_SHARE

    @property
    def noise(self) -> float:
        """One glance's noise in grey levels, as learnt so far."""
        return self._noise or 1.0

    def moved(self, anchor: Thumbnail, seen: Thumbnail, time_ms: float, hand: bool) -> tuple[bool, Singles]:
        """Whether something moved since the anchor, and for each cell the share of it that differs
        sharply."""
        before = self._aligned(anchor, seen)
        noise = noise_between(before, seen)
        if self._noise is None:
            self._noise = noise
        self._noise += (0.3 if noise < self._noise else 0.1) * (noise - self._noise)
        sharp = share_by_cell(difference(before, seen, self._noise, self._wobble_px), seen)
        if not self._hand_held:
            nothing = np.zeros(sharp.shape, dtype=np.bool_)
            self._muted = self._unrest.mute(nothing if hand else sharp > 0, time_ms)
            sharp = self._counted(sharp)
        return self.is_change(sharp), sharp

    def same(self, earlier: Thumbnail, seen: Thumbnail) -> bool:
        """Whether two glances show the same, noise and restless places apart."""
        before = self._aligned(earlier, seen)
        apart = difference(before, seen, self.noise, self._wobble_px)
        return not self.is_change(self._counted(share_by_cell(apart, seen)))

    def against_table(self, table: Thumbnail, seen: Thumbnail, rest: bool) -> tuple[Thumbnail, Singles]:
        """The table aligned with the glance, and for each cell the share that differs.

        Between two rests, small shifts of edges are no difference.
        """
        before = self._aligned(table, seen)
        wobble_px = self._wobble_px + (SCENE_WOBBLE_PX if rest else 0)
        sharp = share_by_cell(unlike(before, seen, self.noise, wobble_px), seen)
        return before, self._counted(sharp)

    def is_change(self, sharp: Singles) -> bool:
        """Whether so much differs inside the margin that it cannot be chance."""
        rows, columns = (_margin(side) for side in sharp.shape)
        inner = sharp[rows : sharp.shape[0] - rows, columns : sharp.shape[1] - columns]
        return float(inner.sum()) >= self._least * sharp.size

    def was_pushed(self, table: Thumbnail, seen: Thumbnail) -> bool:
        """Whether the camera was pushed: shifting the whole table removes all differences."""
        if min(seen.log.shape[:2]) < 2 * CELL_PX:
            return False
        before = shift(table, *shift_between(table, seen))
        apart = difference(before, seen, self.noise, self._wobble_px + SCENE_WOBBLE_PX)
        return not self.is_change(self._counted(share_by_cell(apart, seen)))

    def _counted(self, sharp: Singles) -> Singles:
        """The cells' shares, with those of restless places set to 0."""
        if self._muted is None or self._muted.shape != sharp.shape or not self._muted.any():
            return sharp
        return np.where(self._muted, np.float32(0), sharp)

    def _aligned(self, before: Thumbnail, seen: Thumbnail) -> Thumbnail:
        """`before` as the moved camera would have seen it."""
        if not self._hand_held or min(seen.log.shape[:2]) < 2 * CELL_PX:
            return before
        right, down = shift_between(before, seen)
        width = seen.log.shape[1]
        if max(abs(right), abs(down)) > LARGEST_SHIFT * width:
            return before
        return shift(before, right, down)


def _margin(side: int) -> int:
    """The number of rows or columns of cells in the margin; 0 in a very small picture."""
    return max(1, round(MARGIN * side)) if side >= 8 else 0


# Names pictures that are no use: black, frozen, over-exposed.

Trouble = Literal["", "black", "frozen", "over-exposed"]
BLACK_MEAN = 8.0
BLACK_GREY = 30
"""If one pixel in a hundred is above this grey level, there is something to see."""
GLARE_GREY = 250
GLARE_SHARE = 0.6


class Troubles:
    """Says of each glance what is wrong with it. Sensor noise makes live pictures differ, so equal ones are
    frozen."""

    def __init__(self, frozen_after_ms: float | None) -> None:
        """`frozen_after_ms` is how long equal pictures are accepted; None: for ever (a film, a folder)."""
        self._frozen_after_ms = frozen_after_ms
        self._last: Picture | None = None
        self._same_since_ms = 0.0

    def of(self, seen: Thumbnail, time_ms: float) -> Trouble:
        """The worst trouble of the newest glance, or ""."""
        frozen = self._frozen(seen.small, time_ms)
        if seen.mean < BLACK_MEAN and float((seen.small > BLACK_GREY).mean()) < 0.01:
            return "black"
        if frozen:
            return "frozen"
        if seen.mean < GLARE_GREY * GLARE_SHARE:
            return ""
        return "over-exposed" if float((seen.small >= GLARE_GREY).mean()) > GLARE_SHARE else ""

    def _frozen(self, small: Picture, time_ms: float) -> bool:
        """Whether the picture has been the same to the bit for too long."""
        if self._frozen_after_ms is None:
            return False
        same = self._last is not None and np.array_equal(self._last, small)
        self._last = small
        if not same:
            self._same_since_ms = time_ms
        return time_ms - self._same_since_ms >= self._frozen_after_ms


# Finds hands: large things that reach into the picture from its border.
#
# Theory of operation
# - Against a known table (the last picture at rest without a hand), each 8x8 cell is tested: is its colour
#   another, is it brighter, or darker with an outline? A shadow is darker, keeps its colour and has soft
#   edges: it is no hand. A glove, a sleeve or skin has an outline, and that outline counts whatever its
#   colour.
# - Cells that belong together form a thing. It is a hand when it touches the border and is either large or
#   reaches far in; dice are neither.
# - Before any table is known, things are sought that stand out from the table's commonest colour and come in
#   from one side or a corner without filling a side (a tray's rim or a table's edge does). That is only a
#   suspicion, and the watch gives it up when nothing about it moves for a while.
# - A thing that is too broad for a hand (it fills a side, reaches across the picture, covers half of it) is
#   one only as long as it moves: a mat that is laid down.

HUE_UNITS = 14.0
"""A colour that is off by this many log units (16 per cent between channels) is another thing's, not a
shadow's."""
HUE_DOUBT_GREY = 4.0
BRIGHT_UNITS = 25.0
DARK_UNITS = 25.0
OUTLINE = 0.08
"""The share of a cell that must differ sharply for an outline to run through it."""
OUTLINED = 0.15
"""The share of a thing's cells that an outline must cross; light and shade have none."""
LARGE = 0.035
"""The share of the picture from which a thing is large."""
SMALLEST = 0.012
REACH = 0.2
"""The share of the picture's shorter side from which a thing reaches far in."""
SUSPECT_HUE = 24.0
SUSPECT_LIGHT = 45.0
LARGEST = 0.45
"""The largest share of the picture that hands and arms cover."""
SIDE_SHARE = 0.7
"""The largest share of a side of the picture through which they come in."""


@dataclass(frozen=True, slots=True, eq=False)
class Thing:
    """Cells that belong together and touch the border."""

    cells: Bools
    share: float
    """The share of the picture that it covers, 0 to 1."""
    reach: float
    """How far it comes in from the border, by the picture's shorter side."""

    @property
    def is_broad(self) -> bool:
        """Whether it is too broad for a hand and its arm."""
        top, bottom, left, right = (
            float(side.mean())
            for side in (self.cells[0], self.cells[-1], self.cells[:, 0], self.cells[:, -1])
        )
        across = (top > 0 and bottom > 0) or (left > 0 and right > 0)
        return across or max(top, bottom, left, right) > SIDE_SHARE or self.share > LARGEST

    @property
    def is_hand(self) -> bool:
        """Whether it is large, or reaches far in and is not very small."""
        return self.share >= LARGE or (self.share >= SMALLEST and self.reach >= REACH)


def find_hands_on_table(table: Thumbnail, seen: Thumbnail, sharp: Singles, known: Bools | None) -> Bools:
    """The cells of all hands, from the table without them and each cell's share that differs sharply.

    Cells in `known` do not count: what looked like a hand there was taken for table.
    """
    change = _without_median(seen.cells - table.cells)
    light = change.mean(axis=2)
    hue = _hue(change, light, seen)
    outline = sharp >= OUTLINE
    near = cv2.dilate(outline.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    other = (hue > HUE_UNITS) | (light > BRIGHT_UNITS) | ((light < -DARK_UNITS) & near) | outline
    if known is not None:
        other &= ~known
    found = np.zeros(other.shape, dtype=np.bool_)
    for thing in _from_the_border(_close(other)):
        outlined = float((outline & thing.cells).sum()) / max(1, int(thing.cells.sum()))
        if thing.is_hand and outlined >= OUTLINED:
            found |= thing.cells
    return found


def find_moving_hands(sharp: Singles) -> Bools:
    """The cells of things that move and reach in from the border; needs no known table."""
    found = np.zeros(sharp.shape, dtype=np.bool_)
    for thing in _from_the_border(_close(sharp >= OUTLINE)):
        if thing.is_hand:
            found |= thing.cells
    return found


def suspect_hands(seen: Thumbnail, known: Bools | None) -> Bools:
    """The cells of what may be a hand when no table is known yet; cells in `known` do not count."""
    change = _without_median(seen.cells)
    light = change.mean(axis=2)
    hue = _hue(change, light, seen)
    other = (hue > SUSPECT_HUE) | (np.abs(light) > SUSPECT_LIGHT)
    if known is not None:
        other &= ~known
    found = np.zeros(other.shape, dtype=np.bool_)
    for thing in _from_the_border(_close(other)):
        if thing.is_hand and not thing.is_broad:
            found |= thing.cells
    return found


def only_broad(hands: Bools) -> bool:
    """Whether nothing among these cells, all of hands, is slender enough for one that keeps still."""
    return all(thing.is_broad for thing in _from_the_border(hands))


def _without_median(cells: Singles) -> Singles:
    """Each colour less its median over all cells."""
    return np.asarray(cells - np.median(cells.reshape(-1, 3), axis=0), dtype=np.float32)


def _hue(change: Singles, light: Singles, seen: Thumbnail) -> Singles:
    """How far each cell's colour changed, its brightness apart, in log units; a few grey levels in a dark
    channel do not count."""
    doubt = HUE_DOUBT_GREY * slope(seen.cells)
    return np.asarray((np.abs(change - light[..., None]) - doubt).max(axis=2), dtype=np.float32)


def _close(cells: Bools) -> Bools:
    """The cells, with gaps of one cell closed."""
    kernel = np.ones((3, 3), np.uint8)
    return np.asarray(cv2.morphologyEx(cells.astype(np.uint8), cv2.MORPH_CLOSE, kernel) > 0, dtype=np.bool_)


def _from_the_border(cells: Bools) -> list[Thing]:
    """The connected things that touch the picture's border."""
    if not cells.any():
        return []
    count, label = cv2.connectedComponents(cells.astype(np.uint8), connectivity=8)
    labels: NDArray[np.int32] = np.asarray(label, dtype=np.int32)
    border = np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1]))
    rows, columns = cells.shape
    row, column = np.indices(cells.shape)
    depth = np.minimum(np.minimum(row, rows - 1 - row), np.minimum(column, columns - 1 - column)) + 1
    things = []
    for number in range(1, count):
        if (border == number).any():
            own = labels == number
            things.append(Thing(own, float(own.mean()), float(depth[own].max()) / min(rows, columns)))
    return things
