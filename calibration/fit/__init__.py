"""Measures the facts: lens, plane and lines, fitted to pictures; refuses what it cannot trust."""

from calibration.fit.board_seen import BoardSeen, blur_anywhere, find_board
from calibration.fit.landmarks import find_landmarks
from calibration.fit.lens import FEWEST_PICTURES, LensFound, fit_lens
from calibration.fit.refusals import check_size
from calibration.fit.table import Feature, TableFound, calibrate_table

__all__ = [
    "FEWEST_PICTURES",
    "BoardSeen",
    "Feature",
    "LensFound",
    "TableFound",
    "blur_anywhere",
    "calibrate_table",
    "check_size",
    "find_board",
    "find_landmarks",
    "fit_lens",
]
