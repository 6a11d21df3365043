"""Casts the light of a scene to the camera: rays, shades and shadows."""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Singles
from models.painting.design import look_up
from models.painting.materials import lit
from models.painting.solids import Hit, blocks, cast, dot
from models.scenes.chance import Chance, grains
from models.scenes.lamps import Lamp, SceneLights, mirrored
from models.scenes.layout import Camera, LaidDie
from models.scenes.surfaces import TableTop

# Casts the rays: which die each fine pixel shows.

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


# The light that a point of a die sends to the camera.
#
# Lambert for what the body scatters, Schlick's Fresnel (1994) for what its surface mirrors, a straight look
# through to the far side (refracted by Snell's law) for what shines through glass and resin.

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


# Shadows on the table: every die's outline, cast from points all over each lamp, laid over one another.

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
