"""`table.json`: one camera over one End Zone, calibrated. What everything that measures is given."""

from dataclasses import dataclass
from typing import Literal

from calibration.description import Dice, TableDescription
from calibration.laid import Laid
from calibration.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Landmark:
    """A feature that does not move, looked for in every measured frame: a sheet's corner, a tape's end, a
    marker."""

    name: str
    at_mm: tuple[float, float]
    at_px: tuple[float, float]
    """Where it was seen when the table was calibrated."""
    sigma_px: float = 0.1
    """One standard deviation of that place, along each axis of the picture."""
    patch: bytes = b""
    """The grey picture round it: `patch_side` rows of `patch_side` pixels, its middle pixel at `at_px`
    rounded; empty where none was kept."""
    patch_side: int = 0
    on: Literal["table", "sheet"] = "table"
    """What it is fixed to: a sheet can slip on a table that has not moved."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableCalibration:
    """Where the camera is, where the lines are, and how far both may be trusted."""

    view: View
    planned: TableDescription
    laid: Laid
    landmarks: tuple[Landmark, ...]
    sigma_mm: float
    """One standard deviation of a point's place on the plane that camera and plane leave: the whole
    picture's worst."""
    end: str = ""
    """Which end of the table, when there are two ("near", "far"); all ends share one frame
    (`calibration.ends`)."""
    notes: tuple[str, ...] = ()
    """What a builder should know: what fixes the frame, and what was taken from the plan because it was not
    seen."""

    @property
    def dice(self) -> Dice:
        """The dice that are thrown."""
        return self.planned.dice
