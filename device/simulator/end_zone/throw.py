"""Planning one die's way down the End Zone table: where it stops, what it hits, and when.

It comes from the other end, beyond the picture, and stops where it was aimed; all in the frame of the end it
is thrown to. Dice never go through one another: a way that would is planned anew.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin
from random import Random

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie, SimulatedDie, boxes_apart_mm, rotations, support_mm, yawed
from device.simulator.end_zone.table import on_table, planned
from device.simulator.motion import Course, FloatTimes, LyingStill, Motion, Tumble, eased
from device.simulator.throw import flat_pose

TRIES = 120
FROM_Y_MM = 1360.0
"""A die comes into the picture from here: beyond the halfway tape, beyond the picture."""
RELEASED_Y_MM = 2010.0
"""Where the other end has a camera, too, a die is seen from here: it was let go over that end's 2 zone."""
CLEAR_MM = 0.4
STEP_MS = 6.0
CLOSE_MM = 0.05
"""A die that stops on a line is nearer to its edge than anybody could say."""
AIMS = ("throw", "short", "line", "dot", "touch", "bump", "floor")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Knocked:
    """A lying die that another one hits: it slides on, turns, and may roll over onto its next side."""

    body: SimulatedDie
    start_ms: float
    end_ms: float
    place: Pose
    way_mm: tuple[float, float]
    axis: Reals
    roll_rad: float
    spin_rad: float
    by: int
    """The number of the die that hits it."""

    def pose(self, time_ms: float) -> Pose | None:
        """The pose; fast at first, as a knock is."""
        if time_ms <= self.start_ms:
            return self.place
        if time_ms >= self.end_ms:
            return self.end
        return self._at((time_ms - self.start_ms) / (self.end_ms - self.start_ms))

    @property
    def course(self) -> Course:
        """A die moves it."""
        return Course(cause="die", start_ms=self.start_ms, end_ms=self.end_ms, pushed_by=(self.by,))

    @property
    def end(self) -> Pose:
        """Where it stays."""
        return self._at(1.0)

    def _at(self, part: float) -> Pose:
        along = 1 - (1 - part) ** 2
        roll = rotations(self.axis, np.array([self.roll_rad * eased(along)]))[0]
        turn: Reals = yawed(self.spin_rad * along) @ roll @ self.place.turn
        x, y = (
            float(at) + way * along for at, way in zip(self.place.center_mm[:2], self.way_mm, strict=True)
        )
        return Pose(np.array([x, y, float(support_mm(self.body, turn))], np.float32), turn)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Way:
    """One throw, planned to its end."""

    motions: tuple[tuple[SimulatedDie, Motion], ...]
    """The motion of the die, and of one that it hits."""
    lying: tuple[RestingDie, ...]
    """The same dice where they lie in the end; empty for a die off the table."""
    end_ms: float


def thrown(
    rng: Random,
    aim: str,
    body: SimulatedDie,
    lying: Sequence[RestingDie],
    start_ms: float,
    from_y_mm: float = FROM_Y_MM,
) -> Way:
    """A way that ends as `aim` (one of `AIMS`) says; ValueError, in a sentence, when none is found."""
    for _ in range(TRIES):
        if aim == "bump":
            way = _bump(rng, body, lying, start_ms, from_y_mm)
        else:
            way = _stop(rng, aim, body, lying, start_ms, from_y_mm)
        if way is not None:
            return way
    raise ValueError("There is no way to throw the die like that now. Take the others away first.")


def _stop(
    rng: Random, aim: str, body: SimulatedDie, lying: Sequence[RestingDie], start_ms: float, from_y_mm: float
) -> Way | None:
    """A die that stops by itself; None when something lies in its way."""
    if aim == "floor" or (aim == "throw" and rng.random() < 0.05):
        end = flat_pose(body, rng.uniform(-120, 120), -170.0, rng.uniform(-pi, pi), rng.randrange(6))
        motion = _tumble(rng, body, end, start_ms, from_y_mm, leaves=True)
        free = _clear(body, motion, [(one.body, LyingStill(one.pose)) for one in lying], motion.end_ms - 1)
        return Way(motions=((body, motion),), lying=(), end_ms=motion.end_ms) if free else None
    end = _place(rng, aim, body, lying)
    motion = _tumble(rng, body, end, start_ms, from_y_mm)
    if not _clear(body, motion, [(one.body, LyingStill(one.pose)) for one in lying], motion.end_ms):
        return None
    return Way(
        motions=((body, motion),), lying=(RestingDie(body=body, pose=end, how="flat"),), end_ms=motion.end_ms
    )


def _place(rng: Random, aim: str, body: SimulatedDie, lying: Sequence[RestingDie]) -> Pose:
    """Where the die comes to rest."""
    yaw, side = rng.uniform(-pi, pi), rng.randrange(6)
    plan = planned()
    x, y = rng.gauss(0, 62), rng.triangular(12, 470, 250)
    match aim:
        case "line":
            x, y = _on_line(rng, body, yaw)
        case "dot" if plan.end_zone.dot:
            (x, y), *_ = on_table(np.array([[plan.end_zone.dot.x_mm, plan.end_zone.dot.y_mm]]))
            yaw = rng.gauss(0, 0.1)
            x, y = x + rng.uniform(-1.2, 1.2), y + rng.uniform(-1.2, 1.2)
        case "touch" if lying:
            other, facing = rng.choice(lying), rng.uniform(-0.6, 0.6) + pi / 2
            apart = 16.0 + rng.uniform(0.4, 4.0)
            x = float(other.pose.center_mm[0]) + apart * cos(facing)
            y = float(other.pose.center_mm[1]) + apart * sin(facing)
        case "short":
            y = plan.table.halfway_y_mm - rng.uniform(-8, 18)
        case _ if (luck := rng.random()) < 0.13:
            y = rng.uniform(490, 1100)
        case _ if luck < 0.17:
            x = rng.choice((-1, 1)) * rng.uniform(150, 260)
        case _:
            pass
    return flat_pose(body, float(x), float(y), yaw, side)


def _on_line(rng: Random, body: SimulatedDie, yaw: float) -> tuple[float, float]:
    """A place from which the die just touches, or just does not touch, the front line of a zone."""
    zone = rng.choice(planned().end_zone.zone)
    corners = np.array(zone.polygon_mm)
    front, room = float(corners[:, 1].max()), float(np.abs(corners[:, 0]).max()) - 16
    inner = body.edge_mm / 2 - body.fillet_mm
    reach = inner * (abs(cos(yaw)) + abs(sin(yaw))) + body.fillet_mm
    at = np.array([[rng.uniform(-room, room), front + reach + rng.uniform(-CLOSE_MM, CLOSE_MM)]])
    x, y = on_table(at)[0]
    return float(x), float(y)


def _tumble(
    rng: Random, body: SimulatedDie, end: Pose, start_ms: float, from_y_mm: float, *, leaves: bool = False
) -> Tumble:
    start = np.array([float(end.center_mm[0]) * 0.4 + rng.uniform(-110, 110), from_y_mm], np.float32)
    length = hypot(*(float(part) for part in end.center_mm[:2] - start))
    return Tumble(
        body=body,
        start_ms=start_ms,
        end_ms=start_ms + 420 + 0.75 * length + rng.uniform(0, 160),
        end=end,
        from_mm=start,
        spin_rad=rng.uniform(-3, 3),
        hop_mm=rng.uniform(10, 34),
        leaves=leaves,
    )


def _bump(
    rng: Random, body: SimulatedDie, lying: Sequence[RestingDie], start_ms: float, from_y_mm: float
) -> Way | None:
    """A die that hits another and stops where that one lay; None when this one does not work."""
    flat = [one for one in lying if one.how == "flat"]
    if not flat:
        raise ValueError("No die lies there that could be hit. Throw one first.")
    hit = rng.choice(flat)
    others = [(one.body, LyingStill(one.pose)) for one in lying if one is not hit]
    x, y = (float(part) for part in hit.pose.center_mm[:2])
    end = flat_pose(
        body, x + rng.uniform(-5, 5), y + rng.uniform(0, 12), rng.uniform(-pi, pi), rng.randrange(6)
    )
    motion = _tumble(rng, body, end, start_ms, from_y_mm)
    hit_ms = _touches_ms(body, motion, hit)
    lean, far = rng.uniform(-0.5, 0.5), rng.uniform(30, 80)
    way = (far * sin(lean), -far * cos(lean))
    axis, quarter = _own_axis(hit, way), rng.choice((0, 0, 1))
    knocked = Knocked(
        body=hit.body,
        start_ms=hit_ms,
        end_ms=hit_ms + 260 + 2.2 * far,
        place=hit.pose,
        way_mm=way,
        axis=axis,
        roll_rad=quarter * pi / 2,
        spin_rad=rng.uniform(-0.8, 0.8),
        by=body.number,
    )
    end_ms = max(motion.end_ms, knocked.end_ms)
    rests = RestingDie(body=hit.body, pose=knocked.end, how="flat")
    if min(float(rests.pose.center_mm[1]), y) < 10 or not _clear(
        body, motion, [*others, (hit.body, knocked)], end_ms, apart_mm=-0.6
    ):
        return None
    if not _clear(hit.body, knocked, others, end_ms, since_ms=hit_ms):
        return None
    new = RestingDie(body=body, pose=end, how="flat")
    return Way(motions=((hit.body, knocked), (body, motion)), lying=(rests, new), end_ms=end_ms)


def _own_axis(die: RestingDie, way: tuple[float, float]) -> Reals:
    """The level axis of the die over which it would roll that way."""
    across = np.array([-way[1], way[0], 0.0], np.float32)
    sides = [die.pose.turn[:, axis] for axis in range(3) if abs(float(die.pose.turn[2, axis])) < 0.5]
    best = max(sides, key=lambda side: abs(float(side @ across)))
    found: Reals = best * np.sign(float(best @ across))
    return found


def _touches_ms(body: SimulatedDie, motion: Tumble, hit: RestingDie) -> float:
    """When the rolling die is about to touch the lying one."""
    times = np.arange(motion.start_ms, motion.end_ms, STEP_MS)
    near = _apart(body, motion, hit.body, LyingStill(hit.pose), times) < 1.5
    return float(times[int(np.argmax(near))]) if near.any() else motion.end_ms


def _clear(
    body: SimulatedDie,
    motion: Motion,
    others: Sequence[tuple[SimulatedDie, Motion]],
    end_ms: float,
    *,
    since_ms: float | None = None,
    apart_mm: float = CLEAR_MM,
) -> bool:
    """Whether the die keeps so far from all the others until the end."""
    start_ms = motion.start_ms if isinstance(motion, Tumble) else (since_ms or 0.0)
    times = np.append(np.arange(start_ms, end_ms, STEP_MS), end_ms)
    return all(float(_apart(body, motion, other, way, times).min()) >= apart_mm for other, way in others)


def _apart(
    a: SimulatedDie, a_motion: Motion, b: SimulatedDie, b_motion: Motion, times_ms: FloatTimes
) -> Reals:
    """How far (mm) two dice are apart at each time; far more than enough where they are not near."""
    a_centers, a_turns = _track(a_motion, times_ms)
    b_centers, b_turns = _track(b_motion, times_ms)
    found: Reals = np.linalg.norm(a_centers - b_centers, axis=1).astype(np.float32)
    near = found < 40
    if near.any():
        found[near] = boxes_apart_mm(a, a_centers[near], a_turns[near], b, b_centers[near], b_turns[near])
    return found


def _track(motion: Motion, times_ms: FloatTimes) -> tuple[Reals, Reals]:
    """Centres (T, 3) and turns (T, 3, 3)."""
    if isinstance(motion, Tumble):
        return motion.track(times_ms)
    if isinstance(motion, LyingStill):
        count = len(times_ms)
        place = motion.place
        return np.broadcast_to(place.center_mm, (count, 3)), np.broadcast_to(place.turn, (count, 3, 3))
    poses = [pose for pose in (motion.pose(float(time)) for time in times_ms) if pose]
    return np.array([pose.center_mm for pose in poses]), np.array([pose.turn for pose in poses])
