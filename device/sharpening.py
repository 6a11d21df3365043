"""Has the camera bring its sharpest pictures while dice come to rest, and keeps the last one for ROLL DONE.

A picture in full size costs a camera and a box too much to have one with every frame, and while dice roll it
is worth nothing. So they are asked for from the first look at which nothing moves: by the time the table has
settled, the frame that is read has one. After a few of them no more are asked for; as long as nothing moves,
the last one shows what lies there.
"""

from collections.abc import Callable
from dataclasses import replace

from device.cameras import Frame
from vision.watch import Look

ENOUGH = 6
"""The sharp frames of one rest: one to settle, and as many as `device.rolls` reads of a rest."""


class Sharpening:
    """Of one camera. Not for several threads: the table is the only caller."""

    def __init__(self, sharpen: Callable[[bool], None]) -> None:
        """`sharpen` tells the camera (`device.cameras.Camera.sharpen`)."""
        self._sharpen = sharpen
        self._on = False
        self._since_ms: float | None = None
        self._count = 0
        self._last: Frame | None = None

    def see(self, frame: Frame, look: Look) -> Frame:
        """The frame, with the last sharp picture of its rest where it has none of its own."""
        if look.state != "still" or look.still_since_ms != self._since_ms:
            self._since_ms = look.still_since_ms if look.state == "still" else None
            self._count, self._last = 0, None
        if self._since_ms is None:
            self._ask(False)
            return frame
        if frame.sharp is not None:
            self._count, self._last = self._count + 1, frame
        self._ask(self._count < ENOUGH)
        return replace(frame, sharp=self._last.sharp) if self._last else frame

    def rest(self) -> None:
        """No dice are read now."""
        self._since_ms, self._last = None, None
        self._ask(False)

    def _ask(self, on: bool) -> None:
        if on != self._on:
            self._on = on
            self._sharpen(on)
