"""The reader of a box's dice, as games and set-up have it."""

from collections.abc import Callable
from pathlib import Path

from calibration.table import TableCalibration
from device.lessons.known_dice import known_dice
from vision.incremental_reader import TableReader
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Upright

VISION_THREADS = 1
"""OpenCV's threads: a reading takes a few milliseconds, and the other core has the console."""


def open_reader(
    calibration: TableCalibration | None, folder: Path, tell: Callable[[str], None], *, mounted: bool
) -> TableReader:
    """A reader that knows the dice that were learnt, and by a calibration how the camera hangs.

    `mounted`: whether the camera hangs still. Raises `ModelError` where a network is missing.
    """
    return TableReader(
        threads=VISION_THREADS,
        known=known_dice(folder, tell),
        bearings=CameraPrior(Upright.of(calibration) if calibration else None, tell),
        mounted=mounted,
    )
