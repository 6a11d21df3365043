"""Which die is which at the End Zone, from rest to rest and from landing to landing.

A die is known again where it lies, or, as a die of the running turn, by its colour where it was knocked to.
What the game has been told of each (its number in the turn, its face, its place) is kept with it, and comes
back with an UNDO.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import dist

from device.landings import Known, Lies, lying_count
from engine.game import View

STAYED_MM = 1.0
"""A die within this of its old place, with its old face, is the same for certain."""
NUDGED_MM = 25.0
"""A die that counts no more is known again after a push of so much; further off it was picked up."""
KNOCKED_MM = 700.0
"""No knock sends a die of the turn further."""


def known_again(before: Sequence[Known], dice: Sequence[Lies], fresh: int) -> tuple[Known, ...]:
    """The dice now, the old ones first: known again, or not found (`at` is -1); new ones count from `fresh`.

    First come those that stayed, then the nearest of the same colour and face, then the nearest of the same
    colour: of several equal dice of one turn it is all one which is which, for their points are added.
    """
    pairs: dict[int, int] = {}
    for stayed, same_face in ((True, True), (False, True), (False, False)):
        for way_mm, i, j in _ways(before, dice, same_face=same_face):
            reach_mm = STAYED_MM if stayed else KNOCKED_MM if before[i].place else NUDGED_MM
            if way_mm <= reach_mm and i not in pairs and j not in pairs.values():
                pairs[i] = j
    found = [_again(old, dice, pairs.get(i, -1)) for i, old in enumerate(before)]
    new = [j for j in range(len(dice)) if j not in pairs.values()]
    return (*found, *(_again(Known(id=fresh + count), dice, j) for count, j in enumerate(new)))


def _ways(before: Sequence[Known], dice: Sequence[Lies], *, same_face: bool) -> list[tuple[float, int, int]]:
    """How far (mm) each old die would have gone to be each of the new ones, the nearest first."""
    return sorted(
        (dist(old.center_mm, new.die.center_mm), i, j)
        for i, old in enumerate(before)
        for j, new in enumerate(dice)
        if old.color == new.die.color and (old.value == new.die.value or not same_face)
    )


def _again(old: Known, dice: Sequence[Lies], at: int) -> Known:
    if at < 0:
        return replace(old, at=-1)
    die = dice[at].die
    return replace(old, at=at, color=die.color, value=die.value, center_mm=die.center_mm)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A throw that has been given to the game, or asked about: which die is new, and which it hit."""

    new: int
    """Its identity; -1 for one that is off the table or was not measured."""
    hit: tuple[int, ...]
    lying: int
    """How many dice of the turn lay there before."""


@dataclass(frozen=True, slots=True)
class _Past:
    """The dice before a landing, and the game's position then."""

    line: str
    known: tuple[Known, ...]


class Dice:
    """The dice on the table through a game. Knows positions of the game by their lines alone."""

    def __init__(self, known: Sequence[Known] = ()) -> None:
        """`known`: the dice that the journal had lying there."""
        self.known = tuple(known)
        self.due: Due | None = None
        self._fresh = max((die.id for die in known), default=0) + 1
        self._line = ""
        self._pasts: list[_Past] = []

    @property
    def new(self) -> tuple[Known, ...]:
        """Dice that lie there and have not counted yet."""
        return tuple(die for die in self.known if die.at >= 0 and not die.counted)

    @property
    def stay(self) -> int:
        """How many dice on the table stay for the next throw: those of the turn, and the one asked about."""
        due = self.due.new if self.due else -1
        return sum(die.at >= 0 and (die.place > 0 or die.id == due) for die in self.known)

    def see(self, dice: Sequence[Lies], *, all_counted: bool = False) -> None:
        """Take a new measurement in. `all_counted`: what lies there was there before, and is no throw."""
        known = known_again(self.known, dice, self._fresh)
        self._fresh += max(0, len(known) - len(self.known))
        # What is gone and no die of the turn is forgotten; a die of the turn may be asked for.
        kept = [die for die in known if die.at >= 0 or die.place]
        self.known = tuple(replace(die, counted=True) if all_counted else die for die in kept)

    def pass_over(self, ids: Sequence[int]) -> None:
        """These dice have done what they were thrown for, and count no more."""
        self.known = tuple(replace(die, counted=True) if die.id in ids else die for die in self.known)

    def follow(self, line: str, view: View, *, asking: bool) -> None:
        """The game may have gone on, or back: the dice go with it."""
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
        lying = lying_count(view)
        self.known = tuple(replace(die, place=0) if die.place > lying else die for die in self.known)

    def _count(self, due: Due) -> None:
        """The landing was taken: its die has a place in the turn, and what it hit lies as it lies."""
        self.due = None
        self.known = tuple(
            replace(
                die,
                counted=True,
                place=due.lying + 1 if die.id == due.new else die.place,
                told=(die.value or 0, die.center_mm),
            )
            if die.id == due.new or die.id in due.hit
            else die
            for die in self.known
        )

    def _back_to(self, past: _Past) -> None:
        """As before a landing that was taken back: its die is a new one again, if it still lies there."""
        self.due = None
        was = {die.id: die for die in past.known}
        self.known = tuple(
            replace(die, place=was[die.id].place, counted=was[die.id].counted, told=was[die.id].told)
            if die.id in was
            else die
            for die in self.known
        )
