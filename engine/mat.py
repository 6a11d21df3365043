"""Words for a mat under the dice: what lies in its places, what that means, and what hands do there.

A place for dice that are set aside is known by its number, from 1: ZONK's pockets, or the one place of Ten
Thousand. Where it is printed, and how large, means nothing here. A turn may need more pockets than the mat
has places: after a hot cast of ZONK the next pocket of the turn lies in place 1 again (`Expected.first`).
What a game makes of its mat stands in its own `mat` module; a rulebook offers it as `engine.game.MatRules`.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.dice import Die
from engine.events import GameEvent, Undo

Dice = Counter[Die]


@dataclass(frozen=True, slots=True, kw_only=True)
class OnMat:
    """Where the dice on a mat lie."""

    free: Dice = field(default_factory=Counter)
    """Those that may be part of a roll."""
    aside: Mapping[int, Dice] = field(default_factory=dict)
    """Those that were set aside, by the number of their place."""
    by_cards: tuple[Die, ...] = ()
    """Those on the place for cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """Where the rulebook knows the dice of this turn to be."""

    free: Dice
    """Dice of the cast that are not set aside."""
    aside: Mapping[int, Counter[int]]
    """Faces in each place: a pocket does not know which kind of die showed them."""
    current: int
    """The place for dice of this cast."""
    wrong: str
    """Why no dice of this cast may lie in another place, with the rule's number."""
    first: int = 0
    """How many pockets of the turn came before the one that lies in place 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardLaid:
    """A card that was laid down face up."""

    card: str
    """Its word, as position lines have it: "fate"."""
    pocket: int = 0
    """The number of the pocket place in which it lies; 0 on the place for cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What it means how dice and cards lie: events to take, or why none are. Empty: all is as it was."""

    events: tuple[GameEvent | Undo, ...] = ()
    refused: str = ""
    """Why they may not lie so, in a sentence."""
    waits: str = ""
    """What must be said or done first, in a sentence."""
    at: int = 0
    """The number of the place that it is about; 0 for none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry:
    """Carry dice that lie free into that pocket of the turn, from 1; with 0 to where dice of this cast go."""

    dice: tuple[Die, ...]
    pocket: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayCard:
    """Lay a card, by its word, into that pocket of the turn, from 1; with 0 on the place for cards."""

    card: str
    pocket: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnDie:
    """Turn a free die to another face."""

    die: Die
    value: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BringDie:
    """Set one more die down beside the free ones, showing this."""

    die: Die


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeUp:
    """Take up one free die, to throw it alone."""

    die: Die


Move = Carry | LayCard | TurnDie | BringDie | TakeUp
"""One thing that hands do on a mat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moves:
    """What players do with their hands for an event, one move after the other."""

    moves: tuple[Move, ...] = ()
    tells: bool = False
    """Whether what then lies there tells the event; otherwise it has to be told as well."""
