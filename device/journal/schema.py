"""The form of the journal's file: its tables, its version, and the settings its one writer needs."""

from pathlib import Path

import apsw

from calibration.durable import sync_folder
from device.journal.trouble import JournalBroken, JournalDamaged

APPLICATION_ID = 0x43424F58
"""Marks the file as Callbox's ("CBOX"), so that another program's database is never taken for a journal."""

VERSION = 1
"""Counts changes of the tables below."""

BUSY_WAIT_MS = 2000
"""A reader that has just found a crashed box's file holds it for a moment while it looks through the WAL."""

WAL_PAGES = 250
"""The WAL is folded into the file when it has so many pages of 4 kB: about a hundred steps of a game."""

OLDEST_SQLITE = (3, 51, 3)
"""Older ones can damage a WAL file when one connection writes while another folds the WAL into it."""

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


def prepare(connection: apsw.Connection, path: Path) -> None:
    """Make a fresh connection the journal's writer: settings, and the tables in a new file."""
    require_safe_sqlite()
    connection.set_busy_timeout(BUSY_WAIT_MS)
    fresh = _is_empty(connection)
    if not fresh:
        require_ours(connection, path)
    if connection.readonly("main"):
        raise apsw.ReadOnlyError
    if connection.pragma("journal_mode", "wal") != "wal":
        raise JournalBroken(
            f"the disk with {path} cannot keep a journal safely (no shared memory beside files). "
            "Name a folder on the box's own card or disk with --data."
        )
    connection.pragma("synchronous", "full")
    connection.pragma("foreign_keys", True)
    if fresh:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute(_TABLES)
        connection.pragma("application_id", APPLICATION_ID)
        connection.pragma("user_version", VERSION)
        connection.execute("COMMIT")
        sync_folder(path.parent)


def require_ours(connection: apsw.Connection, path: Path) -> None:
    """Raises `JournalBroken` unless the file is a journal that this Callbox understands."""
    if _is_empty(connection):
        raise JournalBroken(f"the journal {path} is still empty. It is filled when the first game is played.")
    if connection.pragma("application_id") != APPLICATION_ID:
        raise JournalDamaged(
            f"{path} is another program's database. Move it away, or name another folder with --data."
        )
    version = connection.pragma("user_version")
    if version != VERSION:
        raise JournalDamaged(
            f"{path} has form {version}, and this Callbox knows form {VERSION}. "
            "Install the Callbox that made it, or a newer one."
        )


def _is_empty(connection: apsw.Connection) -> bool:
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
