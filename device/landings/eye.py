"""What the calibrated camera says of the End Zone: every die measured and called, or why nothing is called.

The work is `vision.landing.caller`'s; here its answer becomes a sight, and a call its close-up.
"""

from typing import get_args

from calibration.table import TableCalibration
from calibration.trouble import CalibrationError
from device.cameras import Frame
from device.landings.questions import CalledDie
from device.landings.sight import Sight
from engine.events import Zone
from vision.landing.caller import Caller, NotMeasured
from vision.landing.drift import check_drift
from vision.landing.evidence import draw_evidence
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
        self._planned = calibration
        self._caller = Caller(calibration, threads)

    def look(self, frame: Frame) -> Sight:
        """Everything that lies there; where nothing may be called, the sight says why."""
        try:
            called = self._caller.call_all(frame.picture)
        except NotMeasured as why:
            return Sight(calibration=self._planned, moved=_sentence(str(why)), blind=True)
        return Sight(
            calibration=called.calibration,
            dice=tuple(CalledDie(die=die, call=its_call) for die, its_call in called.dice),
            unmeasured=called.unsure,
            moved=called.drift.reason,
            elapsed_ms=called.elapsed_ms,
        )

    def shoved(self, frame: Frame) -> str:
        """Whether the camera may have been moved for good, in a sentence; "" when it hangs as it did."""
        lens = self._planned.view.lens
        if (
            frame.picture.shape[:2] != (lens.height_px, lens.width_px)
            or check_drift(frame.picture, self._planned).ok
        ):
            return ""
        return (
            "Something covers the table, or the camera was moved. If nothing does, put the camera back as it "
            "hung, or calibrate the table again (callbox calibrate table)."
        )

    def evidence(self, frame: Frame, sight: Sight, lies: CalledDie) -> bytes:
        """A close-up as seen from straight above, as JPEG."""
        others = [each.die for each in sight.dice if each.die is not lies.die]
        drawn = draw_evidence(frame.picture, sight.calibration, lies.die, lies.call, others=others)
        return jpeg_of(drawn, EVIDENCE_QUALITY)


def _sentence(text: str) -> str:
    """A reason that stands alone: capital first, full stop last."""
    return f"{text[:1].upper()}{text[1:]}".rstrip(".") + "."
