"""One protocol for every camera, the real and the simulated. The box knows no other."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Protocol, Self, runtime_checkable

import numpy as np

from calibration.arrays import Picture
from calibration.ends import Ends
from calibration.lock import CameraLock
from calibration.table import TableCalibration


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frame:
    """One picture and when it was taken."""

    picture: Picture
    time_ms: float
    """Milliseconds on the camera's steady clock: the machine's when live, else the film's."""
    name: str
    """For journal and messages: "table 00123", "dice.mp4 frame 10", "a.jpg"."""
    far: Picture | None = None
    """The far End Zone at the same moment, of the same size, where a second camera hangs over it."""
    sharp: Picture | None = None
    """The near view at the same moment in more pixels, where the camera has them and was asked to
    sharpen."""
    settings: CameraLock | None = None
    """What the camera was set to for this picture, where it says so."""
    remark: str = ""
    """What is not as it should be with the camera, in words with cause and fix; the picture can be used all
    the same. Empty when all is well."""

    @property
    def near(self) -> Self:
        """Without the far End Zone: for games that are played under one camera."""
        return self if self.far is None else replace(self, far=None)

    @property
    def whole(self) -> Picture:
        """All that was seen in one picture, the far End Zone below the near one."""
        return self.picture if self.far is None else np.vstack([self.picture, self.far])


class CameraLost(Exception):
    """No picture comes. `str(lost)` names cause and fix for a person at the table."""


class Camera(Protocol):
    """A source of frames."""

    @property
    def live(self) -> bool:
        """True for a camera that goes on for ever; False for a film or a folder, which end."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Frames as they come; ends when a film or folder ends; raises `CameraLost`."""
        ...

    def sharpen(self, on: bool) -> None:
        """Whether the frames that follow should bring `Frame.sharp` too, where there is such a picture. May
        be called from another thread than `frames`."""
        ...

    def close(self) -> None:
        """Let the camera go. May be called twice, and from another thread than `frames`."""
        ...


@runtime_checkable
class Turns(Protocol):
    """A camera whose waiting can be told from hanging."""

    @property
    def turns(self) -> int | None:
        """Counts what `frames` does, waiting included: it stands still only where that hangs. None: it cannot
        tell."""
        ...


# Cameras that look at no real table, and what they tell of it beside their pictures.


@runtime_checkable
class Simulated(Protocol):
    """A camera over a simulated table, which knows of itself where its lines lie."""

    def calibration(self) -> TableCalibration | Ends:
        """What an eye over its End Zone goes by."""
        ...


@runtime_checkable
class Filmed(Protocol):
    """A camera that plays a film, which may say how it was made."""

    @property
    def mounted(self) -> bool:
        """Whether the camera was on its mount then."""
        ...
