"""What the venue's desk keeps: its boxes with their keys, and their journals' rows as they were written.

One SQLite file, written by one connection in WAL mode with synchronous=FULL, as a box's journal is:
`transaction` returns when what was taken inside would survive a power cut. Every row is held against the
chain of its box's journal (`device.journal.chain`) before it is taken, and none is changed afterwards.
"""

import csv
import io
import secrets
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, Self, TypeVar

import apsw
from msgspec import Struct

from device.decode import Undecodable, decode_json
from device.journal import JournalError
from device.journal.chain import link
from device.journal.export import cell
from device.journal.outbox import HeldGame, OutBatch, OutEnding, OutGame, OutRow
from device.journal.records import Entry, GameRecord
from device.journal.rows import RowKind, read_row
from device.reports.gathering import LeftOut, gather
from device.reports.played import PlayedGame
from device.reports.results import Result, results
from engine.wording import phrase, phrase_later

BUSY_WAIT_MS = 5000
UNREADABLE_ROW = phrase_later("row {seq} of its game {game_id} cannot be read ({error})")
_TABLES = """
CREATE TABLE IF NOT EXISTS boxes (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, secret TEXT NOT NULL, paired TEXT NOT NULL,
    revoked INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS invitations (
    id TEXT PRIMARY KEY, code TEXT NOT NULL, name TEXT NOT NULL, until_s REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS waiting (box TEXT PRIMARY KEY, what TEXT NOT NULL, since_s REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS games (
    box TEXT NOT NULL REFERENCES boxes(id), id INTEGER NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL,
    options TEXT NOT NULL, begun TEXT NOT NULL, begun_steady_ms REAL NOT NULL, before TEXT NOT NULL,
    hash TEXT NOT NULL, ended TEXT, cause TEXT NOT NULL DEFAULT '', end_hash TEXT NOT NULL DEFAULT '',
    rows INTEGER NOT NULL DEFAULT 0, head TEXT NOT NULL, PRIMARY KEY (box, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    box TEXT NOT NULL, game INTEGER NOT NULL, seq INTEGER NOT NULL, at TEXT NOT NULL, steady_ms REAL NOT NULL,
    kind TEXT NOT NULL, body TEXT NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (box, game, seq)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
BEGIN SELECT raise(ABORT, 'what happened is never deleted'); END;
CREATE TRIGGER IF NOT EXISTS entries_keep BEFORE UPDATE ON entries
BEGIN SELECT raise(ABORT, 'what happened is never changed'); END;
"""


class LedgerBroken(Exception):
    """The desk's file cannot be used. `str(error)` names cause and fix."""


class NotTaken(Exception):
    """Rows that the desk does not believe. `str(error)` says why, in a sentence."""


class KnownBox(Struct, frozen=True):
    """A box that was paired."""

    id: str
    name: str
    secret: str
    paired: str
    revoked: bool = False


class Invitation(Struct, frozen=True):
    """A code that one box may come with."""

    id: str
    code: str
    name: str
    until_s: float
    """Good until then, in seconds of the wall clock."""


class Ledger:
    """The file; its methods may be called from any thread, and raise `LedgerBroken`."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        """Takes over an open connection; use `open`."""
        self._db, self._path = connection, path
        self._lock = threading.RLock()

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The desk's file in its data folder, made where it is not there; raises `LedgerBroken`."""
        path = folder / "desk.db"
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.touch(mode=0o600)
            connection = apsw.Connection(str(path))
            connection.set_busy_timeout(BUSY_WAIT_MS)
            connection.pragma("journal_mode", "wal")
            connection.pragma("synchronous", "full")
            connection.execute(_TABLES)
        except (OSError, apsw.Error) as error:
            raise LedgerBroken(
                phrase(
                    "the desk's file {path} cannot be opened ({error}). Make its folder writable, or "
                    "name another with --data.",
                    path=path,
                    error=error,
                )
            ) from error
        return cls(connection, path)

    def close(self) -> None:
        """Let the file go."""
        with self._lock:
            self._db.close(True)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written inside is durable afterwards, or none of it is there."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException as error:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                if isinstance(error, apsw.Error):
                    raise LedgerBroken(
                        phrase(
                            "the disk with {path} took nothing ({error}). Make room on it: the boxes keep "
                            "what they play, and tell it again.",
                            path=self._path,
                            error=error,
                        )
                    ) from error
                raise

    def prepare(self, tables: str) -> None:
        """Make further tables, for what is kept beside the rows; raises `LedgerBroken`."""
        with self.transaction():
            self._db.execute(tables)

    def find(self, query: str, *fields: object) -> list[tuple[Any, ...]]:
        """What a query finds."""
        with self._lock:
            return _rows(self._db.execute(query, fields))

    def put(self, query: str, *fields: object) -> None:
        """Write something. Call it inside `transaction`."""
        with self._lock:
            self._db.execute(query, fields)

    @property
    def changes(self) -> int:
        """Differs when another process has written: somebody invited a box, or revoked one."""
        with self._lock:
            return int(self._db.pragma("data_version"))

    def boxes(self) -> list[KnownBox]:
        """All that were paired, the revoked ones too, in the order of their names."""
        with self._lock:
            found = self._db.execute(
                "SELECT id, name, secret, paired, revoked FROM boxes ORDER BY name, paired"
            )
            return [
                KnownBox(box, name, secret, paired, bool(gone))
                for box, name, secret, paired, gone in _rows(found)
            ]

    def invite(self, invitation: Invitation) -> None:
        """Let one box come with that code."""
        with self.transaction():
            self._db.execute("DELETE FROM invitations WHERE name = ?", (invitation.name,))
            fields = (invitation.id, invitation.code, invitation.name, invitation.until_s)
            self._db.execute("INSERT INTO invitations VALUES (?, ?, ?, ?)", fields)

    def take_up(self, invitation_id: str, now_s: float, at: str) -> tuple[Invitation, KnownBox] | None:
        """The box that comes with an invitation, with new keys; None for one that is not, or no longer, good.

        Another box of that name is revoked: its card may be the one that was lost.
        """
        with self.transaction():
            query = "SELECT id, code, name, until_s FROM invitations WHERE id = ? AND until_s > ?"
            found = self._db.execute(query, (invitation_id, now_s)).fetchone()
            if found is None:
                return None
            invitation = Invitation(*found)
            self._db.execute("DELETE FROM invitations WHERE id = ?", (invitation_id,))
            self.revoke(invitation.name)
            box = KnownBox(secrets.token_hex(6), invitation.name, secrets.token_hex(32), at)
            fields = (box.id, box.name, box.secret, box.paired)
            self._db.execute("INSERT INTO boxes(id, name, secret, paired) VALUES (?, ?, ?, ?)", fields)
            return invitation, box

    def revoke(self, name: str) -> bool:
        """The box of that name is believed no more; False where there is none. What it told stays."""
        with self._lock:
            self._db.execute("UPDATE boxes SET revoked = 1 WHERE name = ? AND NOT revoked", (name,))
            return self._db.changes() > 0

    def waits(self, box: str, what: str, now_s: float) -> float | None:
        """Note what a table waits for, "" for nothing; returns since when, so that no restart loses a place.

        Call it inside `transaction`.
        """
        with self._lock:
            if not what:
                self._db.execute("DELETE FROM waiting WHERE box = ?", (box,))
                return None
            said = "INSERT INTO waiting VALUES (?, ?, ?) ON CONFLICT (box) DO UPDATE SET what = excluded.what"
            self._db.execute(said, (box, what, now_s))
            since: float = self._db.execute("SELECT since_s FROM waiting WHERE box = ?", (box,)).get
            return since

    def held(self, box: str) -> dict[int, HeldGame]:
        """What is held of each game of a box."""
        with self._lock:
            found = self._db.execute("SELECT id, rows, head, end_hash FROM games WHERE box = ?", (box,))
            return {game: HeldGame(rows, head, end) for game, rows, head, end in found}

    def take(self, box: str, batch: OutBatch) -> tuple[HeldGame, int]:
        """Put in what of a batch is new; returns what is held of that game, and how many rows were new.

        Call it inside `transaction`.
        Rows that came before are passed over, and those after a gap are not taken. Raises `NotTaken`, and
        then nothing of it was put in.
        """
        with self._lock, self._db:  # a savepoint of SQLite's
            taken = self._put_in(box, batch)
        return taken  # noqa: RET504 - apsw's types let a savepoint swallow exceptions

    def _put_in(self, box: str, batch: OutBatch) -> tuple[HeldGame, int]:
        held = self._game(box, batch.game)
        new = self._new_rows(box, batch, held)
        head = _raw(held.head)
        written = []
        for seq, row in enumerate(new, start=held.rows + 1):
            head = _follow(head, batch.game.id, seq, row)
            _check_body(batch.game.id, seq, row)
            written.append((box, batch.game.id, seq, *_fields(row), head))
        ending = _checked(batch)
        self._db.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)", written)
        rows, end = held.rows + len(written), held.end
        if batch.whole and batch.first - 1 + len(batch.rows) == rows:
            end = ending.hash if ending else ""
            said = (ending.at, ending.cause, end) if ending else (None, "", "")
            query = "UPDATE games SET ended = ?, cause = ?, end_hash = ? WHERE box = ? AND id = ?"
            self._db.execute(query, (*said, box, batch.game.id))
        query = "UPDATE games SET rows = ?, head = ? WHERE box = ? AND id = ?"
        self._db.execute(query, (rows, head.hex(), box, batch.game.id))
        return HeldGame(rows, head.hex(), end), len(written)

    def _game(self, box: str, line: OutGame) -> HeldGame:
        """What is held of that game; its line is put in where it is new. Raises `NotTaken`."""
        query = "SELECT hash, rows, head, end_hash FROM games WHERE box = ? AND id = ?"
        found = self._db.execute(query, (box, line.id)).fetchone()
        if found is not None:
            if found[0] != line.hash:
                raise NotTaken(
                    phrase(
                        "its game {game_id} is another than the one held here: an older backup was restored, "
                        "or its card is a copy. Pair the box again",
                        game_id=line.id,
                    )
                )
            return HeldGame(*found[1:])
        fields = (line.id, line.game, line.players, line.options, line.begun, line.begun_steady_ms)
        before = self._db.execute(
            "SELECT hash FROM games WHERE box = ? AND id = ?", (box, line.id - 1)
        ).fetchone()
        made = link(_raw(line.before), *fields).hex()
        if made != line.hash or (before is not None and before[0] != line.before):
            raise NotTaken(
                phrase(
                    "the line of its game {game_id} is not as it was written: run callbox verify on it",
                    game_id=line.id,
                )
            )
        _check_line(line)
        self._db.execute(
            """INSERT INTO games(box, id, game, players, options, begun, begun_steady_ms, before, hash, head)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (box, *fields, line.before, line.hash, line.hash),
        )
        return HeldGame(0, line.hash, "")

    def _new_rows(self, box: str, batch: OutBatch, held: HeldGame) -> tuple[OutRow, ...]:
        """The rows that are not held yet; raises `NotTaken` where one that is held was another."""
        if batch.first < 1 or batch.first > held.rows + 1:
            return ()
        known = batch.rows[: held.rows + 1 - batch.first]
        if not known:
            return batch.rows
        query = "SELECT hash FROM entries WHERE box = ? AND game = ? AND seq >= ? ORDER BY seq LIMIT ?"
        hashes = _rows(self._db.execute(query, (box, batch.game.id, batch.first, len(known))))
        for seq, row, (found,) in zip(range(batch.first, held.rows + 1), known, hashes, strict=False):
            if found.hex() != row.hash:
                raise NotTaken(
                    phrase(
                        "row {seq} of its game {game_id} is another than the one held here: an older backup "
                        "was restored, or its card is a copy. Pair the box again",
                        seq=seq,
                        game_id=batch.game.id,
                    )
                )
        return batch.rows[len(known) :]

    def records(self, box: str) -> list[GameRecord]:
        """A box's games, oldest first."""
        with self._lock:
            query = """SELECT id, game, players, options, begun, begun_steady_ms, ended, cause, rows
                       FROM games WHERE box = ? ORDER BY id"""
            found = _rows(self._db.execute(query, (box,)))
        return [_record(row) for row in found]

    def entries(self, box: str, game_id: int) -> tuple[Entry, ...]:
        """A game's rows in their order; raises `JournalError` where one cannot be read."""
        with self._lock:
            query = """SELECT seq, at, steady_ms, kind, body FROM entries
                       WHERE box = ? AND game = ? ORDER BY seq"""
            found = _rows(self._db.execute(query, (box, game_id)))
        return tuple(_entry(game_id, *row) for row in found)


def _record(row: tuple[Any, ...]) -> GameRecord:
    """A game's line. One that cannot be read, of a desk that looked less closely, has no players."""
    game_id, game, players, options, begun, begun_steady_ms, ended, cause, rows = row
    try:
        read = decode_json(players, tuple[str, ...]), decode_json(options, dict[str, str])
    except Undecodable:
        read = (), {}
    return GameRecord(
        id=game_id,
        game=game,
        players=read[0],
        options=read[1],
        begun=begun,
        begun_steady_ms=begun_steady_ms,
        ended=ended,
        cause=cause,
        rows=rows,
    )


def _entry(game_id: int, seq: int, at: str, steady_ms: float, kind: RowKind, text: str) -> Entry:
    try:
        body = decode_json(text, dict[str, Any])
    except Undecodable as error:
        raise JournalError(phrase(UNREADABLE_ROW, seq=seq, game_id=game_id, error=error)) from error
    return Entry(seq=seq, at=at, steady_ms=steady_ms, kind=kind, body=body, row=read_row(kind, body))


def _check_line(line: OutGame) -> None:
    """Raise `NotTaken` where a game's line has a right hash and says what no box writes."""
    try:
        decode_json(line.players, tuple[str, ...])
        decode_json(line.options, dict[str, str])
    except Undecodable as error:
        raise NotTaken(
            phrase("its game {game_id} cannot be read ({error})", game_id=line.id, error=error)
        ) from error


def _check_body(game_id: int, seq: int, row: OutRow) -> None:
    """Raise `NotTaken` where a row has a right hash and says what no box writes."""
    try:
        decode_json(row.body, dict[str, Any])
    except Undecodable as error:
        raise NotTaken(phrase(UNREADABLE_ROW, seq=seq, game_id=game_id, error=error)) from error


def _rows(found: apsw.Cursor) -> list[tuple[Any, ...]]:
    """All rows; what is in which column the tables above say."""
    return found.fetchall()


def _follow(head: bytes, game_id: int, seq: int, row: OutRow) -> bytes:
    """The row's hash, once it is seen to follow the one before; raises `NotTaken`."""
    made = link(head, game_id, seq, *_fields(row))
    if made.hex() != row.hash:
        raise NotTaken(
            phrase(
                "row {seq} of its game {game_id} is not as it was written: run callbox verify on the box",
                seq=seq,
                game_id=game_id,
            )
        )
    return made


def _checked(batch: OutBatch) -> OutEnding | None:
    """The ending, once it is seen to be as it was written; raises `NotTaken`."""
    ending = batch.ending
    if ending and link(_raw(batch.game.hash), ending.at, ending.cause).hex() != ending.hash:
        raise NotTaken(
            phrase("the ending of its game {game_id} is not as it was written", game_id=batch.game.id)
        )
    return ending


def _fields(row: OutRow) -> tuple[str, float, str, str]:
    return row.at, row.steady_ms, row.kind, row.body


def _raw(head: str) -> bytes:
    """A hash that somebody sent; raises `NotTaken`."""
    try:
        return bytes.fromhex(head)
    except ValueError:
        raise NotTaken(phrase("it sends hashes that are none")) from None


# Who came where at all tables of a hall, for spreadsheets; counted as `callbox results` counts.

T = TypeVar("T")


class HeldJournal:
    """The games of one box, as the desk holds them."""

    def __init__(self, ledger: Ledger, box: str) -> None:
        self._ledger, self._box = ledger, box

    def rows(self, game_id: int) -> tuple[Entry, ...]:
        """A game's rows in their order."""
        return self._ledger.entries(self._box, game_id)


def read_game(ledger: Ledger, box: str, record: GameRecord) -> PlayedGame | LeftOut:
    """Play a held game again, or say why it cannot be counted. Raises `LedgerBroken` alone."""
    (found,) = _or_left_out(record, lambda: list(gather(HeldJournal(ledger, box), [record])))
    return found


def results_of_all(ledger: Ledger) -> str:
    """A line for each player of each game, UTF-8 with its mark: the table's name first, then as at a box.

    A game that cannot be counted is there with its reason under `state`.
    """
    text = io.StringIO()
    text.write("\ufeff")
    columns = ["table", *Result.__dataclass_fields__]
    writer = csv.DictWriter(text, columns, lineterminator="\r\n", restval="")
    writer.writeheader()
    for box in ledger.boxes():
        for record in ledger.records(box.id):
            for each in _results(ledger, box.id, record):
                if isinstance(each, LeftOut):
                    told = {"game_id": str(each.game_id), "state": cell(each.why)}
                else:
                    told = {key: cell(value) for key, value in asdict(each).items()}
                writer.writerow({"table": cell(box.name), **told})
    return text.getvalue()


def _results(ledger: Ledger, box: str, record: GameRecord) -> Sequence[Result | LeftOut]:
    game = read_game(ledger, box, record)
    return [game] if isinstance(game, LeftOut) else _or_left_out(record, lambda: results(game))


def _or_left_out(record: GameRecord, make: Callable[[], Sequence[T]]) -> Sequence[T | LeftOut]:
    """Make that of a game, whatever another machine's rows make the rules do: the other games count."""
    try:
        return make()
    except LedgerBroken:
        raise
    except Exception as error:  # noqa: BLE001 - see above
        return [LeftOut(record.id, phrase("It cannot be played again ({error}).", error=repr(error)[:200]))]
