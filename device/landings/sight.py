"""What one picture of the End Zone at rest says: every die with its call, or why nothing is called."""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Protocol

from msgspec import structs

from calibration.table import TableCalibration
from device.cameras import Frame
from device.journal.rows import KeptDie, KeptSight
from device.landings.questions import CalledDie, TrackedDie
from vision.landing import MeasuredDie
from vision.reading import Reading, SeenDie, UnsureDie


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """One picture of the End Zone at rest."""

    calibration: TableCalibration
    """With what moved since put right; of two ends the near one's."""
    far: TableCalibration | None = None
    """The far end's, where there are two."""
    dice: tuple[CalledDie, ...] = ()
    unmeasured: tuple[UnsureDie, ...] = ()
    moved: str = ""
    """What has moved since the calibration, in a sentence; "" when nothing has."""
    blind: bool = False
    """It moved so that nothing may be called."""
    elapsed_ms: float = 0.0

    @property
    def reading(self) -> Reading:
        """The same as a reading: for pictures with outlines, and for the journal."""
        lens = self.calibration.view.lens
        return Reading(
            width_px=lens.width_px,
            height_px=lens.height_px + (self.far.view.lens.height_px if self.far else 0),
            dice=tuple(_seen(lies) for lies in self.dice if lies.die.value is not None),
            unsure=tuple(
                UnsureDie(center_px=lies.die.center_px, reason="not read")
                for lies in self.dice
                if lies.die.value is None
            )
            + tuple(structs.replace(each, center_mm=None) for each in self.unmeasured),
            elapsed_ms=self.elapsed_ms,
        )


class Eye(Protocol):
    """Whatever can look at the End Zone."""

    def look(self, frame: Frame) -> Sight:
        """Everything that lies there."""
        ...

    def shoved(self, frame: Frame) -> str:
        """Whether a camera may have been moved for good, in a sentence for people; "" when none has."""
        ...

    def evidence(self, frame: Frame, sight: Sight, lies: CalledDie) -> bytes:
        """A close-up as seen from straight above, as JPEG."""
        ...


def keep_sight(sight: Sight, known: Sequence[TrackedDie], picture: str, number: int) -> KeptSight:
    """A sight as the journal keeps it; `known` says which die of the turn each one is."""
    who = {die.at: die for die in known}
    return KeptSight(
        picture=picture,
        number=number,
        dice=tuple(_kept_die(lies, who.get(at)) for at, lies in enumerate(sight.dice)),
        unsure=tuple(each.reason for each in sight.unmeasured),
        elapsed_ms=round(sight.elapsed_ms, 1),
        moved=sight.moved,
    )


def _kept_die(lies: CalledDie, known: TrackedDie | None) -> KeptDie:
    made = lies.call
    return KeptDie(
        # The outline follows from the rest, and is long.
        **_fields(replace(lies.die, footprint_mm=())),
        zone=made.zone,
        call=made.call,
        probability=round(made.probability, 5),
        nearest_line=made.nearest_line,
        to_line_mm=round(made.near.mm, 3),
        dot=round(made.dot.probability, 4) if made.dot else 0.0,
        end=lies.end,
        aim=known.aim if known else "",
        place=known.place if known else 0,
        counted=known.counted if known else False,
    )


def recall_die(die: KeptDie) -> MeasuredDie:
    """The die that the journal kept, without its outline."""
    return MeasuredDie(**_fields(die))


def _fields(die: KeptDie | MeasuredDie) -> dict[str, Any]:
    """What both have."""
    return {field.name: getattr(die, field.name) for field in fields(MeasuredDie)}


def _seen(lies: CalledDie) -> SeenDie:
    die = lies.die
    a, b, c, d = die.corners_px[:4]
    return SeenDie(
        kind="pip",
        value=die.value or 0,
        confidence=die.confidence,
        color=die.color,
        center_px=die.center_px,
        corners_px=(a, b, c, d),
    )
