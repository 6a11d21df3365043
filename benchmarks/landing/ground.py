"""Everything flat, as light on the sensor: the top, the floor beyond it, the sheet, the tapes and the dot.

Edges are exact areas (`raster`), so that a line's place in the picture is its place on the table.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from benchmarks.landing.layout import Layout, circle, dense
from benchmarks.landing.light import USUAL_SHADING, Light, Shading
from benchmarks.landing.optics import Camera
from benchmarks.landing.raster import Share, share
from benchmarks.landing.surfaces import SIDE, TEXEL_MM, Surface
from calibration.arrays import Floats, Singles

ROWS = 256
"""Rows painted at a time."""
LIGHT_STEP_PX = 16
MARGIN_MM = 30.0
"""How far beyond the picture outlines are followed: further out the lens is not defined."""


@dataclass(frozen=True, slots=True)
class Patch:
    """One flat thing: which part of each pixel it takes, and its colour."""

    share: Share
    color: tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Setting:
    """Where things stand: the camera, the light, the top and its grain's direction, the floor."""

    camera: Camera
    light: Light
    surface: Surface
    grain_deg: float
    floor: tuple[float, float, float]
    half_width_mm: float
    """Half the width of the table's top, whose end is y = 0: no shadow of a die falls beyond."""
    fall_off: float
    """How much darker the picture's corners are: the share of light that is lost there."""
    shading: Shading = USUAL_SHADING


def paint(setting: Setting, patches: tuple[Patch, ...], top: Share | None) -> Singles:
    """The flat things (height, width, 3) in linear light, blue first, 1 for white paper under the lamp."""
    optics = setting.camera.optics
    picture = np.empty((optics.height_px, optics.width_px, 3), np.float32)
    for first in range(0, optics.height_px, ROWS):
        last = min(optics.height_px, first + ROWS)
        picture[first:last] = _top_rows(setting, first, last)
    if top is None:
        picture[:] = setting.floor
    else:
        _keep_top(picture, top, setting.floor)
    for patch in patches:
        rows, columns = patch.share.window
        part = picture[rows, columns]
        part += patch.share.cover[..., None] * (np.array(patch.color, np.float32) - part)
    _illuminate(picture, setting)
    return picture


def patches_of(layout: Layout, camera: Camera) -> tuple[tuple[Patch, ...], Share | None]:
    """The sheet, dot and tapes as shares of pixels, and the table's top."""
    optics = camera.optics
    low, high = in_sight(camera)

    def shared(outline: Floats) -> Share | None:
        clipped = np.clip(outline, low, high)
        pixels = camera.project(np.column_stack((clipped, np.zeros(len(clipped)))))
        return share([pixels], optics.width_px, optics.height_px)

    half = layout.half_width_mm
    ends = np.clip(np.array([[-half, 0.0], [half, 2400.0]]), low, high)
    (x0, y0), (x1, y1) = ends
    top = shared(dense(np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])))
    covers = [shared(area.outline_mm) for area in layout.areas]
    patches = []
    for i, cover in enumerate(covers):
        if cover is not None:
            later = [covers[j] for j in layout.inside[i]]
            patches.append(Patch(_without(cover, later), layout.areas[i].color))
    whole = _painted_over(patches)
    dot = shared(circle(layout.dot_mm, layout.dot_diameter_mm))
    if dot is not None:
        whole.append(Patch(dot, layout.dot_color))
    for strip in layout.strips:
        tape = shared(strip.outline_mm)
        if tape is not None:
            whole.append(Patch(tape, layout.tape_color))
    return tuple(whole), top


def in_sight(camera: Camera) -> tuple[Floats, Floats]:
    """The least and greatest (x, y) in mm that the picture shows, with a margin."""
    w, h = camera.optics.width_px - 0.5, camera.optics.height_px - 0.5
    along, down = np.linspace(-0.5, w, 40), np.linspace(-0.5, h, 40)
    rim = np.concatenate(
        [np.column_stack((along, np.full(40, y))) for y in (-0.5, h)]
        + [np.column_stack((np.full(40, x), down)) for x in (-0.5, w)]
    )
    seen = camera.ground(rim)
    return seen.min(axis=0) - MARGIN_MM, seen.max(axis=0) + MARGIN_MM


def _without(cover: Share, later: list[Share | None]) -> Share:
    """What is still seen of an area below the later ones, which lie inside it: areas that share an edge
    stay exact.
    """
    left = cover.cover.copy()
    for other in later:
        if other is not None:
            y, x = other.top - cover.top, other.left - cover.left
            high, wide = other.cover.shape
            y0, x0 = max(y, 0), max(x, 0)
            y1, x1 = min(y + high, left.shape[0]), min(x + wide, left.shape[1])
            left[y0:y1, x0:x1] -= other.cover[y0 - y : y1 - y, x0 - x : x1 - x]
    return Share(cover.left, cover.top, np.clip(left, 0, 1))


def _painted_over(patches: list[Patch]) -> list[Patch]:
    """Shares that add up, turned into shares of what the earlier ones left, for painting one after the
    other.
    """
    if not patches:
        return []
    top, left = min(p.share.top for p in patches), min(p.share.left for p in patches)
    bottom = max(p.share.top + p.share.cover.shape[0] for p in patches)
    right = max(p.share.left + p.share.cover.shape[1] for p in patches)
    rest = np.ones((bottom - top, right - left), np.float32)
    made = []
    for patch in reversed(patches):
        high, wide = patch.share.cover.shape
        y, x = patch.share.top - top, patch.share.left - left
        part = rest[y : y + high, x : x + wide]
        # The last takes its whole share; an earlier one takes its own out of what those after it leave.
        scaled = np.where(part > 1e-6, patch.share.cover / np.maximum(part, 1e-6), 0)
        made.append(Patch(Share(patch.share.left, patch.share.top, np.clip(scaled, 0, 1)), patch.color))
        part -= patch.share.cover
    return made[::-1]


def _top_rows(setting: Setting, first: int, last: int) -> Singles:
    x, y = setting.camera.ground_map(first, last)
    a = np.deg2rad(setting.grain_deg)
    across = ((x * np.float32(np.cos(a)) + y * np.float32(np.sin(a))) / TEXEL_MM) % SIDE
    along = ((y * np.float32(np.cos(a)) - x * np.float32(np.sin(a))) / TEXEL_MM) % SIDE
    tile = cv2.copyMakeBorder(setting.surface.tile, 0, 2, 0, 2, cv2.BORDER_WRAP)
    return np.asarray(cv2.remap(tile, across, along, cv2.INTER_LINEAR), np.float32)


def _keep_top(picture: Singles, top: Share, floor: tuple[float, float, float]) -> None:
    """Put the floor where the table is not."""
    off = np.ones(picture.shape[:2], np.float32)
    off[top.window] -= top.cover
    beyond = off > 0
    part = picture[beyond]
    picture[beyond] = part + off[beyond][:, None] * (np.array(floor, np.float32) - part)


def _illuminate(picture: Singles, setting: Setting) -> None:
    """Light and the lamp's sheen, computed coarsely, for they change slowly, and spread over the picture."""
    optics, camera, light = setting.camera.optics, setting.camera, setting.light
    wide, high = optics.width_px // LIGHT_STEP_PX + 1, optics.height_px // LIGHT_STEP_PX + 1
    # Where cv2.resize takes the coarse samples to be.
    xs = (np.arange(wide) + 0.5) * optics.width_px / wide - 0.5
    ys = (np.arange(high) + 0.5) * optics.height_px / high - 0.5
    grid = np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2)
    rays = camera.look(grid)
    spots = np.column_stack((camera.ground(grid), np.zeros(len(grid))))
    up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), spots.shape)
    strength = light.lamp_at(spots, up) * np.array(light.lamp) + np.array(light.sky)
    mirrored = rays * np.array([1.0, 1.0, -1.0])
    sheen = shine(light, spots, mirrored, setting.surface.gloss, 18.0) * np.array(light.lamp)
    fall = falling(setting, grid)[:, None]
    size = (optics.width_px, optics.height_px)
    coarse = (strength * fall).reshape(high, wide, 3).astype(np.float32)
    picture *= cv2.resize(coarse, size, interpolation=cv2.INTER_LINEAR)
    picture += cv2.resize(
        (sheen * fall).reshape(high, wide, 3).astype(np.float32), size, interpolation=cv2.INTER_LINEAR
    )


def shine(light: Light, spots: Floats, mirrored: Floats, gloss: float, width_deg: float) -> Floats:
    """The lamp's mirror image (n, 1) on something glossy: a lobe round the mirrored view, broader the
    duller it is.
    """
    towards = np.array(light.lamp_mm) - spots
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    off = np.degrees(np.arccos(np.clip(np.sum(towards * mirrored, axis=1, keepdims=True), -1, 1)))
    return np.asarray(gloss * 0.25 * np.exp(-((off / width_deg) ** 2)))


def falling(setting: Setting, points_px: Floats) -> Floats:
    """What the lens lets through (n,) towards the corners."""
    optics = setting.camera.optics
    middle = np.array([optics.width_px, optics.height_px]) / 2
    out = np.sum(((points_px - middle) / np.linalg.norm(middle)) ** 2, axis=1)
    return np.asarray(1 - setting.fall_off * out)
