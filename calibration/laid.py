"""Where the sheet, the tapes and the dot really lie, and how sure that is: what `calibrate table` measured.

A static-cling sheet never sits exactly as planned and tape is never quite straight, so nothing here is taken
from the plan: each outline is a polygon through measured points, in mm in the table frame.
"""

from dataclasses import dataclass
from typing import Literal

from calibration.description import PointMm

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
