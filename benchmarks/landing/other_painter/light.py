"""The second painter's light: flat lamps and a dim ceiling; white paper in the middle of the table is 1."""

from dataclasses import dataclass

import numpy as np

from benchmarks.landing.other_painter.shapes import Solid, march
from calibration.arrays import Floats

FEW, MANY = (2, 2), (4, 3)
"""Points along a lamp's two sides: for solids, and for shadows on the table."""
SKY = 14
"""Directions to the ceiling."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Panel:
    """A lamp: a level rectangle that shines downwards."""

    middle_mm: Floats
    along_mm: Floats
    """Half a side (3,), and half the other."""
    across_mm: Floats
    radiance: Floats
    """(3,), blue first."""

    def points(self, counts: tuple[int, int]) -> Floats:
        """Points (n, 3) spread evenly over it."""
        grids = [(np.arange(n) + 0.5) / n * 2 - 1 for n in counts]
        a, b = (grid.ravel() for grid in np.meshgrid(*grids, indexing="ij"))
        return np.asarray(self.middle_mm + a[:, None] * self.along_mm + b[:, None] * self.across_mm)

    @property
    def area_mm2(self) -> float:
        """Its area."""
        return 4 * float(np.linalg.norm(self.along_mm) * np.linalg.norm(self.across_mm))

    def mirrored(self, starts: Floats, towards: Floats, rough: float) -> Floats:
        """The share (n,) of its radiance that a surface of some roughness (rad) throws back along rays."""
        reach = (self.middle_mm[2] - starts[:, 2]) / np.maximum(towards[:, 2], 1e-3)
        at = starts + towards * reach[:, None] - self.middle_mm
        blur = np.maximum(rough, 0.0015) * reach
        share = np.ones(len(towards))
        for side in (self.along_mm, self.across_mm):
            half = float(np.linalg.norm(side))
            place = at @ side / half
            share = share * (_step((place + half) / blur) - _step((place - half) / blur))
        return np.asarray(np.where(towards[:, 2] > 0.02, share, 0.0))


def _step(value: Floats) -> Floats:
    """The normal distribution's integral, to 0.01."""
    return np.asarray(0.5 * (1 + np.tanh(0.7978845608 * value * (1 + 0.044715 * value * value))))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lighting:
    """All light in the room."""

    panels: tuple[Panel, ...]
    ceiling: Floats
    """Radiance (3,) of what is no lamp, looking up."""

    def direct(self, points: Floats, normals: Floats, hidden: "Hidden | None" = None) -> Floats:
        """Radiance (n, 3) of white things at points, by the lamps."""
        total = np.zeros((len(points), 3))
        for panel in self.panels:
            spots = panel.points(hidden.counts if hidden else FEW)
            share = np.zeros(len(points))
            for spot in spots:
                towards = spot - points
                squared = np.sum(towards * towards, axis=1)
                way = towards / np.sqrt(squared)[:, None]
                part = np.maximum(np.sum(way * normals, axis=1), 0) * np.maximum(way[:, 2], 0) / squared
                if hidden:
                    part *= hidden.open_towards(points, way)
                share += part
            total += share[:, None] * panel.radiance * (panel.area_mm2 / len(spots) / np.pi)
        return total

    def mirrored(self, starts: Floats, towards: Floats, rough: float) -> Floats:
        """Radiance (n, 3) that comes back along mirrored rays."""
        up = np.clip(towards[:, 2:], 0, 1)
        total = self.ceiling * (0.25 + 0.75 * up)
        for panel in self.panels:
            total = total + panel.mirrored(starts, towards, rough)[:, None] * panel.radiance
        return np.asarray(total)


@dataclass(frozen=True, slots=True, eq=False)
class Hidden:
    """What keeps light away: solids, and the share of light (n,) each lets through."""

    solids: list[Solid]
    clear: list[float]
    counts: tuple[int, int] = MANY

    def open_towards(self, points: Floats, way: Floats) -> Floats:
        """The share (n,) of light along rays that gets past the solids."""
        passed = np.ones(len(points))
        for solid, clear in zip(self.solids, self.clear, strict=True):
            passed[np.isfinite(march(solid, points, way, 40))] *= clear
        return passed

    def open_sky(self, points: Floats) -> Floats:
        """The share (n,) of the ceiling's light that reaches points that face upwards."""
        total = np.zeros(len(points))
        for i in range(SKY):
            out, angle = np.sqrt((i + 0.5) / SKY), i * 2.399963
            way = np.array([out * np.cos(angle), out * np.sin(angle), np.sqrt(1 - out * out)])
            total += self.open_towards(points, np.broadcast_to(way, points.shape))
        return np.asarray(total / SKY)


def draw_lighting(rng: np.random.Generator, middle_mm: tuple[float, float], up_mm: float) -> Lighting:
    """One to three lamps of some shape, none of them where the camera hangs, and a ceiling."""
    panels = []
    for _ in range(int(rng.choice([1, 1, 2, 2, 3]))):
        angle, out = rng.uniform(0, 2 * np.pi), rng.uniform(120, 900)
        at = np.array([middle_mm[0] + out * np.cos(angle), middle_mm[1] + out * np.sin(angle), 0.0])
        at[2] = up_mm * rng.uniform(1.05, 1.9)
        long, short = (
            sorted(rng.uniform(20, 320, 2))[::-1] if rng.random() < 0.6 else [rng.uniform(30, 110)] * 2
        )
        turn = rng.uniform(0, np.pi)
        along = np.array([np.cos(turn), np.sin(turn), 0.0])
        across = np.array([-along[1], along[0], 0.0])
        warm = rng.uniform([0.72, 0.92, 0.95], [1.05, 1.0, 1.1])
        panels.append((at, along * long, across * max(short, 18.0), warm * rng.uniform(0.4, 1.0)))
    share = float(rng.uniform(0.25, 0.55))
    lamps = tuple(Panel(middle_mm=a, along_mm=b, across_mm=c, radiance=d) for a, b, c, d in panels)
    there = np.array([[*middle_mm, 0.0]])
    lit = Lighting(panels=lamps, ceiling=np.zeros(3)).direct(there, np.array([[0.0, 0.0, 1.0]]))
    scale = (1 - share) / float(lit.mean())
    return Lighting(
        panels=tuple(
            Panel(middle_mm=a, along_mm=b, across_mm=c, radiance=d * scale) for a, b, c, d in panels
        ),
        ceiling=rng.uniform([0.85, 0.95, 0.9], [1.1, 1.0, 1.0]) * share,
    )
