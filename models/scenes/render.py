"""Puts table, shadows and dice together: the light that reaches the camera."""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.arrays import Singles
from models.painting.light import lit
from models.scenes.camera import Camera
from models.scenes.chance import Chance
from models.scenes.lamps import SceneLights
from models.scenes.layout import LaidDie
from models.scenes.shade import Room, shade
from models.scenes.shadows import cast_shadows, contact
from models.scenes.surfaces import TableTop
from models.scenes.trace import Trace


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Everything that stands before the camera."""

    camera: Camera
    surface: TableTop
    lights: SceneLights
    dice: list[LaidDie]
    edge_px: float


CHUNK = 6144
"""How many points are shaded together: their numbers stay in the processor's cache."""


def table_light(chance: Chance, stage: Stage, hulls: list[Singles], dark: list[float]) -> Singles:
    """The table's light towards the camera, height x width x 3."""
    camera, lights = stage.camera, stage.lights
    full = (camera.width_px, camera.height_px)
    coarse = (max(camera.height_px // 8, 2), max(camera.width_px // 8, 2))
    rows, columns = np.mgrid[: coarse[0], : coarse[1]].astype(np.float32)
    x, y = (columns.ravel() + 0.5) * (full[0] / coarse[1]), (rows.ravel() + 0.5) * (full[1] / coarse[0])
    spots = camera.on_plane(x, y).T
    spots = np.concatenate((spots, np.zeros((1, spots.shape[1]), np.float32)))
    room = contact(camera, hulls, stage.edge_px)
    fallen = [room * part for part in lights.room]
    for lamp in lights.lamps:
        towards = lamp.place_mm[:, None] - spots
        away = np.sqrt((towards * towards).sum(axis=0))
        middle = float(np.linalg.norm(lamp.place_mm))
        slant = towards[2] / away * (middle / float(lamp.place_mm[2])) * (middle / away) ** 2
        share = cv2.resize(slant.reshape(coarse).astype(np.float32), full)
        share *= cast_shadows(chance, camera, lamp, hulls, dark)
        if lights.hush is not None:
            share *= lights.hush
        for channel, part in enumerate(lamp.light):
            fallen[channel] += share * part
    out = stage.surface.color * cv2.merge(fallen)
    if stage.surface.gloss > 0:
        shine = Room.of(lights, stage.surface).glint(camera.rays(x, y), stage.surface)
        uneven = np.asarray(cv2.transform(stage.surface.color, np.full((1, 3), 1 / 3)), np.float32)
        uneven *= np.float32(0.6 / max(float(uneven.mean()), 1e-3))  # grain and seams break the glare
        glow = np.asarray(cv2.resize(shine.T.reshape(*coarse, 3), full), np.float32)
        out += lit(glow, np.asarray(room * (0.4 + np.minimum(uneven, 1.5)), np.float32))
    return np.asarray(out, np.float32)


def render(chance: Chance, stage: Stage, traces: list[Trace | None], fine: int) -> Singles:
    """The light that reaches the camera, height x width x 3."""
    hulls = [die.hull_mm() for die in stage.dice]
    dark = [1.0 - 0.6 * die.design.made.glass for die in stage.dice]
    out = table_light(chance, stage, hulls, dark)
    room = Room.of(stage.lights, stage.surface)
    light, cover = np.zeros_like(out), np.zeros(out.shape[:2], np.float32)
    for number, one in enumerate(traces):
        if one is None or not one.seen.any():
            continue
        left, top, right, bottom = one.box
        size = ((bottom - top) * fine, (right - left) * fine)
        flat = np.zeros((size[0] * size[1], 4), np.float32)
        seen = np.flatnonzero(one.seen)
        faces = one.hit.face[seen]
        for face in np.unique(faces):
            side = seen[faces == face]
            for first in range(0, side.size, CHUNK):
                which = side[first : first + CHUNK]
                flat[one.hit.index[which], :3] = shade(chance, room, (stage.dice, number), one, which).T
        flat[one.hit.index[seen], 3] = 1
        small = cv2.resize(flat.reshape(*size, 4), (right - left, bottom - top), interpolation=cv2.INTER_AREA)
        # Fine pixels belong to one die each, so the shares of several dice add up.
        light[top:bottom, left:right] += small[..., :3]
        cover[top:bottom, left:right] += small[..., 3]
    if stage.lights.hush is not None:
        light = lit(light, 0.35 + 0.65 * stage.lights.hush)
    return lit(out, 1 - cover) + light
