"""What the referee would say who could see through dice: zones, depths and gaps by geometry alone."""

from dataclasses import dataclass

import numpy as np

from benchmarks.landing.layout import Layout
from calibration.arrays import Floats

FINE_MM = 0.1
"""Between the points of a footprint's outline that are tried."""
CLEAR_MM = 4.0
"""How far from every line a die must be for its depth or gap to be taken from its outline alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Landing:
    """The true call of one footprint."""

    zone: int
    protrusion_mm: float
    """How deep it reaches into its zone; 0 out of play."""
    gap_mm: float | None
    """How far it is from the next better zone."""
    slack_mm: float
    """How far lines or die would have to move before the call changed."""
    dot_margin_mm: float
    """Positive: covered, by at least this; negative: the largest uncovered depth."""
    reaches: tuple[tuple[int, float], ...]
    """For each zone, and 1 for the field of play, how far it reaches into it; minus the gap if not."""


def judge(layout: Layout, footprint: Floats) -> Landing:
    """The call of a footprint (n, 2), convex and counter-clockwise, on this table."""
    outline = _finer(footprint)
    regions = [(area.value, area.outline_mm) for area in layout.areas]
    regions.append((1, in_play(layout)))
    regions.sort(key=lambda region: -region[0])
    halfway = next(strip for strip in layout.strips if strip.name == "halfway").inner_mm
    short = float(np.max(outline[:, 1] - np.interp(outline[:, 0], halfway[:, 0], halfway[:, 1])))
    depths = [(value, reach(outline, region)) for value, region in regions]
    called = next(
        ((value, depth) for value, depth in depths if depth > 0 and (value > 1 or short < 0)), (0, 0.0)
    )
    better = [(value, depth) for value, depth in depths if value > called[0]]
    slack = [-depth for _, depth in better] + ([called[1]] if called[0] else []) + [abs(short)]
    return Landing(
        zone=called[0],
        protrusion_mm=called[1],
        gap_mm=-better[-1][1] if better else None,
        slack_mm=min(slack),
        reaches=tuple(depths),
        dot_margin_mm=float(_inside(np.array([layout.dot_mm]), footprint)[0]) - layout.dot_diameter_mm / 2,
    )


def in_play(layout: Layout) -> Floats:
    """The field (n, 2) between the sheet's front and the halfway tape, side tapes included."""
    strips = {strip.name: strip for strip in layout.strips}
    return np.concatenate((strips["left"].outer_mm[::-1], strips["right"].outer_mm))


def reach(outline: Floats, region: Floats) -> float:
    """How deep the deepest point of a convex outline (n, 2) lies in a region (m, 2); negative: the gap
    between them.
    """
    middle = outline.mean(axis=0)
    size = float(np.linalg.norm(outline - middle, axis=1).max())
    away = float(_inside(middle[None], region)[0])
    if abs(away) > size + CLEAR_MM:
        # Well inside or well off: the outline's own corners say enough.
        return max(away, float(_inside(outline[:: len(outline) // 64 + 1], region).max()))
    filled = [outline[::10] * share + middle * (1 - share) for share in np.linspace(0, 0.9, 10)]
    depths = _inside(np.concatenate((outline, *filled)), region)
    if depths.max() > 0:
        return float(depths.max())
    # The region may still poke into the die between the points that were tried.
    poking = _inside(region, outline)
    if poking.max() > 0:
        return float(poking.max())
    return float(max(_inside(outline, region).max(), poking.max()))


def _inside(points: Floats, region: Floats) -> Floats:
    """Distance (n,) of points from a region's outline, positive inside it."""
    sides = np.roll(region, -1, axis=0) - region
    y, (ay, by) = points[:, 1:], (region[:, 1], (region + sides)[:, 1])
    crosses = (ay > y) != (by > y)
    at = region[:, 0] + (y - ay) / np.where(sides[:, 1] == 0, 1.0, sides[:, 1]) * sides[:, 0]
    within = np.count_nonzero(crosses & (at > points[:, :1]), axis=1) % 2 == 1
    nearest = _nearest(points, region, sides)
    return np.where(within, nearest, -nearest)


def _nearest(points: Floats, starts: Floats, sides: Floats) -> Floats:
    """Distance (n,) of points from the nearest of some sides; sides that cannot be the nearest are left
    out first.
    """
    middle = points.mean(axis=0)
    spread = float(np.linalg.norm(points - middle, axis=1).max())
    away = np.linalg.norm(starts - middle, axis=1)
    near = away - np.linalg.norm(sides, axis=1) <= away.min() + 2 * spread
    starts, sides = starts[near], sides[near]
    off = points[:, None, :] - starts[None]
    share = np.clip(
        np.einsum("ijk,jk->ij", off, sides) / np.maximum(np.sum(sides * sides, axis=1), 1e-18), 0, 1
    )
    away_xy = off - share[..., None] * sides
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", away_xy, away_xy).min(axis=1)))


def _finer(outline: Floats) -> Floats:
    """The outline with a point every tenth of a millimetre."""
    sides = np.roll(outline, -1, axis=0) - outline
    made = []
    for start, side in zip(outline, sides, strict=True):
        count = max(1, int(np.ceil(np.hypot(*side) / FINE_MM)))
        made.append(start + side * (np.arange(count) / count)[:, None])
    return np.concatenate(made)


def apart_mm(true: Floats, measured: Floats) -> float:
    """The largest distance between two outlines (n, 2) and (m, 2), either way round (Hausdorff's)."""
    return float(
        max(np.abs(_inside(_finer(true), measured)).max(), np.abs(_inside(_finer(measured), true)).max())
    )
