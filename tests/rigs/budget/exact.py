"""Runs under the emulator: loops of two instructions, so that the counting can be counted.

python tests/rigs/budget/exact.py TURNS...
"""

import ctypes
import mmap
import struct
import sys

from tests.rigs.budget.meter import meter

LOOP = struct.pack("<3I", 0xF1000400, 0x54FFFFE1, 0xD65F03C0)
"""subs x0, x0, #1; b.ne to the first; ret."""


def main(turns: list[int]) -> None:
    """Each number of turns is a piece of its own, named after it."""
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(LOOP)
    place = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    loop = ctypes.CFUNCTYPE(None, ctypes.c_uint64)(place)
    measure = meter()
    for count in turns:
        with measure.piece(str(count)):
            loop(count)


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]])
