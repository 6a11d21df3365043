"""What can happen at the table: one closed union of events, for every rulebook.

Chance comes from outside: a `Rolled` says how the dice came to rest, as the camera or a player read them.
A rulebook matches on the union and refuses what it does not know (`engine.refusal.Refused`).
`Undo`, `Corrected` and the rulings speak about earlier events; `engine.history` settles them for all
rulebooks alike.
"""

from dataclasses import dataclass
from typing import Literal, get_args

from engine.dice import FACES, Die
from engine.wording import phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class Bet:
    """A player has locked a bet; it stays secret until all have."""

    player: str
    dots: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rolled:
    """The dice came to rest and show these faces, left to right."""

    dice: tuple[Die, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """The active player ends the turn and scores."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocket:
    """The active player sets dice of this cast aside for their points; each inner tuple is one combo."""

    combos: tuple[tuple[Die, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cache:
    """The active player banks the turn's points and ends the turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
    """The active player has drawn this card from the real deck."""

    card: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Play:
    """The active player plays a held card, where it says so on this die or on this pocket, counted from 1."""

    card: str
    die: Die | None = None
    pocket: int = 0


Zone = Literal[20, 10, 5, 2, 1, 0]
"""End Zone: what a die is multiplied by where it lies; 1 before the sheet, 0 out of play."""
Off = Literal["", "caught", "missed"]
"""A die that went off the table, and whether an opponent caught it."""
Foul = Literal["", "late", "slid", "thrown"]
"""Released beyond the near 2 zone; slid instead of rolled; thrown off the table on purpose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A die that already lay on the table was hit and now lies so; dice on the table count from 1."""

    die: int
    value: int = 0
    """1 to 6; 0 may stand for a die that was knocked off the table."""
    zone: int = 0
    dot: bool = False
    """It now covers the dot completely."""
    off: bool = False
    """It was knocked off the table."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        if not 1 <= self.die <= 100:
            raise ValueError(phrase("die is counted from 1; got {number}", number=self.die))
        if self.off and (self.zone or self.dot):
            raise ValueError(phrase("a die off the table lies in no zone and covers no dot"))
        if not (self.off and self.value == 0):
            _check_place(self.value, self.zone, dot=self.dot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Landed:
    """The active player's die came to rest on the End Zone table, or left it."""

    value: int = 0
    """1 to 6; 0 when it is off the table."""
    zone: int = 0
    """The multiplier where it lies: 20, 10, 5, 2, 1 or 0."""
    dot: bool = False
    """It covers the dot completely."""
    off: Off = ""
    foul: Foul = ""
    player: str = ""
    """Whose die it is; told, it must be the active player's."""
    catcher: str = ""
    """Who should have caught a die that is off the table; else the next opponent."""
    moved: tuple[Moved, ...] = ()
    """The dice that it hit, as they lie now."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        if self.off not in get_args(Off):
            raise ValueError(phrase("off is caught or missed; got {word}", word=repr(self.off[:40])))
        if self.foul not in get_args(Foul):
            raise ValueError(phrase("foul is late, slid or thrown; got {word}", word=repr(self.foul[:40])))
        if self.off and (self.zone or self.dot):
            raise ValueError(phrase("a die off the table lies in no zone and covers no dot"))
        if self.foul == "thrown" and not self.off:
            raise ValueError(phrase("the foul thrown is a die that is off the table; say off too"))
        if self.catcher and not self.off:
            raise ValueError(phrase("only a die that is off the table has a catcher"))
        if not (self.off and self.value == 0):
            _check_place(self.value, self.zone, dot=self.dot)


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed:
    """Somebody looked straight down on the dot: it is covered completely, or it is not."""

    covered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The King has chosen the mode of the next game."""

    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """A roll was misread; the dice really showed this. All that followed is scored again."""

    dice: tuple[Die, ...]
    reason: str = ""
    roll: int = 0
    """Rolls of the game count from 1; 0 is the last."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        if self.roll < 0:
            raise ValueError(
                phrase("roll is counted from 1, and 0 is the last; got {number}", number=self.roll)
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruled:
    """A third party has decided a dispute: the die of that landing lies in this zone."""

    zone: int
    by: str = ""
    """Who was asked."""
    landing: int = 0
    """Landings of the game count from 1; 0 is the last."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        _landing(self.landing)
        _zone("zone", self.zone)


@dataclass(frozen=True, slots=True, kw_only=True)
class DieRuled:
    """One die has decided a dispute: the zone that the party of the odd, or of the even numbers claims."""

    odd: int
    even: int
    value: int
    """What the deciding die shows."""
    landing: int = 0
    """Landings of the game count from 1; 0 is the last."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        _landing(self.landing)
        _zone("odd", self.odd)
        _zone("even", self.even)
        _check_place(self.value, 0, dot=False)
        if self.odd == self.even:
            raise ValueError(phrase("odd and even claim the same zone; there is nothing to decide"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Refereed:
    """The referee corrects a landing. All that followed is scored again."""

    landed: Landed
    """What really happened."""
    reason: str
    landing: int = 0
    """Landings of the game count from 1; 0 is the last."""

    def __post_init__(self) -> None:
        """Wrong facts die at birth."""
        _landing(self.landing)
        if not self.reason.strip():
            raise ValueError(phrase("a referee says why; the reason is empty"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """The last event that still counts no longer counts."""


GameEvent = Bet | Rolled | Stop | Pocket | Cache | Draw | Play | Landed | Confirmed | Chosen
"""Events that a rulebook answers."""

Ruling = Ruled | DieRuled | Refereed
"""Events that put another landing in an earlier one's place."""

Event = GameEvent | Corrected | Ruling | Undo
"""Everything that can happen at the table."""


def _zone(name: str, zone: int) -> None:
    if zone not in get_args(Zone):
        raise ValueError(
            phrase(
                "{field} is one of {zones}; got {zone}",
                field=name,
                zones=", ".join(map(str, get_args(Zone))),
                zone=zone,
            )
        )


def _landing(number: int) -> None:
    if number < 0:
        raise ValueError(phrase("landing is counted from 1, and 0 is the last; got {number}", number=number))


def _check_place(value: int, zone: int, *, dot: bool) -> None:
    """A die's number and zone, which may cover the dot only on the sheet."""
    if value not in FACES["pip"]:
        raise ValueError(phrase("value is 1 to 6; got {value}", value=value))
    _zone("zone", zone)
    if dot and zone < 2:
        raise ValueError(phrase("the dot lies in an end zone; no die covers it in zone {zone}", zone=zone))
