"""Measures, checks and stores what vision must know of a camera and its table.

That is the lens, the table's plane, and where sheet, tapes and dot really lie.
"""

__all__ = [
    "arrays",
    "board",
    "description",
    "durable",
    "ends",
    "files",
    "fit",
    "lock",
    "table",
    "trouble",
    "view",
]
