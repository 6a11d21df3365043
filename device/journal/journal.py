"""The journal: everything that happened at the table, on the disk before its effect is shown.

How it works. One SQLite file, one connection that writes, in WAL mode with synchronous=FULL: `append` returns
when its rows would survive a power cut, and puts all of them in or none. Rows are never changed or deleted
(the file itself refuses it); an undo is a row of its own. Tools that only look open the same file with
`open_reader` (`device.journal.reader`). Each row carries a hash that is chained to the last
(`device.journal.chain`), and after each write a mark is set beside the file (`device.journal.chain`).

Times come in as arguments: the wall clock for people, the steady clock for measuring. The order of rows is
their `seq`, so a clock that jumps (a Pi boots in the past) breaks nothing. The file: docs/journal.md.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Self

import apsw
import msgspec

from device.journal.chain import (
    START,
    HighWaterMark,
    MarkFile,
    file_sum,
    link,
    mark_path,
    missing_since,
    read_mark,
    refuse_empty,
)
from device.journal.reader import JournalReader, is_full, open_reader, opening
from device.journal.records import Entry, GameId, GameRecord, Moment
from device.journal.rows import ByNote, Row, kind_of, write_body
from device.journal.schema import BUSY_WAIT_MS, ROWS, VERSION, WAL_PAGES, is_empty, look_without_room, prepare
from device.journal.trouble import (
    JournalBroken,
    JournalDamaged,
    JournalError,
    JournalFull,
    NoSuchGame,
    in_words,
)
from device.people.actor import Actor
from engine.wording import phrase

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


class Journal(JournalReader):
    """The one writer. Methods may be called from any thread; each returns when what it wrote is durable."""

    def __init__(self, connection: apsw.Connection, path: Path, *, full: bool = False) -> None:
        """Takes over an open, prepared connection; use `Journal.open`. Raises OSError."""
        super().__init__(connection, path)
        self._wal_pages = 0
        self._heard: Actor | None = None
        self._first: tuple[Row, ...] = ()
        self._now = self._next = HighWaterMark()
        """How the journal stands after the last write; and after the one at hand."""
        self._mark: MarkFile | None = None
        """None while the disk is full."""
        if not full:
            self._take_mark()

    def _take_mark(self) -> None:
        """From now on this is the one that writes; raises OSError."""
        self._db.set_wal_hook(self._note_wal)
        if newest := self._db.execute("SELECT max(id) FROM games").get:
            self._now = self._mark_of(newest)
        self._mark = MarkFile(mark_path(self._path))
        self._mark.note(self._now)

    @classmethod
    def open(cls, path: Path, vfs: str | None = None) -> Self:
        """The journal at `path`, made if it is not there; raises `JournalBroken` or `JournalFull`.

        Where rows are missing of which the mark knows that is `JournalDamaged`: else the next write would
        make the mark forget them.
        `vfs` names another SQLite file layer: tests put a failing disk there.
        """
        with opening(path, writing=True):
            return cls(_open_to_write(path, vfs), path)

    @classmethod
    def open_full(cls, path: Path) -> Self:
        """The journal on a full disk: everything in it can be looked at, and each write is refused.

        `go_on` makes it one that writes, once there is room. Raises `JournalBroken`.
        """
        with opening(path, writing=False):
            return cls(look_without_room(path), path, full=True)

    def go_on(self) -> bool:
        """Whether it can be written to; where the disk was full, look whether there is room now."""
        with self._lock:
            if self._mark is None and not is_full(self._path.parent):
                self._db.close(True)
                try:
                    self._db = _open_to_write(self._path, None)
                    self._take_mark()
                except (apsw.Error, OSError, JournalError):  # whoever writes is told that there is no room
                    self._db = look_without_room(self._path)
            return self._mark is not None

    @property
    def full(self) -> bool:
        """Whether each write is refused, because the disk was full when it was opened."""
        return self._mark is None

    def close(self) -> None:
        """Let the file go. May be called twice."""
        super().close()
        with self._lock:
            if self._mark is None or self._mark.closed:
                return
            if not self._path.with_name(f"{self._path.name}-wal").exists():
                self._now = msgspec.structs.replace(self._now, file=file_sum(self._path))
                self._mark.note(self._now)
            self._mark.close()

    @property
    def heard(self) -> Actor | None:
        """Whose doing is written now; see `heard_from`."""
        return self._heard

    @contextmanager
    def heard_from(self, who: Actor | None) -> Iterator[None]:
        """What is written inside is that person's doing, and says so; None: the camera's, or the box's own
        buttons'. Only for the one thread that writes."""
        before, self._heard = self._heard, who
        try:
            yield
        finally:
            self._heard = before

    @contextmanager
    def begun_with(self, *rows: Row) -> Iterator[None]:
        """A game that is begun inside has these rows first, in the very write that begins it."""
        self._first = rows
        try:
            yield
        finally:
            self._first = ()

    def begin(self, game: str, players: Sequence[str], options: Mapping[str, str], at: Moment) -> GameId:
        """Open a new game. One that was still going on stays in the journal as it is."""
        fields = (game, _json(list(players)), _json(dict(options)), at.iso, at.real_ms)
        with self._writing():
            game_id = self._insert_game((None, *fields))
            self._insert_rows(game_id, self._written([*self._by(), *self._first], at))
        return game_id

    def append(self, game_id: GameId, rows: Sequence[Row], at: Moment, *, ended: str | None = None) -> int:
        """Put in all `rows` or none, and return the last row's `seq` once they would survive a power cut.

        `ended` belongs to the same write: a cause ends the game, "" takes an ending back (an undo of the last
        event), None leaves it as it is. Raises `JournalFull` when the disk does not take it: nothing is in
        then, and the same call may be tried again. Raises `NoSuchGame`.
        """
        bodies = self._written([*self._by(), *rows] if rows else [], at)
        with self._writing():
            last = self._insert_rows(game_id, bodies)
            if ended is not None:
                self._set_ending(game_id, ended, at.iso)
        return last

    def branch(self, game_id: GameId, rows: int, at: Moment) -> GameId:
        """A new game that begins like another, with its first `rows` rows. The other stays as it is.

        Raises `NoSuchGame`, `JournalFull`.
        """
        self.game(game_id)
        with self._writing():
            (said,) = self._db.execute("SELECT game, players, options FROM games WHERE id = ?", (game_id,))
            branched = self._insert_game((None, *said, at.iso, at.real_ms))
            first = self._db.execute(ROWS, (game_id,)).fetchall()[:rows]
            self._insert_rows(branched, [row[2:] for row in first])
            self._insert_rows(branched, self._written(self._by(), at))
            return branched

    def adopt(self, game: tuple[Any, ...], rows: Sequence[tuple[Any, ...]]) -> None:
        """Take over a game of another journal, as `schema.GAMES` and `schema.ROWS` have it."""
        with self._writing():
            game_id = self._insert_game(game[:6])
            self._insert_rows(game_id, [row[2:] for row in rows])
            if game[6] is not None:
                self._set_ending(game_id, game[7], game[6])

    @property
    def highest_number(self) -> GameId:
        """The newest game's; 0 where there is none."""
        return self._now.games

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
            self._insert_rows(game_id, ())
            self._set_ending(game_id, cause, at.iso)

    def _by(self) -> list[Row]:
        """The row that says whose doing this is; none for the box's own."""
        return [ByNote(self._heard.role, self._heard.name)] if self._heard else []

    def _written(self, rows: Sequence[Row], at: Moment) -> list[tuple[Any, ...]]:
        """Rows as they stand in the file, from the third field of `ROWS` on."""
        return [(at.iso, at.real_ms, kind_of(row), _json(write_body(row))) for row in rows]

    def _insert_game(self, fields: tuple[Any, ...]) -> GameId:
        """A game, chained to the one before it; `fields` as in `GAMES`, the id None for the next one."""
        before = self._db.execute("SELECT hash FROM games ORDER BY id DESC LIMIT 1").get or START
        self._db.execute(
            """INSERT INTO games(id, game, players, options, begun, begun_steady_ms)
               VALUES (?, ?, ?, ?, ?, ?)""",
            fields,
        )
        game_id = self._db.last_insert_rowid()
        head = link(before, game_id, *fields[1:])
        self._db.execute("UPDATE games SET hash = ? WHERE id = ?", (head, game_id))
        self._next = HighWaterMark(games=game_id, game=game_id, head=head.hex())
        return game_id

    def _insert_rows(self, game_id: GameId, rows: Sequence[tuple[Any, ...]]) -> int:
        """Rows (`ROWS` from the third field on) after that game's last; returns the last one's number."""
        self._next = self._mark_of(game_id)
        seq, head = self._next.rows, bytes.fromhex(self._next.head)
        linked = []
        for seq, row in enumerate(rows, start=self._next.rows + 1):
            head = link(head, game_id, seq, *row)
            linked.append((game_id, seq, *row, head))
        self._db.executemany(
            """INSERT INTO entries(game_id, seq, at, steady_ms, kind, body, hash)
               VALUES (?, ?, ?, ?, ?, ?, ?)""",
            linked,
        )
        self._next = msgspec.structs.replace(self._next, rows=seq, head=head.hex())
        return seq

    def _mark_of(self, game_id: GameId) -> HighWaterMark:
        """How a game stands; raises `NoSuchGame`."""
        found = self._db.execute(
            """SELECT games.hash, end_hash, last.seq, last.hash FROM games LEFT JOIN
                 (SELECT game_id, seq, hash FROM entries WHERE game_id = ?1 ORDER BY seq DESC LIMIT 1) AS last
               ON last.game_id = games.id WHERE games.id = ?1""",
            (game_id,),
        ).fetchone()
        if found is None:
            raise NoSuchGame(phrase("There is no game {game_id} in this journal.", game_id=game_id))
        begun, end, seq, last = found
        newest = max(game_id, self._now.games)
        return HighWaterMark(
            games=newest, game=game_id, rows=seq or 0, head=(last or begun).hex(), end=(end or b"").hex()
        )

    def _set_ending(self, game_id: GameId, cause: str, at: str) -> None:
        head = self._db.execute("SELECT hash FROM games WHERE id = ?", (game_id,)).get
        if cause:
            self._db.execute(
                "UPDATE games SET ended = ?, cause = ?, end_hash = ? WHERE id = ? AND ended IS NULL",
                (at, cause, link(head, at, cause), game_id),
            )
        else:
            self._db.execute(
                "UPDATE games SET ended = NULL, cause = '', end_hash = NULL WHERE id = ?", (game_id,)
            )
        end = self._db.execute("SELECT end_hash FROM games WHERE id = ?", (game_id,)).get
        self._next = msgspec.structs.replace(self._next, end=(end or b"").hex())

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """One transaction: all of it is durable, or none of it is there."""
        with self._lock:
            if not self.go_on() or self._mark is None:
                raise in_words(apsw.FullError(), self._path, writing=True)
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._next = self._now
                yield
                self._db.execute("COMMIT")
                self._now = self._next
                self._mark.note(self._now)
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


def _open_to_write(path: Path, vfs: str | None) -> apsw.Connection:
    """A connection of today's form; raises `apsw.Error`, `JournalError`, OSError."""
    # SQLite would make it for everybody to read; its WAL gets the rights that the file has.
    # Where it cannot be made, SQLite says why.
    with suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    connection = apsw.Connection(str(path), vfs=vfs)
    try:
        _refuse_missing(connection, path)
        prepare(connection, path)
    except BaseException:
        connection.close(True)
        raise
    return connection


def _refuse_missing(connection: apsw.Connection, path: Path) -> None:
    """Raise `JournalDamaged` where the mark knows of more than the journal holds."""
    mark, _ = read_mark(mark_path(path))
    connection.set_busy_timeout(BUSY_WAIT_MS)
    if mark is None:
        return
    refuse_empty(path, mark, empty=is_empty(connection))
    if is_empty(connection) or connection.pragma("user_version") != VERSION:
        return
    if missing := list(missing_since(connection, mark)):
        raise JournalDamaged(
            phrase("the journal {path} is damaged: {damages}.", path=path, damages="; ".join(missing))
        )


def _json(value: object) -> str:
    """Compact JSON; raises `ValueError` or `TypeError` for what JSON cannot say, such as NaN.

    Plain ASCII: a broken character in a name is then kept as it came instead of breaking the write.
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
