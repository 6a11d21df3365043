"""Measures a table that nobody described: the sheet's lines, tapes and dot become a table description."""

from calibration.fit.own.measured import OwnTable, TableFigure, measure_own_table, renumbered
from calibration.fit.own.unclear import SheetUnclear

__all__ = ["OwnTable", "SheetUnclear", "TableFigure", "measure_own_table", "renumbered"]
