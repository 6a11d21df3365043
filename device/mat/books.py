"""Where ZONK's and Ten Thousand's rulebooks know the dice of a turn to lie, place by place."""

from collections import Counter
from collections.abc import Mapping

from device.mat.set_aside import Book, Expected, Free, Played
from engine.dice import Die
from engine.events import Pocket, Rolled
from engine.game import Position
from engine.ten_thousand import TenThousandPosition
from engine.ten_thousand.combos import DICE, legal_keeps
from engine.zonk import ZonkPosition, legal_pocketings
from engine.zonk.state import kinds_of


class ZonkBook:
    """Each cast has a pocket, counted from the last cast of all dice: a hot cast empties them."""

    def expected(self, start: Position, played: Played) -> Expected | None:
        """Where dice should lie; None while no cast lies there."""
        now = _last(start, played)
        if not isinstance(now, ZonkPosition) or not now.slots or now.fated:
            return None
        first = first_pocket(played)
        aside = {
            number: Counter(slot.values)
            for number, slot in enumerate(now.slots[first:], start=1)
            if slot.values
        }
        current = len(now.slots) - first
        wrong = f"This is cast {current}: its dice go into pocket {current} (rule 4b)."
        return Expected(free=Counter(now.cast), aside=aside, current=current, wrong=wrong, first=first)

    def set_aside(self, position: Position, dice: Free) -> Pocket:
        """The pocketing of just these dice; where it is none, all of them as one combo, to be refused."""
        assert isinstance(position, ZonkPosition)  # noqa: S101 - for the type checker: the match's own rulebook
        for each in legal_pocketings(position.cast, position.rules):
            if Counter(each.dice) == dice:
                return Pocket(combos=each.combos)
        return Pocket(combos=(_sorted(dice),))


class TenThousandBook:
    """One place for all dice of the turn, emptied when hot dice are rolled."""

    def expected(self, start: Position, played: Played) -> Expected | None:
        """Where dice should lie; None while no roll of this turn lies there."""
        now = _last(start, played)
        if not isinstance(now, TenThousandPosition) or now.phase not in {"roll", "keep"}:
            return None
        aside: Counter[int] = Counter()
        free: Free = Counter()
        before = start
        for event, after in played:
            assert isinstance(before, TenThousandPosition)  # noqa: S101 - for the type checker
            assert isinstance(after, TenThousandPosition)  # noqa: S101
            if after.turn != before.turn or before.phase == "roll-off":
                aside, free = Counter(), Counter()
            match event:
                case Rolled() if after.roll:
                    if before.left == DICE and not before.roll:
                        aside = Counter()
                    aside += _implied(before, len(event.dice))
                    free = Counter(event.dice)
                case Pocket(combos=combos):
                    dice = Counter(die for combo in combos for die in combo)
                    aside += Counter(die.value for die in dice.elements() if isinstance(die.value, int))
                    free = free - dice
                case _:
                    pass
            before = after
        if not aside and not free:
            return None
        wrong = "Dice are set aside in one place (rule 5)."
        return Expected(free=free, aside={1: aside}, current=1, wrong=wrong)

    def set_aside(self, position: Position, dice: Free) -> Pocket:  # noqa: ARG002 - one protocol for all games
        """The set-aside of these dice; the rulebook makes the most of them by itself."""
        return Pocket(combos=(_sorted(dice),))


BOOKS: Mapping[str, Book] = {"zonk": ZonkBook(), "ten-thousand": TenThousandBook()}
"""The games in which dice are set aside, by name."""


def first_pocket(played: Played) -> int:
    """The slot, from 0, whose dice lie in pocket 1: that of the turn's last cast of all dice."""
    for event, after in reversed(played):
        assert isinstance(after, ZonkPosition)  # noqa: S101 - for the type checker
        if isinstance(event, Rolled) and kinds_of(event.dice) == after.dice:
            return max(0, len(after.slots) - 1)
    return 0


def _implied(before: TenThousandPosition, rolled: int) -> Counter[int]:
    """Rule 5c: what rolling fewer dice said to be set aside."""
    if not before.roll:
        return Counter()
    aside = len(before.roll) - rolled
    keeps = legal_keeps(before.roll, before.agreed.combos)
    return Counter(next((keep.dice for keep in keeps if len(keep.dice) == aside), ()))


def _last(start: Position, played: Played) -> Position:
    return played[-1][1] if played else start


def _sorted(dice: Free) -> tuple[Die, ...]:
    return tuple(sorted(dice.elements(), key=lambda die: (die.kind, str(die.value))))
