"""Which of the things in a picture lie just as they lay in an earlier one of the same camera.

A thrown die may come to lie near where one lay before, but hardly ever within a quarter of its edge, turned
by no more than a few degrees, and with the same face up. What could not be read is known by its place alone.
Where nothing lies but what lay there, some of it pushed a little, all of it lay there
(`vision.watch.change`).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import edges_between, find_edge, tell_change, turn_between_deg

LAIN_EDGES = 0.25
"""A die whose middle moved by less than this, in its own edges, was not touched."""
LAIN_DEG = 12.0
"""The largest turn that two readings of an untouched die differ by."""
UNREAD_EDGES = 0.5
"""The same as `LAIN_EDGES` for something that was not read: its middle is known less well."""

Thing = TypeVar("Thing", SeenDie, UnsureDie)


def keep_thrown(before: Reading, after: Reading) -> Reading:
    """`after` without what lay there before, each thing of `before` found again at most once."""
    if tell_change(before, after) != "other":
        return replace(after, dice=(), unsure=())
    edge_px = find_edge(before, after)
    dice, left = _take_away(after.dice, (*before.dice, *before.unsure), edge_px)
    unsure, _ = _take_away(after.unsure, left, edge_px)
    return replace(after, dice=dice, unsure=unsure)


def _take_away(
    things: Sequence[Thing], lain: Sequence[SeenDie | UnsureDie], edge_px: float
) -> tuple[tuple[Thing, ...], list[SeenDie | UnsureDie]]:
    """The things that are not among those that lay there; and those that were not found again."""
    left = list(lain)
    thrown: list[Thing] = []
    for thing in things:
        same = next((old for old in left if _lies_as(old, thing, edge_px)), None)
        if same is None:
            thrown.append(thing)
        else:
            left.remove(same)
    return tuple(thrown), left


def _lies_as(old: SeenDie | UnsureDie, new: SeenDie | UnsureDie, edge_px: float) -> bool:
    """Whether this is the same thing, and was not touched."""
    away = edges_between(old.center_px, new.center_px, edge_px)
    if not (isinstance(old, SeenDie) and isinstance(new, SeenDie)):
        return away <= UNREAD_EDGES
    sides = len(new.corners_px)
    turned = turn_between_deg(old, new, 360 / sides) > LAIN_DEG
    return old.die == new.die and away <= LAIN_EDGES and not turned and len(old.corners_px) == sides
