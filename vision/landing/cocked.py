"""Dice that do not lie flat: their full pose, where the picture tells it.

How it works. A die that leans on another, on a tape or on the sheet's rim is turned about some level axis and
touches the table with its lowest point. Outlines of dice leaning to eight sides by four angles are laid over
the picture's edges; the likeliest are fitted with all their angles, to edges and pips. A leaning pose is
believed when edges are found nearly all round it and the pips on its up-face lie as they should on that face.
"""

import cv2
import numpy as np

from vision.find import Picture
from vision.landing.cube import Cube, Floats, resting_cube, yaw_of
from vision.landing.faces import FaceReading, read_face
from vision.landing.fit import Fit, Scene, fit_cube
from vision.landing.seek import Field
from vision.landing.witness import anchor_of

LEANS_DEG = (8.0, 15.0, 23.0, 32.0)
SIDES = 8
TRIED = 6
LEAST_LEAN_DEG = 3.0
MOST_LEAN_DEG = 50.0
LIKE_PIPS = 0.86
"""Correlation with a pattern of pips below which a leaning face is not believed."""
SEARCH_MM = 1.0
LIKENESS_WORTH = 4.0
SURE_PIPS = 0.98
LEAST_SUPPORT = 0.6
MOST_PULL_MM = 0.12
MOST_MISFIT_MM = 0.15
"""Leaning poses whose pips, edges or pull are worse than these are left to the referee."""
LEAST_SCALE = 1.4
"""In px per mm. In coarser pictures a die that touches another may pass for a leaning one."""


def lean_deg(cube: Cube) -> float:
    """How far a cube's most upright axis leans from upright, degrees."""
    return float(np.degrees(np.arccos(np.clip(np.abs(cube.turn[2]).max(), 0, 1))))


def lean_near(picture: Picture, scene: Scene, field: Field, near: Cube) -> tuple[Fit, FaceReading] | None:
    """The leaning pose near a flat one, on whose up-face pips lie as they should; None if none."""
    if scene.scale(float(near.center_mm[0]), float(near.center_mm[1])) < LEAST_SCALE:
        return None
    tries = [_leaning(near, lean, side) for lean in LEANS_DEG for side in range(SIDES)]
    scored = [field.best_shift(scene.view, cube) for cube in tries]
    best: tuple[Fit, FaceReading] | None = None
    for i in sorted(range(len(tries)), key=lambda i: -scored[i][0])[:TRIED]:
        _, x, y = scored[i]
        start = resting_cube(x, y, tries[i].turn, near.edge_mm, near.radius_mm)
        reading = read_face(picture, scene.view, start, SEARCH_MM)
        if reading.value is None:
            continue
        found = _settled(picture, scene, start, reading)
        if found is not None and (best is None or _worth(*found) > _worth(*best)):
            best = found
    return best


def _worth(fit: Fit, reading: FaceReading) -> float:
    return fit.support + LIKENESS_WORTH * reading.likeness - float(np.hypot(*fit.pull_mm))


def believable(fit: Fit, reading: FaceReading, scale: float) -> bool:
    """Whether a leaning pose may be measured from; `scale` is in px per mm."""
    coarse = max(1.0, 3.3 / scale)
    drawn = float(np.hypot(*fit.pull_mm)) < MOST_PULL_MM * coarse and fit.misfit_mm < MOST_MISFIT_MM * coarse
    sure = SURE_PIPS - 0.02 * (coarse - 1)
    return drawn and reading.likeness > sure and fit.support > LEAST_SUPPORT / coarse**0.5


def _settled(
    picture: Picture, scene: Scene, start: Cube, reading: FaceReading
) -> tuple[Fit, FaceReading] | None:
    """A leaning cube fitted to its outline and its pips."""
    scale = scene.scale(float(start.center_mm[0]), float(start.center_mm[1]))
    cube, fit = start, None
    for rounds in (5, 3, 3):
        fit = fit_cube(scene, cube, anchor=anchor_of(cube, reading, scale), cocked=True, rounds=rounds)
        if fit is None or lean_deg(fit.cube) > MOST_LEAN_DEG:
            return None
        cube = fit.cube
        reading = read_face(picture, scene.view, cube, SEARCH_MM if rounds == 5 else 0.0)
        if reading.value is None:
            return None
    if fit is None or lean_deg(cube) < LEAST_LEAN_DEG or reading.likeness < LIKE_PIPS:
        return None
    return fit, reading


def _leaning(near: Cube, lean_deg_: float, side: int) -> Cube:
    angle = 2 * np.pi * side / SIDES + yaw_of(near)
    lean = np.radians(lean_deg_) * np.array([np.cos(angle), np.sin(angle), 0.0])
    turn: Floats = np.asarray(cv2.Rodrigues(lean)[0], np.float64) @ near.turn
    return resting_cube(
        float(near.center_mm[0]), float(near.center_mm[1]), turn, near.edge_mm, near.radius_mm
    )
