"""Pictures in, measurements out. Knows no game, no button, no lamp."""

__all__ = [
    "colors",
    "landing",
    "learned",
    "legible",
    "pictures",
    "place",
    "places",
    "reader",
    "reading",
    "table_reader",
    "watch",
    "whole",
]
