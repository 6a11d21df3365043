"""The umpire for a game on a printed mat: rolls of the dice that lie free, and what lies in its places."""

from collections.abc import Sequence
from dataclasses import replace

from device.cameras import Frame
from device.mat.places import Places
from device.match import Match
from device.match.umpire import Means, Shown, Waiting
from device.rolls import Rolls
from vision.watch import Look, Throws


class MatUmpire:
    """One game's rolls, and its dice and cards in the places of one mat."""

    def __init__(self, match: Match, places: Places, throws: Throws, means: Means) -> None:
        self._places = places
        self._rolls = Rolls(match, places, throws, means, mat=places)
        self._now = means.now

    @property
    def waiting(self) -> Waiting:
        """A press of ROLL DONE that waits."""
        return self._rolls.waiting

    @property
    def shown(self) -> Shown:
        """The last reading, and the mat."""
        return replace(self._rolls.shown, places=self._places.shown())

    def see(self, frame: Frame, look: Look) -> None:
        """A new frame: a roll first, if one is due; then what lies in the places."""
        self._rolls.see(frame, look)
        if not self.waiting.on:
            self._places.see(frame, look, self._rolls.dice, self._now())

    def roll_done(self, frame: Frame, look: Look) -> None:
        """ROLL DONE was pressed: read the dice that lie free, at once or as soon as the table is still."""
        self._rolls.roll_done(frame, look)

    def follow(self) -> None:
        """What lies in the places is held against the game whenever it lies still."""
        self._rolls.follow()

    def blinks(self, time_ms: float) -> Sequence[str]:
        """The lamps that blink now because something lies where it may not."""
        return self._places.blinks(time_ms)
