"""A USB camera of the tests' own making beneath the real grabber program; run as a program itself.

What ails it stands in FAKE_USB. Pictures come when the gate lets them: f a frame, H a hang, U unplugged.
"""

import errno
import os
import sys
import threading
import time
from collections.abc import Mapping

import cv2
import numpy as np

from device.cameras import usb_grabber
from device.cameras.v4l2 import Mode

SIZE = (64, 48)
MODES = [Mode("YUYV", *SIZE, (5.0,)), Mode("MJPG", *SIZE, (15.0, 30.0)), Mode("YUYV", 32, 24, (30.0,))]
ILL = os.environ.get("FAKE_USB", "")
CHOSEN = {"exposure_time_absolute": 333, "gain": 12}
"""What it sets by itself where it may."""


class FakeDevice:
    """The kernel's side of it, as strict: what the camera sets by itself cannot be set."""

    def __init__(self, path: str) -> None:
        ills = {"gone": errno.ENOENT, "denied": errno.EACCES}
        if ILL in ills:
            raise OSError(ills[ILL], os.strerror(ills[ILL]), path)
        self.at = {"auto_exposure": 3, "brightness": 128, **CHOSEN}

    def close(self) -> None:
        """Let it go."""

    def card(self) -> str:
        return "" if ILL == "no pictures" else "Fake Cam"

    def modes(self) -> list[Mode]:
        return MODES

    def controls(self) -> dict[str, int]:
        return dict(self.at) | ({"gain": 99} if ILL == "stubborn" else {})

    def set(self, wanted: Mapping[str, int]) -> None:
        for name, value in wanted.items():
            automatic = self.at["auto_exposure"] != 1 and name in CHOSEN
            if name in self.at and not automatic and (name, value) != ("auto_exposure", 0):
                self.at[name] = value


class FakeCapture:
    """OpenCV's side of it: sets what it is told, and says 0 for what it was not."""

    def __init__(self, path: str, interface: int) -> None:
        assert (path, interface) == ("/dev/video7", cv2.CAP_V4L2)
        self.at: dict[int, float] = {}
        self.gate = open(os.environ["FAKE_GATE"], "rb", buffering=0)  # noqa: SIM115, PTH123 - until the end
        self.count = 0

    def isOpened(self) -> bool:  # noqa: N802 - OpenCV's name
        return ILL != "busy"

    def set(self, name: int, value: float) -> bool:
        self.at[name] = value
        return True

    def get(self, name: int) -> float:
        return time.monotonic() * 1000 - 5 if name == cv2.CAP_PROP_POS_MSEC else self.at.get(name, 0.0)

    def grab(self) -> bool:
        word = self.gate.read(1)
        if word == b"H":
            threading.Event().wait()
        self.count += 1
        return word == b"f"

    def retrieve(self) -> tuple[bool, np.ndarray]:
        assert self.at[cv2.CAP_PROP_FOURCC] == cv2.VideoWriter.fourcc(*"MJPG"), "YUYV is too slow"
        picture = np.empty((SIZE[1], SIZE[0], 3), np.uint8)
        picture[:] = (10, 20, 30)
        picture[0, 0, 0] = self.count
        return True, picture

    def release(self) -> None:
        """Let it go."""


if __name__ == "__main__":
    for module, name, fake in (
        (usb_grabber, "Device", FakeDevice),
        (cv2, "VideoCapture", FakeCapture),
        (usb_grabber, "due", lambda *_: True),
    ):
        setattr(module, name, fake)
    sys.exit(usb_grabber.main(sys.argv[1:]))
