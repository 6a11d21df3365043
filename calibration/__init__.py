"""The facts that vision needs: lens, table plane, where sheet, tapes and dot really lie. Made, checked,
stored."""

__all__ = [
    "arrays",
    "board",
    "camera",
    "description",
    "durable",
    "ends",
    "files",
    "fit",
    "laid",
    "table",
    "trouble",
    "view",
]
