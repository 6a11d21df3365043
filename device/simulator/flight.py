"""A thrown die's way as the physics gave it, as a motion of the simulated table."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, cos, sin
from random import Random

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie, SimulatedDie, on_side, support_mm, up_side, yawed
from device.simulator.motion import DieCourse, FloatTimes
from device.simulator.physics import KEPT_MS, Launch, MotionTrace

FLAT_RAD = 0.03
"""A die that lies is tilted by less: what is left is the softness of what it lies on."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Flight:
    """A die on its way: as it left the hand, or from where it lay, until it lies or is gone."""

    body: SimulatedDie
    start_ms: float
    centers_mm: Reals
    """(T, 3), one every `KEPT_MS`."""
    quaternions: Reals
    """(T, 4), the real part first."""
    end: Pose
    place: Pose | None = None
    """Where it lay before; None for one that was in the hand."""
    leaves: bool = False
    """Whether it is off the table in the end."""
    pushed_by: int | None = None
    """The number of the die that set it moving."""

    @property
    def end_ms(self) -> float:
        """When it lies, or is gone."""
        return self.start_ms + (len(self.centers_mm) - 1) * KEPT_MS

    @property
    def course(self) -> DieCourse:
        """It was thrown, or another die pushed it."""
        pushed_by = () if self.pushed_by is None else (self.pushed_by,)
        return DieCourse(
            cause="die" if pushed_by else "throw",
            start_ms=self.start_ms,
            end_ms=self.end_ms,
            gone=self.leaves,
            pushed_by=pushed_by,
        )

    def pose(self, time_ms: float) -> Pose | None:
        """The pose on the way; None before it leaves the hand."""
        if time_ms < self.start_ms:
            return self.place
        if time_ms >= self.end_ms:
            return None if self.leaves else self.end
        centers, turns = self.track(np.array([time_ms]))
        return Pose(centers[0], turns[0])

    def track(self, times_ms: FloatTimes) -> tuple[Reals, Reals]:
        """Centres (T, 3) and turns (T, 3, 3) at times from `start_ms` on."""
        at = np.clip((times_ms - self.start_ms) / KEPT_MS, 0, len(self.centers_mm) - 1)
        first = np.minimum(at.astype(int), len(self.centers_mm) - 2)
        part = (at - first).astype(np.float32)[:, None]
        centers = self.centers_mm[first] * (1 - part) + self.centers_mm[first + 1] * part
        between = self.quaternions[first] * (1 - part) + self.quaternions[first + 1] * part
        return centers, turned(between)

    def track_over_table(self, times_ms: FloatTimes) -> Reals:
        """The centres (T, 2) over the table at times from `start_ms` on."""
        at = np.clip((times_ms - self.start_ms) / KEPT_MS, 0, len(self.centers_mm) - 1)
        looks = np.arange(len(self.centers_mm))
        x, y = (np.interp(at, looks, self.centers_mm[:, axis]) for axis in (0, 1))
        found: Reals = np.stack([x, y], axis=1).astype(np.float32)
        return found

    def moved(self, by_mm: tuple[float, float], yaw_rad: float = 0.0) -> "Flight":
        """The same way elsewhere on the same ground: turned about the table's origin, then shifted."""
        turn, step = yawed(yaw_rad), np.array([*by_mm, 0], np.float32)

        def there(pose: Pose) -> Pose:
            return Pose(turn @ pose.center_mm + step, turn @ pose.turn)

        cos, sin = np.float32(np.cos(yaw_rad / 2)), np.float32(np.sin(yaw_rad / 2))
        w, x, y, z = self.quaternions.T
        turns = (cos * w - sin * z, cos * x - sin * y, cos * y + sin * x, cos * z + sin * w)
        return replace(
            self,
            centers_mm=self.centers_mm @ turn.T + step,
            quaternions=np.stack(turns, axis=1),
            end=there(self.end),
            place=self.place and there(self.place),
        )


def turned(quaternions: Reals) -> Reals:
    """Rotations (T, 3, 3) of quaternions (T, 4) of any length."""
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    found: Reals = np.moveaxis(np.array(rows, np.float32), 2, 0)
    return found


def flown(
    body: SimulatedDie,
    way: MotionTrace,
    start_ms: float,
    *,
    place: Pose | None = None,
    pushed_by: int | None = None,
) -> Flight:
    """The motion of a way; the hand opened at `start_ms`. No die is seen to sink into what it lies on."""
    turns = turned(way.quaternions)
    centers = way.centers_mm.copy()
    on_table = centers[:, 2] > 0
    centers[on_table, 2] = np.maximum(centers[:, 2], support_mm(body, turns))[on_table]
    end = Pose(centers[-1], turns[-1])
    return Flight(
        body=body,
        start_ms=start_ms + way.start_ms,
        centers_mm=centers,
        quaternions=way.quaternions,
        end=end if way.gone else _settled(body, end),
        place=place,
        leaves=way.gone,
        pushed_by=pushed_by,
    )


def at_rest(flight: Flight) -> RestingDie | None:
    """The die as it lies flat on the table in the end; None where it is gone, leans, or lies on something."""
    flat = abs(float(flight.end.center_mm[2]) - _flat_mm(flight.body)) < 0.1
    if flight.leaves or not flat:
        return None
    return RestingDie(body=flight.body, pose=flight.end, how="flat")


def _flat_mm(body: SimulatedDie) -> float:
    """How high the middle of a die is that lies flat."""
    return float(support_mm(body, on_side(body, 0)))


def _settled(body: SimulatedDie, pose: Pose) -> Pose:
    """The pose of a die that lies: exactly level where it is all but level."""
    side = up_side(body, pose)
    level = on_side(body, side)
    # The level turn with the same side up that is nearest: yawed as the found one is.
    spin = pose.turn @ level.T
    yaw = float(np.arctan2(spin[1, 0] - spin[0, 1], spin[0, 0] + spin[1, 1]))
    turn: Reals = yawed(yaw) @ level
    off = np.arccos(np.clip((np.trace(turn.T @ pose.turn) - 1) / 2, -1, 1))
    if off > FLAT_RAD:
        return pose
    center = pose.center_mm.copy()
    if abs(float(center[2]) - _flat_mm(body)) < 0.3:
        center[2] = support_mm(body, turn)
    return Pose(center, turn)


# How dice leave a hand: rolling off the fingers, pushed flat over the table, or hurled to the side.

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
