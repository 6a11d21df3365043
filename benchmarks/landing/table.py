"""The landing painter's table: how it was really laid, what it is made of, and all that is flat on it as
light.

The sheet lies a little off, turned, stretched and bent, the tapes not quite straight: that is the truth that
landings are compared with. Lengths in mm in the table frame. Edges are exact areas, so that a line's place in
the picture is its place on the table. The ChArUco board is drawn from its cells.
"""

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.camera import USUAL_SHADING, Camera, Light, Optics, Shading, Share, share
from calibration.arrays import Floats, Singles
from calibration.description import TableDescription, load_description

Color = tuple[float, float, float]
STEP_MM = 3.0
"""Between the points of an outline: short enough for the lens to bend it no further than 0.001 px."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slips:
    """What people who lay a table do not quite get right; nought is the plan itself."""

    offset_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0
    stretch: tuple[float, float] = (0.0, 0.0)
    bend_mm: tuple[float, float] = (0.0, 0.0)
    """How far the middles of the sheet's long and short sides are off the straight."""
    tape_offset_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Left, right, halfway."""
    tape_slope_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    tape_bend_mm: tuple[float, float, float] = (0.0, 0.0, 0.0)
    halfway_across: bool = False
    tape_mm: float = 0.0
    """How thick the tape is: a die on it stands higher."""
    fading: tuple[float, ...] = ()
    """For each zone, the dot and the tapes in turn, how much brighter (or darker) than printed."""


@dataclass(frozen=True, slots=True)
class Strip:
    """A tape: its two edges, as dense lines."""

    name: str
    outer_mm: Floats
    inner_mm: Floats

    @property
    def outline_mm(self) -> Floats:
        """All round it."""
        return np.concatenate((self.outer_mm, self.inner_mm[::-1]))


@dataclass(frozen=True, slots=True)
class Area:
    """A painted zone."""

    value: int
    color: Color
    outline_mm: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Everything flat on the table, in the order in which it is painted."""

    areas: tuple[Area, ...]
    inside: tuple[tuple[int, ...], ...]
    """For each area, the later ones that lie wholly inside it."""
    dot_mm: tuple[float, float]
    dot_diameter_mm: float
    dot_color: Color
    strips: tuple[Strip, ...]
    tape_color: Color
    tape_mm: float
    half_width_mm: float
    """Half the width of the table's surface; its end is the line y = 0."""


def description() -> TableDescription:
    """The plan of the benchmark's table."""
    return load_description(Path(__file__).with_name("table.toml"))


def draw_slips(rng: np.random.Generator) -> Slips:
    """As people lay tables."""

    def pair(size: float) -> tuple[float, float]:
        a, b = rng.uniform(-size, size, 2)
        return float(a), float(b)

    def three(size: float) -> tuple[float, float, float]:
        a, b, c = rng.uniform(-size, size, 3)
        return float(a), float(b), float(c)

    return Slips(
        offset_mm=(float(rng.uniform(-1.5, 1.5)), float(rng.uniform(0.3, 1.6))),
        turn_deg=float(rng.uniform(-0.25, 0.25)),
        stretch=pair(4e-4),
        bend_mm=pair(0.35),
        tape_offset_mm=three(0.6),
        tape_slope_deg=three(0.08),
        tape_bend_mm=three(0.4),
        tape_mm=float(rng.uniform(0.0, 0.15)),
        halfway_across=bool(rng.random() < 0.5),
        fading=tuple(float(v) for v in rng.uniform(-0.15, 0.15, 6)),
    )


def lay(plan: TableDescription, slips: Slips) -> Layout:
    """The plan as these people laid it."""
    fading = slips.fading or (0.0,) * (len(plan.end_zone.zone) + 2)
    areas = tuple(
        Area(
            zone.value,
            _faded(zone.color, fading[i % len(fading)]),
            _sheet(dense(zone.polygon_mm), plan, slips),
        )
        for i, zone in enumerate(plan.end_zone.zone)
    )
    dot = plan.end_zone.dot
    if dot is None:
        raise ValueError("the benchmark's table has a dot; table.toml names none")
    center = _sheet(np.array([[dot.x_mm, dot.y_mm]]), plan, slips)[0]
    return Layout(
        areas=areas,
        inside=tuple(
            tuple(j for j in range(i + 1, len(areas)) if _holds(areas[i].outline_mm, areas[j].outline_mm))
            for i in range(len(areas))
        ),
        dot_mm=(float(center[0]), float(center[1])),
        dot_diameter_mm=dot.diameter_mm,
        dot_color=_faded(dot.color, fading[-2]),
        strips=_strips(plan, slips),
        tape_color=_faded(plan.tape.color, -abs(fading[-1])),
        tape_mm=slips.tape_mm,
        half_width_mm=plan.table.surface_width_mm / 2,
    )


def circle(center_mm: tuple[float, float], diameter_mm: float, corners: int = 180) -> Floats:
    """A circle (n, 2) as a polygon of the same area."""
    angles = np.arange(corners) * (2 * math.pi / corners)
    radius = diameter_mm / 2 * math.sqrt(2 * math.pi / corners / math.sin(2 * math.pi / corners))
    return np.asarray(np.array(center_mm) + radius * np.stack((np.cos(angles), np.sin(angles)), axis=1))


def dense(corners: tuple[tuple[float, float], ...] | Floats) -> Floats:
    """The closed outline with points every few millimetres."""
    points = np.asarray(corners, np.float64)
    sides = []
    for here, there in zip(points, np.roll(points, -1, axis=0), strict=True):
        count = max(1, math.ceil(float(np.linalg.norm(there - here)) / STEP_MM))
        sides.append(here + (there - here) * (np.arange(count) / count)[:, None])
    return np.concatenate(sides)


def linear(color: str) -> Color:
    """An sRGB colour as reflectances, blue first (IEC 61966-2-1)."""
    shares = [int(color[i : i + 2], 16) / 255 for i in (5, 3, 1)]
    b, g, r = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in shares)
    return b, g, r


def _faded(color: str, by: float) -> Color:
    b, g, r = (min(0.92, v * (1 + by) + 0.006) for v in linear(color))
    return b, g, r


def _sheet(points: Floats, plan: TableDescription, slips: Slips) -> Floats:
    """Points of the planned sheet where they really lie; nothing hangs over the table's edge."""
    wide, deep = plan.end_zone.width_mm, plan.end_zone.depth_mm
    x = points[:, 0] * (1 + slips.stretch[0]) + slips.bend_mm[0] * np.sin(math.pi * points[:, 1] / deep)
    y = points[:, 1] * (1 + slips.stretch[1]) + slips.bend_mm[1] * np.sin(
        math.pi * (points[:, 0] / wide + 0.5)
    )
    a = math.radians(slips.turn_deg)
    moved_x = x * math.cos(a) - y * math.sin(a) + slips.offset_mm[0]
    moved_y = x * math.sin(a) + y * math.cos(a) + slips.offset_mm[1]
    return np.stack((moved_x, np.maximum(moved_y, 0.0)), axis=1)


def _strips(plan: TableDescription, slips: Slips) -> tuple[Strip, ...]:
    width, halfway = plan.tape.width_mm, plan.table.halfway_y_mm
    left, right = plan.tape.side_lines_x_mm
    near, far = plan.end_zone.depth_mm + slips.offset_mm[1], halfway - width / 2
    ys = np.linspace(near, far, math.ceil((far - near) / STEP_MM))
    made = []
    for i, (name, outer, inner) in enumerate((("left", left, left + width), ("right", right, right - width))):
        off = _wander(ys, (near, far), slips, i)
        made.append(Strip(name, np.stack((outer + off, ys), 1), np.stack((inner + off, ys), 1)))
    half = plan.table.surface_width_mm / 2
    ends = (-half, half) if slips.halfway_across else (left, right)
    xs = np.linspace(*ends, math.ceil((ends[1] - ends[0]) / STEP_MM))
    off = _wander(xs, ends, slips, 2)
    outer_line = np.stack((xs, halfway + width / 2 + off), 1)
    made.append(Strip("halfway", outer_line, np.stack((xs, halfway - width / 2 + off), 1)))
    return tuple(made)


def _wander(along: Floats, ends: tuple[float, float], slips: Slips, which: int) -> Floats:
    """How far a tape is off its line at each place along it."""
    share = (along - ends[0]) / (ends[1] - ends[0])
    slope = math.tan(math.radians(slips.tape_slope_deg[which])) * (along - ends[0])
    bend = slips.tape_bend_mm[which] * np.sin(math.pi * share * 1.3)
    return np.asarray(slips.tape_offset_mm[which] + slope + bend)


def _holds(outer: Floats, inner: Floats) -> bool:
    """Whether a polygon's middle lies inside another."""
    x, y = inner.mean(axis=0)
    a, b = outer, np.roll(outer, -1, axis=0)
    crosses = (a[:, 1] > y) != (b[:, 1] > y)
    safe = np.where(crosses, b[:, 1] - a[:, 1], 1.0)
    at = a[:, 0] + (y - a[:, 1]) / safe * (b[:, 0] - a[:, 0])
    return bool(np.count_nonzero(crosses & (at > x)) % 2)


SURFACES = ("wood", "stone", "laminate", "dark")
TEXEL_MM = 0.5
SIDE = 1024
"""Texels of a tile's side."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A tile (SIDE, SIDE, 3) of reflectances, blue first, and how much the top shines."""

    tile: Singles
    gloss: float


def make_surface(kind: str, seed: int, mm_per_px: float) -> Surface:
    """The top of one table; details finer than a pixel are averaged away."""
    rng = np.random.default_rng([seed, SURFACES.index(kind)])
    makers = {"wood": _wood, "stone": _stone, "laminate": _laminate, "dark": _dark}
    tile, gloss = makers[kind](rng)
    blur = 0.45 * mm_per_px / TEXEL_MM
    soft = cv2.GaussianBlur(np.tile(tile, (3, 3, 1)), (0, 0), blur)[SIDE : 2 * SIDE, SIDE : 2 * SIDE]
    tile = np.clip(soft, 0.004, 0.9).astype(np.float32)
    return Surface(np.ascontiguousarray(tile), gloss)


def _noise(rng: np.random.Generator, across_mm: float, along_mm: float, rough: float = 2.0) -> Singles:
    """Seamless noise of mean 0 and spread 1 whose features have about these sizes."""
    fy = np.fft.fftfreq(SIDE, TEXEL_MM)[:, None] * along_mm
    fx = np.fft.rfftfreq(SIDE, TEXEL_MM)[None, :] * across_mm
    shape = 1 / (1 + (fx * fx + fy * fy) ** (rough / 2) * 30)
    white = np.fft.rfft2(rng.standard_normal((SIDE, SIDE)))
    made = np.fft.irfft2(white * shape, (SIDE, SIDE))
    made -= made.mean()
    return np.asarray(made / made.std(), np.float32)


def _tint(rng: np.random.Generator, *colors: tuple[float, float, float]) -> NDArray[np.float32]:
    chosen = np.array(colors[int(rng.integers(len(colors)))])
    return np.asarray(chosen * rng.uniform(0.85, 1.15) * rng.uniform(0.95, 1.05, 3), np.float32)


def _wood(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.10, 0.21, 0.36), (0.05, 0.11, 0.22), (0.19, 0.33, 0.48), (0.03, 0.06, 0.12))
    rings = _noise(rng, 40, 400) * 4 + _noise(rng, 9, 160)
    grain = (
        np.sin(rings * 3.0).astype(np.float32) * 0.5
        + _noise(rng, 1.2, 40) * 0.35
        + _noise(rng, 0.7, 8) * 0.15
    )
    tone = 1 + 0.16 * float(rng.uniform(0.5, 1.3)) * grain
    boards = int(rng.choice([0, 4, 6]))
    if boards:
        column = np.arange(SIDE) * boards / SIDE
        tone *= rng.uniform(0.85, 1.15, boards).astype(np.float32)[column.astype(int)][None, :]
        tone[:, (column % 1.0) * SIDE / boards < 2] *= 0.35
    return _painted(tone, base, rng), float(rng.uniform(0.1, 0.6))


def _stone(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.32, 0.33, 0.34), (0.50, 0.53, 0.55), (0.14, 0.14, 0.15))
    veins = np.exp(-np.abs(_noise(rng, 90, 60) + 0.3 * _noise(rng, 8, 8)) * 14)
    specks = (_noise(rng, 1.5, 1.5) > 2.0).astype(np.float32) - (_noise(rng, 1.2, 1.2) > 2.1).astype(
        np.float32
    )
    tone = 1 + 0.1 * _noise(rng, 60, 60) + 0.07 * _noise(rng, 5, 5) - 0.25 * veins + 0.3 * specks
    return _painted(tone, base, rng), float(rng.uniform(0.4, 1.0))


def _laminate(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.62, 0.66, 0.68), (0.40, 0.50, 0.56), (0.45, 0.42, 0.38), (0.24, 0.20, 0.16))
    tone = 1 + 0.03 * _noise(rng, 2, 2) + 0.03 * _noise(rng, 80, 80) + 0.02 * _noise(rng, 0.8, 30)
    return _painted(tone, base, rng), float(rng.uniform(0.3, 1.0))


def _dark(rng: np.random.Generator) -> tuple[Singles, float]:
    base = _tint(rng, (0.016, 0.016, 0.017), (0.03, 0.027, 0.025), (0.012, 0.02, 0.03))
    tone = 1 + 0.15 * _noise(rng, 1.0, 25) + 0.12 * _noise(rng, 50, 90)
    return _painted(tone, base, rng), float(rng.uniform(0.2, 1.0))


def _painted(tone: Singles, base: NDArray[np.float32], rng: np.random.Generator) -> Singles:
    """The base colour at each tone; darker parts of natural tops are also a little redder."""
    depth = np.array([1.15, 1.0, 0.9], np.float32) if rng.random() < 0.6 else np.ones(3, np.float32)
    return np.asarray(base * np.maximum(tone, 0.05)[..., None] ** depth, np.float32)


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


PAPER = (0.84, 0.85, 0.85)
INK = (0.025, 0.025, 0.025)
CELL_PX = 3
"""The ideal bitmap's pixels to the side of a marker's cell; only their middles are looked at."""


@dataclass(frozen=True)
class Board:
    """A printed board; lengths in mm."""

    columns: int = 11
    rows: int = 8
    square_mm: float = 25.0
    marker_mm: float = 18.0
    margin_mm: float = 9.0

    @property
    def size_mm(self) -> tuple[float, float]:
        """Without its white margin."""
        return self.columns * self.square_mm, self.rows * self.square_mm

    @cached_property
    def black_mm(self) -> list[Floats]:
        """The outlines (4, 2) of all that is black, from the board's upper left corner, x right and y
        down.
        """
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
        boxes, inset, marker = [], (self.square_mm - self.marker_mm) / 2, 0
        cell = self.marker_mm / 7
        for row in range(self.rows):
            for column in range(self.columns):
                x, y = column * self.square_mm, row * self.square_mm
                if (row + column) % 2 == 0:
                    boxes.append(_box(x, y, self.square_mm, self.square_mm))
                    continue
                bits = dictionary.generateImageMarker(marker, 7 * CELL_PX)[
                    CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX
                ]
                boxes += _runs(np.asarray(bits, np.uint8), x + inset, y + inset, cell)
                marker += 1
        return boxes

    @cached_property
    def paper_mm(self) -> Floats:
        """The sheet's outline (n, 2)."""
        wide, high = self.size_mm
        m = self.margin_mm
        return dense(np.array([[-m, -m], [wide + m, -m], [wide + m, high + m], [-m, high + m]]))


def flat_board(
    camera: Camera, board: Board, middle_mm: tuple[float, float], turn_deg: float
) -> tuple[Patch, ...]:
    """The board lying on the table with its middle at a place, as patches to be painted over what lies
    there.
    """
    a = np.deg2rad(turn_deg)
    half = np.array(board.size_mm) / 2

    def lay(points: Floats) -> Floats:
        x, y = (points - half).T
        # Seen from above, the board's y runs towards the table's edge.
        spot = np.stack((x * np.cos(a) + y * np.sin(a), x * np.sin(a) - y * np.cos(a), 0 * x), axis=1)
        return np.asarray(spot + np.array([*middle_mm, 0.0]))

    return _drawn(board, lambda points: camera.project(lay(points)), camera.optics)


def held_board(optics: Optics, board: Board, rng: np.random.Generator) -> Singles:
    """The board held somewhere before the lens, tilted, in front of a dim room: light (height, width, 3)."""
    camera = Camera(optics=optics, eye_mm=(0, 0, 0), axes=((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    while True:
        turn, middle = _pose(optics, board, rng)
        half = np.array(board.size_mm) / 2

        def lay(points: Floats, turn: Floats = turn, middle: Floats = middle, half: Floats = half) -> Floats:
            return np.asarray(np.column_stack((points - half, np.zeros(len(points)))) @ turn.T + middle)

        rim = camera.project(lay(board.paper_mm))
        if (rim > -0.02 * optics.width_px).all() and (
            rim < np.array([optics.width_px, optics.height_px]) * 1.02
        ).all():
            break
    picture = _room(optics, rng)
    for patch in _drawn(board, lambda points: camera.project(lay(points)), optics):
        rows, columns = patch.share.window
        part = picture[rows, columns]
        part += patch.share.cover[..., None] * (
            np.array(patch.color, np.float32) * _sweep(part.shape, rng) - part
        )
    return picture


def _pose(optics: Optics, board: Board, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """A turn (3, 3) and the middle (3,) in the camera's frame: near, far, tilted, in every part of the
    picture.
    """
    wide = board.size_mm[0]
    far = optics.focal_px[0] * wide / (optics.width_px * rng.uniform(0.35, 0.75))
    tilt = rng.uniform(-40, 40, 2) * (rng.random(2) < 0.8)
    vector = np.deg2rad(np.array([tilt[0], tilt[1], 0.0]))
    spin = np.deg2rad(rng.uniform(-25, 25) + rng.choice([0, 0, 90, 180]))
    turn = cv2.Rodrigues(vector)[0] @ cv2.Rodrigues(np.array([0.0, 0.0, spin]))[0]
    spot = rng.uniform([0.15, 0.15], [0.85, 0.85]) * np.array([optics.width_px, optics.height_px])
    flat = (spot - np.array(optics.centre_px)) / np.array(optics.focal_px)
    return np.asarray(turn, np.float64), np.array([*flat, 1.0]) * far


def _drawn(board: Board, project, optics: Optics) -> tuple[Patch, ...]:  # type: ignore[no-untyped-def]
    """Paper and ink as shares of pixels."""
    paper = share([project(board.paper_mm)], optics.width_px, optics.height_px)
    ink = share([project(dense(box)) for box in board.black_mm], optics.width_px, optics.height_px)
    made: list[tuple[Share | None, tuple[float, float, float]]] = [(paper, PAPER), (ink, INK)]
    return tuple(Patch(cover, color) for cover, color in made if cover is not None)


def _room(optics: Optics, rng: np.random.Generator) -> Singles:
    """Something out of focus behind the board."""
    coarse = (rng.uniform(0.03, 0.3, (5, 7, 1)) * rng.uniform(0.8, 1.2, (5, 7, 3))).astype(np.float32)
    return np.asarray(cv2.resize(coarse, (optics.width_px, optics.height_px), interpolation=cv2.INTER_LINEAR))


def _sweep(shape: tuple[int, ...], rng: np.random.Generator) -> Singles:
    """Light that falls a little unevenly on the paper."""
    ends = rng.uniform(0.8, 1.0, (2, 2)).astype(np.float32)
    swept = cv2.resize(ends, (shape[1], shape[0]), interpolation=cv2.INTER_LINEAR)
    return np.asarray(swept[..., None], np.float32)


def _runs(bits: NDArray[np.uint8], left: float, top: float, cell: float) -> list[Floats]:
    """The black cells of a marker, neighbours in a row as one box."""
    boxes = []
    for row, line in enumerate(bits):
        edges = np.flatnonzero(np.diff(np.concatenate(([255], line, [255])).astype(int)))
        for first, last in zip(edges[::2], edges[1::2], strict=True):
            boxes.append(_box(left + first * cell, top + row * cell, (last - first) * cell, cell))
    return boxes


def _box(x: float, y: float, wide: float, high: float) -> Floats:
    return np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]])
