"""What one picture of the End Zone at rest says: every die with its call, or why nothing is called."""

from dataclasses import dataclass
from typing import Literal

from msgspec import structs

from calibration.ends import End
from calibration.table import TableCalibration
from engine.wording import phrase_later
from vision.landing.call import Call
from vision.landing.drift import Drift
from vision.measured import MeasuredDie
from vision.reading import Reading, SeenDie, UnsureDie


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledDie:
    """A die as measured, and where it lies by the call."""

    die: MeasuredDie
    """In the table frame, and in pixels of the whole picture."""
    call: Call
    end: End | Literal[""] = ""
    """Whose camera measured it, where there are two."""
    own: "CalledDie | None" = None
    """The same in that end's own frame and picture; None where there is one camera."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sight:
    """One picture of the End Zone at rest."""

    calibration: TableCalibration
    """With what moved since put right; of two ends the near one's."""
    far: TableCalibration | None = None
    """The far end's, where there are two."""
    dice: tuple[CalledDie, ...] = ()
    unmeasured: tuple[UnsureDie, ...] = ()
    drift: Drift | None = None
    """What was found of camera and sheet; None where nothing is called, and where there are two ends."""
    moved: str = ""
    """What has moved since the calibration, or why nothing is called, in a sentence; "" when all is well."""
    blind: str = ""
    """Why nothing may be called, as part of a sentence; "" when it may."""
    elapsed_ms: float = 0.0
    """From the picture to the calls, all steps together."""

    @property
    def reading(self) -> Reading:
        """The same as a reading: for pictures with outlines, and for the journal."""
        lens = self.calibration.view.lens
        return Reading(
            width_px=lens.width_px,
            height_px=lens.height_px + (self.far.view.lens.height_px if self.far else 0),
            dice=tuple(_seen_die(called.die) for called in self.dice if called.die.value is not None),
            unsure=tuple(
                UnsureDie(center_px=called.die.center_px, reason=phrase_later("not read"))
                for called in self.dice
                if called.die.value is None
            )
            + tuple(structs.replace(each, center_mm=None) for each in self.unmeasured),
            elapsed_ms=self.elapsed_ms,
        )


def _seen_die(die: MeasuredDie) -> SeenDie:
    a, b, c, d = die.corners_px[:4]
    return SeenDie(
        kind="pip",
        value=die.value or 0,
        confidence=die.confidence,
        color=die.color,
        center_px=die.center_px,
        corners_px=(a, b, c, d),
    )
