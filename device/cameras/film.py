"""A film as a camera: each frame once, in order, with the film's own times."""

import math
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from device.cameras.frames import CameraLost, Frame
from engine.wording import phrase

SUFFIXES = (".mp4", ".m4v", ".mov", ".avi", ".mkv", ".webm", ".mjpeg", ".mpg", ".mpeg", ".wmv")
"""Endings taken for films. OpenCV is not asked: it opens plain text too, as a film of letters."""

ASSUMED_FPS = 30.0
"""For a film that does not say how fast it runs."""


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
    ) -> None:
        """`clock` gives milliseconds and `wait` lets that many pass; both serve a paced film only."""
        self._path = Path(path)
        self._paced = paced
        self._closed = threading.Event()
        self._clock = clock or (lambda: time.monotonic() * 1000)
        self._wait = wait or (lambda ms: self._closed.wait(ms / 1000))
        self.notes: list[str] = []

    def frames(self) -> Iterator[Frame]:
        """The film's frames from its first; raises `CameraLost` where it cannot be read at all."""
        film = self._open()
        try:
            step_ms = 1000.0 / self._fps(film)
            start_ms = self._clock()
            for index in range(2**62):
                there, picture = (False, None) if self._closed.is_set() else film.read()
                if not there or picture is None:
                    break
                time_ms = index * step_ms
                if self._paced and (left_ms := start_ms + time_ms - self._clock()) > 0:
                    self._wait(left_ms)
                name = f"{self._path.name} frame {index}"
                yield Frame(picture=picture.astype(np.uint8, copy=False), time_ms=time_ms, name=name)
            if index == 0 and not self._closed.is_set():
                raise CameraLost(
                    phrase(
                        "{name} holds no picture. Copy the film again, it may be cut short.",
                        name=self._path.name,
                    )
                )
        finally:
            film.release()

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

    def _open(self) -> cv2.VideoCapture:
        if not self._path.is_file():
            raise CameraLost(
                phrase("There is no film {path}. Check the name and the folder.", path=self._path)
            )
        film = cv2.VideoCapture(str(self._path))
        if not film.isOpened():
            film.release()
            raise CameraLost(
                phrase(
                    "{name} cannot be played: it is broken, or no film that OpenCV knows. Copy it again, "
                    "or save it as MP4 (H.264) or Motion JPEG.",
                    name=self._path.name,
                )
            )
        return film

    def _fps(self, film: cv2.VideoCapture) -> float:
        fps = film.get(cv2.CAP_PROP_FPS)
        if math.isfinite(fps) and 0.1 <= fps <= 1000:
            return fps
        self.notes.append(
            phrase(
                "{name} does not say how fast it runs: taken as {fps:g} frames/s.",
                name=self._path.name,
                fps=ASSUMED_FPS,
            )
        )
        return ASSUMED_FPS
