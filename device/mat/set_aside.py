"""What moved dice mean: dice that lie in pockets and set-aside places, held against what the rulebook knows.

How it works. A game's `Book` says, from the events that count, which dice of the cast should lie free and
which in which place. What lies there now differs by what people moved. So nothing has to be followed from
frame to frame: dice may be carried one by one or all at once, in plain sight or not.
- Dice more than known in this cast's place were set aside: the event is a pocket with just those dice. Where
  they only score together with dice that were set aside a moment before, the earlier event is undone first.
- Dice fewer than known there, and free again, were moved back: an undo, as long as the last thing that counts
  was setting them aside.
- Everything else is against the rules, and is refused with the reason.
Whether something was moved at all, and not thrown, shows in the free dice: they must be dice of this cast.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from engine.dice import Die
from engine.events import GameEvent, Pocket, Undo
from engine.game import Position
from engine.refusal import Refused

Played = Sequence[tuple[GameEvent, Position]]
"""The game as it counts: events, each with the position after it (`engine.history.History.played`)."""
Free = Counter[Die]
Lies = Mapping[int, Free]
"""Dice by the number of the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Where the rulebook knows the dice of this turn to be."""

    free: Free
    """Dice of the cast that are not set aside."""
    aside: Mapping[int, Counter[int]]
    """Faces in each place: a pocket does not know which kind of die showed them."""
    current: int
    """The place for dice of this cast."""
    wrong: str
    """Why no dice of this cast may lie in another place, with the rule's number."""
    first: int = 0
    """How many pockets of the turn came before the one that lies in pocket 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """Where dice lie."""

    free: Free
    aside: Lies


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What moved dice mean: events to take, or why they may not lie so."""

    events: tuple[GameEvent | Undo, ...] = ()
    refused: str = ""
    at: int = 0
    """The place that it is about."""


class Book(Protocol):
    """One game's places."""

    def expected(self, start: Position, played: Played) -> Expected | None:
        """Where dice should lie; None while no cast lies there."""
        ...

    def set_aside(self, position: Position, dice: Free) -> Pocket:
        """The event that sets just these dice aside; grouped so that it is taken if it can be."""
        ...


def judged(book: Book, start: Position, played: Played, seen: Seen) -> Verdict:
    """What the dice mean as they lie now; an empty verdict where all is as the rulebook knows it."""
    now = book.expected(start, played)
    if now is None:
        return Verdict()
    astray = _astray(now, seen)
    if astray is not None:
        return astray
    more, less = _differences(now, seen)
    if not more and not less:
        return Verdict()
    # Three dice of a kind may come one by one, and may go back one by one.
    for undone in range(_pocketings(played) + 1):
        before = played[: len(played) - undone]
        then = book.expected(start, before)
        if not before or then is None or then.current != now.current:
            break
        verdict = _taken(book, before[-1][1], then, seen, undone, all_of_them=bool(less))
        if verdict is not None:
            return verdict
    if less:
        return _missing(now, seen, less)
    return _refused(book, played[-1][1], now, seen)


def rearranged(book: Book, start: Position, played: Played, seen: Seen) -> bool:
    """Whether exactly the dice of this turn lie there, only elsewhere: then nothing was thrown."""
    now = book.expected(start, played)
    if now is None:
        return False
    known, there = _faces(now.free), _faces(seen.free)
    for faces in now.aside.values():
        known += faces
    for dice in seen.aside.values():
        there += _faces(dice)
    return known == there and _differences(now, seen) != (Counter(), Counter())


def unsettled(book: Book, start: Position, played: Played, seen: Seen) -> int:
    """The place in which dice lie that the rulebook does not know to be there; 0 where there is none."""
    now = book.expected(start, played)
    if now is None:
        return 0
    strays = (
        number for number, dice in seen.aside.items() if _faces(dice) - now.aside.get(number, Counter())
    )
    return next(strays, 0)


def _taken(
    book: Book, position: Position, then: Expected, seen: Seen, undone: int, *, all_of_them: bool
) -> Verdict | None:
    """The events that lead to what lies there, from a position some undos back; None where none do."""
    more, less = _differences(then, seen)
    dice = _of_faces(seen.aside.get(then.current, Counter()), more)
    if less or not (undone or dice):
        return None
    if not _left_over(then.free, dice, seen.free, all_of_them=all_of_them):
        return None
    undos: tuple[GameEvent | Undo, ...] = (Undo(),) * undone
    if not dice:
        return Verdict(events=undos, at=then.current)
    event = book.set_aside(position, dice)
    try:
        position.after(event)
    except Refused:
        return None
    return Verdict(events=(*undos, event), at=then.current)


def _astray(now: Expected, seen: Seen) -> Verdict | None:
    """Dice of this cast that lie in another cast's place."""
    for number, dice in seen.aside.items():
        more = _of_faces(dice, _faces(dice) - now.aside.get(number, Counter()))
        if number != now.current and more and _left_over(now.free, more, seen.free, all_of_them=False):
            return Verdict(refused=now.wrong, at=number)
    return None


def _missing(now: Expected, seen: Seen, less: Counter[int]) -> Verdict:
    """Dice that count in a pocket and were taken out of it."""
    back = seen.free - now.free
    if not back or _faces(back) - less:
        return Verdict()  # in somebody's hand, or a new throw: nothing to say
    faces = " and ".join(str(face) for face in sorted(less.elements()))
    return Verdict(
        refused=f"The {faces} count since an earlier cast and stay set aside. Put them back.", at=now.current
    )


def _refused(book: Book, position: Position, now: Expected, seen: Seen) -> Verdict:
    """The rulebook's own reason why these dice may not be set aside."""
    more, _ = _differences(now, seen)
    dice = _of_faces(seen.aside.get(now.current, Counter()), more)
    if seen.free - now.free:
        return Verdict()  # another throw lies there: whether it counts is said when it is read
    try:
        position.after(book.set_aside(position, dice))
    except Refused as refusal:
        return Verdict(refused=str(refusal), at=now.current)
    return Verdict()


def _left_over(free: Free, taken: Free, seen: Free, *, all_of_them: bool) -> bool:
    """Whether what lies free is what `taken` leaves of the cast; the rest may be in a hand already."""
    if taken - free:
        return False
    left = free - taken
    return seen == left if all_of_them else not seen - left


def _differences(expected: Expected, seen: Seen) -> tuple[Counter[int], Counter[int]]:
    """Faces more and faces fewer than known in this cast's place, and fewer in any other."""
    current = expected.current
    there, known = _faces(seen.aside.get(current, Counter())), expected.aside.get(current, Counter())
    less = known - there
    for number, faces in expected.aside.items():
        if number != current:
            less += faces - _faces(seen.aside.get(number, Counter()))
    return there - known, less


def _pocketings(played: Played) -> int:
    """How many of the last events set dice aside, one after the other."""
    count = 0
    while count < len(played) and isinstance(played[-1 - count][0], Pocket):
        count += 1
    return count


def _faces(dice: Free) -> Counter[int]:
    found: Counter[int] = Counter()
    for die, count in dice.items():
        if isinstance(die.value, int):
            found[die.value] += count
    return found


def _of_faces(dice: Free, faces: Counter[int]) -> Free:
    """So many of the dice as `faces` counts, by face."""
    found: Free = Counter()
    for face, count in faces.items():
        same = [die for die in dice.elements() if die.value == face]
        found.update(same[:count])
    return found
