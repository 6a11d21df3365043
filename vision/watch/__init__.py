"""Watches the table: still or moving, a hand or none, and how each die came to lie there."""

from vision.watch.change import TouchedDie, find_touched, keep_moved, keep_thrown
from vision.watch.history import FollowedDie, LeftDie, Origin, PathPoint, ThrowHistory, tell_history
from vision.watch.motion_blobs import Spotted, Spotter, find_unread
from vision.watch.throws import Rest, Throws
from vision.watch.thumbnail import Reel, Stretch
from vision.watch.watch import FrameState, State, Watch, WatchSettings

__all__ = [
    "FollowedDie",
    "FrameState",
    "LeftDie",
    "Origin",
    "PathPoint",
    "Reel",
    "Rest",
    "Spotted",
    "Spotter",
    "State",
    "Stretch",
    "ThrowHistory",
    "Throws",
    "TouchedDie",
    "Watch",
    "WatchSettings",
    "find_touched",
    "find_unread",
    "keep_moved",
    "keep_thrown",
    "tell_history",
]
