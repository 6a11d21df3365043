"""What a running box takes up, and whether that grows."""

import ctypes
import gc
import os
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec
import numpy as np


class Gauges(msgspec.Struct, frozen=True, kw_only=True):
    """What the box takes up after so many throws."""

    throws: int
    wall_s: float
    cpu_s: float
    """This process's own work."""
    resident_kb: float
    own_kb: float
    """The process's share of what is resident (Pss)."""
    anonymous_kb: float
    """What of that comes from no file: libraries' pages come and go with the machine's need."""
    heap_kb: float
    """What malloc has given out: Python's arenas, numpy's arrays, OpenCV, onnxruntime."""
    objects: int
    """Blocks that Python's own allocator has given out."""
    handles: int
    threads: int
    journal_kb: float
    data_kb: float
    """All that lies in the data folder."""
    load: float
    """The machine's, in the last minute."""
    shown_ms: float = 0.0
    """The middle one of the last throws' times from the last frame or press to the snapshot."""
    work_ms: float = 0.0
    """The same of the table's work in that time."""


class _MallInfo(ctypes.Structure):
    """glibc's `struct mallinfo2`."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            "arena", "ordblks", "smblks", "hblks", "hblkhd",
            "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost",
        )
    ]  # fmt: skip


def read_gauges(throws: int, data: Path, began_s: float) -> Gauges:
    """As they stand now; `began_s` by `time.monotonic`."""
    gc.collect()
    smaps = _rollup()
    return Gauges(
        throws=throws,
        wall_s=round(time.monotonic() - began_s, 3),
        cpu_s=time.process_time(),
        resident_kb=smaps["Rss"],
        own_kb=smaps["Pss"],
        anonymous_kb=smaps["Pss_Anon"],
        heap_kb=_heap_kb(),
        objects=sys.getallocatedblocks(),
        handles=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        threads=threading.active_count(),
        journal_kb=_size_kb(data.glob("journal*")),
        data_kb=_size_kb(data.rglob("*")),
        load=os.getloadavg()[0],
    )


def slope_bytes(gauges: Sequence[Gauges], what: str) -> tuple[float, float]:
    """By how much that grows with a throw, by the straight line that fits best; and its standard error."""
    if len(gauges) < 4:
        return 0.0, 0.0
    throws = np.array([each.throws for each in gauges], np.float64)
    kb = np.array([getattr(each, what) for each in gauges], np.float64)
    line, errors = np.polyfit(throws, kb, 1, cov=True)
    return float(line[0] * 1024), float(np.sqrt(errors[0, 0]) * 1024)


def _rollup() -> dict[str, float]:
    """What the kernel says of this process's memory, in kB."""
    lines = Path("/proc/self/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    return {name: float(rest.split()[0]) for name, rest in (line.split(":", 1) for line in lines)}


def _heap_kb() -> float:
    libc = ctypes.CDLL(None)
    libc.mallinfo2.restype = _MallInfo
    info = libc.mallinfo2()
    return float(info.uordblks + info.hblkhd) / 1024


def _size_kb(files: Iterable[Path]) -> float:
    total = 0
    for file in files:
        with suppress(OSError):  # the box removes what is too old
            total += file.stat().st_size
    return total / 1024
