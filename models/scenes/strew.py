"""Strews things over the table."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.light import blend, lit
from models.scenes.camera import Camera
from models.scenes.chance import Chance, between, maybe
from models.scenes.lamps import SceneLights
from models.scenes.layout import spot
from models.scenes.things import FlatThing, thing


@dataclass(frozen=True, slots=True, eq=False)
class LaidThing:
    """A thing with its place."""

    made: FlatThing
    footprint_mm: Singles
    """Its picture's corners on the table, 4 x 2: top left, top right, bottom right, bottom left."""


def strew(chance: Chance, camera: Camera) -> list[LaidThing]:
    """None on half of the tables, elsewhere a few things."""
    count = 0 if maybe(chance, 0.5) else int(chance.integers(1, 7))
    lying = []
    for _ in range(count):
        made = thing(chance)
        x, y = spot(chance, camera, 0.0)
        turn = between(chance, 0, 2 * np.pi)
        axis = np.array((np.cos(turn), np.sin(turn)))
        side = np.array((axis[1], -axis[0]))
        half = np.array(made.size_mm) / 2
        corners = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
        points = [np.array((x, y)) + a * half[0] * axis + b * half[1] * side for a, b in corners]
        lying.append(LaidThing(made, np.asarray(points, np.float32)))
    return lying


def blockers(lying: list[LaidThing]) -> list[Singles]:
    """The footprints of those on which no die can lie flat."""
    return [one.footprint_mm for one in lying if one.made.thick_mm > 2.0]


def lay_down(camera: Camera, lights: SceneLights, color: Singles, lying: list[LaidThing]) -> Singles:
    """The table's colour (h x w x 3, light) with the things on it, each with its small shadow."""
    color = color.copy()
    lamp = lights.lamps[0].place_mm
    for one in lying:
        height = one.made.thick_mm
        size_px = height * camera.focal_px / max(float(camera.eye_mm[2]), 1.0)
        blur = 0.5 + 0.25 * size_px
        goal = _pictured(camera, one.footprint_mm, height)
        shade = _pictured(
            camera, one.footprint_mm - np.clip(lamp[:2] / lamp[2], -3, 3) * np.float32(height), 0.0
        )
        both = np.concatenate((goal, shade))
        left, top = np.maximum(np.floor(both.min(axis=0) - 3 * blur), 0).astype(int)
        right, bottom = np.ceil(both.max(axis=0) + 3 * blur).astype(int)
        part = color[top : max(bottom, top), left : max(right, left)]
        if not part.size:
            continue
        corner = np.array((left, top), np.float32)
        size = (part.shape[1], part.shape[0])
        soft = int(1.8 * blur) | 1
        shadow = cv2.blur(cv2.blur(_warped(one.made.cover, shade - corner, size), (soft, soft)), (soft, soft))
        cover, picture = (_warped(what, goal - corner, size) for what in (one.made.cover, one.made.color))
        part[:] = blend(lit(part, 1 - np.float32(0.6) * np.asarray(shadow, np.float32)), picture, cover)
    return color


def _pictured(camera: Camera, corners_mm: Singles, height_mm: float) -> Singles:
    """Where the corners are seen at that height, 4 x 2."""
    ground = np.concatenate((corners_mm.T, np.full((1, 4), height_mm)))
    return camera.project(np.asarray(ground, np.float32).T)


def _warped(what: Singles, goal: Singles, size: tuple[int, int]) -> Singles:
    """A thing's cover or colour laid on four corners, in a picture of that width and height."""
    high, wide = what.shape[:2]
    shrunk = float(np.linalg.norm(goal[1] - goal[0])) / wide
    if shrunk < 0.6:  # else its pattern would turn into noise
        what = np.asarray(cv2.GaussianBlur(what, (0, 0), 0.4 / shrunk), np.float32)
    # A margin instead of cv2.BORDER_REPLICATE, with which warping takes eight times as long.
    margin = cv2.BORDER_CONSTANT if what.ndim == 2 else cv2.BORDER_REPLICATE
    what = np.asarray(cv2.copyMakeBorder(what, 2, 2, 2, 2, margin, value=0), np.float32)
    source = np.array(((2, 2), (wide + 1, 2), (wide + 1, high + 1), (2, high + 1)), np.float32)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(goal, np.float32))
    return np.asarray(cv2.warpPerspective(what, matrix, size, flags=cv2.INTER_LINEAR), np.float32)
