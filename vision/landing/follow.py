"""Which die is which from throw to throw: what stayed, what the new die pushed, what is gone.

How it works. A die that lies where one lay, within the errors of both measurements, stayed. What is left over
on both sides is matched by colour, by edge length (real dice differ by more than the measurement's error)
and, weakly, by how far it would have moved. Every way to match is weighed; when the best is not clearly the
best, that is said, never guessed.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import permutations
from typing import Literal

from engine.wording import phrase
from vision.measured import MeasuredDie

Fate = Literal["new", "stayed", "moved"]

STILL_MM = 0.25
"""A die that moved less than this counts as unmoved: a table is knocked, a sheet gives."""
SPREAD = 4.0
"""By how many standard deviations two measurements of the same die may differ."""
FAR_MM = 300.0
"""A push this far costs as much as edges that differ by one standard deviation: dice roll on, so distance
says little."""
CLEARLY = 9.0
"""How much worse the next best match must be, in twice the log of the likelihood ratio: odds of ninety to
one."""
MOST_LOOSE = 6
"""The most dice that may have changed places between two rests; with more, people sort them out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What became of the dice between two times at rest."""

    fates: tuple[Fate, ...]
    """What became of each die that lies there now, in the given order."""
    was: tuple[int | None, ...]
    """For each of these, the index of the die that it was before; None for a new one."""
    gone: tuple[int, ...]
    """Indices of the dice that lay there before and are gone."""
    unsure: str
    """A sentence that says why somebody should look; empty when only one story fits."""


def follow_dice(
    before: Sequence[MeasuredDie], after: Sequence[MeasuredDie], *, thrown_color: str = ""
) -> Change:
    """Match the dice that lay there before a throw with those that lie there after it.

    `thrown_color` is the colour of the die that was thrown, where players have colours of their own; a die of
    another colour is then not new.
    """
    stayed = _stayed(before, after)
    loose_before = [i for i in range(len(before)) if i not in stayed]
    taken = set(stayed.values())
    loose_after = [j for j in range(len(after)) if j not in taken]
    unsure = _turned_over(before, after, stayed)
    if max(len(loose_before), len(loose_after)) > MOST_LOOSE:
        moved: dict[int, int] = {}
        unsure = unsure or phrase("Many dice lie elsewhere than before. Say which is which.")
    else:
        moved, rival = _matched(before, after, loose_before, loose_after, thrown_color)
        unsure = unsure or rival
    pairs = {j: i for i, j in (stayed | moved).items()}
    fates: dict[int, Fate] = dict.fromkeys(moved.values(), "moved")
    fates.update(dict.fromkeys(taken, "stayed"))
    return Change(
        fates=tuple(fates.get(j, "new") for j in range(len(after))),
        was=tuple(pairs.get(j) for j in range(len(after))),
        gone=tuple(i for i in loose_before if i not in moved),
        unsure=unsure,
    )


def _apart_mm(one: MeasuredDie, other: MeasuredDie) -> float:
    return math.dist(one.center_mm, other.center_mm)


def _stayed(before: Sequence[MeasuredDie], after: Sequence[MeasuredDie]) -> dict[int, int]:
    """Pairs of indices (before to after) of the dice that lie where one lay, nearest pairs first."""
    near = sorted(
        (_apart_mm(old, new), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(after)
        if old.color == new.color
        and _apart_mm(old, new) <= max(STILL_MM, SPREAD * math.hypot(old.sigma_mm, new.sigma_mm))
    )
    found: dict[int, int] = {}
    for _, i, j in near:
        if i not in found and j not in found.values():
            found[i] = j
    return found


def _turned_over(before: Sequence[MeasuredDie], after: Sequence[MeasuredDie], stayed: dict[int, int]) -> str:
    """A sentence where a die stayed and shows another number: only a hand or a misreading does that. Else
    empty."""
    for i, j in stayed.items():
        was, now = before[i].value, after[j].value
        if was is not None and now is not None and was != now:
            return phrase(
                "A {color} die that did not move showed {was} and now shows {now}. Look at it.",
                color=phrase(before[i].color),
                was=was,
                now=now,
            )
    return ""


def _matched(
    before: Sequence[MeasuredDie],
    after: Sequence[MeasuredDie],
    loose_before: Sequence[int],
    loose_after: Sequence[int],
    thrown_color: str,
) -> tuple[dict[int, int], str]:
    """Pairs of indices (before to after) of the dice that moved, and a sentence where another match is as
    good.

    As many dice as possible are taken for moved ones rather than for gone and new ones: dice do not vanish.
    """
    weighed = sorted(
        (
            (_missing(pairs, loose_before), _cost(pairs, before, after, loose_after, thrown_color), pairs)
            for pairs in _ways(loose_before, loose_after, before, after)
        ),
        key=lambda way: way[:2],
    )
    missing, cost, best = weighed[0]
    if len(weighed) > 1 and weighed[1][0] == missing and weighed[1][1] - cost < CLEARLY:
        colors = sorted({before[i].color for i in loose_before})
        return best, phrase(
            "Which of the {colors} dice was pushed and which is new cannot be told. Look.",
            colors=reduce(_joined, [phrase(color) for color in colors]),
        )
    return best, ""


def _joined(names: str, last: str) -> str:
    return phrase("{names} and {last}", names=names, last=last)


def _missing(pairs: dict[int, int], loose_before: Sequence[int]) -> int:
    return len(loose_before) - len(pairs)


def _ways(
    loose_before: Sequence[int],
    loose_after: Sequence[int],
    before: Sequence[MeasuredDie],
    after: Sequence[MeasuredDie],
) -> Iterator[dict[int, int]]:
    """Every way to match loose dice of like colours; each die moved to one place or is gone."""
    seats: list[int | None] = [*loose_after, *(None for _ in loose_before)]
    told: set[tuple[int | None, ...]] = set()
    for chosen in permutations(seats, len(loose_before)):
        if chosen in told:
            continue
        told.add(chosen)
        pairs = {i: j for i, j in zip(loose_before, chosen, strict=True) if j is not None}
        if all(before[i].color == after[j].color for i, j in pairs.items()):
            yield pairs


def _cost(
    pairs: dict[int, int],
    before: Sequence[MeasuredDie],
    after: Sequence[MeasuredDie],
    loose_after: Sequence[int],
    thrown_color: str,
) -> float:
    """Twice the negative log likelihood of a way to match, up to a constant."""
    cost = 0.0
    for i, j in pairs.items():
        spread = math.sqrt(before[i].covariance[3][3] + after[j].covariance[3][3])
        cost += ((before[i].edge_mm - after[j].edge_mm) / max(spread, 0.01)) ** 2
        cost += (_apart_mm(before[i], after[j]) / FAR_MM) ** 2
    if thrown_color:
        new = [j for j in loose_after if j not in pairs.values()]
        cost += 1000.0 * sum(after[j].color != thrown_color for j in new)
    return cost
