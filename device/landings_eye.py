"""What the calibrated camera says of the End Zone: every die measured and called, or why nothing is called.

The work is `vision.landing`'s; here it is put in order for one picture: has something moved since the
calibration, where do the dice lie, what is the call, and the close-up that shows it.
"""

from pathlib import Path
from typing import get_args

from vision.landing.evidence import evidence
from vision.landing.measure import Measurer

from calibration.files import load_table
from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.cameras.frames import Picture
from device.landings import Lies
from device.landings_sight import Sight
from engine.events import Zone
from vision.landing.call import call
from vision.landing.drift import check
from vision.landing.measured import Measurement
from vision.pictures import jpeg_of

EVIDENCE_QUALITY = 92


class CalibratedEye:
    """The eye of one calibrated camera."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """Raises `CalibrationError` for a sheet whose zones the rulebook does not know."""
        known = get_args(Zone)
        if strange := [zone.value for zone in calibration.laid.zones if zone.value not in known]:
            raise CalibrationError(
                f"The sheet has a zone {strange[0]}, and End Zone knows {', '.join(map(str, known))}. "
                "Describe the sheet with the zones that are played, and calibrate again."
            )
        self._threads = threads
        self._planned = calibration
        self._calibration = calibration
        self._measurer = Measurer(calibration, threads)

    def look(self, picture: Picture) -> Sight:
        """Everything that lies there. A picture of another size is not measured, and the sight says why."""
        lens = self._planned.view.lens
        if picture.shape[:2] != (lens.height_px, lens.width_px):
            return Sight(
                calibration=self._planned,
                blind=True,
                moved=f"The pictures are {picture.shape[1]} x {picture.shape[0]}, and the calibration is for "
                f"{lens.width_px} x {lens.height_px}: set the camera to that size, or calibrate again.",
            )
        drift = check(picture, self._planned)
        if not drift.ok:
            return Sight(calibration=self._planned, moved=drift.reason, blind=True)
        calibration = drift.corrected or self._planned
        if calibration != self._calibration:
            self._calibration, self._measurer = calibration, Measurer(calibration, self._threads)
        found: Measurement = self._measurer.measure(picture)
        return Sight(
            calibration=calibration,
            dice=tuple(Lies(die=die, call=call(die, calibration)) for die in found.dice),
            unmeasured=found.unsure,
            moved=drift.reason,
            elapsed_ms=found.elapsed_ms,
        )

    def evidence(self, picture: Picture, sight: Sight, lies: Lies) -> bytes:
        """A close-up as seen from straight above, as JPEG."""
        return jpeg_of(evidence(picture, sight.calibration, lies.die, lies.call), EVIDENCE_QUALITY)


def open_eye(path: Path, threads: int = 1) -> CalibratedEye:
    """The eye of a `table.json`; raises `CalibrationError`."""
    return CalibratedEye(load_table(path), threads)
