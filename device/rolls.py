"""The umpire for dice that are read wherever they lie: a roll at ROLL DONE, or once thrown dice lie still.

With ROLL DONE the newest picture is read at once, or as soon as the table is still. A box that reads by
itself reads some frames of each rest and puts them together; what a new arrangement then means is said at the
head of `vision.watch.throws`.
"""

from collections import deque
from collections.abc import Sequence
from typing import Protocol

from device.cameras import Frame
from device.match import Match
from device.umpire import Means, ReadsDice, Record, Shown, Waiting
from device.words import as_dice, trouble_with
from vision.reading import DiceChoice, Reading
from vision.watch import Look, Rest, Throws

VOTERS = 5
"""How many frames of one rest are read at most before it is decided (`vision.watch.throws`)."""


class RollMat(ReadsDice, Protocol):
    """A mat on which dice are rolled: it reads those that lie free, and knows what else lies there."""

    def in_the_way(self) -> str:
        """Why no roll counts as things were last read, in a sentence; "" when it does."""
        ...

    def only_moved(self) -> bool:
        """Whether the dice that were last read were only moved: then nothing was thrown."""
        ...


class Rolls:
    """One game's rolls."""

    def __init__(
        self, match: Match, reader: ReadsDice, throws: Throws, means: Means, mat: RollMat | None = None
    ) -> None:
        """`throws` goes on from game to game: dice left over from the last are known, and do not count."""
        self._match = match
        self._reader = mat or reader
        self._mat = mat
        self._throws = throws
        self._means = means
        self._record = Record(means, match.game_id, match.readings)
        self._voters: deque[Frame] = deque(maxlen=VOTERS)
        self.waiting = Waiting()

    @property
    def shown(self) -> Shown:
        """The last reading."""
        return Shown(taken=self._record.taken, fresh=self._record.fresh)

    @property
    def dice(self) -> DiceChoice:
        """The kind of dice to look for."""
        expected = self._match.view.wanted or self._match.rulebook.dice
        return "auto" if expected.more else expected.kind

    def see(self, frame: Frame, look: Look) -> None:
        """Read a new frame if a roll is due and it shows one."""
        self._record.see(look)
        if self.waiting.on:
            self.roll_done(frame, look)
        elif self._means.by_itself:
            # Also while no roll is due: dice left over from before are then known, and do not count.
            rest = self._throws.see(look, lambda: self._vote(frame))
            if rest is not None and self._match.view.wanted is not None:
                self._take_rest(rest, frame, look)

    def roll_done(self, frame: Frame, look: Look) -> None:
        """ROLL DONE was pressed: read at once, or as soon as the table is still."""
        if look.state == "still":
            self.waiting.end()
            self._take(self._reader.read(frame.picture, self.dice), frame, look)
        else:
            self.waiting.go_on(look)

    def follow(self) -> None:
        """Nothing is known of free dice but what they showed."""

    def blinks(self, _time_ms: float) -> Sequence[str]:
        """None: free dice may lie anywhere."""
        return ()

    def _vote(self, frame: Frame) -> Reading:
        """Read a frame for `Throws`, which may name it as the one that decided, some frames later."""
        self._voters.append(frame)
        return self._reader.read(frame.picture, self.dice)

    def _take_rest(self, rest: Rest, frame: Frame, look: Look) -> None:
        """Dice came to rest by themselves: what that means is said at the head of `vision.watch.throws`."""
        match = self._match
        read = next((each for each in self._voters if each.time_ms == rest.picture_ms), frame)
        match rest.change:
            case "thrown" if self._mat is None or not self._mat.only_moved():
                self._take(rest.reading, read, look)
            case "found" if self._means.first_counts:
                self._take(rest.reading, read, look)
            case "toppled" if not match.pending and not trouble_with(rest.reading, match.rulebook.dice):
                match.correct(as_dice(rest.reading), "a die moved on by itself", self._means.now())
            case "toppled":
                self._take(rest.reading, read, look)
            case "found" | "nudged" | "taken" | "thrown":
                pass

    def _take(self, reading: Reading, frame: Frame, look: Look) -> None:
        """Give a reading to the match, its picture kept first."""
        if self._mat is not None and (why := self._mat.in_the_way()):
            self._match.refuse(why, self._means.now())
            return
        picture = self._record.keep(frame)
        self._record.take(reading, picture, look)
        self._match.read(reading, picture, self._means.now())
