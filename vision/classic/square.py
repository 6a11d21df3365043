"""Fits the border of an up-face: how far the body's colour reaches from the middle, in all directions."""

from dataclasses import dataclass, fields
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats, Ints, Picture, Singles
from vision.classic.marks import directions, middle, to_level

Array = NDArray[Any]

RAYS = 72
"""Rays from the middle, one every five degrees, so that turning the square by whole steps maps rays onto
rays."""
STEPS = 56
SIDE = 5
"""How many rays to each side of a side's normal are used for that side: they keep clear of the rounded
corners."""

_OFFSETS = np.arange(-SIDE, SIDE + 1)
_COSINES = np.cos(np.deg2rad(_OFFSETS * 360 / RAYS)).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Squares:
    """N squares, each in the frame in which it was looked for: lengths are in units of that frame's axes."""

    turn: Ints
    """The angle of the first side's normal, as a number of rays (N)."""
    half: Singles
    """Half the edge (N)."""
    sides: Singles
    """N x 4: share of rays that agree, for each side."""
    corner: Singles
    """Reach into the corners divided by the half edge (N): 1 for a disc, up to 1.41 for a sharp square."""
    step: Singles
    """How far the colour changes across the border, grey levels."""
    early: Singles
    """Share of side rays that end well inside the border."""
    straight: Singles
    """Share of side rays that lie on their own side's line, wherever that lies."""

    @property
    def agreeing(self) -> Ints:
        """How many of the four sides are seen (N)."""
        return np.asarray((self.sides >= 0.6).sum(axis=1), np.intp)

    @property
    def share(self) -> Singles:
        """Share of all side rays that agree (N)."""
        return np.asarray(self.sides.mean(axis=1), np.float32)

    def with_(self, which: Ints, others: "Squares") -> "Squares":
        """These squares, with those at the indices `which` replaced by `others`."""

        def mixed(own: Array, other: Array) -> Array:
            out = own.copy()
            out[which] = other
            return out

        return Squares(*(mixed(getattr(self, f.name), getattr(others, f.name)) for f in fields(self)))

    def take(self, which: NDArray[np.bool_]) -> "Squares":
        """Only these."""
        return Squares(*(getattr(self, f.name)[which] for f in fields(self)))


@dataclass(frozen=True, slots=True, eq=False)
class RayEnds:
    """For N middles and each ray, where the body's colour ends."""

    radius: Singles
    """N x RAYS distances in units of the frame; the last sampled radius where the colour did not end."""
    met: NDArray[np.bool_]
    """N x RAYS: whether the colour ended."""
    step: Singles
    """N x RAYS: how much the colour changes there, grey levels."""


def levels_for(lengths_px: Singles | Floats, wanted_px: float, count: int) -> Ints:
    """For each of N lengths, the coarsest pyramid level (of `count`) on which it is still `wanted_px` pixels
    long."""
    return np.clip(np.floor(np.log2(np.maximum(lengths_px, 1e-3) / wanted_px)), 0, count - 1).astype(np.intp)


def sample(picture: Picture, points: Singles) -> Picture:
    """Colours at sub-pixel points (... x 2) of a picture: ... x 3."""
    flat = points.reshape(len(points), -1, 2)
    return _remapped(picture, flat[..., 0], flat[..., 1]).reshape(*points.shape[:-1], 3)


def _remapped(picture: Picture, x: Singles, y: Singles) -> Picture:
    """Colours at rows x columns places: rows x columns x 3."""
    out = np.empty((*x.shape, 3), np.uint8)
    for begin in range(0, len(x), 30_000):  # remap takes at most 32,767 rows
        part = slice(begin, begin + 30_000)
        out[part] = cv2.remap(picture, x[part], y[part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return out


def sample_each(levels: list[Picture], points: Singles, level: Ints) -> Picture:
    """Colours at N x ... x 2 points of the full picture, the points of each of the N taken from its own
    level: N x ... x 3."""
    out = np.empty((*points.shape[:-1], 3), np.uint8)
    for one in np.unique(level):
        rows = np.nonzero(level == one)[0]
        out[rows] = sample(levels[one], to_level(points[rows], int(one)))
    return out


def reach(
    levels: list[Picture],
    centers: Singles,
    axes: Singles,
    spans: Singles,
    bodies: Singles,
    tolerances: Singles,
) -> list[RayEnds]:
    """Follow rays from N middles (N x 2) until the colour leaves the body's (N x 3).

    `spans` (N x 2) say from where to where, in units of `axes` (N x 2 x 2, pixels). There is one answer for
    each of the T `tolerances` (N x T): the grey levels by which a colour may differ and still be the body's.
    """
    share = np.linspace(0, 1, STEPS, dtype=np.float32)
    radii = spans[:, :1] + (spans[:, 1:] - spans[:, :1]) * share  # N x steps
    length = np.hypot(axes[..., 0], axes[..., 1]).mean(axis=1) * spans[:, 1]
    rays = directions(RAYS) @ axes  # N x rays x 2
    away = np.empty((len(centers), RAYS, STEPS), np.uint8)
    level = levels_for(length, 36.0, len(levels))
    for one in np.unique(level):
        which = np.nonzero(level == one)[0]
        scale = np.float32(2**one)
        x, y = (
            to_level(centers[which, None, None, k], int(one))
            + rays[which, :, None, k] / scale * radii[which, None]
            for k in (0, 1)
        )
        away[which] = _unlike(levels[one], x, y, bodies[which])
    # Two samples in a row must differ: a single one may be noise or a scratch.
    pair = np.minimum(away[..., :-1], away[..., 1:])
    most = np.array(levels[0].shape[1::-1], np.float32) - 1
    out = []
    for tolerance in tolerances.T:
        found = _ends(pair, away, radii, tolerance)
        ends = centers[:, None] + rays * found.radius[..., None]
        inside = ((ends >= 0) & (ends <= most)).all(axis=2)
        out.append(RayEnds(found.radius, found.met & inside, found.step))
    return out


def _unlike(picture: Picture, x: Singles, y: Singles, bodies: Singles) -> Picture:
    """How far the colours at N x rays x steps places are from the N bodies' colours, in the channel that
    differs most."""
    body = np.rint(bodies).astype(np.uint8)
    planes = []
    for channel, plane in enumerate(
        cv2.split(_remapped(picture, x.reshape(len(x), -1), y.reshape(len(y), -1)))
    ):
        colour, own = plane.reshape(x.shape), body[:, channel, None, None]
        planes.append(np.maximum(colour, own) - np.minimum(colour, own))
    return np.asarray(np.maximum(np.maximum(planes[0], planes[1]), planes[2]), np.uint8)


def _ends(pair: Picture, away: Picture, radii: Singles, tolerance: Singles) -> RayEnds:
    left = pair > tolerance[:, None, None]
    first = np.argmax(left, axis=2)
    met = np.take_along_axis(left, first[..., None], 2)[..., 0]
    first = np.where(met, first, STEPS - 1)
    step = np.take_along_axis(away, np.minimum(first + 4, STEPS - 1)[..., None], 2)[..., 0]
    return RayEnds(np.take_along_axis(radii, first, 1), met, np.asarray(step, np.float32))


def fit(found: RayEnds, turns: range = range(RAYS // 4)) -> Squares:
    """The squares round N middles with which most rays agree, over all `turns` (in rays)."""
    which = np.arange(turns.start, turns.stop)  # a negative turn is the next side's: the same square
    rays, corners = _SIDE_RAYS[which], _CORNER_RAYS[which]
    count, tried = len(found.radius), len(which)
    distance = found.radius[:, rays] * _COSINES  # N x turns x sides x rays
    met = found.met[:, rays]
    flat = np.sort(np.where(met, distance, np.inf).reshape(count, tried, -1), axis=2)
    # Rays that run on over a side face of the same colour are too long, so the half edge comes from the
    # shorter rays.
    place = np.maximum((0.4 * met.reshape(count, tried, -1).sum(axis=2)).astype(np.intp) - 1, 0)
    half = np.take_along_axis(flat, place[..., None], 2)[..., 0]
    half = np.where(np.isfinite(half), half, found.radius.max(axis=1)[:, None])
    agree = met & (np.abs(distance / half[..., None, None] - 1) < 0.13)
    reached = found.radius[:, corners].reshape(count, tried, -1)
    corner = middle(np.moveaxis(reached, 2, 0)) / half
    worth = agree.mean(axis=(2, 3)) + 0.4 * np.minimum(corner, 1.35)
    row, best = np.arange(count), np.argmax(worth, axis=1)
    distance, met, good, half = distance[row, best], met[row, best], agree[row, best], half[row, best]
    own = middle(np.moveaxis(distance, 2, 0))[..., None]
    steps = np.where(good, found.step[row[:, None, None], rays[best]], np.inf).reshape(count, -1)
    return Squares(
        turn=turns.start + best,
        half=np.asarray(half, np.float32),
        sides=np.asarray(good.mean(axis=2), np.float32),
        corner=np.asarray(corner[row, best], np.float32),
        step=middle_of_some(steps),
        early=np.asarray((distance < 0.8 * half[:, None, None]).mean(axis=(1, 2)), np.float32),
        straight=np.asarray((met & (np.abs(distance / own - 1) < 0.09)).mean(axis=(1, 2)), np.float32),
    )


def middle_of_some(values: Singles) -> Singles:
    """The median of each row's finite numbers; 0 where a row has none."""
    ordered = np.sort(values, axis=1)
    count = np.isfinite(values).sum(axis=1)
    row = np.arange(len(values))
    low, high = ordered[row, np.maximum(count - 1, 0) // 2], ordered[row, np.maximum(count // 2, 0)]
    return np.asarray(np.where(count > 0, (low + np.where(count > 0, high, 0)) / 2, 0), np.float32)


_NORMALS = (np.arange(RAYS // 4)[:, None] + np.arange(4)[None, :] * (RAYS // 4))[:, :, None]
_SIDE_RAYS = (_NORMALS + _OFFSETS) % RAYS
"""For each turn and side, the indices of the rays that meet this side."""
_CORNER_RAYS = (_NORMALS + RAYS // 8 + np.arange(-1, 2)) % RAYS
"""For each turn and corner, the indices of the rays into this corner."""
