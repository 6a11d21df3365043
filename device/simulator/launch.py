"""How dice leave a hand: rolling off the fingers, pushed flat over the table, or hurled to the side."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, cos, sin
from random import Random

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import SimulatedDie, on_side, support_mm, yawed
from device.simulator.flight import turned
from device.simulator.physics import Launch

GRIP_MM = 36.0
"""In the hand, dice lie so far beside one another."""
LATER_MS = 28.0
"""One die after the other leaves the hand."""
ABREAST, ABREAST_MM = 4, 26.0
"""How many dice are pushed side by side, and how far apart."""

PointMm = tuple[float, float]


def rolled(rng: Random, bodies: Sequence[SimulatedDie], from_mm: PointMm, vigour: float) -> list[Launch]:
    """Dice that roll off the fingers, one after the other; the hand opens at `from_mm`, looking along +y."""
    x, y = from_mm
    places, launches = [-GRIP_MM, 0.0, GRIP_MM], []
    for index, body in enumerate(bodies):
        if index % 3 == 0:
            rng.shuffle(places)
        speed, aside = rng.uniform(450, 1150) * vigour, rng.gauss(-x / 500, 0.3)
        at = x + places[index % 3] + rng.uniform(-5, 5), y + rng.uniform(-10, 6), rng.uniform(26, 40)
        launches.append(
            Launch(
                body=body,
                after_ms=LATER_MS * index + rng.uniform(0, 12),
                center_mm=_reals(*at),
                turn=any_turn(rng),
                speed_mm_s=_reals(speed * sin(aside), speed * cos(aside), rng.uniform(-250, 50)),
                spin_rad_s=_reals(-rng.uniform(10, 70), rng.gauss(0, 15), rng.gauss(0, 15)),
            )
        )
    return launches


def slid(rng: Random, bodies: Sequence[SimulatedDie], from_mm: PointMm, vigour: float) -> list[Launch]:
    """Dice that a hand pushes over the table as they lie, side by side."""
    x, y = from_mm
    rows = ceil(len(bodies) / ABREAST)
    speed, aside, launches = rng.uniform(620, 820) * vigour, rng.gauss(-x / 600, 0.08), []
    for index, body in enumerate(bodies):
        row, place = divmod(index, ABREAST)
        turn = yawed(rng.uniform(-0.2, 0.2)) @ on_side(body, rng.randrange(len(body.faces)))
        middle = (min(len(bodies), ABREAST) - 1) / 2
        at = (
            x + (place - middle) * ABREAST_MM + rng.uniform(-1, 1),
            y + (rows - 1 - row) * ABREAST_MM + rng.uniform(-1, 1),
            float(support_mm(body, turn)) + 0.2,
        )
        own = speed * (1 - 0.07 * row) * rng.uniform(0.96, 1.04)
        launches.append(
            Launch(
                body=body,
                after_ms=0.0,
                center_mm=_reals(*at),
                turn=turn,
                speed_mm_s=_reals(own * sin(aside), own * cos(aside), 0),
                spin_rad_s=_reals(0, 0, rng.gauss(0, 2)),
            )
        )
    return launches


def hurled(rng: Random, launch: Launch) -> Launch:
    """The same die, thrown to the side so hard that it may fly over the rim."""
    speed = rng.choice((-1, 1)) * rng.uniform(1300, 1900), rng.uniform(150, 700), rng.uniform(700, 1100)
    return replace(launch, speed_mm_s=_reals(*speed))


def any_turn(rng: Random) -> Reals:
    """A turn of a die in the hand: each as likely as any other."""
    quaternion = np.array([[rng.gauss(0, 1) for _ in range(4)]], np.float32)
    found: Reals = turned(quaternion)[0]
    return found


def _reals(*parts: float) -> Reals:
    return np.array(parts, np.float32)
