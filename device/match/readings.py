"""A reading as the journal keeps it."""

from device.journal.rows import DiceReading, ReadDie
from vision.reading import Reading


def keep_reading(reading: Reading, picture: str, asks: str) -> DiceReading:
    """A reading as the journal keeps it: what was seen, in which picture, and what the box asked about it."""
    return DiceReading(
        picture=picture,
        dice=tuple(
            ReadDie(kind=die.kind, value=die.value, confidence=round(die.confidence, 4), color=die.color)
            for die in reading.dice
        ),
        unsure=tuple(die.reason for die in reading.unsure),
        elapsed_ms=round(reading.elapsed_ms, 1),
        asks=asks,
    )
