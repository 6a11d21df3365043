"""How flat dice stood in a fixed camera's earlier pictures: company for dice that lie alone.

A camera in a box always looks from the same side. So what the dice of one throw tell of how it hangs
(`vision.learned.neighbours`) holds for the next throw too, in which perhaps a single die lies, or every
second one leans. Where most of the sure faces of the newest pictures seem rather to lean beside that company
than to lie flat, the camera was moved: then all of it is forgotten.
"""

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from calibration.arrays import Floats
from vision.learned.faces import Face, Stance
from vision.learned.neighbours import compare_with_neighbours, places_in
from vision.learned.stance import is_likely_cube
from vision.learned.upright import Part

T = TypeVar("T")

FEWEST_SURE, MOST_SURE = 3, 5
"""By how many sure faces the company is tested, the newest at different places."""
MOST = 48
"""How many dice are kept, the newest: more would hardly tell more, and take time."""
SAME_PLACE = 0.03
"""A die nearer to a kept one than this, in the picture's longer sides, takes its place: the same die is read
again and again, and says no more than once."""


class EarlierDice:
    """The company that a fixed camera's earlier pictures left."""

    def __init__(self) -> None:
        """Knows none."""
        self._kept: list[tuple[Floats, Stance]] = []
        self._tested: list[tuple[Floats, float]] = []

    def __len__(self) -> int:
        return len(self._kept)

    def compare(self, faces: Sequence[Face], part: Part, steps: Floats | None) -> list[Face]:
        """The faces, compared with each other and with the company as `compare_with_neighbours` does it."""
        told = compare_with_neighbours(faces, part, steps, self._kept)
        sure = [face for face in told if face.is_sure and not face.printed]
        for face, place in zip(sure, places_in(sure, part)[0], strict=True):
            self._tested = [*_elsewhere(self._tested, place), (place, face.leaning)]
        self._tested = self._tested[-max(MOST_SURE, len(sure)) :]
        if len(self._tested) < FEWEST_SURE or np.median([leaning for _, leaning in self._tested]) <= 0:
            return told
        self._kept, self._tested = [], []
        return compare_with_neighbours(faces, part, steps)

    def learn(self, flat: Sequence[Face], part: Part) -> None:
        """Keep how these dice stand, which were read surely and lie flat."""
        cubes = [face for face in flat if face.stance is not None and is_likely_cube(face)]
        for face, place in zip(cubes, places_in(cubes, part)[0], strict=True):
            if face.stance is not None:
                self._kept = [*_elsewhere(self._kept, place), (place, face.stance)]
        self._kept = self._kept[-MOST:]


def _elsewhere(kept: Sequence[tuple[Floats, T]], place: Floats) -> list[tuple[Floats, T]]:
    """What is kept of other places than this."""
    return [one for one in kept if np.hypot(*(one[0] - place)) >= SAME_PLACE]
