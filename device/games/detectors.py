"""Opens the throw detector that a game's dice need: free dice, dice on a mat, or landings."""

from collections.abc import Callable
from concurrent.futures import Executor

from calibration.view import View
from device.landings import InlineExecutor, LandingMatch, LandingThrowDetector, Later, SeesLandings
from device.mat import Choice, MatDetector, Places, layout_for
from device.match import Match
from device.match.throw_detector import ReadsDice, Record, ThrowDetector
from device.rolls import RollDetector
from vision.watch import Throws


class DetectorOpener:
    """What the detectors of one table share, from game to game."""

    def __init__(  # noqa: PLR0913 - each comes from another part of the box
        self,
        reader: ReadsDice,
        throws: Throws,
        eye: Callable[[], SeesLandings],
        close_ups: Later,
        *,
        by_itself: bool,
        sharper_comes: Callable[[], bool],
        first_counts: bool = False,
        layout: Choice = "none",
        view: View | None = None,
        executor: Executor | None = None,
    ) -> None:
        """`eye` opens the calibrated one over the End Zone; it raises `CalibrationError` where there is none.

        `close_ups` has those of landings drawn; `executor` runs what takes a while beside the table's thread.
        `layout` is the mat, `view` that of the calibrated camera, where there is one. The others are as
        `RollDetector` has them.
        """
        self.open_eye = eye
        self._reader, self._throws = reader, throws
        self._close_ups, self._executor = close_ups, executor or InlineExecutor()
        self._by_itself, self._first_counts = by_itself, first_counts
        self._sharper_comes = sharper_comes
        self._layout, self._view = layout, view

    def open_landings(self, match: LandingMatch, eye: SeesLandings, record: Record) -> ThrowDetector:
        """The detector of a game whose throws are landings."""
        return LandingThrowDetector(
            match,
            eye,
            self._close_ups,
            record,
            self._executor,
            by_itself=self._by_itself,
            first_counts=self._first_counts,
        )

    def open_rolls(self, match: Match, record: Record) -> ThrowDetector:
        """The detector of any other game, on its mat where one is expected to lie there."""
        layout, places = layout_for(self._layout, match.rulebook), None
        if layout is not None:
            places = Places(self._reader, match, layout, self._view, needed=self._layout != "auto")
        rolls = RollDetector(
            match,
            self._reader,
            self._throws,
            record,
            by_itself=self._by_itself,
            first_counts=self._first_counts,
            sharper_comes=self._sharper_comes,
            mat=places,
        )
        return MatDetector(rolls, places, record.now) if places else rolls
