"""Free dice at the table: a roll is the dice that were thrown for it, as they came to rest."""

from device.rolls.detector import RollDetector

__all__ = [
    "RollDetector",
    "counted",
    "followed",
]
