"""The Pi's camera: starts `grabber.py` as a process, takes pictures from its memory, buries it when it hangs.

Every call of `frames()` starts a fresh grabber, so calling it again after `CameraLost` is all healing takes.
"""

import importlib.util
import json
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from calibration.lock import CameraLock
from device.cameras import grabber
from device.cameras.frames import CameraLost, Frame
from device.cameras.link import END_S, Gone, Link, Note, Silent
from device.cameras.locking import FIND_FOCUS, LockCheck, controls_of

SYSTEM_PYTHON = "/usr/bin/python3"
START_MS = 20_000
"""picamera2 may take so long to load: a cold SD card reads it for seconds."""
OPEN_MS = 6_000
"""Once it is loaded, opening the camera and the first picture may take so long each."""
FEWEST_FRAMES = 2.5
"""A slow camera is not silent before so many pictures are due."""
SLICE_MS = 200.0
"""How often a camera that waits tells that it still does (`turns`)."""

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
        stall_ms: float = 1500,
        *,
        sharp: bool = True,
        lock: CameraLock | None = None,
        find_focus: bool = False,
    ) -> None:
        """`stall_ms`: after so long without a picture the camera is lost. `sharp`: have larger pictures
        ready, where the camera gives them. `lock`: what to keep to; without one the camera sets all by
        itself, and with `find_focus` focuses a lens that has a motor."""
        self.index = index
        self.python = python or default_python()
        self.stall_ms = max(stall_ms, 1000 * FEWEST_FRAMES / fps)
        self.turns = 0
        """Counts what it does, waiting included: it stands still only where it hangs."""
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
                note = self._newest(link, wait_ms)
                if note.trouble:
                    raise CameraLost(sentence(note.trouble, note.detail))
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
                    name=f"picamera2:{self.index} {self._count:05d}",
                    settings=settings,
                    remark=check.see(settings),
                )
        except Silent:
            link.kill()
            if not self._closed:
                raise CameraLost(stalled(wait_ms)) from None
        except Gone:
            if not self._closed:
                raise CameraLost(ended(link)) from None
        finally:
            if not link.bury() and not self._closed:
                raise CameraLost(STUCK) from None

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
