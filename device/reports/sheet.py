"""The End Zone's sheet that landings are drawn on: the calibrated table's, or the classic one."""

from pathlib import Path

from calibration.description import CLASSIC, TableDescription, load_description
from calibration.files import load_table
from calibration.trouble import CalibrationError
from device.config import ConfigError, load


class SheetUnknown(ValueError):
    """The file that was named is no calibration; the message says why."""


def sheet_of(calibration: Path | None) -> TableDescription:
    """The sheet that a `table.json` was made for; without one the settings', or else the classic one's.

    Raises `SheetUnknown` for a file that was named and cannot be used.
    """
    if calibration is not None:
        try:
            return load_table(calibration).planned
        except CalibrationError as error:
            raise SheetUnknown(str(error)) from error
    try:
        told = load(None).landing.calibration
        return load_table(Path(told)).planned if told != "none" else load_description(CLASSIC)
    except (ConfigError, CalibrationError):
        return load_description(CLASSIC)
