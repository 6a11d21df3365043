"""From calibrations to the eye that measures landings."""

from collections.abc import Callable
from pathlib import Path
from typing import get_args

from calibration.description import Dice
from calibration.ends import Ends, load_ends
from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.landings.ends import EndsEye
from device.landings.sight import SeesLandings
from device.landings.watching import ENDS
from engine.events import Zone
from engine.wording import phrase, phrase_later
from vision.landing.detector import LandingDetector
from vision.landing.shapes import LearntShapes

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
