"""Debounce and long press, without a clock: edges with their times go in, presses come out.

A contact counts as down (or up) once it has stayed so for the debounce time; what lies between is bounce.
A short press is known when the button is let go, a long one while it is still held.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

PressKind = Literal["short", "long"]


@dataclass(frozen=True, slots=True)
class Press:
    """A button was pressed: short, or held long."""

    button: str
    kind: PressKind
    time_ms: float
    """When it was known: a short press one debounce after letting go, a long one while still held."""


@dataclass(frozen=True, slots=True)
class _Contact:
    """One button's contact: `since_ms` is when the raw level last moved, `down_ms` when the press began."""

    raw_down: bool = False
    since_ms: float = 0.0
    down: bool = False
    down_ms: float = 0.0
    told: bool = False


class Presses:
    """All buttons of a panel. Not for several threads at once; the box's one loop feeds it."""

    def __init__(self, debounce_ms: float, long_press_ms: float) -> None:
        """Both in milliseconds, the debounce shorter than the long press."""
        if not 0 < debounce_ms < long_press_ms:
            raise ValueError(
                f"debounce ({debounce_ms} ms) must be above 0 and below a long press ({long_press_ms} ms)"
            )
        self._debounce_ms = debounce_ms
        self._long_press_ms = long_press_ms
        self._contacts: dict[str, _Contact] = {}
        self._now_ms = float("-inf")

    def edge(self, button: str, down: bool, time_ms: float) -> list[Press]:
        """A contact closed (`down`) or opened; what is known by then, oldest first.

        A time before the last one counts as the last one: two clocks may differ by a hair.
        """
        presses = self.tick(time_ms)
        contact = self._contacts.get(button, _Contact())
        # The same level twice says that an edge between was lost. A settled contact ignores it: held is held.
        if down != contact.raw_down or contact.raw_down != contact.down:
            self._contacts[button] = replace(contact, raw_down=down, since_ms=self._now_ms)
        return presses

    def tick(self, time_ms: float) -> list[Press]:
        """What is known at `time_ms` without a new edge, oldest first. Call it at `due_ms` at the latest."""
        self._now_ms = max(self._now_ms, time_ms)
        presses: list[Press] = []
        while (due := min(self._dues(), default=None)) is not None and due[0] <= self._now_ms:
            presses.extend(self._settle(due[1], due[0]))
        return presses

    def due_ms(self) -> float | None:
        """When the next `tick` has something to find out; None while all buttons rest."""
        return min((due for due, _ in self._dues()), default=None)

    def held(self) -> frozenset[str]:
        """The buttons that are down now, bounce left out."""
        return frozenset(name for name, contact in self._contacts.items() if contact.down)

    def _dues(self) -> list[tuple[float, str]]:
        dues = []
        for name, contact in self._contacts.items():
            if contact.raw_down != contact.down:
                dues.append((contact.since_ms + self._debounce_ms, name))
            elif contact.down and not contact.told:
                # A bounce after the mark must not date the press back before it.
                dues.append((max(contact.down_ms + self._long_press_ms, contact.since_ms), name))
        return dues

    def _settle(self, button: str, time_ms: float) -> list[Press]:
        """The one thing that is due for this button at `time_ms`."""
        contact = self._contacts[button]
        if contact.raw_down == contact.down:
            self._contacts[button] = replace(contact, told=True)
            return [Press(button, "long", time_ms)]
        if contact.raw_down:
            self._contacts[button] = replace(contact, down=True, down_ms=contact.since_ms, told=False)
            return []
        self._contacts[button] = replace(contact, down=False)
        return [] if contact.told else [Press(button, "short", time_ms)]


# Secret bets by touch: each short press of a player's button turns her dial on, a long press locks it.
#
# The dial rests on 0 dots, so the presses can be counted: one press is 2 dots, two are 4, five are 10, for
# every player alike. The next press goes round: to 0, or, where 0 may not be bet (the active player),
# straight to 2. Who presses nothing and locks has bet 0; who may not bet 0 has then no bet, and nothing is
# locked.

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
