"""What the journal keeps, as it is handed about: moments, rows as they stand on the disk, games."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from device.journal.rows import Body, CourseNote, Row, RowKind
from engine.wording import phrase_later

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
