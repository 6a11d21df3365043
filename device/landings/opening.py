"""From calibrations to the eye that measures landings."""

from pathlib import Path
from typing import get_args

from calibration.ends import Ends, load_ends
from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.landings.ends import EndsEye
from device.landings.sight import SeesLandings
from device.landings.watching import ENDS
from engine.events import Zone
from vision.landing.eye import Eye

MISSING = (
    "End Zone needs to know where its lines lie. Calibrate the camera and the table (callbox calibrate "
    "--help), and name the file: --calibration table.json, or landing.calibration in callbox.toml."
)


def open_eye(
    made: TableCalibration | Ends | None, near: Path | None, far: Path | None, threads: int
) -> SeesLandings:
    """The eye over the End Zone, or over both; raises `CalibrationError`, in a sentence.

    `made` is what a simulated table knows of itself; else the files of the near and the far camera count.
    """
    if made is None:
        if near is None:
            raise CalibrationError(MISSING)
        made = load_table(near) if far is None else load_ends(near, far)
    if isinstance(made, Ends):
        for end in ENDS:
            _check_zones(made.in_sight(end))
        return EndsEye(made, threads)
    _check_zones(made)
    return Eye(made, threads)


def _check_zones(calibration: TableCalibration) -> None:
    """Raises `CalibrationError` for a sheet whose zones the rulebook does not know."""
    known = get_args(Zone)
    if strange := [zone.value for zone in calibration.laid.zones if zone.value not in known]:
        raise CalibrationError(
            f"The sheet has a zone {strange[0]}, and End Zone knows {', '.join(map(str, known))}. "
            "Describe the sheet with the zones that are played, and calibrate again."
        )
