"""A table with twenty dice on it, some touching and some leaning: is each told of, and how soon?"""

import math
import time

import cv2
import numpy as np

from benchmarks.landing.bridge import true_calibration
from benchmarks.landing.cube import Cube, standing
from benchmarks.landing.dice import KINDS, draw_skin, dress
from benchmarks.landing.judged.harness import Outcome, outcomes_of
from benchmarks.landing.kit import Kit, kit
from benchmarks.landing.scenes import (
    TABLES,
    Scene,
    against,
    apart,
    draw_lean,
    gap,
    in_sight,
    on_tape,
    truth_of,
)
from calibration.arrays import Floats
from vision.landing.call import call_die
from vision.landing.measure import Measurer

DICE, PAIRS, LEANING = 20, 4, 2
"""How many dice lie there, how many of them beside another that they touch, how many of those lean."""
FREE_MM = 30.0
"""From middle to middle of dice that do not touch."""


def full_table(seed: int, camera: str) -> Scene:
    """The scene of a seed: the table is that of `seed % TABLES`."""
    over, rng = kit(camera, seed % TABLES), np.random.default_rng([seed, 20])
    cubes = [on_tape(over, cube) for cube in _thrown(over, rng)]
    dice = [dress(c, draw_skin(str(rng.choice(KINDS)), rng), int(rng.integers(1, 7)), rng) for c in cubes]
    truths = tuple(truth_of(over, die, touching=i < 2 * PAIRS) for i, die in enumerate(dice))
    return Scene(seed=seed, style="full", kit=over, dice=truths)


def judge_full_tables(camera: str, count: int) -> tuple[list[Outcome], list[float]]:
    """What came of the dice of the first `count` full tables, and the processor time of each picture in s,
    unpacking included, with the true calibration."""
    outcomes: list[Outcome] = []
    took_s = []
    for seed in range(count):
        each = full_table(seed, camera)
        calibration = true_calibration(each.kit)
        measurer = Measurer(calibration)
        packed = np.frombuffer(each.path.read_bytes(), np.uint8)
        begun = time.process_time()
        picture = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
        found = measurer.measure(picture)
        pairs = [(die, call_die(die, calibration)) for die in found.dice]
        took_s.append(time.process_time() - begun)
        outcomes += outcomes_of(each, pairs, found.unsure)
    return outcomes, took_s


def _thrown(over: Kit, rng: np.random.Generator) -> list[Cube]:
    """The pairs first, then the dice that lie alone."""
    cubes: list[Cube] = []
    while len(cubes) < DICE:
        paired = len(cubes) < 2 * PAIRS
        new = [_body(rng, (float(rng.uniform(-205, 205)), float(rng.uniform(25, 500))))]
        if paired:
            lean = draw_lean(rng) if len(cubes) < 2 * LEANING else None
            new.append(against(new[0], _body(rng, (0.0, 0.0), lean), float(rng.uniform(0, 2 * math.pi))))
            if gap(*new) > 0.3:
                continue
        free = all(apart(one, other) > FREE_MM for one in new for other in cubes)
        if free and all(in_sight(over, one) for one in new):
            cubes += new
    return cubes


def _body(rng: np.random.Generator, at: tuple[float, float], lean: Floats | None = None) -> Cube:
    edge, rounding = (float(part) for part in rng.uniform([15.8, 0.5], [16.2, 3.0]))
    return standing((*at, 0.0), edge, rounding, float(rng.uniform(0, 90)), lean)
