"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""

from vision.landing.call import THRESHOLD, Call, DotCall, Sureness
from vision.landing.departure import Departure, Side, find_departure
from vision.landing.followed import Shot
from vision.landing.measured import MeasuredDie, Pose
from vision.landing.release import Release, find_release
from vision.landing.sight import CalledDie, Sight
from vision.landing.slide import Slide, find_slide

__all__ = [
    "THRESHOLD",
    "Call",
    "CalledDie",
    "Departure",
    "DotCall",
    "MeasuredDie",
    "Pose",
    "Release",
    "Shot",
    "Side",
    "Sight",
    "Slide",
    "Sureness",
    "corners",
    "cube",
    "drift",
    "evidence",
    "eye",
    "field",
    "find_departure",
    "find_release",
    "find_slide",
    "follow",
    "kept_shapes",
    "measure",
    "roundness",
    "shapes",
    "strips",
    "top_view",
    "words",
]
