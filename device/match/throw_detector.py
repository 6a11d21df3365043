"""The protocol of a throw detector: frames and presses of ROLL DONE in, throws for the match and a state out.

How it works. The table brings every frame with what the watch says of it, and every press of ROLL DONE. Once
the dice lie still and count, the detector reads or measures them, keeps the picture, and gives the throw to
the match. How the game goes on, or back, it learns from the match (`Match.subscribe`). There are three: for
dice that are read wherever they lie (`device.rolls.detector`), for dice on a printed mat (`device.mat`), and
for dice that are measured where they landed (`device.landings`). The table chooses one when a game begins,
and knows no more of it than stands here.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from calibration.arrays import Picture
from device.cameras import Frame
from device.journal import Moment, PictureNotKept, Storage
from device.shown.snapshot import HistoryShown, LandingShown, MessageShown, PlacesShown, TouchedShown
from engine.wording import phrase, phrase_later
from vision.pictures import jpeg_of
from vision.reading import DiceChoice, Reading
from vision.watch import FrameState

HAND = phrase_later("A hand is in the picture. Take it away, and the dice are read.")
NO_HAND = phrase_later("If that is no hand but the table, hold ROLL DONE.")
STILL_HAND_MS = 2000.0
"""What has kept still so long is perhaps no hand: people may say so."""
NOTHING = MessageShown()
MOVING = phrase_later("The dice are still moving. They are read when they lie still.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedReading:
    """A reading that the match was given."""

    number: int
    """Counts the readings of the game."""
    reading: Reading
    picture: str
    """The name of the picture that was read; "" when the disk did not take it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorState:
    """What a detector has to show."""

    taken: AcceptedReading | None = None
    """The last reading; None before the first."""
    fresh: bool = False
    """Nothing has moved since, so the dice still lie as they were read."""
    in_the_way: MessageShown = NOTHING
    """Why throws cannot be called as surely as they should, or at all; empty text when they can."""
    asks: bool = False
    """The last throw waits for people's word."""
    landing: LandingShown | None = None
    """The last throw at the End Zone; None in other games."""
    stay: int = 0
    """At the End Zone, how many dice on the table stay for the next throw."""
    places: PlacesShown | None = None
    """The mat; None where none lies there."""
    touched: TouchedShown | None = None
    """The dice that a hand touched, while people are asked about them."""
    history: HistoryShown | None = None
    """How the dice of the last roll came to lie there, where that is known."""


def is_doubtful(look: FrameState | None) -> bool:
    """Whether what is taken for a hand has kept still for so long that it may be none."""
    return look is not None and look.state == "hand" and look.time_ms - look.still_since_ms >= STILL_HAND_MS


class ThrowDetector(Protocol):
    """Detects the throws of one game. Not for several threads: the table is the only caller."""

    @property
    def waiting(self) -> "Waiting":
        """Whether ROLL DONE was pressed and waits, and what stands in the way."""
        ...

    @property
    def state(self) -> DetectorState:
        """What there is to show now."""
        ...

    def detect(self, frame: Frame, look: FrameState) -> None:
        """Take in a new frame, and what the watch says of it; read it if it shows a throw."""
        ...

    def detect_now(self, frame: Frame, look: FrameState) -> None:
        """Read the newest frame, for ROLL DONE was pressed; or wait until the dice lie still."""
        ...

    def blink(self, time_ms: float) -> Sequence[str]:
        """Take the lamps that are to blink now, because something may not lie as it does."""
        ...


class ReadsDice(Protocol):
    """A reader of pictures (`vision.incremental_reader.TableReader`)."""

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """The dice in the picture; `sharp` is the same view in more pixels, where there is one."""
        ...


class Waiting:
    """A press of ROLL DONE that waits for dice that lie still."""

    def __init__(self) -> None:
        """Nobody has pressed yet."""
        self.on = False
        self.why = ""
        """What stands in the way, in a sentence for people; "" when nothing does."""
        self.pressed_ms = 0.0
        """When ROLL DONE was pressed last."""

    def begin(self, why: str, pressed_ms: float) -> None:
        """ROLL DONE was pressed. `why` stands until the detector has seen the newest frame."""
        self.on, self.why, self.pressed_ms = True, why, pressed_ms

    def go_on(self, look: FrameState) -> None:
        """The dice do not lie still yet at this look."""
        if self.on:
            hand = f"{phrase(HAND)} {phrase(NO_HAND)}" if is_doubtful(look) else phrase(HAND)
            self.why = hand if look.state == "hand" else phrase(MOVING)

    def end(self) -> None:
        """The dice were read, or another button was pressed."""
        self.on, self.why = False, ""


class Record:
    """The readings of one game: counted, and each picture on the disk before its reading counts."""

    def __init__(
        self,
        storage: Storage,
        game_id: int,
        number: int,
        now: Callable[[], Moment],
        tell: Callable[[str], None],
    ) -> None:
        """`number` readings were taken before; `tell` gets a sentence when a picture could not be kept."""
        self._storage = storage
        self._game_id = game_id
        self._tell = tell
        self.number = number
        self.now = now
        self.taken: AcceptedReading | None = None
        self.fresh = False
        """Nothing has moved since the last reading."""

    def note_motion(self, look: FrameState) -> None:
        """A new look at the table."""
        if look.state != "still":
            self.fresh = False

    def keep_picture(self, frame: Frame) -> str:
        """Count one reading more and keep its picture: returns the picture's name, "" when it is not kept."""
        self.number += 1
        try:
            return self._storage.keep_picture(self._game_id, self.number, jpeg_of(frame.whole))
        except PictureNotKept as error:
            self._tell(str(error))
            return ""

    def keep_close_up(self, number: int, jpeg: bytes) -> str:
        """Keep a close-up of that reading, in any thread: returns its name, "" when it is not kept."""
        try:
            return self._storage.keep_picture(self._game_id, number, jpeg)
        except PictureNotKept:  # it was told already of the picture itself
            return ""

    def accept(self, reading: Reading, picture: str, look: FrameState) -> None:
        """What was read in the picture that was just kept, and the newest look."""
        self.taken = AcceptedReading(number=self.number, reading=reading, picture=picture)
        self.fresh = look.state == "still"
