"""Secret bets by touch: each short press of a player's button turns her dial on, a long press locks it.

The dial rests on 0 dots, so the presses can be counted: one press is 2 dots, two are 4, five are 10, for
every player alike. The next press goes round: to 0, or, where 0 may not be bet (the active player), straight
to 2. Who presses nothing and locks has bet 0; who may not bet 0 has then no bet, and nothing is locked.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from device.panel.presses import PressKind

_BET_BUTTON = re.compile(r"bet([1-9][0-9]?)")


@dataclass(frozen=True, slots=True)
class Dial:
    """One player's dial. Its text form never tells the bet: it may stand in any log."""

    choices: tuple[int, ...] = field(repr=False)
    """What may be bet, rising, as the rulebook's `Allowed.choices` has it."""
    _turns: int = field(default=0, repr=False)
    locked: bool = False

    def __post_init__(self) -> None:
        """A dial without choices, or with unsorted ones, cannot be counted by touch."""
        if not self.choices or list(self.choices) != sorted(set(self.choices)):
            raise ValueError(f"a dial's choices rise and are not empty; got {self.choices}")

    @property
    def bet(self) -> int | None:
        """Where the dial stands: secret until all have locked. None while it stands on no choice."""
        if self._turns == 0:
            return 0 if 0 in self.choices else None
        start = -1 if self.choices[0] != 0 else 0
        return self.choices[(start + self._turns) % len(self.choices)]

    def after(self, kind: PressKind) -> "Dial":
        """The dial after one more press of its button. A locked dial stays as it is."""
        if self.locked:
            return self
        match kind:
            case "short":
                return Dial(self.choices, self._turns + 1)
            case "long":
                return Dial(self.choices, self._turns, locked=self.bet is not None)


def dial_after(presses: Iterable[PressKind], choices: Sequence[int]) -> Dial:
    """The dial that these presses, as the journal has them, leave behind."""
    dial = Dial(tuple(choices))
    for kind in presses:
        dial = dial.after(kind)
    return dial


def bet_seat(button: str) -> int | None:
    """The seat of a BET button, 0 for BET 1; None for any other button."""
    named = _BET_BUTTON.fullmatch(button)
    return int(named[1]) - 1 if named else None
