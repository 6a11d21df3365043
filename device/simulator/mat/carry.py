"""Hands that carry dice to the places of a mat, and lay cards: where there is room, and how it is done."""

from collections.abc import Sequence
from math import atan2, hypot

import numpy as np

from calibration.description import PointMm
from device.simulator.dice import Pose, RestingDie, support_mm, yawed
from device.simulator.hand_acts import Item, Script, Setting, away
from device.simulator.motion import Carried, HandAt, HandWay, LyingStill
from device.simulator.world import Paper
from vision.places import Region

SPOT_MM = 23.0
"""Carried dice are set down so far apart."""
EDGE_MM = 14.0
"""And so far inside a place's outline."""
TAKEN_MM = 21.0
SPEED_MM_PER_MS = 0.75
PATH_MS = 130.0
"""No way of the hand is shorter."""


def free_spots(place: Region, middle_mm: PointMm, lying: Sequence[RestingDie]) -> list[PointMm]:
    """Spots of a grid in a place, in the world's frame, that no lying die takes; from its upper left."""
    low, high = place.outline_mm.min(axis=0), place.outline_mm.max(axis=0)
    columns, rows = (max(1, int((side - 2 * EDGE_MM) // SPOT_MM) + 1) for side in high - low)
    spots = []
    for row in range(rows):
        for column in range(columns):
            x, y = float(low[0]) + EDGE_MM + column * SPOT_MM, float(high[1]) - EDGE_MM - row * SPOT_MM
            at = x - middle_mm[0], y - middle_mm[1]
            near = (hypot(at[0] - die.pose.center_mm[0], at[1] - die.pose.center_mm[1]) for die in lying)
            if place.inside_mm(x, y) > EDGE_MM - 3 and all(apart > TAKEN_MM for apart in near):
                spots.append(at)
    return spots


def carried(setting: Setting, dice: Sequence[RestingDie], spots: Sequence[PointMm]) -> Script:
    """Pick up dice one after the other, and set them down on as many spots."""
    moved = list(zip(dice, spots, strict=False))
    stay = [die for die in setting.lying if all(die is not one for one, _ in moved)]
    way = _Way(setting, moved[0][0].pose.center_mm[0] if moved else 0.0)
    lifted = [way.over(float(die.pose.center_mm[0]), float(die.pose.center_mm[1])) for die, _ in moved]
    items: list[Item] = [(die.body, LyingStill(die.pose)) for die in stay]
    outcome = list(stay)
    for (die, (x, y)), up_ms in zip(moved, lifted, strict=True):
        down_ms = way.over(x, y)
        end = _resting(setting, die, x, y)
        items.append((die.body, Carried(place=die.pose, until_ms=up_ms, end=end, from_ms=down_ms)))
        outcome.append(RestingDie(body=die.body, pose=end, how="flat"))
    last_ms = way.time_ms
    end_ms = way.out()
    return Script(
        end_ms=end_ms,
        items=tuple(items),
        hand=HandWay(tuple(way.points)),
        outcome=tuple(outcome),
        touched_ms=min(lifted, default=setting.start_ms),
        rest_ms=last_ms,
    )


def card_laid(setting: Setting, card: str, at_mm: tuple[float, float]) -> tuple[Script, Paper]:
    """Lay a card down with its middle at a place of the world."""
    way = _Way(setting, at_mm[0])
    down_ms = way.over(*at_mm)
    turn = setting.rng.uniform(-0.06, 0.06)
    items = tuple((die.body, LyingStill(die.pose)) for die in setting.lying)
    script = Script(end_ms=way.out(), items=items, hand=HandWay(tuple(way.points)), outcome=setting.lying)
    return script, Paper(word=card, at_mm=at_mm, turn_rad=turn, from_ms=down_ms)


def set_down(setting: Setting, stay: Sequence[RestingDie], shown: Sequence[RestingDie]) -> Script:
    """Take up all dice that do not stay, and set down those shown: turned dice, or others."""
    way = _Way(setting, 0.0)
    items: list[Item] = [(die.body, LyingStill(die.pose)) for die in stay]
    gone = [die for die in setting.lying if die not in stay]
    items += [(die.body, LyingStill(die.pose, setting.start_ms + PATH_MS)) for die in gone]
    for die in shown:
        down_ms = way.over(float(die.pose.center_mm[0]), float(die.pose.center_mm[1]))
        items.append((die.body, Carried(place=None, until_ms=0, end=die.pose, from_ms=down_ms)))
    last_ms = way.time_ms
    return Script(
        end_ms=way.out(),
        items=tuple(items),
        hand=HandWay(tuple(way.points)),
        outcome=(*stay, *shown),
        touched_ms=setting.start_ms,
        rest_ms=last_ms,
    )


class _Way:
    """The hand's way, point by point."""

    def __init__(self, setting: Setting, x_mm: float) -> None:
        self._x_mm = float(x_mm)
        self.time_ms = setting.start_ms
        self.points = [away(self.time_ms, self._x_mm)]

    def over(self, x_mm: float, y_mm: float) -> float:
        """Come over a place; returns when."""
        last = self.points[-1]
        way_mm = hypot(x_mm - last.x_mm, y_mm - last.y_mm)
        self.time_ms += max(PATH_MS, way_mm / SPEED_MM_PER_MS)
        turn = -atan2(x_mm - self._x_mm, 420) * 0.6
        self.points.append(HandAt(self.time_ms, x_mm, y_mm - 6, turn, "cupped"))
        return self.time_ms

    def out(self) -> float:
        """Leave the picture; returns when it has."""
        self.time_ms += max(260.0, (self.points[-1].y_mm + 280) / 0.95)
        self.points.append(away(self.time_ms, self.points[-1].x_mm))
        return self.time_ms


def _resting(setting: Setting, die: RestingDie, x_mm: float, y_mm: float) -> Pose:
    """The same face up, turned a little, as fingers do."""
    center = np.array([x_mm, y_mm, float(support_mm(die.body, die.pose.turn))], np.float32)
    center[:2] += np.array([setting.rng.uniform(-1.5, 1.5), setting.rng.uniform(-1.5, 1.5)], np.float32)
    return Pose(center, yawed(setting.rng.uniform(-0.5, 0.5)) @ die.pose.turn)
