"""Finds where an edge crosses a line, to a few hundredths of a pixel.

The picture is sampled along short lines across the edge, its sRGB values are turned back into light, and the
edge is where light changes fastest. (A lens blurs light before the camera's tone curve is applied: found in
sRGB values, the edge of a white tape would lie up to a third of a pixel too far out.) All lengths are mm on
the table; a profile's offsets run along its normal.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Bools, Floats, Picture, Singles
from calibration.view import View

FINE_PX = 0.25
"""The distance between two samples of a profile, pixels."""
SOFTNESS_PX = 1.2
"""Sigma of the filter whose peak is the edge. It is about as soft as the pictures are: there the filter
answers least to noise."""
NEAR_PX, FAR_PX = 2.0, 4.5
"""How far from an edge its sides are looked at: beyond the blur, and near."""
BURNT = 0.97
"""Light above this is more than the camera could tell."""
WORTH = (0.3, 1.0, 0.4)
"""Weights of blue, green and red: a sensor has two green pixels to one of each other colour, and JPEG keeps
colour at half the size."""


def _light_table() -> Singles:
    """What each sRGB value means as light, 0 to 1 (IEC 61966-2-1)."""
    code = np.arange(256) / 255
    return np.where(code <= 0.04045, code / 12.92, ((code + 0.055) / 1.055) ** 2.4).astype(np.float32)


_LIGHT = _light_table()


@dataclass(frozen=True, slots=True, eq=False)
class Profiles:
    """Light along n lines across an edge, m samples each."""

    light: Singles
    """Shape (n, m, 3): blue, green, red, 0 to 1."""
    offsets_mm: Floats
    """The samples' places along the normal (m,), evenly spaced, 0 at the point asked about."""
    px_per_mm: float
    inside: NDArray[np.bool_]
    """Whether the whole line lies in the picture (n,)."""

    def some(self, which: NDArray[np.bool_]) -> "Profiles":
        """Only those that `which` (n,) marks."""
        return Profiles(self.light[which], self.offsets_mm, self.px_per_mm, self.inside[which])

    @property
    def slope(self) -> Singles:
        """How the light changes along each line (n, m, 3), each colour weighted by `WORTH`; a sharp edge
        gives its own height."""
        step = self.offsets_mm[1] - self.offsets_mm[0]
        return _slope(self.light, SOFTNESS_PX / (step * self.px_per_mm))


@dataclass(frozen=True, slots=True, eq=False)
class Crossings:
    """Where the edge crosses each profile."""

    offset_mm: Floats
    """Place of the edge along each normal (n,)."""
    step: Floats
    """How the light changes there (n, 3), over the edge's own width and from lower to higher offsets, each
    colour weighted by `WORTH`."""

    @property
    def strength(self) -> Floats:
        """The size of that change (n,)."""
        found: Floats = np.linalg.norm(self.step, axis=1)
        return found


def profiles(
    picture: Picture,
    view: View,
    points_mm: Floats,
    normals: Floats,
    reach_mm: float,
    along_mm: float = 0.0,
    fine_px: float = FINE_PX,
) -> Profiles:
    """Sample light across an edge at points (n, 2), along unit normals (n, 2), from -reach to +reach.

    Each profile is the mean of up to nine, spread over `along_mm` of the edge.
    """
    there = in_picture(view, points_mm)
    px_per_mm = view.scale_px_per_mm(*points_mm[there if there.any() else slice(None)].mean(axis=0))
    half = int(np.ceil(reach_mm * px_per_mm / fine_px))
    offsets = np.asarray(np.arange(-half, half + 1) * (fine_px / px_per_mm), np.float64)
    beside = np.stack([-normals[:, 1], normals[:, 0]], axis=1)
    count = max(1, min(9, round(along_mm * px_per_mm / 1.5)))
    light = np.zeros((len(points_mm), len(offsets), 3), np.float32)
    at: NDArray[np.float32] = np.empty((0,), np.float32)
    for k in range(count):
        shift = ((k + 0.5) / count - 0.5) * along_mm
        at = _seen_at(view, points_mm + beside * shift, normals, offsets)
        light += to_light_at(picture, at)
    size = np.array(picture.shape[1::-1])
    inside = there & np.all((at[:, [0, -1]] > 1) & (at[:, [0, -1]] < size - 2), axis=(1, 2))
    return Profiles(np.asarray(light / count, np.float32), offsets, px_per_mm, inside)


def in_picture(view: View, points_mm: Floats) -> NDArray[np.bool_]:
    """Whether the camera sees each point (n, 2) of the plane.

    Far outside the picture the lens's polynomials fold back into it; what is seen there is another point.
    """
    at = view.project(np.column_stack([points_mm, np.zeros(len(points_mm))]))
    size = np.array([view.lens.width_px, view.lens.height_px])
    found: NDArray[np.bool_] = np.all((at > -1) & (at < size), axis=1)
    found[found] = np.linalg.norm(view.on_plane(at[found]) - points_mm[found], axis=1) < 1.0
    return found


def _seen_at(view: View, points: Floats, normals: Floats, offsets: Floats) -> NDArray[np.float32]:
    """Pixels (n, m, 2) of the profiles' samples. Over so short a line the lens's bend is a parabola."""
    knots = np.linspace(offsets[0], offsets[-1], 3)
    at = points[:, None, :] + normals[:, None, :] * knots[None, :, None]
    flat = np.concatenate([at.reshape(-1, 2), np.zeros((at.shape[0] * 3, 1))], axis=1)
    ends = view.project(flat).reshape(-1, 3, 2)
    t = (offsets - offsets[0]) / (offsets[-1] - offsets[0])
    # The parabola through both ends and the middle (Lagrange).
    weights = np.stack([(1 - t) * (1 - 2 * t), 4 * t * (1 - t), t * (2 * t - 1)])
    return np.asarray(np.einsum("nkc,km->nmc", ends, weights), np.float32)


def to_light_at(picture: Picture, at: NDArray[np.float32]) -> Singles:
    """Light (n, m, 3) at pixels (n, m, 2). Between pixels the light is interpolated, not the sRGB values."""
    low = np.floor(at)
    share = at - low
    found = np.zeros((*at.shape[:2], 3), np.float32)
    for right in (0, 1):
        for down in (0, 1):
            codes = cv2.remap(
                picture,
                low[..., 0] + right,
                low[..., 1] + down,
                cv2.INTER_NEAREST,
                borderMode=cv2.BORDER_REPLICATE,
            )
            weight = np.abs(1 - right - share[..., 0]) * np.abs(1 - down - share[..., 1])
            found += _LIGHT[codes] * weight[..., None]
    return found


def crossings(
    seen: Profiles,
    near_mm: Floats | None = None,
    reach_mm: float | None = None,
    colour: Floats | None = None,
    unrest: Floats | None = None,
) -> Crossings:
    """The strongest edge of each profile, within `reach_mm` of `near_mm` (n,) where given.

    With `colour` (3,) or (n, 3) only edges count whose light changes that way. Without, and with `unrest`,
    the covariance (3, 3) of changes that are no edges, it is the edge that stands out most from these.
    """
    step = seen.offsets_mm[1] - seen.offsets_mm[0]
    slope = seen.slope
    if colour is None:
        root = np.eye(3) if unrest is None else np.linalg.cholesky(np.linalg.inv(unrest))
        response = np.linalg.norm(slope @ root.astype(np.float32), axis=2)
    else:
        towards = np.broadcast_to(colour, (len(slope), 3))
        towards = towards / np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-9)
        response = np.einsum("nmc,nc->nm", slope, towards.astype(np.float32))
    allowed = np.ones(response.shape, bool)
    if near_mm is not None and reach_mm is not None:
        allowed = np.abs(seen.offsets_mm[None, :] - near_mm[:, None]) <= reach_mm
    allowed[:, [0, -1]] = False
    at = np.argmax(np.where(allowed, response, -np.inf), axis=1)
    at = np.clip(at, 1, len(seen.offsets_mm) - 2)
    rows = np.arange(len(at))
    left, peak, right = (response[rows, at + k].astype(np.float64) for k in (-1, 0, 1))
    bow = np.minimum(left - 2 * peak + right, -1e-12)
    shift = np.clip(0.5 * (left - right) / bow, -0.5, 0.5)
    return Crossings(seen.offsets_mm[at] + shift * step, slope[rows, at].astype(np.float64))


def burnt_out(seen: Profiles) -> NDArray[np.bool_]:
    """In which colours (n, 3) one side of each profile's middle is as bright as the picture can be."""
    px = seen.offsets_mm * seen.px_per_mm
    sides = [seen.light[:, (px * way > NEAR_PX) & (px * way < FAR_PX)].mean(axis=1) for way in (-1, 1)]
    found: NDArray[np.bool_] = np.any([side > BURNT for side in sides], axis=0)
    return found


def _slope(light: Singles, sigma: float) -> Singles:
    """The light's change along each profile (n, m, 3), smoothed by `sigma` samples and scaled so that a step
    gives its own height."""
    half = int(np.ceil(4 * sigma))
    t = np.arange(-half, half + 1, dtype=np.float64)
    kernel = t * np.exp(-0.5 * (t / sigma) ** 2)
    kernel /= np.abs(kernel).sum() / 2
    found = cv2.sepFilter2D(light, cv2.CV_32F, kernel, np.ones(1), borderType=cv2.BORDER_REPLICATE)
    return np.asarray(found * np.array(WORTH, np.float32), np.float32)


# In which colours a line is told best from what lies beside it.
#
# Where the ground is speckled or grained, most of what it does is to get lighter and darker, so a line that
# differs in colour is told by its colour: each edge is looked for in the mix of blue, green and red in which
# the line's own step stands out most from the unrest beside it (R. A. Fisher's linear discriminant, 1936).
# Where there is no unrest the mix is the step itself. Colours are those of `edges.Profiles.slope`.

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
