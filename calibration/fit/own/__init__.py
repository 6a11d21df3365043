"""Measures a table that nobody described: the sheet's lines, tapes and dot become a table description."""

from calibration.fit.own.found_sheet import SheetUnclear
from calibration.fit.own.measured import OwnTable, TableFigure, measure_own_table, renumbered

__all__ = ["OwnTable", "SheetUnclear", "TableFigure", "measure_own_table", "renumbered"]
