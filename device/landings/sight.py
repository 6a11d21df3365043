"""The eye over the End Zone, as the detector needs it, and what it sees as the journal keeps it."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from typing import Protocol

from calibration.arrays import Picture
from calibration.ends import End
from device.journal.rows import KeptDie, KeptSight
from device.landings.questions import TrackedDie
from vision.landing import CalledDie, Departure, MeasuredDie, Release, Sight
from vision.watch import FrameState


class SeesLandings(Protocol):
    """Looks at the End Zone: a `vision.landing.detector.LandingDetector`, or two (`device.landings.ends`).

    It is given the picture, and that of a second camera at the same moment, where there is one.
    """

    def look(self, picture: Picture, far: Picture | None, /) -> Sight:
        """Everything that lies there."""
        ...

    def shoved(self, picture: Picture, far: Picture | None, /) -> str:
        """Whether a camera may have been moved for good, in a sentence for people; "" when none has."""
        ...

    def let_go(self, look: FrameState, since_ms: float, aim: End, /) -> Callable[[], Release | None]:
        """Finds where a die that was thrown to that end since then left the hand, by what was seen until that
        look; may be called in another thread."""
        ...

    def went_off(self, look: FrameState, since_ms: float, /) -> Callable[[], Departure | None]:
        """Finds over which side a die has left the table since then, by what was seen until that look; None
        where none was seen to. May be called in another thread."""
        ...

    def evidence(
        self, sight: Sight, called: CalledDie, picture: Picture, far: Picture | None, /, *, number_alone: bool
    ) -> bytes:
        """A close-up of one of the dice of a sight as seen from straight above, as JPEG.

        `number_alone`: it was rolled for its number, and where it lies means nothing.
        """
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
    measured = {field.name: getattr(lies.die, field.name) for field in fields(MeasuredDie)}
    return KeptDie(
        **{**measured, "footprint_mm": ()},
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
