"""Casts the rays: which die each fine pixel shows."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Singles
from models.painting.solids import Hit, cast
from models.scenes.camera import Camera
from models.scenes.layout import LaidDie

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels, the last ones not included."""


@dataclass(frozen=True, slots=True, eq=False)
class Trace:
    """One die through the camera, at ``fine`` x ``fine`` rays a pixel."""

    box: Box
    rays: Singles
    hit: Hit
    """Its index counts the rays of the box, row by row."""
    seen: NDArray[np.bool_]
    """For each hit, whether it is seen: not behind another die."""


RAY_CHUNK = 8192
"""How many rays are cast together: their numbers stay in the processor's cache."""


def trace(camera: Camera, dice: list[LaidDie], fine: int) -> list[Trace | None]:
    """Every die's rays; None for dice outside the picture."""
    traces = [_alone(camera, die, fine) for die in dice]
    deep = np.full((camera.height_px * fine, camera.width_px * fine), np.inf, np.float32)
    owner = np.full(deep.shape, -1, np.int16)
    for number, one in enumerate(traces):
        if one is not None:
            rows, columns = _fine_place(one, fine)
            nearer = one.hit.far < deep[rows, columns]
            rows, columns = rows[nearer], columns[nearer]
            deep[rows, columns], owner[rows, columns] = one.hit.far[nearer], number
    return [None if one is None else replace(one, seen=owner[_fine_place(one, fine)] == number)
            for number, one in enumerate(traces)]  # fmt: skip


def _fine_place(one: Trace, fine: int) -> tuple[Ints, Ints]:
    wide = (one.box[2] - one.box[0]) * fine
    return one.hit.index // wide + one.box[1] * fine, one.hit.index % wide + one.box[0] * fine


def _alone(camera: Camera, die: LaidDie, fine: int) -> Trace | None:
    corners = camera.project(die.hull_mm().T)
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int) - 1, 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 2
    right, bottom = min(right, camera.width_px), min(bottom, camera.height_px)
    if left >= right or top >= bottom:
        return None
    x = (np.arange(left * fine, right * fine, dtype=np.float32) + np.float32(0.5)) / fine - np.float32(0.5)
    y = (np.arange(top * fine, bottom * fine, dtype=np.float32) + np.float32(0.5)) / fine - np.float32(0.5)
    rays = camera.rays(np.tile(x, y.size), np.repeat(y, x.size))
    origin = np.asarray(die.turn.T @ (camera.eye_mm - die.place_mm), np.float32)
    hits = [
        cast(die.design.body, origin, np.asarray(die.turn.T @ rays[:, first : first + RAY_CHUNK], np.float32))
        for first in range(0, rays.shape[1], RAY_CHUNK)
    ]
    if not any(hit.index.size for hit in hits):
        return None
    hit = Hit(
        np.concatenate([hit.index + RAY_CHUNK * number for number, hit in enumerate(hits)]),
        np.concatenate([hit.far for hit in hits]),
        np.concatenate([hit.point for hit in hits], axis=1),
        np.concatenate([hit.normal for hit in hits], axis=1),
        np.concatenate([hit.face for hit in hits]),
    )
    return Trace((left, top, right, bottom), rays, hit, np.ones(hit.index.size, bool))


def under(one: Trace | None, cover: Singles, fine: int) -> Trace | None:
    """The same rays below something that covers the picture (h x w, 0 to 1)."""
    if one is None:
        return None
    rows, columns = _fine_place(one, fine)
    return replace(one, seen=one.seen & (cover[rows // fine, columns // fine] < 0.5))
