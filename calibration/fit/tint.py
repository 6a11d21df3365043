"""In which colours a line is told best from what lies beside it.

Where the ground is speckled or grained, most of what it does is to get lighter and darker, so a line that
differs in colour is told by its colour: each edge is looked for in the mix of blue, green and red in which
the line's own step stands out most from the unrest beside it (R. A. Fisher's linear discriminant, 1936).
Where there is no unrest the mix is the step itself. Colours are those of `edges.Profiles.slope`.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats
from calibration.fit.edges import WORTH, Profiles

LUMINANCE = np.array([0.0722, 0.7152, 0.2126])
"""What blue, green and red light add to brightness (IEC 61966-2-1)."""
CLEAR_PX = 3.0
"""The distance from the edge at which its blur has ended and what is seen is the unrest beside it."""
COMMON = 0.05
"""What the camera does to all edges alike (demosaicing, JPEG), as a share of the step: this much doubt stays
in each colour however calm the ground is, and keeps a weak colour from counting more than a strong one."""
LEAST_UNREST = 2e-4
"""One standard deviation of light, 0 to 1, that is always assumed."""
WANTED = 6.0
"""A line is averaged along its way until its step is so many times the unrest."""
LONGEST_MEAN = 9
"""The most neighbouring places that are averaged."""
LEAST_LEFT = 0.3
"""The share of a step that must be left when a burnt-out colour is not looked at."""
SAME_LIGHT_MM = 40.0
"""The stretch of a line over which lamps light it evenly: its step of light is taken from so far around."""


@dataclass(frozen=True, slots=True, eq=False)
class Tint:
    """How light changes across a line at n places, and how to look for that."""

    step: Floats
    """The change to be expected at each place (n, 3)."""
    mix: Floats
    """The weights of blue, green and red (n, 3) in which it is looked for; of unit length."""
    unrest: Floats
    """One standard deviation (n,) of the light's change where there is no edge, in that mix."""

    @property
    def size(self) -> Floats:
        """The change to be expected in that mix (n,)."""
        found: Floats = np.sum(self.step * self.mix, axis=1)
        return found


def unrest(seen: Profiles, clear_px: float = 0.0) -> Floats:
    """The covariance (3, 3) of the light's change beside a line, at samples further than `clear_px` from the
    middle of each profile. What sticks out (another line, a crumb) does not count."""
    beside = np.abs(seen.offsets_mm) * seen.px_per_mm > clear_px
    if not beside.any():
        beside[:] = True
    slope = seen.slope[:, beside].reshape(-1, 3).astype(np.float64)
    calm = np.eye(3) * LEAST_UNREST**2
    covariance = calm + slope.T @ slope / max(len(slope), 1)
    for _ in range(3):
        far = np.einsum("nk,kj,nj->n", slope, np.linalg.inv(covariance), slope)
        kept = slope[far < 3.0 * np.median(far) + 1e-12]
        # Of a normal distribution in three colours, what is kept by this rule has 0.85 of the variance.
        covariance = calm + kept.T @ kept / max(len(kept), 1) / 0.85
    found: Floats = covariance
    return found


def tint(step: Floats, covariance: Floats, independent: float, blind: Bools) -> Tint:
    """How to look for the steps (n, 3) over unrest of that covariance, of which a line averages so many
    `independent` samples. Colours that are `blind` (n, 3) somewhere are not looked at there, unless nothing
    of the step would be left."""
    size = np.linalg.norm(step, axis=1)
    doubt = covariance / max(independent, 1.0) + (COMMON * size[:, None, None]) ** 2 * np.eye(3)
    mix = np.linalg.solve(doubt, step[..., None])[..., 0]
    mix = np.where(blind & ~hidden(step, blind)[:, None], 0.0, mix)
    mix /= np.maximum(np.linalg.norm(mix, axis=1, keepdims=True), 1e-12)
    return Tint(step, mix, np.sqrt(np.einsum("nk,kj,nj->n", mix, covariance, mix)))


def hidden(step: Floats, blind: Bools) -> Bools:
    """Where (n,) the colours that are not `blind` (n, 3) show too little of the step (n, 3)."""
    left = np.linalg.norm(np.where(blind, 0.0, step), axis=1)
    found: Bools = left < LEAST_LEFT * np.linalg.norm(step, axis=1)
    return found


def by_colour(step: Floats) -> float:
    """How much of the steps (n, 3) is colour and not brightness: 0 for grey on grey, 1 for equally bright
    colours."""
    size = np.linalg.norm(step, axis=1)
    bright = np.abs(step @ (LUMINANCE / WORTH)) * float(np.linalg.norm(WORTH))
    return float(np.mean(1 - np.minimum(bright / np.maximum(size, 1e-9), 1.0)))


def averaged(seen: Profiles, count: int) -> Profiles:
    """Each profile as the mean of `count` neighbours along the line (odd; 1 changes nothing)."""
    if count <= 1:
        return seen
    light = cv2.blur(seen.light, (1, count), borderType=cv2.BORDER_REFLECT)
    return replace(seen, light=np.asarray(light, np.float32).reshape(seen.light.shape))


def places_to_average(tints: Tint) -> int:
    """Over how many neighbouring places (odd) a line must be averaged to stand out from the unrest."""
    clear = float(np.median(tints.size / np.maximum(tints.unrest, 1e-9)))
    count = int(np.clip((WANTED / max(clear, 0.1)) ** 2, 1, LONGEST_MEAN))
    return count if count % 2 else count + 1


def steps_along(along: Floats, step: Floats, found: Bools, pair: NDArray[np.int64]) -> Floats:
    """The step to be expected at each place (n, 3): the median of what was found around it.

    Only places count at which the same two paints meet (`pair`). Where nothing was found around a place, it
    is the median of the whole line.
    """
    expected = np.empty_like(step)
    for kind in np.unique(pair):
        same = pair == kind
        known = same & found if np.count_nonzero(same & found) > 2 else same
        whole = np.median(step[known], axis=0)
        for i in np.flatnonzero(same):
            near = known & (np.abs(along - along[i]) < SAME_LIGHT_MM / 2)
            expected[i] = np.median(step[near], axis=0) if np.count_nonzero(near) > 4 else whole
    return expected
