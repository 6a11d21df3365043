"""The journal: everything that happened at the table, on the disk before its effect is shown.

How it works. One SQLite file, one connection that writes, in WAL mode with synchronous=FULL: `append` returns
when its rows would survive a power cut, and puts all of them in or none. Rows are never changed or deleted
(the file itself refuses it); an undo is a row of its own. Tools that only look open the same file with
`open_reader`: they never write, and never fold the WAL into the file, which is the writer's work alone.

Times come in as arguments: the wall clock for people, the steady clock for measuring. The order of rows is
their `seq`, so a clock that jumps (a Pi boots in the past) breaks nothing. The file: docs/journal.md.
"""

import json
import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import apsw

from device.journal.bodies import kind_of, read_row, write_body
from device.journal.records import Entry, GameId, GameRecord, Moment
from device.journal.rows import Row
from device.journal.schema import BUSY_WAIT_MS, WAL_PAGES, prepare, require_ours, require_safe_sqlite
from device.journal.trouble import (
    JournalBroken,
    JournalDamaged,
    JournalError,
    JournalFull,
    NoSuchGame,
    RowBroken,
    in_words,
)

__all__ = [
    "Entry",
    "GameId",
    "GameRecord",
    "Journal",
    "JournalBroken",
    "JournalDamaged",
    "JournalError",
    "JournalFull",
    "JournalReader",
    "Moment",
    "NoSuchGame",
    "open_reader",
]

_GAMES = """SELECT id, game, players, options, begun, begun_steady_ms, ended, cause,
                   (SELECT coalesce(max(seq), 0) FROM entries WHERE game_id = games.id)
            FROM games"""


class JournalReader:
    """Looks things up. Every method raises `JournalError`, in a sentence, when the file cannot be read."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        """Takes over an open, checked connection; use `open_reader` or `Journal.open`."""
        self._db = connection
        self._path = path
        # The box's own thread writes while the console's may look: one statement at a time.
        self._lock = threading.RLock()

    @property
    def path(self) -> Path:
        """The journal's file."""
        return self._path

    def close(self) -> None:
        """Let the file go. May be called twice."""
        # The writer folds the WAL into the file as it leaves. Where the disk does not take that, every row
        # still stands in the WAL, and the next opening reads it there.
        with self._lock, suppress(apsw.Error):
            self._db.close(True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def games(self) -> tuple[GameRecord, ...]:
        """All games, oldest first."""
        with self._asking():
            return tuple(map(_record, self._db.execute(f"{_GAMES} ORDER BY id")))

    def game(self, game_id: GameId) -> GameRecord:
        """One game; raises `NoSuchGame`."""
        with self._asking():
            for found in self._db.execute(f"{_GAMES} WHERE id = ?", (game_id,)):
                return _record(found)
        raise NoSuchGame(f"there is no game {game_id} in {self._path}")

    def rows(self, game_id: GameId) -> tuple[Entry, ...]:
        """A game's rows in their order; raises `NoSuchGame`."""
        self.game(game_id)
        with self._asking():
            found = self._db.execute(
                "SELECT seq, at, steady_ms, kind, body FROM entries WHERE game_id = ? ORDER BY seq",
                (game_id,),
            ).fetchall()
        return tuple(self._entry(game_id, each) for each in found)

    def _entry(self, game_id: GameId, row: tuple[Any, ...]) -> Entry:
        seq, at, steady_ms, kind, text = row
        try:
            body = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RowBroken(
                f"row {seq} of game {game_id} in {self._path} cannot be read: {error}. "
                "Something else than Callbox wrote it: put the last copy of the folder back.",
                game_id,
                seq,
            ) from error
        return Entry(seq=seq, at=at, steady_ms=steady_ms, kind=kind, body=body, row=read_row(kind, body))

    def require_sound(self) -> None:
        """Raises `JournalDamaged` where the file does not hang together, or lists its games no more."""
        with self._asking():
            found = self._db.pragma("quick_check")
            if found != "ok":
                raise JournalDamaged(f"the journal {self._path} is damaged: {found}")
        self.games()

    def unfinished(self, game: str | None = None, players: Sequence[str] | None = None) -> GameId | None:
        """The game to go on with: the newest, if it has not ended (and is that game, with those players).

        Older ones stay as they are: once another game was begun, the box does not return to them by itself.
        """
        with self._asking():
            newest = next(map(_record, self._db.execute(f"{_GAMES} ORDER BY id DESC LIMIT 1")), None)
        if newest is None or newest.ended is not None:
            return None
        if (game or newest.game) != newest.game or tuple(players or newest.players) != newest.players:
            return None
        return newest.id

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """One look into the file; what SQLite says comes out in words."""
        with self._lock:
            try:
                yield
            except apsw.Error as error:
                raise in_words(error, self._path, writing=False) from error
            except (ValueError, TypeError, RecursionError) as error:  # bytes where there should be text, say
                raise JournalDamaged(f"the journal {self._path} is damaged: {error}.") from error


class Journal(JournalReader):
    """The one writer. Methods may be called from any thread; each returns when what it wrote is durable."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        """Takes over an open, prepared connection; use `Journal.open`."""
        super().__init__(connection, path)
        self._wal_pages = 0
        connection.set_wal_hook(self._note_wal)

    @classmethod
    def open(cls, path: Path, vfs: str | None = None) -> Self:
        """The journal at `path`, made if it is not there; raises `JournalBroken` or `JournalFull`.

        `vfs` names another SQLite file layer: tests put a failing disk there.
        """
        with _opening(path, writing=True):
            connection = apsw.Connection(str(path), vfs=vfs)
            try:
                prepare(connection, path)
            except BaseException:
                connection.close(True)
                raise
        return cls(connection, path)

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, str], at: Moment) -> GameId:
        """Open a new game. One that was still going on stays in the journal as it is."""
        with self._writing():
            self._db.execute(
                "INSERT INTO games(game, players, options, begun, begun_steady_ms) VALUES (?, ?, ?, ?, ?)",
                (game, _json(list(players)), _json(dict(options)), at.iso, at.steady_ms),
            )
            return self._db.last_insert_rowid()

    def append(self, game_id: GameId, rows: Sequence[Row], at: Moment, *, ended: str | None = None) -> int:
        """Put in all `rows` or none, and return the last row's `seq` once they would survive a power cut.

        `ended` belongs to the same write: a cause ends the game, "" takes an ending back (an undo of the last
        event), None leaves it as it is. Raises `JournalFull` when the disk does not take it: nothing is in
        then, and the same call may be tried again. Raises `NoSuchGame`.
        """
        bodies = [(kind_of(row), _json(write_body(row))) for row in rows]
        with self._writing():
            last = self._last_seq(game_id)
            self._db.executemany(
                "INSERT INTO entries(game_id, seq, at, steady_ms, kind, body) VALUES (?, ?, ?, ?, ?, ?)",
                (
                    (game_id, seq, at.iso, at.steady_ms, kind, body)
                    for seq, (kind, body) in enumerate(bodies, start=last + 1)
                ),
            )
            if ended is not None:
                self._set_ending(game_id, ended, at)
        return last + len(bodies)

    def branch(self, game_id: GameId, rows: int, at: Moment) -> GameId:
        """A new game that begins like another, with its first `rows` rows. The other stays as it is.

        Raises `NoSuchGame`, `JournalFull`.
        """
        self.game(game_id)
        with self._writing():
            self._db.execute(
                """INSERT INTO games(game, players, options, begun, begun_steady_ms)
                   SELECT game, players, options, ?, ? FROM games WHERE id = ?""",
                (at.iso, at.steady_ms, game_id),
            )
            branched = self._db.last_insert_rowid()
            self._db.execute(
                """INSERT INTO entries(game_id, seq, at, steady_ms, kind, body)
                   SELECT ?, seq, at, steady_ms, kind, body FROM entries WHERE game_id = ? AND seq <= ?""",
                (branched, game_id, rows),
            )
            return branched

    def number_on(self, last: GameId) -> None:
        """Give no new game a number up to `last`: games of another file had those, and pictures have them."""
        with self._writing():
            known = self._db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'games'").get
            if known is None:
                self._db.execute("INSERT INTO sqlite_sequence(name, seq) VALUES ('games', ?)", (last,))
            elif known < last:
                self._db.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'games'", (last,))

    def end(self, game_id: GameId, cause: str, at: Moment) -> None:
        """The game is over; a second call changes nothing. Raises `NoSuchGame`, `JournalFull`."""
        if not cause:
            raise ValueError("a game ends for a cause; to take an ending back, append with ended=''")
        with self._writing():
            self._last_seq(game_id)
            self._set_ending(game_id, cause, at)

    def _last_seq(self, game_id: GameId) -> int:
        """The last row's number, 0 for none."""
        for known, last in self._db.execute(
            """SELECT (SELECT count(*) FROM games WHERE id = ?1),
                      (SELECT coalesce(max(seq), 0) FROM entries WHERE game_id = ?1)""",
            (game_id,),
        ):
            if known:
                return int(last)
        raise NoSuchGame(f"there is no game {game_id} in {self._path}")

    def _set_ending(self, game_id: GameId, cause: str, at: Moment) -> None:
        if cause:
            self._db.execute(
                "UPDATE games SET ended = ?, cause = ? WHERE id = ? AND ended IS NULL",
                (at.iso, cause, game_id),
            )
        else:
            self._db.execute("UPDATE games SET ended = NULL, cause = '' WHERE id = ?", (game_id,))

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it is durable, or none of it is there."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
                self._fold_wal()
            except BaseException as error:
                self._take_back()
                if isinstance(error, apsw.Error):
                    raise in_words(error, self._path, writing=True) from error
                raise

    def _note_wal(self, _connection: apsw.Connection, _name: str, pages: int) -> int:
        """SQLite tells at each commit how long the WAL is."""
        self._wal_pages = pages
        return apsw.SQLITE_OK

    def _fold_wal(self) -> None:
        """Now and then, put the WAL's pages into the file. Where that fails, they stay in the WAL for now.

        Not left to SQLite, so that its trouble is never mistaken for the trouble of the commit before it.
        """
        if self._wal_pages >= WAL_PAGES:
            with suppress(apsw.Error):
                self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)

    def _take_back(self) -> None:
        """After a failed write: leave the transaction, and overwrite what of it may have reached the disk.

        A commit whose last sync failed can stand complete in the WAL, and after a power cut the file would
        then hold what the players were told had failed. The next write goes over it, so one is made at once;
        where the disk takes no write at all, the next one that it takes does the same. Folding the WAL into
        the file comes first: on a full disk the WAL can then start anew in the room it already has.
        """
        for mend in (
            lambda: self._db.in_transaction and self._db.execute("ROLLBACK"),
            lambda: self._db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE),
            lambda: self._db.execute("UPDATE upkeep SET failed_writes = failed_writes + 1"),
        ):
            with suppress(apsw.Error):
                mend()


def open_reader(path: Path) -> JournalReader:
    """Open for looking only, also while a box plays; raises `JournalBroken`. Never makes a file."""
    with _opening(path, writing=False):
        require_safe_sqlite()
        if not path.exists():
            raise JournalBroken(f"there is no journal at {path}. It is made when the first game is played.")
        connection = _read_only(path)
        try:
            connection.set_busy_timeout(BUSY_WAIT_MS)
            require_ours(connection, path)
        except BaseException:
            connection.close(True)
            raise
    return JournalReader(connection, path)


def _read_only(path: Path) -> apsw.Connection:
    """A read-only connection; on a disk that takes no writes, one that expects no writer either."""
    wal = path.with_name(path.name + "-wal")
    settled = not wal.exists() or wal.stat().st_size == 0
    if settled and not os.access(path.parent, os.W_OK):
        # SQLite would want to make its shared memory beside the file; without a WAL nothing is missed.
        return apsw.Connection(
            f"{path.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)


@contextmanager
def _opening(path: Path, *, writing: bool) -> Iterator[None]:
    """What goes wrong while opening, in words."""
    try:
        yield
    except apsw.Error as error:
        raise in_words(error, path, writing=writing) from error
    except OSError as error:
        raise JournalBroken(f"the journal {path} cannot be opened: {error.strerror}.") from error


def _record(row: tuple[Any, ...]) -> GameRecord:
    game_id, game, players, options, begun, begun_steady_ms, ended, cause, rows = row
    return GameRecord(
        id=game_id,
        game=game,
        players=tuple(json.loads(players)),
        options=json.loads(options),
        begun=begun,
        begun_steady_ms=begun_steady_ms,
        ended=ended,
        cause=cause,
        rows=rows,
    )


def _json(value: object) -> str:
    """Compact JSON; raises `ValueError` or `TypeError` for what JSON cannot say, such as NaN.

    Plain ASCII: a broken character in a name is then kept as it came instead of breaking the write.
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
