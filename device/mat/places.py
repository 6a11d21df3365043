"""The mat under the camera: which layout lies there, and what is read in its places.

How it works. `Places` stands between the table and its reader. For a roll it hands on only the dice that do
not lie where dice are set aside. Beside that it looks at each new arrangement that has come to rest, and lets
the game on that mat (`game`) say what it means. Without a layout it only reads.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from calibration.arrays import Picture
from calibration.view import View
from device.journal import Moment
from device.mat.game import PlacesGame
from device.match import Match
from device.snapshot import PlacesShown
from vision.places import (
    Layout,
    LayoutError,
    Placed,
    SeenTag,
    Surveyor,
    list_packaged,
    load_layout,
    load_packaged,
)
from vision.reading import DiceChoice, Reading
from vision.watch import Look, Throws

Choice = Layout | Literal["auto", "none"]
"""A layout for every game, each game's own mat if it lies there, or none."""


BY_ITSELF = ("zonk", "ten-thousand")
"""The games whose mat is expected without being asked for. Zoinx is bet on buttons and phones, too."""


def chosen(word: str) -> Choice:
    """What `--layout` and the setting say: auto, none, a mat's name or a file; raises `LayoutError`."""
    match word:
        case "auto" | "none":
            return word
        case _ if word in list_packaged():
            return load_packaged(word)
        case _ if not Path(word).suffix and not Path(word).exists():
            names = ", ".join(("auto", "none", *list_packaged()))
            raise LayoutError(f"There is no layout {word!r}. Say {names}, or the path of a layout file.")
        case _:
            return load_layout(Path(word).expanduser())


class ReadsDice(Protocol):
    """A reader of pictures (`vision.reader.Reader`)."""

    def read(self, picture: Picture, dice: DiceChoice = "auto") -> Reading:
        """The dice in the picture."""
        ...


class Places:
    """One box's mat. Not for several threads: the table is the only caller."""

    def __init__(self, reader: ReadsDice, choice: Choice = "none", view: View | None = None) -> None:
        """`view` is the calibrated camera's, where there is one: then no height has to be guessed."""
        self._reader = reader
        self._choice = choice
        self._view = view
        self._surveyor: Surveyor | None = None
        self._throws = Throws()
        self._judged_ms = float("-inf")
        self._looked_scene = 0
        self._seen: tuple[Picture, DiceChoice, Placed, tuple[SeenTag, ...]] | None = None
        self.game: PlacesGame | None = None
        """The game on the mat; None where no layout is known for it."""

    def play(self, match: Match) -> Layout | None:
        """A game begins or goes on; returns the layout that is expected to lie there."""
        layout = self._layout_for(match.rulebook.name)
        self._surveyor = Surveyor(layout, self._view) if layout else None
        self._throws, self._judged_ms, self._seen = Throws(), float("-inf"), None
        self._looked_scene = 0
        self.game = PlacesGame(match, layout) if layout else None
        return layout

    @property
    def layout(self) -> Layout | None:
        """The layout of the game that is played; None where there is none."""
        return self._surveyor.layout if self._surveyor else None

    def read(self, picture: Picture, dice: DiceChoice = "auto") -> Reading:
        """The dice in the picture that count to a roll."""
        if self._surveyor is None or self.game is None:
            return self._reader.read(picture, dice)
        return self.game.rolled(self._survey(self._surveyor, picture, dice).roll)

    def in_the_way(self) -> str:
        """Why no roll counts with the places as they were last read, in a sentence; "" when it does."""
        return self.game.in_the_way(self._seen[2]) if self.game and self._seen else ""

    def only_moved(self) -> bool:
        """Whether the dice that were last read were only moved: then nothing was thrown."""
        return bool(self.game and self._seen and self.game.only_moved(self._seen[2]))

    def see(self, picture: Picture, look: Look, dice: DiceChoice, at: Moment) -> None:
        """Take a frame in. When a new arrangement has come to rest, the match hears what it means."""
        if self._surveyor is None or self.game is None:
            return
        surveyor = self._surveyor
        if surveyor.ground is None and not self._looked_for(surveyor, picture, look):
            return
        self._throws.see(look, lambda: self._survey(surveyor, picture, dice).reading)
        rest = self._throws.lying
        if rest is None or rest.picture_ms == self._judged_ms or self._seen is None:
            return
        self._judged_ms = rest.picture_ms
        if self._surveyor.ground is not None:
            self.game.judge(self._surveyor.place(rest.reading, self._seen[3]), at)

    def _looked_for(self, surveyor: Surveyor, picture: Picture, look: Look) -> bool:
        """Look for the mat's tags, once in each arrangement: where no mat lies nothing else is to be done."""
        if not look.settled or look.scene == self._looked_scene:
            return False
        self._looked_scene = look.scene
        surveyor.paint_over_tags(picture)
        return surveyor.ground is not None

    def blinks(self, time_ms: float) -> Sequence[str]:
        """The lamps that blink now because something may not lie as it does."""
        return self.game.blinks(time_ms) if self.game else ()

    def shown(self) -> PlacesShown | None:
        """The mat for the console; None where none lies there."""
        if self._surveyor is None or self.game is None:
            return None
        title, ground = self._surveyor.layout.title, self._surveyor.ground
        if ground is not None:
            width, height = self._surveyor.size_px
            return PlacesShown(title=title, width=width, height=height, places=self.game.shown(ground))
        return None if self._choice == "auto" else PlacesShown(title=title, trouble=self._surveyor.trouble)

    def _layout_for(self, game: str) -> Layout | None:
        if isinstance(self._choice, Layout):
            return self._choice
        return load_packaged(game) if self._choice == "auto" and game in BY_ITSELF else None

    def _survey(self, surveyor: Surveyor, picture: Picture, dice: DiceChoice) -> Placed:
        """All that lies in a picture; each picture is read once, however often it is asked about."""
        if self._seen and self._seen[0] is picture and self._seen[1] == dice:
            return self._seen[2]
        clean, tags = surveyor.paint_over_tags(picture)
        # Betting dice lie there beside those that are rolled.
        kinds: DiceChoice = "auto" if surveyor.layout.of("bet") else dice
        placed = surveyor.place(self._reader.read(clean, kinds), tags)
        self._seen = picture, dice, placed, tags
        return placed
