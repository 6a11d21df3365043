"""Puts table, shadows and dice together: the light that reaches the camera."""

from dataclasses import dataclass

import cv2
import numpy as np

from models.scenes.camera import Camera
from models.scenes.chance import Chance
from models.scenes.lamps import Lights
from models.scenes.layout import Placed
from models.scenes.shade import Room, shade
from models.scenes.shadows import cast_shadows, contact
from models.scenes.surfaces import Surface
from models.scenes.trace import Trace
from models.scenes.truth import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Everything that stands before the camera."""

    camera: Camera
    surface: Surface
    lights: Lights
    dice: list[Placed]
    edge_px: float


def table_light(
    chance: Chance, stage: Stage, hulls: list[Floats], dark: list[float]
) -> tuple[Floats, Floats]:
    """The table's light towards the camera (h x w x 3), and the light that falls on it (h x w x 3)."""
    camera, lights = stage.camera, stage.lights
    coarse = (max(camera.height_px // 8, 2), max(camera.width_px // 8, 2))
    y, x = np.mgrid[: coarse[0], : coarse[1]].astype(np.float32)
    x, y = (
        (x.ravel() + 0.5) * (camera.width_px / coarse[1]),
        (y.ravel() + 0.5) * (camera.height_px / coarse[0]),
    )
    spots = camera.on_table(x, y)
    spots = np.concatenate((spots, np.zeros((1, spots.shape[1]), np.float32)))
    room = contact(camera, hulls, stage.edge_px)
    fallen = lights.room * room[..., None]
    for lamp in lights.lamps:
        towards = lamp.place_mm[:, None] - spots
        away = np.sqrt((towards * towards).sum(axis=0))
        middle = float(np.linalg.norm(lamp.place_mm))
        slant = towards[2] / away * (middle / float(lamp.place_mm[2])) * (middle / away) ** 2
        even = cv2.resize(slant.reshape(coarse).astype(np.float32), (camera.width_px, camera.height_px))
        share = even * cast_shadows(chance, camera, lamp, hulls, dark)
        if lights.hush is not None:
            share *= lights.hush
        fallen = fallen + lamp.light * share[..., None]
    out = stage.surface.color * fallen
    if stage.surface.gloss > 0:
        shine = Room.of(lights, stage.surface).glint(camera.rays(x, y), stage.surface)
        glow = cv2.resize(
            shine.reshape(*coarse, 3), (camera.width_px, camera.height_px), interpolation=cv2.INTER_CUBIC
        )
        out = out + np.maximum(glow, 0) * room[..., None]
    return np.asarray(out, np.float32), np.asarray(fallen, np.float32)


def render(chance: Chance, stage: Stage, traces: list[Trace | None], fine: int) -> Floats:
    """The light that reaches the camera, height x width x 3."""
    hulls = [die.hull_mm() for die in stage.dice]
    dark = [1.0 - 0.6 * die.design.made.glass for die in stage.dice]
    out, _ = table_light(chance, stage, hulls, dark)
    room = Room.of(stage.lights, stage.surface)
    cover = np.zeros((*out.shape[:2], 4), np.float32)
    for number, one in enumerate(traces):
        if one is None or not one.seen.any():
            continue
        left, top, right, bottom = one.box
        size = ((bottom - top) * fine, (right - left) * fine)
        flat = np.zeros((size[0] * size[1], 4), np.float32)
        flat[one.hit.index[one.seen], :3] = shade(chance, stage.camera, room, stage.dice, number, one)
        flat[one.hit.index[one.seen], 3] = 1
        small = cv2.resize(flat.reshape(*size, 4), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        cover[top:bottom, left:right] += small  # fine pixels belong to one die each, so the shares add up
    out *= 1 - cover[..., 3:]
    out += cover[..., :3]
    return out
