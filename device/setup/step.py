"""What every step of the set-up is."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from calibration.durable import sync_folder, write_whole
from device.cameras import Frame

# What is shown of the set-up, as one message: page and terminal are drawn from it, and from nothing else.

Verdict = Literal["ok", "warn", "fail", "not here"]
PointPx = tuple[float, float]


class HintShown(msgspec.Struct, frozen=True):
    """One thing that the picture says, and what to do about it."""

    name: str
    verdict: Verdict
    text: str


class LineShown(msgspec.Struct, frozen=True):
    """One line of a list: a check of the doctor's, a button, a setting."""

    name: str
    verdict: Verdict
    text: str
    fix: str = ""


class PressShown(msgspec.Struct, frozen=True):
    """Something that may be pressed now."""

    name: str
    text: str
    main: bool = False


class MarkShown(msgspec.Struct, frozen=True):
    """A line drawn over the picture, in its pixels."""

    kind: Literal["board", "taken", "zone", "tape", "edge", "die", "unsure", "line", "dot", "hidden"]
    points: tuple[PointPx, ...]
    closed: bool = False
    label: str = ""


class LampShown(msgspec.Struct, frozen=True):
    """A lamp of the panel, and whether it is to be lit now."""

    name: str
    label: str
    lit: bool
    colour: str = ""
    """The status lamp's colour while it is lit: red, green, blue."""


class StepShown(msgspec.Struct, frozen=True):
    """One step in the list of all."""

    name: str
    title: str
    figure: str = ""
    """What came of it, once it was done: "0.03 px"."""
    at: str = ""
    """When that was, by ISO 8601; "" where it was never done."""


class SetupShown(msgspec.Struct, frozen=True):
    """Where the set-up stands."""

    ok: bool = True
    text: str = ""
    """Why nothing can be set up now; "" where it can."""
    step: str = ""
    """The step that is open."""
    steps: tuple[StepShown, ...] = ()
    say: str = ""
    """What to do now, in a sentence."""
    taken: int = 0
    wanted: int = 0
    """How many pictures are taken, and how many are wanted; 0 where none are."""
    hints: tuple[HintShown, ...] = ()
    lines: tuple[LineShown, ...] = ()
    acts: tuple[PressShown, ...] = ()
    marks: tuple[MarkShown, ...] = ()
    width: int = 0
    height: int = 0
    """The size of the picture as it is served, pixels."""
    lamps: tuple[LampShown, ...] = ()
    """The panel's lamps, where they are tried."""
    rows: tuple[tuple[int, ...], ...] = ()
    """What the scoreboard is to show, a bit mask a digit (`device.panel.displays`); () while it is dark."""
    pins: bool = False
    """Whether the page may press the panel's buttons: they are mock ones."""


class NotNow(Exception):
    """What was asked for cannot be done, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepView:
    """What a step shows now."""

    say: str
    acts: tuple[PressShown, ...] = ()
    hints: tuple[HintShown, ...] = ()
    lines: tuple[LineShown, ...] = ()
    marks: tuple[MarkShown, ...] = ()
    taken: int = 0
    wanted: int = 0
    lamps: tuple[LampShown, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()


class SetupStep(Protocol):
    """One step: it is given pictures and presses, reads no clock and starts no thread."""

    @property
    def title(self) -> str:
        """Its name in the list."""
        ...

    def enter(self) -> None:
        """It is opened, for the first time or again."""
        ...

    def leave(self) -> None:
        """Another is opened; what was taken stays, to go on with later."""
        ...

    def see(self, frame: Frame) -> None:
        """Look at a picture; none is seen twice."""
        ...

    def press(self, button: str) -> None:
        """A button of the panel went down; from any thread."""
        ...

    def face(self) -> StepView:
        """What it shows."""
        ...

    def do(self, act: str) -> str:
        """Do one of the face's acts. Returns the figure that came of the step where that ends it, else "".

        Raises `NotNow`.
        """
        ...


Steps = Mapping[str, SetupStep]


# What was done, when, and what came of it: `setup.json` in the data folder.

NAME = "setup.json"


class StepDone(msgspec.Struct, frozen=True):
    """A step that was done."""

    figure: str
    at: str
    """By ISO 8601, with its offset from UTC."""


def load_done(folder: Path) -> Mapping[str, StepDone]:
    """What was done, by the step's name; nothing where the file is missing or cannot be read."""
    try:
        return msgspec.json.decode((folder / NAME).read_bytes(), type=dict[str, StepDone])
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return {}  # it says only when something was done: the calibrations themselves are other files


def note_done(folder: Path, step: str, figure: str, at: datetime) -> None:
    """Note that a step was done. Raises OSError."""
    done = {**load_done(folder), step: StepDone(figure, at.isoformat(timespec="seconds"))}
    write_whole(folder / NAME, msgspec.json.encode(done))
    sync_folder(folder)


def put_beside(path: Path, at: datetime) -> Path | None:
    """Copy a file that is about to be replaced, under a name with the time; None where there is none.

    Raises OSError.
    """
    if not path.exists():
        return None
    copy = path.with_name(f"{path.stem}-before-{at:%Y-%m-%d-%H%M%S}{path.suffix}")
    write_whole(copy, path.read_bytes())
    sync_folder(path.parent)
    return copy
