"""The light that a point of a die sends to the camera.

Lambert for what the body scatters, Schlick's Fresnel (1994) for what its surface mirrors, a straight look
through to the far side (refracted by Snell's law) for what shines through glass and resin.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from models.scenes.camera import Camera
from models.scenes.chance import Chance, grains
from models.scenes.design import Design
from models.scenes.lamps import Lamp, Lights, mirrored
from models.scenes.layout import Placed
from models.scenes.solids import Ints, blocks
from models.scenes.surfaces import Surface
from models.scenes.trace import Trace
from models.scenes.truth import Floats

ROW = 512
INDEX = 1.5
"""Refractive index of the plastics that dice are made of."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Light and the table that throws it back."""

    lights: Lights
    floor: Floats
    """The table's mean colour as light."""

    @staticmethod
    def of(lights: Lights, surface: Surface) -> "Room":
        """The room over that table."""
        return Room(lights, np.asarray(surface.color[::16, ::16].mean(axis=(0, 1)), np.float32))

    def glint(self, rays: Floats, surface: Surface) -> Floats:
        """What the flat table mirrors towards the camera, 3 x n."""
        ways = rays * np.array(((1,), (1,), (-1,)), np.float32)
        share = surface.gloss + (1 - surface.gloss) * (1 - np.clip(ways[2], 0, 1)) ** 5 * (1 - surface.rough)
        return np.asarray(mirrored(self.lights, ways, surface.rough) * share, np.float32)


def sample(strip: Floats, design: Design, face: Ints, local: Floats) -> Floats:
    """The strip's values (channels x n) where points of the body's frame (3 x n) lie on their faces."""
    frames, size = design.frames, design.size
    offset = local - frames.middle.T[:, face]
    u = (offset * frames.right.T[:, face]).sum(axis=0) / np.float32(frames.edge_mm)
    v = (offset * frames.up.T[:, face]).sum(axis=0) / np.float32(frames.edge_mm)
    x = np.clip((u + np.float32(0.5)) * size - np.float32(0.5), 0, size - 1)
    y = np.clip((np.float32(0.5) - v) * size - np.float32(0.5), 0, size - 1) + (face * size).astype(
        np.float32
    )
    count = x.size
    rows = -(-count // ROW)
    pad = rows * ROW - count
    maps = [np.pad(part.astype(np.float32), (0, pad)).reshape(rows, ROW) for part in (x, y)]
    seen = cv2.remap(strip, maps[0], maps[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.ascontiguousarray(seen.reshape(rows * ROW, -1)[:count].T, np.float32)


def shade(chance: Chance, camera: Camera, room: Room, dice: tuple[list[Placed], int], one: Trace, seen: Ints
          ) -> Floats:  # fmt: skip
    """The light (3 x n) from some of the hits of one die: of ``dice[0]``, the one with number ``dice[1]``."""
    die, lights = dice[0][dice[1]], room.lights
    design, made = die.design, die.design.made
    face, local = one.hit.face[seen], one.hit.point[:, seen]
    rays = one.rays[:, one.hit.index[seen]]
    color, relief = sample(design.color, design, face, local), sample(design.relief, design, face, local)
    normal = one.hit.normal[:, seen] + (design.frames.right.T[:, face] * relief[0]
                                        + design.frames.up.T[:, face] * relief[1])  # fmt: skip
    normal = die.turn @ (normal / np.sqrt((normal * normal).sum(axis=0)))
    world = die.to_world(local)
    near = _near(*dice)
    fallen = _room_light(room, near, world, normal)
    hush = _hush(lights, camera, world)
    for lamp in lights.lamps:
        fallen += _lamp_light(chance, lamp, near, world, normal) * hush
    body = color * fallen
    if made.glass > 0:
        clear = np.float32(made.glass) * (1 - relief[2])
        body += clear * (_through(room, die, local, rays, face) * color - 0.6 * body)
    ways = rays - 2 * (rays * normal).sum(axis=0) * normal
    facing = np.clip(-(rays * normal).sum(axis=0), 0, 1)
    share = made.gloss + (1 - made.gloss) * (1 - facing) ** 5 * (1 - 0.8 * made.rough)
    shine = mirrored(lights, ways, made.rough) * (np.clip(share * relief[3], 0, 1) * hush)
    tint = 1 + made.metal * (1.6 * color - 1)
    return np.asarray(body * (1 - made.metal * 0.7) + shine * tint, np.float32)


def _near(dice: list[Placed], number: int) -> list[Placed]:
    mine = dice[number]
    reach = 2.2 * mine.design.frames.edge_mm
    others = [die for other, die in enumerate(dice) if other != number]
    away = [float(np.linalg.norm(die.place_mm - mine.place_mm)) for die in others]
    return [die for die, mm in zip(others, away, strict=True) if mm < reach + 1.5 * die.design.frames.edge_mm]


def _room_light(room: Room, near: list[Placed], world: Floats, normal: Floats) -> Floats:
    """Light from all round, less where neighbours stand close, and some thrown back by the table."""
    open_sky = 0.5 + 0.5 * normal[2]
    for die in near:
        towards = die.place_mm[:, None] - world
        squared = np.maximum((towards * towards).sum(axis=0), 1.0)
        facing = np.clip((towards * normal).sum(axis=0) / np.sqrt(squared), 0, 1)
        open_sky = open_sky * (1 - np.clip(facing * (0.45 * die.design.frames.edge_mm**2) / squared, 0, 0.8))
    height = np.clip(world[2] / 8.0, 0, 1)
    low = (0.5 - 0.5 * normal[2]) * (0.25 + 0.75 * height)
    lamps = sum((lamp.light for lamp in room.lights.lamps), start=np.zeros(3, np.float32))
    back = room.floor * (room.lights.room + 0.6 * lamps)
    return np.asarray(room.lights.room[:, None] * open_sky + back[:, None] * low, np.float32)


def _lamp_light(chance: Chance, lamp: Lamp, near: list[Placed], world: Floats, normal: Floats) -> Floats:
    towards = lamp.place_mm[:, None] - world
    away = np.sqrt((towards * towards).sum(axis=0))
    middle = float(np.linalg.norm(lamp.place_mm))
    ways = towards / away
    light = (
        np.clip((ways * normal).sum(axis=0), 0, 1) * (middle / away) ** 2 * (middle / float(lamp.place_mm[2]))
    )
    lit = light > 0
    if near and lit.any():
        wobble = grains(chance, (3, int(lit.sum()))) * np.float32(0.5 * lamp.radius_mm / middle)
        shadow = np.zeros(wobble.shape[1], bool)
        for die in near:
            origin = die.turn.T @ (world[:, lit] + normal[:, lit] * np.float32(0.05) - die.place_mm[:, None])
            shadow |= blocks(
                die.design.body, np.asarray(origin), np.asarray(die.turn.T @ (ways[:, lit] + wobble))
            )
        light[lit] *= ~shadow
    return np.asarray(lamp.light[:, None] * light, np.float32)


def _hush(lights: Lights, camera: Camera, world: Floats) -> Floats:
    if lights.hush is None:
        return np.ones(world.shape[1], np.float32)
    at = np.round(camera.project(world)).astype(int)
    x, y = np.clip(at[:, 0], 0, camera.width_px - 1), np.clip(at[:, 1], 0, camera.height_px - 1)
    return np.asarray(lights.hush[y, x], np.float32)


def _through(room: Room, die: Placed, local: Floats, rays: Floats, face: Ints) -> Floats:
    """The light (3 x n) out of a clear body: what its far side lets in, dimmed by the marks there."""
    design = die.design
    normal = np.cross(design.frames.right, design.frames.up).T[:, face]
    bent = die.turn.T @ rays / np.float32(INDEX)
    sine = bent + normal * np.clip(-(bent * normal).sum(axis=0), 0, 1)
    inner = sine - normal * np.sqrt(np.maximum(1 - (sine * sine).sum(axis=0), 0.05))
    body = design.body
    slope = body.normals @ inner
    gap = body.reach_mm[:, None] - body.normals @ local
    ahead = np.where(slope > 1e-3, np.maximum(gap, 0) / np.maximum(slope, 1e-3), np.float32(1e9))
    wall = ahead.argmin(axis=0)
    far = local + inner * ahead[wall, np.arange(wall.size)]
    behind = sample(design.relief, design, wall, np.asarray(far, np.float32))[2]
    lamps = [lamp.place_mm / np.linalg.norm(lamp.place_mm) for lamp in room.lights.lamps]
    out = np.repeat((room.lights.room * 0.5 + room.floor * 0.3)[:, None], wall.size, axis=1)
    reach = np.float32(body.half_mm)
    for lamp, way in zip(room.lights.lamps, lamps, strict=True):
        # Light that enters on the lamp's side gathers on the other.
        gathered = np.clip(0.45 - 0.4 * ((die.turn.T @ way) @ far) / reach, 0.05, 1.2)
        out += lamp.light[:, None] * gathered
    return np.asarray(out * (1 - 0.45 * behind), np.float32)
