"""The call: which zone a measured die is in, how sure that is, and what to do when it is too close."""

from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from calibration.laid import LaidDot
from calibration.table import TableCalibration
from engine.wording import phrase, phrase_later
from vision.landing.chance import FURTHEST, Figure, Poses, chance, sigma_mm
from vision.landing.field import Field, field_of
from vision.landing.measured import MeasuredDie
from vision.landing.zones import NearLine, Standing, cover, reach, stand

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


def call(die: MeasuredDie, calibration: TableCalibration, threshold: float = THRESHOLD) -> Call:
    """Call one die. Raises `vision.landing.field.FieldError` when the calibration lacks a line."""
    laid = calibration.laid
    field = field_of(laid)
    poses = Poses.of(die, laid.sigma_mm)
    standing = stand(field, poses.outline_mm)
    asked = _Asked(field, poses, standing)
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


class _Asked:
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
        return chance(self.figure(level), self._poses, self._reaches[level])


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
    probability = chance(figure, poses, margin)
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
