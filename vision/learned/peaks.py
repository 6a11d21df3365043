"""Turns the finder's answer into places: where the heat is highest, and the size and turn it gives there."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Singles
from vision.learned.contract import decode_places
from vision.place import Place

PLACE_PX = 4
"""The finder answers for every fourth pixel in both directions."""
MOST = 400
"""The most peaks that are looked at."""
APART = 1.05
"""Places nearer than this, in half edges of the larger, are of one die; touching dice are at least 1.6
apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Peak:
    """Something that may be a die."""

    place: Place
    heat: float
    """The network's own chance that a die's middle is here, 0 to 1."""


def find_peaks(told: Singles, least: float) -> list[Peak]:
    """The peaks of one answer (8 x h x w) whose heat is at least `least`, hottest first, in pixels of the
    picture that was looked at."""
    rows, columns = _highest(told[0], least)
    numbers = told[:, rows, columns].T
    at = np.column_stack((columns, rows)) + np.clip(numbers[:, 1:3], -3, 3)
    centers = np.asarray((at + 0.5) * PLACE_PX - 0.5, np.float32)
    heats = 1 / (1 + np.exp(-np.clip(numbers[:, 0], -30, 30)))
    found = decode_places(centers, numbers[:, 3:8])
    return [Peak(place, heat) for place, heat in zip(found, heats.tolist(), strict=True)]


def _highest(logits: Singles, least: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns where the heat is at least `least` and higher than all round, hottest first."""
    logits = np.ascontiguousarray(logits)
    highest = cv2.dilate(logits, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((logits >= highest) & (logits >= np.log(least / (1 - least))))
    order = np.argsort(-logits[rows, columns], kind="stable")[:MOST]
    return rows[order], columns[order]


def drop_doubles(found: list[Peak]) -> list[Peak]:
    """Each die once, hottest first: of peaks too near to be two dice, the hottest."""
    ordered = sorted(found, key=lambda p: -p.heat)
    return [ordered[i] for i in keep_apart([peak.place for peak in ordered], APART)]


def keep_apart(ordered: Sequence[Place], least: float) -> list[int]:
    """The indices of places to keep, from the first on, so that no two are nearer than `least` half edges of
    the larger.

    The order of `ordered` decides which one stays.
    """
    centers = np.array([place.center for place in ordered], np.float32).reshape(-1, 2)
    halves = np.array([place.half_px for place in ordered], np.float32)
    kept: list[int] = []
    for i in range(len(ordered)):
        away = np.hypot(centers[kept, 0] - centers[i, 0], centers[kept, 1] - centers[i, 1])
        if (away > least * np.maximum(halves[kept], halves[i])).all():
            kept.append(i)
    return kept


def scale_peak(peak: Peak, factor: float) -> Peak:
    """The same peak in a picture `factor` times as large."""
    if factor == 1:
        return peak
    return Peak(peak.place.scaled(factor, factor), peak.heat)
