"""The journal's chain: each row's hash is made of what it says and of the hash before it.

So no row can change, go missing or be put between others without the next one telling. A game's own hash
follows the game's before it, its rows follow it one by one, and its ending has a hash of its own. They are
SHA-256, 32 bytes each. They tell of damage; they do not keep out whoever can write the file and knows this.
"""

import hashlib
import os
import struct
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw
import msgspec

from calibration.durable import sync_folder
from device.journal.trouble import JournalDamaged
from engine.wording import phrase

START = bytes(32)
"""What the first game follows."""


def link(before: bytes, *fields: int | float | str | bytes) -> bytes:
    """The hash of these fields after `before`; text counts as its UTF-8 bytes."""
    hashed = hashlib.sha256(before)
    for each in fields:
        raw = _raw(each)
        hashed.update(len(raw).to_bytes(8, "big"))
        hashed.update(raw)
    return hashed.digest()


def _raw(field: int | float | str | bytes) -> bytes:
    match field:
        case bytes():
            return field
        case str():
            return field.encode("utf-8", "surrogatepass")
        case int():
            return str(field).encode("ascii")
        case float():
            return struct.pack(">d", field)


# The high-water mark: what the journal's last write was, in a file of its own.
#
# A WAL whose end is damaged or gone opens without a word: SQLite takes the rows up to there for all there
# are. So after each write a few words about it go into `journal.mark`, beside the journal. It is written at
# once, after the journal's own sync, so a killed box has it; a thread of its own syncs it, so that no press
# waits for that. After a power cut it may therefore be behind by what was written in the last milliseconds,
# never ahead. Two places are written in turn, each with a sum: a write that is torn leaves the one before.

_PLACE_BYTES = 512
_APART_BYTES = 4096
"""The two places lie in two blocks of the disk."""
_SUM_BYTES = 32


class HighWaterMark(msgspec.Struct, frozen=True):
    """The last write."""

    writes: int = 0
    """Counts them; the higher of the two places is the newer."""
    games: int = 0
    """The highest number of a game."""
    game: int = 0
    """The game that was written to; 0 for none."""
    rows: int = 0
    """How many rows it had then."""
    head: str = ""
    """The last row's hash, or the game's own where it had none, in hex."""
    end: str = ""
    """Its ending's hash in hex; "" while it went on."""
    file: str = ""
    """The SHA-256 of the whole journal file in hex, once its box has ended well; "" while one runs."""


class MarkFile:
    """The mark of one journal, for its one writer."""

    def __init__(self, path: Path) -> None:
        """Opens or makes the file; raises OSError."""
        self._last = read_mark(path)[0] or HighWaterMark()
        fresh = not path.exists()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if fresh:
            os.pwrite(self._file, bytes(_APART_BYTES + _PLACE_BYTES), 0)
            os.fsync(self._file)
            sync_folder(path.parent)
        self._written = threading.Event()
        self.closed = False
        """Whether it was let go."""
        self._syncs = threading.Thread(target=self._sync, name="mark", daemon=True)
        self._syncs.start()

    def note(self, mark: HighWaterMark) -> None:
        """Write it down. A disk that does not take it stops nothing: the mark is then behind."""
        self._last = msgspec.structs.replace(mark, writes=self._last.writes + 1)
        with suppress(OSError):
            os.pwrite(self._file, _encode_mark(self._last), self._last.writes % 2 * _APART_BYTES)
        self._written.set()

    def close(self) -> None:
        """Sync and let go. May be called twice."""
        if not self.closed:
            self.closed = True
            self._written.set()
            self._syncs.join()
            os.close(self._file)

    def _sync(self) -> None:
        while not self.closed:
            self._written.wait()
            self._written.clear()
            with suppress(OSError):
                os.fdatasync(self._file)


def mark_path(journal: Path) -> Path:
    """Where the mark of a journal lies."""
    return journal.with_name("journal.mark")


def read_mark(path: Path) -> tuple[HighWaterMark | None, str]:
    """The newest mark, None where there is none; and what is wrong with the file, or ""."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None, phrase("it is missing")
    except OSError as error:
        return None, phrase("it cannot be read ({strerror})", strerror=error.strerror)
    whole = len(content) == _APART_BYTES + _PLACE_BYTES
    places = [content[at : at + _PLACE_BYTES] for at in (0, _APART_BYTES)]
    marks = [_mark_of(place) for place in places]
    found = max((mark for mark in marks if mark is not None), key=lambda mark: mark.writes, default=None)
    damaged = bool(content) and (
        not whole or any(mark is None and any(place) for mark, place in zip(marks, places, strict=True))
    )
    return found, phrase("one of its two places is damaged") if damaged else "" if found else phrase(
        "it is empty"
    )


def refuse_empty(path: Path, mark: HighWaterMark, *, empty: bool) -> None:
    """Raise `JournalDamaged` where the journal at `path` is empty and its mark knows of games."""
    if empty and mark.games:
        raise JournalDamaged(
            phrase(
                "the journal {path} is empty or gone, and {games} games were in it.",
                path=path,
                games=mark.games,
            )
        )


def missing_since(connection: apsw.Connection, mark: HighWaterMark) -> Iterator[str]:
    """What a journal lacks of the write that the mark is of, each a sentence without its full stop.

    Whatever SQLite leaves out of a damaged WAL it leaves out from some frame to the end: the last write is
    always among it, so looking for that one is enough. Raises `apsw.Error`.
    """
    newest = connection.execute("SELECT coalesce(max(id), 0) FROM games").get
    if newest < mark.games:
        yield phrase(
            "game {games} was begun, and the newest whole one is game {newest}",
            games=mark.games,
            newest=newest,
        )
    game = connection.execute("SELECT hash, end_hash FROM games WHERE id = ?", (mark.game,)).fetchone()
    if game is None:
        return
    heads = "SELECT coalesce(max(seq), 0), (SELECT hash FROM entries WHERE game_id = ?1 AND seq = ?2)"
    entries = f"{heads} FROM entries WHERE game_id = ?1"
    rows, head = next(iter(connection.execute(entries, (mark.game, mark.rows))))
    if rows < mark.rows:
        yield phrase(
            "rows {first} to {last} of game {game_id} are missing",
            first=rows + 1,
            last=mark.rows,
            game_id=mark.game,
        )
    elif mark.head and (head if mark.rows else game[0]) != bytes.fromhex(mark.head):
        yield phrase(
            "row {row} of game {game_id} is another one than was written last",
            row=mark.rows,
            game_id=mark.game,
        )
    elif mark.end and game[1] is None and rows == mark.rows:
        yield phrase("the ending of game {game_id} is missing", game_id=mark.game)


def file_sum(path: Path) -> str:
    """The SHA-256 of a file in hex; "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def _encode_mark(mark: HighWaterMark) -> bytes:
    words = msgspec.json.encode(mark)
    return (hashlib.sha256(words).digest() + words).ljust(_PLACE_BYTES, b"\0")


def _mark_of(place: bytes) -> HighWaterMark | None:
    words = place[_SUM_BYTES:].rstrip(b"\0")
    if not words or hashlib.sha256(words).digest() != place[:_SUM_BYTES]:
        return None
    try:
        return msgspec.json.decode(words, type=HighWaterMark)
    except msgspec.DecodeError:
        return None
