"""What a table is made of: the parts, and what it asks of those that can be one thing or another."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

from calibration.ends import Ends
from calibration.table import TableCalibration
from calibration.view import View
from device.journal import Journal, Moment, Storage
from device.landings import Eye, Later
from device.lessons import Lessons
from device.mat import Choice
from device.panel import Lights, Presses
from device.umpire import ReadsDice
from engine.dice import DieKind
from vision.watch import Throws, Watch

Reads = Literal["roll_done", "at_rest"]


@runtime_checkable
class World(Protocol):
    """The simulated table, as far as the box may know of it: dice, and a hand that can be told."""

    @property
    def acts(self) -> Mapping[str, str]:
        """What the hand can do, by name, and the words for a button."""
        ...

    def set_up(self, *, landings: bool) -> TableCalibration | Ends | None:
        """Play on an End Zone table, whose calibration is returned, or on the tray."""
        ...

    def lay(self, kind: DieKind, count: int) -> None:
        """Put these dice into play."""
        ...

    def expect(self, stay: int, seat: int) -> None:
        """At the End Zone: that seat throws next, and the first `stay` dice that lie there stay."""
        ...

    def act(self, name: str) -> None:
        """Move the hand; raises ValueError, in a sentence, for what it cannot do."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What a table is made of; the composition (`device.box`) builds them."""

    journal: Journal
    storage: Storage
    reader: ReadsDice
    watch: Watch
    far_watch: Watch | None = None
    """For the camera over the far End Zone."""
    throws: Throws
    presses: Presses
    now: Callable[[], Moment]
    reads: Reads
    first_counts: bool = False
    """Dice that lie there at the first picture were thrown (a film), not left over from before (a table)."""
    lights: Lights
    world: World | None = None
    layout: Choice = "none"
    """The mat: a layout, each game's own, or none."""
    view: View | None = None
    """The calibrated camera, where there is one."""
    eye: Callable[[], Eye]
    """The calibrated eye over the End Zone; raises `CalibrationError`, in a sentence, where there is none."""
    close_ups: Later
    """Has close-ups of landings drawn."""
    lessons: Lessons | None = None
    """Where corrected readings are kept to learn from; None when the owner did not ask for that."""
