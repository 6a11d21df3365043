"""How one table was really laid: the sheet a little off, turned, stretched and bent, the tapes not quite
straight.

This is the truth that landings are judged against; lengths in mm in the table frame.
"""

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.arrays import Floats
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
