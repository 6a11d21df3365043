"""The calibration as the dice reader uses it: fitted to each picture, and left aside where it does not hold.

Where most of the sure faces of a picture seem rather to lean than to lie flat, the camera hangs otherwise
than when it was calibrated. Then dice are read without the calibration until most of them agree with it
again.
"""

from collections.abc import Callable, Sequence

import numpy as np

from calibration.arrays import Floats
from engine.wording import phrase
from vision.learned.faces import Face
from vision.learned.neighbours import compare_with_neighbours
from vision.learned.upright import Part, Upright

FEWEST_SURE = 3


def _silent(_: str) -> None:
    """Tells nobody."""


class Bearings:
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
