"""What every step of the set-up is."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec

from calibration.durable import sync_folder, write_whole
from device.cameras import Frame
from device.doctor import Finding

# What is shown of the set-up, as one message: page and terminal are drawn from it, and from nothing else.

PointPx = tuple[float, float]


class StepAction(msgspec.Struct, frozen=True):
    """Something that may be pressed now."""

    name: str
    text: str
    main: bool = False


class PictureMark(msgspec.Struct, frozen=True):
    """A line drawn over the picture, in its pixels."""

    kind: Literal["board", "taken", "zone", "tape", "edge", "die", "unsure", "line", "dot", "hidden"]
    points: tuple[PointPx, ...]
    closed: bool = False
    label: str = ""


class PanelLamp(msgspec.Struct, frozen=True):
    """A lamp of the panel, and whether it is to be lit now."""

    name: str
    label: str
    lit: bool
    colour: str = ""
    """The status lamp's colour while it is lit: red, green, blue."""


class StepSummary(msgspec.Struct, frozen=True):
    """One step in the list of all."""

    name: str
    title: str
    figure: str = ""
    """What came of it, once it was done: "0.03 px"."""
    at: str = ""
    """When that was, by ISO 8601; "" where it was never done."""


class StepView(msgspec.Struct, frozen=True, kw_only=True):
    """What a step shows now, and, once the wizard has added the rest, where the whole set-up stands."""

    say: str = ""
    """What to do now, in a sentence."""
    acts: tuple[StepAction, ...] = ()
    hints: tuple[Finding, ...] = ()
    """What the picture says, and what to do about it."""
    lines: tuple[Finding, ...] = ()
    """Lines of a list: checks of the doctor's, buttons, settings."""
    marks: tuple[PictureMark, ...] = ()
    taken: int = 0
    wanted: int = 0
    """How many pictures are taken, and how many are wanted; 0 where none are."""
    lamps: tuple[PanelLamp, ...] = ()
    """The panel's lamps, where they are tried."""
    rows: tuple[tuple[int, ...], ...] = ()
    """What the scoreboard is to show, a bit mask a digit (`device.panel.displays`); () while it is dark."""
    ok: bool = True
    text: str = ""
    """Why nothing can be set up now; "" where it can."""
    step: str = ""
    """The step that is open."""
    steps: tuple[StepSummary, ...] = ()
    width: int = 0
    height: int = 0
    """The size of the picture as it is served, pixels."""
    pins: bool = False
    """Whether the page may press the panel's buttons: they are mock ones."""


class NotNow(Exception):
    """What was asked for cannot be done, in a sentence."""


class SetupStep:
    """One step: it is given pictures and presses, reads no clock and starts no thread.

    Here it does nothing with either: a step overrides what it has a use for, `view` and `do` always.
    """

    title: str
    """Its name in the list, to be translated."""

    def enter(self) -> None:
        """It is opened, for the first time or again."""

    def leave(self) -> None:
        """Another is opened; what was taken stays, to go on with later."""

    def take_frame(self, frame: Frame) -> None:
        """Look at a picture; none comes twice."""

    def press(self, button: str) -> None:
        """A button of the panel went down; from any thread."""

    def view(self) -> StepView:
        """What it shows."""
        raise NotImplementedError

    def do(self, act: str) -> str:
        """Do one of the view's acts. Returns the figure that came of the step where that ends it, else "".

        Raises `NotNow`.
        """
        raise NotImplementedError


Steps = Mapping[str, SetupStep]

KEEP = "keep"
"""The act that ends a step."""


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
