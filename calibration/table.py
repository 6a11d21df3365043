"""`table.json`: one calibrated camera over one End Zone. Everything that measures is given one of these."""

from dataclasses import dataclass
from typing import Literal

from calibration.description import Dice, TableDescription
from calibration.laid import Laid
from calibration.lock import CameraLock
from calibration.place_sigmas import PlaceSigmas
from calibration.view import View


@dataclass(frozen=True, slots=True, kw_only=True)
class Landmark:
    """A feature that does not move and is looked for in every measured frame: a corner of the sheet, the end
    of a tape, a printed marker."""

    name: str
    at_mm: tuple[float, float]
    at_px: tuple[float, float]
    """Where it was seen when the table was calibrated."""
    sigma_px: float = 0.1
    """One standard deviation of `at_px`, along each axis of the picture."""
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
    """One standard deviation of a point's place in the table's frame, along each axis, from what is unsure of
    camera, plane and the table's edges: the root mean square over sheet and field."""
    by_place: PlaceSigmas | None = None
    """The same for each place; None where only the mean is known."""
    end: str = ""
    """Which end of the table this is when there are two ("near", "far"), else empty. Each end is calibrated
    in its own frame; `calibration.ends` puts both into one."""
    notes: tuple[str, ...] = ()
    """Sentences for the builder: what fixes the frame, and what was taken from the plan because it was not
    seen."""
    lock: CameraLock | None = None
    """What the camera was locked to when it was calibrated; None where nobody said."""

    def sigma_at(self, x_mm: float, y_mm: float) -> float:
        """One standard deviation of the place of what lies there, along each axis, mm."""
        return self.by_place.at(x_mm, y_mm) if self.by_place else self.sigma_mm

    @property
    def dice(self) -> Dice:
        """The dice that are thrown."""
        return self.planned.dice
