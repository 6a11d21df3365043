"""The score pad: what people would write down on paper while they play, for those who look.

A pad is made from the game as it counts, so a ruling or an UNDO changes it, too. Nobody needs it to play:
it is made only when somebody looks, and no position holds any of it.
"""

from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, runtime_checkable

from engine.game import Played, Position

PadKind = Literal["score-card", "goal", "dice", "games", "solo", "king", "tournament", "quotas"]
RowRole = Literal[
    "turn", "bonus", "extra", "minus", "total", "state", "cards", "king", "challenger", "waiting", "through"
]
"""What a row is: a turn of everybody, what the card adds by itself, a sum, or one player's place."""
Mark = Literal["", "now", "crossed", "missed", "won", "challenged", "out"]
"""`now`: it is being filled. `crossed`: marked with an x as on paper, because it was earned. `missed`: it was
not, or brought nothing. `won`, `challenged`, `out`: a game, a score, a player."""


class PadDie(NamedTuple):
    """One die that a cell was filled with; a list in JSON, for a full card has hundreds."""

    landing: int
    """Which landing of the game it was, counted from 1 as rulings name it."""
    words: str
    """Where it lay in the end: "5 x 20"."""
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PadCell:
    """One field of the pad: what one player has in one row."""

    points: int | None = None
    """None while nothing is written there."""
    words: str = ""
    """What is written beside or instead of points: "62 of 100", "ZONK"."""
    dice: tuple[PadDie, ...] = ()
    mark: Mark = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadRow:
    """One line of the pad."""

    name: str
    """What is printed before it: "7", "Bonus"."""
    role: RowRole
    about: str = ""
    """What it is for, in small print: "two dice", "100 after line 7"."""
    cells: tuple[PadCell, ...]
    """One for each column."""
    players: tuple[str, ...] = ()
    """Whose line it is, where rows are players; else empty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PadColumn:
    """One column of the pad."""

    name: str
    players: tuple[str, ...] = ()
    """Whose it is: one player, or partners on one margin; empty where columns are no players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScorePad:
    """One paper: its columns and its lines."""

    kind: PadKind
    title: str
    columns: tuple[PadColumn, ...]
    rows: tuple[PadRow, ...]


@runtime_checkable
class KeepsPad(Position, Protocol):
    """One moment of a game that people write down on paper."""

    def pads(self, start: Position, played: Played) -> tuple[ScorePad, ...]:
        """The papers as they are now, `played` being the game from `start` to this position."""
        ...


EMPTY = PadCell()
