"""Detects landings under one calibrated camera: from a picture to its calls.

Is the picture fit for it, has anything moved, where do the dice lie, what is each worth?
"""

import time
from collections.abc import Callable
from functools import partial

from calibration.arrays import Picture
from calibration.table import TableCalibration
from engine.wording import phrase
from vision.landing.call import THRESHOLD, call_die
from vision.landing.departure import Departure, find_departure
from vision.landing.drift import check_drift
from vision.landing.evidence import draw_evidence
from vision.landing.image_quality import too_dark, why_unlike
from vision.landing.landing_observation import CalledDie, Sight
from vision.landing.measure import Measurer
from vision.landing.shapes import LearntShapes, tint_of
from vision.pictures import jpeg_of
from vision.watch import FrameState

EVIDENCE_QUALITY = 92


class LandingDetector:
    """Measures and calls the dice in the pictures of one calibrated camera.

    A picture is rows x columns x 3, blue green red. An eye looks at its own camera's picture; one that covers
    a table alone ignores a second camera's.
    It learns the shapes of the owner's dice from what it sees, so that the same picture may be measured a
    little better later in the evening.
    """

    def __init__(
        self,
        calibration: TableCalibration,
        threads: int = 1,
        threshold: float = THRESHOLD,
        shapes: LearntShapes | None = None,
    ) -> None:
        """`threads` are for the pixel work; calls less likely than `threshold` are too close. `shapes` is
        what is known of the owner's dice; without it shapes are learnt only of dice that are of one set."""
        self._planned = self._last = calibration
        self._threads, self._threshold = threads, threshold
        self._measurer = Measurer(calibration, threads)
        self._shapes = shapes
        if shapes is None and calibration.dice.of_one_set:
            self._shapes = LearntShapes(calibration.dice)

    def why_not(self, width_px: int, height_px: int) -> str:
        """Why pictures of that size cannot be measured, as part of a sentence; "" when they can."""
        lens = self._planned.view.lens
        if (width_px, height_px) == (lens.width_px, lens.height_px):
            return ""
        return phrase(
            "the picture is {size}, and the calibration is for {other}; take pictures of that size, or "
            "calibrate again",
            size=f"{width_px} x {height_px}",
            other=f"{lens.width_px} x {lens.height_px}",
        )

    def let_go(self, _look: FrameState, _since_ms: float, _aim: str, /) -> Callable[[], None]:
        """A camera over one End Zone alone does not see where dice for it are let go: nothing is told."""
        return lambda: None

    def went_off(self, look: FrameState, since_ms: float, /) -> Callable[[], Departure | None]:
        """Finds over which side a die has left the table since then; None where none was seen to."""
        stretch = look.reel.find_stretch(since_ms, look.time_ms) if look.reel else None
        return partial(find_departure, stretch, self._planned) if stretch else lambda: None

    def look(self, picture: Picture, _far: Picture | None = None, /) -> Sight:
        """Everything that lies in the picture; where nothing may be called, the sight says why."""
        begun = time.perf_counter()
        if why := self.why_not(picture.shape[1], picture.shape[0]) or too_dark(picture):
            return self._blind(why)
        drift = check_drift(picture, self._planned)
        if not drift.ok:
            return self._blind(why_unlike(picture, self._planned, drift))
        calibration = drift.corrected or self._planned
        if calibration != self._last:
            self._last, self._measurer = calibration, Measurer(calibration, self._threads)
        found = self._measurer.measure(picture)
        dice = found.dice
        if self._shapes is not None:
            dice = self._shapes.improve(dice, [tint_of(picture, die) for die in dice])
        return Sight(
            calibration=calibration,
            dice=tuple(CalledDie(die=die, call=call_die(die, calibration, self._threshold)) for die in dice),
            unmeasured=found.unsure,
            drift=drift,
            moved=drift.reason,
            elapsed_ms=(time.perf_counter() - begun) * 1000,
        )

    def shoved(self, picture: Picture, _far: Picture | None = None, /) -> str:
        """A sentence where the camera seems to have been moved for good; "" while it hangs as it did."""
        if self.why_not(picture.shape[1], picture.shape[0]) or check_drift(picture, self._planned).ok:
            return ""
        return phrase(
            "Something covers the table, or the camera was moved. If nothing does, put the camera back as it "
            "hung, or calibrate the table again (callbox calibrate table)."
        )

    def evidence(
        self,
        sight: Sight,
        called: CalledDie,
        picture: Picture,
        _far: Picture | None = None,
        /,
        *,
        number_alone: bool = False,
    ) -> bytes:
        """A close-up of one of the dice of a sight, as seen from straight above, as JPEG bytes.

        `number_alone`: it was rolled for its number, and where it lies means nothing.
        """
        others = [each.die for each in sight.dice if each.die is not called.die]
        lies, calibration = called.die, sight.calibration
        drawn = draw_evidence(
            picture, calibration, lies, called.call, others=others, number_alone=number_alone
        )
        return jpeg_of(drawn, EVIDENCE_QUALITY)

    def _blind(self, why: str) -> Sight:
        sentence = f"{why[:1].upper()}{why[1:]}".rstrip(".") + "."
        return Sight(calibration=self._planned, moved=sentence, blind=why)
