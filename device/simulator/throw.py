"""Planning where thrown dice come to rest and how they get there, so that no two ever overlap."""

from collections.abc import Callable
from dataclasses import dataclass
from math import atan2, cos, inf, pi, radians, sin
from random import Random

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import (
    How,
    Pose,
    RestingDie,
    SimulatedDie,
    boxes_apart_mm,
    on_side,
    side_up,
    support_mm,
    yawed,
)
from device.simulator.ground import TRAY_HALF_MM
from device.simulator.motion import FloatTimes, Tumble

Placing = Callable[[SimulatedDie], Pose]
"""Where a die could come to rest; asked again until a place suits."""

TRIES = 400
STEP_MS = 5.0
"""Ways are looked at so often: two fast dice come some 6 mm nearer in that time, at a corner much less."""
RELEASE_Y_MM = -78.0
CLEAR_MM = 0.8
"""Dice keep so much apart on their way: less than is seen, more than rounding."""
TOUCH_MM = -0.01
"""The same for a die and the one that it comes to lie on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowArea:
    """Where dice are thrown: a rectangle, and how far in the hand opens."""

    centre_mm: tuple[float, float] = (0.0, 0.0)
    half_mm: tuple[float, float] = TRAY_HALF_MM
    release_y_mm: float = RELEASE_Y_MM


TRAY = ThrowArea()


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """One die's part of a throw."""

    body: SimulatedDie
    motion: Tumble
    lying: RestingDie | None
    """None for a die that left the table."""


def flat_pose(
    body: SimulatedDie, x_mm: float, y_mm: float, yaw_rad: float, side: int, floor_mm: float = 0.0
) -> Pose:
    """A die flat on the felt, or on something `floor_mm` high."""
    turn = on_side(body, side)
    center = np.array([x_mm, y_mm, floor_mm + float(support_mm(body, turn))], np.float32)
    return Pose(center, yawed(yaw_rad) @ turn)


class Throw:
    """Plans one throw, die by die; each new die keeps clear of those before it."""

    def __init__(self, rng: Random, start_ms: float, hand_x_mm: float, field: ThrowArea = TRAY) -> None:
        """The hand opens at `start_ms` at `hand_x_mm`, near the field's front."""
        self._rng = rng
        self._field = field
        self._start_ms = start_ms
        self._hand_x_mm = hand_x_mm
        self.thrown: list[Thrown] = []

    @property
    def end_ms(self) -> float:
        """When the last die comes to rest."""
        return max((die.motion.end_ms for die in self.thrown), default=self._start_ms)

    def land(self, body: SimulatedDie) -> None:
        """A die that comes to rest flat on the felt."""
        self._add(body, self._somewhere, "flat")

    def lean(self, body: SimulatedDie) -> None:
        """A die that comes to rest leaning on another die or on the rim: cocked."""
        flat = [die.lying for die in self.thrown if die.lying and die.lying.how == "flat"]

        def leaning(die: SimulatedDie) -> Pose:
            # Most dice stand where one rolling up to them would hit them first; then it is tried elsewhere.
            on_die = bool(flat) and self._rng.random() < 0.85
            return self._on_die(die, self._rng.choice(flat)) if on_die else self._on_rim(die)

        self._add(body, leaning, "cocked")

    def stack(self, body: SimulatedDie) -> None:
        """A die that comes to rest on top of another one."""
        flat = [index for index, die in enumerate(self.thrown) if die.lying and die.lying.how == "flat"]
        below = self.thrown[(index := self._rng.choice(flat))]
        under = below.motion.end.center_mm

        def on_top(die: SimulatedDie) -> Pose:
            aside, yaw = self._rng.uniform(0, 2.5), self._rng.uniform(-pi, pi)
            x, y = float(under[0]) + aside * cos(3 * yaw), float(under[1]) + aside * sin(3 * yaw)
            side = self._rng.randrange(len(die.faces))
            return flat_pose(die, x, y, yaw, side, below.body.edge_mm)

        self._add(
            body,
            on_top,
            "stacked",
            after_ms=below.motion.end_ms - self._start_ms,
            arc_mm=75,
            on=below,
        )
        lying = RestingDie(body=below.body, pose=below.motion.end, how="covered")
        self.thrown[index] = Thrown(below.body, below.motion, lying)

    def lose(self, body: SimulatedDie) -> None:
        """A die that jumps over the rim and falls off the table."""

        def beyond(die: SimulatedDie) -> Pose:
            side = self._rng.choice((-1, 1))
            face = self._rng.randrange(len(die.faces))
            return flat_pose(die, side * 320, self._rng.uniform(-20, 130), 0, face)

        self._add(body, beyond, None, arc_mm=85)

    def _add(
        self,
        body: SimulatedDie,
        place: Placing,
        how: How | None,
        *,
        after_ms: float = 0.0,
        arc_mm: float = 0.0,
        on: Thrown | None = None,
    ) -> None:
        floor_mm = on.body.edge_mm if on else 0.0
        for attempt in range(TRIES):
            end = place(body)
            # Who finds no way among the others leaves the hand later.
            motion = self._way(body, end, after_ms + 4 * attempt, arc_mm, floor_mm, leaves=how is None)
            if all(
                clear(body, motion, other.body, other.motion, TOUCH_MM if other is on else CLEAR_MM)
                for other in self.thrown
            ):
                lying = RestingDie(body=body, pose=end, how=how) if how else None
                self.thrown.append(Thrown(body, motion, lying))
                return
        raise ValueError("There is no room left on the table for so many dice. Throw fewer.")

    def _way(
        self, body: SimulatedDie, end: Pose, after_ms: float, arc_mm: float, floor_mm: float, *, leaves: bool
    ) -> Tumble:
        rng, x = self._rng, self._hand_x_mm + self._rng.uniform(-46, 46)
        start = np.array([x, self._field.release_y_mm + rng.uniform(-14, 6)], np.float32)
        length = float(np.hypot(*(end.center_mm[:2] - start)))
        late_ms = self._start_ms + after_ms + rng.uniform(0, 30) + 25 * len(self.thrown)
        last_ms = 330 + 2.4 * length + rng.uniform(0, 180)
        return Tumble(
            body=body,
            start_ms=late_ms,
            end_ms=late_ms + (700 if leaves else last_ms),
            end=end,
            from_mm=start,
            spin_rad=rng.uniform(-3.5, 3.5),
            hop_mm=rng.uniform(8, 26),
            arc_mm=arc_mm,
            floor_mm=floor_mm,
            leaves=leaves,
        )

    def _somewhere(self, body: SimulatedDie) -> Pose:
        rng, margin = self._rng, body.edge_mm * 0.75 + 2
        (wide, deep), (middle_x, middle_y) = self._field.half_mm, self._field.centre_mm
        x = rng.triangular(margin - wide, wide - margin)
        y = rng.triangular(margin - deep + 14, deep - margin)
        return flat_pose(
            body, middle_x + x, middle_y + y, rng.uniform(-pi, pi), rng.randrange(len(body.faces))
        )

    def _on_rim(self, body: SimulatedDie) -> Pose:
        """One edge on the felt, another on the rim."""
        turn, side = self._tilted(), self._rng.choice((1, -1))
        reach, height = float(support_mm(body, turn, 0)), float(support_mm(body, turn))
        x, y = side * (TRAY_HALF_MM[0] - reach - 0.2), self._rng.uniform(-50, 90)
        return Pose(np.array([x, y, height], np.float32), yawed(0.0 if side > 0 else pi) @ turn)

    def _on_die(self, body: SimulatedDie, other: RestingDie) -> Pose:
        """One edge on the felt, another on a side of a die that lies flat."""
        turn, facing = self._tilted(), _yaw(other.pose) + self._rng.randrange(4) * pi / 2
        # Clear as boxes with sharp edges; the rounded ones are a millimetre apart, which nobody sees.
        reach = float(np.abs(turn[0]).sum()) * body.edge_mm / 2
        away, slide = reach + other.body.edge_mm / 2 + CLEAR_MM + 0.05, self._rng.uniform(-5, 5)
        x = float(other.pose.center_mm[0]) + away * cos(facing) - slide * sin(facing)
        y = float(other.pose.center_mm[1]) + away * sin(facing) + slide * cos(facing)
        if max(abs(x) - TRAY_HALF_MM[0], abs(y) - TRAY_HALF_MM[1]) > -body.edge_mm:
            return self._on_rim(body)
        center = np.array([x, y, float(support_mm(body, turn))], np.float32)
        return Pose(center, yawed(facing + pi) @ turn)

    def _tilted(self) -> Reals:
        """A turn that stands a die on one edge, leaning towards +x."""
        rng = self._rng
        tilt = radians(rng.uniform(24, 42) if rng.random() < 0.5 else rng.uniform(48, 62))
        lean = np.array([[cos(tilt), 0, sin(tilt)], [0, 1, 0], [-sin(tilt), 0, cos(tilt)]], np.float32)
        tilted: Reals = lean @ side_up(rng.randrange(6))
        return tilted


def _yaw(pose: Pose) -> float:
    """Which way a flat die's sides look, up to quarter turns."""
    level = 0 if abs(pose.turn[2, 0]) < 0.5 else 1
    return atan2(pose.turn[1, level], pose.turn[0, level])


def clear(a: SimulatedDie, a_motion: Tumble, b: SimulatedDie, b_motion: Tumble, apart_mm: float) -> bool:
    """Whether two dice keep so far apart from when both are out of the hand until both lie."""
    # Most places that do not suit are too near another die's: that needs no look at the way.
    ends = np.array([max(a_motion.end_ms, b_motion.end_ms)])
    if not (a_motion.leaves or b_motion.leaves or _least_mm(a, a_motion, b, b_motion, ends) >= apart_mm):
        return False
    last_ms = max(a_motion.end_ms, b_motion.end_ms)
    for motion in (a_motion, b_motion):
        if motion.leaves:
            last_ms = min(last_ms, motion.end_ms - 1)
    times_ms = np.arange(max(a_motion.start_ms, b_motion.start_ms), last_ms + STEP_MS, STEP_MS)
    return _least_mm(a, a_motion, b, b_motion, times_ms) >= apart_mm


def _least_mm(
    a: SimulatedDie, a_motion: Tumble, b: SimulatedDie, b_motion: Tumble, times_ms: FloatTimes
) -> float:
    reach_mm = (a.edge_mm + b.edge_mm) * 0.87 + CLEAR_MM  # half of a cube's long diagonal each
    # Seen from above dice are never farther apart than they are: few moments need to be looked at closely.
    over = a_motion.track_over_table(times_ms) - b_motion.track_over_table(times_ms)
    times_ms = times_ms[np.hypot(*over.T) < reach_mm]
    if not len(times_ms):
        return inf
    (a_centers, a_turns), (b_centers, b_turns) = a_motion.track(times_ms), b_motion.track(times_ms)
    near = np.linalg.norm(a_centers - b_centers, axis=1) < reach_mm
    if not near.any():
        return inf
    return float(boxes_apart_mm(a, a_centers[near], a_turns[near], b, b_centers[near], b_turns[near]).min())
