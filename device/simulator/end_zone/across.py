"""From one End Zone's frame to the other's, and back: half a turn about the middle of the table."""

from dataclasses import replace
from math import pi

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie
from device.simulator.end_zone.table import turn
from device.simulator.flight import Flight
from device.simulator.motion import LyingStill, Motion

HALF_TURN: Reals = np.diag(np.array([-1, -1, 1], np.float32))


def lying_across(die: RestingDie) -> RestingDie:
    """A die at rest."""
    return replace(die, pose=_pose(die.pose))


def motion_across(motion: Motion) -> Motion:
    """A die's motion: rolling looks the same from both ends."""
    match motion:
        case LyingStill():
            return LyingStill(_pose(motion.place), motion.until_ms)
        case Flight():
            return motion.moved(turn().shift_mm, pi)
        case _:
            raise ValueError(f"no die moves like that at the End Zone: {motion}")


def place_across(at_mm: tuple[float, float]) -> tuple[float, float]:
    """A place of the table."""
    x, y = _place(np.array(at_mm))
    return float(x), float(y)


def _pose(pose: Pose) -> Pose:
    center = pose.center_mm.copy()
    center[:2] = _place(center[:2])
    return Pose(center, HALF_TURN @ pose.turn)


def _place(at_mm: Reals) -> Reals:
    found: Reals = (np.array(turn().shift_mm) - at_mm).astype(np.float32)
    return found
