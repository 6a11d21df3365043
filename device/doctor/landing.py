"""End Zone: is there a calibration for each camera that needs one?"""

import importlib
from pathlib import Path

from device.doctor.finding import CheckedBox, Finding, absent, fail
from device.doctor.probe import Probe
from engine.wording import phrase

NAME = "landing"
NONE = "none"


def landing(probe: Probe, box: CheckedBox) -> Finding:
    """The End Zone's calibration, or those of both ends, can be used and is not worn out."""
    if box.config is None:
        return absent(NAME, phrase("Not looked at, for the settings cannot be read."))
    named = box.config.landing
    if named.calibration == NONE:
        return absent(NAME, phrase("No End Zone is calibrated here; the other games need none."))
    files = [Path(named.calibration).expanduser()]
    if named.far_camera != NONE:
        if named.far_calibration == NONE:
            return fail(
                NAME,
                phrase("The far camera {far_camera} has no calibration.", far_camera=named.far_camera),
                phrase("callbox calibrate table --end far makes one; name it as landing.far_calibration"),
            )
        files.append(Path(named.far_calibration).expanduser())
    try:
        # numpy and OpenCV may be what is ill: the doctor does not need them before this.
        looks = importlib.import_module("device.doctor.landing_files")
    except ImportError as error:
        return fail(
            NAME,
            phrase("The calibration cannot be looked at: {error}.", error=error),
            phrase("first mend what stands above"),
        )
    found: Finding = looks.judged(probe, box.config, files)
    return found
