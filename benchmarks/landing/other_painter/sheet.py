"""What lies flat on the second painter's tables, as people laid it: a sheet with zones and a dot, tapes.

The plan is a table description like any owner's. `code_at` says what lies at a place; `layout` is the same as
outlines, for the judge.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from benchmarks.landing.table import Area, Layout, Strip
from calibration.arrays import Floats
from calibration.description import Dice, Dot, EndZone, Surface, TableDescription, Tape, Zone

FLOOR, TOP, TAPE, DOT, ZONES = 0, 1, 2, 3, 4
"""What lies at a place; from ZONES on the zones in the order of the plan."""
Codes = NDArray[np.uint8]
POINTS_MM = 2.0

COLOURS = (
    ("#2f8f4a", "#1f5fae", "#e3b02c", "#c33030", "#f1f0ea", "#141414"),
    ("#1d5b45", "#93243a", "#25386a", "#dda021", "#2c2c31", "#f7efd0"),
    ("#f0e9d8", "#5b86b8", "#d9b24c", "#b8433a", "#1b3f94", "#8c1030"),
    ("#3a3f46", "#c8642b", "#8fa7b5", "#f0d34a", "#d9d9d4", "#e02020"),
    ("#7b4a8e", "#e8e2d2", "#2d8c86", "#e46a2e", "#f4d03c", "#101010"),
    ("#b5cde0", "#92c19d", "#e2cc90", "#dd7a6c", "#27407c", "#7a1230"),
    ("#101418", "#7c1420", "#1f6b3a", "#d8d4c4", "#c9b037", "#f2f2f2"),
    ("#d86f8c", "#53306e", "#f2e6c4", "#1d7fa3", "#3b2a20", "#203060"),
)
"""Zones from the outside in, then tapes and dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laying:
    """How far people were off the plan."""

    shift_mm: tuple[float, float] = (0.0, 0.0)
    turn_rad: float = 0.0
    stretch: tuple[float, float] = (0.0, 0.0)
    bulge_mm: tuple[float, float] = (0.0, 0.0)
    tapes_mm: tuple[tuple[float, float, float], ...] = ((0.0, 0.0, 0.0),) * 3
    """Left, right, halfway: off by, more at the far end by, bent in the middle by."""
    across: bool = True
    """Whether the halfway tape runs over the whole table."""


def draw_laying(rng: np.random.Generator) -> Laying:
    """As people lay sheets and tapes."""

    def pair(size: float) -> tuple[float, float]:
        a, b = rng.uniform(-size, size, 2)
        return float(a), float(b)

    off = rng.uniform([-0.7, -0.6, -0.4], [0.7, 0.6, 0.4], (3, 3))
    return Laying(
        shift_mm=(float(rng.uniform(-1.5, 1.5)), float(rng.uniform(1.0, 1.9))),
        turn_rad=float(rng.uniform(-0.004, 0.004)),
        stretch=pair(5e-4),
        bulge_mm=pair(0.3),
        tapes_mm=tuple((float(a), float(b), float(c)) for a, b, c in off),
        across=bool(rng.random() < 0.6),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LaidTable:
    """A plan and how it was laid."""

    plan: TableDescription
    laying: Laying

    def lay(self, points: Floats) -> Floats:
        """Places (n, 2) of the planned sheet where they came to lie."""
        x, y = self._bulged(points)
        c, s = np.cos(self.laying.turn_rad), np.sin(self.laying.turn_rad)
        moved = np.stack((x * c - y * s, x * s + y * c), axis=1)
        return np.asarray(moved + self.laying.shift_mm)

    def _bulged(self, points: Floats) -> tuple[Floats, Floats]:
        wide, deep = self.plan.end_zone.width_mm, self.plan.end_zone.depth_mm
        x, y, at = points[:, 0], points[:, 1], self.laying
        return (
            x * (1 + at.stretch[0]) + at.bulge_mm[0] * np.sin(np.pi * y / deep),
            y * (1 + at.stretch[1]) + at.bulge_mm[1] * np.sin(np.pi * (x / wide + 0.5)),
        )

    def planned(self, points: Floats) -> Floats:
        """The other way round: where on the planned sheet places (n, 2) are."""
        c, s = np.cos(self.laying.turn_rad), np.sin(self.laying.turn_rad)
        off = points - self.laying.shift_mm
        aim = np.stack((off[:, 0] * c + off[:, 1] * s, off[:, 1] * c - off[:, 0] * s), axis=1)
        found = aim.copy()
        for _ in range(4):
            found += aim - np.stack(self._bulged(found), axis=1)
        return found

    def tape_off(self, which: int, share: Floats) -> Floats:
        """How far a tape is off its line (n,), by the share of its length."""
        off, more, bend = self.laying.tapes_mm[which]
        return np.asarray(off + more * share + bend * np.sin(np.pi * share))

    def code_at(self, points: Floats) -> Codes:
        """What lies at places (n, 2)."""
        plan, x, y = self.plan, points[:, 0], points[:, 1]
        half = plan.table.surface_width_mm / 2
        codes = np.where((np.abs(x) < half) & (y > 0), TOP, FLOOR).astype(np.uint8)
        self._stick_tapes(codes, x, y)
        near = np.flatnonzero((np.abs(x) < plan.end_zone.width_mm / 2 + 4) & (y < plan.end_zone.depth_mm + 5))
        spots = self.planned(points[near])
        for i, zone in enumerate(plan.end_zone.zone):
            codes[near[within(spots, np.array(zone.polygon_mm))]] = ZONES + i
        if (dot := plan.end_zone.dot) is not None:
            off = np.hypot(spots[:, 0] - dot.x_mm, spots[:, 1] - dot.y_mm)
            codes[near[off < dot.diameter_mm / 2]] = DOT
        return codes

    def _stick_tapes(self, codes: Codes, x: Floats, y: Floats) -> None:
        tape, half = self.plan.tape, self.plan.table.surface_width_mm / 2
        near, middle = self.tape_ends
        share = np.clip((y - near) / (middle - near), 0, 1)
        for i, (line, side) in enumerate(zip(tape.side_lines_x_mm, (1, -1), strict=True)):
            off = (x - line - self.tape_off(i, share)) * side
            codes[(off > 0) & (off < tape.width_mm) & (y > near) & (y < middle) & (codes == TOP)] = TAPE
        left, right = tape.side_lines_x_mm if not self.laying.across else (-half, half)
        off = y - middle - self.tape_off(2, (x - left) / (right - left))
        codes[(np.abs(off) < tape.width_mm / 2) & (x > left) & (x < right) & (codes == TOP)] = TAPE

    @property
    def tape_ends(self) -> tuple[float, float]:
        """The y at which side tapes begin, at the sheet's front, and the halfway tape's middle."""
        return self.plan.end_zone.depth_mm, self.plan.table.halfway_y_mm

    @property
    def layout(self) -> Layout:
        """The same as outlines, for judging landings."""
        plan, zones = self.plan, self.plan.end_zone.zone
        dot = plan.end_zone.dot
        assert dot is not None
        x, y = self.lay(np.array([[dot.x_mm, dot.y_mm]]))[0]
        return Layout(
            areas=tuple(
                Area(zone.value, (0.0, 0.0, 0.0), self.lay(finer(np.array(zone.polygon_mm))))
                for zone in zones
            ),
            inside=tuple(() for _ in zones),
            dot_mm=(float(x), float(y)),
            dot_diameter_mm=dot.diameter_mm,
            dot_color=(0.0, 0.0, 0.0),
            strips=self._strips(),
            tape_color=(0.0, 0.0, 0.0),
            tape_mm=0.0,
            half_width_mm=plan.table.surface_width_mm / 2,
        )

    def _strips(self) -> tuple[Strip, ...]:
        tape, half = self.plan.tape, self.plan.table.surface_width_mm / 2
        near, middle = self.tape_ends
        share = np.linspace(0, 1, 241)
        ys, made = near + share * (middle - near), []
        for i, (name, side) in enumerate((("left", 1), ("right", -1))):
            outer = tape.side_lines_x_mm[i] + self.tape_off(i, share)
            made.append(
                Strip(name, np.stack((outer, ys), 1), np.stack((outer + side * tape.width_mm, ys), 1))
            )
        left, right = tape.side_lines_x_mm if not self.laying.across else (-half, half)
        xs, line = left + share * (right - left), middle + self.tape_off(2, share)
        wide = tape.width_mm / 2
        made.append(Strip("halfway", np.stack((xs, line + wide), 1), np.stack((xs, line - wide), 1)))
        return tuple(made)


def within(points: Floats, polygon: Floats) -> NDArray[np.bool_]:
    """Which points (n, 2) lie inside a polygon: how often a ray to the right crosses its sides."""
    x, y = points[:, 0], points[:, 1]
    inside = np.zeros(len(points), bool)
    for (ax, ay), (bx, by) in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * ((bx - ax) / (by - ay)))
    return inside


def finer(polygon: Floats) -> Floats:
    """A polygon with a point every few millimetres."""
    sides = []
    for here, there in zip(polygon, np.roll(polygon, -1, axis=0), strict=True):
        count = max(1, int(np.hypot(*(there - here)) / POINTS_MM))
        sides.append(here + (there - here) * (np.arange(count) / count)[:, None])
    return np.concatenate(sides)


def reflectance(colour: str) -> Floats:
    """An sRGB colour as reflectances (3,), blue first (IEC 61966-2-1)."""
    steps = np.array([int(colour[i : i + 2], 16) for i in (5, 3, 1)]) / 255
    return np.asarray(np.where(steps <= 0.04045, steps / 12.92, ((steps + 0.055) / 1.055) ** 2.4))


def difference(one: Floats, other: Floats) -> float:
    """How unlike two reflectances (3,) look: the distance in CIE L*a*b*."""
    to_xyz = np.array([[0.1805, 0.3576, 0.4124], [0.0722, 0.7152, 0.2126], [0.9505, 0.1192, 0.0193]])
    white = to_xyz.sum(axis=1)

    def lab(tint: Floats) -> Floats:
        share = to_xyz @ tint / white
        root = np.where(share > 0.008856, np.cbrt(share), 7.787 * share + 16 / 116)
        return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])

    return float(np.linalg.norm(lab(one) - lab(other)))


PLAIN = 30.0
"""How unlike what meets must look: on a table that people can play on, lines are in plain view."""


def draw_plan(
    rng: np.random.Generator, name: str, ground: Floats, *, edge_mm: float, small: bool
) -> TableDescription:
    """A table with colours that stand out from its ground (3,), and dice of about one size."""
    fits = [c for c in COLOURS if min(difference(reflectance(c[i]), ground) for i in (0, 1, 3, 4)) > PLAIN]
    ranked = max(COLOURS, key=lambda c: min(difference(reflectance(c[i]), ground) for i in (0, 1, 3, 4)))
    chosen = fits[int(rng.integers(len(fits)))] if fits else ranked
    low, high = ([250, 350], [285, 390]) if small else ([270, 400], [310, 440])
    wide, deep = (float(round(v, 1)) for v in rng.uniform(low, high))
    dot = Dot(
        x_mm=round(float(rng.uniform(-8, 8)), 1),
        y_mm=round(deep * 0.57, 1),
        diameter_mm=round(float(rng.uniform(8, 10)), 1),
        color=chosen[5],
    )
    return TableDescription(
        table=Surface(
            name=name,
            halfway_y_mm=round(deep + float(rng.uniform(170, 220) if small else rng.uniform(250, 340)), 1),
            surface_width_mm=round(float(rng.uniform(440, 500) if small else rng.uniform(580, 680)), 1),
        ),
        end_zone=EndZone(width_mm=wide, depth_mm=deep, zone=_draw_zones(rng, wide, deep, chosen), dot=dot),
        tape=Tape(width_mm=19.0, side_lines_x_mm=(-wide / 2, wide / 2), color=chosen[4]),
        dice=Dice(edge_mm=edge_mm, corner_radius_mm=round(edge_mm * 0.1, 2)),
    )


def _draw_zones(
    rng: np.random.Generator, wide: float, deep: float, colours: tuple[str, ...]
) -> tuple[Zone, ...]:
    """Four zones, cut in one of three ways."""
    half, back = wide / 2, round(deep * float(rng.uniform(0.17, 0.21)), 1)
    inner, front = round(half * float(rng.uniform(0.55, 0.68)), 1), round(deep * 0.84, 1)
    low = back + float(rng.choice([0.0, round(deep * 0.05, 1)]))
    peak, cut = round(deep * 0.92, 1), round(half * 0.28, 1)
    middle = ((-inner, low), (inner, low), (inner, front), (-inner, front))
    best = ((-cut, 0.0), (cut, 0.0), (cut, back - 20.0), (-cut, back - 20.0))
    style = int(rng.integers(3))
    five = (*middle[:3], (0.0, peak), middle[3]) if style == 1 else middle
    if style == 2:
        best = (best[0], best[1], (cut * 0.6, back - 20.0), (-cut * 0.6, back - 20.0))
    values = (3, 12, 6, 25) if rng.random() < 0.15 else (2, 10, 5, 20)
    outer = ((-half, 0.0), (half, 0.0), (half, deep), (-half, deep))
    ten = ((-half, 0.0), (half, 0.0), (half, back), (-half, back))
    shapes = (outer, ten, five, best)
    return tuple(
        Zone(value=value, polygon_mm=shape, color=colour)
        for value, shape, colour in zip(values, shapes, colours[:4], strict=True)
    )
