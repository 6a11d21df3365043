"""The hall's desk has called players to this table: they begin with one touch, or the table refuses.

The game that is begun carries the call in the very write that begins it, so the desk knows it among all
others, whoever has the same names, and no power cut parts the two.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from device.call_slip import MatchCall
from device.games.parts import Parts
from device.journal import Journal, JournalError
from device.journal.rows import CallNote
from device.shown.snapshot import VenueCallShown
from engine.refusal import Refused
from engine.wording import phrase, phrase_later

LOOK_MS = 500.0
"""How often the slip is looked at."""
NEWEST = 8
"""The game of a call that stands is among so many of the newest."""
NOT_CALLED = phrase_later("The desk calls nobody to this table any more. Look again.")


class CalledHere:
    """The calls of one table. Not for several threads: the table is the only caller."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._slip = parts.calls
        self._stamp: tuple[int, ...] = ()
        self._looked_ms = float("-inf")
        self._call: MatchCall | None = None
        self.shown: VenueCallShown | None = None
        """For whom the table is called; the very same while that is so."""

    def poll(self) -> None:
        """See now and then whether the desk calls anybody else."""
        now_ms = self._parts.now().steady_ms
        if self._slip is not None and now_ms >= self._looked_ms + LOOK_MS:
            self._looked_ms = now_ms
            if (stamp := self._slip.stamp) != self._stamp:
                self._stamp = stamp
                self._know(self._slip.standing())

    def begin(self, call_id: str, start: Callable[[MatchCall], object]) -> None:
        """Begin that game with its players; raises `Refused`."""
        call = self._expect_call(call_id)
        with calling(self._parts.journal, call):
            start(call)
        self._know(None)

    def refuse(self, call_id: str, why: str) -> None:
        """Send the players away, for a reason that the organiser reads; raises `Refused`."""
        call, slip = self._expect_call(call_id), self._slip
        if not why.strip():
            raise Refused(phrase("Say why the table does not take the match: the organiser reads it."))
        if slip is not None:
            try:
                slip.refuse(call.id, why.strip())
            except OSError as error:
                raise Refused(
                    phrase("The disk does not take that: {error}. Make room on it.", error=error.strerror)
                ) from error
        self._know(None)

    def _expect_call(self, call_id: str) -> MatchCall:
        if self._call is None or self._call.id != call_id:
            raise Refused(phrase(NOT_CALLED))
        return self._call

    def _know(self, call: MatchCall | None) -> None:
        if call is not None and has_begun(self._parts.journal, call.id):
            call = None
        self._call, self.shown = call, None
        if call is not None:
            words = phrase("Match {number} of {title}", number=call.match, title=call.title)
            self.shown = VenueCallShown(call.id, words, call.game, call.players)


@contextmanager
def calling(journal: Journal, call: MatchCall) -> Iterator[None]:
    """A game that is begun inside is that call's."""
    with journal.begun_with(CallNote(call.id, call.title, call.match)):
        yield


def has_begun(journal: Journal, call_id: str) -> bool:
    """Whether a game of the journal was begun for that call."""
    try:
        newest = journal.games()[-NEWEST:]
        rows = (entry.row for record in newest for entry in journal.rows(record.id)[:NEWEST])
        return any(isinstance(row, CallNote) and row.call == call_id for row in rows)
    except JournalError:  # whoever begins a game then is told
        return False
