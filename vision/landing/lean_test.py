"""Tests whether a die rests on its face, and fits the pose of those that lean.

How it works. A die that leans and is taken for a flat one betrays itself in three ways. Its outline strays
from that of a flat die, and pulls away from the pips. Its step, from the foot to the up-face, points
elsewhere than a flat die's does at that place: a network measures it, of pixels inside the die and not of its
outline. And as a flat die it would overlap the neighbour that it leans on, or stand off it: flat dice that
lie close touch, or do not, but never overlap. Each of the three alone is wrong for one die in ten or
twenty; they are wrong independently, so their doubts are added.

How clearly pips show is no sign: pale ink and the grain of wood make it small on dice that lie flat.
"""

import math

import cv2
import numpy as np

from calibration.arrays import Floats, Picture
from calibration.table import TableCalibration
from vision.face_place import place_of
from vision.landing.cube import Cube, resting_cube, yaw_of
from vision.landing.faces import FaceReading, read_face, up_face
from vision.landing.fit import Fit, FitInput, fit_cube
from vision.landing.pose_candidates import SlopeField
from vision.landing.pose_evidence import FINE_SCALE, anchor_of
from vision.learned.contract import stance_cut
from vision.learned.networks import Networks
from vision.learned.stance import Upright, told_stance
from vision.legible import LEAN_LEAST_PX_PER_MM

PULL_MM, STRAY_MM, STEP_SIGMAS, GAP_MM = 0.062, 0.031, 0.285, 0.161
"""What adds 1 to the doubt: the outline's pull from the pips and its stray, at the fine scale; the step off a
flat die's; the gap to, or the overlap with, the nearest neighbour. Weights of a logistic regression on 648
flat dice and 132 leaning ones of drawn close-ups at 0.3 mm to a pixel."""
STEP_OFF = 0.05
"""One sigma, in edges, by which a flat die's step is off whatever the network says of itself."""
MOST_STEP_SIGMAS, MOST_GAP_MM = 5.0, 1.0
"""Beyond these the step and the gap say no more."""
APART_MM = 5.0
"""Dice that are further apart do not touch, and say nothing of each other."""
UNKNOWN_GAP_MM = 0.4
"""The gap that says neither, where the neighbour was not measured."""
MAY_LEAN_DOUBT = 9.0
"""The doubt above which a die is measured as one that rests on its face and may lean all the same."""
LEANS_DOUBT = 12.1
"""The doubt above which it is not believed to rest on its face."""


class RestTest:
    """Judges dice in the pictures of one calibrated table."""

    def __init__(self, calibration: TableCalibration, threads: int = 1) -> None:
        """`threads` are the network's."""
        self._view = calibration.view
        self._upright = Upright.of(calibration)
        self._networks = Networks(threads=threads)

    def doubt(self, picture: Picture, fit: Fit, gap_mm: float | None) -> float:
        """How much speaks against a flat die that was fitted: 1 to 10 for one that rests on its face, mostly
        12 to 40 for one that leans.

        `picture` (h, w, 3) is the one it was fitted in; `gap_mm` is the distance of its footprint from the
        nearest neighbour's: less than nought where they overlap, infinite where nothing is near, None where
        no neighbour was measured.
        """
        x, y = (float(part) for part in fit.cube.center_mm[:2])
        scale = self._view.scale_px_per_mm(x, y, fit.cube.edge_mm / 2)
        coarse = max(1.0, FINE_SCALE / scale)
        pulled = float(np.hypot(*fit.pull_mm)) / (PULL_MM * math.pow(coarse, 0.7))
        strayed = fit.stray_mm / (STRAY_MM * coarse)
        stepped = min(self._step_sigmas(picture, fit.cube), MOST_STEP_SIGMAS) / STEP_SIGMAS
        return pulled + strayed + stepped + _apart(gap_mm) / GAP_MM

    def _step_sigmas(self, picture: Picture, cube: Cube) -> float:
        """How far, in sigmas, a die's step is off that of a flat die in its place."""
        place = place_of(self._view.project(up_face(cube)).astype(np.float32))
        cut = np.asarray(stance_cut(picture, place)[None], np.uint8)
        stance = told_stance(place, self._networks.stance(cut)[0])
        flat: Floats = self._upright.steps(np.asarray(place.center, np.float64)[None])[0]
        return float(np.hypot(*(stance.step - flat))) / math.hypot(stance.off, STEP_OFF)


def _apart(gap_mm: float | None) -> float:
    """How much a gap tells of leaning, mm."""
    if gap_mm is None:
        return UNKNOWN_GAP_MM
    return 0.0 if gap_mm > APART_MM else min(abs(gap_mm), MOST_GAP_MM)


# Finds the full pose of dice that do not lie flat, where the picture tells it.
#
# How it works. A die that leans on another, on a tape or on the sheet's rim is turned about some level axis
# and touches the table with its lowest point. Outlines of dice that lean to eight sides by four angles are
# laid over the picture's edges; the likeliest are fitted with all their angles, to edges and pips. A leaning
# pose is believed when edges are found nearly all round it and the pips on its up-face lie as they should on
# that face.

LEANS_DEG = (8.0, 15.0, 23.0, 32.0)
SIDES = 8
TRIED = 6
LEAST_LEAN_DEG = 3.0
MOST_LEAN_DEG = 50.0
LIKE_PIPS = 0.86
"""The correlation with a pattern of pips from which a leaning face is believed."""
BEGIN_LIKENESS = 0.7
"""The same for a first pose, which is only near."""
FIRST_ROUNDS, LAST_ROUNDS = 5, 3
SETTLED = 2
"""How many of the tried poses, the best ones, are fitted to the end."""
SEARCH_MM = 1.0
LIKENESS_WORTH = 4.0
SURE_PIPS = 0.98
LEAST_SUPPORT = 0.6
MOST_PULL_MM = 0.12
MOST_MISFIT_MM = 0.15
"""`SURE_PIPS` to `MOST_MISFIT_MM` are limits for leaning poses: one whose pips, edges or pull are worse is
left to the referee."""
LONE_LEAN_DEG = 12.0
"""A lone pip does not show which way a face leans: one that leans by less than this might as well lie
flat."""


Pose = tuple[Fit, FaceReading]
"""A fitted pose, and what its up-face then shows."""


def lean_deg(cube: Cube) -> float:
    """How far a cube's most upright axis leans from upright, degrees."""
    return float(np.degrees(np.arccos(np.clip(np.abs(cube.turn[2]).max(), 0, 1))))


def lean_near(picture: Picture, scene: FitInput, field: SlopeField, near: Cube) -> Pose | None:
    """The leaning pose near a flat one on whose up-face the pips lie as they should; None where there is
    none."""
    if scene.scale(float(near.center_mm[0]), float(near.center_mm[1])) < LEAN_LEAST_PX_PER_MM:
        return None
    tries = [_leaning(near, lean, side) for lean in LEANS_DEG for side in range(SIDES)]
    scored = [field.best_shift(scene.view, cube) for cube in tries]
    begun: list[Pose] = []
    for i in sorted(range(len(tries)), key=lambda i: -scored[i][0])[:TRIED]:
        _, x, y = scored[i]
        start = resting_cube(x, y, tries[i].turn, near.edge_mm, near.radius_mm)
        reading = read_face(picture, scene.view, start, SEARCH_MM)
        if reading.value is not None and reading.likeness > BEGIN_LIKENESS:
            begun += _fit_pose(picture, scene, start, reading, FIRST_ROUNDS)
    begun.sort(key=lambda pose: -_worth(*pose))
    settled = [found for pose in begun[:SETTLED] for found in _settle(picture, scene, pose)]
    return max(settled, key=lambda pose: _worth(*pose), default=None)


def _worth(fit: Fit, reading: FaceReading) -> float:
    return fit.support + LIKENESS_WORTH * reading.likeness - float(np.hypot(*fit.pull_mm))


def is_believable(fit: Fit, reading: FaceReading, scale: float) -> bool:
    """Whether a leaning pose may be measured from; `scale` is in px per mm."""
    coarse = max(1.0, 3.3 / scale)
    drawn = float(np.hypot(*fit.pull_mm)) < MOST_PULL_MM * coarse and fit.misfit_mm < MOST_MISFIT_MM * coarse
    if reading.value == 1 and lean_deg(fit.cube) < LONE_LEAN_DEG:
        return False
    sure = SURE_PIPS - 0.02 * (coarse - 1)
    return drawn and reading.likeness > sure and fit.support > LEAST_SUPPORT / coarse**0.5


def _settle(picture: Picture, scene: FitInput, pose: Pose) -> list[Pose]:
    """A pose fitted again until outline and pips hardly move it; empty where it turns out to be no leaning
    die."""
    poses = [pose]
    for _ in range(2):
        poses = [
            found
            for fit, reading in poses
            for found in _fit_pose(picture, scene, fit.cube, reading, LAST_ROUNDS)
        ]
    return [
        (fit, reading)
        for fit, reading in poses
        if lean_deg(fit.cube) >= LEAST_LEAN_DEG and reading.likeness >= LIKE_PIPS
    ]


def _fit_pose(picture: Picture, scene: FitInput, cube: Cube, reading: FaceReading, rounds: int) -> list[Pose]:
    """The cube, fitted for some rounds and read again; empty where nothing can be read then."""
    scale = scene.scale(float(cube.center_mm[0]), float(cube.center_mm[1]))
    fit = fit_cube(scene, cube, anchor=anchor_of(cube, reading, scale), cocked=True, rounds=rounds)
    if fit is None or lean_deg(fit.cube) > MOST_LEAN_DEG:
        return []
    again = read_face(picture, scene.view, fit.cube, SEARCH_MM if rounds == FIRST_ROUNDS else 0.0)
    return [(fit, again)] if again.value is not None else []


def _lean(near: Cube, lean_deg_: float, side: int) -> Floats:
    angle = 2 * np.pi * side / SIDES + yaw_of(near)
    lean = np.radians(lean_deg_) * np.array([np.cos(angle), np.sin(angle), 0.0])
    return np.asarray(cv2.Rodrigues(lean)[0], np.float64)


def _leaning(near: Cube, lean_deg_: float, side: int) -> Cube:
    turn: Floats = _lean(near, lean_deg_, side) @ near.turn
    return resting_cube(
        float(near.center_mm[0]), float(near.center_mm[1]), turn, near.edge_mm, near.radius_mm
    )
