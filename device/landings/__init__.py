"""End Zone at the table: from measured dice at rest to landings that count, or to questions."""

from device.landings.background import InlineExecutor, Later, draw_later, draw_now
from device.landings.detector import LandingThrowDetector
from device.landings.ends import AT_END, ENDS, EndsLook, Watching
from device.landings.match import LandingMatch
from device.landings.sight import SeesLandings, open_eye

__all__ = [
    "AT_END",
    "ENDS",
    "EndsLook",
    "InlineExecutor",
    "LandingMatch",
    "LandingThrowDetector",
    "Later",
    "SeesLandings",
    "Watching",
    "draw_later",
    "draw_now",
    "match",
    "open_eye",
]
