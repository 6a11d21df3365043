"""The one thread in which the table works, and the API through which other threads speak to it."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TookTooLong
from pathlib import Path
from typing import TypeVar

from device.box_api import SignsOfLife
from device.cameras import Frame
from device.films import Filming
from device.journal import JournalError, Storage
from device.people.actor import Actor
from device.requests import Declined, Done, PressButton, Reply, SessionRequest
from device.shown.snapshot import Snapshot
from device.shown.throws import ThrowsShown
from device.table.feed import Inbox
from device.table.session import Session
from device.table.table import Table
from device.throws import KeptThrows
from device.tournaments import TournamentView
from engine.wording import phrase, phrase_later
from vision.pictures import jpeg_of

T = TypeVar("T")

BEAT_MS = 100.0
"""At least this often the table learns that time passes, for blinking lamps and long presses."""
PATIENCE_S = 10.0
"""A request whose turn has not come by then is withdrawn and answered all the same."""
HUNG_S = 8.0
"""Nothing that a table does takes so long, but for beginning a game on a slow machine."""
HUNG = phrase_later(
    "The box does not react, so this press does not count. If it hangs, it restarts itself: try again then."
)
BUSY = phrase_later("The box is busy. Try again.")
START_PATIENCE_S = 60.0
"""The same for beginning a game: nobody would rather be told to try again than wait for a slow machine."""


class Loop:
    """Takes from the inbox, one thing after the other, and gives it to the table."""

    def __init__(
        self,
        table: Table,
        inbox: Inbox,
        steady_ms: Callable[[], float],
        clock_s: Callable[[], float] = time.monotonic,
    ) -> None:
        """`steady_ms` is the table's clock; by `clock_s` it is known how long one thing is at hand."""
        self._table = table
        self._inbox = inbox
        self._steady_ms = steady_ms
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self.turns = 0
        """Counts what was done, waiting included: it stands still only while one thing is at hand."""
        self._turned_s = clock_s()
        self._clock_s = clock_s
        self.failed: Exception | None = None
        """What ended the loop, if it was a mistake of ours."""

    @property
    def at_hand_s(self) -> float:
        """How long the table has been at one thing."""
        return self._clock_s() - self._turned_s

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Finish the thing in hand, however long it takes: a thread cut off in OpenCV ends in a crash."""
        self._stopping = True
        self._inbox.close()
        if self._thread.ident is not None:
            self._thread.join()

    def ask(self, request: Callable[[], T], patience_s: float = PATIENCE_S) -> T:
        """Have `request` done in the table's thread; raises what it raises.

        Raises TimeoutError when its turn has not come after `patience_s`: then it is never done. One that has
        begun is waited for, so that whoever is told to try again can do so.
        """
        future: Future[T] = Future()

        def do() -> None:
            if not future.set_running_or_notify_cancel():
                return
            try:
                future.set_result(request())
            except BaseException as error:  # noqa: BLE001 - whoever asked gets it, and the loop goes on
                future.set_exception(error)

        self._inbox.put(do)
        try:
            return future.result(patience_s)
        except TookTooLong:
            if future.cancel():
                raise
            return future.result()

    def post(self, request: Callable[[], None]) -> None:
        """Have `request` done in the table's thread, some time soon."""
        self._inbox.put(request)

    def _run(self) -> None:
        try:
            self._work()
        except Exception as error:  # noqa: BLE001 - our own mistake: whoever runs the box ends it and says so
            self.failed = error

    def _work(self) -> None:
        while not self._stopping:
            self.turns, self._turned_s = self.turns + 1, self._clock_s()
            now_ms = self._steady_ms()
            due_ms = self._table.due_ms()
            wait_ms = BEAT_MS if due_ms is None else min(BEAT_MS, max(0.0, due_ms - now_ms))
            match self._inbox.next(wait_ms / 1000):
                case Frame() as frame:
                    self._table.handle_frame(frame)
                case None:
                    pass
                case call:
                    call()
            now_ms = self._steady_ms()
            # Edges that came while a frame was read carry their own, earlier times: were time to pass before
            # they are heard, a quick press would shrink to a bounce, or grow to a long one.
            if not self._inbox.calls_wait:
                self._table.tick(now_ms)


class Listeners:
    """Whoever wants to know of each snapshot. Called from the table's thread, so none may block."""

    def __init__(self) -> None:
        self._all: tuple[Callable[[Snapshot], None], ...] = ()
        self._lock = threading.Lock()

    def add(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Tell `listener` from now on; returns the way out, which may be called twice."""
        with self._lock:
            self._all = (*self._all, listener)

        def leave() -> None:
            with self._lock:
                self._all = tuple(each for each in self._all if each is not listener)

        return leave

    def tell(self, snapshot: Snapshot) -> None:
        """Tell all."""
        for listener in self._all:
            listener(snapshot)


class TableApi:
    """The API of a running table: requests are done in the table's thread, one after the other."""

    def __init__(  # noqa: PLR0913 - each comes from another part of the box
        self,
        table: Table,
        session: Session,
        loop: Loop,
        storage: Storage,
        listeners: Listeners,
        throws: KeptThrows,
        *,
        push: Callable[[str, bool, Actor | None], None],
        export: Callable[[int], str],
        frames: Callable[[], int | None],
        films: Filming | None = None,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`push` presses or lets go a button of the panel, and says whose finger that is.

        `export` gives a game of the journal as JSON lines, or raises `JournalError`; `frames` counts
        pictures, None when no more will come. `throws` is the log of the game that is shown.
        """
        self._table, self._session, self._loop = table, session, loop
        self._storage, self._listeners, self._throws = storage, listeners, throws
        self._push, self._export, self._frames = push, export, frames
        self._films, self._patience_s = films, patience_s
        self._jpeg: tuple[int, bytes] = (0, b"")
        self._jpeg_of: Frame | None = None
        self._drawing = threading.Lock()

    def request(self, asked: SessionRequest, by: Actor | None = None) -> Reply:
        """Have that done; a request whose turn does not come is declined and never done."""
        if isinstance(asked, PressButton):
            return self._press(asked, by)
        patience_s = self._patience_s
        if asked.is_slow:
            patience_s = max(START_PATIENCE_S, patience_s)
        try:
            return self._loop.ask(lambda: self._session.request(asked, by), patience_s)
        except TookTooLong:
            return Declined(phrase(BUSY))

    def _press(self, asked: PressButton, by: Actor | None) -> Reply:
        """Push or let go a button; a push that nobody would hear is declined, and does not count later."""
        if asked.down and self._loop.at_hand_s > HUNG_S:
            return Declined(phrase(HUNG))
        self._push(asked.button, asked.down, by)
        return Done()

    def moves(self) -> SignsOfLife:
        """How often pictures came and the table turned, and what ails the panel."""
        return SignsOfLife(self._frames(), self._loop.turns, self._table.snapshot.panel.text)

    def snapshot(self) -> Snapshot:
        """What is shown now."""
        return self._table.snapshot

    def subscribe(self, listener: Callable[[Snapshot], None]) -> Callable[[], None]:
        """Call `listener` at each change."""
        return self._listeners.add(listener)

    def tournament(self) -> TournamentView:
        """The newest tournament."""
        return self._loop.ask(self._table.results.tournament.view, self._patience_s)

    def export_aside(self) -> str | None:
        """The game that was set aside."""
        aside = self._table.snapshot.aside
        if aside is None or aside.game_id is None:
            return None
        try:
            return self._export(aside.game_id)
        except JournalError:
            return None

    def picture(self) -> tuple[int, bytes] | None:
        """The newest camera picture; drawn once however many look."""
        frame = self._table.frame
        if frame is None:
            return None
        with self._drawing:
            if frame is not self._jpeg_of:
                self._jpeg_of, self._jpeg = frame, (self._jpeg[0] + 1, jpeg_of(frame.whole, quality=70))
            return self._jpeg

    def reading_picture(self, reading_id: int, game_id: int | None = None) -> bytes | None:
        """The picture that was read."""
        shown = self._table.snapshot
        game = _game_meant(shown, game_id)
        last = game == shown.game_id and shown.table.reading_id == reading_id and shown.table.picture
        return self._storage.picture(last or f"{game}/{reading_id}.jpg")

    def evidence(self, number: int, game_id: int | None = None) -> bytes | None:
        """The close-up of a landing: the one shown, or another by the name it was kept under."""
        shown = self._table.snapshot
        game = _game_meant(shown, game_id)
        landing = shown.landing
        if game == shown.game_id and landing is not None and landing.number == number:
            return self._storage.picture(landing.evidence)
        return self._storage.picture(f"{game}/{number}-2.jpg")

    def throw_log(self, before: int, *, anew: bool) -> ThrowsShown:
        """The throws of the game that is shown: read from the journal, not in the table's thread."""
        return self._throws.show(self._table.snapshot.game_id, before, anew=anew)

    def film(self, number: int, game_id: int | None = None) -> Path | None:
        """The film of a throw."""
        game = _game_meant(self._table.snapshot, game_id)
        return self._films.path(game, number) if self._films and game is not None else None


def _game_meant(shown: Snapshot, game_id: int | None) -> int | None:
    """The game whose pictures are asked for: that of `game_id`, or the shown one where none is named."""
    return shown.game_id if game_id is None else game_id
