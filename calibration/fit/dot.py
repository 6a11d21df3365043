"""Measures the instant-win dot from its edge all round: where it is, and how large."""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats, Picture
from calibration.fit.bundle import spread, trust
from calibration.fit.edges import crossings, profiles
from calibration.view import View

DIRECTIONS = 96
LENS_SOFTNESS_PX = 0.8
"""About how much lens and sensor blur the dot, as a sigma; the filter that runs along its radii does not
shift its rim."""


@dataclass(frozen=True, slots=True, eq=False)
class DotFound:
    """A round spot on the table's plane."""

    center_mm: Floats
    """The middle (2,)."""
    diameter_mm: float
    sigma_mm: float
    """One standard deviation of the centre along each axis, from the noise of its edge."""
    share: float
    """The share of its edge that is seen, 0 to 1."""
    noise_mm: float


def measure_dot(
    picture: Picture, view: View, near_mm: Floats, diameter_mm: float, reach_mm: float = 4.0
) -> DotFound | None:
    """The dot near a place (2,), mm; None where there is none of about that diameter."""
    angles = np.arange(DIRECTIONS) * (2 * np.pi / DIRECTIONS)
    out = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    center, radius = near_mm.copy(), diameter_mm / 2
    reach = min(reach_mm, 0.8 * radius)
    for narrow in (1.0, 0.7, 0.5, 0.5):
        seen = profiles(picture, view, center + out * radius, out, reach, 0.0)
        if not seen.inside.all():
            return None
        rough = crossings(seen)
        colour = np.median(rough.step, axis=0)
        edge = crossings(seen, np.zeros(DIRECTIONS), max(reach * narrow, 1.5 / seen.px_per_mm), colour)
        size = float(np.linalg.norm(colour))
        there = edge.step @ (colour / max(size, 1e-9)) > max(0.4 * size, 0.01)
        if np.count_nonzero(there) < DIRECTIONS // 2:
            return None
        shift, left = _circle(out[there], edge.offset_mm[there])
        center, radius = center + shift[:2], radius + shift[2]
        if not 0.5 * diameter_mm < 2 * radius < 1.7 * diameter_mm:
            return None
    noise = max(spread(left), 1e-4)
    soft = (LENS_SOFTNESS_PX / seen.px_per_mm) ** 2
    # Blurred, a disc's steepest slope lies inside its rim, by the square of the blur over twice the radius.
    return DotFound(
        center_mm=center,
        diameter_mm=2 * (radius + soft / (2 * radius)),
        sigma_mm=noise * float(np.sqrt(2 / np.count_nonzero(there))),
        share=float(np.mean(there)),
        noise_mm=noise,
    )


def _circle(out: Floats, offsets: Floats) -> tuple[Floats, Floats]:
    """Shift (x, y) and growth (3,) of a circle whose rim is off by `offsets` (n,) along directions `out` (n,
    2), and the offsets that are left (n,)."""
    a = np.column_stack([out, np.ones(len(out))])
    weight = np.ones(len(out))
    shift = np.zeros(3)
    for _ in range(6):
        shift = np.asarray(np.linalg.lstsq(a * weight[:, None], offsets * weight, rcond=None)[0], np.float64)
        left = offsets - a @ shift
        weight = trust(left[:, None], max(spread(left), 1e-3))
    return shift, offsets - a @ shift
