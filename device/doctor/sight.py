"""What the running box's camera sees: whether it is sharp, and whether camera and sheet were moved."""

import importlib
from pathlib import Path
from typing import Any

from device.doctor.finding import CheckedBox, Finding, absent, fail, ok, warn
from device.doctor.probe import Probe
from engine.wording import phrase, phrase_later

NONE = "none"
SOFT_PX = 2.0
"""The blur of the sharpest edges, one sigma, from which faces are read worse; calibrations refuse it, too."""
WIDE = 2.5
"""How many sigmas wide an edge looks."""
NO_BOX = phrase_later("No box runs here, so there is no picture to look at: ask again while it plays.")
AGAIN = phrase_later("callbox calibrate table, from step 3 of docs/calibrating.md")


def sharpness(probe: Probe, box: CheckedBox) -> Finding:
    """The sharpest edges in the picture are sharp."""
    picture = newest(probe, box)
    if picture is None:
        return absent("sharpness", phrase(NO_BOX))
    seen = importlib.import_module("calibration.fit")
    blur_px = seen.blur_of(picture)
    if blur_px == 0:
        return absent(
            "sharpness", phrase("Nothing in the picture has an edge that could be sharp: lay a die there.")
        )
    text = phrase("The sharpest edges in the picture are {wide:.1f} px wide.", wide=WIDE * blur_px)
    if blur_px > SOFT_PX:
        fix = phrase(
            "turn the lens until callbox doctor says less than {wide:.0f} px; with a motor: ",
            wide=WIDE * SOFT_PX,
        )
        return warn("sharpness", text, fix + "callbox calibrate lock")
    return ok("sharpness", text)


def drift(probe: Probe, box: CheckedBox) -> Finding:
    """Camera and sheet are where they were calibrated."""
    named = box.config.landing.calibration if box.config else NONE
    if named == NONE:
        return absent("drift", phrase("No End Zone is calibrated here: nothing can have moved."))
    picture = newest(probe, box)
    return absent("drift", phrase(NO_BOX)) if picture is None else _moved(picture, Path(named).expanduser())


def _moved(picture: Any, calibration: Path) -> Finding:
    """What is to be said of a picture (height x width x 3) and the near end's calibration."""
    looks = importlib.import_module("vision.landing.drift")
    files = importlib.import_module("calibration.files")
    try:
        made = files.load_table(calibration)
    except importlib.import_module("calibration.trouble").CalibrationError as error:
        return fail("drift", str(error), phrase(AGAIN))
    lens = made.view.lens
    near = picture[: lens.height_px]  # with two cameras the far one's picture is below
    if near.shape[:2] != (lens.height_px, lens.width_px):
        return warn(
            "drift", phrase("The picture has another size than the calibration."), phrase("see landing above")
        )
    found = looks.check_drift(near, made)
    if not found.ok:
        fix = phrase(
            "clear the table of dice and hands, and ask again; if it stays so: {again}", again=phrase(AGAIN)
        )
        return warn("drift", found.reason, fix)
    if found.reason:
        return warn(
            "drift",
            found.reason,
            phrase("it is reckoned with; when there is time: {again}", again=phrase(AGAIN)),
        )
    return ok(
        "drift",
        phrase("{seen} of {of} fixed points lie where they were calibrated.", seen=found.seen, of=found.of),
    )


def newest(probe: Probe, box: CheckedBox) -> Any:
    """The running box's newest picture (height x width x 3, blue green red); None when there is none."""
    if box.config is None:
        return None
    jpeg = probe.picture(box.config.console.host, box.config.console.port)
    if not jpeg:
        return None
    # numpy and OpenCV may be what is ill: the doctor does not need them before this.
    cv2, numpy = importlib.import_module("cv2"), importlib.import_module("numpy")
    return cv2.imdecode(numpy.frombuffer(jpeg, numpy.uint8), cv2.IMREAD_COLOR)
