"""Opens the reader of a box's dice, and has the camera bring its sharpest pictures for it."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from calibration.arrays import Picture
from calibration.table import TableCalibration
from device.cameras import Frame
from device.lessons.known_dice import known_dice
from device.match.throw_detector import ReadsDice
from vision.incremental_reader import TableReader
from vision.learned.camera_prior import CameraPrior
from vision.learned.stance import Upright
from vision.reading import DiceChoice, Reading
from vision.watch import FrameState

VISION_THREADS = 1
"""OpenCV's threads: a reading takes a few milliseconds, and the other core has the console."""


def open_reader(
    calibration: TableCalibration | None, folder: Path, tell: Callable[[str], None], *, mounted: bool
) -> TableReader:
    """A reader that knows the dice that were learnt, and by a calibration how the camera hangs.

    `mounted`: whether the camera hangs still. Raises `ModelError` where a network is missing.
    """
    return TableReader(
        threads=VISION_THREADS,
        known=known_dice(folder, tell),
        bearings=CameraPrior(Upright.of(calibration) if calibration else None, tell),
        mounted=mounted,
    )


# Has the camera bring its sharpest pictures when they are needed; keeps the last one while nothing moves.
#
# A picture in full size costs a camera and a box time that a plain throw does not need: most dice are read
# from the picture that is watched. So where dice are read by themselves, sharp pictures are asked for when a
# reading leaves something unsure; the next frames of that rest, which are read to decide it, then have one.
# Where people press ROLL DONE there is one reading and no next frame: there they are asked for as soon as
# nothing moves. After a few of them no more are asked for: while nothing moves, the last one shows what lies
# there.

ENOUGH = 6
"""The sharp frames of one rest: one more than `device.rolls.detector` reads of a rest."""
PATIENCE = 4
"""How many frames a camera that was asked may still come without; then it has no sharper pictures."""


class Sharpening:
    """Asks one camera for sharp pictures. Not for several threads: the table is the only caller."""

    def __init__(self, sharpen: Callable[[bool], None] | None, *, at_once: bool) -> None:
        """`sharpen` tells the camera (`device.cameras.Camera.sharpen`), None where it has no more pixels;
        `at_once`: as soon as nothing moves, not only in doubt."""
        self._sharpen = sharpen
        self._at_once = at_once
        self._on = False
        self._without = 0
        self._since_ms: float | None = None
        self._doubted = False
        self._count = 0
        self._last: Frame | None = None

    def add_sharp(self, frame: Frame, look: FrameState) -> Frame:
        """The frame, with the last sharp picture of its rest where it has none of its own."""
        if look.state != "still" or look.still_since_ms != self._since_ms:
            self._forget()
            self._since_ms = look.still_since_ms if look.state == "still" else None
        if self._since_ms is None:
            self._request(False)
            return frame
        self._without += self._on
        if frame.sharp is not None:
            self._count, self._last, self._without = self._count + 1, frame, 0
        self._request((self._at_once or self._doubted) and self._count < ENOUGH)
        return replace(frame, sharp=self._last.sharp) if self._last else frame

    def doubt(self) -> None:
        """Something was left unsure in a picture that had no sharper one beside it."""
        self._doubted = True
        self._request(self._since_ms is not None and self._count < ENOUGH)

    @property
    def comes(self) -> bool:
        """Whether a sharp picture was asked for and may come with one of the next frames."""
        return self._on and self._without < PATIENCE

    def end(self) -> None:
        """No dice are read now."""
        self._forget()
        self._request(False)

    def _forget(self) -> None:
        self._since_ms, self._doubted, self._count, self._last = None, False, 0, None

    def _request(self, on: bool) -> None:
        if self._sharpen is not None and on != self._on:
            self._on = on
            self._sharpen(on)


class Doubting:
    """A reader whose doubts have the camera sharpen (see `device.match.throw_detector.ReadsDice`)."""

    def __init__(self, reader: ReadsDice, sharpening: Sharpening) -> None:
        self._reader, self._sharpening = reader, sharpening

    def read(self, picture: Picture, dice: DiceChoice = "auto", sharp: Picture | None = None) -> Reading:
        """The dice in the picture."""
        reading = self._reader.read(picture, dice, sharp)
        if reading.unsure and sharp is None:
            self._sharpening.doubt()
        return reading
