"""A second opinion on a measured die's number: the face reader looks at the up-face that the fit found.

The pips were counted on the face set upright by the die's pose; the network was never taught to count. Where
it clearly disagrees, the number is not vouched for, and somebody looks. It never puts a number in.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Picture
from engine.wording import phrase_later
from vision.landing.measured import MeasuredDie
from vision.learned.contract import CLASSES
from vision.learned.faces import Face, read_at
from vision.learned.networks import Networks
from vision.place import place_of

PIPS = tuple(CLASSES.index(("pip", value)) for value in range(1, 7))
PIP_FACE = 0.5
"""The least chance that the network gives to this being a pip die's face at all."""
CONTRADICTS = 0.8
"""The chance of another of the six numbers from which the network contradicts."""
NOTE = phrase_later("two ways of reading its number differ")


def drop_contradicted(
    picture: Picture, dice: Sequence[MeasuredDie], networks: Networks
) -> tuple[MeasuredDie, ...]:
    """The dice of a picture (h, w, 3), without those numbers that the network reads otherwise."""
    shown = [die.value is not None and len(die.corners_px) == 4 for die in dice]
    places = [
        place_of(np.array(die.corners_px, np.float32))
        for die, there in zip(dice, shown, strict=True)
        if there
    ]
    faces = iter(read_at(picture, places, networks)) if places else iter(())
    return tuple(_judged(die, next(faces)) if there else die for die, there in zip(dice, shown, strict=True))


def _judged(die: MeasuredDie, face: Face) -> MeasuredDie:
    chances = face.chances[list(PIPS)]
    total = float(chances.sum())
    other = int(chances.argmax()) + 1
    if total < PIP_FACE or other == die.value or chances[other - 1] < CONTRADICTS * total:
        return die
    note = f"{die.note}; {NOTE}" if die.note else NOTE
    return replace(die, value=None, confidence=0.0, note=note)
