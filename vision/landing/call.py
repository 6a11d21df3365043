"""Calls the zone of a measured die: how probable it is, and in which words."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from statistics import NormalDist
from typing import Literal

import numpy as np

from calibration.arrays import Floats
from calibration.table import LaidDot, TableCalibration
from engine.wording import phrase, phrase_later, told_number
from vision.landing.field import TABLE, Field, NearLine, Standing, cover, field_of, reach, stand
from vision.measured import MeasuredDie

# How likely something is true of a die whose place is known only within its covariance.
#
# The question is always whether a figure in mm (how far the die reaches over a line, how far it covers the
# dot) is positive. Near the measured pose that figure grows almost linearly along one direction of the pose;
# so the chance is integrated exactly along that direction and averaged over the others, by "line sampling"
# (Koutsourelakis, Pradlwarter and Schuëller 2004). The result stays exact far out in the tails, where drawing
# at random would see nothing, and at a zone's corners, where the figure bends.
#
# The lines have their own sigma. Only the place of die and line to each other counts, so it is added to the
# die's place: the error of a line is then the same all along it, and lines square to each other err
# independently.

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


def probability_positive(figure: Figure, poses: Poses, at_mean_mm: float) -> float:
    """The chance that a figure is positive; `at_mean_mm` is its value at the measured pose."""
    return sum(
        share * _probability_positive(figure, replace(poses, spread=factor * poses.spread), at_mean_mm)
        for share, factor in poses.tails
    )


def _probability_positive(figure: Figure, poses: Poses, at_mean_mm: float) -> float:
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
        return _share_positive(on_lines, poses.most_mm)
    turns = _crossing(on_lines, at_mean_mm, slope)
    return float(np.mean([_NORMAL.cdf(-turn) for turn in turns]))


def _share_positive(figure: Figure, most_mm: float) -> float:
    """The chance that a figure is positive where no slope says which way it changes: on a ridge. It changes
    by at most `most_mm` a sigma.

    A die whose middle lies on the dot's covers it less whichever way it is moved. So each line is gone along
    step by step, and between two steps the figure is taken as straight.
    """
    values = _along(figure, most_mm)
    here, there = values[:-1], values[1:]
    turns = np.divide(here, here - there, out=np.ones_like(here), where=(here > 0) != (there > 0))
    crossed = _below(_STEPS[:-1, None] + turns * np.diff(_STEPS)[:, None])
    first, last = _below(_STEPS[:-1, None]), _below(_STEPS[1:, None])
    gained = np.where(here > 0, crossed - first, 0.0) + np.where(there > 0, last - crossed, 0.0)
    ends = _below(_STEPS[0]) * ((values[0] > 0) + (values[-1] > 0).astype(float))
    return float(np.mean(gained.sum(axis=0) + ends))


def _along(figure: Figure, most_mm: float) -> Floats:
    """The figure at each of `_STEPS` (65, k). Where it lies so far from nought that it cannot get there
    between two steps, those between are not asked for."""
    count = len(_STEPS)
    values = np.full((count, 2 * _PAIRS), np.nan)
    values[[0, -1]] = [figure(np.full(2 * _PAIRS, along)) for along in _STEPS[[0, -1]]]
    stretches = [(0, count - 1)]
    while stretches:
        first, last = stretches.pop()
        middle, here, there = (first + last) // 2, values[first], values[last]
        far = np.abs(here) + np.abs(there) > most_mm * (_STEPS[last] - _STEPS[first])
        if last - first < 2:
            continue
        if (far & ((here > 0) == (there > 0))).all():
            part = np.linspace(0, 1, last - first + 1)[:, None]
            values[first : last + 1] = here + part * (there - here)
            continue
        values[middle] = figure(np.full(2 * _PAIRS, _STEPS[middle]))
        stretches += [(first, middle), (middle, last)]
    return values


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

Sureness = Literal["certain", "too_close"]
THRESHOLD = 0.9999
"""A call is certain when it is right with at least this chance: of thousands of landings a hair from a line,
none that is said to be certain may be wrong."""
BETWEEN = phrase_later("between {one} and {other}")
BETWEEN_AND_DOT = phrase_later("between {one} and {other} and at the dot")


@dataclass(frozen=True, slots=True, kw_only=True)
class DotCall:
    """Whether the die covers the instant-win dot."""

    covered: bool
    margin_mm: float
    """How far the outline reaches beyond the dot where that is least; where the dot is in sight, minus how
    far the dot reaches beyond the outline."""
    sigma_mm: float
    probability: float
    """The chance that it is covered."""
    call: Sureness


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """What one die is worth where it lies."""

    zone: int
    score: int | None
    """Value times zone; None when the value was not read."""
    call: Sureness
    probability: float
    """The chance that `zone` is right."""
    by_zone: tuple[tuple[int, float], ...]
    """The chance of each multiplier, from 0 up; they add up to 1."""
    protrusion_mm: float
    gap_mm: float | None
    near: NearLine
    near_sigma_mm: float
    """One standard deviation of `near.mm`, from the die's place and the line's."""
    dot: DotCall | None
    ways_out: str
    """What the rulebook offers for a call that is too close; empty for others."""

    @property
    def nearest_line(self) -> str:
        """The name of the line that decides."""
        return self.near.name


def call_die(die: MeasuredDie, calibration: TableCalibration, threshold: float = THRESHOLD) -> Call:
    """Call one die. Raises `vision.landing.field.FieldError` when the calibration lacks a line."""
    laid = calibration.laid
    field = field_of(laid)
    poses = Poses.of(die, laid.sigma_mm)
    standing = stand(field, poses.outline_mm)
    asked = _LineChances(field, poses, standing)
    by_zone = _alone({level: asked.chance(level) for level in field.levels})
    probability = dict(by_zone)[standing.zone]
    sure: Sureness = "certain" if probability >= threshold else "too_close"
    dot = None if laid.dot is None else _dot(die, laid.dot, threshold)
    return Call(
        zone=standing.zone,
        score=None if die.value is None else die.value * standing.zone,
        call=sure,
        probability=probability,
        by_zone=by_zone,
        protrusion_mm=standing.protrusion_mm,
        gap_mm=standing.gap_mm,
        near=standing.near,
        near_sigma_mm=sigma_mm(asked.figure(standing.near.level), poses),
        dot=dot,
        ways_out=_ways_out(by_zone, sure, dot),
    )


class _LineChances:
    """The chances of one die to reach over the lines near it."""

    def __init__(self, field: Field, poses: Poses, standing: Standing) -> None:
        self._poses, self._reaches = poses, dict(standing.reaches_mm)
        loose = 2 * FURTHEST * poses.widest_mm
        self._field = field.near(poses.center_mm, poses.radius_mm + abs(standing.near.mm) + loose)

    def figure(self, level: int) -> Figure:
        """How far footprints reach over the lines of what is worth `level` or more, as a function of
        footprints."""
        return lambda outlines_mm: reach(self._field, outlines_mm, level).mm

    def chance(self, level: int) -> float:
        """The chance that the die counts at least `level`."""
        return probability_positive(self.figure(level), self._poses, self._reaches[level])


def _alone(at_least: dict[int, float]) -> tuple[tuple[int, float], ...]:
    """The chance of exactly each multiplier, from the chance of at least each."""
    levels = sorted(at_least)
    # What counts 10 counts at least 5: where the integrated chances contradict that by a little, they are
    # cut.
    chances = np.minimum.accumulate([1.0, *(at_least[level] for level in levels)])
    parts = -np.diff([*chances, 0.0])
    return tuple(zip([0, *levels], parts.tolist(), strict=True))


def _dot(die: MeasuredDie, dot: LaidDot, threshold: float) -> DotCall:
    poses = Poses.of(die, dot.sigma_mm)
    margin = float(cover(dot, poses.outline_mm[None])[0])
    figure = partial(cover, dot)
    probability = probability_positive(figure, poses, margin)
    covered = margin >= 0
    right = probability if covered else 1 - probability
    return DotCall(
        covered=covered,
        margin_mm=margin,
        sigma_mm=sigma_mm(figure, poses),
        probability=probability,
        call="certain" if right >= threshold else "too_close",
    )


def _ways_out(by_zone: tuple[tuple[int, float], ...], sure: Sureness, dot: DotCall | None) -> str:
    """The rulebook's two ways to settle an argument, in words; empty when nothing is too close."""
    at_dot = dot is not None and dot.call == "too_close"
    where = phrase("at the dot") if at_dot else ""
    if sure == "too_close":
        one, other = sorted(zone for zone, _ in sorted(by_zone, key=lambda pair: pair[1])[-2:])
        where = phrase(BETWEEN_AND_DOT if at_dot else BETWEEN, one=one, other=other)
    if not where:
        return ""
    return phrase(
        "Too close to call {where}. Let a third person look straight down and say; or one side takes odd, "
        "the other even, and one die decides.",
        where=where,
    )


# A call in the words of people at a table: for evidence, and for whoever asks without a screen.

SURE = 1.96
"""Half the width of a plus-minus, in standard deviations: it holds 95 times in 100."""
FAR_MM = 60.0
"""A line farther off than this decides nothing, and its tenths mean nothing."""
NEAR_DOT_MM = 10.0
"""The dot is mentioned when less than this decides about it."""
DOT: dict[tuple[bool, Sureness], str] = {
    (True, "certain"): phrase_later("The dot is covered, by {length} where it is nearest to showing."),
    (True, "too_close"): phrase_later(
        "The dot is covered, by {length} where it is nearest to showing, which is too close to call."
    ),
    (False, "certain"): phrase_later("The dot is to be seen: {length} of it."),
    (False, "too_close"): phrase_later("The dot is to be seen: {length} of it, which is too close to call."),
}
"""What is said of a dot, by whether it is covered and how sure that is."""


def length_words(mm: float, sigma_mm: float) -> str:
    """A length with its plus-minus: "0.42 ± 0.08 mm"."""
    return f"{told_number(abs(mm), '.2f')} ± {told_number(SURE * sigma_mm, '.2f')} mm"


def worth_words(value: int | None, call: Call) -> str:
    """What the die counts: "6 × 5 = 30"; its zone alone when it was not read."""
    return phrase("Zone {zone}", zone=call.zone) if value is None else f"{value} × {call.zone} = {call.score}"


def verdict_words(call: Call) -> str:
    """How sure the zone is."""
    return phrase("Certain") if call.call == "certain" else phrase("Too close to call")


def line_words(near: NearLine) -> str:
    """A line in people's words: "the line between 2 and 5"."""
    if near.halfway:
        return phrase("the halfway line")
    if near.name == TABLE:
        return phrase("the table's edge")
    low, high = near.name.split("|")
    if low == "0":
        return phrase("the side line") if high == "1" else phrase("the sheet's edge")
    return phrase("the line between {low} and {high}", low=low, high=high)


def nearness(call: Call) -> str:
    """How the die lies to the line that decides, in words."""
    near = call.near
    length, line = length_words(near.mm, call.near_sigma_mm), line_words(near)
    if abs(near.mm) > FAR_MM:
        far_cm = f"{abs(near.mm) / 10:.0f}"
        return phrase("The nearest line is far off: {far_cm} cm to {line}.", far_cm=far_cm, line=line)
    if near.halfway and near.mm > 0:
        return phrase("It clears the halfway line by {length}.", length=length)
    if near.halfway:
        return phrase("It is not clear of the halfway line: {length} are missing.", length=length)
    if near.mm > 0:
        return phrase("It reaches {length} over {line}.", length=length, line=line)
    return phrase("It is {length} short of {line}.", length=length, line=line)


def chances(call: Call) -> str:
    """How likely the zone is, in words, with the others where they matter."""
    likely = [(zone, part) for zone, part in call.by_zone if part >= 0.002 or zone == call.zone]
    likely.sort(key=lambda pair: -pair[1])
    told = [phrase("of zone {zone}: {chance}", zone=zone, chance=percent(part)) for zone, part in likely]
    return phrase("Chance {of_zones}", of_zones=", ".join(told))


def percent(part: float) -> str:
    """A chance, never rounded up to certainty: "99.97 %", "over 99.99 %"."""
    if part > 0.9999:
        return phrase("over {chance} %", chance=told_number(99.99, ".2f"))
    if part < 0.0001:
        return phrase("under {chance} %", chance=told_number(0.01, ".2f"))
    return f"{told_number(100 * part, '.2f' if part > 0.99 or part < 0.01 else '.0f')} %"


def dot_words(dot: DotCall | None) -> str:
    """A sentence about the dot; empty when it is far off."""
    if dot is None or abs(dot.margin_mm) > NEAR_DOT_MM:
        return ""
    length = length_words(dot.margin_mm, dot.sigma_mm)
    return phrase(DOT[dot.covered, dot.call], length=length)
