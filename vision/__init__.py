"""Pictures in, measurements out. Knows no game, no button, no lamp."""

__all__ = [
    "landing",
    "learned",
    "legible",
    "pictures",
    "place",
    "places",
    "reader",
    "reading",
    "remember",
    "watch",
]
