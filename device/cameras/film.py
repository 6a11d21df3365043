"""A film as a camera: each frame once, in order, with the film's own times."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import av
import numpy as np

from calibration.arrays import Picture
from device.cameras.frames import CameraLost, Frame
from engine.wording import phrase

ASSUMED_FPS = 30.0
"""For frames without times of their own, in a film that does not say how fast it runs."""
MOST_FPS = 240.0
"""A film that says it runs faster gives the ticks of its clock and not its speed: WebM says 1000."""

MOUNTED = b"callbox: the camera was on its mount"
"""What `device/films/maker.py` writes into the films of a box."""
TAIL_BYTES = 65_536
"""A film's notes stand in its index, and that at its end."""


class Film:
    """Plays a film file once. `paced` plays at the film's own speed, else as fast as frames are taken."""

    live = False

    def __init__(
        self,
        path: Path | str,
        *,
        paced: bool = False,
        clock: Callable[[], float] | None = None,
        wait: Callable[[float], object] | None = None,
        note: Callable[[str], object] | None = None,
    ) -> None:
        """`clock` gives milliseconds and `wait` lets that many pass; both serve a paced film only. `note`
        gets a sentence about what is not as it should be with the film."""
        self._path = Path(path)
        self._paced = paced
        self._closed = threading.Event()
        self._clock = clock or (lambda: time.monotonic() * 1000)
        self._wait = wait or (lambda ms: self._closed.wait(ms / 1000))
        self._note = note or (lambda _: None)

    def frames(self) -> Iterator[Frame]:
        """The film's frames from its first; raises `CameraLost` where it cannot be read at all."""
        start_ms, index = self._clock(), 0
        with self._open() as film:
            for picture, time_ms in self._timed(film):
                if self._closed.is_set():
                    return
                if self._paced and (left_ms := start_ms + time_ms - self._clock()) > 0:
                    self._wait(left_ms)
                yield Frame(picture=picture, time_ms=time_ms, name=f"{self._path.name} frame {index}")
                index += 1
        if index == 0 and not self._closed.is_set():
            raise CameraLost(
                phrase(
                    "{name} holds no picture. Copy the film again, it may be cut short.", name=self._path.name
                )
            )

    def sharpen(self, on: bool) -> None:
        """A film has no more pixels than it shows."""

    @property
    def mounted(self) -> bool:
        """Whether a box made this film, with its camera on its mount; of others nobody knows."""
        try:
            with self._path.open("rb") as film:
                film.seek(max(0, self._path.stat().st_size - TAIL_BYTES))
                return MOUNTED in film.read()
        except OSError:  # `frames` says what is wrong with it
            return False

    def close(self) -> None:
        """Stop before the next frame. The thread that plays lets the file go."""
        self._closed.set()

    def _open(self) -> "av.container.InputContainer":
        if not self._path.is_file():
            raise CameraLost(
                phrase("There is no film {path}. Check the name and the folder.", path=self._path)
            )
        try:
            film = av.open(str(self._path))
        except (av.FFmpegError, OSError, ValueError) as error:
            raise self._unplayable() from error
        if not film.streams.video:
            film.close()
            raise self._unplayable()
        return film

    def _unplayable(self) -> CameraLost:
        return CameraLost(
            phrase(
                "{name} cannot be played: it is broken, or no film of a known kind. Copy it again, "
                "or save it as MP4 (H.264) or Motion JPEG.",
                name=self._path.name,
            )
        )

    def _timed(self, film: "av.container.InputContainer") -> Iterator[tuple[Picture, float]]:
        """Each frame's picture and its time, ms from the first frame; times always go up.

        A frame without a time, or with one that does not lie after the last, comes one usual step later: so
        a film of several that were joined goes on, and one without any time runs at its usual speed.
        """
        first_ms: float | None = None
        usual_ms, last_ms = 0.0, -math.inf
        for frame in self._decoded(film):
            usual_ms = usual_ms or self._usual_step_ms(film, has_times=_own_ms(frame) is not None)
            own_ms = _own_ms(frame)
            if first_ms is None:
                first_ms = own_ms or 0.0
                time_ms = 0.0
            else:
                time_ms = -math.inf if own_ms is None else own_ms - first_ms
            if time_ms <= last_ms:
                time_ms = last_ms + usual_ms
            last_ms = time_ms
            yield _picture(frame), time_ms

    def _decoded(self, film: "av.container.InputContainer") -> Iterator["av.VideoFrame"]:
        """The film's frames; how many packets of it are damaged, and so left out, is noted at the end."""
        stream, damaged = film.streams.video[0], 0
        stream.thread_type = "AUTO"
        packets = film.demux(stream)
        while True:
            try:
                packet = next(packets, None)
            except (av.FFmpegError, ValueError):
                damaged += 1
                break
            if packet is None:
                break
            try:
                yield from packet.decode()
            except (av.FFmpegError, ValueError):
                damaged += 1
        if damaged:
            self._note(
                phrase(
                    "{name} is damaged in {damaged} places, which were left out. Copy the film again.",
                    name=self._path.name,
                    damaged=damaged,
                )
            )

    def _usual_step_ms(self, film: "av.container.InputContainer", *, has_times: bool) -> float:
        rate = film.streams.video[0].average_rate
        if rate is not None and 0.1 <= rate <= MOST_FPS:
            return float(1000 / rate)
        if not has_times:
            self._note(
                phrase(
                    "{name} does not say how fast it runs: taken as {fps:g} frames/s.",
                    name=self._path.name,
                    fps=ASSUMED_FPS,
                )
            )
        return 1000 / ASSUMED_FPS


def _own_ms(frame: Any) -> float | None:
    """The time that the film gives the frame, ms; None where it gives none."""
    return None if frame.time is None else float(frame.time) * 1000


def _picture(frame: "av.VideoFrame") -> Picture:
    """The frame's picture, blue green red, turned the way it is to be shown."""
    picture = frame.to_ndarray(format="bgr24")
    quarters = round(frame.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(picture, quarters)) if quarters else np.asarray(picture, np.uint8)
