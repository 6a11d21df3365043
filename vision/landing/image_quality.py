"""Checks whether a picture is fit to be measured: light, focus, turn and size."""

import cv2
import numpy as np

from calibration.arrays import Picture
from calibration.table import TableCalibration
from calibration.view import Lens
from engine.wording import phrase, phrase_later
from vision.landing.drift import Drift, check_drift

DARKEST = 45
"""The grey level that the brightest fiftieth of a picture must reach: dice in less light sink into the noise,
and none would be found."""
MOST_CLIPPED = 0.1
"""The largest share of pixels that may be burnt out."""
SOFTEST = 0.6
"""The least share of the calibration's fine detail that must be left round the fixed points."""
FLIPPED = {
    1: phrase_later("the picture is mirrored, and those for the calibration were not; set the camera back"),
    0: phrase_later(
        "the picture is mirrored and upside down, and those for the calibration were not; set the camera back"
    ),
    -1: phrase_later(
        "the picture is upside down, and those for the calibration were not; set the camera back"
    ),
}
"""What is said where the table is found in the picture flipped: by OpenCV's code for the flip."""


def too_dark(picture: Picture) -> str:
    """Why a picture (h, w, 3) has too little light, as a sentence; empty when it has enough."""
    brightest = float(np.percentile(picture[::8, ::8].max(axis=2), 98))
    if brightest >= DARKEST:
        return ""
    return phrase("the picture is too dark to find dice in; give the table more light, or a longer exposure")


def why_unlike(picture: Picture, calibration: TableCalibration, drift: Drift) -> str:
    """The plainest reason why the table is not where it was calibrated: the picture's fault, if it is."""
    for flip, words in FLIPPED.items():
        if check_drift(np.asarray(cv2.flip(picture, flip), np.uint8), calibration).ok:
            return phrase(words)
    if float((picture[::8, ::8].max(axis=2) >= 254).mean()) > MOST_CLIPPED:
        return phrase(
            "the picture is overexposed: much of it is burnt out; shorten the exposure or dim the light"
        )
    if _detail_left(picture, calibration) < SOFTEST:
        return phrase("the picture is blurred: focus the camera, keep it still, or wipe its lens")
    return drift.reason[:1].lower() + drift.reason[1:].rstrip(".")


def _detail_left(picture: Picture, calibration: TableCalibration) -> float:
    """How sharp the fixed points are compared with the calibration: the median ratio, 1 for as sharp."""
    shares = []
    for mark in calibration.landmarks:
        x, y = (round(at) for at in mark.at_px)
        half = mark.patch_side // 2
        window = picture[max(y - half, 0) : y + half + 1, max(x - half, 0) : x + half + 1]
        if not mark.patch_side or window.shape[:2] != (mark.patch_side, mark.patch_side):
            continue
        before = np.frombuffer(mark.patch, np.uint8).reshape(mark.patch_side, mark.patch_side)
        shares.append(_sharpness(cv2.cvtColor(window, cv2.COLOR_BGR2GRAY)) / max(_sharpness(before), 1e-6))
    return float(np.median(shares)) if shares else 1.0


def _sharpness(grey: cv2.typing.MatLike) -> float:
    """How steep the steepest edges are, relative to the contrast; the light's brightness does not change
    it."""
    soft = cv2.GaussianBlur(grey.astype(np.float32), (0, 0), 0.8)  # Noise is not sharpness.
    slope = np.hypot(np.diff(soft, axis=1)[:-1], np.diff(soft, axis=0)[:, :-1])
    return float(np.percentile(slope, 98) / max(float(soft.std()), 1.0))


# Whether a picture is one that its calibration is for.


class CalibrationMismatch(ValueError):
    """The picture cannot be measured with this calibration; the message says why."""


def refuse_mismatch(picture: Picture, lens: Lens) -> None:
    """Raise `CalibrationMismatch` for a picture without colour, or of another size than the lens is for."""
    if picture.ndim != 3 or picture.shape[2] != 3 or picture.dtype != np.uint8:
        raise CalibrationMismatch(
            phrase("The picture must be an ordinary colour picture of 8 bits a colour.")
        )
    height, width = picture.shape[:2]
    if (width, height) != (lens.width_px, lens.height_px):
        raise CalibrationMismatch(
            phrase(
                "The picture has {width} x {height} pixels, the calibration is for {width_px} x "
                "{height_px}: take pictures at that size, or calibrate the table at this one.",
                width=width,
                height=height,
                width_px=lens.width_px,
                height_px=lens.height_px,
            )
        )
