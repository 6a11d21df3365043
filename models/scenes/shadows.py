"""Shadows on the table: every die's outline, cast from points all over each lamp, laid over one another."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Singles
from models.scenes.camera import Camera
from models.scenes.chance import Chance
from models.scenes.lamps import Lamp

SHIFT = 4


def cast_shadows(
    chance: Chance, camera: Camera, lamp: Lamp, hulls: list[Singles], dark: list[float]
) -> Singles:
    """The share of the lamp's light that reaches each pixel's place on the table, height x width.

    ``hulls``: each thing's points (3 x m, mm); ``dark``: how much of the light it keeps.
    """
    distance = float(np.linalg.norm(lamp.place_mm))
    tall = max((float(hull[2].max()) for hull in hulls), default=0.0)
    blur_px = 2 * lamp.radius_mm / distance * tall * camera.focal_px / max(float(camera.eye_mm[2]), 1.0)
    count = int(np.clip(round(blur_px * 1.5), 1, 12))
    total = np.zeros((camera.height_px, camera.width_px), np.float32)
    side = np.cross(lamp.place_mm, (0.3, 0.9, 0.1))
    side /= np.linalg.norm(side)
    other = np.cross(lamp.place_mm / distance, side)
    phase = chance.uniform(0, 2 * np.pi)
    for sample in range(count):
        turn, out = phase + 2.39996 * sample, lamp.radius_mm * np.sqrt((sample + 0.5) / count) * (count > 1)
        spot = lamp.place_mm + out * (np.cos(turn) * side + np.sin(turn) * other)
        mask = np.zeros(total.shape, np.uint8)
        for polygon, keep in zip(
            outlines(camera, [_dropped(hull, spot) for hull in hulls]), dark, strict=True
        ):
            _fill(mask, polygon, keep)
        total += mask
    if count > 1:
        total = np.asarray(cv2.blur(total, (3, 3)), np.float32)
    return np.asarray(1 - total * np.float32(1 / (255 * count)), np.float32)


def outlines(camera: Camera, things: list[Singles]) -> list[Singles]:
    """The hull of each thing's points as pictured, m x 2 each."""
    if not things:
        return []
    points = camera.project(np.concatenate(things, axis=1).T)
    parts = np.split(points, np.cumsum([thing.shape[1] for thing in things])[:-1])
    return [np.asarray(cv2.convexHull(part)[:, 0], np.float32) for part in parts]


def _dropped(hull: Singles, spot: Singles) -> Singles:
    """Where straight light from that spot takes the points down to the table."""
    high = np.minimum(hull[2], spot[2] * 0.9)
    share = spot[2] / (spot[2] - high)
    flat = spot[:2, None] + (hull[:2] - spot[:2, None]) * share
    return np.asarray(np.concatenate((flat, np.zeros((1, flat.shape[1])))), np.float32)


def _fill(mask: NDArray[np.uint8], polygon: Singles, keep: float) -> None:
    limit = 4.0 * max(mask.shape)
    points = np.round(np.clip(polygon, -limit, limit) * (1 << SHIFT)).astype(np.int32)
    cv2.fillConvexPoly(mask, points, round(255 * keep), cv2.LINE_AA, SHIFT)


def contact(camera: Camera, hulls: list[Singles], edge_px: float) -> Singles:
    """How much of the room's light reaches the table beside and below things, height x width."""
    mask = np.zeros((camera.height_px, camera.width_px), np.uint8)
    flat = np.array(((1.0,), (1.0,), (0.0,)), np.float32)
    for polygon in outlines(camera, [_lower(hull) * flat for hull in hulls]):
        _fill(mask, polygon, 1.0)
    wide = cv2.blur(cv2.blur(mask, (kernel := int(0.45 * edge_px) | 1, kernel)), (kernel, kernel))
    return np.asarray(1 - wide.astype(np.float32) * np.float32(0.75 / 255), np.float32)


def _lower(hull: Singles) -> Singles:
    """Those of the points that lie near the table."""
    low, high = float(hull[2].min()), float(hull[2].max())
    return hull[:, hull[2] < low + 0.6 * (high - low)]
