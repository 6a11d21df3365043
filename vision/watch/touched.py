"""Which dice a hand touched after they came to rest: they lie elsewhere, are turned, or show another face.

How it works. Dice that lie as they lay are known by place, turn and face (`vision.watch.lain`), here within
`UNTOUCHED`: what two readings of an untouched die differ by. Of the others each is paired with the nearest
that is new, of its own kind, and of its own colour where there is one. What was not read at rest may be
straightened, and what only went was taken up: neither is told. Where no die lies as it lay and one or more
came to lie elsewhere, all were thrown anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from vision.reading import Reading, SeenDie, UnsureDie
from vision.watch.change import camera_moved, edges_between, find_edge, moved_edges
from vision.watch.lain import UNTOUCHED, split_lain

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
