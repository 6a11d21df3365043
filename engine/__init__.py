"""The rulebooks. Pure: events in, positions out; never rolls, waits, draws or saves."""

__all__ = [
    "dice",
    "end_zone",
    "events",
    "game",
    "history",
    "lines",
    "odds",
    "recording",
    "refusal",
    "rulebooks",
    "scoring",
    "seating",
    "ten_thousand",
    "tray",
    "winning",
    "wire",
    "words",
    "zoinx",
    "zonk",
]
