"""The simulated End Zone's world: dice thrown one at a time from the far end, and hands that take them up.

Which dice stay for the next throw is what the players know from the rules; the box tells it, as it tells how
many dice to have at hand. Where they lie it learns from the pictures alone. With two End Zones every other
player stands at the near end and throws to the far one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import hypot, pi
from random import Random

import numpy as np

from calibration.arrays import Reals
from calibration.ends import End
from device.simulator.dice import FACES_ON, Pose, RestingDie, SimulatedDie, yawed
from device.simulator.end_zone.table import planned, turn
from device.simulator.end_zone.throw import AIMS, Plan, PlannedThrow, thrown
from device.simulator.flight import Flight
from device.simulator.hand_acts import AWAY_Y_MM, Item, Script, Setting, plan
from device.simulator.motion import Carried, HandAt, HandWay, LyingStill, Motion, Push
from device.simulator.throw import ThrowArea
from device.simulator.world import World
from engine.dice import DieKind
from engine.wording import phrase, phrase_later

# From one End Zone's frame to the other's, and back: half a turn about the middle of the table.

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
    x, y = _turn_about(np.array(at_mm))
    return float(x), float(y)


def _pose(pose: Pose) -> Pose:
    center = pose.center_mm.copy()
    center[:2] = _turn_about(center[:2])
    return Pose(center, HALF_TURN @ pose.turn)


def _turn_about(at_mm: Reals) -> Reals:
    found: Reals = (np.array(turn().shift_mm) - at_mm).astype(np.float32)
    return found


# What a hand does to lying dice at the End Zone: the acts of the tray, with an arm from the long side.
#
# The acts are planned as over a tray, where the arm comes from -y, and turned by a quarter to come from
# -x.

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


ACTS: Mapping[str, str] = {
    "throw": phrase_later("Throw the die"),
    "line": phrase_later("Let it stop on a line"),
    "dot": phrase_later("Let it stop on the dot"),
    "bump": phrase_later("Hit a die that lies there"),
    "touch": phrase_later("Let it stop against another"),
    "short": phrase_later("Throw it too short"),
    "floor": phrase_later("Throw it off the table's end"),
    "aside": phrase_later("Throw it off the table's side"),
    "slide": phrase_later("Slide it instead of rolling it"),
    "late": phrase_later("Let it go past the release line"),
    "hand": phrase_later("Rest a hand over the table"),
    "nudge": phrase_later("Push one die a little"),
    "turn_over": phrase_later("Turn one die to another face"),
    "clear": phrase_later("Take the dice away"),
}
"""What the simulated players can do, by name, and the words for a button."""

COLORS = ("ivory", "red", "blue", "green", "black", "yellow")
"""Each player's own dice, by seat."""
HOLLOW = 0.3
"""Shallow pips, 0.2 mm deep: lit from one side, deep ones seem to lie off the face's middle."""
COMING_MS = 450.0
"""How long a hand takes from out of the picture to where it opens."""
AWAY_X_MM = -560.0
REACH_RAD = -pi / 2
"""The arm comes from the long side of the table, at the bottom of the picture."""


class EndZoneWorld(World):
    """Not safe to share between threads; `device.simulator.table` locks it."""

    acts = ACTS

    def __init__(self, rng: Random, *, far_end: bool = False) -> None:
        """An empty table. All chance comes from `rng`."""
        super().__init__(rng)
        side, length = planned().table.surface_width_mm / 2, turn().shift_mm[1]
        self.bounds_mm = (-side, 0.0, side, length)
        self.far_end = far_end
        """Whether there is a second End Zone, into which players throw."""
        self._stay = 0
        self._seat = 0

    def lay(self, kind: DieKind, count: int, colors: Sequence[str] = ()) -> None:  # noqa: ARG002 - one die, the player's own
        """Be ready to throw one pip die at a time, on an empty table."""
        if kind != "pip":
            raise ValueError(phrase("End Zone is played with pip dice; got {kind!r}.", kind=kind))
        self._settle(())
        self._waiting.clear()
        self._stay = 0

    def expect(self, stay: int, seat: int) -> None:
        """The next die is that seat's (from 0); the first `stay` dice that lie there stay for it."""
        self._stay, self._seat = stay, seat

    @property
    def aimed(self) -> End:
        """The end to which the next die is thrown."""
        return "far" if self.far_end and self._seat % 2 else "near"

    def _planned(self, name: str, setting: Setting) -> Script:
        match name:
            case "hand":
                return _linger(setting)
            case "nudge" | "turn_over":
                return done(name, setting, AWAY_X_MM)
            case "clear":
                return _taken(setting.lying, setting.start_ms)
            case _ if name in AIMS:
                return self._thrown(name, setting)
            case _:
                raise ValueError(f"nobody can {name!r} here")

    def _thrown(self, aim: str, setting: Setting) -> Script:
        lying = sorted(setting.lying, key=lambda die: die.body.number)
        stay, gone = lying[: self._stay], lying[self._stay :]
        taken = _taken(gone, setting.start_ms)
        start_ms = taken.end_ms + 120 if gone else setting.start_ms + 60
        # Where no camera is over the thrower's end, nobody sees the hand that throws.
        open_ms = start_ms + (COMING_MS if self.far_end else 0.0)
        way = self._next_throw(aim, stay, setting.rng, open_ms)
        hand = self._hand(taken.hand, way, open_ms) if self.far_end else taken.hand
        moved = {body.number for body, _ in way.motions}
        still = [die for die in stay if die.body.number not in moved]
        items: list[Item] = [(die.body, LyingStill(die.pose)) for die in still]
        last_ms = hand.points[-1].time_ms if hand.points else 0.0
        return Script(
            end_ms=max(way.end_ms + 40, last_ms),
            items=(*taken.items, *items, *way.motions),
            hand=hand,
            outcome=(*still, *way.lying),
            touched_ms=setting.start_ms,
            rest_ms=way.end_ms,
        )

    def _next_throw(self, aim: str, stay: Sequence[RestingDie], rng: Random, start_ms: float) -> PlannedThrow:
        """The next die's way, in the table frame."""
        far, body = self.aimed == "far", self._body()
        there = [lying_across(die) for die in stay] if far else stay
        try:
            way = thrown(Plan(rng, aim, body, there, start_ms))
        except ValueError:  # what was aimed at is not there: just a throw, then
            way = thrown(Plan(rng, "throw", self._body(), there, start_ms))
        if not far:
            return way
        return PlannedThrow(
            motions=tuple((each, motion_across(motion)) for each, motion in way.motions),
            lying=tuple(map(lying_across, way.lying)),
            end_ms=way.end_ms,
            release_mm=place_across(way.release_mm),
        )

    def _hand(self, before: HandWay, way: PlannedThrow, open_ms: float) -> HandWay:
        """A hand that comes over the end from which is thrown, lets go and leaves, after the one `before`."""
        x, y = way.release_mm
        ahead, arm = (1, 0.0) if self.aimed == "far" else (-1, pi)
        out_y = y - 700 * ahead
        points = (
            HandAt(open_ms - COMING_MS, x, out_y, arm, "cupped"),
            HandAt(open_ms, x, y - 4 * ahead, arm, "open"),
            HandAt(open_ms + 110, x, y + 26 * ahead, arm, "open"),
            HandAt(open_ms + 600, x, out_y, arm, "open"),
        )
        gone = tuple(replace(point, out=True) for point in before.points[-1:])
        return HandWay((*before.points[:-1], *gone, *points))

    def _body(self) -> SimulatedDie:
        self._numbers += 1
        edge = self._rng.uniform(15.9, 16.1)
        return SimulatedDie(
            number=self._numbers,
            kind="pip",
            color=COLORS[self._seat % len(COLORS)],
            faces=FACES_ON["pip"],
            edge_mm=edge,
            fillet_mm=planned().dice.corner_radius_mm,
            hollow=HOLLOW,
        )


def _away(time_ms: float, y_mm: float) -> HandAt:
    return HandAt(time_ms, AWAY_X_MM, y_mm, REACH_RAD, "open")


def _taken(dice: Sequence[RestingDie], start_ms: float) -> Script:
    """A hand's way over these dice, nearest first, and out again; of the others it tells nothing."""
    left, time_ms = list(dice), start_ms
    if not left:
        return Script(end_ms=start_ms, items=(), hand=HandWay(()), outcome=(), rest_ms=start_ms)
    y = sum(float(die.pose.center_mm[1]) for die in left) / len(left)
    points = [_away(time_ms, y)]
    items: list[Item] = []
    at = (AWAY_X_MM, y)
    while left:
        die = min(left, key=lambda one: hypot(one.pose.center_mm[0] - at[0], one.pose.center_mm[1] - at[1]))
        left.remove(die)
        there = float(die.pose.center_mm[0]), float(die.pose.center_mm[1])
        time_ms += max(120.0, hypot(there[0] - at[0], there[1] - at[1]) / 1.3)
        # Fingers reach a little past the die; it is gone when the hand has covered it.
        points.append(HandAt(time_ms, there[0] - 6, there[1], REACH_RAD, "cupped"))
        items.append((die.body, LyingStill(die.pose, time_ms)))
        at = there
    last_ms = time_ms
    time_ms += max(260.0, (at[0] - AWAY_X_MM) / 1.5)
    points.append(_away(time_ms, y))
    return Script(
        end_ms=time_ms,
        items=tuple(items),
        hand=HandWay(tuple(points)),
        outcome=(),
        touched_ms=start_ms,
        rest_ms=last_ms,
    )


def _linger(setting: Setting) -> Script:
    rng, start = setting.rng, setting.start_ms
    x, y = rng.uniform(-60, 60), rng.uniform(150, 420)
    stay_ms = rng.uniform(2200, 3200)
    points = (
        _away(start, y),
        HandAt(start + 550, x, y, REACH_RAD, "open"),
        HandAt(start + 550 + stay_ms / 2, x + 4, y - 5, REACH_RAD + 0.03, "open"),
        HandAt(start + 550 + stay_ms, x, y, REACH_RAD, "open"),
        _away(start + 1150 + stay_ms, y),
    )
    items = tuple((die.body, LyingStill(die.pose)) for die in setting.lying)
    return Script(end_ms=points[-1].time_ms, items=items, hand=HandWay(points), outcome=setting.lying)
