"""What calibration and earlier pictures tell the dice reader of the camera.

Where most of the sure faces of a picture seem rather to lean than to lie flat, the camera hangs otherwise
than when it was calibrated. Then dice are read without the calibration until most of them agree with it
again.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from calibration.arrays import Floats
from engine.wording import phrase
from vision.learned.faces import Face, Stance
from vision.learned.neighbours import compare_with_neighbours, places_in
from vision.learned.stance import Part, Upright, is_likely_cube

FEWEST_SURE = 3


def _silent(_: str) -> None:
    """Tells nobody."""


class CameraPrior:
    """A calibrated camera's view for one reader, or none."""

    def __init__(self, upright: Upright | None = None, tell: Callable[[str], None] = _silent) -> None:
        """Without `upright` there is no calibration; `tell` is called with a sentence, once for each reason,
        when dice are read without it."""
        self._upright = upright
        self._tell = tell
        self._told: set[str] = set()
        self._moved = False

    def at(self, part: Part) -> Upright | None:
        """The calibrated view of that part of a picture; None where there is no calibration for such
        pictures."""
        if self._upright is None:
            return None
        fitted = self._upright.of_size(part.whole_width_px, part.whole_height_px)
        if fitted is not None:
            return fitted.within(part.left_px, part.top_px)
        lens = self._upright.view.lens
        self._once(
            phrase(
                "The calibration is for pictures of {size}, and these are of {other}: dice are read without "
                "it. Calibrate with pictures of the same shape.",
                size=f"{lens.width_px} x {lens.height_px}",
                other=f"{part.whole_width_px} x {part.whole_height_px}",
            )
        )
        return None

    def steps(self, faces: Sequence[Face], part: Part) -> Floats | None:
        """The step (`vision.learned.faces.Stance`) that a flat die would have at each of N faces in that part
        of a picture: N x 2, in edges, NaN beyond the table. None where no calibration holds."""
        upright = self.at(part)
        if upright is None or not faces:
            return None
        steps = upright.steps(np.array([face.place.center for face in faces]))
        sure = [face.leaning for face in compare_with_neighbours(faces, part, steps) if face.is_sure]
        if len(sure) >= FEWEST_SURE:
            self._moved = float(np.median(sure)) > 0
        if self._moved:
            self._once(
                phrase(
                    "The dice lie otherwise than the calibration says: the camera was moved, or it is "
                    "another's. They are read without it. Calibrate again."
                )
            )
            return None
        return steps

    def _once(self, sentence: str) -> None:
        if sentence not in self._told:
            self._told.add(sentence)
            self._tell(sentence)


# How flat dice stood in a fixed camera's earlier pictures: company for dice that lie alone.
#
# A camera in a box always looks from the same side. So what the dice of one throw tell of how it hangs
# (`vision.learned.neighbours`) holds for the next throw too, in which perhaps a single die lies, or every
# second one leans. Where most of the sure faces of the newest pictures seem rather to lean beside that
# company than to lie flat, the camera was moved: then all of it is forgotten.

T = TypeVar("T")

FEWEST_TESTED, MOST_TESTED = 3, 5
"""By how many sure faces the company is tested, the newest at different places."""
MOST = 48
"""How many dice are kept, the newest: more would hardly tell more, and take time."""
SAME_PLACE = 0.03
"""A die nearer to a kept one than this, in the picture's longer sides, takes its place: the same die is read
again and again, and says no more than once."""


class CameraPoseMemory:
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
        self._tested = self._tested[-max(MOST_TESTED, len(sure)) :]
        if len(self._tested) < FEWEST_TESTED or np.median([leaning for _, leaning in self._tested]) <= 0:
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
