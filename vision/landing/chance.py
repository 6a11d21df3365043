"""How likely something is true of a die whose place is known only within its covariance.

The question is always whether a figure in mm (how far the die reaches over a line, how far it covers the dot)
is positive. Near the measured pose that figure grows almost linearly along one direction of the pose; so the
chance is integrated exactly along that direction and averaged over the others, by "line sampling"
(Koutsourelakis, Pradlwarter and Schuëller 2004). The result stays exact far out in the tails, where drawing
at random would see nothing, and at a zone's corners, where the figure bends.

The lines have their own sigma. Only the place of die and line to each other counts, so it is added to the
die's place: the error of a line is then the same all along it, and lines square to each other err
independently.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from calibration.arrays import Floats
from vision.landing.measured import MeasuredDie

Figure = Callable[[Floats], Floats]
"""Takes footprints (k, n, 2) to figures in mm (k)."""
SHARPEST_MM = 0.1
"""The least radius of a corner: below it the points of its arc are one, and have no order."""
FURTHEST = 8.0
"""In sigmas: what lies beyond (six in 10^16) is taken as certain."""
STANDING = ((1.0, 1.0),)
UNLEARNT = ((0.95, 1.0), (0.05, 2.0))
UNLEARNT_MM = 0.1
"""The same for a die whose rounding is known no better than this: measured from one landing, it is now and
then off by more than it says."""
LEANING = ((0.8, 3.0), (0.2, 12.0))
"""Pairs of a share and a factor by which the stated deviations are widened. A standing die's fit keeps its
word. A leaning die's is mostly off by three times what it says; now and then it took the wrong lean and is
off by millimetres. On the landing benchmark 14 of them erred by 1 to 19 of their sigmas, 3 at the median."""
MAY_LEAN = ((0.93, 1.0), (0.07, 20.0))
"""The same for a die beside another in a coarse picture: of a hundred such dice called flat, seven leaned,
and were off by 1 to 4 mm."""
_PAIRS = 12
_NORMAL = NormalDist()


@dataclass(frozen=True, eq=False)
class Poses:
    """The poses that a measured die may have. A pose is given as five independent standard normal numbers."""

    outline_mm: Floats
    center_mm: Floats
    edge_mm: float
    spread: Floats
    """(5, 5): turns these numbers into the pose's difference from the measured one: x mm, y mm, yaw rad, edge
    mm, rounding mm."""
    rounder: Floats
    """(n, 2): how the outline's points move when the radius of the corners grows by one mm."""
    rounding_mm: float
    """The measured radius of the corners: no pose has one below nought, nor above half an edge."""
    tails: tuple[tuple[float, float], ...] = STANDING
    """Pairs of a share (they add up to 1) and how much wider the poses scatter in it."""

    @classmethod
    def of(cls, die: MeasuredDie, other_sigma_mm: float) -> "Poses":
        """A die's poses, relative to something whose own place has that standard deviation along each
        axis."""
        covariance = np.zeros((5, 5))
        covariance[:4, :4] = die.covariance
        covariance[4, :4] = covariance[:4, 4] = die.rounding_with
        covariance[4, 4] = die.rounding_sigma_mm**2
        covariance[[0, 1], [0, 1]] += other_sigma_mm**2
        # Yaw as mm at a corner, so that all five have one unit.
        size = np.array([1.0, 1.0, die.edge_mm, 1.0, 1.0])
        values, vectors = np.linalg.eigh(covariance * np.outer(size, size))
        spread = vectors * np.sqrt(np.clip(values, 0.0, None)) / size[:, None]
        outline_mm = np.array(die.footprint_mm)
        rounder = _rounder(outline_mm, np.radians(die.yaw_deg))
        return cls(
            outline_mm, np.array(die.center_mm), die.edge_mm, spread, rounder, die.rounding_mm, _tails(die)
        )

    @property
    def radius_mm(self) -> float:
        """From the die's middle to its furthest point."""
        return float(np.linalg.norm(self.outline_mm - self.center_mm, axis=-1).max())

    @property
    def most_mm(self) -> float:
        """An upper bound of the standard deviation of any point of the outline."""
        x, y, yaw, edge, rounding = np.linalg.norm(self.spread, axis=1)
        return float(np.hypot(x, y) + self.radius_mm * (yaw + edge / self.edge_mm) + rounding)

    @property
    def widest_mm(self) -> float:
        """The same bound in the widest of the tails."""
        return self.most_mm * max(factor for _, factor in self.tails)

    def outlines(self, poses: Floats) -> Floats:
        """The footprints (k, n, 2) of poses (k, 5)."""
        x, y, yaw, edge, rounding = (poses @ self.spread.T).T
        rounding = np.clip(
            rounding, min(0.0, SHARPEST_MM - self.rounding_mm), self.edge_mm / 2 - self.rounding_mm
        )
        scale = 1.0 + edge / self.edge_mm
        cos, sin = scale * np.cos(yaw), scale * np.sin(yaw)
        turn = np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)
        place = self.center_mm + np.stack([x, y], axis=-1)
        rounded = self.outline_mm - self.center_mm + rounding[:, None, None] * self.rounder
        found: Floats = rounded @ turn + place[:, None]
        return found


def _tails(die: MeasuredDie) -> tuple[tuple[float, float], ...]:
    """How a die's poses scatter: pairs as in `STANDING`."""
    if die.pose == "cocked":
        return LEANING
    if die.may_lean:
        return MAY_LEAN
    return UNLEARNT if die.rounding_sigma_mm > UNLEARNT_MM else STANDING


def _rounder(outline_mm: Floats, yaw_rad: float) -> Floats:
    """How an outline's points (n, 2), counter-clockwise, move when the radius of its corners grows by one mm.

    A point of a corner's arc lies one radius along its normal from the arc's middle, which itself moves
    inwards by one mm along both sides: the point moves by its normal less that.
    """
    chord = np.roll(outline_mm, -1, axis=0) - np.roll(outline_mm, 1, axis=0)
    normal = np.column_stack((chord[:, 1], -chord[:, 0])) / np.linalg.norm(chord, axis=1)[:, None]
    cos, sin = np.cos(yaw_rad), np.sin(yaw_rad)
    axes = np.array([[cos, -sin], [sin, cos]])
    found: Floats = normal - np.sign(normal @ axes) @ axes.T
    return found


def _gradient(figure: Figure, poses: Poses) -> Floats:
    """The derivative of a figure by each of a pose's five numbers (5,), in mm per sigma."""
    steps = np.concatenate([np.eye(5), -np.eye(5)])
    beside = figure(poses.outlines(steps))
    found: Floats = (beside[:5] - beside[5:]) / 2
    return found


def sigma_mm(figure: Figure, poses: Poses) -> float:
    """One standard deviation of a figure in mm, all tails together."""
    wider = sum(share * factor**2 for share, factor in poses.tails)
    return float(np.linalg.norm(_gradient(figure, poses)) * np.sqrt(wider))


def chance(figure: Figure, poses: Poses, at_mean_mm: float) -> float:
    """The chance that a figure is positive; `at_mean_mm` is its value at the measured pose."""
    return sum(
        share * _chance(figure, replace(poses, spread=factor * poses.spread), at_mean_mm)
        for share, factor in poses.tails
    )


def _chance(figure: Figure, poses: Poses, at_mean_mm: float) -> float:
    """The same for one normal distribution of poses."""
    if abs(at_mean_mm) > FURTHEST * poses.most_mm:
        return float(at_mean_mm > 0)
    steepest = _gradient(figure, poses)
    slope = float(np.linalg.norm(steepest))
    if slope < 1e-6:  # The pose is known exactly.
        return float(at_mean_mm > 0)
    direction = steepest / slope
    start = _SCATTER @ np.linalg.svd(direction[None])[2][1:]

    def on_lines(along: Floats) -> Floats:
        return figure(poses.outlines(start + along[:, None] * direction))

    if abs(at_mean_mm) > FURTHEST * slope:
        return _share_positive(on_lines)
    turns = _crossing(on_lines, at_mean_mm, slope)
    return float(np.mean([_NORMAL.cdf(-turn) for turn in turns]))


def _share_positive(figure: Figure) -> float:
    """The chance that a figure is positive where no slope says which way it changes: on a ridge.

    A die whose middle lies on the dot's covers it less whichever way it is moved. So each line is gone along
    step by step, and between two steps the figure is taken as straight.
    """
    values = np.stack([figure(np.full(2 * _PAIRS, along)) for along in _STEPS])
    here, there = values[:-1], values[1:]
    turns = np.divide(here, here - there, out=np.ones_like(here), where=(here > 0) != (there > 0))
    crossed = _below(_STEPS[:-1, None] + turns * np.diff(_STEPS)[:, None])
    first, last = _below(_STEPS[:-1, None]), _below(_STEPS[1:, None])
    gained = np.where(here > 0, crossed - first, 0.0) + np.where(there > 0, last - crossed, 0.0)
    ends = _below(_STEPS[0]) * ((values[0] > 0) + (values[-1] > 0).astype(float))
    return float(np.mean(gained.sum(axis=0) + ends))


def _crossing(figure: Figure, at_zero_mm: float, slope: float) -> Floats:
    """At how many sigmas along its line each figure becomes positive (k); a secant search, bounded where the
    figure bends."""
    steep, gentle = 3.0 * slope, 0.3 * slope
    before = np.clip(np.full(2 * _PAIRS, -at_zero_mm / slope), -FURTHEST, FURTHEST)
    value = figure(before)
    along: Floats = np.clip(before - value / slope, -FURTHEST, FURTHEST)
    for _ in range(2):
        latest = figure(along)
        moved = along - before
        still = np.abs(moved) < 1e-9
        rise = np.where(still, slope, (latest - value) / np.where(still, 1.0, moved))
        before, value = along, latest
        along = np.clip(along - latest / np.clip(rise, gentle, steep), -FURTHEST, FURTHEST)
    return along


def _scatter() -> Floats:
    """Points (n, 4) spread evenly over a normal distribution: Roberts' R4 lattice and its mirror image."""
    ratio = 1.1673039782614187  # The root of x^5 = x + 1.
    parts = (0.5 + np.outer(np.arange(1, _PAIRS + 1), ratio ** -np.arange(1.0, 5.0))) % 1.0
    half = np.vectorize(_NORMAL.inv_cdf)(parts)
    both: Floats = np.concatenate([half, -half])
    # So few points do not have quite the spread that they stand for: they are given it.
    spread: Floats = both @ np.linalg.inv(np.linalg.cholesky(np.cov(both.T, bias=True))).T
    return spread


_SCATTER = _scatter()
_STEPS = np.linspace(-FURTHEST, FURTHEST, 65)
_below = np.vectorize(_NORMAL.cdf, otypes=[float])
