"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""

from vision.landing.call import THRESHOLD, Call, DotCall, Sureness
from vision.landing.departure import Departure, Side, find_departure
from vision.landing.measured import MeasuredDie, Pose
from vision.landing.release import Release, find_release
from vision.landing.sight import CalledDie, Sight

__all__ = [
    "THRESHOLD",
    "Call",
    "CalledDie",
    "Departure",
    "DotCall",
    "MeasuredDie",
    "Pose",
    "Release",
    "Side",
    "Sight",
    "Sureness",
    "drift",
    "evidence",
    "eye",
    "field",
    "find_departure",
    "find_release",
    "follow",
    "kept_shapes",
    "shapes",
    "top_view",
    "words",
]
