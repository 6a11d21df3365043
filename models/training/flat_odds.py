"""Fits how likely a fitted die lies flat: `python -m models.training.flat_odds`.

Draws landings in which most dice lean, fits flat dice to all of them as the box does, and prints the weights
of a logistic regression on what it then knows (`vision.landing.pose_evidence.chance_flat`).
"""

import math
from collections.abc import Iterator

import cv2
import numpy as np
from tqdm import tqdm

from calibration.arrays import Floats
from models.training.corner_scenes import UPRIGHT, DrawnLanding, landings
from vision.landing.measure import Measurer
from vision.landing.pose_evidence import signs_of_leaning

TABLES, PER_TABLE = range(52_000, 52_016), 14
NEAR_MM, RIGHT_MM = 8.0, 0.4
"""How far from a die a fit may lie to be one to it, and how far a good one to a flat die does at most."""
RIDGE, ROUNDS = 0.3, 60


def main() -> None:
    """Print the weights: of the constant, the verdict, the pull and the stray."""
    cv2.setNumThreads(1)
    rows = [
        row
        for seed in tqdm(TABLES, desc="tables")
        for landed in landings(seed, PER_TABLE, shaded=True, leaning=True)
        for row in _rows(landed)
    ]
    flat = np.array([is_flat for is_flat, _ in rows])
    weights = fit_logistic(np.array([[1.0, *signs] for _, signs in rows]), flat)
    print(f"{flat.sum()} flat dice, {(~flat).sum()} leaning ones:", np.round(weights, 2).tolist())


def _rows(landed: DrawnLanding) -> Iterator[tuple[bool, tuple[float, float, float]]]:
    """Whether each die lies flat, and the signs of leaning in the flat fit to it."""
    measurer = Measurer(landed.calibration)
    for fit, verdict, scale in measurer.flat_fits(landed.picture):
        x, y = (float(part) for part in fit.cube.center_mm[:2])
        off_mm = [math.dist((x, y), die.center_mm[:2]) for die in landed.dice]
        nearest = int(np.argmin(off_mm))
        is_flat = abs(landed.dice[nearest].turn[2][2]) > UPRIGHT
        if off_mm[nearest] < (RIGHT_MM if is_flat else NEAR_MM):
            yield is_flat, signs_of_leaning(fit, verdict, scale)


def fit_logistic(numbers: Floats, truth: Floats) -> Floats:
    """The weights of numbers (n, k), the first of which is 1, that make `truth` (n) likeliest, with a small
    ridge on all but the first; by Newton's method."""
    weights = np.zeros(numbers.shape[1])
    ridge = RIDGE * np.diag([1e-9, *np.ones(numbers.shape[1] - 1)])
    for _ in range(ROUNDS):
        chance = 1 / (1 + np.exp(-numbers @ weights))
        slope = numbers.T @ (chance - truth) + ridge @ weights
        bend = (numbers.T * (chance * (1 - chance))) @ numbers + ridge
        weights -= np.linalg.solve(bend, slope)
    return np.asarray(weights)


if __name__ == "__main__":
    main()
