"""The eye over the End Zone: what the detector asks of it, its calibration, its sights for the journal."""

from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Protocol, get_args

from calibration.arrays import Picture
from calibration.description import Dice
from calibration.ends import End, Ends, load_ends
from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.journal.rows import KeptDie, KeptSight
from device.landings.ends import ENDS, EndsEye
from device.landings.questions import TrackedDie
from engine.events import Zone
from engine.wording import phrase, phrase_later
from vision.landing import CalledDie, Departure, MeasuredDie, Release, Sight
from vision.landing.detector import LandingDetector
from vision.landing.shapes import LearntShapes
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


MISSING = phrase_later(
    "End Zone needs to know where its lines lie. Calibrate the camera and the table "
    "(callbox calibrate --help), and name the file: --calibration table.json, or "
    "landing.calibration in callbox.toml."
)


def open_eye(
    made: TableCalibration | Ends | None,
    near: Path | None,
    far: Path | None,
    threads: int,
    known: Callable[[Dice], LearntShapes | None] = lambda _: None,
) -> SeesLandings:
    """The eye over the End Zone, or over both; raises `CalibrationError`, in a sentence.

    `made` is what a simulated table knows of itself; else the files of the near and the far camera count.
    `known` is asked what was learnt of the owner's dice, but not for a simulated table: its dice are others.
    """
    real = made is None
    if made is None:
        if near is None:
            raise CalibrationError(phrase(MISSING))
        made = load_table(near) if far is None else load_ends(near, far)
    if isinstance(made, Ends):
        for end in ENDS:
            _check_zones(made.in_sight(end))
        return EndsEye(made, threads, known(made.in_sight("near").dice) if real else None)
    _check_zones(made)
    return LandingDetector(made, threads, shapes=known(made.dice) if real else None)


def _check_zones(calibration: TableCalibration) -> None:
    """Raises `CalibrationError` for a sheet whose zones the rulebook does not know."""
    known = get_args(Zone)
    if strange := [zone.value for zone in calibration.laid.zones if zone.value not in known]:
        raise CalibrationError(
            phrase(
                "The sheet has a zone {zone}, and End Zone knows {zones}. Describe the sheet with "
                "the zones that are played, and calibrate again.",
                zone=strange[0],
                zones=", ".join(map(str, known)),
            )
        )
