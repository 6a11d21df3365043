"""Fits the border of an up-face: how far the body's colour reaches from the middle, in all directions."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.find import Floats, Picture, directions, middle, to_level

RAYS = 72
"""A ray every five degrees, so that whole steps turn the square."""
STEPS = 56
SIDE = 5
"""Rays to each side of a side's normal that meet this side, well away from the rounded corners."""

_OFFSETS = np.arange(-SIDE, SIDE + 1)
_COSINES = np.cos(np.deg2rad(_OFFSETS * 360 / RAYS)).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """A square in the frame it was looked for in; lengths are in units of that frame's axes."""

    turn: int
    """Angle of the first normal, in rays."""
    half: float
    """Half the edge."""
    sides: Floats
    """Share of rays that agree, for each of the four sides."""
    corner: float
    """Reach into the corners by the half edge: 1 for a disc, to 1.41 for a sharp square."""
    step: float
    """How far the colour changes across the border, grey levels."""
    early: float
    """Share of side rays that end well inside the border."""
    straight: float
    """Share of side rays that lie on their own side's line, wherever that lies."""

    @property
    def agreeing(self) -> int:
        """How many sides are there."""
        return int((self.sides >= 0.6).sum())

    @property
    def share(self) -> float:
        """Share of all side rays that agree."""
        return float(self.sides.mean())


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """For each ray, where the body's colour ends."""

    radius: Floats
    """RAYS distances in units of the frame; the last sampled radius where no end was met."""
    met: NDArray[np.bool_]
    """Whether an end was met."""
    step: Floats
    """Colour change there, grey levels."""


def level_for(length_px: float, wanted_px: float, count: int) -> int:
    """The pyramid level (of `count`) on which a length is at least `wanted_px`."""
    return int(np.clip(np.floor(np.log2(max(length_px, 1e-3) / wanted_px)), 0, count - 1))


def sample(picture: Picture, points: Floats) -> Picture:
    """Colours at sub-pixel points (... x 2) of a picture: ... x 3."""
    flat = points.reshape(-1, 1, 2)
    out = np.empty((len(flat), 1, 3), np.uint8)
    for begin in range(0, len(flat), 30_000):  # remap takes at most 32,767 rows
        part = flat[begin : begin + 30_000]
        out[begin : begin + 30_000] = cv2.remap(
            picture, part[..., 0], part[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).reshape(-1, 1, 3)
    return out.reshape(*points.shape[:-1], 3)


def reach(
    levels: list[Picture],
    center: Floats,
    axes: Floats,
    span: tuple[float, float],
    body: Floats,
    tolerances: tuple[float, ...],
) -> list[Reach]:
    """Follow rays over `span` (in units of `axes`, 2 x 2, pixels) until the colour leaves `body`.

    One answer for each of `tolerances`, the grey levels by which a colour may differ and still be the body's.
    """
    radii = np.linspace(span[0], span[1], STEPS, dtype=np.float32)
    length = float(np.hypot(*axes.T).mean()) * span[1]
    level = level_for(length, 36.0, len(levels))
    rays = directions(RAYS) @ axes
    points = center + rays[:, None, :] * radii[None, :, None]
    colours = sample(levels[level], to_level(np.asarray(points, np.float32), level))
    apart = cv2.absdiff(colours, np.broadcast_to(np.rint(body).astype(np.uint8), colours.shape))
    blue, green, red = cv2.split(apart)
    away = np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)
    # Two samples in a row must differ: a single one is noise or a scratch.
    pair = np.minimum(away[:, :-1], away[:, 1:])
    most = np.array(levels[0].shape[1::-1], np.float32) - 1
    out = []
    for tolerance in tolerances:
        found = _ends(pair, away, radii, tolerance)
        ends = center + rays * found.radius[:, None]
        inside = ((ends >= 0) & (ends <= most)).all(axis=1)
        out.append(Reach(found.radius, found.met & inside, found.step))
    return out


def _ends(pair: Picture, away: Picture, radii: Floats, tolerance: float) -> Reach:
    left = pair > tolerance
    first = np.argmax(left, axis=1)
    row = np.arange(RAYS)
    met = left[row, first]
    first = np.where(met, first, STEPS - 1)
    step = away[row, np.minimum(first + 4, STEPS - 1)]
    return Reach(radii[first], met, np.asarray(step, np.float32))


def fit(found: Reach, turns: range = range(RAYS // 4)) -> Square:
    """The square round the middle that most rays agree with, over all `turns`."""
    which = np.arange(turns.start, turns.stop)  # a negative turn is one of the next side: the same square
    rays, corners = _SIDE_RAYS[which], _CORNER_RAYS[which]
    distance = found.radius[rays] * _COSINES  # turns x sides x rays
    met = found.met[rays]
    flat = np.where(met, distance, np.inf).reshape(len(turns), -1)
    # Rays that run on over a side face of the same colour are too long, so half is taken of the shorter ones.
    place = np.maximum((0.4 * met.reshape(len(turns), -1).sum(axis=1)).astype(np.intp) - 1, 0)
    half = np.sort(flat, axis=1)[np.arange(len(turns)), place]
    half = np.where(np.isfinite(half), half, found.radius.max())
    agree = met & (np.abs(distance / half[:, None, None] - 1) < 0.13)
    corner = middle(found.radius[corners].reshape(len(turns), -1).T) / half
    worth = agree.mean(axis=(1, 2)) + 0.4 * np.minimum(corner, 1.35)
    best = int(np.argmax(worth))
    own = middle(distance[best].T)[:, None]
    good = agree[best]
    return Square(
        turn=turns.start + best,
        half=float(half[best]),
        sides=np.asarray(good.mean(axis=1), np.float32),
        corner=float(corner[best]),
        step=float(middle(found.step[rays[best]][good])) if good.any() else 0.0,
        early=float((distance[best] < 0.8 * half[best]).mean()),
        straight=float((met[best] & (np.abs(distance[best] / own - 1) < 0.09)).mean()),
    )


_NORMALS = (np.arange(RAYS // 4)[:, None] + np.arange(4)[None, :] * (RAYS // 4))[:, :, None]
_SIDE_RAYS = (_NORMALS + _OFFSETS) % RAYS
"""For each turn and side, the rays that meet this side."""
_CORNER_RAYS = (_NORMALS + RAYS // 8 + np.arange(-1, 2)) % RAYS
"""For each turn and corner, the rays into this corner."""
