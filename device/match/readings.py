"""A reading as the journal keeps it, and what people's word for dice means."""

from device.journal.rows import DiceReading, ReadDie
from engine.events import Corrected, Rolled
from engine.refusal import Refused
from engine.wording import phrase
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


def meant(word: Corrected, pending: str) -> Rolled | Corrected:
    """The event that people's word for dice is now: of the reading that is asked about it says the roll.

    `pending`: what the box asks about the last reading; "" for nothing. While it asks, another roll raises
    `Refused`.
    """
    if not pending:
        return word
    if word.roll:
        raise Refused(phrase("First answer what is asked about the last throw."))
    return Rolled(dice=word.dice)
