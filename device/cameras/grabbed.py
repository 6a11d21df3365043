"""A camera whose pictures a process of its own takes: started, its pictures taken over, buried when it hangs.

Every call of `frames()` starts a fresh process, so calling it again after `CameraLost` is all healing takes.
"""

import contextlib
import mmap
import os
import selectors
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Picture
from calibration.lock import CameraLock
from device.cameras import grabber
from device.cameras.frames import CameraLost, Frame
from device.cameras.locking import LockCheck, ToldSettings
from engine.wording import phrase, phrase_later, told_number

# The box's side of a grabber process: its notes, the memory with its pictures, its end. See `grabber.py`.

END_S = 2.0
"""More than the half second in which a grabber ends by itself."""
LAST_WORDS = 12


class Ready(msgspec.Struct, frozen=True):
    """How the pictures of one stream lie in the shared memory."""

    width: int
    height: int
    stride: int
    form: Literal["bgr", "yuv"]
    begin: int
    slots: int
    slot_bytes: int

    @property
    def end(self) -> int:
        """The first byte behind its slots."""
        return self.begin + self.slots * self.slot_bytes

    @property
    def rows(self) -> int:
        """How many rows of `stride` bytes a picture takes."""
        return self.height if self.form == "bgr" else self.height * 3 // 2

    def picture(self, rows: Picture) -> Picture:
        """The picture in a slot's bytes (rows x stride), copied: height x width x 3, blue green red."""
        if self.form == "bgr":
            return rows[:, : self.width * 3].copy().reshape(self.height, self.width, 3)
        size, flat = (self.width, self.height), rows.reshape(-1)
        begin, quarter = self.stride * self.height, self.stride * self.height // 4
        blue, red = (
            flat[at : at + quarter].reshape(self.height // 2, self.stride // 2)[:, : self.width // 2]
            for at in (begin, begin + quarter)
        )
        # OpenCV takes planes of half the size for limited range only; these have the full one.
        halves = [cv2.resize(half, size, interpolation=cv2.INTER_LINEAR) for half in (red, blue)]
        whole = cv2.merge([rows[: self.height, : self.width], *halves])
        return np.asarray(cv2.cvtColor(whole, cv2.COLOR_YCrCb2BGR), np.uint8)


class Note(msgspec.Struct, frozen=True):
    """One line from the grabber (see there): a step of its beginning, a picture, or the end."""

    loaded: bool = False
    ready: Ready | None = None
    sharp: Ready | None = None
    model: str = ""
    fps: float | None = None
    """How many pictures a second the camera's mode gives at most; None where it was not asked."""
    set: ToldSettings = ToldSettings()
    frame: int = 0
    slot: int = 0
    sharp_slot: int | None = None
    taken_ns: int = 0
    trouble: str = ""
    detail: str = ""


class Silent(Exception):
    """The grabber said nothing for as long as one may wait."""


class Gone(Exception):
    """The grabber ended without saying why."""


class Link:
    """One grabber process: its notes, its memory, its end."""

    def __init__(self, program: list[str]) -> None:
        """`program`: a grabber, with its options."""
        self._memory = os.memfd_create("callbox-camera")  # has no name: it goes with the two processes
        self._notes, notes_in = os.pipe()
        command = [*program, "--memory", str(self._memory), "--notes", str(notes_in)]
        try:
            self.process = subprocess.Popen(  # noqa: S603 - our own file, numbers, and the configured Python
                command,
                stdin=subprocess.PIPE,  # its end tells the grabber that we are gone
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                pass_fds=(self._memory, notes_in),
                start_new_session=True,  # Ctrl-C is for the box; it ends the grabber
                env={"LIBCAMERA_LOG_LEVELS": "*:WARN"} | os.environ,
            )
        except OSError:
            os.close(self._memory)
            os.close(self._notes)
            raise
        finally:
            os.close(notes_in)
        self.last_words: deque[str] = deque(maxlen=LAST_WORDS)
        assert self.process.stderr is not None  # noqa: S101 - asked for above
        self._listener = threading.Thread(target=self._listen, args=(self.process.stderr,), daemon=True)
        self._listener.start()
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._notes, selectors.EVENT_READ)
        self._text = b""
        self._view: memoryview | None = None
        self._ready: Ready | None = None
        self._sharp: Ready | None = None
        self.model = ""
        """The camera's sensor, where it says so."""
        self.fps: float | None = None
        """The pictures a second that its mode gives."""

    def _listen(self, stream: IO[bytes]) -> None:
        """Keep the pipe empty and the last lines at hand; libcamera is talkative before it dies."""
        with stream:
            for line in stream:
                self.last_words.append(line.decode(errors="replace").strip())

    def newest(self, wait_ms: float) -> Note:
        """The last complete note, after waiting for one; trouble comes first. Raises `Silent`, `Gone`."""
        lines: list[bytes] = []
        while not lines:
            if not self._selector.select(wait_ms / 1000):
                raise Silent
            piece = os.read(self._notes, 1 << 16)
            if not piece:
                raise Gone
            *lines, self._text = (self._text + piece).split(b"\n")
        notes = [msgspec.json.decode(line, type=Note) for line in lines]
        for note in notes:
            if note.ready:
                self._open(note.ready, note.sharp)
                self.model, self.fps = note.model, note.fps
            if note.trouble:
                return note
        return notes[-1]

    def _open(self, ready: Ready, sharp: Ready | None) -> None:
        size = (sharp or ready).end
        self._view = memoryview(mmap.mmap(self._memory, size, prot=mmap.PROT_READ))
        self._ready, self._sharp = ready, sharp

    def picture(self, note: Note) -> Picture | None:
        """A copy of that picture, or None when a newer one has already taken its place."""
        return self._copied(self._ready, note.slot, note.frame)

    def sharp(self, note: Note) -> Picture | None:
        """The same of the sharper picture; None also where the note tells of none."""
        return None if note.sharp_slot is None else self._copied(self._sharp, note.sharp_slot, note.frame)

    def _copied(self, ready: Ready | None, slot: int, frame: int) -> Picture | None:
        if self._view is None or ready is None:
            return None
        start = ready.begin + slot * ready.slot_bytes
        if grabber.SEQUENCE.unpack_from(self._view, start)[0] != frame:
            return None
        rows = np.frombuffer(self._view, np.uint8, ready.stride * ready.rows, start + grabber.HEADER_BYTES)
        picture = ready.picture(rows.reshape(ready.rows, ready.stride))
        if grabber.SEQUENCE.unpack_from(self._view, start)[0] != frame:
            return None
        return picture

    def sharpen(self, on: bool) -> None:
        """Ask for sharper pictures, or for no more of them. From any thread."""
        assert self.process.stdin is not None  # noqa: S101 - asked for in `__init__`
        with contextlib.suppress(OSError, ValueError):  # it has ended, which whoever reads its notes hears
            os.write(self.process.stdin.fileno(), b"1" if on else b"0")

    def let_go(self) -> None:
        """Ask the grabber to close its camera and end, which it does within a second. From any thread."""
        assert self.process.stdin is not None  # noqa: S101 - asked for in `__init__`
        self.process.stdin.close()

    def kill(self) -> None:
        """End the process at once, and the helpers that libcamera started in it. From any thread."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def bury(self) -> bool:
        """End the process, hung or not, and free what it held; False when the kernel does not let it die."""
        self.let_go()
        self._selector.close()
        self._view = None  # the mapping goes with it
        os.close(self._memory)
        os.close(self._notes)
        for _ in ("by itself", "killed"):
            try:
                self.process.wait(END_S)
            except subprocess.TimeoutExpired:
                self.kill()
            else:
                self._listener.join(END_S)  # who outlives it may hold the pipe open
                return True
        return False


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
                    remark=check.compare(settings) or self._slow(link.fps),
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
        "No picture for {seconds} s. Cause: the camera hangs or was unplugged; it is being restarted. "
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
