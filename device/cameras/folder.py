"""A folder of pictures as a camera: each shown for a while, in the order of their names."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from calibration.arrays import Picture
from device.cameras.frames import CameraLost, Frame
from engine.wording import phrase
from vision.pictures import PictureError, load

SUFFIXES = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")


class Folder:
    """Shows the pictures of a folder (or one picture file), each for `hold_ms` at `fps` frames a second."""

    live = False

    def __init__(
        self,
        path: Path | str,
        *,
        hold_ms: float = 2000.0,
        fps: float = 15.0,
        paced: bool = False,
        clock: Callable[[], float] | None = None,
        wait: Callable[[float], object] | None = None,
        note: Callable[[str], object] | None = None,
    ) -> None:
        """`note` hears of pictures skipped; `clock` (ms) and `wait` (ms) serve a paced folder."""
        if not (hold_ms > 0 and fps > 0):
            raise ValueError(
                f"a picture is shown for more than 0 ms, at more than 0 frames/s; got {hold_ms}, {fps}"
            )
        self._path = Path(path)
        self._step_ms = 1000.0 / fps
        self._repeats = max(1, round(hold_ms / self._step_ms))
        self._paced = paced
        self._closed = threading.Event()
        self._clock = clock or (lambda: time.monotonic() * 1000)
        self._wait = wait or (lambda ms: self._closed.wait(ms / 1000))
        self._note = note
        self.notes: list[str] = []
        """What was skipped and why, a sentence for each picture."""

    def frames(self) -> Iterator[Frame]:
        """The pictures, repeated; raises `CameraLost` where there is none, or none that can be read."""
        start_ms = self._clock()
        shown = 0
        for path in self._pictures():
            picture = self._load(path)
            if picture is None:
                continue
            for _ in range(self._repeats):
                if self._closed.is_set():
                    return
                time_ms = shown * self._step_ms
                if self._paced and (left_ms := start_ms + time_ms - self._clock()) > 0:
                    self._wait(left_ms)
                yield Frame(picture=picture, time_ms=time_ms, name=path.name)
                shown += 1
        if shown == 0:
            raise CameraLost(
                phrase(
                    "No picture in {folder} can be read. First: {note}", folder=self._path, note=self.notes[0]
                )
            )

    def sharpen(self, on: bool) -> None:
        """A picture has no more pixels than it shows."""

    def close(self) -> None:
        """Stop before the next frame."""
        self._closed.set()

    def _pictures(self) -> list[Path]:
        try:
            found = [self._path] if self._path.is_file() else sorted(self._path.iterdir())
        except OSError as error:
            raise CameraLost(
                phrase(
                    "The folder {folder} cannot be opened: {strerror}.",
                    folder=self._path,
                    strerror=error.strerror,
                )
            ) from None
        pictures = [path for path in found if path.suffix.lower() in SUFFIXES and path.is_file()]
        if not pictures:
            raise CameraLost(
                phrase(
                    "There is no picture in {folder}. Put {kinds} files there.",
                    folder=self._path,
                    kinds=", ".join(SUFFIXES[:3]),
                )
            )
        return pictures

    def _load(self, path: Path) -> Picture | None:
        try:
            return load(path)
        except PictureError as error:
            text = phrase("{name} was skipped: {error}.", name=path.name, error=error)
            self.notes.append(text)
            if self._note:
                self._note(text)
            return None
