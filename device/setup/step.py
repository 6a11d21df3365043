"""What every step of the set-up is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from device.cameras import Frame
from device.setup.shown import HintShown, LampShown, LineShown, MarkShown, PressShown


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
