"""Which die is which at the End Zone, from rest to rest and from landing to landing.

Dice of the running turn are followed as `vision.landing.follow` does it; one that counts no more is known
again where it lies, and anywhere else it was picked up and thrown. What the game has been told of each die
(its number in the turn, its face, its place) is kept with it, and comes back with an UNDO.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist
from typing import Literal

from calibration.ends import End
from device.landings.questions import TrackedDie
from vision.landing import CalledDie
from vision.landing.follow import follow_dice

NUDGED_MM = 25.0
"""A die that counts no more is known again after a push of so much; further off it was picked up."""


def known_again(
    before: Sequence[TrackedDie], dice: Sequence[CalledDie], fresh: int
) -> tuple[tuple[TrackedDie, ...], str]:
    """The dice now, the old ones first: known again, or not found (`at` is -1); new ones count from `fresh`.

    Also says, in a sentence, when it cannot be told which die is which.
    """
    old = [die for die in before if not die.place]
    pairs = _where_they_lay(old, dice)
    rest = [at for at in range(len(dice)) if at not in pairs.values()]
    playing = [die for die in before if die.place]
    change = follow_dice([die.die for die in playing], [dice[at].die for at in rest])
    for at, was in zip(rest, change.was, strict=True):
        if was is not None:
            pairs[playing[was].id] = at
    found = [_again(die, dice, pairs.get(die.id, -1)) for die in before]
    new = [at for at in rest if at not in pairs.values()]
    found += [TrackedDie(id=fresh + count, die=dice[at].die, at=at) for count, at in enumerate(new)]
    return tuple(found), change.unsure


def _where_they_lay(old: Sequence[TrackedDie], dice: Sequence[CalledDie]) -> dict[int, int]:
    """Identity to index of dice that count no more and lie where they lay, nearest first."""
    ways = sorted(
        (dist(one.die.center_mm, lies.die.center_mm), one.id, at)
        for one in old
        for at, lies in enumerate(dice)
        if (one.die.color, one.die.value) == (lies.die.color, lies.die.value)
    )
    pairs: dict[int, int] = {}
    for way_mm, identity, at in ways:
        if way_mm <= NUDGED_MM and identity not in pairs and at not in pairs.values():
            pairs[identity] = at
    return pairs


def _again(old: TrackedDie, dice: Sequence[CalledDie], at: int) -> TrackedDie:
    return replace(old, at=-1) if at < 0 else replace(old, at=at, die=dice[at].die, asked_for=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A throw that has been given to the game, or asked about: which die is new, and which it hit."""

    new: int
    """Its identity; -1 for one that is off the table or was not measured."""
    hit: tuple[int, ...]
    lying: int
    """How many dice of the turn lay there before."""
    gone: tuple[int, ...] = ()
    """Dice of the turn that were not found again, and that people were asked about."""


@dataclass(frozen=True, slots=True)
class _Past:
    """The dice before a landing, and the game's position then."""

    line: str
    known: tuple[TrackedDie, ...]


class TrackedDice:
    """The dice on the table through a game. Knows positions of the game by their lines alone."""

    def __init__(self, known: Sequence[TrackedDie] = ()) -> None:
        """`known`: the dice that the journal had lying there."""
        self.known = tuple(known)
        self.due: Due | None = None
        self.unsure = ""
        """Why it cannot be told which die is which, in a sentence."""
        self._fresh = max((die.id for die in known), default=0) + 1
        self._line = ""
        self._pasts: list[_Past] = []

    @property
    def new(self) -> tuple[TrackedDie, ...]:
        """Dice that lie there and have not counted yet."""
        return tuple(die for die in self.known if die.at >= 0 and not die.counted)

    @property
    def stay(self) -> int:
        """How many dice on the table stay for the next throw: those of the turn, and the one asked about."""
        due = self.due.new if self.due else -1
        return sum(die.at >= 0 and (die.place > 0 or die.id == due) for die in self.known)

    def see(self, dice: Sequence[CalledDie], *, all_counted: bool = False) -> None:
        """Take a new measurement in. `all_counted`: what lies there was there before, and is no throw."""
        known, self.unsure = known_again(self.known, dice, self._fresh)
        self._fresh += max(0, len(known) - len(self.known))
        # What is gone and no die of the turn is forgotten; a die of the turn may be asked for.
        kept = [die for die in known if die.at >= 0 or die.place]
        self.known = tuple(replace(die, counted=True) if all_counted else die for die in kept)

    def aim(self, identity: int, aim: End | Literal[""]) -> None:
        """That die was thrown to that end."""
        self.known = tuple(replace(die, aim=aim) if die.id == identity else die for die in self.known)

    def pass_over(self, ids: Sequence[int]) -> None:
        """These dice have done what they were thrown for, and count no more."""
        self.known = tuple(replace(die, counted=True) if die.id in ids else die for die in self.known)

    def follow(self, line: str, lying: int, *, asking: bool) -> None:
        """The game may have gone on, or back: the dice go with it. `lying`: so many are of the turn."""
        if line == self._line:
            return
        was, self._line = self._line, line
        for depth, past in enumerate(self._pasts):
            if past.line == line:
                self._back_to(past)
                del self._pasts[depth:]
                return
        if self.due is not None and not asking:
            self._pasts.append(_Past(was, self.known))
            self._count(self.due)
        self.known = tuple(replace(die, place=0) if die.place > lying else die for die in self.known)

    def _count(self, due: Due) -> None:
        """The landing was taken: its die has a place in the turn, and what it hit lies as it lies."""
        self.due = None
        self.known = tuple(
            replace(
                die,
                counted=True,
                place=due.lying + 1 if die.id == due.new else die.place,
                told=(die.die.value or 0, die.die.center_mm),
            )
            if die.id == due.new or die.id in due.hit
            else replace(die, asked_for=die.asked_for or die.id in due.gone)
            for die in self.known
        )

    def _back_to(self, past: _Past) -> None:
        """As before a landing that was taken back: its die is a new one again, if it still lies there."""
        self.due = None
        was = {die.id: die for die in past.known}
        self.known = tuple(
            replace(die, place=then.place, counted=then.counted, told=then.told, asked_for=then.asked_for)
            if (then := was.get(die.id))
            else die
            for die in self.known
        )
