"""What lies near a place: the dice that were found there and those that were left to people."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np

from calibration.arrays import Picture
from calibration.table import TableCalibration
from calibration.view import View
from vision.landing.cube import Cube, gap_mm, outline
from vision.landing.edges import patch
from vision.landing.faces import FaceReading
from vision.landing.fit import Fit, FitInput
from vision.landing.lean_test import LEANS_DOUBT
from vision.landing.pose_candidates import Start
from vision.landing.pose_evidence import FINE_SCALE, LONELY_DOUBT, FittedDie, lean_doubt
from vision.reading import UnsureDie

CLOSE_MM = 26.0
"""Dice whose middles are nearer than this hide each other's edges."""
OVERLAP = 0.8
"""The least distance of two dice's middles, in edges."""
OUTDONE = 0.08
"""A start whose score is lower by this than another's in its place begins at the same die, and worse."""

LONE_WORTH, FEW_STRAY_MM, FEW_SUPPORT = 1.05, 0.15, 0.3
PLAIN_PIP, PLAIN_STRAY_MM, PLAIN_SCORE = 0.975, 0.3, 0.68
"""A lone pip as plain as this, in a clear outline that strays no more, far from other dice, is a die's."""


RestDoubt = Callable[[Fit, float | None], float]
"""What speaks against a fit whose nearest neighbour is so many millimetres away, None where that is not known
(`vision.landing.lean_test`)."""


class DoubtedStart(NamedTuple):
    """A start at which no flat die was measured."""

    start: Start
    known: int
    """How many dice had been found by then: while there are no more, it would come out the same again."""


def scene_at(
    picture: Picture, calibration: TableCalibration, x_mm: float, y_mm: float, placed: Sequence[FittedDie]
) -> FitInput:
    """What a die is fitted against that may lie at a place, with those that were found."""
    view, dice = calibration.view, calibration.dice
    around = np.array([[x_mm + a, y_mm + b, z] for a in (-1, 1) for b in (-1, 1) for z in (0.0, 1.0)])
    reach = 1.05 * dice.edge_mm
    around[:, :2] = (x_mm, y_mm) + (around[:, :2] - (x_mm, y_mm)) * reach
    around[:, 2] *= 1.3 * dice.edge_mm
    at = view.project(around)
    low, high = np.floor(at.min(axis=0)).astype(int), np.ceil(at.max(axis=0)).astype(int)
    box = (int(low[0]), int(low[1]), int(high[0]), int(high[1]))
    near = [one for one in placed if off_mm(one, x_mm, y_mm) < 2 * CLOSE_MM]
    outlines = tuple(outline(view, one.cube, 2.0).points_px for one in near)
    return FitInput(view, patch(picture, box), dice, outlines)


def at_border(calibration: TableCalibration, start: Start) -> bool:
    """Whether a die that lies at a start may reach over the picture's border."""
    view, edge_mm = calibration.view, calibration.dice.edge_mm
    at = view.project(np.array([[start.x_mm, start.y_mm, 8.0]]))[0]
    reach = edge_mm * view.scale_px_per_mm(start.x_mm, start.y_mm)
    size = np.array((view.lens.width_px, view.lens.height_px))
    return bool((at < reach).any() or (at > size - reach).any())


def off_mm(one: FittedDie, x_mm: float, y_mm: float) -> float:
    """The distance from a die's middle to a place."""
    x, y, _ = one.cube.center_mm
    return math.hypot(x - x_mm, y - y_mm)


def beside(cube: Cube, others: Sequence[FittedDie]) -> list[FittedDie]:
    """The dice that are so near to a cube that they may touch it or hide its edges."""
    x, y, _ = cube.center_mm
    return [other for other in others if off_mm(other, x, y) < CLOSE_MM]


def doubted_near(x_mm: float, y_mm: float, unsure: Sequence[UnsureDie], reach_mm: float = CLOSE_MM) -> bool:
    """Whether something that was left to people lies near a place."""
    known = [other.center_mm for other in unsure if other.center_mm is not None]
    return any(math.dist((x_mm, y_mm), at) < reach_mm for at in known)


def may_be_made_up(fit: Fit, reading: FaceReading, scale: float, score: float) -> bool:
    """Whether a die that was fitted from a start of that score shows so few pips that they may be others':
    its outline must confirm that they are a face's.

    A lone pip is soon found; two or three may be some of a four or six with one on its side, where pips are
    all that is seen. `scale` is in px per mm.
    """
    stray_mm = fit.stray_mm / max(1.0, FINE_SCALE / scale)
    if reading.value == 1:
        plain = reading.likeness > PLAIN_PIP and stray_mm < PLAIN_STRAY_MM and score > PLAIN_SCORE
        return not plain and (stray_mm > FEW_STRAY_MM or fit.support + score < LONE_WORTH)
    return reading.value in (2, 3) and stray_mm > FEW_STRAY_MM and fit.support < FEW_SUPPORT


def shows_more(doubted: Sequence[FittedDie], fit: Fit, reading: FaceReading) -> bool:
    """Whether a die that was doubted shows more pips and more of an outline than another in its place: that
    one's pips are some of the first one's, as the two on a four's diagonal, and its outline is made up."""
    x, y = (float(part) for part in fit.cube.center_mm[:2])
    return any(
        off_mm(one, x, y) < OVERLAP * fit.cube.edge_mm
        and (one.reading.value or 0) > (reading.value or 0)
        and one.fit.support > fit.support
        for one in doubted
    )


def least_gap_mm(cube: Cube, others: Sequence[FittedDie]) -> float | None:
    """The distance from a cube's footprint to the nearest die beside it, less than nought where they overlap;
    None where none is."""
    return min((gap_mm(cube, other.cube) for other in beside(cube, others)), default=None)


def resting_after_all(
    refused: Sequence[FittedDie],
    placed: list[FittedDie],
    doubted: Sequence[DoubtedStart],
    view: View,
    doubt: RestDoubt,
) -> list[FittedDie]:
    """The dice that were refused one by one because they may lean, and rest on their faces as all that was
    found beside them tells."""
    pair = resting_pair(refused, placed, doubt)
    return pair + lone_dice(refused, placed + pair, [each.start for each in doubted], view, doubt)


def resting_pair(refused: Sequence[FittedDie], placed: list[FittedDie], doubt: RestDoubt) -> list[FittedDie]:
    """Two dice of those that were refused, if both rest on their faces once each knows the other; else none.

    Of the first of two dice nobody knows the neighbour yet, which speaks a little against it.
    """
    for one, other in combinations([each for each in refused if each.rest_doubt > LEANS_DOUBT], 2):
        x, y, _ = other.cube.center_mm
        if not OVERLAP * one.cube.edge_mm < off_mm(one, x, y) < CLOSE_MM:
            continue
        pairs = (one, other), (other, one)
        known = [(doubt(a.fit, least_gap_mm(a.fit.cube, [*placed, b])), a) for a, b in pairs]
        if max(against for against, _ in known) <= LEANS_DOUBT:
            return [replace(die, rest_doubt=against) for against, die in known]
    return []


def lone_dice(
    refused: Sequence[FittedDie],
    placed: list[FittedDie],
    doubted: Sequence[Start],
    view: View,
    doubt: RestDoubt,
) -> list[FittedDie]:
    """The dice of those that were refused which rest on their faces if nothing touches them, where nothing
    can: beside them no die was found, nor an outline like one's. What looked large enough for two was a die
    with its shadow."""
    out: list[FittedDie] = []
    for one in refused:
        x, y = (float(part) for part in one.cube.center_mm[:2])
        away = [math.hypot(start.x_mm - x, start.y_mm - y) for start in doubted]
        if any(OVERLAP * one.cube.edge_mm < far < CLOSE_MM for far in away) or beside(one.cube, placed + out):
            continue
        scale = view.scale_px_per_mm(x, y, one.cube.edge_mm / 2)
        if lean_doubt(one.fit, one.reading, scale) <= LONELY_DOUBT:
            against = doubt(one.fit, math.inf)
            out += [replace(one, rest_doubt=against)] if against <= LEANS_DOUBT else []
    return out


def outdone(start: Start, tried: Sequence[Start], reach_mm: float) -> bool:
    """Whether the same die was tried from a plainly better start."""
    return any(
        math.hypot(one.x_mm - start.x_mm, one.y_mm - start.y_mm) < reach_mm
        and one.score > start.score + OUTDONE
        for one in tried
    )


def once(unsure: Sequence[UnsureDie], least_mm: float) -> list[UnsureDie]:
    """Each place once, left to right: several starts may have led to one die."""
    kept: list[UnsureDie] = []
    for one in unsure:
        x, y = one.center_mm or (math.inf, math.inf)
        if all(math.dist((x, y), other.center_mm or (-1e9, -1e9)) >= least_mm for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.center_px)
