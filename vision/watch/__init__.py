"""Watches the table: still or moving, a hand or none, and how each die came to lie there."""

from vision.watch.history import FollowedDie, History, LeftDie, Origin, PathPoint, tell_history
from vision.watch.lain import keep_thrown
from vision.watch.reel import Reel, Stretch
from vision.watch.spot import Spotted, Spotter
from vision.watch.throws import Rest, Throws
from vision.watch.touched import TouchedDie, find_touched
from vision.watch.unread import find_unread
from vision.watch.watch import Look, State, Watch, WatchSettings

__all__ = [
    "FollowedDie",
    "History",
    "LeftDie",
    "Look",
    "Origin",
    "PathPoint",
    "Reel",
    "Rest",
    "Spotted",
    "Spotter",
    "State",
    "Stretch",
    "Throws",
    "TouchedDie",
    "Watch",
    "WatchSettings",
    "find_touched",
    "find_unread",
    "keep_thrown",
    "tell_history",
]
