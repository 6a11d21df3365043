"""Where thrown dice lie: measured in millimetres, called against the lines, shown as evidence."""

from vision.landing.call import THRESHOLD, Call, DotCall, Sureness
from vision.landing.measured import MeasuredDie, Pose

__all__ = [
    "THRESHOLD",
    "Call",
    "DotCall",
    "MeasuredDie",
    "Pose",
    "Sureness",
    "caller",
    "drift",
    "evidence",
    "field",
    "follow",
    "top_view",
    "words",
]
