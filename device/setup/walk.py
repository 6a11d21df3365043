"""The set-up as a state machine: which step is open, what it sees, what was done."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from device.cameras import Frame
from device.setup.kept import load_done, note_done
from device.setup.shown import SetupShown, StepShown
from device.setup.step import NotNow, SetupStep, Steps
from engine.wording import phrase


class UnknownStep(ValueError):
    """There is no such step."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupParts:
    """What the set-up is made of."""

    steps: Steps
    """By their names, in the order in which they are done."""
    folder: Path
    """Where it is noted what was done."""
    now: Callable[[], datetime]
    pins: bool = False
    """Whether a page may press the panel's buttons: they are mock ones."""


class SetupWalk:
    """Not for several threads at a time."""

    def __init__(self, parts: SetupParts) -> None:
        """Begins with the first step that was never done."""
        self._parts = parts
        self._done = dict(load_done(parts.folder))
        self._frame: Frame | None = None
        self._open = next((name for name in parts.steps if name not in self._done), next(iter(parts.steps)))
        self._entered = False

    def open(self, name: str) -> None:
        """Open a step, at any time and as often as one likes. Raises `UnknownStep`."""
        if name not in self._parts.steps:
            raise UnknownStep(
                phrase(
                    "There is no step {name!r}. There are {steps}.",
                    name=name[:40],
                    steps=", ".join(self._parts.steps),
                )
            )
        if self._entered:
            self._step.leave()
        self._open = name
        self._enter()

    def see(self, frame: Frame | None) -> None:
        """Look at the newest picture, unless it was seen before."""
        if not self._entered:
            self._enter()
        if frame is not None and frame is not self._frame:
            self._frame = frame
            self._step.see(frame)

    def do(self, act: str) -> None:
        """Do one of the acts that are shown; a step that is done by it leads on to the next.

        Raises `NotNow`.
        """
        if act not in {each.name for each in self._step.face().acts}:
            raise NotNow(phrase("That may not be pressed any more. Look again."))
        figure = self._step.do(act)
        if not figure:
            return
        try:
            note_done(self._parts.folder, self._open, figure, self._parts.now())
        except OSError as error:
            raise NotNow(
                phrase(
                    "That could not be noted in {folder}: {strerror}.",
                    folder=self._parts.folder,
                    strerror=error.strerror,
                )
            ) from None
        self._done = dict(load_done(self._parts.folder))
        names = list(self._parts.steps)
        self.open(names[min(names.index(self._open) + 1, len(names) - 1)])

    def press(self, button: str) -> None:
        """A button of the panel went down."""
        self._step.press(button)

    def close(self) -> None:
        """Nobody looks any more: what a step holds in its hands it puts down."""
        if self._entered:
            self._step.leave()
        self._entered = False

    def shown(self) -> SetupShown:
        """Where it stands."""
        face = self._step.face()
        # With two cameras the far one's picture is served below the near one.
        height, width = self._frame.whole.shape[:2] if self._frame is not None else (0, 0)
        return SetupShown(
            step=self._open,
            steps=tuple(self._shown(name) for name in self._parts.steps),
            say=face.say,
            taken=face.taken,
            wanted=face.wanted,
            hints=face.hints,
            lines=face.lines,
            acts=face.acts,
            marks=face.marks,
            lamps=face.lamps,
            rows=face.rows,
            width=width,
            height=height,
            pins=self._parts.pins,
        )

    @property
    def _step(self) -> SetupStep:
        return self._parts.steps[self._open]

    def _enter(self) -> None:
        self._step.enter()
        self._entered = True

    def _shown(self, name: str) -> StepShown:
        title, done = phrase(self._parts.steps[name].title), self._done.get(name)
        return StepShown(name, title, done.figure, done.at) if done else StepShown(name, title)
