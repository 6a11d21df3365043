"""Watches the table: still or moving, a hand or none, and which dice were thrown since the last rest."""

from vision.watch.lain import keep_thrown
from vision.watch.throws import Rest, Throws
from vision.watch.touched import TouchedDie, find_touched
from vision.watch.watch import Look, State, Watch, WatchSettings

__all__ = [
    "Look",
    "Rest",
    "State",
    "Throws",
    "TouchedDie",
    "Watch",
    "WatchSettings",
    "find_touched",
    "keep_thrown",
]
