"""Pictures in, measurements out. Knows no game, no button, no lamp."""

__all__ = [
    "face_place",
    "incremental_reader",
    "landing",
    "learned",
    "legible",
    "measured",
    "pictures",
    "places",
    "reader",
    "reading",
    "watch",
]
