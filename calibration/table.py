"""One calibrated End Zone (`table.json`): what lies where, and how surely."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.description import Dice, PointMm, TableDescription
from calibration.lock import CameraLock
from calibration.view import View

# Where the sheet, the tapes and the dot really lie, and how sure that is: what `calibrate table` measured.
#
# A static-cling sheet never sits exactly as planned and tape is never quite straight, so nothing here is
# taken from the plan: each outline is a polygon through measured points, in mm in the table frame.

TapeName = Literal["left", "right", "halfway"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidZone:
    """One painted area; a later zone of the sheet covers an earlier one."""

    value: int
    polygon_mm: tuple[PointMm, ...]
    """Its outline, counter-clockwise; straight edges may carry points between their ends where they bend."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidDot:
    """The instant-win dot."""

    center_mm: PointMm
    diameter_mm: float
    sigma_mm: float
    """One standard deviation of the centre's place, along each axis."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidTape:
    """One tape: a long thin polygon. Its `outer` edge is the one away from the field of play (of the halfway
    tape: the edge on the far side)."""

    name: TapeName
    outer_mm: tuple[PointMm, ...]
    inner_mm: tuple[PointMm, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """One End Zone as it lies on the table."""

    zones: tuple[LaidZone, ...]
    """In the order in which they are painted: a later one covers an earlier one."""
    dot: LaidDot | None
    tapes: tuple[LaidTape, ...]
    table_edge_mm: tuple[PointMm, ...]
    """The table's outer edge at this end. What lies beyond it, on the side away from the sheet, is out of
    play."""
    sigma_mm: float
    """One standard deviation of a line's place, across the line: from the fit's residuals and from what
    shifts all edges alike."""


# How sure places on the table are: most under the camera and between the boards, least far from both.

PLACE_TERMS = 6
_UNIT_MM = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceSigmas:
    """One standard deviation of a point's place in the table's frame, along each axis, mm, from what is
    unsure of camera, plane and the table's edges."""

    mean_mm: float
    """The root mean square over sheet and field."""
    least_mm: float
    """Where it is least."""
    curve: tuple[float, ...]
    """Coefficients of `place_terms` that follow it over the table."""

    def at(self, x_mm: float, y_mm: float) -> float:
        """The standard deviation at a place, mm."""
        found = float((place_terms(np.array([[x_mm, y_mm]])) @ np.array(self.curve))[0])
        return max(found, self.least_mm)


def place_terms(points_mm: Floats) -> Floats:
    """The terms (n, 6) of a second-degree curve over the table, at points (n, 2)."""
    x, y = (points_mm / _UNIT_MM).T
    found: Floats = np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
    return found


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
