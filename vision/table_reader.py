"""Reads the dice on a table under a fixed camera, where it is known which kind lies there.

The classical reader comes first: seen from above, in even light, it reads pip and Zoinx dice without a miss
and at half the cost (docs/reading.md has the figures). The networks are asked only about places of which it
is not sure, and not about dice that lean or lie on one another. For other kinds they read alone.
"""

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from vision.classic import ClassicReader
from vision.find import Picture
from vision.join import LYING, SURE_UNAIDED, seen_die
from vision.learned.networks import Networks
from vision.learned.reader import Adapts, Judged, LearnedReader
from vision.reader import Reader
from vision.reading import DiceChoice, Reading, UnsureDie

ITS_OWN: tuple[DiceChoice, ...] = ("pip", "zoinx")
"""Kinds that the classical reader knows."""


class TableReader:
    """The reader of a box."""

    def __init__(self, threads: int = 1, known: Adapts | None = None) -> None:
        """`known` is what was learnt of the owner's dice. Raises ValueError without a thread."""
        networks = Networks(threads=threads)
        self._classic = ClassicReader(threads)
        self._learned = LearnedReader(networks, known)
        self._any = Reader(threads, networks, known)

    def read(self, picture: Picture, dice: DiceChoice = "auto") -> Reading:
        """What lies in a picture (height x width x 3, blue green red)."""
        if dice not in ITS_OWN:
            return self._any.read(picture, dice)
        begun = time.perf_counter()
        first = self._classic.read(picture, dice)
        if all(one.reason in LYING for one in first.unsure):
            return first
        looked = [one for one in self._learned.look(picture, dice) if _vouched(one)]
        seen, unsure = list(first.dice), []
        for one in first.unsure:
            helper = None if one.reason in LYING else _at(one, looked)
            if helper is None:
                unsure.append(one)
            else:
                seen.append(seen_die(helper, helper.confidence))
        return replace(
            first,
            dice=tuple(sorted(seen, key=lambda die: die.center_px)),
            unsure=tuple(unsure),
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )


def _vouched(one: Judged) -> bool:
    """Whether the networks alone vouch for a face."""
    return one.kind is not None and one.confidence >= SURE_UNAIDED


def _at(place: UnsureDie, looked: Sequence[Judged]) -> Judged | None:
    """The face that lies where the classical reader was not sure."""
    for one in looked:
        away = float(np.hypot(*(one.face.place.center - np.array(place.center_px))))
        if away < 0.7 * one.face.place.half_px:
            return one
    return None
