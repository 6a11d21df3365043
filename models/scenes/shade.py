"""The light that a point of a die sends to the camera.

Lambert for what the body scatters, Schlick's Fresnel (1994) for what its surface mirrors, a straight look
through to the far side (refracted by Snell's law) for what shines through glass and resin.
"""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Ints, Singles
from models.painting.design import look_up
from models.painting.solids import blocks, dot
from models.scenes.chance import Chance, grains
from models.scenes.lamps import Lamp, SceneLights, mirrored
from models.scenes.layout import LaidDie
from models.scenes.surfaces import TableTop
from models.scenes.trace import Trace

INDEX = 1.5
"""Refractive index of the plastics that dice are made of."""


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Light and the table that throws it back."""

    lights: SceneLights
    floor: Singles
    """The table's mean colour as light."""

    @staticmethod
    def of(lights: SceneLights, surface: TableTop) -> "Room":
        """The room over that table."""
        return Room(lights, np.asarray(surface.color[::16, ::16].mean(axis=(0, 1)), np.float32))

    def glint(self, rays: Singles, surface: TableTop) -> Singles:
        """What the flat table mirrors towards the camera, 3 x n."""
        ways = rays * np.array(((1,), (1,), (-1,)), np.float32)
        share = surface.gloss + (1 - surface.gloss) * (1 - np.clip(ways[2], 0, 1)) ** 5 * (1 - surface.rough)
        return np.asarray(mirrored(self.lights, ways, surface.rough) * share, np.float32)


def shade(chance: Chance, room: Room, dice: tuple[list[LaidDie], int], one: Trace, seen: Ints) -> Singles:
    """The light (3 x n) from hits on one face of one die: of ``dice[0]``, the one with number ``dice[1]``."""
    die, lights = dice[0][dice[1]], room.lights
    design, made = die.design, die.design.made
    face, local = int(one.hit.face[seen[0]]), np.take(one.hit.point, seen, axis=1)
    rays = np.take(one.rays, one.hit.index[seen], axis=1)
    color, relief = look_up((design.color, design.relief), design, face, local)
    normal = np.take(one.hit.normal, seen, axis=1)
    normal += design.frames.right[face][:, None] * relief[0] + design.frames.up[face][:, None] * relief[1]
    normal = np.asarray(die.turn @ (normal / np.sqrt(dot(normal, normal))), np.float32)
    world = die.to_world(local)
    near = _near(*dice)
    fallen = _room_light(room, near, world, normal)
    for lamp in lights.lamps:
        fallen += _lamp_light(chance, lamp, near, world, normal)
    body = color * fallen
    if made.glass > 0:
        clear = np.float32(made.glass) * (1 - relief[2])
        body += clear * (_through(room, die, local, rays, face) * color - 0.6 * body)
    facing = -dot(rays, normal)
    ways = rays + 2 * facing * normal
    grazing = 1 - np.clip(facing, 0, 1)
    share = made.gloss + (1 - made.gloss) * (1 - 0.8 * made.rough) * grazing * grazing * grazing**3
    shine = mirrored(lights, ways, made.rough) * np.clip(share * relief[3], 0, 1)
    if made.metal > 0:
        body *= 1 - np.float32(0.7 * made.metal)
        shine *= 1 + np.float32(made.metal) * (1.6 * color - 1)
    return np.asarray(body + shine, np.float32)


def _near(dice: list[LaidDie], number: int) -> list[LaidDie]:
    mine = dice[number]
    reach = 2.2 * mine.design.frames.edge_mm
    others = [die for other, die in enumerate(dice) if other != number]
    away = [float(np.linalg.norm(die.place_mm - mine.place_mm)) for die in others]
    return [die for die, mm in zip(others, away, strict=True) if mm < reach + 1.5 * die.design.frames.edge_mm]


def _room_light(room: Room, near: list[LaidDie], world: Singles, normal: Singles) -> Singles:
    """Light from all round, less where neighbours stand close, and some thrown back by the table."""
    open_sky = 0.5 + 0.5 * normal[2]
    for die in near:
        towards = die.place_mm[:, None] - world
        squared = np.maximum(dot(towards, towards), 1.0)
        facing = np.clip(dot(towards, normal) / np.sqrt(squared), 0, 1)
        open_sky = open_sky * (1 - np.clip(facing * (0.45 * die.design.frames.edge_mm**2) / squared, 0, 0.8))
    height = np.clip(world[2] / 8.0, 0, 1)
    low = (0.5 - 0.5 * normal[2]) * (0.25 + 0.75 * height)
    lamps = sum((lamp.light for lamp in room.lights.lamps), start=np.zeros(3, np.float32))
    back = room.floor * (room.lights.room + 0.6 * lamps)
    return np.asarray(room.lights.room[:, None] * open_sky + back[:, None] * low, np.float32)


def _lamp_light(chance: Chance, lamp: Lamp, near: list[LaidDie], world: Singles, normal: Singles) -> Singles:
    towards = np.asarray(lamp.place_mm[:, None] - world, np.float32)
    away = np.sqrt(dot(towards, towards))
    middle = float(np.linalg.norm(lamp.place_mm))
    ways = np.asarray(towards / away, np.float32)
    strength = np.float32(middle**3 / float(lamp.place_mm[2]))
    light = np.maximum(dot(ways, normal), 0) * (strength / (away * away))
    low = float(world[2].min()) + 0.1
    tall = [die for die in near if float(die.hull_mm()[2].max()) > low]
    lit = np.flatnonzero(light > 0)
    if tall and lit.size:
        wobble = grains(chance, (3, lit.size)) * np.float32(0.5 * lamp.radius_mm / middle)
        ways = np.take(ways, lit, axis=1) + wobble
        start = np.take(world, lit, axis=1) + np.take(normal, lit, axis=1) * np.float32(0.05)
        shadow = np.zeros(lit.size, bool)
        for die in tall:
            origin = np.asarray(die.turn.T @ (start - die.place_mm[:, None]), np.float32)
            shadow |= blocks(die.design.body, origin, np.asarray(die.turn.T @ ways, np.float32))
        light[lit[shadow]] = 0
    return np.asarray(lamp.light[:, None] * light, np.float32)


def _through(room: Room, die: LaidDie, local: Singles, rays: Singles, face: int) -> Singles:
    """The light (3 x n) out of a clear body: what its far side lets in, dimmed by the marks there."""
    design, body = die.design, die.design.body
    normal = np.cross(design.frames.right[face], design.frames.up[face])[:, None]
    bent = die.turn.T @ rays / np.float32(INDEX)
    sine = bent + normal * np.clip(-(normal[:, 0] @ bent), 0, 1)
    inner = sine - normal * np.sqrt(np.maximum(1 - dot(sine, sine), 0.05))
    slope = body.normals @ inner
    gap = body.reach_mm[:, None] - body.normals @ local
    ahead = np.where(slope > 1e-3, np.maximum(gap, 0) / np.maximum(slope, 1e-3), np.float32(1e9))
    wall = ahead.argmin(axis=0)
    far = np.asarray(local + inner * ahead[wall, np.arange(wall.size)], np.float32)
    behind = np.zeros(wall.size, np.float32)
    for number in np.unique(wall):
        there = np.flatnonzero(wall == number)
        behind[there] = look_up((design.relief,), design, int(number), np.take(far, there, axis=1))[0][2]
    out = np.repeat((room.lights.room * 0.5 + room.floor * 0.3)[:, None], wall.size, axis=1)
    for lamp in room.lights.lamps:
        # Light that enters on the lamp's side gathers on the other.
        way = die.turn.T @ lamp.place_mm / np.float32(np.linalg.norm(lamp.place_mm) * body.half_mm)
        out += lamp.light[:, None] * np.clip(0.45 - 0.4 * (way @ far), 0.05, 1.2)
    return np.asarray(out * (1 - 0.45 * behind), np.float32)
