"""What is known of one die at rest under a calibrated camera, in millimetres of the table frame."""

from dataclasses import dataclass
from typing import Literal

from calibration.description import PointMm
from vision.reading import UnsureDie

Pose = Literal["flat", "cocked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredDie:
    """A die whose place was measured. Its pose is that of the rounded cube that fits its edges in the
    picture."""

    value: int | None
    """1 to 6; None when its up-face was not read (its place may be good all the same)."""
    confidence: float
    """How often a value with this figure is right, 0 to 1."""
    color: str
    center_mm: PointMm
    """The middle of its vertical projection."""
    yaw_deg: float
    """From 0 to below 90: a cube looks the same after a quarter turn."""
    edge_mm: float
    footprint_mm: tuple[PointMm, ...]
    """The vertical projection, counter-clockwise, its rounded corners as short chords (error below 0.005
    mm)."""
    covariance: tuple[tuple[float, float, float, float], ...]
    """4 x 4 of (x mm, y mm, yaw rad, edge mm): the uncertainty from fit, edge noise, lens and plane, without
    that of the lines."""
    sigma_mm: float
    """How sure the whole outline is: for 95 of 100 dice no point of it is off by more than 1.96 of these."""
    pose: Pose
    center_px: tuple[float, float]
    corners_px: tuple[tuple[float, float], ...]
    """The up-face's corners, in order round it."""
    rounding_mm: float = 0.0
    """The radius with which its edges and corners are rounded, as measured; 0 where nobody measured it."""
    rounding_sigma_mm: float = 0.0
    """One standard deviation of the rounding of its corners: an error of it moves corners and leaves sides
    where they are."""
    rounding_with: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """The rounding's covariance with x mm, y mm, yaw rad and edge mm: it is measured with them."""
    may_lean: bool = False
    """Whether it lies beside another die and may lean and pass for flat: in a coarse picture always, in a
    fine one where the test whether it rests on its face left a doubt."""
    note: str = ""
    """What a referee should know: touches another die, partly hidden, leaning on something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """All dice of one picture."""

    dice: tuple[MeasuredDie, ...]
    unsure: tuple[UnsureDie, ...]
    elapsed_ms: float
