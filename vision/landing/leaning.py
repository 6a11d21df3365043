"""Finds the full pose of dice that do not lie flat, where the picture tells it.

How it works. A die that leans on another, on a tape or on the sheet's rim touches the table with its lowest
point. Where its foot is seen tells about how far it leans and to which side (`candidates`); from there, from
half of that and from more, all its angles are fitted to edges and pips. Which pose holds, if any, is not told
here (`claim`).
"""

from collections.abc import Iterator

import numpy as np

from calibration.arrays import Picture
from vision.landing.candidates import Candidate, leaning_cube
from vision.landing.cube import Cube
from vision.landing.faces import FaceReading, read_face
from vision.landing.fit import Fit, FitInput, fit_cube
from vision.landing.pose_evidence import anchor_of
from vision.legible import LEAN_LEAST_PX_PER_MM

SHARES = (0.5, 1.0, 1.5)
"""How much of the lean that a die's foot tells is begun with."""
FIRST_ROUNDS, LAST_ROUNDS = 5, 3
SEARCH_MM = 1.0
LEAST_LEAN_DEG, MOST_LEAN_DEG = 3.0, 50.0
LIKE_PIPS = 0.86
"""The correlation with a pattern of pips from which a leaning face is believed."""
LONE_LEAN_DEG = 12.0
"""A lone pip does not show which way a face leans: one that leans by less than this might as well lie
flat."""

Pose = tuple[Fit, FaceReading]
"""A fitted pose, and what its up-face then shows."""


def lean_deg(cube: Cube) -> float:
    """How far a cube's most upright axis leans from upright, degrees."""
    return float(np.degrees(np.arccos(np.clip(np.abs(cube.turn[2]).max(), 0, 1))))


def fit_leaning(picture: Picture, scene: FitInput, one: Candidate, flat: Cube) -> list[Pose]:
    """The leaning poses of a candidate that fit edges and pips; `flat` is it lying flat."""
    if scene.scale(one.x_mm, one.y_mm) < LEAN_LEAST_PX_PER_MM:
        return []
    return [
        (fit, reading)
        for share in SHARES
        if (cube := leaning_cube(one, scene.view, flat, share)) is not None
        for fit, reading in _settled(picture, scene, cube, one.value)
        if LEAST_LEAN_DEG <= lean_deg(fit.cube) <= MOST_LEAN_DEG
        and reading.likeness >= LIKE_PIPS
        and not (reading.value == 1 and lean_deg(fit.cube) < LONE_LEAN_DEG)
    ]


def _settled(picture: Picture, scene: FitInput, cube: Cube, value: int) -> Iterator[Pose]:
    """A cube fitted again and again until outline and pips hardly move it; nothing where either is lost."""
    reading = read_face(picture, scene.view, cube, SEARCH_MM, value)
    fit: Fit | None = None
    for rounds in (FIRST_ROUNDS, LAST_ROUNDS, LAST_ROUNDS):
        scale = scene.scale(float(cube.center_mm[0]), float(cube.center_mm[1]))
        anchor = anchor_of(cube, reading, scale)
        if anchor is None:
            return
        fit = fit_cube(scene, cube, anchor=anchor, cocked=True, rounds=rounds)
        if fit is None or lean_deg(fit.cube) > MOST_LEAN_DEG:
            return
        cube = fit.cube
        reading = read_face(picture, scene.view, cube, SEARCH_MM if rounds == FIRST_ROUNDS else 0.0, value)
    if fit is not None and reading.value is not None:
        yield fit, reading
