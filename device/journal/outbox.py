"""What of a journal may leave the box: rows as they are written, in their order, and nothing that is secret.

A row goes out with its text and its hash, so that whoever gets it can hold it against the chain
(`device.journal.chain`). A running game goes out up to its first secret row, as `callbox export --format
events` tells it: numbers and hashes of later rows would tell, too. A game with a deck that the box deals goes
out at its end, for its options tell the next cards.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from device.journal.chain import START
from device.journal.reader import JournalReader, open_reader
from device.journal.records import GameId, GameRecord
from device.journal.replay import options_shown, replay
from engine.wording import phrase

ROWS_AT_ONCE = 100
BYTES_AT_ONCE = 60_000
"""How much goes out at a time; one row that is larger goes out alone."""


class Diverged(Exception):
    """The journal is not the one whose rows are held elsewhere. `str(error)` says what differs."""


class OutRow(Struct, frozen=True, array_like=True):
    """A row as it stands in the file."""

    at: str
    steady_ms: float
    kind: str
    body: str
    hash: str
    """In hex, as all hashes here."""


class OutEnding(Struct, frozen=True):
    """How a game ended."""

    at: str
    cause: str
    hash: str


class OutGame(Struct, frozen=True):
    """A game's own line as it stands in the file."""

    id: GameId
    game: str
    players: str
    """JSON."""
    options: str
    """JSON."""
    begun: str
    begun_steady_ms: float
    before: str
    """The hash of the game before."""
    hash: str


class OutBatch(Struct, frozen=True):
    """Some rows of one game, one after the other."""

    game: OutGame
    first: int
    """The number of the first row."""
    rows: tuple[OutRow, ...]
    whole: bool
    """Whether these are all that the game had when they were read."""
    ending: OutEnding | None = None
    """Only where they are."""


class HeldGame(Struct, frozen=True):
    """What is held of a game elsewhere."""

    rows: int = 0
    head: str = ""
    """The hash of the last of them, in hex; the game's own where there is none."""
    end: str = ""
    """Its ending's; "" where none is held."""


class Outbox:
    """One journal, read while its box writes."""

    def __init__(self, path: Path) -> None:
        """`path`: the journal's file; it is opened for each look, for it may be put aside and made anew."""
        self._path = path
        self._counted: dict[GameId, tuple[int, int]] = {}
        """How many rows each running game had, and how many of them may be told."""

    def next(self, held: Mapping[GameId, HeldGame]) -> OutBatch | None:
        """What is to go out next where so much is held; None when nothing is.

        Raises `JournalError`, and `Diverged` where what is held did not come from this journal.
        """
        with open_reader(self._path) as reader:
            for record in reader.games():
                if batch := self._of_game(reader, record, held.get(record.id)):
                    return batch
        return None

    def _of_game(self, reader: JournalReader, record: GameRecord, held: HeldGame | None) -> OutBatch | None:
        if options_shown(record) != dict(record.options):
            return None
        line, ending = _line_of(reader, record.id)
        there = held or HeldGame(head=line.hash)
        _refuse_other(reader, line, record, there)
        tellable = self._tellable(reader, record)
        whole = tellable == record.rows
        due_end = ending.hash if ending and whole else ""
        if held is not None and there.rows >= tellable and (not whole or there.end == due_end):
            return None
        rows = _cut(
            reader.written_rows(record.id, there.rows, max(0, min(ROWS_AT_ONCE, tellable - there.rows)))
        )
        last = there.rows + len(rows) == record.rows
        return OutBatch(line, there.rows + 1, rows, whole=last, ending=ending if last else None)

    def _tellable(self, reader: JournalReader, record: GameRecord) -> int:
        """How many rows, from the first on, may be told."""
        if record.ended is not None:
            self._counted.pop(record.id, None)
            return record.rows
        rows, told = self._counted.get(record.id, (-1, 0))
        if rows != record.rows:
            steps = replay(record, reader.rows(record.id)).steps[: record.rows]
            told = sum(step.public for step in steps)
            self._counted[record.id] = record.rows, told
        return told


def _line_of(reader: JournalReader, game_id: GameId) -> tuple[OutGame, OutEnding | None]:
    game, players, options, begun, steady_ms, ended, cause, head, end, before = reader.written_game(game_id)
    line = OutGame(
        game_id, game, players, options, begun, steady_ms, before=(before or START).hex(), hash=head.hex()
    )
    return line, OutEnding(ended, cause, end.hex()) if end else None


def _refuse_other(reader: JournalReader, line: OutGame, record: GameRecord, held: HeldGame) -> None:
    """Raises `Diverged` where the rows that are held are not this journal's."""
    head = line.hash
    if 0 < held.rows <= record.rows:
        ((*_, found),) = reader.written_rows(record.id, held.rows - 1, 1)
        head = found.hex()
    if held.rows > record.rows or held.head != head:
        raise Diverged(
            phrase(
                "the desk holds {rows} rows of a game {game_id} that is not the one in this journal: "
                "an older backup was restored, or the card is a copy. Pair the box with the desk "
                "again.",
                rows=held.rows,
                game_id=record.id,
            )
        )


def _cut(rows: list[tuple[str, float, str, str, bytes]]) -> tuple[OutRow, ...]:
    """As many of the rows as go out at a time."""
    taken: list[OutRow] = []
    size = 0
    for at, steady_ms, kind, body, head in rows:
        size += len(body)
        if taken and size > BYTES_AT_ONCE:
            break
        taken.append(OutRow(at, steady_ms, kind, body, head.hex()))
    return tuple(taken)
