"""From calibrations to the eye that measures landings."""

from pathlib import Path

from calibration.ends import Ends, load_ends
from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.landings.ends import EndsEye
from device.landings.eye import CalibratedEye
from device.landings.sight import Eye

MISSING = (
    "End Zone needs to know where its lines lie. Calibrate the camera and the table (callbox calibrate "
    "--help), and name the file: --calibration table.json, or landing.calibration in callbox.toml."
)


def open_eye(made: TableCalibration | Ends | None, near: Path | None, far: Path | None, threads: int) -> Eye:
    """The eye over the End Zone, or over both; raises `CalibrationError`, in a sentence.

    `made` is what a simulated table knows of itself; else the files of the near and the far camera count.
    """
    if made is None:
        if near is None:
            raise CalibrationError(MISSING)
        made = load_table(near) if far is None else load_ends(near, far)
    return EndsEye(made, threads) if isinstance(made, Ends) else CalibratedEye(made, threads)
