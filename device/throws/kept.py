"""The log of the game that is shown, kept between the looks at it and brought up to date from the journal."""

import threading
from collections.abc import Callable

from device.journal import JournalError
from device.journal.records import Entry, GameId, GameRecord
from device.shown.throws import ThrowsShown
from device.throws.log import ThrowLog
from engine.refusal import Refused

Rows = Callable[[GameId, int], tuple[Entry, ...]]
"""A game's rows after the row with that number; raises `JournalError`."""


class KeptThrows:
    """The throws of one game at a time. For any thread but the table's: it reads the journal."""

    def __init__(self, record: Callable[[GameId], GameRecord], rows: Rows) -> None:
        """`record` and `rows` ask the journal."""
        self._record = record
        self._rows = rows
        self._game_id: GameId | None = None
        self._log: ThrowLog | None = None
        self._lock = threading.Lock()

    def shown(self, game_id: GameId | None, before: int = 0, *, anew: bool = True) -> ThrowsShown:
        """That game's newest throws, or those before the throw with that number.

        `anew`: take in what the journal has gained; else what was told last is told again. Never raises: what
        cannot be read is told in `trouble`.
        """
        if game_id is None:
            return ThrowsShown()
        with self._lock:
            try:
                return self._told(game_id, before, anew)
            except (JournalError, Refused) as error:
                self._game_id = None
                return ThrowsShown(game_id, trouble=str(error))

    def _told(self, game_id: GameId, before: int, anew: bool) -> ThrowsShown:
        if self._log is None or game_id != self._game_id:
            self._log, self._game_id, anew = ThrowLog(self._record(game_id)), game_id, True
        if anew:
            for entry in self._rows(game_id, self._log.rows):
                self._log.take(entry)
        return self._log.shown(before)
