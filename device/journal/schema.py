"""The form of the journal's file: its tables, its version, and the settings its one writer needs."""

from pathlib import Path
from typing import Any

import apsw

from calibration.durable import sync_folder
from device.journal.chain import START, link
from device.journal.trouble import JournalBroken, JournalDamaged, JournalEmpty, JournalNewer
from engine.wording import phrase

APPLICATION_ID = 0x43424F58
"""Marks the file as Callbox's ("CBOX"), so that another program's database is never taken for a journal."""

VERSION = 2
"""Counts changes of the tables below: the second brought the hashes (`device.journal.chain`)."""

BUSY_WAIT_MS = 2000
"""A reader that has just found a crashed box's file holds it for a moment while it looks through the WAL."""

WAL_PAGES = 250
"""The WAL is folded into the file when it has so many pages of 4 kB: about a hundred steps of a game."""

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can damage a WAL file when one connection writes while another folds the WAL into it."""

GAMES = "SELECT id, game, players, options, begun, begun_steady_ms, ended, cause FROM games ORDER BY id"
"""The first six are what a game's hash is made of, the last two what its ending's is."""
ROWS = "SELECT game_id, seq, at, steady_ms, kind, body FROM entries WHERE game_id = ? ORDER BY seq"
"""What a row's hash is made of."""

TABLES = "SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL"

_TABLES = """
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    game TEXT NOT NULL,
    players TEXT NOT NULL CHECK (json_type(players) = 'array'),
    options TEXT NOT NULL CHECK (json_type(options) = 'object'),
    begun TEXT NOT NULL,
    begun_steady_ms REAL NOT NULL,
    ended TEXT,
    cause TEXT NOT NULL DEFAULT '',
    CHECK ((ended IS NULL) = (cause = ''))
) STRICT;

CREATE TABLE entries (
    game_id INTEGER NOT NULL REFERENCES games(id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    at TEXT NOT NULL,
    steady_ms REAL NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('event', 'press', 'reading', 'note')),
    body TEXT NOT NULL CHECK (json_type(body) = 'object'),
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE upkeep (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    failed_writes INTEGER NOT NULL
) STRICT;
INSERT INTO upkeep VALUES (1, 0);

CREATE TRIGGER entries_stay BEFORE DELETE ON entries
BEGIN SELECT raise(ABORT, 'what happened is never deleted'); END;
CREATE TRIGGER entries_keep BEFORE UPDATE ON entries
BEGIN SELECT raise(ABORT, 'what happened is never changed'); END;
CREATE TRIGGER games_stay BEFORE DELETE ON games
BEGIN SELECT raise(ABORT, 'a game is never deleted'); END;
"""


_CHAINED = """
DROP TRIGGER entries_keep;
ALTER TABLE games ADD COLUMN hash BLOB;
ALTER TABLE games ADD COLUMN end_hash BLOB;
ALTER TABLE entries ADD COLUMN hash BLOB;
"""
"""What makes the second form of the first."""
_KEEP = """CREATE TRIGGER entries_keep BEFORE UPDATE ON entries
BEGIN SELECT raise(ABORT, 'what happened is never changed'); END"""


def look_without_room(path: Path) -> apsw.Connection:
    """A connection on a disk that has no room for the memory which SQLite shares: to look through, alone.

    The WAL is read as it stands, and stays as it is. Where there is no journal yet, it looks into an empty
    one. Raises `apsw.Error`.
    """
    if not path.exists() or not path.stat().st_size:
        empty = apsw.Connection(":memory:")
        _make_tables(empty, fresh=True)
        return empty
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(BUSY_WAIT_MS)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    connection.pragma("locking_mode", "exclusive")
    return connection


def prepare(connection: apsw.Connection, path: Path) -> None:
    """Make a fresh connection the journal's writer: settings, and the tables of today."""
    require_safe_sqlite()
    connection.set_busy_timeout(BUSY_WAIT_MS)
    fresh = is_empty(connection)
    if not fresh:
        require_ours(connection, path)
    if connection.readonly("main"):
        raise apsw.ReadOnlyError
    if connection.pragma("journal_mode", "wal") != "wal":
        raise JournalBroken(
            phrase(
                "the disk with {path} cannot keep a journal safely (no shared memory beside files). "
                "Name a folder on the box's own card or disk with --data.",
                path=path,
            )
        )
    connection.pragma("synchronous", "full")
    connection.pragma("foreign_keys", True)
    if not fresh and connection.pragma("user_version") == 1:
        _keep_copy(connection, path)
    if fresh or connection.pragma("user_version") == 1:
        connection.execute("BEGIN IMMEDIATE")
        _make_tables(connection, fresh=fresh)
        connection.execute("COMMIT")
        # In the file itself: where a WAL goes missing on the first evening, a journal is left behind.
        connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        sync_folder(path.parent)


def _make_tables(connection: apsw.Connection, *, fresh: bool) -> None:
    """The tables of today; an old form's rows are chained as they stand."""
    if fresh:
        connection.execute(_TABLES)
        connection.pragma("application_id", APPLICATION_ID)
    connection.execute(_CHAINED)
    before = START
    for game in _all(connection, GAMES):
        before = head = link(before, *game[:6])
        end = link(head, *game[6:]) if game[6] is not None else None
        connection.execute("UPDATE games SET hash = ?, end_hash = ? WHERE id = ?", (head, end, game[0]))
        for row in _all(connection, ROWS, game[0]):
            head = link(head, *row)
            connection.execute("UPDATE entries SET hash = ? WHERE game_id = ? AND seq = ?", (head, *row[:2]))
    connection.execute(_KEEP)
    connection.pragma("user_version", VERSION)


def _all(connection: apsw.Connection, query: str, *given: object) -> list[tuple[Any, ...]]:
    return connection.execute(query, given).fetchall()


def _keep_copy(connection: apsw.Connection, path: Path) -> None:
    """A journal of an older form is kept as it was, so that the older Callbox can be brought back with it."""
    copy = path.parent / "aside" / "form-1" / path.name
    if not copy.exists():
        copy.parent.mkdir(parents=True, exist_ok=True)
        connection.execute("VACUUM INTO ?", (str(copy),))


def tables_of_today() -> dict[str, str]:
    """Name and SQL of each table and trigger, as a whole journal has them."""
    connection = apsw.Connection(":memory:")
    _make_tables(connection, fresh=True)
    found: dict[str, str] = dict(_all(connection, TABLES))
    return found


def require_ours(connection: apsw.Connection, path: Path) -> None:
    """Raises `JournalBroken` unless the file is a journal that this Callbox understands."""
    if is_empty(connection):
        raise JournalEmpty(
            phrase(
                "the journal {path} is still empty. It is filled when the first game is played.", path=path
            )
        )
    if connection.pragma("application_id") != APPLICATION_ID:
        raise JournalDamaged(
            phrase(
                "{path} is another program's database. Move it away, or name another folder with --data.",
                path=path,
            )
        )
    version = connection.pragma("user_version")
    if version not in (1, VERSION):
        raise (JournalNewer if version > VERSION else JournalDamaged)(
            phrase(
                "{path} has form {version}, and this Callbox knows form {known}. Install the "
                "Callbox that made it, or a newer one.",
                path=path,
                version=version,
                known=VERSION,
            )
        )


def is_empty(connection: apsw.Connection) -> bool:
    """True for a new file, and for one whose making was cut off: the tables come in one transaction."""
    return connection.execute("SELECT count(*) FROM sqlite_schema").get == 0 and not connection.pragma(
        "application_id"
    )


def require_safe_sqlite() -> None:
    """Raises `JournalBroken` for a SQLite that can damage the file; apsw brings its own, a good one."""
    version = tuple(map(int, apsw.sqlite_lib_version().split(".")))
    if version < OLDEST_SQLITE:
        raise JournalBroken(
            f"this Python's apsw brings SQLite {apsw.sqlite_lib_version()}, which can damage the journal; "
            f"{'.'.join(map(str, OLDEST_SQLITE))} or newer is needed. Run: make setup"
        )
