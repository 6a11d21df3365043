"""Strews things over the table."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.scenes.camera import Camera
from models.scenes.chance import Chance, between, blend, lit, maybe
from models.scenes.lamps import Lights
from models.scenes.layout import spot
from models.scenes.things import Thing, thing
from models.scenes.truth import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Lying:
    """A thing with its place."""

    made: Thing
    footprint_mm: Floats
    """Its picture's corners on the table, 4 x 2: top left, top right, bottom right, bottom left."""


def strew(chance: Chance, camera: Camera) -> list[Lying]:
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
        lying.append(Lying(made, np.asarray(points, np.float32)))
    return lying


def blockers(lying: list[Lying]) -> list[Floats]:
    """The footprints of those on which no die can lie flat."""
    return [one.footprint_mm for one in lying if one.made.thick_mm > 2.0]


def lay_down(camera: Camera, lights: Lights, color: Floats, lying: list[Lying]) -> Floats:
    """The table's colour (h x w x 3, light) with the things on it, each with its small shadow."""
    lamp = lights.lamps[0].place_mm
    for one in lying:
        height = one.made.thick_mm
        cover, picture = _pictured(camera, one.made, one.footprint_mm, height)
        if not cover.any():
            continue
        slide = -lamp[:2] / lamp[2] * np.float32(height)
        shadow, _ = _pictured(camera, one.made, one.footprint_mm + slide, 0.0)
        size_px = height * camera.focal_px / max(float(camera.place_mm[2]), 1.0)
        shadow = np.asarray(cv2.GaussianBlur(shadow, (0, 0), 0.5 + 0.25 * size_px), np.float32)
        color = blend(lit(color, 1 - 0.6 * shadow), picture, cover)
    return color


def _pictured(camera: Camera, made: Thing, corners_mm: Floats, height_mm: float) -> tuple[Floats, Floats]:
    """Cover (h x w) and colour (h x w x 3) of a thing's picture laid on the table."""
    ground = np.concatenate((corners_mm.T, np.full((1, 4), height_mm, np.float32)))
    goal = camera.project(np.asarray(ground, np.float32))
    high, wide = made.cover.shape
    source = np.array(((0, 0), (wide - 1, 0), (wide - 1, high - 1), (0, high - 1)), np.float32)
    matrix = cv2.getPerspectiveTransform(source, goal)
    full = (camera.width_px, camera.height_px)
    cover, color = made.cover, made.color
    shrunk = float(np.linalg.norm(goal[1] - goal[0])) / wide
    if shrunk < 0.6:  # else its pattern would turn into noise
        blur = 0.4 / shrunk
        cover = np.asarray(cv2.GaussianBlur(cover, (0, 0), blur), np.float32)
        color = np.asarray(cv2.GaussianBlur(color, (0, 0), blur), np.float32)
    flat = cv2.warpPerspective(cover, matrix, full, flags=cv2.INTER_LINEAR)
    seen = cv2.warpPerspective(color, matrix, full, flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_REPLICATE)  # fmt: skip
    return np.asarray(flat, np.float32), np.asarray(seen, np.float32)
