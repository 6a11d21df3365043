"""One die cast into pixels: rays through the picture, met by a rounded cube.

The cube is cut by 13 pairs of planes: six sides, twelve edges, eight corners. So a ray's way in is the last
of the planes it enters; the smooth look comes from normals that bend round the edges as on a filleted cube.
Colours are in the picture's own scale 0 to 255, blue green red; light is reckoned in linear light.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil

import cv2
import numpy as np

from device.simulator import d4 as table_d4
from device.simulator.dice import Pose, SimulatedDie, corners_mm
from device.simulator.faces import TILE_PX, tile
from device.simulator.lens import Floats, SimulatedLens
from engine.dice import DieKind, Face

GAMMA = 2.2

COLORS: dict[str, tuple[tuple[int, int, int], tuple[int, int, int]]] = {
    "ivory": ((205, 228, 238), (38, 30, 28)),
    "white": ((240, 242, 242), (30, 28, 28)),
    "black": ((44, 42, 42), (232, 235, 236)),
    "red": ((44, 40, 188), (235, 240, 240)),
    "blue": ((170, 84, 34), (238, 240, 240)),
    "green": ((70, 130, 42), (235, 240, 238)),
    "yellow": ((62, 196, 236), (34, 30, 30)),
    "orange": ((40, 128, 236), (32, 28, 28)),
}
"""A die's colour by name: body and ink, blue green red as they look in full light."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MainLight:
    """The main light, round and above the table, and how much of all light comes from it."""

    place_mm: Floats
    radius_mm: float
    share: float


def lamp() -> MainLight:
    """The lamp over the table: to the left of it, at the back."""
    return MainLight(place_mm=np.array([-380.0, 430.0, 1000.0], np.float32), radius_mm=75.0, share=0.58)


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """A piece of picture: colour weighted with its cover (h, w, 3), and the cover (h, w, 1), 0 to 1."""

    x_px: int
    y_px: int
    color: Floats
    cover: Floats


@dataclass(frozen=True, slots=True)
class PixelBox:
    """A rectangle of pixels; x1 and y1 are the first outside."""

    x0: int
    y0: int
    x1: int
    y1: int

    @classmethod
    def around(cls, points_px: Floats, margin_px: int, lens: SimulatedLens) -> "PixelBox":
        """The pixels round all points, as far as they are in the picture; may be empty."""
        low = np.floor(points_px.reshape(-1, 2).min(axis=0)).astype(int) - margin_px
        high = np.ceil(points_px.reshape(-1, 2).max(axis=0)).astype(int) + margin_px + 1
        x0, x1 = (int(np.clip(x, 0, lens.width_px)) for x in (low[0], high[0]))
        y0, y1 = (int(np.clip(y, 0, lens.height_px)) for y in (low[1], high[1]))
        return cls(x0, y0, x1, y1)

    @property
    def empty(self) -> bool:
        """Whether no pixel of the picture is in it."""
        return self.x1 <= self.x0 or self.y1 <= self.y0

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.y1 - self.y0, self.x1 - self.x0


@lru_cache(maxsize=64)
def _atlas(kind: DieKind, faces: tuple[Face, ...]) -> Floats:
    """The six tiles one under the other."""
    return np.concatenate([tile(kind, face) for face in faces], axis=0)


@lru_cache(maxsize=8)
def _planes(body: SimulatedDie) -> tuple[Floats, Floats, Floats]:
    """Normals (13, 3) of the pairs of planes, half their distance (13, 1) and their middles (13, 1)."""
    if body.kind == "d4":
        return table_d4.planes(body.edge_mm)
    signs = (1, -1)
    normals = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    normals += [(1, s, 0) for s in signs] + [(1, 0, s) for s in signs] + [(0, 1, s) for s in signs]
    normals += [(1, s, t) for s in signs for t in signs]
    rows = np.array(normals, np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    inner = body.edge_mm / 2 - body.fillet_mm
    parts = np.abs(rows).sum(axis=1, keepdims=True)
    half = (parts / lengths * inner + np.float32(body.fillet_mm)).astype(np.float32)
    return rows / lengths, half, np.zeros_like(half)


_ENCODE: Floats = (255 * np.linspace(0, 1, 1025, dtype=np.float32) ** (1 / GAMMA)).astype(np.float32)


def encode(linear: Floats) -> Floats:
    """Linear light 0 to 1 as picture values 0 to 255; more than 1 is clipped."""
    steps = np.clip(linear * 1024, 0, 1024).astype(np.int32)
    found: Floats = _ENCODE[steps]
    return found


def linear(color: tuple[int, int, int]) -> Floats:
    """Picture values as linear light 0 to 1."""
    return ((np.array(color, np.float32) / 255) ** GAMMA).astype(np.float32)


def cast(
    lens: SimulatedLens,
    light: MainLight,
    body: SimulatedDie,
    pose: Pose,
    faces: tuple[Face, ...],
    step_px: float,
    box: PixelBox,
) -> Floats:
    """The die as the camera sees it, one ray every `step_px`: colour weighted with cover, and cover.

    (rows / step, columns / step, 4), from `box`'s first corner on; `faces` are drawn on it.
    """
    rows, columns = (ceil(size / step_px) for size in box.shape)
    x = np.arange(columns, dtype=np.float32) * step_px + (box.x0 + step_px / 2 - 0.5)
    y = np.arange(rows, dtype=np.float32) * step_px + (box.y0 + step_px / 2 - 0.5)
    origin, ahead = (lens.eye_mm - pose.center_mm) @ pose.turn, pose.turn.T @ lens.ray_grid(x, y)
    normals, distances, middles = _planes(body)
    along = normals @ ahead
    np.copyto(along, np.float32(1e-6), where=np.abs(along) < 1e-6)
    middle, half = (middles - (normals @ origin)[:, None]) / along, distances / np.abs(along)
    enter, leave = (middle - half).max(axis=0), (middle + half).min(axis=0)
    hit = np.flatnonzero(enter < leave)
    found = np.zeros((rows * columns, 4), np.float32)
    if hit.size:
        places = origin[:, None] + ahead[:, hit] * enter[hit]
        found[hit, :3] = _shade(lens, light, body, pose, faces, places)
        found[hit, 3] = 1
    return found.reshape(rows, columns, 4)


def cast_finely(
    lens: SimulatedLens,
    light: MainLight,
    body: SimulatedDie,
    pose: Pose,
    faces: tuple[Face, ...],
    rays: int,
    box: PixelBox,
) -> Floats:
    """The same with `rays` x `rays` rays a pixel, one value a pixel (rows, columns, 4)."""
    fine = cast(lens, light, body, pose, faces, 1 / rays, box)
    rows, columns = box.shape
    pixels = cv2.resize(fine, (columns, rows), interpolation=cv2.INTER_AREA)
    # No lens draws a pixel sharp.
    return cv2.GaussianBlur(pixels, (3, 3), 0.6).astype(np.float32, copy=False)


def _shade(
    lens: SimulatedLens,
    light: MainLight,
    body: SimulatedDie,
    pose: Pose,
    faces: tuple[Face, ...],
    places: Floats,
) -> Floats:
    """Picture values (N, 3) of points (3, N) on the die, in its own frame."""
    if body.kind == "d4":
        normal, ink = _numbered(body, faces, places)
    else:
        inner = body.edge_mm / 2 - body.fillet_mm
        normal = places - np.clip(places, -inner, inner)
        normal /= np.maximum(_lengths(normal), 1e-6)
        ink = _ink(body, faces, places, normal)
        normal /= _lengths(normal)
    to_lamp = light.place_mm - pose.center_mm
    to_lamp = to_lamp / np.linalg.norm(to_lamp)
    to_eye = lens.eye_mm - pose.center_mm
    between = to_lamp + to_eye / np.linalg.norm(to_eye)
    between = between / np.linalg.norm(between)
    up, diffuse, shine = np.stack([pose.turn[2], to_lamp @ pose.turn, between @ pose.turn]) @ normal
    height = pose.turn[2] @ places + pose.center_mm[2]
    near_felt = np.clip(0.5 + height / 14, 0, 1)  # low on the die the felt takes half of the sky away
    sky = (1 - light.share) * (0.62 + 0.38 * up) * near_felt
    light_there = (sky + light.share * 1.12 * np.maximum(diffuse, 0))[:, None]
    gloss = (np.maximum(shine, 0) ** 60 * 0.16)[:, None] * (1 - 0.6 * ink)
    skin, paint = (linear(part) for part in COLORS[body.color])
    return encode((skin + (paint - skin) * ink) * light_there + gloss)


def _lengths(vectors: Floats) -> Floats:
    found: Floats = np.sqrt(np.einsum("in,in->n", vectors, vectors))
    return found


def _numbered(body: SimulatedDie, faces: tuple[Face, ...], places: Floats) -> tuple[Floats, Floats]:
    """A D4's normals (3, N) and how much ink (N, 1) lies at each point (3, N)."""
    normal, corner, across, along = table_d4.numerals(places, body.edge_mm)
    on_it = (np.abs(across) < 1) & (np.abs(along) < 1)
    column = np.clip(((across + 1) / 2 * TILE_PX).astype(np.int32), 0, TILE_PX - 1)
    row = np.clip(((along + 1) / 2 * TILE_PX).astype(np.int32), 0, TILE_PX - 1)
    inks = _atlas(body.kind, faces)[corner * TILE_PX + row, column, 0] * on_it
    return normal, inks[:, None].astype(np.float32)


def _ink(body: SimulatedDie, faces: tuple[Face, ...], places: Floats, normal: Floats) -> Floats:
    """How much ink (N, 1) lies at each point (3, N); bends `normal` in place where the face is hollow."""
    half, count = body.edge_mm / 2, places.shape[1]
    axis = np.argmax(np.abs(places), axis=0)
    index = np.arange(count)
    sign = np.sign(places[axis, index])
    u_axis, v_axis = (axis + 1) % 3, (axis + 2) % 3
    u, v = places[u_axis, index] * sign, places[v_axis, index]
    side = 2 * axis + (sign < 0)
    scale = TILE_PX / 2 / half
    # remap takes maps of at most 32767 rows: as rows of 4096 points it takes any number.
    width = 4096
    maps = np.zeros((2, -(-count // width), width), np.float32)
    flat = maps.reshape(2, -1)[:, :count]
    flat[0] = (u + half) * scale - 0.5
    flat[1] = np.clip((v + half) * scale - 0.5, 0.5, TILE_PX - 1.5) + side * TILE_PX
    inks = cv2.remap(_atlas(body.kind, faces), maps[0], maps[1], cv2.INTER_LINEAR).reshape(-1, 3)[:count]
    normal[u_axis, index] += inks[:, 1] * sign
    normal[v_axis, index] += inks[:, 2]
    found: Floats = inks[:, :1].astype(np.float32, copy=False)
    return found


def shadow_outlines(
    lens: SimulatedLens, light: MainLight, body: SimulatedDie, pose: Pose, samples: int
) -> list[Floats]:
    """Outlines in pixels of the die's shadow on the felt, one for each of `samples` points of the lamp."""
    turn = np.arange(samples, dtype=np.float32) * 2.399963
    radius = light.radius_mm * np.sqrt((np.arange(samples, dtype=np.float32) + 0.5) / samples)
    places = light.place_mm + np.stack(
        [radius * np.cos(turn), radius * np.sin(turn), np.zeros_like(turn)], axis=1
    )
    corners = corners_mm(body, pose, 0.96)[None]
    places = places[:, None]
    fall = places[..., 2:] / (places[..., 2:] - corners[..., 2:])
    ground = places + (corners - places) * fall
    ground[..., 2] = 0
    return [
        cv2.convexHull(outline)[:, 0].astype(np.float32)
        for outline in lens.project(ground.astype(np.float32))
    ]


def footprint(lens: SimulatedLens, body: SimulatedDie, pose: Pose) -> Floats:
    """The outline in pixels of the die's upright projection on the felt."""
    corners = corners_mm(body, pose, 0.98)
    corners[:, 2] = 0
    return cv2.convexHull(lens.project(corners))[:, 0].astype(np.float32)


def visible_px(lens: SimulatedLens, body: SimulatedDie, pose: Pose, margin_px: int = 2) -> PixelBox:
    """The pixels that may show the die."""
    return PixelBox.around(lens.project(corners_mm(body, pose)), margin_px, lens)
