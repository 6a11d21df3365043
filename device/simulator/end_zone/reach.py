"""What a hand does to lying dice at the End Zone: the acts of the tray, with an arm from the long side.

The acts are planned as over a tray, where the arm comes from -y, and turned by a quarter to come from -x.
"""

from collections.abc import Mapping
from dataclasses import replace
from math import pi

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie, yawed
from device.simulator.hand_acts import AWAY_Y_MM, Script, Setting, plan
from device.simulator.motion import Carried, HandAt, HandWay, LyingStill, Motion, Push
from device.simulator.throw import ThrowArea

QUARTER_RAD = -pi / 2
WIDE = ThrowArea(half_mm=(5000.0, 5000.0))
"""A finger may push a die as far as it likes."""


def done(name: str, setting: Setting, away_x_mm: float) -> Script:
    """The tray's act called `name`; the hand comes from `away_x_mm`."""
    turn: Reals = yawed(QUARTER_RAD)
    shift = np.array([away_x_mm - AWAY_Y_MM, 0, 0], np.float32)
    lying = tuple(
        replace(die, pose=Pose((die.pose.center_mm - shift) @ turn, turn.T @ die.pose.turn))
        for die in setting.lying
    )
    # Dice that stay keep their very poses.
    known = {id(there.pose): die.pose for there, die in zip(lying, setting.lying, strict=True)}
    script = plan(name, replace(setting, lying=lying, area=WIDE))
    ends = [die.pose for die in script.outcome if id(die.pose) not in known]
    known |= {id(end): Pose(turn @ end.center_mm + shift, turn @ end.turn) for end in ends}
    return replace(
        script,
        items=tuple((body, _motion(motion, known)) for body, motion in script.items),
        hand=HandWay(tuple(_point(point, shift) for point in script.hand.points)),
        outcome=tuple(_lying(die, known) for die in script.outcome),
    )


def _lying(die: RestingDie, known: Mapping[int, Pose]) -> RestingDie:
    return replace(die, pose=known[id(die.pose)])


def _motion(motion: Motion, known: Mapping[int, Pose]) -> Motion:
    match motion:
        case LyingStill():
            return replace(motion, place=known[id(motion.place)])
        case Push():
            return replace(motion, place=known[id(motion.place)], end=known[id(motion.end)])
        case Carried():
            return replace(motion, place=motion.place and known[id(motion.place)], end=known[id(motion.end)])
        case _:
            raise ValueError(f"no hand moves a die like that: {motion}")


def _point(point: HandAt, shift: Reals) -> HandAt:
    return replace(
        point,
        x_mm=point.y_mm + float(shift[0]),
        y_mm=-point.x_mm + float(shift[1]),
        turn_rad=point.turn_rad + QUARTER_RAD,
    )
