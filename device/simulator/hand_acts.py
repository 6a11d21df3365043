"""What the simulated hand does: each act is planned to its end before it begins."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, inf, pi, radians, sin
from random import Random

import numpy as np

from device.simulator.dice import Pose, RestingDie, SimulatedDie, boxes_apart_mm, support_mm
from device.simulator.hand import Shape
from device.simulator.motion import Carried, HandAt, HandWay, LyingStill, Motion, Push
from device.simulator.throw import CLEAR_MM, TRAY, NoRoom, Throw, ThrowArea, flat_pose
from engine.wording import phrase_later

ACTS: Mapping[str, str] = {
    "throw": phrase_later("Throw the dice"),
    "throw_one_less": phrase_later("Throw, but keep one die in the hand"),
    "throw_one_more": phrase_later("Throw one die too many"),
    "stack": phrase_later("Throw so that two dice end stacked"),
    "cock": phrase_later("Throw so that one die ends leaning"),
    "floor": phrase_later("Throw so that one die falls off the table"),
    "slide": phrase_later("Slide the dice instead of rolling them"),
    "hand": phrase_later("Rest a hand over the table"),
    "nudge": phrase_later("Push one die a little"),
    "turn_over": phrase_later("Turn one die to another face"),
    "clear": phrase_later("Take the dice away"),
}
"""What the simulated hand can do, by name, and the words for a button."""

AWAY_Y_MM = -280.0
THROWS = 6
"""The hand throws anew so often where no room is left for a die that is to lean or to lie on top."""
"""The grip is here when the hand is out of the picture."""

Item = tuple[SimulatedDie, Motion]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Script:
    """One act from `start_ms` to `end_ms`."""

    end_ms: float
    items: tuple[Item, ...]
    hand: HandWay
    outcome: tuple[RestingDie, ...]
    """The dice that lie in the end."""
    touched_ms: float = inf
    """When the first die is touched: from here until `rest_ms` nothing is said to lie."""
    rest_ms: float = inf
    """When the last die has come to rest; infinite where no die is moved."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What an act starts from."""

    rng: Random
    start_ms: float
    lying: tuple[RestingDie, ...]
    bodies: Callable[[int], Sequence[SimulatedDie]]
    """New bodies for a throw: as many as are in play, and so many more or fewer."""
    area: ThrowArea = TRAY
    """Where thrown dice lie: no finger pushes one out of it."""


def plan(name: str, setting: Setting) -> Script:
    """The act called `name`, one of `ACTS`."""
    match name:
        case "hand":
            return _linger(setting)
        case "nudge":
            return _nudge(setting)
        case "turn_over":
            return _turn_over(setting)
        case "clear":
            return _clear(setting)
        case _:
            return _throw(name, setting)


def away(time_ms: float, x_mm: float, turn_rad: float = 0.0, shape: Shape = "open") -> HandAt:
    return HandAt(time_ms, x_mm, AWAY_Y_MM, turn_rad, shape)


def taken(setting: Setting) -> tuple[list[HandAt], list[Item]]:
    """The hand's way over all dice that lie, nearest first, and out again; and when each is gone."""
    left, time_ms = list(setting.lying), setting.start_ms
    if not left:
        return [], []
    x = float(np.mean([die.pose.center_mm[0] for die in left])) + setting.rng.uniform(-15, 15)
    points, items = [away(time_ms, x)], []
    at, speed_mm_per_ms = (x, -150.0), 0.75
    while left:
        die = min(left, key=lambda one: hypot(one.pose.center_mm[0] - at[0], one.pose.center_mm[1] - at[1]))
        left.remove(die)
        there = float(die.pose.center_mm[0]), float(die.pose.center_mm[1])
        way_mm = hypot(there[0] - points[-1].x_mm, there[1] - points[-1].y_mm)
        time_ms += max(110.0, way_mm / speed_mm_per_ms)
        turn = -atan2(there[0] - x, 420) * 0.6
        # Fingers reach a little past the die; it is gone when the hand has covered it.
        points.append(HandAt(time_ms, there[0], there[1] - 6, turn, "cupped"))
        items.append((die.body, LyingStill(die.pose, time_ms)))
        at = there
    time_ms += max(260.0, (at[1] - AWAY_Y_MM) / 0.95)
    points.append(away(time_ms, x))
    return points, list(items)


def _throw(name: str, setting: Setting) -> Script:
    rng = setting.rng
    points, items = taken(setting)
    start_ms = points[-1].time_ms + 220 if points else setting.start_ms
    open_ms = start_ms + 420
    bodies = setting.bodies({"throw_one_less": -1, "throw_one_more": 1}.get(name, 0))
    throw = _thrown(rng, open_ms, name, bodies)
    points += opened(throw, start_ms, open_ms)
    return Script(
        end_ms=max(throw.end_ms, points[-1].time_ms),
        items=(*items, *((die.body, die.motion) for die in throw.thrown)),
        hand=HandWay(tuple(points)),
        outcome=tuple(die.lying for die in throw.thrown if die.lying),
        touched_ms=setting.start_ms,
        rest_ms=throw.end_ms,
    )


def _thrown(rng: Random, open_ms: float, name: str, bodies: Sequence[SimulatedDie]) -> Throw:
    """A throw in which all dice found their places; another one where those of the first left no room."""
    for further in reversed(range(THROWS)):
        throw = Throw(rng, open_ms, rng.uniform(-55, 55))
        try:
            fill(throw, name, bodies)
        except NoRoom:
            if not further:
                raise
        else:
            break
    return throw


def fill(throw: Throw, name: str, bodies: Sequence[SimulatedDie]) -> None:
    """Let the dice land, and the last one as the act called `name` has it: a cube, where there is one."""
    bodies = sorted(bodies, key=lambda body: body.kind != "d4")
    special = {"stack": throw.stack, "cock": throw.lean}.get(name)
    alone = special is None or (name == "stack" and len(bodies) < 2)
    throw.land(bodies if alone else bodies[:-1], slide=name == "slide", lost=name == "floor")
    if special and not alone:
        special(bodies[-1])


def opened(throw: Throw, start_ms: float, open_ms: float) -> list[HandAt]:
    """The hand's way from outside to where it lets go, and out again."""
    x, y = throw.release_mm
    turn = -atan2(x, 500)
    return [
        away(start_ms, x, turn, "cupped"),
        HandAt(open_ms, x, y - 4, turn, "open"),
        HandAt(open_ms + 130, x, y + 14, turn, "open"),
        away(open_ms + 560, x, turn),
    ]


def _clear(setting: Setting) -> Script:
    points, items = taken(setting)
    end_ms = points[-1].time_ms if points else setting.start_ms
    last_ms = max((point.time_ms for point in points[1:-1]), default=setting.start_ms)
    return Script(
        end_ms=end_ms,
        items=tuple(items),
        hand=HandWay(tuple(points)),
        outcome=(),
        touched_ms=setting.start_ms,
        rest_ms=last_ms,
    )


def _linger(setting: Setting) -> Script:
    rng, start = setting.rng, setting.start_ms
    x, y, turn = rng.uniform(-110, 110), rng.uniform(-70, 40), rng.uniform(-0.25, 0.25)
    stay_ms = rng.uniform(2500, 4000)
    points = (
        away(start, x, turn),
        HandAt(start + 600, x, y, turn, "open"),
        HandAt(
            start + 600 + stay_ms / 2, x + rng.uniform(-5, 5), y + rng.uniform(-4, 4), turn + 0.03, "open"
        ),
        HandAt(start + 600 + stay_ms, x, y, turn, "open"),
        away(start + 1200 + stay_ms, x, turn),
    )
    items = tuple((die.body, LyingStill(die.pose)) for die in setting.lying)
    return Script(end_ms=points[-1].time_ms, items=items, hand=HandWay(points), outcome=setting.lying)


def _nudge(setting: Setting) -> Script:
    """A finger pushes one flat die; where none lies, or none has room, it only points."""
    rng, start = setting.rng, setting.start_ms
    dice = [die for die in setting.lying if die.how == "flat"]
    rng.shuffle(dice)
    pushed, end, lean = None, None, 0.0
    for die in dice:
        if pushed is None and (found := _room(setting, die)):
            pushed, (end, lean) = die, found
    target = pushed.pose.center_mm if pushed else np.array([rng.uniform(-60, 60), -40, 0])
    goal = end.center_mm if end else target
    ahead = np.array([-sin(lean), cos(lean)])
    reach = (float(np.abs(pushed.pose.turn[:2].T @ ahead).sum()) * 8 + 7.5) if pushed else 0.0
    first, last = target[:2] - ahead * reach, goal[:2] - ahead * reach
    push_ms, done_ms = start + 750, start + 1150
    points = (
        away(start, float(first[0]) + AWAY_Y_MM * sin(lean) * 0.4, lean, "pointing"),
        HandAt(
            start + 600, float(first[0] - 12 * ahead[0]), float(first[1] - 12 * ahead[1]), lean, "pointing"
        ),
        HandAt(push_ms, float(first[0]), float(first[1]), lean, "pointing"),
        HandAt(done_ms, float(last[0]), float(last[1]), lean, "pointing"),
        away(done_ms + 600, float(last[0]) + AWAY_Y_MM * sin(lean) * 0.4, lean, "pointing"),
    )
    items: list[Item] = [(die.body, LyingStill(die.pose)) for die in setting.lying if die is not pushed]
    outcome = [die for die in setting.lying if die is not pushed]
    if not (pushed and end):
        return Script(
            end_ms=points[-1].time_ms, items=tuple(items), hand=HandWay(points), outcome=setting.lying
        )
    items.append((pushed.body, Push(start_ms=push_ms, end_ms=done_ms, place=pushed.pose, end=end)))
    outcome.append(RestingDie(body=pushed.body, pose=end, how="flat"))
    return Script(
        end_ms=points[-1].time_ms,
        items=tuple(items),
        hand=HandWay(points),
        outcome=tuple(outcome),
        touched_ms=push_ms,
        rest_ms=done_ms,
    )


def _turn_over(setting: Setting) -> Script:
    """A hand takes up one flat die and sets it down where it lay, with another face up; where none has
    another face, or none has room, it only rests over the table."""
    rng, start = setting.rng, setting.start_ms
    dice = [die for die in setting.lying if die.how == "flat"]
    rng.shuffle(dice)
    turned, end = next(((die, end) for die in dice if (end := _other_face(setting, die))), (None, None))
    if turned is None or end is None:
        return _linger(setting)
    x, y = float(turned.pose.center_mm[0]), float(turned.pose.center_mm[1]) - 6
    turn = -atan2(x, 420) * 0.6
    up_ms = start + 700
    down_ms = up_ms + rng.uniform(250, 600)
    points = (
        away(start, x, turn, "cupped"),
        HandAt(up_ms - 100, x, y, turn, "cupped"),
        HandAt(down_ms + 100, x, y, turn, "cupped"),
        away(down_ms + 700, x, turn, "cupped"),
    )
    stay = [die for die in setting.lying if die is not turned]
    lifted = Carried(place=turned.pose, until_ms=up_ms, end=end, from_ms=down_ms)
    return Script(
        end_ms=points[-1].time_ms,
        items=(*((die.body, LyingStill(die.pose)) for die in stay), (turned.body, lifted)),
        hand=HandWay(points),
        outcome=(*stay, RestingDie(body=turned.body, pose=end, how="flat")),
        touched_ms=up_ms,
        rest_ms=down_ms,
    )


def _other_face(setting: Setting, die: RestingDie) -> Pose | None:
    """The die about where it lies, with another face up; None where it has none, or no room."""
    rng, faces = setting.rng, die.body.faces
    sides = [side for side, face in enumerate(faces) if face != die.up]
    for _ in range(12):
        x, y = (float(at) + rng.gauss(0, 1.5) for at in die.pose.center_mm[:2])
        end = flat_pose(die.body, x, y, rng.uniform(-pi, pi), rng.choice(sides))
        if _fits(setting, die, end):
            return end
    return None


def _room(setting: Setting, die: RestingDie) -> tuple[Pose, float] | None:
    """Where a finger could push the die, and its lean; None where others or the rim stand in the way."""
    rng = setting.rng
    for _ in range(12):
        lean, far = radians(rng.uniform(-35, 35)), rng.uniform(7, 14)
        ahead = np.array([-sin(lean), cos(lean), 0], np.float32)
        steps = [Pose(die.pose.center_mm + ahead * (far * part / 4), die.pose.turn) for part in range(1, 5)]
        if all(_fits(setting, die, step) for step in steps):
            return steps[-1], lean
    return None


def _fits(setting: Setting, die: RestingDie, pose: Pose) -> bool:
    """Whether the die has room there, among the others and where dice are thrown."""
    reach = np.array([support_mm(die.body, pose.turn, 0), support_mm(die.body, pose.turn, 1)])
    off = np.abs(pose.center_mm[:2] - np.array(setting.area.centre_mm)) + reach
    inside = bool(np.all(off < np.array(setting.area.half_mm) - 0.5))
    return inside and all(_clear_of(die.body, pose, other) for other in setting.lying if other is not die)


def _clear_of(body: SimulatedDie, pose: Pose, other: RestingDie) -> bool:
    apart = boxes_apart_mm(
        body,
        pose.center_mm[None],
        pose.turn[None],
        other.body,
        other.pose.center_mm[None],
        other.pose.turn[None],
    )
    return float(apart[0]) >= CLEAR_MM
