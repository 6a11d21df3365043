"""Pictures in, measurements out. Knows no game, no button, no lamp."""

__all__ = [
    "incremental_reader",
    "landing",
    "learned",
    "legible",
    "pictures",
    "place",
    "places",
    "reader",
    "reading",
    "watch",
]
