"""Memory that holds nothing any more."""

import ctypes
from pathlib import Path

import pytest

from device.service.machine import EVERY_S, SpareMemory

pytestmark = pytest.mark.skipif(
    not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="only glibc can be asked to give memory back"
)


def resident_mb() -> float:
    """What of this process lies in the machine's memory."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * 4096 / 1e6


def with_gaps() -> list[bytearray]:
    """Some 4 MB, with 36 MB between them that were given up."""
    pieces = [bytearray(b"x" * 100_000) for _ in range(400)]
    return pieces[::10]


def test_gaps_between_what_is_kept_go_back_to_the_machine_once_a_minute() -> None:
    spare = SpareMemory()
    spare.look(0.0)
    kept = with_gaps()
    full_mb = resident_mb()
    spare.look(EVERY_S - 1)
    assert resident_mb() > full_mb - 5
    spare.look(EVERY_S)
    assert resident_mb() < full_mb - 20
    assert {bytes(piece[:2]) for piece in kept} == {b"xx"}
