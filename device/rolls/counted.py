"""Dice that count no more: a roll is made of dice that were thrown for it.

How it works. What lies on the table when a roll has counted, and what lay there when a roll became due, is
old (`CountedDice.lay`). A reading is held against it (`judge`): dice that lie just as the old ones lay were
not thrown. (One that came to lie almost as an old one lay was thrown if the pictures in between show it.)
Where all dice of a roll were thrown, or the old ones only lie beside as many as are waited for, the thrown
ones count. Else there is a doubt, which people are told, and the next press of ROLL DONE answers it: these
dice were thrown. An UNDO brings back what was old before. Where any number of dice makes a roll, fewer than
in the last one are doubted, too: one may lie on another.

What is old is not kept in the journal. A box that starts again takes what it finds on the table for old, and
asks: that is right for dice that counted before the power went, and one press more for a throw that had not.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from device.shown.snapshot import Shout
from device.shown.words import trouble_with
from engine.dice import Die
from engine.game import Wanted
from engine.wording import phrase, phrase_count, phrase_later
from engine.words import capital, number
from vision.reading import Reading, SeenDie, UnsureDie, judge_throw_confidence
from vision.watch import keep_moved, keep_thrown

READ_MS = 300.0
"""A press that comes sooner after a question than anybody can have read it answers nothing: it was one of
several in a row."""

OR_PRESS = phrase_later("Throw again, or {press} to count the dice as they lie.")
Old = Literal["counted", "lay there"]
"""Dice of a roll that has counted; dice that lay there before a roll was due."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncounted:
    """Why dice that are to be a roll do not count yet."""

    text: str
    shout: Shout


@dataclass(frozen=True, slots=True, kw_only=True)
class AwaitedRoll:
    """The roll that is waited for."""

    wanted: Wanted
    cast: int | None
    """The number of dice that the game is played with; None for any number."""
    last: int = 0
    """The number of dice that made the last roll, all of which should be seen again; 0 where nothing says
    that."""
    anywhere: bool = False
    """Dice may be set aside wherever people like, before the box hears of it."""
    still: Mapping[Die, int] = field(default_factory=dict)
    """Dice of the last cast that stay lying while a single one is thrown; else none."""

    @property
    def count(self) -> int | None:
        """How many dice are waited for, of all kinds; None for any number."""
        counts = [each.count for each in (self.wanted, *self.wanted.more)]
        return None if None in counts else sum(count or 0 for count in counts)


@dataclass(frozen=True, slots=True)
class _Lain:
    """What lay there at one moment and counts no more."""

    reading: Reading
    old: Old


@dataclass(frozen=True, slots=True)
class _Question:
    """A question that waits for the next press."""

    reading: Reading
    at_ms: float


class CountedDice:
    """The old dice of one game. Not for several threads."""

    def __init__(self) -> None:
        """Nothing lies there yet."""
        self._lain: _Lain | None = None
        self._asked: _Question | None = None
        self._pasts: list[tuple[int, _Lain | None]] = []

    def lay(self, reading: Reading, old: Old, before: int | None = None) -> None:
        """From now on these dice are old.

        `before`: so many events of the game counted before the one that made them old; None where none did.
        """
        if self._lain is not None and not things(keep_thrown(self._lain.reading, reading)):
            old = self._lain.old
        if before is not None:
            self._pasts.append((before, self._lain))
        self._lain, self._asked = _Lain(reading, old), None

    def back_to(self, events: int) -> None:
        """The game went back to so many events: what was old then is old again."""
        self._asked = None
        while self._pasts and self._pasts[-1][0] >= events:
            _, self._lain = self._pasts.pop()

    def count(
        self,
        reading: Reading,
        due: AwaitedRoll,
        *,
        pressed: bool,
        pushed: Collection[SeenDie | UnsureDie] = (),
        flown: Collection[SeenDie | UnsureDie] = (),
    ) -> tuple[Reading, Uncounted | None]:
        """The dice of a reading that make the roll, and why they do not count yet, if anything says so.

        `pressed`: ROLL DONE was. `pushed`: those that others pushed; they are old. `flown`: those of
        `almost_old` that were seen to be thrown; they are not.
        """
        new = (*_all(self.keep_thrown(reading)), *flown)
        lain = [one for one in _all(reading) if one not in new]
        thrown = judge_throw_confidence(_without(reading, (*lain, *pushed)), due.count)
        total, fresh = things(reading), things(thrown)
        if fresh and due.still and trouble_with(thrown, due.wanted):
            # Those that stay may have been pushed about: their faces are known, and what is left was thrown.
            lay_first = sorted(reading.dice, key=lambda one: one in thrown.dice)
            left = leave_lying(lay_first, due.still)
            if left and all(one in thrown.dice for one in left):
                alone = replace(reading, dice=left)
                return (reading if trouble_with(alone, due.wanted) else alone), None
        old = total - fresh
        open_cast = due.wanted.count is None and due.cast is not None
        if self._lain and old and not (fresh and open_cast):
            if not fresh or not trouble_with(reading, due.wanted):
                return reading, _not_thrown(old, total, self._lain.old, pressed=pressed)
            return reading if trouble_with(thrown, due.wanted) else thrown, None
        # In a game of so many dice those that lie where they lay were set aside.
        if due.wanted.count is None and 0 < total < due.last and not reading.unsure:
            return thrown, _too_few(total, due.last, pressed=pressed)
        return thrown, None

    def keep_thrown(self, reading: Reading) -> Reading:
        """The dice of a reading that are not old."""
        return keep_thrown(self._lain.reading, reading) if self._lain else reading

    def find_almost_old(self, reading: Reading) -> tuple[SeenDie | UnsureDie, ...]:
        """Dice that lie almost as old ones lay, but not just so, where others were thrown: so may they be."""
        new = _all(self.keep_thrown(reading))
        if self._lain is None or not new:
            return ()
        return tuple(one for one in _all(keep_moved(self._lain.reading, reading)) if one not in new)

    def note_question(self, reading: Reading, now_ms: float) -> None:
        """People were told that these dice do not count yet."""
        self._asked = _Question(reading, now_ms)

    def take_answer(self, reading: Reading, pressed_ms: float | None) -> bool:
        """Whether a press of ROLL DONE answers that these dice were thrown: it was asked, and they lie so."""
        asked, self._asked = self._asked, None
        if asked is None or pressed_ms is None:
            return False
        return pressed_ms - asked.at_ms >= READ_MS and not things(keep_thrown(asked.reading, reading))


def _without(reading: Reading, dice: Collection[SeenDie | UnsureDie]) -> Reading:
    return replace(
        reading,
        dice=tuple(one for one in reading.dice if one not in dice),
        unsure=tuple(one for one in reading.unsure if one not in dice),
    )


def _all(reading: Reading) -> tuple[SeenDie | UnsureDie, ...]:
    return *reading.dice, *reading.unsure


def leave_lying(dice: Iterable[SeenDie], still: Mapping[Die, int]) -> tuple[SeenDie, ...] | None:
    """The dice beside those that stay lying; None where those do not all lie there."""
    left, beside = Counter(still), []
    for one in dice:
        if left[one.die] > 0:
            left[one.die] -= 1
        else:
            beside.append(one)
    return None if left.total() else tuple(beside)


def things(reading: Reading) -> int:
    """How many dice lie there, read or not."""
    return len(reading.dice) + len(reading.unsure)


def _not_thrown(old: int, total: int, why: Old, *, pressed: bool) -> Uncounted:
    """What is said of a roll in which so many dice are old."""
    press = press_again(pressed=pressed)
    text = _all_old(old, why, press) if old == total else _some_old(old, total, why, press)
    return Uncounted(text=text, shout="OLd")


def _all_old(old: int, why: Old, press: str) -> str:
    if why == "counted":
        return phrase_count(
            "This die was counted already. Throw, or {press} if you did.",
            "These dice were counted already. Throw, or {press} if you did.",
            old,
            press=press,
        )
    return phrase_count(
        "This die lay there before. Throw, or {press} if you did.",
        "These dice lay there before. Throw, or {press} if you did.",
        old,
        press=press,
    )


def _some_old(old: int, total: int, why: Old, press: str) -> str:
    """Where others lie beside them that were thrown."""
    some, all_dice = capital(number(old)), number(total)
    if why == "counted":
        return phrase_count(
            "One of these {total} dice was counted already. Throw all of them, or {press} if you did.",
            "{number} of these {total} dice were counted already. Throw all of them, or {press} if you did.",
            old,
            number=some,
            total=all_dice,
            press=press,
        )
    return phrase_count(
        "One of these {total} dice lay there before. Throw all of them, or {press} if you did.",
        "{number} of these {total} dice lay there before. Throw all of them, or {press} if you did.",
        old,
        number=some,
        total=all_dice,
        press=press,
    )


def _too_few(seen: int, last: int, *, pressed: bool) -> Uncounted:
    """What is said of fewer dice than in the last roll."""
    text = phrase_count(
        "I see one die, and the last roll had {last}: one may lie on another, or out of the picture. "
        "Throw again, or {press} if that is all.",
        "I see {number} dice, and the last roll had {last}: one may lie on another, or out of the "
        "picture. Throw again, or {press} if those are all.",
        seen,
        number=number(seen),
        last=number(last),
        press=press_again(pressed=pressed),
    )
    return Uncounted(text=text, shout="UNSURE")


def press_again(*, pressed: bool) -> str:
    """What to do to say that dice count, for who pressed ROLL DONE or not."""
    return phrase("press again") if pressed else phrase("press ROLL DONE")
