"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""

from vision.landing.call import THRESHOLD, Call, DotCall, Sureness
from vision.landing.measured import MeasuredDie, PointMm, Pose, UnmeasuredDie

__all__ = [
    "THRESHOLD",
    "Call",
    "DotCall",
    "MeasuredDie",
    "PointMm",
    "Pose",
    "Sureness",
    "UnmeasuredDie",
    "caller",
    "drift",
    "evidence",
    "field",
    "follow",
    "top_view",
    "words",
]
