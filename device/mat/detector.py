"""Detects what happens on a printed mat: rolls of the dice that lie free, and what lies in its places."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from operator import is_not
from pathlib import Path
from typing import Literal

from calibration.arrays import Picture
from calibration.view import View
from device.cameras import Frame
from device.journal import Moment
from device.mat.game import PlacesGame
from device.match import Match
from device.match.throw_detector import DetectorState, ReadsDice, Waiting
from device.rolls import RollDetector
from device.shown.snapshot import PlacesShown
from engine.game import Rulebook
from engine.wording import phrase
from vision.places import (
    Layout,
    LayoutError,
    MatReading,
    SeenTag,
    Surveyor,
    list_packaged,
    load_layout,
    load_packaged,
)
from vision.reading import DiceChoice, Reading
from vision.watch import FrameState, Throws

# The mat under the camera: which layout lies there, and what is read in its places.
#
# How it works. `Places` stands between the detector of a game on a mat and its reader. For a roll it hands on
# only the dice that do not lie where dice are set aside. Beside that it looks at each new arrangement that
# has come to rest, and lets the game on that mat (`device.mat.game`) say what it means.

Choice = Layout | Literal["auto", "none"]
"""A layout for every game, each game's own mat if it lies there, or none."""


def chosen(word: str) -> Choice:
    """What `--layout` and the setting say: auto, none, a mat's name or a file; raises `LayoutError`."""
    match word:
        case "auto" | "none":
            return word
        case _ if word in list_packaged():
            return load_packaged(word)
        case _ if not Path(word).suffix and not Path(word).exists():
            names = ", ".join(("auto", "none", *list_packaged()))
            raise LayoutError(
                phrase(
                    "There is no layout {word!r}. Say {names}, or the path of a layout file.",
                    word=word,
                    names=names,
                )
            )
        case _:
            return load_layout(Path(word).expanduser())


def layout_for(choice: Choice, book: Rulebook) -> Layout | None:
    """The mat that is expected to lie there in such a game; None where it is played without.

    Where nobody asked for one, a game's own lies there if dice are set aside on it; bets are made on buttons
    and phones, too.
    """
    if isinstance(choice, Layout):
        return choice
    by_itself = book.mat is not None and book.mat.dice is not None and book.name in list_packaged()
    return load_packaged(book.name) if choice == "auto" and by_itself else None


class Places:
    """One game's mat. Not for several threads: the game's detector is the only caller."""

    def __init__(
        self, reader: ReadsDice, match: Match, layout: Layout, view: View | None = None, *, needed: bool
    ) -> None:
        """`view` is the calibrated camera's, where there is one: then no height has to be guessed.

        `needed`: somebody asked for this mat, and is told when it is not seen.
        """
        self._reader = reader
        self._match = match
        self._game = PlacesGame(match, layout)
        self._surveyor = Surveyor(layout, view)
        self._needed = needed
        self._throws = Throws()
        self._judged_ms = float("-inf")
        self._looked_scene = 0
        self._seen: tuple[Picture, DiceChoice, MatReading, tuple[SeenTag, ...]] | None = None
        self._drawn: tuple[tuple[object, ...], PlacesShown | None] | None = None
        """What the mat was drawn from, and how it was."""

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """The dice in the picture that count to a roll; `sharp` is the same view in more pixels."""
        return self._game.rolled(self._survey(picture, dice, sharp).roll)

    def in_the_way(self) -> str:
        """Why no roll counts with the places as they were last read, in a sentence; "" when it does."""
        return self._game.in_the_way(self._seen[2]) if self._seen else ""

    def only_moved(self) -> bool:
        """Whether the dice that were last read were only moved: then nothing was thrown."""
        return self._seen is not None and self._game.only_moved(self._seen[2])

    def detect(self, frame: Frame, look: FrameState, dice: DiceChoice, at: Moment) -> None:
        """Take a frame in. When a new arrangement has come to rest, the match hears what it means."""
        if self._surveyor.ground is None and not self._looked_for(frame.picture, look):
            return
        self._throws.see(look, lambda: self._survey(frame.picture, dice, frame.sharp).reading)
        rest = self._throws.lying
        if rest is None or rest.picture_ms == self._judged_ms or self._seen is None:
            return
        self._judged_ms = rest.picture_ms
        if self._surveyor.ground is not None:
            self._game.judge(self._surveyor.assign_places(rest.reading, self._seen[3]), at)

    def _looked_for(self, picture: Picture, look: FrameState) -> bool:
        """Look for the mat's tags, once in each arrangement: where no mat lies nothing else is to be done."""
        if not look.settled or look.scene == self._looked_scene:
            return False
        self._looked_scene = look.scene
        self._surveyor.paint_over_tags(picture)
        return self._surveyor.ground is not None

    def blink(self, time_ms: float) -> Sequence[str]:
        """The lamps that blink now because something may not lie as it does."""
        return self._game.blink(time_ms)

    def show(self) -> PlacesShown | None:
        """The mat for the console, drawn once for each arrangement and position; None where none is."""
        mat = self._surveyor
        now = mat.ground, mat.size_px, mat.trouble, self._match.position, self._judged_ms
        if self._drawn is None or any(map(is_not, self._drawn[0], now)):
            self._drawn = now, self._draw()
        return self._drawn[1]

    def _draw(self) -> PlacesShown | None:
        title, ground = self._surveyor.layout.told_title, self._surveyor.ground
        if ground is not None:
            width, height = self._surveyor.size_px
            return PlacesShown(title=title, width=width, height=height, places=self._game.show(ground))
        return PlacesShown(title=title, trouble=self._surveyor.trouble) if self._needed else None

    def _survey(self, picture: Picture, dice: DiceChoice, sharp: Picture | None) -> MatReading:
        """All that lies in a picture; each picture is read once, however often it is asked about."""
        if self._seen and self._seen[0] is picture and self._seen[1] == dice:
            return self._seen[2]
        clean, tags = self._surveyor.paint_over_tags(picture)
        # Betting dice lie there beside those that are rolled.
        kinds: DiceChoice = "zoinx-and-bet" if self._surveyor.layout.of("bet") else dice
        placed = self._surveyor.assign_places(self._reader.read(clean, kinds, sharp), tags)
        self._seen = picture, dice, placed, tags
        return placed


class MatDetector:
    """One game's rolls, and its dice and cards in the places of one mat."""

    def __init__(self, rolls: RollDetector, places: Places, now: Callable[[], Moment]) -> None:
        """`rolls` reads from `places`."""
        self._places = places
        self._rolls = rolls
        self._now = now

    @property
    def waiting(self) -> Waiting:
        """A press of ROLL DONE that waits."""
        return self._rolls.waiting

    @property
    def state(self) -> DetectorState:
        """The last reading, and the mat."""
        return replace(self._rolls.state, places=self._places.show())

    def detect(self, frame: Frame, look: FrameState) -> None:
        """Take in a new frame: a roll first, if one is due; then what lies in the places."""
        self._rolls.detect(frame, look)
        if not self.waiting.on:
            self._places.detect(frame, look, self._rolls.dice, self._now())

    def detect_now(self, frame: Frame, look: FrameState) -> None:
        """ROLL DONE was pressed: read the dice that lie free, at once or as soon as the table is still."""
        self._rolls.detect_now(frame, look)

    def blink(self, time_ms: float) -> Sequence[str]:
        """The lamps that blink now because something lies where it may not."""
        return self._places.blink(time_ms)
