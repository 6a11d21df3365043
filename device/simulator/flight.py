"""A thrown die's way as the physics gave it, as a motion of the simulated table."""

from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie, SimulatedDie, on_side, support_mm, up_side, yawed
from device.simulator.motion import DieCourse, FloatTimes
from device.simulator.physics import KEPT_MS, MotionTrace

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
