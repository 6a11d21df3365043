"""Has dice read before they have lain still for long enough to count.

A reading takes about as long as a table must lie still. So a box that reads by itself has it read as soon as
nothing moves. If nothing has moved when the table has settled, its reader remembers (`vision.remember`), and
there is nothing left to read. If something did, that reading was for nothing: nobody hears of it.
"""

from device.cameras import Frame
from device.match.umpire import ReadsDice
from vision.reading import DiceChoice
from vision.watch import Look

AHEAD_MS = 30.0
"""How long nothing must have moved: between two pictures, at 60 frames/s three. A die that stands on an edge
falls off it with a time constant of some 35 ms."""


class ReadingAhead:
    """Reads once in each stillness. Not for several threads: the game's umpire is the only caller."""

    def __init__(self, reader: ReadsDice) -> None:
        """`reader` remembers what it reads."""
        self._reader = reader
        self._since_ms = float("-inf")
        """Since when nothing had moved when it was last read."""

    def see(self, frame: Frame, look: Look, dice: DiceChoice) -> None:
        """A new frame: read it if nothing moves any more, but the table has not settled yet."""
        since_ms = look.still_since_ms
        lies = look.state == "still" and look.time_ms - since_ms >= AHEAD_MS
        if lies and not look.settled and since_ms != self._since_ms:
            self._since_ms = since_ms
            self._reader.read(frame.picture, dice, frame.sharp)
