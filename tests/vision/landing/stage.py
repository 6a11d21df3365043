"""A small test bed for measuring dice: rays cast at rounded cubes on a plain table, with the truth beside
them.

It knows the fit's cube only as a list of numbers: shapes are met by walking along rays (signed distances), so
an outline here does not come from the code that fits outlines.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Floats
from calibration.description import Dot, EndZone, Surface, TableDescription, Tape, Zone
from calibration.table import Laid, LaidDot, LaidTape, LaidZone, TableCalibration
from calibration.view import Lens, View

Paint = Callable[[Floats], Floats]
"""Linear colours (n, 3) of table points (n, 2)."""

PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
FACES = ((2, 1), (0, 1), (1, 1), (1, -1), (0, -1), (2, -1))
"""Axis and side of the faces 1 to 6 of a die that shows its own z axis' 1."""


@dataclass(frozen=True, kw_only=True)
class StagedDie:
    """A die of the test bed."""

    x_mm: float
    y_mm: float
    yaw_deg: float = 0.0
    edge_mm: float = 16.0
    radius_mm: float = 1.6
    value: int = 5
    body: tuple[float, float, float] = (0.55, 0.68, 0.75)
    ink: tuple[float, float, float] = (0.02, 0.02, 0.02)
    tilt_deg: float = 0.0
    tilt_axis_deg: float = 0.0
    lifted_mm: float = 0.0

    @property
    def turn(self) -> Floats:
        """3 x 3, its axes as columns."""
        axis = math.radians(self.tilt_axis_deg)
        lean, _ = cv2.Rodrigues(math.radians(self.tilt_deg) * np.array([math.cos(axis), math.sin(axis), 0.0]))
        spin, _ = cv2.Rodrigues(np.array([0.0, 0.0, math.radians(self.yaw_deg)]))
        return np.asarray(lean @ spin, np.float64)

    @property
    def center_mm(self) -> Floats:
        """(3,), resting on its lowest point."""
        inner = self.edge_mm / 2 - self.radius_mm
        height = inner * float(np.abs(self.turn[2]).sum()) + self.radius_mm + self.lifted_mm
        return np.array([self.x_mm, self.y_mm, height])


@dataclass(frozen=True, kw_only=True)
class Light:
    """How the stage is lit and photographed."""

    towards: tuple[float, float, float] = (-0.4, 0.3, 0.85)
    ambient: float = 0.45
    contact: float = 0.6
    """How dark the table is right at a die, 0 to 1."""
    shadow: float = 0.5
    gloss: float = 0.3
    blur_px: float = 0.7
    noise: float = 1.5
    gamma: bool = True
    seed: int = 0


def camera(width_px: int = 4056, height_px: int = 3040, mm_per_px: float = 0.3) -> View:
    """A camera 1.1 m above an End Zone, a little tilted, with a slightly barrel-shaped picture."""
    focal = 1100.0 / mm_per_px
    lens = Lens(
        width_px=width_px,
        height_px=height_px,
        focal_px=(focal, focal),
        centre_px=(width_px / 2 + 9.0, height_px / 2 - 5.0),
        distortion=(-0.06, 0.02, 0.0004, -0.0003, 0.0),
    )
    tilt, _ = cv2.Rodrigues(np.array([0.04, -0.03, 0.02]))
    turn = np.asarray(tilt, np.float64) @ np.diag([1.0, -1.0, -1.0])
    rotation, _ = cv2.Rodrigues(turn)
    eye = np.array([20.0, 330.0, 1100.0])
    rx, ry, rz = (float(part) for part in rotation.ravel())
    tx, ty, tz = (float(part) for part in -turn @ eye)
    return View(lens=lens, rotation=(rx, ry, rz), translation_mm=(tx, ty, tz))


def window(view: View, x_mm: float, y_mm: float, size_px: int) -> View:
    """The same camera, of whose picture only a square round a place of the table is kept."""
    x_px, y_px = np.rint(view.project(np.array([[x_mm, y_mm, 8.0]]))[0] - size_px / 2)
    lens = view.lens
    centre = (lens.centre_px[0] - float(x_px), lens.centre_px[1] - float(y_px))
    return replace(view, lens=replace(lens, width_px=size_px, height_px=size_px, centre_px=centre))


def _box(x0: float, y0: float, x1: float, y1: float) -> tuple[tuple[float, float], ...]:
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))


def calibrated(view: View, sigma_mm: float = 0.03) -> TableCalibration:
    """The classic End Zone, lying exactly as planned."""
    zones = (
        Zone(value=2, color="#2f9e44", polygon_mm=_box(-152.4, 0, 152.4, 457.2)),
        Zone(value=10, color="#1c5fb8", polygon_mm=_box(-152.4, 0, 152.4, 88.9)),
        Zone(value=5, color="#e8b021", polygon_mm=_box(-88.9, 88.9, 88.9, 381.0)),
        Zone(value=20, color="#c92a2a", polygon_mm=_box(-44.45, 0, 44.45, 63.5)),
    )
    tape = Tape(width_mm=19.05, side_lines_x_mm=(-152.4, 152.4))
    dot = Dot(x_mm=0.0, y_mm=260.0, diameter_mm=9.0)
    far, wide, narrow = 1209.7, 152.4, 133.35
    tapes = (
        LaidTape(
            name="left", outer_mm=((-wide, 457.2), (-wide, far)), inner_mm=((-narrow, 457.2), (-narrow, far))
        ),
        LaidTape(
            name="right", outer_mm=((wide, 457.2), (wide, far)), inner_mm=((narrow, 457.2), (narrow, far))
        ),
        LaidTape(
            name="halfway", outer_mm=((-wide, 1228.7), (wide, 1228.7)), inner_mm=((-wide, far), (wide, far))
        ),
    )
    laid = Laid(
        zones=tuple(LaidZone(value=zone.value, polygon_mm=zone.polygon_mm) for zone in zones),
        dot=LaidDot(center_mm=(0.0, 260.0), diameter_mm=9.0, sigma_mm=0.03),
        tapes=tapes,
        table_edge_mm=((-381.0, 0.0), (381.0, 0.0)),
        sigma_mm=0.03,
    )
    planned = TableDescription(
        table=Surface(halfway_y_mm=1219.2, surface_width_mm=762.0),
        end_zone=EndZone(width_mm=304.8, depth_mm=457.2, zone=zones, dot=dot),
        tape=tape,
    )
    return TableCalibration(view=view, planned=planned, laid=laid, landmarks=(), sigma_mm=sigma_mm)


def _linear(color: str) -> Floats:
    red, green, blue = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return np.array([blue, green, red]) ** 2.2


@dataclass(frozen=True)
class Table:
    """The paint of a calibrated table, in linear colours."""

    calibration: TableCalibration
    surface: tuple[float, float, float] = (0.10, 0.17, 0.30)
    floor: tuple[float, float, float] = (0.2, 0.2, 0.2)

    def __call__(self, points: Floats) -> Floats:
        """Colours (n, 3) at points (n, 2)."""
        grain = 1 + 0.06 * np.sin(points[:, 0] / 3 + 2 * np.sin(points[:, 1] / 90))
        found: Floats = np.array(self.surface) * grain[:, None]
        x, y = points.T
        tape = (y > 457.2) & (np.abs(x) < 152.4) & ((np.abs(x) > 133.35) | (y > 1209.7)) & (y < 1228.7)
        found[tape] = _linear(self.calibration.planned.tape.color)
        for zone in self.calibration.planned.end_zone.zone:
            x0, y0 = zone.polygon_mm[0]
            x1, y1 = zone.polygon_mm[2]
            found[(x > x0) & (x < x1) & (y > y0) & (y < y1)] = _linear(zone.color)
        found[np.hypot(x, y - 260.0) < 4.5] = 0.02
        found[y < 0] = np.array(self.floor)
        return found


def photograph(
    view: View, paint: Paint, dice: list[StagedDie], light: Light | None = None
) -> NDArray[np.uint8]:
    """The whole picture (h, w, 3); only near dice is it more than the plain table."""
    light = light or Light()
    height, width = view.lens.height_px, view.lens.width_px
    linear = _plain(view, paint)
    for crop in _crops(view, dice):
        _cast(view, paint, dice, light, linear, crop)
    rng = np.random.default_rng(light.seed)
    soft = cv2.GaussianBlur(linear.astype(np.float32), (0, 0), light.blur_px)
    shown = np.clip(soft, 0, 1) ** (1 / 2.2) if light.gamma else np.clip(soft, 0, 1)
    noisy = np.asarray(shown * 255, np.float32)
    noisy += light.noise * rng.standard_normal((height, width, 3), dtype=np.float32)
    return np.clip(np.rint(noisy), 0, 255).astype(np.uint8)


def _plain(view: View, paint: Paint) -> NDArray[np.float32]:
    """The empty table, at half resolution doubled: it is only ever background."""
    height, width = view.lens.height_px, view.lens.width_px
    ys, xs = np.mgrid[0.5:height:2, 0.5:width:2]
    small = paint(view.on_plane(np.column_stack((xs.ravel(), ys.ravel())))).reshape(*xs.shape, 3)
    big = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_LINEAR)
    return np.asarray(big, np.float32)


def _crops(view: View, dice: list[StagedDie]) -> list[tuple[int, int, int, int]]:
    """x0, y0, x1, y1 round each die."""
    out = []
    for die in dice:
        reach = 24.0
        near = [
            (die.x_mm + a * reach, die.y_mm + b * reach, z)
            for a in (-1, 1)
            for b in (-1, 1)
            for z in (0.0, 26.0)
        ]
        at = view.project(np.array(near))
        x0, y0 = np.floor(at.min(axis=0)).astype(int)
        x1, y1 = np.ceil(at.max(axis=0)).astype(int)
        box = (max(x0, 0), max(y0, 0), min(x1, view.lens.width_px), min(y1, view.lens.height_px))
        if box[2] - box[0] > 2 and box[3] - box[1] > 2:
            out.append(box)
    return out


def _cast(view: View, paint: Paint, dice: list[StagedDie], light: Light, linear: NDArray[np.float32],
          crop: tuple[int, int, int, int], fine: int = 3) -> None:  # fmt: skip
    x0, y0, x1, y1 = crop
    step = (np.arange(fine) + 0.5) / fine - 0.5
    xs = (np.arange(x0, x1)[:, None] + step).ravel()
    ys = (np.arange(y0, y1)[:, None] + step).ravel()
    gx, gy = np.meshgrid(xs, ys)
    pixels = np.column_stack((gx.ravel(), gy.ravel()))
    rays = view.rays(pixels)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    colors = _ground(view.on_plane(pixels), paint, dice, light)
    depth = np.full(len(rays), np.inf)
    for die in dice:
        hit, far, found = _hit(view.eye_mm, rays, die, light)
        nearer = far < depth[hit]
        depth[hit[nearer]] = far[nearer]
        colors[hit[nearer]] = found[nearer]
    fine_rows = colors.reshape(y1 - y0, fine, x1 - x0, fine, 3)
    linear[y0:y1, x0:x1] = fine_rows.mean(axis=(1, 3))


def _ground(points: Floats, paint: Paint, dice: list[StagedDie], light: Light) -> Floats:
    """The table with a soft contact shadow and a cast shadow that grows softer."""
    colors = paint(points)
    shade = np.ones(len(points))
    towards = np.array(light.towards)
    for die in dice:
        for part, softness, amount in ((0.0, 2.5, light.contact), (0.5, 5.0, light.shadow)):
            middle = die.center_mm[:2] - towards[:2] / towards[2] * die.edge_mm * part
            local = np.abs((points - middle) @ die.turn[:2, :2]) - die.edge_mm / 2 + 1.0
            away = np.linalg.norm(np.maximum(local, 0), axis=1)
            shade *= 1 - amount * np.exp(-((away / softness) ** 1.5))
    found: Floats = colors * shade[:, None]
    return found


def _hit(eye: Floats, rays: Floats, die: StagedDie, light: Light) -> tuple[NDArray[np.intp], Floats, Floats]:
    """Which rays meet the die, how far away, and the linear colours there."""
    inner = die.edge_mm / 2 - die.radius_mm
    start = (eye - die.center_mm) @ die.turn
    along = rays @ die.turn
    near = -(along @ start)
    closest = start + near[:, None] * along
    which = np.nonzero(np.linalg.norm(closest, axis=1) < die.edge_mm * 0.9)[0]
    low, high = near[which] - die.edge_mm, near[which] + die.edge_mm

    def gap(far: Floats) -> Floats:
        at = np.abs(start + far[:, None] * along[which]) - inner
        return np.asarray(np.linalg.norm(np.maximum(at, 0), axis=1))

    first, last = low.copy(), high.copy()
    for _ in range(36):  # the distance to a convex body has one minimum along a line
        third = (last - first) / 3
        left = gap(first + third) < gap(last - third)
        last, first = np.where(left, last - third, last), np.where(left, first, first + third)
    met = gap((first + last) / 2) < die.radius_mm
    which, low, high = which[met], low[met], ((first + last) / 2)[met]
    for _ in range(24):
        middle = (low + high) / 2
        inside = gap(middle) < die.radius_mm
        low, high = np.where(inside, low, middle), np.where(inside, middle, high)
    far = high
    at = start + far[:, None] * along[which]
    beyond = at - np.clip(at, -inner, inner)
    normal = beyond / np.linalg.norm(beyond, axis=1, keepdims=True)
    return which, far, _shaded(at, normal, along[which], die, light)


def _shaded(at: Floats, normal: Floats, along: Floats, die: StagedDie, light: Light) -> Floats:
    colors = np.tile(np.array(die.body), (len(at), 1))
    half = die.edge_mm / 2
    pitch, size = 0.27 * die.edge_mm, 0.09 * die.edge_mm
    for value, spots in PIPS.items():
        axis, side = FACES[(value - die.value) % 6]
        others = [i for i in range(3) if i != axis]
        on_face = at[:, axis] * side > half - 0.5
        for spot in spots:
            away = np.hypot(*(at[:, others] - pitch * np.array(spot)).T)
            colors[on_face & (away < size)] = die.ink
    towards = die.turn.T @ (np.array(light.towards) / np.linalg.norm(light.towards))
    up = normal @ die.turn[2]
    lit = light.ambient * (0.6 + 0.4 * up) + (1 - light.ambient) * np.maximum(normal @ towards, 0)
    between = towards - along
    between /= np.linalg.norm(between, axis=1, keepdims=True)
    shine = light.gloss * np.maximum((normal * between).sum(axis=1), 0) ** 60
    found: Floats = colors * lit[:, None] + shine[:, None]
    return found
