"""Has dice read as soon as nothing moves, before anybody asks what they show.

A reading takes about as long as a table must lie still before dice count. So a box that reads by itself reads
at the first picture in which nothing moves any more; and one with ROLL DONE does, too, for whoever presses
wants the score at once. If nothing has moved when it counts, the reader remembers (`vision.remember`), and
there is nothing left to read. If something did, that reading was for nothing: nobody hears of it.
"""

from collections.abc import Callable

from device.cameras import Frame
from device.match.umpire import ReadsDice
from vision.reading import DiceChoice
from vision.watch import Look

AHEAD_MS = 30.0
"""How long nothing must have moved: between two pictures, at 60 frames/s three. A die that stands on an edge
falls off it with a time constant of some 35 ms."""


class ReadingAhead:
    """Reads once in each stillness. Not for several threads: the game's umpire is the only caller."""

    def __init__(self, reader: ReadsDice, sharper_comes: Callable[[], bool]) -> None:
        """`reader` remembers what it reads; `sharper_comes` as `device.match.umpire.Means` has it: a picture
        that will soon be there in more pixels is not read before."""
        self._reader = reader
        self._sharper_comes = sharper_comes
        self._since_ms = float("-inf")
        """Since when nothing had moved when it was last read."""

    def see(self, frame: Frame, look: Look, dice: DiceChoice) -> None:
        """A new frame: read it if nothing moves any more."""
        since_ms = look.still_since_ms
        lies = look.state == "still" and look.time_ms - since_ms >= AHEAD_MS
        complete = frame.sharp is not None or not self._sharper_comes()
        if lies and complete and since_ms != self._since_ms:
            self._since_ms = since_ms
            self._reader.read(frame.picture, dice, frame.sharp)
