"""What the kernel is asked of a camera, against a kernel of the tests' own making."""

import errno
import fcntl
import os
import struct
from collections.abc import Callable

import pytest

from device.cameras.v4l2 import Device, Mode

YUYV = int.from_bytes(b"YUYV", "little")
BRIGHTNESS, MUTE, EXPOSURE, LAMP = 0x98_0900, 0x98_0909, 0x9A_0902, 0x9A_1001
CONTROLS = [
    (0x98_0001, 6, b"User Controls", 0),
    (BRIGHTNESS, 1, b"Brightness", 0),
    (MUTE, 2, b"Mute", 0),
    (0x98_0913, 1, b"Gain", 0x4),
    (EXPOSURE, 1, b"Exposure Time, Absolute", 0x10),
    (0x9A_090C, 2, b"Focus, Automatic Continuous", 0x1),
    (LAMP, 3, b"LED1 Mode", 0),
]
"""Number, kind, name, flags: of sound, read-only, inactive, disabled, a driver's own."""


class Kernel:
    """Answers as linux/videodev2.h lays it down; the camera may be unplugged."""

    def __init__(self) -> None:
        self.values = {BRIGHTNESS: -3, MUTE: 1, EXPOSURE: 156, LAMP: 2}
        self.gone = False

    def ioctl(self, fd: int, request: int, given: bytes) -> bytes:
        assert fd == 7
        assert len(given) == request >> 16 & 0x3FFF, "the request says how long what goes with it is"
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        answers: dict[int, Callable[[bytes], bytes]] = {
            0: self.who,
            2: self.form,
            74: self.size,
            75: self.pace,
        }
        answers |= {36: self.control, 27: self.value, 28: self.set}
        return answers[request & 0xFF](given)

    def listed(self, given: bytes, count: int) -> int:
        at = int.from_bytes(given[:4], "little")
        if at >= count:
            raise OSError(errno.EINVAL, "Invalid argument")
        return at

    def who(self, _given: bytes) -> bytes:
        return struct.pack("16s32s32sIII12x", b"uvcvideo", b"C920", b"usb-1", 6, 0x8420_0001, 0x0420_0001)

    def form(self, given: bytes) -> bytes:
        at = self.listed(given, 1)
        return struct.pack("III32sI16x", at, 1, 0, b"YUYV 4:2:2", YUYV)

    def size(self, given: bytes) -> bytes:
        at = self.listed(given, 2)
        one, between = (1, 640, 480, 0, 0, 0, 0), (3, 32, 1280, 2, 32, 960, 2)
        return struct.pack("9I8x", at, YUYV, *(one, between)[at])

    def pace(self, given: bytes) -> bytes:
        _, _, wide, high = struct.unpack_from("4I", given)
        rates = {640: [(1, 30), (1001, 15_000)], 1280: [(1, 5)]}[wide]
        above, below = rates[self.listed(given, len(rates))]
        return struct.pack("11I8x", 0, YUYV, wide, high, 1, above, below, 0, 0, 0, 0)

    def control(self, given: bytes) -> bytes:
        after = int.from_bytes(given[:4], "little") & 0x7FFF_FFFF
        following = [each for each in CONTROLS if each[0] > after]
        if not following:
            raise OSError(errno.EINVAL, "Invalid argument")
        number, kind, name, flags = following[0]
        return struct.pack("II32s4iI8x", number, kind, name, 0, 255, 1, 128, flags)

    def value(self, given: bytes) -> bytes:
        number, _ = struct.unpack("Ii", given)
        return struct.pack("Ii", number, self.values[number])

    def set(self, given: bytes) -> bytes:
        number, value = struct.unpack("Ii", given)
        if value > 255:
            raise OSError(errno.ERANGE, "Numerical result out of range")
        self.values[number] = value
        return given


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel()
    monkeypatch.setattr(os, "open", lambda path, _flags: 7 if path == "/dev/video0" else pytest.fail(path))
    monkeypatch.setattr(fcntl, "ioctl", made.ioctl)
    return made


@pytest.mark.usefixtures("kernel")
def test_sizes_and_rates_are_those_that_the_kernel_lists() -> None:
    device = Device("/dev/video0")
    assert device.card() == "C920"
    slow, fast = 15_000 / 1001, 30.0
    assert list(device.modes()) == [Mode("YUYV", 640, 480, (slow, fast)), Mode("YUYV", 1280, 960, (5.0,))]


def test_controls_are_those_of_pictures_that_can_be_set(kernel: Kernel) -> None:
    device = Device("/dev/video0")
    assert device.controls() == {"brightness": -3, "exposure_time_absolute": 156}
    device.set({"brightness": 200, "exposure_time_absolute": 999, "zoom_absolute": 1})
    assert device.controls() == {"brightness": 200, "exposure_time_absolute": 156}
    kernel.gone = True
    assert device.controls() == {}
    assert list(device.modes()) == []
    with pytest.raises(OSError, match="No such device"):
        device.card()
