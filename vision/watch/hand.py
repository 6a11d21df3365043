"""Finds hands: large things that reach into the picture from its border.

Theory of operation
- Against a known table (the last picture at rest without a hand), each 8x8 cell is tested: is its colour
  another, is it brighter, or darker with an outline? A shadow is darker, keeps its colour and has soft edges:
  it is no hand. A glove, a sleeve or skin has an outline, and that outline counts whatever its colour.
- Cells that belong together form a thing. It is a hand when it touches the border and is either large or
  reaches far in; dice are neither.
- Before any table is known, things are sought that stand out from the table's commonest colour and come in
  from one side or a corner without filling a side (a tray's rim or a table's edge does). That is only a
  suspicion, and the watch gives it up when nothing about it moves for a while.
- A thing that is too broad for a hand (it fills a side, reaches across the picture, covers half of it) is one
  only as long as it moves: a mat that is laid down.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Singles
from vision.watch.glance import Glance, slope

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


def find_hands_on_table(table: Glance, seen: Glance, sharp: Singles, known: Bools | None) -> Bools:
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


def suspect_hands(seen: Glance, known: Bools | None) -> Bools:
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


def _hue(change: Singles, light: Singles, seen: Glance) -> Singles:
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
