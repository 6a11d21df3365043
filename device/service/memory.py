"""Memory that holds nothing any more goes back to the machine.

Pictures of some megabytes come and go in several threads, and smaller things stay between them. glibc keeps
the gaps for later: after a few hundred throws they are a third of what a box has of the machine's memory.
They are given back now and then, and asked for again where they are needed.
"""

import ctypes

EVERY_S = 60.0
"""How often: it takes some 5 ms, and the gaps of a minute are no harm."""


class SpareMemory:
    """Gives it back. Not for several threads."""

    def __init__(self) -> None:
        """Where the C library is not glibc, nothing is done."""
        self._trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        self._given_s = float("-inf")

    def look(self, now_s: float) -> None:
        """Give it back when it is time to; to be called again and again, with a steady clock's seconds."""
        if self._trim is not None and now_s - self._given_s >= EVERY_S:
            self._given_s = now_s
            self._trim(0)
