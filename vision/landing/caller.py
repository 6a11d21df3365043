"""From a picture to calls, in the order that keeps them honest.

Has anything moved, where do the dice lie, do two readers agree on their numbers, what is each worth.
"""

import time
from dataclasses import dataclass

from calibration.arrays import Picture
from calibration.table import TableCalibration
from vision.landing.call import THRESHOLD, Call, call
from vision.landing.drift import Drift, check_drift
from vision.landing.measure import Measurer
from vision.landing.measured import MeasuredDie
from vision.landing.second_opinion import drop_contradicted
from vision.landing.seeing import too_dark, why_unlike
from vision.learned.networks import Networks
from vision.reading import UnsureDie


class NotMeasured(ValueError):
    """Nothing may be called in this picture; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Called:
    """All that was found in one picture."""

    calibration: TableCalibration
    """What was measured with: corrected, where the camera or the sheet had moved a little."""
    drift: Drift
    dice: tuple[tuple[MeasuredDie, Call], ...]
    unsure: tuple[UnsureDie, ...]
    elapsed_ms: float
    """From the picture to the calls, all steps together."""


class Caller:
    """Measures and calls the dice in the pictures of one calibrated camera."""

    def __init__(self, calibration: TableCalibration, threads: int = 1, threshold: float = THRESHOLD) -> None:
        self._planned = self._last = calibration
        self._threads, self._threshold = threads, threshold
        self._measurer = Measurer(calibration, threads)
        self._networks = Networks(threads=threads)

    def check_size(self, width_px: int, height_px: int) -> None:
        """Raises `NotMeasured` for pictures of another size than the calibration's."""
        lens = self._planned.view.lens
        if (width_px, height_px) != (lens.width_px, lens.height_px):
            raise NotMeasured(
                f"the picture is {width_px} x {height_px}, and the calibration is for {lens.width_px} x"
                f" {lens.height_px}; take pictures of that size, or calibrate again"
            )

    def call_all(self, picture: Picture) -> Called:
        """Every die in a picture (h, w, 3). Raises `NotMeasured`."""
        begun = time.perf_counter()
        self.check_size(picture.shape[1], picture.shape[0])
        if dark := too_dark(picture):
            raise NotMeasured(dark)
        drift = check_drift(picture, self._planned)
        if not drift.ok:
            raise NotMeasured(why_unlike(picture, self._planned, drift))
        calibration = drift.corrected or self._planned
        if calibration != self._last:
            self._last, self._measurer = calibration, Measurer(calibration, self._threads)
        found = self._measurer.measure(picture)
        dice = drop_contradicted(picture, found.dice, self._networks)
        calls = tuple((die, call(die, calibration, self._threshold)) for die in dice)
        elapsed_ms = (time.perf_counter() - begun) * 1000
        return Called(calibration, drift, calls, found.unsure, elapsed_ms)
