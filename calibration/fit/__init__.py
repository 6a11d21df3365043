"""Measures the facts: lens, plane and lines, fitted to pictures; refuses what it cannot trust."""

from calibration.fit.board_seen import (
    MORE,
    WISHES,
    BoardSeen,
    BoardView,
    find_board,
    is_another,
    is_still,
    lies_elsewhere,
    next_wish,
    view_of,
)
from calibration.fit.lens import FEWEST_PICTURES, LensFound, fit_lens
from calibration.fit.own import OwnTable, SheetUnclear, TableFigure, measure_own_table, renumbered
from calibration.fit.plan_lines import line_words
from calibration.fit.refusals import Brightness, blur_of, burnt_spot, check_size, light_of
from calibration.fit.table import Feature, TableFound, calibrate_table, find_landmarks

__all__ = [
    "FEWEST_PICTURES",
    "MORE",
    "WISHES",
    "BoardSeen",
    "BoardView",
    "Brightness",
    "Feature",
    "LensFound",
    "OwnTable",
    "SheetUnclear",
    "TableFigure",
    "TableFound",
    "blur_of",
    "burnt_spot",
    "calibrate_table",
    "check_size",
    "find_board",
    "find_landmarks",
    "fit_lens",
    "is_another",
    "is_still",
    "lies_elsewhere",
    "light_of",
    "line_words",
    "measure_own_table",
    "next_wish",
    "renumbered",
    "view_of",
]
