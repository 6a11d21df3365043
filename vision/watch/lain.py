"""Which of the things in a picture lie just as they lay in an earlier one of the same camera.

A thrown die may come to lie near where one lay before, but hardly ever within a quarter of its edge, turned
by no more than a few degrees, and with the same face up. What could not be read is known by its place alone.
Where nothing lies but what lay there, some of it pushed a little, all of it lay there
(`vision.watch.change`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import edges_between, find_edge, tell_change, turn_between_deg

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
    if tell_change(before, after) != "other":
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
