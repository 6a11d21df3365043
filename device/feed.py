"""Frames and requests on their way to the table: one inbox, one thread that keeps the camera going.

The table works in one thread, on one thing at a time. A live camera only ever leaves its newest frame in the
inbox (a busy table skips frames, it never falls behind); a film waits until its frame has been taken.
"""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from device.cameras import Camera, CameraLost, Frame

Call = Callable[[], None]
RETRY_S = 2.0
"""How long a lost camera is left alone before it is tried again."""


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
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)
        self.turns = 0
        """Counts frames, and tries at a camera that is lost."""
        self.frames = 0
        """Counts frames alone."""
        self.ended = False
        """Whether the film or folder is over."""

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Let the camera go and wait for the thread."""
        self._stop.set()
        self._camera.close()
        self._inbox.close()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                for frame in self._camera.frames():
                    if self._stop.is_set():
                        return
                    self.turns += 1
                    self.frames += 1
                    self._inbox.put_frame(frame, wait=not self._camera.live)
            except CameraLost as lost:
                self._wait_after(str(lost))
            except Exception as error:  # noqa: BLE001 - whatever a camera's library throws, it is tried again
                self._wait_after(f"The camera fails with an error of its own: {error}. It is tried again.")
            else:
                if not self._camera.live:
                    self.ended = True
                    self._inbox.put(self._news.over)
                    return
                self._stop.wait(self._retry_s)

    def _wait_after(self, text: str) -> None:
        """Say what is wrong, and leave the camera alone for a while."""
        self.turns += 1
        self._inbox.put(lambda: self._news.lost(text))
        self._stop.wait(self._retry_s)
