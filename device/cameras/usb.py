"""A USB camera, by the kernel's V4L2: `usb_grabber.py` in a process of its own, with this very Python."""

import json
import sys
from collections.abc import Callable

from calibration.lock import CameraLock
from device.cameras.grabbed import CameraWords, GrabbedCamera, steady_ms
from device.cameras.locking import usb_controls_of
from engine.wording import phrase_later

SENTENCES = {
    "none": phrase_later(
        "No picture: no such USB camera ({detail}). Cause: unplugged or not recognised. Fix: "
        "plug it in again; Callbox takes over by itself. `ls /dev/v4l/by-id` lists those "
        "that are seen."
    ),
    "denied": phrase_later(
        "No picture: {detail}. Cause: this user may not use cameras. Fix: sudo usermod -aG "
        "video $USER, then log in again."
    ),
    "busy": phrase_later(
        "No picture: the USB camera is busy ({detail}). Cause: another program uses it. Fix: "
        "close that program; Callbox takes over by itself."
    ),
    "size": phrase_later(
        "No picture: {detail}. Cause: this camera has no such picture size. Fix: set the "
        "camera's width and height to one of its own."
    ),
    "lost": phrase_later(
        "No picture: {detail}. Cause: unplugged, or too much hangs on its USB port. Fix, if "
        "this comes back: plug it into another port, without a hub between, and nothing else "
        "beside it."
    ),
    "other": phrase_later(
        "No picture: {detail}. Fix: plug the camera in again; `callbox doctor` looks further."
    ),
}
"""What its grabber's trouble means to people at a table."""
PROGRAM = [sys.executable, "-m", "device.cameras.usb_grabber"]
WORDS = CameraWords(
    sentences=SENTENCES,
    cable=phrase_later("plug the camera's cable into another port, without a hub between"),
)


class UsbCamera(GrabbedCamera):
    """A USB camera, by its number among those that are plugged in, or by its device."""

    def __init__(
        self,
        camera: str,
        width: int,
        height: int,
        fps: float,
        clock: Callable[[], float] = steady_ms,
        stall_ms: float = 1500,
        *,
        lock: CameraLock | None = None,
    ) -> None:
        """Without a `lock` the camera sets all by itself. It has no sharper picture than those asked for."""
        program = [*PROGRAM, f"--camera={camera}", f"--width={width}", f"--height={height}", f"--fps={fps}"]
        program.append(f"--controls={json.dumps(usb_controls_of(lock))}")
        super().__init__(program, f"usb:{camera}", WORDS, fps=fps, stall_ms=stall_ms, lock=lock, clock=clock)
