"""Compares two readings: what became of the dice between two rests.

A die is recognised by its kind and face if it lies where it lay or close by, and turned but little. A place
that was read before and is only unsure now (or the other way round) is the same die seen badly.
"""

from math import atan2, degrees, dist
from typing import Literal

import cv2
import numpy as np

from vision.reading import Point, Reading, SeenDie

Became = Literal["same", "nudged", "taken", "other"]

PLACE_EDGES = 0.35
"""A die whose centre moved by less than this, in its own edges, lies where it lay."""
NUDGE_EDGES = 1.0
"""A push by more than this, in edges, is no nudge."""
NUDGE_DEG = 30.0
NUDGED_SHARE = 0.5
"""When more than half of several dice have moved, they were not nudged but picked up and thrown."""
UNKNOWN_EDGE = 0.05
"""A die's edge, as a share of the picture's width, where no die was read."""


def tell_change(before: Reading, after: Reading) -> Became:
    """What happened to the dice. `other`: at least one die shows what no die there showed before."""
    if camera_moved(before, after):
        return "same"
    pairs, gone, come = _pairs(before, after)
    edge = find_edge(before, after)
    old_places = [die.center_px for die in before.dice] + [unsure.center_px for unsure in before.unsure]
    new_unsure = [unsure.center_px for unsure in after.unsure]
    if come or any(not _near(place, old_places, edge) for place in new_unsure):
        return "other"
    if any(not _near(die.center_px, new_unsure, edge) for die in gone):
        return "taken"
    if any(not _near(unsure.center_px, new_unsure, edge) for unsure in before.unsure):
        return "taken"
    pushed = [pair for pair in pairs if moved_edges(*pair) > PLACE_EDGES]
    if not pushed:
        return "same"
    return "other" if len(pairs) > 1 and len(pushed) > NUDGED_SHARE * len(pairs) else "nudged"


def _pairs(
    before: Reading, after: Reading
) -> tuple[list[tuple[SeenDie, SeenDie]], list[SeenDie], list[SeenDie]]:
    """The dice recognised (nearest first, before and after), the dice gone, and the dice that are new."""
    ways = sorted(
        (moved_edges(old, new), i, j)
        for i, old in enumerate(before.dice)
        for j, new in enumerate(after.dice)
        if _alike(old, new) and moved_edges(old, new) <= NUDGE_EDGES
    )
    olds: dict[int, int] = {}
    for _, i, j in ways:
        if i not in olds and j not in olds.values():
            olds[i] = j
    pairs = [(before.dice[i], after.dice[j]) for i, j in olds.items()]
    gone = [die for i, die in enumerate(before.dice) if i not in olds]
    come = [die for j, die in enumerate(after.dice) if j not in olds.values()]
    return pairs, gone, come


def camera_moved(before: Reading, after: Reading, edges: float = PLACE_EDGES, deg: float = NUDGE_DEG) -> bool:
    """Whether all dice (two or more) shifted alike, as no throw and no finger could do it: the camera moved.

    Each one may be off by so many of its edges, and turned by so much.
    """
    if len(before.dice) < 2 or len(before.dice) != len(after.dice) or before.unsure or after.unsure:
        return False
    first = before.dice[0]
    for anchor in after.dice:
        shift = (anchor.center_px[0] - first.center_px[0], anchor.center_px[1] - first.center_px[1])
        if all(
            any(_alike(old, new, deg) and moved_edges(old, new, shift) <= edges for new in after.dice)
            for old in before.dice
        ):
            return True
    return False


def _alike(old: SeenDie, new: SeenDie, deg: float = NUDGE_DEG) -> bool:
    """The same kind and face, hardly turned."""
    return (old.kind, old.value) == (new.kind, new.value) and turn_between_deg(old, new, 90) <= deg


def moved_edges(old: SeenDie, new: SeenDie, shift: Point = (0.0, 0.0)) -> float:
    """How far the die moved, in its own edges, beyond a shift of the whole picture by `shift` pixels."""
    moved = (new.center_px[0] - shift[0], new.center_px[1] - shift[1])
    return edges_between(old.center_px, moved, dist(old.corners_px[0], old.corners_px[1]))


def edges_between(old: Point, new: Point, edge_px: float) -> float:
    """How far two places are apart, in edges of `edge_px` pixels."""
    return dist(old, new) / max(1.0, edge_px)


def turn_between_deg(old: SeenDie, new: SeenDie, period_deg: float) -> float:
    """How far a die turned in the picture, 0 to half of `period_deg`: turned by that much it looks the
    same."""
    turn_deg = abs(_edge_deg(old) - _edge_deg(new)) % period_deg
    return min(turn_deg, period_deg - turn_deg)


def _edge_deg(die: SeenDie) -> float:
    """Which way an edge of the up-face points."""
    (x0, y0), (x1, y1) = die.corners_px[0], die.corners_px[1]
    return degrees(atan2(y1 - y0, x1 - x0))


def find_edge(*readings: Reading) -> float:
    """The mean edge of all dice in pixels, in pictures of one camera; a guess where none was read."""
    edges = [dist(die.corners_px[0], die.corners_px[1]) for reading in readings for die in reading.dice]
    return sum(edges) / len(edges) if edges else UNKNOWN_EDGE * readings[-1].width_px


def find_cover(*readings: Reading) -> float:
    """What the outlines of all dice cover at the mean, in squares of their edges; 1 where none was read."""
    covers = [
        cv2.contourArea(np.asarray(die.corners_px, np.float32)) / dist(*die.corners_px[:2]) ** 2
        for reading in readings
        for die in reading.dice
    ]
    return sum(covers) / len(covers) if covers else 1.0


def _near(place: Point, places: list[Point], edge: float) -> bool:
    """Whether one of `places` is this place, within a nudge."""
    return any(dist(place, other) <= NUDGE_EDGES * edge for other in places)
