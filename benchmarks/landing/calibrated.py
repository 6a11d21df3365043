"""A kit calibrated as a builder would do it, from its pictures alone; kept as the files that the commands
write.
"""

from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np

from benchmarks.landing.cache import hash_files
from benchmarks.landing.scenes import Kit, cache_folder
from benchmarks.landing.table import description
from calibration.arrays import Picture
from calibration.board import Board
from calibration.files import load_camera, load_table, save_camera, save_table
from calibration.fit import BoardSeen, calibrate_table, find_board, fit_lens
from calibration.table import TableCalibration
from calibration.trouble import Doubt
from calibration.view import CameraCalibration

BOARD = Board.parse("charuco:11x8:25:18:DICT_5X5_100")


def calibrated(kit: Kit) -> TableCalibration:
    """The table's calibration. Raises `calibration.trouble.CalibrationError` when the pictures do not bear
    one.
    """
    path = _cached_file(f"{kit.name}-table{kit.seed}")
    if not path.exists():
        camera = camera_of(kit)
        flats = [(find_board_in(view), load_picture(view)) for view in kit.flats()]
        found = calibrate_table(camera, description(), BOARD, flats, load_picture(kit.empty()))
        save_table(found.table, path)
    return load_table(path)


def camera_of(kit: Kit) -> CameraCalibration:
    """The lens as `calibrate camera` finds it from the kit's sixteen pictures."""
    path = _cached_file(f"{kit.name}-lens{kit.lens_seed}")
    if not path.exists():
        seen = []
        for view in kit.lens_views():
            try:
                seen.append(find_board_in(view))
            except Doubt:
                # The command leaves such a picture out too.
                continue
        save_camera(fit_lens(seen, BOARD).camera, path)
    return load_camera(path)


def find_board_in(path: Path) -> BoardSeen:
    """The board in a picture's file; raises `Doubt` where it is not seen."""
    grey = np.asarray(cv2.imread(str(path), cv2.IMREAD_GRAYSCALE), np.uint8)
    return find_board(grey, BOARD, path.name)


def load_picture(path: Path) -> Picture:
    """The file, unpacked: BGR (h, w, 3)."""
    return np.asarray(cv2.imread(str(path), cv2.IMREAD_COLOR), np.uint8)


def _cached_file(name: str) -> Path:
    cache_folder().mkdir(parents=True, exist_ok=True)
    return cache_folder() / f"{name}-{source_of_calibration()}.json"


@lru_cache(maxsize=1)
def source_of_calibration() -> str:
    """A name for the state of the code that calibrates."""
    return hash_files((Path(__file__).parents[2] / "calibration").rglob("*.py"))
