"""Looking into the journal: nothing here writes.

Tools that only look open the file with `open_reader`: they never fold the WAL into it, which is the writer's
work alone. Each row is held against its hash as it is read (`device.journal.chain`).
"""

import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import apsw

from device.journal.chain import link
from device.journal.records import ONCE_PUT_AWAY, Entry, GameId, GameRecord
from device.journal.rows import CourseNote, SignOffNote, read_row
from device.journal.schema import (
    BUSY_WAIT_MS,
    GAMES,
    ROWS,
    look_without_room,
    require_ours,
    require_safe_sqlite,
)
from device.journal.trouble import JournalBroken, JournalDamaged, NoSuchGame, RowBroken, in_words
from engine.wording import phrase

SHARED_BYTES = 64_000
"""SQLite's shared memory has 32 kB for a short WAL; the WAL itself needs some, too."""
OPEN = f"(ended IS NULL OR cause = '{ONCE_PUT_AWAY}')"
"""Games that may be gone on with."""
_GAMES = f"""SELECT id, game, players, options, begun, begun_steady_ms, ended, cause,
                    (SELECT coalesce(max(seq), 0) FROM entries WHERE game_id = games.id),
                    CASE WHEN {OPEN} THEN
                      (SELECT body FROM entries WHERE game_id = games.id AND kind = 'note'
                         AND body LIKE '{{"said":"game",%' ORDER BY seq DESC LIMIT 1) END,
                    CASE WHEN {OPEN} THEN
                      (SELECT at FROM entries WHERE game_id = games.id ORDER BY seq DESC LIMIT 1) END
             FROM games"""  # noqa: S608 - made of constants

_WRITTEN = GAMES.replace(
    " FROM games ORDER BY id",
    """, hash, end_hash,
      (SELECT hash FROM games AS before WHERE before.id < games.id ORDER BY before.id DESC LIMIT 1)
      FROM games WHERE id = ?""",
)


class JournalReader:
    """Looks things up. Every method raises `JournalError`, in a sentence, when the file cannot be read."""

    def __init__(self, connection: apsw.Connection, path: Path) -> None:
        """Takes over an open, checked connection; use `open_reader` or `Journal.open`."""
        self._db = connection
        self._path = path
        self._chained = connection.pragma("user_version") >= 2
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
        raise NoSuchGame(phrase("There is no game {game_id} in this journal.", game_id=game_id))

    def rows(self, game_id: GameId, after: int = 0) -> tuple[Entry, ...]:
        """A game's rows in their order, those after row `after`.

        Raises `NoSuchGame`, and `RowBroken` for one that was changed.
        """
        if not after:
            self.game(game_id)
        with self._asking():
            query, head = ROWS.replace(" ORDER", " AND seq > ? ORDER"), None
            if self._chained:
                query = query.replace(" FROM", ", hash FROM")
                head = self._hash(game_id, after)
            else:
                query = query.replace(" FROM", ", NULL FROM")
            rows: list[tuple[Any, ...]] = self._db.execute(query, (game_id, after)).fetchall()
        entries: list[Entry] = []
        for number, row in enumerate(rows, after + 1):
            entries.append(self._entry(row))
            if self._chained and (row[1] != number or link(head or b"", *row[:-1]) != row[-1]):
                raise RowBroken(
                    phrase(
                        "row {number} of game {game_id} in {path} was changed, or is missing. callbox verify "
                        "says what is whole.",
                        number=number,
                        game_id=game_id,
                        path=self._path,
                    ),
                    game_id,
                    number,
                )
            head = row[-1]
        return tuple(entries)

    def written_game(self, game_id: GameId) -> tuple[Any, ...]:
        """A game's line as it stands in the file: `GAMES` after the number, its hash, its ending's, and the
        hash of the game before it.

        Raises `NoSuchGame`. A hash is None where there is none.
        """
        with self._asking():
            for found in self._db.execute(_WRITTEN, (game_id,)):
                return tuple(found[1:])
        raise NoSuchGame(phrase("There is no game {game_id} in this journal.", game_id=game_id))

    def written_rows(
        self, game_id: GameId, after: int, most: int
    ) -> list[tuple[str, float, str, str, bytes]]:
        """At most so many rows after that one as they stand: `at`, `steady_ms`, kind, body, hash."""
        with self._asking():
            query = """SELECT at, steady_ms, kind, body, hash FROM entries
                       WHERE game_id = ? AND seq > ? ORDER BY seq LIMIT ?"""
            found: list[Any] = self._db.execute(query, (game_id, after, most)).fetchall()
            return found

    def _hash(self, game_id: GameId, seq: int) -> bytes | None:
        """What the row after that one is chained to; the game itself for its first row."""
        found: bytes | None = self._db.execute("SELECT hash FROM games WHERE id = ?", (game_id,)).get
        if seq:
            query = "SELECT hash FROM entries WHERE game_id = ? AND seq = ?"
            found = self._db.execute(query, (game_id, seq)).get
        return found

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        game_id, seq, at, steady_ms, kind, text, _ = row
        try:
            body = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise RowBroken(
                phrase(
                    "row {seq} of game {game_id} in {path} cannot be read: {error}. Something else than "
                    "Callbox wrote it: put the last copy of the folder back.",
                    seq=seq,
                    game_id=game_id,
                    path=self._path,
                    error=error,
                ),
                game_id,
                seq,
            ) from error
        return Entry(seq=seq, at=at, steady_ms=steady_ms, kind=kind, body=body, row=read_row(kind, body))

    def open_games(self) -> tuple[GameRecord, ...]:
        """The games that may be gone on with, oldest first."""
        with self._asking():
            return tuple(map(_record, self._db.execute(f"{_GAMES} WHERE {OPEN} ORDER BY id")))

    def unsigned(self, most: int) -> tuple[GameRecord, ...]:
        """The games among the `most` newest ones over whose result waits for a sign-off, oldest first."""
        newest = f"SELECT id FROM games WHERE NOT {OPEN} ORDER BY id DESC LIMIT ?"  # noqa: S608 - made of constants
        notes = f"""SELECT game_id, body FROM entries WHERE game_id IN ({newest}) AND kind = 'note'
                      AND body LIKE '{{"said":"sign-off",%' ORDER BY game_id, seq"""  # noqa: S608 - made of constants
        with self._asking():
            last = dict(self._db.execute(notes, (most,)))
            waits = [game_id for game_id, body in last.items() if _waits(body)]
        return tuple(map(self.game, waits))

    def unfinished(self, game: str | None = None, players: Sequence[str] | None = None) -> GameId | None:
        """The game that is at the table: unfinished, not put away (and that game, with those players).

        It is the newest, or an older one that was taken up again. Others stay as they are: the box does not
        return to them by itself.
        """
        with self._asking():
            newest = self._db.execute("SELECT max(id) FROM games").get
        at_table = [record for record in self.open_games() if _is_at_table(record, newest)]
        if not at_table:
            return None
        found = at_table[-1]
        if (game or found.game) != found.game or tuple(players or found.players) != found.players:
            return None
        return found.id

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """One look into the file; what SQLite says comes out in words."""
        with self._lock:
            try:
                yield
            except apsw.Error as error:
                raise in_words(error, self._path, writing=False) from error
            except (ValueError, TypeError, RecursionError) as error:  # bytes where there should be text, say
                raise JournalDamaged(
                    phrase("the journal {path} is damaged: {error}.", path=self._path, error=error)
                ) from error


def open_reader(path: Path) -> JournalReader:
    """Open for looking only, also while a box plays; raises `JournalBroken`. Never makes a file."""
    with opening(path, writing=False):
        require_safe_sqlite()
        if not path.exists():
            raise JournalBroken(
                phrase("there is no journal at {path}. It is made when the first game is played.", path=path)
            )
        connection = read_only(path)
        try:
            connection.set_busy_timeout(BUSY_WAIT_MS)
            require_ours(connection, path)
        except BaseException:
            connection.close(True)
            raise
    return JournalReader(connection, path)


def read_only(path: Path) -> apsw.Connection:
    """A read-only connection; on a disk that takes no writes, one that expects no writer either."""
    wal = path.with_name(path.name + "-wal")
    settled = not wal.exists() or wal.stat().st_size == 0
    if settled and not os.access(path.parent, os.W_OK):
        # SQLite would want to make its shared memory beside the file; without a WAL nothing is missed.
        return apsw.Connection(
            f"{path.absolute().as_uri()}?immutable=1", flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
        )
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    try:
        connection.pragma("application_id")
    except (apsw.IOError, apsw.FullError, apsw.CantOpenError):
        if not is_full(path.parent):
            raise
        connection.close(True)
        return look_without_room(path)
    return connection


def is_full(folder: Path) -> bool:
    """Whether the disk has no room for the memory that SQLite shares."""
    room = os.statvfs(folder)
    return room.f_bavail * room.f_frsize < SHARED_BYTES


@contextmanager
def opening(path: Path, *, writing: bool) -> Iterator[None]:
    """What goes wrong while opening, in words."""
    try:
        yield
    except apsw.Error as error:
        raise in_words(error, path, writing=writing) from error
    except OSError as error:
        raise JournalBroken(
            phrase("the journal {path} cannot be opened: {strerror}.", path=path, strerror=error.strerror)
        ) from error


def _record(row: tuple[Any, ...]) -> GameRecord:
    game_id, game, players, options, begun, begun_steady_ms, ended, cause, rows, course, touched = row
    note = None
    with suppress(ValueError):  # a damaged note says nothing of its game; `rows` tells that it is damaged
        note = read_row("note", json.loads(course)) if course else None
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
        course=note if isinstance(note, CourseNote) else None,
        touched=touched or "",
    )


def _waits(body: str) -> bool:
    """Whether a game whose last word on its sign-off that is waits for one."""
    note = read_row("note", json.loads(body))
    return isinstance(note, SignOffNote) and note.what != "signed"


def _is_at_table(record: GameRecord, newest: GameId) -> bool:
    """Whether a box that starts goes on with that game by itself."""
    if record.ended is not None:
        return False
    if record.course is None:
        return record.id == newest
    return record.course.what != "put away"
