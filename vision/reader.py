"""Reads the dice in a picture: two networks and the classical reader look at it, side by side.

How what they say is put together stands in `vision.join`. What nobody can vouch for becomes an `UnsureDie`
with the reason.
"""

import time
from concurrent.futures import ThreadPoolExecutor

from vision.classic import ClassicReader
from vision.find import Picture
from vision.join import joined
from vision.learned.networks import Networks
from vision.learned.reader import Adapts, Judged, LearnedReader
from vision.reading import DiceChoice, Reading

NETWORKS_ONLY = ("bet", "d4")
"""Kinds of which the classical reader knows nothing."""


class Reader:
    """Reads pip dice, Zoinx dice, betting dice and D4 in any picture; no calibration is needed."""

    def __init__(
        self, threads: int = 1, networks: Networks | None = None, known: Adapts | None = None
    ) -> None:
        """`threads` serve the networks and OpenCV, whose number is the whole program's.

        From two threads on both ways of reading run at once. `networks` are those of the project where none
        are given; `known` is what was learnt of the owner's dice. Raises ValueError without a thread.
        """
        self._classic = ClassicReader(threads)
        self._learned = LearnedReader(networks or Networks(threads=threads), known)
        self._beside = ThreadPoolExecutor(1, "reader") if threads > 1 else None

    def read(self, picture: Picture, dice: DiceChoice = "auto") -> Reading:
        """What lies in a picture (height x width x 3, blue green red)."""
        begun = time.perf_counter()
        looked, second = self._looks(picture, dice)
        seen, unsure = joined(looked, second, any_kind=dice == "auto")
        height, width = picture.shape[:2]
        return Reading(
            width_px=width,
            height_px=height,
            dice=seen,
            unsure=unsure,
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )

    def _looks(self, picture: Picture, dice: DiceChoice) -> tuple[list[Judged], Reading | None]:
        """What the networks and the classical reader say; None where the latter knows nothing of the kind."""
        if dice in NETWORKS_ONLY:
            return self._learned.look(picture, dice), None
        if self._beside is None:
            return self._learned.look(picture, dice), self._classic.read(picture, dice)
        second = self._beside.submit(self._classic.read, picture, dice)
        return self._learned.look(picture, dice), second.result()
