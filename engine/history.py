"""A game's history: every event that was taken, and the position it led to.

Two stacks. `_line` is the game as it counts: its events, corrected where they were, each with its position.
`_steps` is what was done, so that `Undo` can take it back: playing adds to the line; a correction replaces
its end and keeps the old end. Nothing taken is forgotten: `events` grows by one with each.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal, assert_never

from engine.events import (
    Bet,
    Corrected,
    DieRuled,
    Event,
    GameEvent,
    Landed,
    Refereed,
    Rolled,
    Ruled,
    Ruling,
    Undo,
)
from engine.game import Position
from engine.refusal import AgainstTheRules, Refused
from engine.wording import phrase

Standing = Literal["counts", "undone", "corrected", "undo"]
"""What became of an event: it counts; it was undone; its dice were replaced; or it is itself an `Undo`."""

Played = tuple[int, GameEvent, Position]
"""The number of the event that was taken, the game event it stands for, and the position after it."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One step forward: its event's number; for a correction also where it cut the line, and the old end."""

    number: int
    cut: int | None = None
    old_end: tuple[Played, ...] = ()


class History:
    """One game from its start. `take` is the only way on; a refused event changes nothing."""

    def __init__(self, start: Position) -> None:
        self._start = start
        self._line: list[Played] = []
        self._steps: list[_Step] = []
        self._events: list[Event] = []

    @classmethod
    def replay(cls, start: Position, events: Iterable[Event]) -> "History":
        """The history of stored events, Undo and Corrected among them; raises `Refused` at a wrong one."""
        history = cls(start)
        for event in events:
            history.take(event)
        return history

    @property
    def start(self) -> Position:
        """The position before the first event."""
        return self._start

    @property
    def position(self) -> Position:
        """The position now."""
        return self._line[-1][2] if self._line else self._start

    @property
    def events(self) -> tuple[Event, ...]:
        """Every event taken, in order, undone ones and Undo itself among them: what a journal stores."""
        return tuple(self._events)

    @property
    def counting(self) -> tuple[GameEvent, ...]:
        """The game as it counts now, without any Undo or Corrected: from `start` it leads to `position`."""
        return tuple(event for _, event, _ in self._line)

    @property
    def played(self) -> tuple[tuple[GameEvent, Position], ...]:
        """The game as it counts now: each of `counting` with the position after it."""
        return tuple((event, position) for _, event, position in self._line)

    @property
    def sources(self) -> tuple[int, ...]:
        """For each of `counting` the event, from 0, that first told it: what corrects a throw throws none."""
        told = {step.number: step.old_end[0][0] for step in self._steps if step.cut is not None}
        found = [number for number, _, _ in self._line]
        while any(number in told for number in found):  # corrections of corrections
            found = [told.get(number, number) for number in found]
        return tuple(found)

    @property
    def can_undo(self) -> bool:
        """Whether `Undo` would find an event."""
        return bool(self._steps)

    @property
    def undoes(self) -> tuple[Event, Position] | None:
        """What `Undo` would take back, with the position before it; None where there is nothing."""
        if not self._steps:
            return None
        step = self._steps[-1]
        before = len(self._line) - 1 if step.cut is None else step.cut
        return self._events[step.number], self._line[before - 1][2] if before else self._start

    @property
    def undo_steps(self) -> int:
        """How many steps people take back at once: all bets once everybody has seen them, else one."""
        bets = self.position.view().bets
        if not bets or any(isinstance(bet, str) for bet in bets):
            return 1
        newest = takewhile(lambda step: isinstance(self._events[step.number], Bet), reversed(self._steps))
        return max(1, sum(1 for _ in newest))

    def tried(self, event: Event) -> Position:
        """The position after the event, which is not taken; raises `Refused`."""
        trial = History(self._start)
        trial._line, trial._steps = list(self._line), list(self._steps)
        trial._events = list(self._events)
        return trial.take(event)

    @property
    def last_roll(self) -> Rolled | None:
        """The last roll that counts, as `Corrected` would replace it; None before the first."""
        place = self._last_rolled()
        event = None if place is None else self._line[place][1]
        return event if isinstance(event, Rolled) else None

    @property
    def thrower(self) -> str:
        """Whose the last throw was, of those that count; "" before the first."""
        for place in range(len(self._line) - 1, -1, -1):
            if isinstance(self._line[place][1], Rolled | Landed):
                before = self._line[place - 1][2] if place else self._start
                return before.view().active or ""
        return ""

    @property
    def roll_is_corrected(self) -> bool:
        """Whether people have said other dice for the last roll."""
        place = self._last_rolled()
        return place is not None and isinstance(self._events[self._line[place][0]], Corrected)

    def take(self, event: Event) -> Position:
        """Take the event and return the position after it; raises `Refused`, and then nothing has changed."""
        number = len(self._events)
        match event:
            case Undo():
                self._undo()
            case Corrected():
                self._correct(number, event)
            case Ruled() | DieRuled() | Refereed():
                self._rule(number, event)
            case _:
                after = self.position.after(event)
                self._line.append((number, event, after))
                self._steps.append(_Step(number))
        self._events.append(event)
        return self.position

    def standings(self) -> tuple[Standing, ...]:
        """For each of `events`, what became of it."""
        found: list[Standing] = ["undo" if isinstance(event, Undo) else "undone" for event in self._events]
        for step in self._steps:
            found[step.number] = "counts"
        for step in self._steps:
            if step.cut is not None:
                found[step.old_end[0][0]] = "corrected"
        return tuple(found)

    def _undo(self) -> None:
        if not self._steps:
            raise AgainstTheRules(phrase("There is nothing to undo: no event counts yet."))
        step = self._steps.pop()
        if step.cut is None:
            self._line.pop()
        else:
            self._line[step.cut :] = step.old_end

    def _correct(self, number: int, event: Corrected) -> None:
        """Put other dice into a roll."""
        cut = self._rolled(event.roll) if event.roll else self._last_rolled()
        if cut is None:
            raise AgainstTheRules(phrase("There is no roll to correct yet."))
        self._replace(number, cut, Rolled(dice=event.dice))

    def _rolled(self, roll: int) -> int:
        """Where the line has that roll, counted from 1."""
        places = [place for place, (_, taken, _) in enumerate(self._line) if isinstance(taken, Rolled)]
        if roll > len(places):
            raise AgainstTheRules(
                phrase(
                    "There is no roll {roll} yet: the last one is roll {last}.", roll=roll, last=len(places)
                )
            )
        return places[roll - 1]

    def _rule(self, number: int, event: Ruling) -> None:
        """Put another landing where the ruling says."""
        places = [place for place, (_, taken, _) in enumerate(self._line) if isinstance(taken, Landed)]
        if not places:
            raise AgainstTheRules(phrase("No die has landed yet: there is nothing to rule on."))
        if event.landing > len(places):
            raise AgainstTheRules(
                phrase(
                    "There is no landing {landing} yet: the last one is landing {last}.",
                    landing=event.landing,
                    last=len(places),
                )
            )
        cut = places[event.landing - 1]
        landed = self._line[cut][1]
        if isinstance(landed, Landed):
            self._replace(number, cut, _ruled(landed, event))

    def _replace(self, number: int, cut: int, event: GameEvent) -> None:
        """Put `event` where the line has another, and play the rest of the line again; all or nothing."""
        position = (self._line[cut - 1][2] if cut else self._start).after(event)
        before = self._line[cut][2]
        end: list[Played] = [(number, event, position)]
        for taken, later, was in self._line[cut + 1 :]:
            try:
                if isinstance(later, Landed | Rolled):
                    _same_roller(before, position, later)
                before, position = was, position.after(later)
            except Refused as refused:
                raise AgainstTheRules(
                    phrase(
                        "This correction cannot be, for what came after would not hold: {reason} UNDO back "
                        "to it first.",
                        reason=refused,
                    )
                ) from None
            end.append((taken, later, position))
        self._steps.append(_Step(number, cut, tuple(self._line[cut:])))
        self._line[cut:] = end

    def _last_rolled(self) -> int | None:
        for place in range(len(self._line) - 1, -1, -1):
            if isinstance(self._line[place][1], Rolled):
                return place
        return None


def _ruled(landed: Landed, ruling: Ruling) -> Landed:
    """The landing that counts after the ruling."""
    match ruling:
        case Refereed():
            return ruling.landed
        case Ruled():
            zone = ruling.zone
        case DieRuled():
            zone = ruling.odd if ruling.value % 2 else ruling.even
        case _:
            assert_never(ruling)
    if landed.off:
        raise AgainstTheRules(
            phrase("That die is off the table and lies in no zone; only the referee corrects it.")
        )
    return replace(landed, zone=zone, dot=landed.dot and zone >= 2)


def _same_roller(before: Position, after: Position, thrown: Landed | Rolled) -> None:
    """Dice that somebody threw stay theirs; a die that landed stays a roll-off's or a turn's, too."""
    if before == after:
        return
    was, now = before.view(), after.view()
    if isinstance(thrown, Rolled) and now.active not in {None, was.active}:
        raise AgainstTheRules(
            phrase("The next roll was {player}'s and would be another player's.", player=was.active)
        )
    if isinstance(thrown, Landed) and now.active and (was.active, was.phase) != (now.active, now.phase):
        raise AgainstTheRules(
            phrase(
                "The next die was {player}'s and would be another player's, or another roll.",
                player=was.active,
            )
        )
