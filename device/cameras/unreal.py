"""Cameras that look at no real table, and what they tell of it beside their pictures."""

from typing import Protocol, runtime_checkable

from calibration.ends import Ends
from calibration.table import TableCalibration


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
