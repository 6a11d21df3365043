"""What the journal keeps, as it is handed about: moments, rows as they stand on the disk, games."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal

from msgspec import Struct

from device.journal.rows import Body, CourseNote, Row, RowKind, SignOffNote
from engine.wording import phrase, phrase_later
from engine.words import capital

GameId = int
ONCE_PUT_AWAY = phrase_later("put away for another game")
"""How an older Callbox ended a game when another was begun."""


@dataclass(frozen=True, slots=True)
class Moment:
    """When something happened: on the wall clock, and on the steady clock that never jumps."""

    utc: datetime
    steady_ms: float

    def __post_init__(self) -> None:
        """A moment without a time zone, or at no time, is none."""
        if self.utc.tzinfo is None:
            raise ValueError(f"a moment's wall clock carries a time zone; got {self.utc!r}")
        if not math.isfinite(self.steady_ms):
            raise ValueError(f"a moment's steady clock is a finite number of ms; got {self.steady_ms!r}")

    @property
    def real_ms(self) -> float:
        """The steady clock as SQLite keeps it: no whole number, and no zero below zero."""
        return float(self.steady_ms) + 0.0

    @property
    def iso(self) -> str:
        """Wall clock in UTC: "2026-11-20T18:04:05.123Z"."""
        return self.utc.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row as it stands in the journal."""

    seq: int
    """1, 2, 3, ... within its game."""
    at: str
    """Wall clock, ISO in UTC."""
    steady_ms: float
    kind: RowKind
    body: Body
    """As it came from the disk, with what only a newer Callbox knows: to be shown and exported."""
    row: Row
    """What it says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameRecord:
    """One game of the journal, without its rows."""

    id: GameId
    game: str
    players: tuple[str, ...]
    options: Mapping[str, str]
    begun: str
    """Wall clock, ISO in UTC."""
    begun_steady_ms: float
    ended: str | None
    """None while it may go on."""
    cause: str
    rows: int
    course: CourseNote | None = None
    """What people last did with the game as a whole, where it may go on; None for nothing."""
    touched: str = ""
    """When it last went on, ISO in UTC; "" where it has no row, or is over."""

    @property
    def is_open(self) -> bool:
        """Whether it may be gone on with: unfinished, or put away by a Callbox that called that an ending."""
        return self.ended is None or self.cause == ONCE_PUT_AWAY


# How the result of a game stands with the referee, by the rows of its journal and by nothing else.
#
# At a tournament a result counts once it is signed off. No rulebook knows of that: a game is over by its
# rules, and what people then say to its result is theirs. A family signs nothing, so its journals have no
# such rows.


class SignOff(Struct, frozen=True):
    """Whether a result counts."""

    standing: Literal["", "waits", "signed", "opened"] = ""
    """Nobody asks for a sign-off; it waits for one; it has one; it had one and was opened again."""
    by: str = ""
    """Who signed it off or opened it, in words: "the referee Cleo"."""
    at: str = ""
    """When, ISO in UTC."""
    reason: str = ""
    """Why it was opened again."""

    @property
    def waits(self) -> bool:
        """Whether somebody has to sign before the result counts."""
        return self.standing in ("waits", "opened")

    @property
    def closed(self) -> str:
        """Why nothing of the game can be changed; "" while it can."""
        if self.standing != "signed":
            return ""
        told = phrase(
            "{who} has signed this result off. Open it again first, with a reason.",
            who=self.by or phrase("the referee"),
        )
        return capital(told)


UNASKED = SignOff()
"""As it is at a table at which nobody signs."""


def signed_after(before: SignOff, row: Row, at: str) -> SignOff:
    """How it stands after a row that was written `at` (ISO in UTC)."""
    match row:
        case SignOffNote(what="asked"):
            return SignOff("waits")
        case SignOffNote(what="signed", by=by):
            return SignOff("signed", by, at)
        case SignOffNote(what="opened", by=by, text=reason):
            return SignOff("opened", by, at, reason)
        case _:
            return before


def sign_off_of(entries: Iterable[Entry]) -> SignOff:
    """How the result of a whole game stands."""
    found = UNASKED
    for entry in entries:
        found = signed_after(found, entry.row, entry.at)
    return found
