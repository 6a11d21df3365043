"""Compares two readings: which dice stayed, moved, came or were touched.

A die is recognised by its kind and face if it lies where it lay or close by, and turned but little. A place
that was read before and is only unsure now (or the other way round) is the same die seen badly.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import atan2, degrees, dist
from typing import Literal, TypeVar

import cv2
import numpy as np

from vision.reading import Point, Reading, SeenDie, UnsureDie

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


def compare_readings(before: Reading, after: Reading) -> Became:
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


# Which of the things in a picture lie just as they lay in an earlier one of the same camera.
#
# A thrown die may come to lie near where one lay before, but hardly ever within a quarter of its edge, turned
# by no more than a few degrees, and with the same face up. What could not be read is known by its place
# alone. Where nothing lies but what lay there, some of it pushed a little, all of it lay there
# (`vision.watch.change`).

UNREAD_EDGES = 0.5
"""The same as `Scatter.edges` for something that was not read: its middle is known less well."""

Thing = TypeVar("Thing", SeenDie, UnsureDie)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scatter:
    """By how much two readings of an untouched die may differ."""

    edges: float
    """How far apart its middles are, in a die's edges."""
    deg: float
    """How far it seems turned."""


LAIN = Scatter(edges=0.25, deg=12.0)
"""Wide, for dice that count no more: one that wrongly seemed thrown would count again."""

UNTOUCHED = Scatter(edges=0.15, deg=8.0)
"""On the simulated table, hands in the picture between two readings moved no untouched die of 414 by more
than 0.05 edges and 2.2 degrees; three times that leaves room for poorer pictures."""


def keep_thrown(before: Reading, after: Reading) -> Reading:
    """`after` without what lay there before, each thing of `before` found again at most once."""
    if compare_readings(before, after) != "other":
        return replace(after, dice=(), unsure=())
    return split_lain(before, after, LAIN)[0]


def keep_moved(before: Reading, after: Reading) -> Reading:
    """`after` without what lies so exactly as it lay before that nothing can have moved it."""
    return split_lain(before, after, UNTOUCHED)[0]


def split_lain(
    before: Reading, after: Reading, scatter: Scatter
) -> tuple[Reading, tuple[SeenDie | UnsureDie, ...]]:
    """`after` without what lies as it lay, and what lay there and was not found again."""
    lies_as = partial(_lies_as, edge_px=find_edge(before, after), scatter=scatter)
    dice, left = _take_away(after.dice, (*before.dice, *before.unsure), lies_as)
    unsure, left = _take_away(after.unsure, left, lies_as)
    return replace(after, dice=dice, unsure=unsure), left


def _take_away(
    things: Sequence[Thing],
    lain: Sequence[SeenDie | UnsureDie],
    lies_as: Callable[[SeenDie | UnsureDie, SeenDie | UnsureDie], bool],
) -> tuple[tuple[Thing, ...], tuple[SeenDie | UnsureDie, ...]]:
    """The things that are not among those that lay there; and those that were not found again."""
    left = list(lain)
    thrown: list[Thing] = []
    for thing in things:
        same = next((old for old in left if lies_as(old, thing)), None)
        if same is None:
            thrown.append(thing)
        else:
            left.remove(same)
    return tuple(thrown), tuple(left)


def _lies_as(old: SeenDie | UnsureDie, new: SeenDie | UnsureDie, edge_px: float, scatter: Scatter) -> bool:
    """Whether this is the same thing, and was not touched."""
    away = edges_between(old.center_px, new.center_px, edge_px)
    if not (isinstance(old, SeenDie) and isinstance(new, SeenDie)):
        return away <= UNREAD_EDGES
    sides = len(new.corners_px)
    turned = turn_between_deg(old, new, 360 / sides) > scatter.deg
    return old.die == new.die and away <= scatter.edges and not turned and len(old.corners_px) == sides


# Which dice a hand touched after they came to rest: they lie elsewhere, are turned, or show another face.
#
# How it works. Dice that lie as they lay are known by place, turn and face (`vision.watch.change`), here
# within `UNTOUCHED`: what two readings of an untouched die differ by. Of the others each is paired with the
# nearest that is new, of its own kind, and of its own colour where there is one. What was not read at rest
# may be straightened, and what only went was taken up: neither is told. Where no die lies as it lay and one
# or more came to lie elsewhere, all were thrown anew.

IN_PLACE_EDGES = 1.0
"""A die that was pushed, or turned where it lay, is found within so many of its edges."""
OTHER_COLOR_EDGES = 3.0
"""How much farther away a new die of another colour seems, in edges."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TouchedDie:
    """A die that no longer lies as it came to rest."""

    rested: SeenDie
    now: SeenDie

    @property
    def in_place(self) -> bool:
        """Whether it lies about where it lay."""
        return moved_edges(self.rested, self.now) <= IN_PLACE_EDGES

    @property
    def turned(self) -> bool:
        """Whether it shows another face."""
        return self.rested.value != self.now.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Handled:
    """What became of dice at rest."""

    touched: tuple[TouchedDie, ...] = ()
    untouched: int = 0
    """How many of them lie as they lay."""


def find_touched(rested: Reading, now: Reading, among: Sequence[SeenDie]) -> Handled:
    """Which dice of `rested` were touched since, left to right; only those `among` them are asked about.

    None were where all of these were thrown anew, or where the camera moved. Both are readings of one camera,
    in pixels.
    """
    if camera_moved(rested, now, UNTOUCHED.edges, UNTOUCHED.deg):
        return Handled(untouched=len(among))
    new, left = split_lain(rested, now, UNTOUCHED)
    untouched = sum(die not in left for die in among)
    pairs = _pair(left, (*new.dice, *new.unsure), find_edge(rested, now))
    touched = [one for one in pairs if one.rested in among]
    if not untouched and not all(one.in_place for one in touched):
        return Handled()
    return Handled(touched=tuple(sorted(touched, key=lambda one: one.rested.center_px)), untouched=untouched)


def _pair(
    old: tuple[SeenDie | UnsureDie, ...], new: tuple[SeenDie | UnsureDie, ...], edge_px: float
) -> list[TouchedDie]:
    """Which of the new things each of the old ones became, the nearest first; only those that were read both
    times."""
    ways = sorted(
        (_way_edges(was, one, edge_px), i, j)
        for i, was in enumerate(old)
        for j, one in enumerate(new)
        if not (isinstance(was, SeenDie) and isinstance(one, SeenDie)) or was.kind == one.kind
    )
    olds, news, touched = set[int](), set[int](), list[TouchedDie]()
    for _, i, j in ways:
        if i in olds or j in news:
            continue
        olds.add(i)
        news.add(j)
        was, one = old[i], new[j]
        if isinstance(was, SeenDie) and isinstance(one, SeenDie):
            touched.append(TouchedDie(rested=was, now=one))
    return touched


def _way_edges(was: SeenDie | UnsureDie, one: SeenDie | UnsureDie, edge_px: float) -> float:
    """How far it would have moved, in edges; farther where the colour is another."""
    other = isinstance(was, SeenDie) and isinstance(one, SeenDie) and was.color != one.color
    return edges_between(was.center_px, one.center_px, edge_px) + OTHER_COLOR_EDGES * other
