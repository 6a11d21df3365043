"""Counts the instructions of an emulated program, piece by piece, by the emulator's log.

The log (exec, nochain, in_asm) has each block of instructions once, when it is translated ("IN:" and a
line for each instruction: "0xADDRESS:  CODE  words"), and a line for each time that it is run
("Trace 0: HOST [.../ADDRESS/...]"; the first number is the thread's). Which part of it belongs to which
piece, `meter.Log` says between the lines.
"""

import fcntl
import os
import subprocess
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.budget.meter import QUIET, READER

PIPE_BYTES = 1 << 20
LOOK_S = 0.003
"""Waiting for each line would take longer than all the rest."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Instructions: all of them, those that calculate with vectors or floating point, loads and stores."""

    all: int = 0
    vector: int = 0
    memory: int = 0

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.all + other.all, self.vector + other.vector, self.memory + other.memory)

    def times(self, count: int) -> "Tally":
        """What `count` runs of it are together."""
        return Tally(self.all * count, self.vector * count, self.memory * count)


@dataclass(frozen=True, slots=True)
class Counted:
    """One piece of work: what its own thread did, and all other threads of the program meanwhile."""

    name: str
    own: Tally
    others: Tally


def kind_of(code: int) -> Tally:
    """One instruction, by its bits 28 to 25 (Arm Architecture Reference Manual, A64 main encoding)."""
    main = code >> 25 & 0b1111
    return Tally(1, int(main & 0b0111 == 0b0111), int(main & 0b0101 == 0b0100))


class Reader:
    """Takes the log as it comes, and tells each piece when it has ended."""

    def __init__(self) -> None:
        self._blocks: dict[bytes, Tally] = {}
        self._block = b""
        self._rest = b""
        self._runs: Counter[bytes] | None = None

    def read(self, data: bytes) -> Iterator[Counted]:
        """The log's next bytes."""
        data = self._rest + data
        end = data.rfind(b"\n") + 1
        self._rest = data[end:]
        lines = data[: end - 1].split(b"\n") if end else []
        if self._runs is not None and all(word not in data for word in (b"IN:", b":  ", b"end ")):
            self._runs.update(lines)  # many times as fast as one after the other
            return
        for line in lines:
            if line.startswith(b"Trace"):
                if self._runs is not None:
                    self._runs[line] += 1
            elif line.startswith(b"0x"):
                self._translated(line)
            elif line.startswith(b"IN:"):
                self._block = b""
            elif line == b"begin":
                self._runs = Counter()
            elif line.startswith(b"end ") and self._runs is not None:
                yield self._sum(line.split(b" ", 1)[1].decode(), self._runs)
                self._runs = None

    def _translated(self, line: bytes) -> None:
        address, code = line.split(None, 2)[:2]
        if not self._block:
            self._block = address[2:-1].rjust(16, b"0")
            self._blocks[self._block] = Tally()
        self._blocks[self._block] += kind_of(int(code, 16))

    def _sum(self, name: str, runs: Counter[bytes]) -> Counted:
        """Raises `KeyError` for a block that the log did not have."""
        own = others = Tally()
        for line, count in runs.items():
            if not line.startswith(b"Trace "):
                continue
            done = self._blocks[line.split(b"/", 2)[1]].times(count)
            if line.startswith(b"Trace 0:"):
                own += done
            else:
                others += done
        return Counted(name, own, others)


def count(command: Sequence[str | Path], folder: Path, environment: dict[str, str]) -> Iterator[Counted]:
    """Run a command that starts the emulator, and tell of each piece when it has ended.

    Raises `subprocess.CalledProcessError`, with what the program said, where it ends badly.
    """
    pipe = folder / "log"
    os.mkfifo(pipe)
    listening = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(listening, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    told = {"QEMU_LOG": QUIET, "QEMU_LOG_FILENAME": str(pipe), READER: str(pipe)}
    with (
        (folder / "said").open("w+", encoding="utf-8") as said,
        subprocess.Popen(command, env=environment | told, stdout=said, stderr=said) as running,
    ):
        reader = Reader()
        while True:
            ended = running.poll() is not None
            data = _waiting(listening)
            yield from reader.read(data)
            if ended and not data:
                break
            if len(data) < PIPE_BYTES:
                time.sleep(LOOK_S)
        os.close(listening)
        pipe.unlink()
        if running.returncode:
            said.seek(0)
            raise subprocess.CalledProcessError(running.returncode, list(command), said.read())


def _waiting(listening: int) -> bytes:
    """What the pipe holds."""
    parts: list[bytes] = []
    try:
        while part := os.read(listening, PIPE_BYTES):
            parts.append(part)
            if len(parts) == 64:
                break
    except BlockingIOError:
        pass
    return b"".join(parts)
