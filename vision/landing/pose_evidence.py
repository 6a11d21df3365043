"""Puts together what outline and pips say of a die's place, and how sure the two leave it.

How it works. The outline gives place, yaw and size; the pips on the up-face give the middle of that face and
its yaw, and anchor the fit. An outline that pulls farther away from the pips than both can explain is a
warning: the die leans, or something else is seen.
"""

import math
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.table import TableCalibration
from vision.landing.claim import ClaimVerdict
from vision.landing.cube import Cube, footprint, yaw_of
from vision.landing.faces import FaceReading, up_face
from vision.landing.fit import Anchor, Fit
from vision.measured import MeasuredDie, Pose

PIPS_SIGMA_MM = 0.035
"""One sigma of the pips' middle about the face's: how makers print them, and what light does to their
rims."""
PIPS_SIGMA_PX = 0.05
PIPS_TURN_RAD = 0.002
PIPS_TURN_PX = 0.03
"""One sigma of the turn that the pips tell, as pixels at the outermost pips."""
STANDS_MM = 0.07
"""One sigma of how high a die stands over the plane of the table: on tape, on a sheet that is not quite flat.
It seems to lie so much nearer to the camera, or farther from it, as it is seen aslant there."""
FLAT, SIGNS = 2.35, (0.99, -2.93, -2.12)
"""Weights of `signs_of_leaning`, fitted on 209 flat dice and 118 leaning ones that our own painter drew
(`python -m models.training.flat_odds`)."""
FINE_SCALE, MOST_PULL_MM, MOST_STRAY_MM = 3.3, 0.8, 0.6
LEAST_SEEN = 0.001
LEAN_DOUBT = 3.0
"""The factor by which the covariance of a leaning die's outline is widened: its angles are known less
well."""

WITHIN_95 = 1.96
QUARTER = math.pi / 2
_DRAWN: Floats = np.random.default_rng(5).standard_normal((5, 2000))


@dataclass(frozen=True, eq=False)
class FittedDie:
    """A die whose outline and up-face were fitted, and how it lies."""

    fit: Fit
    reading: FaceReading
    pose: Pose
    holds: float = 1.0
    """The chance that it lies so."""

    @property
    def cube(self) -> Cube:
        """The fitted cube."""
        return self.fit.cube

    @property
    def covariance(self) -> Floats:
        """5 x 5 of x mm, y mm, yaw rad, edge mm, rounding mm; without the calibration's own error."""
        return self.fit.covariance * (LEAN_DOUBT if self.pose == "cocked" else 1.0)


def anchor_of(cube: Cube, reading: FaceReading, scale: float) -> Anchor | None:
    """Where the pips that were read with a cube's pose put the die; `scale` is in px per mm. None without
    pips."""
    if reading.value is None:
        return None
    corners = up_face(cube)
    right, down = corners[1] - corners[0], corners[3] - corners[0]
    middle = corners.mean(axis=0)
    middle += (right * reading.shift_mm[0] + down * reading.shift_mm[1]) / cube.edge_mm
    yaw = None
    if reading.turn_rad is not None:
        yaw = yaw_of(cube) + reading.turn_rad
    return Anchor(
        float(middle[0]),
        float(middle[1]),
        math.hypot(PIPS_SIGMA_MM, PIPS_SIGMA_PX / scale),
        yaw,
        math.hypot(PIPS_TURN_RAD, PIPS_TURN_PX / (scale * cube.edge_mm * 0.35)),
    )


def chance_flat(fit: Fit, verdict: ClaimVerdict, scale: float) -> float:
    """How likely a flat die lies as it was fitted, 0 to 1. `scale` is in px per mm."""
    odds = FLAT + float(np.dot(SIGNS, signs_of_leaning(fit, verdict, scale)))
    return 1 / (1 + math.exp(-odds))


def signs_of_leaning(fit: Fit, verdict: ClaimVerdict, scale: float) -> tuple[float, float, float]:
    """What tells a flat die from a leaning one: the log odds that the claim holds as it is held against the
    picture, and the two in which the outline of one that leans betrays itself, mm. It pulls away from the
    pips, and edges stray from it (some side lies a millimetre off); in a coarse picture both say less."""
    coarse = max(1.0, FINE_SCALE / scale)
    pulled = min(float(np.hypot(*fit.pull_mm)), MOST_PULL_MM) / math.pow(coarse, 0.7)
    strayed = min(fit.stray_mm, MOST_STRAY_MM) / coarse
    seen = min(max(verdict.holds, LEAST_SEEN), 1 - LEAST_SEEN)
    return math.log(seen / (1 - seen)), pulled, strayed


def report(placed: FittedDie, calibration: TableCalibration, note: str) -> MeasuredDie:
    """The die as the other rooms see it: the pose with its footprint and all that is unsure of it,
    rounded."""
    cube, view, reading = placed.cube, calibration.view, placed.reading
    covariance = placed.covariance
    covariance[[0, 1], [0, 1]] += calibration.sigma_at(*(float(part) for part in cube.center_mm[:2])) ** 2
    slant = (view.eye_mm[:2] - cube.center_mm[:2]) / (view.eye_mm[2] - cube.edge_mm)
    covariance[:2, :2] += STANDS_MM**2 * np.outer(slant, slant)
    outline_mm = footprint(cube)
    corners = view.project(up_face(cube))
    return MeasuredDie(
        value=reading.value,
        confidence=round(reading.confidence, 4),
        color=reading.color,
        center_mm=(float(cube.center_mm[0]), float(cube.center_mm[1])),
        yaw_deg=math.degrees(yaw_of(cube)) % 90.0,
        edge_mm=cube.edge_mm,
        footprint_mm=tuple((float(x), float(y)) for x, y in outline_mm),
        covariance=_four(covariance[:4, :4]),
        sigma_mm=outline_sigma_mm(cube, covariance),
        rounding_mm=cube.radius_mm,
        rounding_sigma_mm=math.sqrt(covariance[4, 4]),
        rounding_with=_four(covariance[4:, :4])[0],
        pose=placed.pose,
        center_px=_point(corners.mean(axis=0)),
        corners_px=tuple(_point(corner) for corner in corners),
        note=note,
    )


def outline_sigma_mm(cube: Cube, covariance: Floats) -> float:
    """One standard deviation of the whole outline, mm, from a pose's covariance (5, 5): 1.96 of it hold the
    point that is farthest off in 95 of 100 poses drawn from the covariance (always the same draws).

    Sides are known least at their ends; corners also have an unsure rounding.
    """
    yaw, half = yaw_of(cube), cube.edge_mm / 2
    slopes = []
    for turn in range(4):
        normal, along = (
            np.array([math.cos(angle), math.sin(angle)])
            for angle in (yaw + turn * QUARTER, yaw + turn * QUARTER + QUARTER)
        )
        for end in (-1.0, 1.0):
            spin = -end * (half - cube.radius_mm)
            slopes.append([*normal, spin, 0.5, 0.0])
        slopes.append([*((normal + along) / math.sqrt(2)), 0.0, math.sqrt(0.5), 1 - math.sqrt(2)])
    values, vectors = np.linalg.eigh(covariance)
    spread = vectors * np.sqrt(np.clip(values, 0.0, None))
    farthest = np.abs(np.array(slopes) @ spread @ _DRAWN).max(axis=0)
    return float(np.quantile(farthest, 0.95)) / WITHIN_95


def _point(xy: Floats) -> tuple[float, float]:
    return (round(float(xy[0]), 2), round(float(xy[1]), 2))


def _four(matrix: Floats) -> tuple[tuple[float, float, float, float], ...]:
    return tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in matrix)
