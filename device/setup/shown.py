"""What is shown of the set-up, as one message: page and terminal are drawn from it, and from nothing else."""

from typing import Literal

import msgspec

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
    """What the scoreboard is to show, a bit mask a digit (`device.panel.segments`); () while it is dark."""
    pins: bool = False
    """Whether the page may press the panel's buttons: they are mock ones."""
