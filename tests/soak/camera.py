"""A camera that gives the frames it is handed, and a clock that goes on with them and not with the wall's."""

import queue
from collections.abc import Iterator
from random import Random

from calibration.arrays import Picture
from device.cameras import Frame
from device.simulator.render import sensor_noise, with_noise
from tests.soak.drawn import HEIGHT_PX, WIDTH_PX


class DrawnCamera:
    """The box's camera and its clock. `hand_in` is for one thread, that of who plays."""

    live = True

    def __init__(self, seed: int) -> None:
        self._frames: queue.SimpleQueue[Frame | None] = queue.SimpleQueue()
        self._noise, self._rng = sensor_noise(WIDTH_PX, HEIGHT_PX), Random(seed)
        self._now_ms = 1000.0
        self._given = 0

    def clock_ms(self) -> float:
        """The steady clock of box and camera."""
        return self._now_ms

    def pass_ms(self, ms: float) -> None:
        """Let so much time pass."""
        self._now_ms += ms

    def hand_in(self, picture: Picture, step_ms: float) -> Frame:
        """Have the box see this picture, taken so long after the last, with a sensor's noise over it."""
        self._now_ms += step_ms
        self._given += 1
        seen = with_noise(picture, self._noise, self._rng)
        frame = Frame(picture=seen, time_ms=self._now_ms, name=f"drawn {self._given:06d}")
        self._frames.put(frame)
        return frame

    def frames(self) -> Iterator[Frame]:
        """Frames as they are handed in."""
        while (frame := self._frames.get()) is not None:
            yield frame

    def sharpen(self, on: bool) -> None:
        """It has no more pixels than it shows."""

    def close(self) -> None:
        """No more frames come."""
        self._frames.put(None)
