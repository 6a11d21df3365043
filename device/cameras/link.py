"""The box's side of a grabber process: its notes, the memory with its pictures, its end. See `grabber.py`."""

import contextlib
import mmap
import os
import selectors
import signal
import subprocess
import threading
from collections import deque
from typing import IO, Literal

import cv2
import msgspec
import numpy as np

from calibration.arrays import Picture
from device.cameras import grabber
from device.cameras.locking import ToldSettings

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
