"""The Pi's camera: starts `grabber.py` as a process, takes pictures from its memory, buries it when it hangs.

Every call of `frames()` starts a fresh grabber, so calling it again after `CameraLost` is all healing takes.
"""

import contextlib
import importlib.util
import json
import mmap
import os
import selectors
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Picture
from calibration.lock import CameraLock
from device.cameras import grabber
from device.cameras.frames import CameraLost, Frame
from device.cameras.locking import FIND_FOCUS, LockCheck, ToldSettings, controls_of

SYSTEM_PYTHON = "/usr/bin/python3"
START_MS = 20_000
"""The first picture may take this long: a cold SD card reads picamera2 for seconds."""
END_S = 2.0
"""More than the half second in which a grabber ends by itself."""
LAST_WORDS = 12

SENTENCES = {
    "missing": "No picture: {detail}. Cause: the camera's software is not installed. "
    "Fix: sudo apt install python3-picamera2 --no-install-recommends",
    "broken": "No picture: picamera2 does not start ({detail}). Cause: it meets another numpy than its own. "
    "Fix: set the camera's python to /usr/bin/python3, and remove numpy from outside apt there.",
    "none": "No picture: no such camera ({detail}). Cause: unplugged or not recognised. "
    "Fix: switch off, seat the ribbon cable at both ends, switch on; `rpicam-hello --list-cameras` lists it.",
    "busy": "No picture: the camera is busy ({detail}). Cause: another program uses it. "
    "Fix: close that program (rpicam-hello, another callbox); Callbox takes over by itself.",
    "size": "No picture: {detail}. Cause: this camera has no such picture size. "
    "Fix: set the camera's width and height to a size it has.",
    "other": "No picture: {detail}. Fix: unplug the box, plug it in again; `callbox doctor` looks further.",
}
"""What a grabber's trouble means to people at a table."""


def sentence(trouble: str, detail: str) -> str:
    """Cause and fix of a trouble, in words."""
    return SENTENCES.get(trouble, SENTENCES["other"]).format(detail=detail)


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
    """One line from the grabber (see there): a beginning, a picture, or the end."""

    ready: Ready | None = None
    sharp: Ready | None = None
    model: str = ""
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


def steady_ms() -> float:
    """CLOCK_MONOTONIC in milliseconds: the clock of every live frame."""
    return time.monotonic_ns() / 1e6


def default_python() -> str:
    """A Python that has picamera2: this one if its own packages hold it, else the system's.

    A venv with --system-site-packages sees the system's picamera2 too, but with its own numpy in front, which
    the system's compiled parts do not fit. So seeing it is not enough: it must lie in this Python's folder.
    """
    try:
        found = importlib.util.find_spec("picamera2")
    except (ImportError, ValueError):
        found = None
    own = Path(sys.prefix).resolve()
    if found is not None and found.origin and Path(found.origin).resolve().is_relative_to(own):
        return sys.executable
    return SYSTEM_PYTHON


class Link:
    """One grabber process: its notes, its memory, its end."""

    def __init__(self, python: str, options: list[str]) -> None:
        self._memory = os.memfd_create("callbox-camera")  # has no name: it goes with the two processes
        self._notes, notes_in = os.pipe()
        command = [python, "-P", grabber.__file__, *options]
        command += ["--memory", str(self._memory), "--notes", str(notes_in)]
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
                self.model = note.model
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
                self.process.kill()
            else:
                self._listener.join()
                return True
        return False


class PiCamera:
    """A camera of the Pi, through picamera2 (see `device.cameras.frames.Camera`).

    A frame's time is when the sensor began it, on the clock given, which must be CLOCK_MONOTONIC in ms or run
    beside it: the picture's age is measured on CLOCK_MONOTONIC and taken from `clock()`.
    """

    live = True

    def __init__(  # noqa: PLR0913 - each may be left out but the first four
        self,
        index: int,
        width: int,
        height: int,
        fps: float,
        python: str | None = None,
        clock: Callable[[], float] = steady_ms,
        stall_ms: float = 2000,
        *,
        sharp: bool = True,
        lock: CameraLock | None = None,
        find_focus: bool = False,
    ) -> None:
        """`sharp`: have larger pictures ready, where the camera gives them. `lock`: what to keep to; without
        one the camera sets all by itself, and with `find_focus` focuses a lens that has a motor."""
        self.index = index
        self.python = python or default_python()
        self.stall_ms = stall_ms
        self._clock = clock
        self._options = [f"--index={index}", f"--width={width}", f"--height={height}", f"--fps={fps}"]
        self._options += ["--sharp"] if sharp else []
        controls: Mapping[str, Any] = controls_of(lock) if lock else FIND_FOCUS if find_focus else {}
        self._options.append(f"--controls={json.dumps(controls)}")
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
                note = link.newest(wait_ms)
                if note.trouble:
                    raise CameraLost(sentence(note.trouble, note.detail))
                picture = link.picture(note) if note.frame else None
                if picture is None:
                    continue
                wait_ms = self.stall_ms
                self._count += 1
                settings = note.set.lock(link.model)
                yield Frame(
                    picture=picture,
                    sharp=link.sharp(note),
                    time_ms=self._clock() - (steady_ms() - note.taken_ns / 1e6),
                    name=f"picamera2:{self.index} {self._count:05d}",
                    settings=settings,
                    remark=check.see(settings),
                )
        except Silent:
            link.process.kill()
            if not self._closed:
                raise CameraLost(stalled(wait_ms)) from None
        except Gone:
            if not self._closed:
                raise CameraLost(ended(link)) from None
        finally:
            if not link.bury() and not self._closed:
                raise CameraLost(STUCK) from None

    def _start(self) -> Link | None:
        with self._lock:
            if self._closed:
                return None
            try:
                self._link = Link(self.python, self._options)
            except OSError as error:
                detail = f"{self.python} does not start ({error.strerror})"
                raise CameraLost(sentence("missing", detail)) from error
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


STUCK = (
    "No picture: the camera hangs so deep that it cannot be stopped. Cause: the camera's driver. "
    "Fix: unplug the box, wait ten seconds, plug it in again; nothing of the game is lost."
)


def stalled(waited_ms: float) -> str:
    """What to say when no picture came for so long."""
    return (
        f"No picture for {waited_ms / 1000:g} s. Cause: the camera hangs or was unplugged; it is being "
        "started anew. Fix, if this comes back: seat the ribbon cable at both ends, use the Pi's own power "
        "supply, and see `callbox doctor`."
    )


def ended(link: Link) -> str:
    """What to say of a grabber that ended without a word of its own."""
    try:
        status = link.process.wait(END_S)
    except subprocess.TimeoutExpired:
        return STUCK
    said = next((line for line in reversed(link.last_words) if line), "")
    how = f"signal {-status}" if status < 0 else f"status {status}"
    return sentence("other", f"the camera's program ended ({how}{': ' + said if said else ''})")


def cameras(python: str, run: Callable[[list[str]], str]) -> list[str] | Note:
    """The models of the cameras found, or the trouble; `run` gives the standard output of a command."""
    lines = [line for line in run([python, "-P", grabber.__file__, "--list"]).splitlines() if line[:1] == "{"]
    try:
        answer = json.loads(lines[-1])
        if "cameras" in answer:
            return [str(one["model"]) for one in answer["cameras"]]
        return msgspec.convert(answer, Note)
    except (IndexError, ValueError, KeyError, msgspec.ValidationError):
        return Note(trouble="other", detail=f"{python} lists no cameras")
