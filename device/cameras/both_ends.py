"""Two cameras as one: the near End Zone's and the far one's, whose pictures of one moment make one frame.

Live cameras each keep their own pace: every picture of the near one goes with the newest of the far one.
Films and folders are taken picture by picture, side by side, until the shorter one ends.
"""

import threading
from collections.abc import Iterator
from dataclasses import replace

from device.cameras.frames import Camera, CameraLost, Frame, Turns
from engine.wording import phrase

STALE_MS = 1500.0
"""A far picture so much older than the near one says nothing of this moment."""
PATIENCE_S = 5.0
"""How long a far camera that hangs is waited for when the near one is lost."""


class BothEnds:
    """Both cameras. What befalls the far one is said with its name."""

    def __init__(self, near: Camera, far: Camera) -> None:
        """Raises `CameraLost` when one is live and the other is not."""
        if near.live != far.live:
            raise CameraLost(
                phrase("One camera is live and the other is a film or a folder. Give two of a kind.")
            )
        self._near, self._far = near, far
        self._closed = False

    @property
    def live(self) -> bool:
        """Whether both go on for ever."""
        return self._near.live

    @property
    def turns(self) -> int | None:
        """The near camera's; the far one has a thread of its own, which may hang and is then left behind."""
        return self._near.turns if isinstance(self._near, Turns) else None

    def frames(self) -> Iterator[Frame]:
        """Frames with both pictures; raises `CameraLost`, also when the far camera alone is lost."""
        if not self.live:
            for near, far in zip(self._near.frames(), self._far.frames(), strict=False):
                yield _joined(near, far)
            return
        newest = _Newest(self._far)
        try:
            for near in self._near.frames():
                beside = newest.beside(near)
                if beside is not None:
                    yield _joined(near, beside)
        finally:
            newest.stop(PATIENCE_S)
            if self._closed:
                newest.stop(None)

    def sharpen(self, on: bool) -> None:
        """Ask for sharper pictures of the near end; games that are not played to both have one camera."""
        self._near.sharpen(on)

    def close(self) -> None:
        """Let both cameras go."""
        self._closed = True
        self._near.close()
        self._far.close()


class _Newest:
    """A thread that keeps the newest frame of the far camera."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._frame: Frame | None = None
        self._lost = ""
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="far camera", daemon=True)
        self._thread.start()

    def beside(self, near: Frame) -> Frame | None:
        """The far frame of that moment; None before the first. Raises `CameraLost`."""
        frame = self._frame
        if self._lost:
            raise CameraLost(phrase("The far camera: {text}", text=self._lost))
        if frame is not None and near.time_ms - frame.time_ms > STALE_MS:
            raise CameraLost(phrase("The far camera gives no new pictures. See that it is plugged in."))
        return frame

    def stop(self, patience_s: float | None) -> None:
        """Take no more; the thread ends with the frame that is on its way, which is waited for so long."""
        self._stopping = True
        self._thread.join(patience_s)

    def _run(self) -> None:
        try:
            for frame in self._camera.frames():
                self._frame = frame
                if self._stopping:
                    return
            self._lost = "" if self._stopping else phrase("it has ended.")
        except CameraLost as lost:
            self._lost = str(lost)
        except Exception as error:  # noqa: BLE001 - whatever a camera's library throws, it is tried again
            self._lost = phrase("it fails with an error of its own: {error}.", error=error)


def _joined(near: Frame, far: Frame) -> Frame:
    if near.picture.shape != far.picture.shape:
        sizes = [f"{each.picture.shape[1]} x {each.picture.shape[0]}" for each in (near, far)]
        raise CameraLost(
            phrase(
                "The pictures of the two ends are {size} and {other}. Set both cameras to one size.",
                size=sizes[0],
                other=sizes[1],
            )
        )
    said = []
    if near.remark:
        said.append(phrase("At the near end: {text}", text=near.remark))
    if far.remark:
        said.append(phrase("At the far end: {text}", text=far.remark))
    remark = " ".join(said)
    return replace(near, far=far.picture, name=f"{near.name}, {far.name}", remark=remark)
