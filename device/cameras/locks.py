"""Which lock a camera is opened with: its calibration's own, else the one that the settings name."""

from collections.abc import Callable
from pathlib import Path

from calibration.files import load_lock, load_table
from calibration.lock import CameraLock, differences
from calibration.trouble import CalibrationError
from engine.wording import phrase

NONE = "none"
"""Where the settings name no file."""


def lock_for(named: str, calibration: Path | None, tell: Callable[[str], object]) -> CameraLock | None:
    """What to lock a camera to; None: it sets everything by itself.

    `named` is the settings' `camera.lock`, `calibration` the table.json that the camera is used with. What
    cannot be used is told, and the box plays without: pictures that change their grey are better than none.
    """
    own = _of_table(calibration)
    settled = _named(named, tell)
    if own is None:
        return settled
    if settled and (told := differences(own, settled)):
        tell(
            phrase(
                "Camera: camera.lock says otherwise than {calibration} ({differences}). The "
                "calibration's own settings are used; set camera.lock to none, or calibrate the "
                "table again with that lock.",
                calibration=calibration,
                differences="; ".join(told),
            )
        )
    return own


def _of_table(calibration: Path | None) -> CameraLock | None:
    """A calibration's lock; one that cannot be read is told of where it is needed."""
    try:
        return load_table(calibration).lock if calibration else None
    except CalibrationError:
        return None


def _named(named: str, tell: Callable[[str], object]) -> CameraLock | None:
    if named == NONE:
        return None
    try:
        return load_lock(Path(named).expanduser())
    except CalibrationError as error:
        tell(
            phrase("Camera: it is not locked, and sets exposure and the rest by itself: {error}", error=error)
        )
        return None
