"""How things move over the simulated table: each motion is a pure function of time (ms)."""

from dataclasses import dataclass
from math import inf, isfinite, pi
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Reals
from device.simulator.dice import UPRIGHT, Pose, SimulatedDie, rotations, support_mm
from device.simulator.hand import HandPose, Shape

FloatTimes = NDArray[np.float64]


Cause = Literal["nothing", "throw", "hand", "die"]
"""What moves a die."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DieCourse:
    """What becomes of a die on its way: what moved it, when it moved first and when it lay again."""

    cause: Cause = "nothing"
    start_ms: float = -inf
    """When a thrown die left the hand."""
    end_ms: float = -inf
    gone: bool = False
    """Whether it is out of sight from `end_ms` on: in a hand, or off the table."""
    pushed_by: tuple[int, ...] = ()
    """The numbers of the dice that moved it while it lay still, the first one first."""


class Motion(Protocol):
    """A die's way through time."""

    @property
    def course(self) -> DieCourse:
        """What becomes of the die."""
        ...

    def pose(self, time_ms: float) -> Pose | None:
        """Where the die is; None while it is in a hand or off the table. At rest always the same object."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class LyingStill:
    """A die that lies, until a hand takes it (if one does)."""

    place: Pose
    until_ms: float = float("inf")

    def pose(self, time_ms: float) -> Pose | None:
        """The place, until it is taken."""
        return self.place if time_ms < self.until_ms else None

    @property
    def course(self) -> DieCourse:
        """It lies, or a hand takes it."""
        if not isfinite(self.until_ms):
            return DieCourse()
        return DieCourse(cause="hand", start_ms=self.until_ms, end_ms=self.until_ms, gone=True)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tumble:
    """A thrown die on a way that was made for it: rolls without slipping, hops, spins, and lies at `end`.

    Its lowest corner never is below the felt. With `arc_mm` it flies instead: so it lands on top of another
    die, `floor_mm` high. How dice are thrown that may lie anywhere, physics says (`Flight`).
    """

    body: SimulatedDie
    start_ms: float
    end_ms: float
    end: Pose
    from_mm: Reals
    spin_rad: float
    hop_mm: float
    arc_mm: float = 0.0
    floor_mm: float = 0.0

    def pose(self, time_ms: float) -> Pose | None:
        """The pose on the way; None before it leaves the hand."""
        if time_ms < self.start_ms:
            return None
        if time_ms >= self.end_ms:
            return self.end
        centers, turns = self.track(np.array([time_ms]))
        return Pose(centers[0], turns[0])

    @property
    def course(self) -> DieCourse:
        """It was thrown."""
        return DieCourse(cause="throw", start_ms=self.start_ms, end_ms=self.end_ms)

    def track(self, times_ms: FloatTimes) -> tuple[Reals, Reals]:
        """Centres (T, 3) and turns (T, 3, 3) at times from `start_ms` on."""
        left_time, left = self._left(times_ms)
        way = self.end.center_mm[:2] - self.from_mm
        length = float(np.hypot(*way))
        axis = np.array([-way[1], way[0], 0], np.float32) / max(length, 1e-6)
        rolls = rotations(axis, -left * length / (self.body.edge_mm * 0.62))
        turns = rotations(UPRIGHT, self.spin_rad * left) @ rolls @ self.end.turn
        centers = np.empty((len(times_ms), 3), np.float32)
        centers[:, :2] = self.end.center_mm[:2] - left[:, None] * way
        centers[:, 2] = support_mm(self.body, turns) + self._above(left_time)
        return centers, turns

    def track_over_table(self, times_ms: FloatTimes) -> Reals:
        """The centres (T, 2) over the table at times from `start_ms` on; much quicker than `track`."""
        _, left = self._left(times_ms)
        way = self.end.center_mm[:2] - self.from_mm
        return np.asarray(self.end.center_mm[:2] - left[:, None] * way, np.float32)

    def _left(self, times_ms: FloatTimes) -> tuple[FloatTimes, FloatTimes]:
        """The shares of the time and of the way that are left."""
        left_time = np.clip((self.end_ms - times_ms) / (self.end_ms - self.start_ms), 0, 1)
        return left_time, left_time**2

    def _above(self, left: FloatTimes) -> FloatTimes:
        """How high the lowest point is over the felt when `left` of the time is left."""
        hop = self.hop_mm * left * left * np.abs(np.sin(3 * pi * left))
        # It leaves the hand at some height and falls.
        drop = 34 * np.maximum(0.0, (left - 0.8) / 0.2) ** 2
        rise = (1 - left) ** 2 * (1 + 2 * left)
        found: FloatTimes = hop + drop + self.arc_mm * 4 * left * (1 - left) + self.floor_mm * rise
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Carried:
    """A die that a hand lifts from one place and sets down at another; in between it is in the hand."""

    place: Pose | None
    """Where it lay before; None for one that comes from a pocket or a box."""
    until_ms: float
    end: Pose
    from_ms: float

    def pose(self, time_ms: float) -> Pose | None:
        """One place, none, the other."""
        if time_ms < self.until_ms:
            return self.place
        return self.end if time_ms >= self.from_ms else None

    @property
    def course(self) -> DieCourse:
        """A hand has it meanwhile."""
        return DieCourse(cause="hand", start_ms=self.until_ms, end_ms=self.from_ms)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Push:
    """A lying die that a finger shifts without turning it."""

    start_ms: float
    end_ms: float
    place: Pose
    end: Pose

    def pose(self, time_ms: float) -> Pose | None:
        """The pose; smooth at both ends."""
        if time_ms <= self.start_ms:
            return self.place
        if time_ms >= self.end_ms:
            return self.end
        part = eased((time_ms - self.start_ms) / (self.end_ms - self.start_ms))
        return Pose(
            self.place.center_mm + (self.end.center_mm - self.place.center_mm) * part, self.place.turn
        )

    @property
    def course(self) -> DieCourse:
        """A finger shifts it."""
        return DieCourse(cause="hand", start_ms=self.start_ms, end_ms=self.end_ms)


@dataclass(frozen=True, slots=True)
class HandAt:
    """A point on the hand's way."""

    time_ms: float
    x_mm: float
    y_mm: float
    turn_rad: float
    shape: Shape
    """The shape from here on."""
    out: bool = False
    """Whether there is no hand from here to the next point."""


@dataclass(frozen=True, slots=True)
class HandWay:
    """The hand's way through points in time; before the first and after the last there is no hand."""

    points: tuple[HandAt, ...]

    def pose(self, time_ms: float) -> HandPose | None:
        """Where the hand is."""
        for a, b in zip(self.points, self.points[1:], strict=False):
            if a.time_ms <= time_ms < b.time_ms and not a.out:
                part = eased((time_ms - a.time_ms) / (b.time_ms - a.time_ms))
                return HandPose(
                    a.x_mm + (b.x_mm - a.x_mm) * part,
                    a.y_mm + (b.y_mm - a.y_mm) * part,
                    a.turn_rad + (b.turn_rad - a.turn_rad) * part,
                    a.shape,
                )
        return None


def eased(part: float) -> float:
    """0 to 1, slow at both ends."""
    return part * part * (3 - 2 * part)
