"""Measures a piece of work from inside: by the emulator's log where there is one, elsewhere by a clock.

How it works. The emulator can log each block of instructions that it translates, and each block that it
runs: millions of lines for a moment's work, and a thousand million before a box has only started. What is
logged it keeps as a number in its memory, which is this program's memory, too. So it starts with a number
that logs next to nothing and is found by being odd, and gets another one while a piece is measured.
"""

import os
import struct
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

READER = "CALLBOX_COUNTS"
"""Names the pipe on which the counts' reader listens (`counts.count`); without it a clock runs."""
QUIET = "int,pcall,cpu_reset,unimp,guest_errors,mmu,fpu,vpu"
"""What `QEMU_LOG` is to be at the start; of a program that does nothing strange that logs nothing."""
QUIET_BITS = 1 << 4 | 1 << 6 | 1 << 9 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 17 | 1 << 21
"""The same as the emulator's number (QEMU, include/qemu/log.h)."""
TRACE_BIT = 1 << 15
"""The emulator sets it by itself, which tells its own number from what it was asked for."""
COUNTING_BITS = 1 << 1 | 1 << 5 | 1 << 13
"""in_asm, exec, nochain. The last makes the emulator translate anew what it has translated before."""


class Piece:
    """A piece of work that is being measured; its name may be known only afterwards."""

    def __init__(self, name: str) -> None:
        self.name = name


class Stopwatch:
    """Tells the processor time of each piece on standard output: its name and milliseconds."""

    @contextmanager
    def piece(self, name: str = "") -> Iterator[Piece]:
        """Measure what is done inside."""
        piece = Piece(name)
        begun = time.process_time()
        yield piece
        print(piece.name, (time.process_time() - begun) * 1000, flush=True)


class Log:
    """Has the emulator log while a piece is measured."""

    def __init__(self, reader: str) -> None:
        """`reader` is the pipe's path, which the emulator logs to. Raises `LookupError` where its number is
        not found."""
        self._reader = os.open(reader, os.O_WRONLY)
        self._memory = os.open("/proc/self/mem", os.O_RDWR)
        self._place = _place_of_level(self._memory)

    @contextmanager
    def piece(self, name: str = "") -> Iterator[Piece]:
        """Measure what is done inside."""
        piece = Piece(name)
        os.write(self._reader, b"begin\n")
        os.pwrite(self._memory, struct.pack("=I", COUNTING_BITS), self._place)
        yield piece
        os.pwrite(self._memory, struct.pack("=I", QUIET_BITS), self._place)
        os.write(self._reader, f"end {piece.name}\n".encode())


Meter = Stopwatch | Log


def meter() -> Meter:
    """What measures here."""
    reader = os.environ.get(READER)
    return Log(reader) if reader else Stopwatch()


def _place_of_level(memory: int) -> int:
    """Where the emulator keeps what it logs: the one number like that in the memory of its own program."""
    level = struct.pack("=I", QUIET_BITS | TRACE_BIT)
    found = [
        start + at
        for start, size in _emulators_own()
        for data in [os.pread(memory, size, start)]
        for at in range(0, size, 4)
        if data[at : at + 4] == level
    ]
    if len(found) != 1:
        raise LookupError(f"the emulator's log level was found {len(found)} times in its memory, not once")
    return found[0]


def _emulators_own() -> Iterator[tuple[int, int]]:
    """Start and size of the parts that its program may write. Asked for by thread, it does not hide them."""
    own = ""
    for line in Path("/proc/thread-self/maps").read_text(encoding="utf-8").splitlines():
        span, may, _, _, _, *name = line.split(maxsplit=5)
        if "/qemu-" in "".join(name):
            own = name[0]
        elif name or own == "past":
            own = "past" if own else ""
        if own not in {"", "past"} and may.startswith("rw"):
            start, end = (int(each, 16) for each in span.split("-"))
            yield start, end - start
