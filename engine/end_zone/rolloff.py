"""One die each, until it is clear who comes first: for the order (rule 2) and on ties (rule 7).

Sides stand in groups, the best group first; within a group nobody is ahead yet. A group that must still be
decided rolls one die each, is parted by what they show, and rolls again where they tie.
"""

from dataclasses import dataclass
from typing import Literal

Need = Literal["order", "best", "two"]
"""What must be clear: everybody's place; the first place; the first two (King, rule 70)."""


@dataclass(frozen=True, slots=True)
class RollOff:
    """A roll-off that is not decided yet."""

    groups: tuple[tuple[int, ...], ...]
    shown: tuple[int, ...] = ()
    """What the first of the rolling group have rolled so far."""

    def rolling(self, need: Need) -> int | None:
        """The place of the group that rolls; None when all is clear."""
        if need == "best":
            places = [0]
        elif need == "two":
            places = [0, 1] if len(self.groups[0]) == 1 else [0]
        else:
            places = list(range(len(self.groups)))
        return next((place for place in places if len(self.groups[place]) > 1), None)

    def next_side(self, need: Need) -> int | None:
        """Who rolls now."""
        place = self.rolling(need)
        return None if place is None else self.groups[place][len(self.shown)]

    def after(self, value: int, need: Need, *, highest: bool) -> "RollOff":
        """The roll-off after the next die; `highest`: high dice come first."""
        place = self.rolling(need)
        if place is None:
            return self
        group, shown = self.groups[place], (*self.shown, value)
        if len(shown) < len(group):
            return RollOff(self.groups, shown)
        return RollOff((*self.groups[:place], *_parted(group, shown, highest), *self.groups[place + 1 :]))


def _parted(group: tuple[int, ...], shown: tuple[int, ...], highest: bool) -> tuple[tuple[int, ...], ...]:
    """The group by what each rolled; who rolled the same stay together, in their order."""
    values = sorted(set(shown), reverse=highest)
    rolls = list(zip(group, shown, strict=True))
    return tuple(tuple(side for side, die in rolls if die == value) for value in values)
