"""What the kernel tells of USB cameras: which there are, their picture sizes, their controls. Linux's V4L2.

Pictures themselves come through OpenCV, which lists no sizes and knows few of the controls. Libraries that do
(linuxpy and its like) stand under the GPL. Numbers and layouts are those of the kernel's linux/videodev2.h
(docs.kernel.org, "Video for Linux API"), the same on x86-64 and 64-bit ARM.
"""

import fcntl
import os
import re
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

CLASS = Path("/sys/class/video4linux")
QUERYCAP, CAPABILITY = 0x80685600, struct.Struct("<16s32s32s3I12x")
ENUM_FMT, FORMAT = 0xC0405602, struct.Struct("<3I32sI16x")
ENUM_SIZES, SIZE = 0xC02C564A, struct.Struct("<9I8x")
ENUM_INTERVALS, INTERVAL = 0xC034564B, struct.Struct("<11I8x")
QUERYCTRL, CONTROL = 0xC0445624, struct.Struct("<2I32s4iI8x")
GET, SET, VALUE = 0xC008561B, 0xC008561C, struct.Struct("<Ii")
"""Each request, and how what goes with it lies in memory."""
CAN_CAPTURE, CAPTURE, DISCRETE = 0x1, 1, 1
NEXT_CONTROL = 0x8000_0000
NUMBERS = {1, 2, 3, 9}
"""Controls that are a number: integer, yes or no, a choice from a menu, and one from a menu of numbers."""
NOT_OURS = 0x1 | 0x4 | 0x40
"""Flags of a control that is disabled, read-only or write-only."""
PRIVATE = 0x1000
"""From here on in its class a control is a driver's own: a lamp, a test picture."""
OF_PICTURES = {0x98, 0x9A}
"""The classes of controls that matter to pictures: the user's and the camera's."""
OF_SOUND = range(0x98_0905, 0x98_090B)
NO_DATA = b""


@dataclass(frozen=True, slots=True)
class Node:
    """A USB camera that is plugged in."""

    path: str
    """Where it is opened: "/dev/video0"; another one once it was plugged in anew, perhaps."""
    name: str


@dataclass(frozen=True, slots=True)
class Mode:
    """One kind of picture that a camera gives."""

    form: str
    """Four letters: "MJPG" is compressed, "YUYV" is not."""
    width_px: int
    height_px: int
    rates: tuple[float, ...]
    """Pictures a second; empty where the camera does not say."""


def plugged_in(folder: Path = CLASS) -> list[Node]:
    """The USB cameras, in the order of their numbers. A Pi has more devices of this kind, which are none."""
    found: list[tuple[int, Node]] = []
    for entry in folder.glob("video*"):
        number = entry.name.removeprefix("video")
        # A USB camera's second device tells of its pictures, and gives none.
        first = _text(entry / "index") in {"", "0"}
        if number.isdigit() and first and "/usb" in str((entry / "device").resolve()):
            found.append((int(number), Node(f"/dev/{entry.name}", _text(entry / "name"))))
    return [node for _, node in sorted(found, key=lambda each: each[0])]


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:  # unplugged in this moment
        return ""


def _words(raw: bytes) -> str:
    return raw.partition(b"\0")[0].decode("utf-8", "replace")


class Device:
    """A camera's device, for questions and controls; who takes its pictures is not disturbed."""

    def __init__(self, path: str) -> None:
        """Raises OSError: there is no such device, or it may not be opened."""
        self._fd = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def close(self) -> None:
        """Let it go."""
        os.close(self._fd)

    def card(self) -> str:
        """What the camera calls itself; "" for a device that gives no pictures. Raises OSError."""
        _, card, _, _, _, can = CAPABILITY.unpack(self._ask(QUERYCAP, bytes(CAPABILITY.size)))
        return _words(card) if can & CAN_CAPTURE else ""

    def modes(self) -> Iterator[Mode]:
        """Every kind of picture; where a camera takes any size between two, the largest."""
        for *_, form in self._listed(ENUM_FMT, FORMAT, lambda at: (at, CAPTURE, 0, NO_DATA, 0)):
            name = form.to_bytes(4, "little").decode("ascii", "replace")
            for wide, high in self._sizes(form):
                yield Mode(name, wide, high, self._rates(form, wide, high))

    def _sizes(self, form: int) -> Iterator[tuple[int, int]]:
        for size in self._listed(ENUM_SIZES, SIZE, lambda at: (at, form, *[0] * 7)):
            yield (size[3], size[4]) if size[2] == DISCRETE else (size[4], size[7])

    def _rates(self, form: int, wide: int, high: int) -> tuple[float, ...]:
        listed = self._listed(ENUM_INTERVALS, INTERVAL, lambda at: (at, form, wide, high, *[0] * 7))
        # Where any time between two pictures may be had, the shortest stands first.
        return tuple(sorted({each[6] / each[5] for each in listed if each[5]}))

    def controls(self) -> dict[str, int]:
        """What it is set to: each control that can be set, by the kernel's name for it."""
        values = {name: self._get(number) for name, number in self._numbers().items()}
        return {name: value for name, value in values.items() if value is not None}

    def set(self, wanted: Mapping[str, int]) -> None:
        """Set what is wanted, in its order; what the camera does not take stays as it is."""
        numbers = self._numbers()
        for name, value in wanted.items():
            if name in numbers:
                with suppress(OSError):
                    self._ask(SET, VALUE.pack(numbers[name], value))

    def _numbers(self) -> dict[str, int]:
        """The number of each control, by its name as v4l2-ctl writes it."""
        found: dict[str, int] = {}
        at = 0
        while True:
            try:
                answer = self._ask(QUERYCTRL, CONTROL.pack(at | NEXT_CONTROL, 0, NO_DATA, 0, 0, 0, 0, 0))
            except OSError:  # that was the last one
                return found
            at, kind, name, *_, flags = CONTROL.unpack(answer)
            ours = at >> 16 in OF_PICTURES and at & 0xFFFF < PRIVATE and at not in OF_SOUND
            if ours and kind in NUMBERS and not flags & NOT_OURS:
                found[re.sub(r"[^a-z0-9]+", "_", _words(name).lower()).strip("_")] = at

    def _get(self, number: int) -> int | None:
        try:
            return int(VALUE.unpack(self._ask(GET, VALUE.pack(number, 0)))[1])
        except OSError:
            return None

    def _listed(
        self, request: int, form: struct.Struct, asked: Callable[[int], tuple[Any, ...]]
    ) -> Iterator[tuple[int, ...]]:
        """What the kernel lists, one after the other, until it has no more."""
        for at in count():
            try:
                yield form.unpack(self._ask(request, form.pack(*asked(at))))
            except OSError:
                return

    def _ask(self, request: int, given: bytes) -> bytes:
        return fcntl.ioctl(self._fd, request, given)
