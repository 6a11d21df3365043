"""From one End Zone's frame to the other's, and back: half a turn about the middle of the table."""

from dataclasses import replace

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie
from device.simulator.end_zone.table import turn
from device.simulator.end_zone.throw import Knocked
from device.simulator.motion import LyingStill, Motion, Tumble

HALF_TURN: Reals = np.diag(np.array([-1, -1, 1], np.float32))


def lying_across(die: RestingDie) -> RestingDie:
    """A die at rest."""
    return replace(die, pose=_pose(die.pose))


def motion_across(motion: Motion) -> Motion:
    """A die's motion: rolling looks the same from both ends."""
    match motion:
        case LyingStill():
            return LyingStill(_pose(motion.place), motion.until_ms)
        case Tumble():
            return replace(motion, end=_pose(motion.end), from_mm=_place(motion.from_mm))
        case Knocked(way_mm=(x, y)):
            axis: Reals = HALF_TURN @ motion.axis
            return replace(motion, place=_pose(motion.place), way_mm=(-x, -y), axis=axis)
        case _:
            raise ValueError(f"no die moves like that at the End Zone: {motion}")


def _pose(pose: Pose) -> Pose:
    center = pose.center_mm.copy()
    center[:2] = _place(center[:2])
    return Pose(center, HALF_TURN @ pose.turn)


def _place(at_mm: Reals) -> Reals:
    found: Reals = (np.array(turn().shift_mm) - at_mm).astype(np.float32)
    return found
