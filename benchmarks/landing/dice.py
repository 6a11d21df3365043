"""The landing painter's dice: what they are made of, and how they are set into the light of an empty table.

First shadows on what is flat, then the bodies, ray by ray. Only the surroundings of dice are touched; the
rays of a pixel are spread over its square."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.camera import (
    LAMP_SAMPLES,
    SKY_SAMPLES,
    Share,
    open_to_lamp,
    open_to_sky,
    sky_directions,
)
from benchmarks.landing.cube import Cube, meet, normals
from benchmarks.landing.table import Setting, falling, shine
from calibration.arrays import Floats, Singles

Color = tuple[float, float, float]
KINDS = ("ivory", "red", "black", "white", "wooden", "translucent")
PIPS: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Skin:
    """What a die is made of; reflectances blue first."""

    kind: str
    body: Color
    pip: Color
    gloss: float
    clear: float
    """How much light passes through it: 0 for all but translucent dice."""
    sunk: float
    """How deep the pips are, as the slope of their rims; 0 is painted."""
    pip_radius: float
    """As a share of the edge."""
    pip_step: float
    """From the middle of a face to its outer pips, as a share of the edge."""
    grain: float
    """How strongly wood shows its rings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Die:
    """A body and what is painted on it."""

    cube: Cube
    skin: Skin
    value: int
    """Its up-face."""
    faces: tuple[int, int, int, int, int, int]
    """The values on +x, -x, +y, -y, +z, -z of the cube's own axes."""
    turned: tuple[bool, bool, bool, bool, bool, bool]
    """Which faces have their pips a quarter turn further."""


def draw_skin(kind: str, rng: np.random.Generator) -> Skin:
    """One die of a kind; no two are quite alike."""
    bodies: dict[str, tuple[Color, Color]] = {
        "ivory": ((0.50, 0.68, 0.76), (0.02, 0.02, 0.02)),
        "red": ((0.03, 0.03, 0.42), (0.85, 0.86, 0.86)),
        "black": ((0.022, 0.020, 0.020), (0.80, 0.82, 0.82)),
        "white": ((0.82, 0.82, 0.82), (0.02, 0.02, 0.02)),
        "wooden": ((0.17, 0.33, 0.52), (0.02, 0.025, 0.035)),
        "translucent": [
            ((0.05, 0.04, 0.45), (0.85, 0.86, 0.86)),
            ((0.42, 0.10, 0.04), (0.85, 0.86, 0.86)),
            ((0.12, 0.36, 0.05), (0.85, 0.86, 0.86)),
        ][int(rng.integers(3))],
    }
    body, pip = (np.array(c) for c in bodies[kind])
    body = np.clip(body * rng.uniform(0.85, 1.12) * rng.uniform(0.95, 1.05, 3), 0.01, 0.88)
    matt = kind == "wooden"
    return Skin(
        kind=kind,
        body=(float(body[0]), float(body[1]), float(body[2])),
        pip=(float(pip[0]), float(pip[1]), float(pip[2])),
        gloss=float(rng.uniform(0.0, 0.15) if matt else rng.uniform(0.3, 1.0)),
        clear=float(rng.uniform(0.35, 0.65)) if kind == "translucent" else 0.0,
        sunk=float(rng.uniform(0.3, 0.8)) if rng.random() < 0.6 else 0.0,
        pip_radius=float(rng.uniform(0.085, 0.115)),
        pip_step=float(rng.uniform(0.24, 0.275)),
        grain=float(rng.uniform(0.1, 0.25)) if matt else 0.0,
    )


def dress(cube: Cube, skin: Skin, value: int, rng: np.random.Generator) -> Die:
    """A die with a value up; opposite faces add up to seven, left- or right-handed."""
    others = [v for v in range(1, 7) if v not in (value, 7 - value)]
    side = int(rng.choice(others))
    front = int(rng.choice([v for v in others if v not in (side, 7 - side)]))
    flags = rng.random(6) < 0.5
    a, b, c, d, e, f = (bool(v) for v in flags)
    return Die(
        cube=cube,
        skin=skin,
        value=value,
        faces=(side, 7 - side, front, 7 - front, value, 7 - value),
        turned=(a, b, c, d, e, f),
    )


def surface(die: Die, local: Floats, normals: Floats) -> tuple[Floats, Floats, Floats]:
    """Reflectance (n, 3), normals (n, 3) with the pips' hollows, and gloss (n, 1), in the cube's own
    frame.
    """
    skin = die.skin
    color = np.broadcast_to(np.array(skin.body), local.shape).copy()
    if skin.grain > 0:
        rings = np.sin(local[:, 0] * 2.1 + np.sin(local[:, 2] * 0.35) * 1.5 + local[:, 1] * 0.12)
        color *= (1 + skin.grain * rings)[:, None]
    bent = normals.copy()
    gloss = np.full((len(local), 1), skin.gloss)
    axis = np.abs(normals).argmax(axis=1)
    positive = np.take_along_axis(normals, axis[:, None], 1)[:, 0] > 0
    for face in range(6):
        on = np.flatnonzero((axis == face // 2) & (positive == (face % 2 == 0)))
        if len(on):
            _pip_face(die, face, local[on], on, (color, bent))
    inked = np.abs(color - np.array(skin.pip)).sum(axis=1) < 1e-9
    gloss[inked] *= 0.4
    return color, bent, gloss


def _pip_face(die: Die, face: int, local: Floats, on: NDArray[np.intp], out: tuple[Floats, Floats]) -> None:
    """The pips of one face: colour, and normals that lean towards the middle of a hollow."""
    color, bent = out
    skin, edge = die.skin, die.cube.edge_mm
    u_axis, v_axis = ((1, 2), (0, 2), (0, 1))[face // 2]
    u, v = local[:, u_axis] / edge, local[:, v_axis] / edge
    for a, b in PIPS[die.faces[face]]:
        if die.turned[face]:
            a, b = -b, a  # noqa: PLW2901 - the same pip, seen a quarter turn further
        du, dv = u - a * skin.pip_step, v - b * skin.pip_step
        out_by = np.sqrt(du * du + dv * dv) / skin.pip_radius
        hit = out_by < 1
        color[on[hit]] = skin.pip
        if skin.sunk > 0:
            bent[on[hit], u_axis] -= skin.sunk * (du / skin.pip_radius)[hit]
            bent[on[hit], v_axis] -= skin.sunk * (dv / skin.pip_radius)[hit]
    bent[on] /= np.linalg.norm(bent[on], axis=1, keepdims=True)


COARSE, FINE = 2, 8
"""Rays along each side of a pixel: inside and outside, and where an outline passes."""
REACH_MM = 34.0
"""How far from a die its shadow is followed."""
SHADOW_STEP_MM = 1.0
SHINE_DEG = 7.0
"""How wide a die's skin shines."""


@dataclass(frozen=True, slots=True)
class _Hits:
    """Where rays met dice."""

    rays: Floats
    far: Floats
    which: NDArray[np.intp]
    """-1 where none was met."""


def set_dice(picture: Singles, setting: Setting, dice: tuple[Die, ...], seed: int) -> None:
    """Draw the dice into the linear light of their empty table (height, width, 3), in place."""
    for group in _groups(dice):
        rng = np.random.default_rng([seed, int(1000 + group[0].cube.center_mm[0] * 16) % 2**31])
        _shade_ground(picture, setting, group, rng)
        _draw(picture, setting, group, rng)


def outline_share(setting: Setting, die: Die, seed: int) -> Share | None:
    """Which part of each pixel a die hides, counted by rays; for tests and for the study."""
    window = _window(setting, (die,), 3)
    if window is None:
        return None
    left, top, right, bottom = window
    cells = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), -1).reshape(-1, 2)
    rng = np.random.default_rng(seed)
    met = _cast(setting, (die,), cells, FINE, rng).which >= 0
    cover = met.reshape(len(cells), -1).mean(axis=1).reshape(bottom - top, right - left)
    return Share(left, top, cover.astype(np.float32))


def _groups(dice: tuple[Die, ...]) -> list[tuple[Die, ...]]:
    """Dice that are near enough to shade one another, together."""
    left, groups = list(dice), []
    while left:
        group = [left.pop()]
        for die in group:
            near = [d for d in left if _apart(die, d) < REACH_MM + 20]
            group += near
            left = [d for d in left if d not in near]
        groups.append(tuple(group))
    return groups


def _apart(one: Die, other: Die) -> float:
    return float(np.linalg.norm(np.array(one.cube.center_mm[:2]) - np.array(other.cube.center_mm[:2])))


def _shade_ground(
    picture: Singles, setting: Setting, group: tuple[Die, ...], rng: np.random.Generator
) -> None:
    """Take from the table the light that the dice keep from it."""
    spots = np.array([die.cube.center_mm[:2] for die in group])
    low, high = spots.min(axis=0) - REACH_MM, spots.max(axis=0) + REACH_MM
    columns, rows = np.arange(low[0], high[0], SHADOW_STEP_MM), np.arange(low[1], high[1], SHADOW_STEP_MM)
    grid = np.stack(np.meshgrid(columns, rows), -1).reshape(-1, 2)
    points = np.column_stack((grid, np.full(len(grid), 0.02)))
    cubes = tuple(die.cube for die in group)
    through = np.array([np.array(d.skin.body) * d.skin.clear * 1.2 for d in group])
    light = setting.light
    lamp = open_to_lamp(points, cubes, light.places(rng, LAMP_SAMPLES), through)
    sky = open_to_sky(points, cubes, sky_directions(rng, SKY_SAMPLES))
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), points.shape)
    full = light.lamp_at(points, up) * np.array(light.lamp)
    kept = (full * lamp + np.array(light.sky) * sky) / (full + np.array(light.sky))
    table = kept.reshape(len(rows), len(columns), 3).astype(np.float32)
    # At the rim of the patch the shadow fades out, so that no edge shows.
    inset = np.minimum.reduce([grid - low, high - grid]).min(axis=1).reshape(len(rows), len(columns))
    fade = np.clip(inset / 8, 0, 1)[..., None].astype(np.float32)
    table = np.maximum(1 - (1 - table) * fade, 0) ** np.float32(setting.shading.depth)
    table = cv2.GaussianBlur(table, (0, 0), setting.shading.soft_mm / SHADOW_STEP_MM)
    _multiply(picture, setting, table, (low, high))


def _multiply(picture: Singles, setting: Setting, table: Singles, span: tuple[Floats, Floats]) -> None:
    """Multiply the picture by a chart of the table (rows along y, columns along x) that covers a span in
    mm.
    """
    low, high = span
    rim = np.array([[low[0], low[1], 0], [high[0], low[1], 0], [high[0], high[1], 0], [low[0], high[1], 0]])
    pixels = setting.camera.project(rim)
    optics = setting.camera.optics
    left, top = np.clip(np.floor(pixels.min(axis=0)).astype(int), 0, (optics.width_px, optics.height_px))
    right, bottom = np.clip(
        np.ceil(pixels.max(axis=0)).astype(int) + 1, 0, (optics.width_px, optics.height_px)
    )
    if left >= right or top >= bottom:
        return
    seen = setting.camera.ground(
        np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), -1)
        .reshape(-1, 2)
        .astype(np.float64)
    )
    at = ((seen - low) / SHADOW_STEP_MM).reshape(bottom - top, right - left, 2).astype(np.float32)
    kept = cv2.remap(
        table, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(1, 1, 1)
    )
    over = (np.abs(seen[:, 0]) > setting.half_width_mm) | (seen[:, 1] < 0)
    kept[over.reshape(kept.shape[:2])] = 1
    picture[top:bottom, left:right] *= kept


def _window(setting: Setting, group: tuple[Die, ...], margin: int) -> tuple[int, int, int, int] | None:
    """The pixels (left, top, right, bottom) that the dice may reach; None when out of sight."""
    corners = np.concatenate([_box_corners(die) for die in group])
    pixels = setting.camera.project(corners)
    optics = setting.camera.optics
    left, top = (max(0, int(v)) for v in np.floor(pixels.min(axis=0)) - margin)
    right = min(optics.width_px, int(np.ceil(pixels[:, 0].max())) + margin)
    bottom = min(optics.height_px, int(np.ceil(pixels[:, 1].max())) + margin)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _box_corners(die: Die) -> Floats:
    half = die.cube.edge_mm / 2
    signs = np.array([[i & 1, i >> 1 & 1, i >> 2 & 1] for i in range(8)]) * 2.0 - 1.0
    return np.asarray(signs * half @ die.cube.axes + np.array(die.cube.center_mm))


def _draw(picture: Singles, setting: Setting, group: tuple[Die, ...], rng: np.random.Generator) -> None:
    """Set a group into its window: what each die adds is summed first, so that shared outlines leave no
    seam.
    """
    window = _window(setting, group, 2)
    if window is None:
        return
    left, top, right, bottom = window
    light = np.zeros((bottom - top, right - left, 3))
    cover = np.zeros((bottom - top, right - left, 1))
    ambience = _bounce(picture, window)
    for die in group:
        own = _window(setting, (die,), 2)
        if own is None:
            continue
        order = (die, *(d for d in group if d is not die))
        for cells, side in _cells(setting, order, own, rng):
            hits = _cast(setting, order, cells, side, rng)
            made, share_of = _colors(setting, order, hits, ambience, side)
            made *= falling(setting, cells.astype(np.float64))[:, None]
            at = cells[:, 1] - top, cells[:, 0] - left
            light[at] += made
            cover[at] += share_of
    part = picture[top:bottom, left:right]
    crowded = np.maximum(cover, 1)
    part[:] = part * np.clip(1 - cover, 0, 1) + light / crowded


def _cells(
    setting: Setting, order: tuple[Die, ...], own: tuple[int, int, int, int], rng: np.random.Generator
) -> list[tuple[NDArray[np.int_], int]]:
    """The pixels (n, 2) that show the first die, and the rays along a side that each needs: outline,
    inside.
    """
    left, top, right, bottom = own
    cells = np.stack(np.meshgrid(np.arange(left, right), np.arange(top, bottom)), -1).reshape(-1, 2)
    met = (_cast(setting, order, cells, COARSE, rng).which == 0).reshape(bottom - top, right - left, -1)
    around = np.ones((3, 3), np.uint8)
    near = cv2.dilate(met.any(axis=2).astype(np.uint8), around) > 0
    inner = cv2.erode(met.all(axis=2).astype(np.uint8), around) > 0
    parts = ((cells[(near & ~inner).ravel()], FINE), (cells[inner.ravel()], COARSE + 1))
    return [(mine, side) for mine, side in parts if len(mine)]


def _bounce(picture: Singles, window: tuple[int, int, int, int]) -> Floats:
    """The colour (3,) of the light that the table throws back at a die."""
    left, top, right, bottom = window
    high, wide = picture.shape[:2]
    part = picture[max(0, top - 20) : min(high, bottom + 20), max(0, left - 20) : min(wide, right + 20)]
    return np.asarray(part.mean(axis=(0, 1)), np.float64)


def _cast(
    setting: Setting, dice: tuple[Die, ...], cells: NDArray[np.int_], side: int, rng: np.random.Generator
) -> _Hits:
    """Rays through each cell, `side` by `side`, each somewhere in its own part of the pixel."""
    parts = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(1, -1, 2)
    spots = cells[:, None, :] - 0.5 + (parts + rng.random((len(cells), side * side, 2))) / side
    rays = setting.camera.look(spots.reshape(-1, 2))
    eye = np.array(setting.camera.eye_mm)
    far = np.full(len(rays), np.inf)
    which = np.full(len(rays), -1)
    for i, die in enumerate(dice):
        found = meet(die.cube, eye, rays)
        nearer = found < far
        far[nearer], which[nearer] = found[nearer], i
    return _Hits(rays, far, which)


def _colors(
    setting: Setting, order: tuple[Die, ...], hits: _Hits, ambience: Floats, side: int
) -> tuple[Floats, Floats]:
    """The light (cells, 3) of the first die in each cell, already times its share, and the share (cells,
    1).
    """
    mine = np.flatnonzero(hits.which == 0)
    light = np.zeros((len(hits.rays), 3))
    if len(mine):
        rays = hits.rays[mine]
        points = np.array(setting.camera.eye_mm) + rays * hits.far[mine, None]
        light[mine] = _lit(setting, order, points, rays, ambience)
    cover = (hits.which == 0).reshape(-1, side * side).mean(axis=1)[:, None]
    return light.reshape(-1, side * side, 3).mean(axis=1), cover


def _lit(setting: Setting, order: tuple[Die, ...], points: Floats, rays: Floats, ambience: Floats) -> Floats:
    """Light (n, 3) from points of the first die's skin towards the camera."""
    die, light = order[0], setting.light
    local = die.cube.local(points)
    color, bent, gloss = surface(die, local, normals(die.cube, local))
    facing = bent @ die.cube.axes
    others = tuple(d.cube for d in order[1:])
    open_lamp = np.ones((len(points), 1))
    if others:
        lifted = points + facing * 0.05
        places = light.places(np.random.default_rng(7), 2)
        open_lamp = open_to_lamp(lifted, others, places, np.zeros((len(others), 3)))[:, :1]
    lamp = light.lamp_at(points, facing) * open_lamp * np.array(light.lamp)
    made = color * (lamp + _around(setting, points, facing, ambience))
    if die.skin.clear > 0:
        made = _glowing(die, made, (points, facing), setting, ambience)
    mirrored = rays - 2 * np.sum(rays * facing, axis=1, keepdims=True) * facing
    shading = setting.shading
    grazing = 0.04 + shading.grazing * np.clip(1 + np.sum(rays * facing, axis=1, keepdims=True), 0, 1) ** 5
    mirror = shine(light, points, mirrored, shading.shine_bright, SHINE_DEG * shading.shine_wide)
    sheen = mirror * 9.0 * open_lamp * np.array(light.lamp)
    room = np.array(light.sky) * np.clip(0.5 + 0.5 * mirrored[:, 2:], 0, 1)
    return np.asarray(made + gloss * grazing * (sheen + room))


def _around(setting: Setting, points: Floats, facing: Floats, ambience: Floats) -> Floats:
    """What reaches points of a skin (n, 3) that face so, from the room and from the table."""
    shading = setting.shading
    upward = shading.sideways + (1 - shading.sideways) * facing[:, 2:]
    foot = 1 - np.clip(points[:, 2:] / shading.foot_mm, 0, 1)
    room = np.array(setting.light.sky) * upward * (1 - shading.foot_room * foot)
    table = ambience * (1 - upward) * (1 - shading.foot_table * foot)
    return np.asarray(room + table)


def _glowing(
    die: Die, made: Floats, where: tuple[Floats, Floats], setting: Setting, ambience: Floats
) -> Floats:
    """Clear resin: part of the light comes through from the table and from the side away from the lamp."""
    points, facing = where
    towards = np.array(setting.light.lamp_mm) - points
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    away = np.clip(0.5 - 0.5 * np.sum(towards * facing, axis=1, keepdims=True), 0, 1)
    tint = np.sqrt(np.array(die.skin.body))
    inner = tint * (
        0.5 * ambience + (0.15 + 0.5 * away) * np.array(setting.light.lamp) * np.array(die.skin.body)
    )
    return np.asarray(made * (1 - 0.7 * die.skin.clear) + inner * die.skin.clear)
