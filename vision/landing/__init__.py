"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""

from vision.landing.call import THRESHOLD, Call, DotCall, Sureness
from vision.landing.departure import Departure, Release, Side, find_departure, find_release
from vision.landing.landing_observation import CalledDie, Sight
from vision.landing.slide import Shot, Slide, find_slide
from vision.measured import MeasuredDie, Pose

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
    "call",
    "cube",
    "detector",
    "drift",
    "evidence",
    "faces",
    "field",
    "find_departure",
    "find_release",
    "find_slide",
    "fit",
    "follow",
    "measure",
    "pose_evidence",
    "shape_refinement",
    "shapes",
]
