"""One game at the table: what it asks and answers, what of it is shown, and what a throw detector is."""

from device.match.match import Match

__all__ = [
    "Match",
    "changes",
    "match",
    "showing",
    "throw_detector",
]
