"""Keeps what the box said of itself in the last day: starts, ends and faults, for a page to show.

The system's log has it, too, but a service may not read that. It lies in the data folder, so that it tells
what happened before the last restart.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec

from calibration.durable import write_whole

NAME = "log.jsonl"
"""The file's name in the data folder."""
KEPT = timedelta(days=1)
MOST_LINES = 500
MOST_CHARACTERS = 4000
"""The most of one line: a traceback is long, and its end says what happened."""


class LogLine(msgspec.Struct, frozen=True):
    """Something that the box said."""

    at: datetime
    text: str


def utc_now() -> datetime:
    """Now."""
    return datetime.now(UTC)


class BoxLog:
    """The lines of the last day. For any thread; a disk that takes nothing stops no game."""

    def __init__(self, folder: Path | None = None, now: Callable[[], datetime] = utc_now) -> None:
        """Goes on with what lies in the data folder `folder`; None keeps lines in memory alone."""
        self._file = folder / NAME if folder else None
        self._now = now
        self._lock = threading.Lock()
        self._lines = self._read()
        self._written = 2 * MOST_LINES
        """How many lines the file has; as if too many at first, for it may end in half of one."""

    def note(self, text: str) -> None:
        """Keep what was said now."""
        with self._lock:
            self._lines.append(LogLine(self._now(), text[-MOST_CHARACTERS:]))
            self._drop_old()
            if self._file is not None:
                with suppress(OSError):
                    self._write(self._file)

    def lines(self) -> tuple[LogLine, ...]:
        """The lines of the last day, the oldest first."""
        with self._lock:
            self._drop_old()
            return tuple(self._lines)

    def _drop_old(self) -> None:
        since = self._now() - KEPT
        self._lines = [each for each in self._lines if each.at > since][-MOST_LINES:]

    def _write(self, file: Path) -> None:
        """Add the newest line to the file, or write it anew without what is old. Raises OSError."""
        if self._written >= 2 * MOST_LINES:
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_whole(file, b"".join(map(_line, self._lines)), 0o600)
            self._written = len(self._lines)
            return
        with file.open("ab") as end:
            end.write(_line(self._lines[-1]))
        self._written += 1

    def _read(self) -> list[LogLine]:
        """What the file says; a line that is none is passed over."""
        found: list[LogLine] = []
        try:
            raw = self._file.read_bytes() if self._file else b""
        except OSError:
            return found
        for line in raw.splitlines():
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                found.append(msgspec.json.decode(line, type=LogLine))
        return [each for each in found if each.at.tzinfo is not None]


def _line(line: LogLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"
