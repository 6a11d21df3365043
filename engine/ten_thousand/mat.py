"""What a mat means in Ten Thousand: one place for all dice of the turn that were set aside (rule 5).

Hot dice empty it when all six are rolled again (rule 7). Rolling fewer dice says which were set aside, moved
or not (rule 5c). Rule numbers are those of `engine.ten_thousand`.
"""

from collections import Counter

from engine.events import Pocket, Rolled
from engine.game import Played, Position
from engine.mat import Dice, Expected
from engine.set_aside import SetAside, one_combo
from engine.ten_thousand.line import TenThousandState
from engine.wording import phrase


class OnePlace(SetAside):
    """The place of all dice of the turn."""

    def expect(self, start: Position, played: Played) -> Expected | None:
        """Where the dice of the turn should lie; None while no roll of it lies there."""
        now = _ten_thousand(played[-1][1] if played else start)
        if now.phase not in {"roll", "keep"}:
            return None
        aside: Counter[int] = Counter()
        free: Dice = Counter()
        left: Counter[int] = Counter()
        """The dice of a bank that may be taken over: they stay set aside (rule 8d)."""
        before = _ten_thousand(start)
        for event, position in played:
            after = _ten_thousand(position)
            if after.turn != before.turn or before.phase == "roll-off":
                left = _set_aside_by_bank(before, aside) if after.offer else Counter[int]()
                aside, free = Counter(), Counter()
            match event:
                case Rolled() if after.roll:
                    if before.offer and after.left < after.agreed.dice:
                        aside = left
                    aside += _implied(before, len(event.dice))
                    if after.left == after.agreed.dice:
                        aside = Counter()
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
        wrong = phrase("Dice are set aside in one place (rule 5).")
        return Expected(free=free, aside={1: aside}, current=1, wrong=wrong)

    def pocketing(self, position: Position, dice: Dice) -> Pocket:  # noqa: ARG002 - all games say it alike
        """The set-aside of these dice; the rulebook makes the most of them by itself (rule 5a)."""
        return one_combo(dice)


def _implied(before: TenThousandState, rolled: int) -> Counter[int]:
    """Rule 5c: what rolling fewer dice said to be set aside."""
    keep = before.implied_keep(rolled)
    return Counter(keep.dice if keep else ())


def _set_aside_by_bank(before: TenThousandState, aside: Counter[int]) -> Counter[int]:
    """Rule 8: what lies set aside once the best of the dice that lie there was banked, too."""
    return aside + Counter(before.keeps[0].dice if before.keeps else ())


def _ten_thousand(position: Position) -> TenThousandState:
    """The position as Ten Thousand's own; raises `TypeError` for another game's."""
    if not isinstance(position, TenThousandState):
        raise TypeError(f"this is Ten Thousand's mat; the position is a {type(position).__name__}")
    return position
