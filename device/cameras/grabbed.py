"""A camera whose pictures a process of its own takes: started, its pictures taken over, buried when it hangs.

Every call of `frames()` starts a fresh process, so calling it again after `CameraLost` is all healing takes.
"""

import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from calibration.lock import CameraLock
from device.cameras.frames import CameraLost, Frame
from device.cameras.link import END_S, Gone, Link, Note, Silent
from device.cameras.locking import LockCheck
from engine.wording import phrase, phrase_later, told_number

START_MS = 20_000
"""A camera's library may take so long to load: a cold SD card reads picamera2 for seconds."""
OPEN_MS = 6_000
"""Once it is loaded, opening the camera and the first picture may take so long each."""
FEWEST_FRAMES = 2.5
"""A slow camera is not silent before so many pictures are due."""
SLICE_MS = 200.0
"""How often a camera that waits tells that it still does (`turns`)."""
SLOW = 0.75
"""Below this share of the pictures a second that were asked for, it is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraWords:
    """What people at the table are told of one kind of camera."""

    sentences: Mapping[str, str]
    """What a grabber's trouble means, by its word; "other" must be there. Each has a place for {detail}."""
    cable: str
    """What to do about a camera that hangs again and again."""

    def sentence(self, trouble: str, detail: str) -> str:
        """Cause and fix of a trouble, in words."""
        return phrase(self.sentences.get(trouble, self.sentences["other"]), detail=detail)


def steady_ms() -> float:
    """CLOCK_MONOTONIC in milliseconds: the clock of every live frame."""
    return time.monotonic_ns() / 1e6


class GrabbedCamera:
    """A camera behind a grabber (see `device.cameras.frames.Camera`, and `grabber.py` for what one says).

    A frame's time is when the sensor began it, on the clock given, which must be CLOCK_MONOTONIC in ms or run
    beside it: the picture's age is measured on CLOCK_MONOTONIC and taken from `clock()`.
    """

    live = True

    def __init__(
        self,
        program: list[str],
        name: str,
        words: CameraWords,
        *,
        fps: float,
        stall_ms: float,
        lock: CameraLock | None,
        clock: Callable[[], float],
    ) -> None:
        """`program` takes the pictures: a Python and its options. `name` goes before each frame's number.
        `stall_ms`: after so long without a picture the camera is lost. `lock`: what it is to keep to."""
        self.stall_ms = max(stall_ms, 1000 * FEWEST_FRAMES / fps)
        self.turns = 0
        """Counts what it does, waiting included: it stands still only where it hangs."""
        self._program, self._name, self._words = program, name, words
        self._fps = fps
        self._clock = clock
        self._lock_wanted = lock
        self._sharpening = False
        self._link: Link | None = None
        self._closed = False
        self._lock = threading.Lock()
        self._count = 0

    def frames(self) -> Iterator[Frame]:
        """Frames as they come, the newest each time; raises `CameraLost`; call again to try again."""
        link = self._start()
        if link is None:
            return
        wait_ms = float(START_MS)
        check = LockCheck(self._lock_wanted)
        try:
            while True:
                note = self._newest(link, wait_ms)
                if note.trouble:
                    raise CameraLost(self._words.sentence(note.trouble, note.detail))
                wait_ms = self.stall_ms if note.frame else OPEN_MS
                picture = link.picture(note) if note.frame else None
                if picture is None:
                    continue
                self._count += 1
                settings = note.set.lock(link.model)
                yield Frame(
                    picture=picture,
                    sharp=link.sharp(note),
                    time_ms=self._clock() - (steady_ms() - note.taken_ns / 1e6),
                    name=f"{self._name} {self._count:05d}",
                    settings=settings,
                    remark=check.see(settings) or self._slow(link.fps),
                )
        except Silent:
            link.kill()
            if not self._closed:
                raise CameraLost(stalled(wait_ms, self._words.cable)) from None
        except Gone:
            if not self._closed:
                raise CameraLost(ended(link, self._words)) from None
        finally:
            if not link.bury() and not self._closed:
                raise CameraLost(phrase(STUCK)) from None

    def _slow(self, fps: float | None) -> str:
        """What is said of a camera that cannot give as many pictures as are asked for."""
        if fps is None or fps >= SLOW * self._fps:
            return ""
        return phrase(
            "The camera gives {fps:g} pictures a second of this size, and {asked:g} were asked "
            "for. Cause: it has no faster mode. Fix: set the camera's width and height to a "
            "smaller size.",
            fps=fps,
            asked=self._fps,
        )

    def _newest(self, link: Link, wait_ms: float) -> Note:
        """The grabber's last note, waited for so long in slices; raises `Silent`, `Gone`."""
        left_ms = wait_ms
        while True:
            self.turns += 1
            try:
                return link.newest(min(SLICE_MS, left_ms))
            except Silent:
                left_ms -= SLICE_MS
                if left_ms <= 0:
                    raise

    def _start(self) -> Link | None:
        with self._lock:
            if self._closed:
                return None
            if self._link is not None:
                self._link.kill()  # whoever still waits for it hangs, and two cannot have one camera
            try:
                self._link = Link(self._program)
            except OSError as error:
                detail = f"{self._program[0]} does not start ({error.strerror})"
                raise CameraLost(self._words.sentence("missing", detail)) from error
            if self._sharpening:
                self._link.sharpen(True)
            return self._link

    def sharpen(self, on: bool) -> None:
        """Whether frames bring a sharper picture, too; from any thread."""
        with self._lock:
            self._sharpening = on
            if self._link is not None and not self._closed:
                self._link.sharpen(on)

    def close(self) -> None:
        """Let the camera go; a `frames()` that waits ends. May be called twice, from any thread."""
        with self._lock:
            self._closed = True
            if self._link is not None:
                self._link.let_go()


STUCK = phrase_later(
    "No picture: the camera hangs so deep that it cannot be stopped. Cause: the camera's "
    "driver. Fix: unplug the box, wait ten seconds, plug it in again; nothing of the "
    "game is lost."
)


def stalled(waited_ms: float, cable: str) -> str:
    """What to say when no picture came for so long."""
    return phrase(
        "No picture for {seconds} s. Cause: the camera hangs or was unplugged; it is being started anew. "
        "Fix, if this comes back: {cable}, and see `callbox doctor`.",
        seconds=told_number(waited_ms / 1000, "g"),
        cable=phrase(cable),
    )


def ended(link: Link, words: CameraWords) -> str:
    """What to say of a grabber that ended without a word of its own."""
    try:
        status = link.process.wait(END_S)
    except subprocess.TimeoutExpired:
        return phrase(STUCK)
    said = next((line for line in reversed(link.last_words) if line), "")
    how = (
        phrase("signal {number}", number=-status) if status < 0 else phrase("status {number}", number=status)
    )
    why = f"{how}: {said}" if said else how
    return words.sentence("other", phrase("the camera's program ended ({why})", why=why))
