"""Measures a table that nobody described: the sheet's lines, tapes and dot become a table description."""

from calibration.fit.own.measured import Figure, OwnTable, measure_own_table, renumbered
from calibration.fit.own.unclear import SheetUnclear

__all__ = ["Figure", "OwnTable", "SheetUnclear", "measure_own_table", "renumbered"]
