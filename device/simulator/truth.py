"""What truly happened to each die of the simulated table: for tests and benchmarks, and for nobody else.

Every act of the hand leaves one `ActStory`, from its beginning on: acts are planned to their end, so what
will have happened is known then. Nothing here knows how a watcher finds it out. Lengths are in mm in the
table frame, times in ms on the frames' clock; by a real one they are behind it by as long as it took to plan
the acts (`World.stand_until`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import isfinite
from typing import Literal

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import How, Pose, RestingDie, SimulatedDie, up_side
from device.simulator.motion import DieCourse, Motion
from engine.dice import Face

Edge = Literal["left", "right", "near", "far"]
"""The sides of a table: x runs from left to right, y from near to far."""
BoundsMm = tuple[float, float, float, float]
"""Where a table ends: least x, least y, greatest x, greatest y."""

LOOK_MS = 2.0
"""Ways are looked at so often: between two looks a fast die tips by less than half a side."""
SLID_MM = 12.0
"""Who comes so far without tipping has slid; a shorter way is a die that was set down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueRelease:
    """Where and when a die left the hand."""

    time_ms: float
    center_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueDeparture:
    """Over which side of the table a die left it, and when."""

    time_ms: float
    over: Edge


@dataclass(frozen=True, kw_only=True, eq=False)
class DieStory:
    """One die in one act."""

    body: SimulatedDie
    """Its number names the die for as long as it is in sight."""
    motion: Motion
    rest_ms: float | None
    """Since when it lies where the act leaves it, maybe since an earlier act; None for one that is gone."""
    lying: RestingDie | None
    """How it lies in the end; None for one that is gone."""
    bounds_mm: BoundsMm
    """Where the table ends."""

    @property
    def course(self) -> DieCourse:
        """What moved it, and from when to when."""
        return self.motion.course

    @property
    def thrown(self) -> bool:
        """Whether it was thrown in this act."""
        return self.course.cause == "throw"

    @property
    def pushed_by(self) -> tuple[int, ...]:
        """The numbers of the dice that moved it while it lay still, the first one first."""
        return self.course.pushed_by

    @property
    def touched(self) -> bool:
        """Whether a hand moved it after it lay still, or took it away."""
        return self.course.cause == "hand"

    @property
    def how(self) -> How | None:
        """How it lies in the end."""
        return self.lying.how if self.lying else None

    @property
    def up(self) -> Face | None:
        """What it shows in the end."""
        return self.lying.up if self.lying else None

    @property
    def release(self) -> TrueRelease | None:
        """Where it left the hand; None where it was not thrown."""
        pose = self.pose(self.course.start_ms) if self.thrown else None
        if pose is None:
            return None
        x, y, z = (float(part) for part in pose.center_mm)
        return TrueRelease(time_ms=self.course.start_ms, center_mm=(x, y, z))

    @cached_property
    def departure(self) -> TrueDeparture | None:
        """Where it left the table; None where it did not."""
        if not self.course.gone or self.course.cause not in {"throw", "die"}:
            return None
        times, poses = self._moving_part
        low, high = np.array(self.bounds_mm[:2]), np.array(self.bounds_mm[2:])
        for time_ms, pose in zip(times, poses, strict=True):
            beyond = np.concatenate([low - pose.center_mm[:2], pose.center_mm[:2] - high])
            if beyond.max() > 0:
                edges: tuple[Edge, ...] = ("left", "near", "right", "far")
                return TrueDeparture(time_ms=time_ms, over=edges[int(beyond.argmax())])
        return None

    @cached_property
    def tips(self) -> int:
        """How often another side came to look up, from the hand (or the push) to rest."""
        _, poses = self._moving_part
        ups = [up_side(self.body, pose) for pose in poses]
        return sum(a != b for a, b in pairwise(ups))

    @cached_property
    def way_mm(self) -> float:
        """How far its middle moved over the table meanwhile."""
        _, poses = self._moving_part
        over: Reals = np.array([pose.center_mm[:2] for pose in poses], np.float32).reshape(-1, 2)
        return float(np.hypot(*np.diff(over, axis=0).T).sum())

    @property
    def slid(self) -> bool:
        """Whether it was thrown, and came all its way without tipping once."""
        return self.thrown and self.tips == 0 and self.way_mm > SLID_MM

    @property
    def rolled(self) -> bool:
        """Whether it was thrown, and other sides came up on its way."""
        return self.thrown and self.tips > 0

    def pose(self, time_ms: float) -> Pose | None:
        """Where it is during the act; None while it is in a hand or off the table."""
        return self.motion.pose(time_ms)

    def rests(self, time_ms: float) -> bool:
        """Whether it lies still at that moment of the act: before it is moved, or after."""
        course = self.course
        before = time_ms < course.start_ms and course.cause != "throw"
        return before or (time_ms >= course.end_ms and not course.gone)

    @property
    def _moving_part(self) -> tuple[list[float], list[Pose]]:
        """Moments from its first move to its last, and where it is seen then."""
        start_ms, end_ms = self.course.start_ms, self.course.end_ms
        if not (isfinite(start_ms) and isfinite(end_ms)):
            return [], []
        times = [*np.arange(start_ms, end_ms, LOOK_MS).tolist(), end_ms]
        seen = [(time_ms, pose) for time_ms in times if (pose := self.pose(time_ms))]
        return [time_ms for time_ms, _ in seen], [pose for _, pose in seen]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ActStory:
    """One act of the hand, and what becomes of every die in sight."""

    act: str
    """Its name among the world's `acts`."""
    start_ms: float
    end_ms: float
    dice: tuple[DieStory, ...]

    @property
    def thrown(self) -> tuple[DieStory, ...]:
        """The dice that were thrown."""
        return tuple(die for die in self.dice if die.thrown)

    def die(self, number: int) -> DieStory | None:
        """The die of that number."""
        return next((die for die in self.dice if die.body.number == number), None)


def tell_stories(
    items: Sequence[tuple[SimulatedDie, Motion]],
    outcome: Sequence[RestingDie],
    rested_ms: Mapping[int, float],
    bounds_mm: BoundsMm,
) -> tuple[DieStory, ...]:
    """The dice of an act that ends in `outcome`; `rested_ms`: since when each lay before, by its number."""
    lying = {die.body.number: die for die in outcome}
    stories = []
    for body, motion in items:
        course = motion.course
        rest_ms = rested_ms.get(body.number) if course.cause == "nothing" else course.end_ms
        stories.append(
            DieStory(
                body=body,
                motion=motion,
                rest_ms=None if course.gone else rest_ms,
                lying=lying.get(body.number),
                bounds_mm=bounds_mm,
            )
        )
    return tuple(stories)
