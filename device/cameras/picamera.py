"""The Pi's camera: `grabber.py` in a process of its own, with the Python that has picamera2."""

import importlib.util
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from calibration.lock import CameraLock
from device.cameras import grabber
from device.cameras.grabbed import CameraWords, GrabbedCamera, Note, steady_ms
from device.cameras.locking import FIND_FOCUS, controls_of
from engine.wording import phrase_later

SYSTEM_PYTHON = "/usr/bin/python3"

SENTENCES = {
    "missing": phrase_later(
        "No picture: {detail}. Cause: the camera's software is not installed. Fix: sudo apt "
        "install python3-picamera2 --no-install-recommends"
    ),
    "broken": phrase_later(
        "No picture: picamera2 does not start ({detail}). Cause: it meets another numpy than "
        "its own. Fix: set the camera's python to /usr/bin/python3, and remove numpy from "
        "outside apt there."
    ),
    "none": phrase_later(
        "No picture: no such camera ({detail}). Cause: unplugged or not recognised. Fix: "
        "switch off, seat the ribbon cable at both ends, switch on; `rpicam-hello "
        "--list-cameras` lists it."
    ),
    "busy": phrase_later(
        "No picture: the camera is busy ({detail}). Cause: another program uses it. Fix: "
        "close that program (rpicam-hello, another callbox); Callbox takes over by itself."
    ),
    "size": phrase_later(
        "No picture: {detail}. Cause: this camera has no such picture size. Fix: set the "
        "camera's width and height to a size it has."
    ),
    "other": phrase_later(
        "No picture: {detail}. Fix: unplug the box, plug it in again; `callbox doctor` looks further."
    ),
}
"""What a grabber's trouble means to people at a table."""
WORDS = CameraWords(
    sentences=SENTENCES,
    cable=phrase_later("seat the ribbon cable at both ends, use the Pi's own power supply"),
)


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


class PiCamera(GrabbedCamera):
    """A camera of the Pi, through picamera2."""

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
        """`sharp`: have larger pictures ready, where the camera gives them. Without a `lock` the camera sets
        all by itself, and with `find_focus` focuses a lens that has a motor."""
        controls: Mapping[str, Any] = controls_of(lock) if lock else FIND_FOCUS if find_focus else {}
        program = [python or default_python(), "-P", grabber.__file__]
        program += [f"--index={index}", f"--width={width}", f"--height={height}", f"--fps={fps}"]
        program += ["--sharp"] if sharp else []
        program.append(f"--controls={json.dumps(controls)}")
        name = f"picamera2:{index}"
        super().__init__(program, name, WORDS, fps=fps, stall_ms=stall_ms, lock=lock, clock=clock)


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
