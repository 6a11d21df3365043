"""Frames and requests on their way to the table: one inbox, one thread that keeps the camera going.

The table works in one thread, on one thing at a time. A live camera only ever leaves its newest frame in the
inbox (a busy table skips frames, it never falls behind); a film waits until its frame has been taken.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from device.cameras import Camera, CameraLost, Frame, Turns
from device.service.notify import Turning
from engine.wording import phrase, phrase_later

Call = Callable[[], None]
RETRY_S = 1.2
"""How long a lost camera is left alone before it is tried again."""
SILENT_S = 1.7
"""Longer than `RETRY_S`: a thread that does nothing for so long hangs in the camera's library or driver."""
LEFT_S = 4.0
"""After so long it is left behind. That is longer than a grabber takes to be ended and buried."""
END_S = 5.0
"""How long the thread is waited for at the end."""
HANGS = phrase_later(
    "No picture: the camera does not answer. Cause: its driver hangs; it is being "
    "restarted. Fix, if this comes back: unplug the box, wait ten seconds, plug it in "
    "again; nothing of the game is lost."
)


class Inbox:
    """Where camera, pins and console leave things for the table. Calls come before frames."""

    def __init__(self) -> None:
        self._calls: deque[Call] = deque()
        self._frame: Frame | None = None
        self._changed = threading.Condition()
        self._closed = False

    def put(self, call: Call) -> None:
        """Leave something to do."""
        with self._changed:
            self._calls.append(call)
            self._changed.notify_all()

    def put_frame(self, frame: Frame, *, wait: bool) -> None:
        """Leave the newest frame; with `wait`, first let the one before be taken."""
        with self._changed:
            if wait:
                self._changed.wait_for(lambda: self._frame is None or self._closed)
            self._frame = frame
            self._changed.notify_all()

    def next(self, timeout_s: float | None) -> Call | Frame | None:
        """The next call, else the newest frame, else None when nothing came in time."""
        with self._changed:
            self._changed.wait_for(lambda: self._calls or self._frame is not None or self._closed, timeout_s)
            if self._calls:
                return self._calls.popleft()
            frame, self._frame = self._frame, None
            self._changed.notify_all()
            return frame

    @property
    def calls_wait(self) -> bool:
        """Whether something is left to do that came before now."""
        with self._changed:
            return bool(self._calls)

    def close(self) -> None:
        """Wake whoever waits; what is still in here may be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """What the feed reports besides frames, as calls into the inbox."""

    lost: Callable[[str], None]
    """No picture comes: cause and fix. The feed goes on trying."""
    over: Callable[[], None]
    """The film or folder has ended."""


class Feed:
    """One thread that reads the camera and leaves its frames in the inbox; a lost camera is tried again."""

    def __init__(self, camera: Camera, inbox: Inbox, news: Lost, retry_s: float = RETRY_S) -> None:
        self._camera = camera
        self._inbox = inbox
        self._news = news
        self._retry_s = retry_s
        self._stop = threading.Event()
        self._silent = Turning(turns=lambda: self.turns, patience_s=SILENT_S)
        self._hung = Turning(turns=lambda: self.turns + self._life, patience_s=LEFT_S)
        self._said = False
        self._turns = self._life = 0
        self._thread = self._fresh()
        self.frames = 0
        """Counts frames alone."""
        self.ended = False
        """Whether the film or folder is over."""

    @property
    def tells(self) -> bool:
        """Whether the camera's waiting can be told from hanging."""
        return self._camera.live and self._waits is not None

    @property
    def turns(self) -> int:
        """Counts frames, tries at a camera that is lost, and what the camera counts of its own."""
        return self._turns + (self._waits or 0)

    @property
    def _waits(self) -> int | None:
        return self._camera.turns if isinstance(self._camera, Turns) else None

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def check_thread(self, now_s: float) -> None:
        """Whether the thread hangs: that is said, and later a fresh one begins. To be called a few times a
        second, by one thread, with a steady clock's seconds.

        Nothing can end a thread from without. The one that hangs is left behind; what it brings is not taken.
        """
        if not self.tells or self._stop.is_set():
            return
        silent, said = not self._silent.moves_on(now_s), self._said
        self._said = silent
        if silent and not said:
            self._inbox.put(lambda: self._news.lost(phrase(HANGS)))
        if not self._hung.moves_on(now_s):
            self._life += 1
            self._thread = self._fresh()
            self._thread.start()

    def _fresh(self) -> threading.Thread:
        return threading.Thread(target=self._run, args=(self._life,), name="camera", daemon=True)

    def _goes_on(self, life: int) -> bool:
        """Whether the thread that began as that one is still wanted."""
        return life == self._life and not self._stop.is_set()

    def stop(self) -> None:
        """Let the camera go and wait for the thread, if it does not hang."""
        self._stop.set()
        self._camera.close()
        self._inbox.close()
        if self._thread.ident is not None:
            self._thread.join(END_S if self.tells else None)

    def _run(self, life: int) -> None:
        while self._goes_on(life):
            try:
                for frame in self._camera.frames():
                    if not self._goes_on(life):
                        return
                    self._turns += 1
                    self.frames += 1
                    self._inbox.put_frame(frame, wait=not self._camera.live)
            except CameraLost as lost:
                self._wait_after(str(lost), life)
            except Exception as error:  # noqa: BLE001 - whatever a camera's library throws, it is tried again
                self._wait_after(
                    phrase(
                        "The camera fails with an error of its own: {error}. It is tried again.", error=error
                    ),
                    life,
                )
            else:
                if not self._camera.live:
                    self.ended = True
                    self._inbox.put(self._news.over)
                    return
                self._stop.wait(self._retry_s)

    def _wait_after(self, text: str, life: int) -> None:
        """Say what is wrong, and leave the camera alone for a while."""
        if not self._goes_on(life):
            return
        self._turns += 1
        self._inbox.put(lambda: self._news.lost(text))
        self._stop.wait(self._retry_s)
