"""Planning how dice are thrown: they fly as physics has it, and come to rest where an act wants them.

A throw that does not end as it should is thrown anew: nobody has seen it. Only a die that is to lie on
another, or to lean, comes there on a way that was made for it: thrown dice do that once in a hundred throws.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import atan2, cos, inf, pi, radians, sin, sqrt
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
    up_sides,
    yawed,
)
from device.simulator.flight import Flight, at_rest, flown, hurled, rolled, slid, turned
from device.simulator.ground import RIM_HEIGHT_MM, RIM_WIDTH_MM, TRAY_HALF_MM
from device.simulator.motion import FloatTimes, Tumble
from device.simulator.physics import Tabletop, let_go
from engine.wording import phrase, phrase_later

Placing = Callable[[SimulatedDie], Pose]
"""Where a die could come to rest; asked again until a place suits."""

THROWS = 40
"""How often dice are thrown anew until they lie as they should."""
NO_ROOM = phrase_later("There is no room left on the table for so many dice. Throw fewer.")
TRIES = 120
STEP_MS = 5.0
"""Ways are looked at so often: two fast dice come some 6 mm nearer in that time, at a corner much less."""
RELEASE_Y_MM = -78.0
SIGHT_MM = (-290.0, -220.0, 290.0, 220.0)
"""Over a tray or a mat, a die beyond is out of the picture."""
SHIFT_MM = (70.0, 30.0)
"""A hand opens by less than this beside where it meant to."""
GENTLER = 0.985
"""Where dice have run too far they are thrown a little gentler the next time."""
CLEAR_MM = 0.8
"""Dice keep so much apart on ways that were made for them: less than is seen, more than rounding."""
PASS_MM = 0.4
"""Dice that are thrown past others keep so far off."""
TOUCH_MM = -0.01
"""The same for a die and the one that it comes to lie on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowArea:
    """Where dice are thrown: a rectangle, and how far in the hand opens."""

    centre_mm: tuple[float, float] = (0.0, 0.0)
    half_mm: tuple[float, float] = TRAY_HALF_MM
    release_y_mm: float = RELEASE_Y_MM
    walled: bool = True
    """Whether a rim stands round it. Where none does, dice are thrown so that they stay in."""

    @property
    def vigour(self) -> float:
        """How hard dice are thrown, beside a throw in the tray: they come as far as the square of that."""
        room_mm = self.centre_mm[1] + self.half_mm[1] - self.release_y_mm
        return sqrt(room_mm / (TRAY_HALF_MM[1] - RELEASE_Y_MM))

    @property
    def ground(self) -> Tabletop:
        """What dice roll on, and bounce off."""
        if not self.walled:
            return Tabletop(friction=0.34, bounce=0.4, sight_mm=SIGHT_MM)
        (wide, deep), rim = self.half_mm, RIM_WIDTH_MM
        bars = (
            (-wide - rim, -deep - rim, -wide, deep + rim),
            (wide, -deep - rim, wide + rim, deep + rim),
            (-wide, deep, wide, deep + rim),
            (-wide, -deep - rim, wide, -deep),
        )
        walls = tuple((bar, RIM_HEIGHT_MM) for bar in bars)
        return Tabletop(friction=0.3, bounce=0.5, walls=walls, sight_mm=SIGHT_MM)


TRAY = ThrowArea()


class NoRoom(ValueError):
    """The dice find no place to lie as they should."""


@dataclass(frozen=True, slots=True, eq=False)
class Thrown:
    """One die's part of a throw."""

    body: SimulatedDie
    motion: Flight | Tumble
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
    """Plans a throw: first the dice that the hand lets go, then one that is to lean or to lie on another."""

    def __init__(
        self,
        rng: Random,
        start_ms: float,
        hand_x_mm: float,
        field: ThrowArea = TRAY,
        lying: Sequence[RestingDie] = (),
    ) -> None:
        """The hand opens at `start_ms`, at `hand_x_mm` near the field's front. All keep off the `lying`."""
        self._rng = rng
        self._field = field
        self._start_ms = start_ms
        self._lying = lying
        self.release_mm = hand_x_mm, field.release_y_mm
        """Where the hand opens."""
        self.thrown: list[Thrown] = []

    @property
    def end_ms(self) -> float:
        """When the last die comes to rest."""
        return max((die.motion.end_ms for die in self.thrown), default=self._start_ms)

    def land(self, bodies: Sequence[SimulatedDie], *, slide: bool = False, lost: bool = False) -> None:
        """Let go dice that come to rest flat where they were thrown.

        `slide`: they slide all the way and do not tip. `lost`: the last one falls off the table.
        """
        for attempt in range(THROWS):
            vigour = self._field.vigour * GENTLER**attempt
            launches = (slid if slide else rolled)(self._rng, bodies, self.release_mm, vigour)
            if lost and launches:
                launches[-1] = hurled(self._rng, launches[-1])
            ways = let_go(launches, (), self._field.ground) if launches else ()
            flights = [
                flown(body, way, self._start_ms) for body, way in zip(bodies, ways or (), strict=False) if way
            ]
            if len(flights) == len(bodies) and self._suits(flights, slide=slide, lost=lost):
                return
        # So many lie about, or have to lie in so small a field, that hardly any throw suits.
        for body in bodies:
            if not self._add(body, self._somewhere, "flat"):
                raise NoRoom(phrase(NO_ROOM))

    def lean(self, body: SimulatedDie) -> None:
        """A die that comes to rest leaning on another die or on the rim: cocked."""
        flat = [die.lying for die in self.thrown if die.lying and die.lying.how == "flat"]

        def leaning(die: SimulatedDie) -> Pose:
            # Most dice stand where one rolling up to them would hit them first; then it is tried elsewhere.
            on_die = bool(flat) and self._rng.random() < 0.85
            return self._on_die(die, self._rng.choice(flat)) if on_die else self._on_rim(die)

        if not self._add(body, leaning, "cocked"):
            raise NoRoom(phrase(NO_ROOM))

    def stack(self, body: SimulatedDie) -> None:
        """A die that comes to rest on top of another one."""
        flat = [
            index
            for index, die in enumerate(self.thrown)
            if die.lying and die.lying.how == "flat" and die.body.kind != "d4"
        ]
        self._rng.shuffle(flat)
        for index in flat:
            below = self.thrown[index]
            late_ms = below.motion.end_ms - self._start_ms
            on_top = partial(self._on_top, below)
            if self._add(body, on_top, "stacked", after_ms=late_ms, arc_mm=75, on=below):
                lying = RestingDie(body=below.body, pose=below.motion.end, how="covered")
                self.thrown[index] = Thrown(below.body, below.motion, lying)
                return
        raise NoRoom(phrase(NO_ROOM))

    def _suits(self, flights: Sequence[Flight], *, slide: bool, lost: bool) -> bool:
        """Whether the dice come to rest as they should; then they are thrown so."""
        stay = flights[:-1] if lost else flights
        shift = (0.0, 0.0) if self._field.walled or lost or not stay else self._shift(stay)
        if shift is None or any(flight.leaves != lost for flight in flights[len(stay) :]):
            return False
        flights = [flight.moved(shift) for flight in flights]
        lying = [at_rest(flight) for flight in flights]
        if not all(die and self._inside(die) for die in lying[: len(stay)]):
            return False
        if any(tips(flight) == slide for flight in stay):
            return False
        if not all(passes(flight, die) for flight in flights for die in self._lying):
            return False
        x, y = self.release_mm
        self.release_mm = x + shift[0], y + shift[1]
        self.thrown += [Thrown(flight.body, flight, die) for flight, die in zip(flights, lying, strict=True)]
        return True

    def _inside(self, die: RestingDie) -> bool:
        half = np.array(self._field.half_mm) - [support_mm(die.body, die.pose.turn, axis) for axis in (0, 1)]
        off = np.abs(die.pose.center_mm[:2] - np.array(self._field.centre_mm))
        return bool(np.all(off < half))

    def _shift(self, flights: Sequence[Flight]) -> tuple[float, float] | None:
        """How far to move the whole throw for all dice to lie in the field; None where it is too wide."""
        found = []
        for axis in (0, 1):
            margin = max(flight.body.edge_mm for flight in flights) * 0.75 + 2
            ends = [float(flight.end.center_mm[axis]) for flight in flights]
            room = self._field.half_mm[axis] - margin
            least = self._field.centre_mm[axis] - room - min(ends)
            most = self._field.centre_mm[axis] + room - max(ends)
            if least > most:
                return None
            found.append(min(max(0.0, least), most))
        near = abs(found[0]) < SHIFT_MM[0] and abs(found[1]) < SHIFT_MM[1]
        return (found[0], found[1]) if near else None

    def _add(
        self,
        body: SimulatedDie,
        place: Placing,
        how: How,
        *,
        after_ms: float = 0.0,
        arc_mm: float = 0.0,
        on: Thrown | None = None,
    ) -> bool:
        """Whether a place was found that suits."""
        floor_mm = on.body.edge_mm if on else 0.0
        for attempt in range(TRIES):
            end = place(body)
            # Who finds no way among the others leaves the hand later.
            motion = self._plan_tumble(body, end, after_ms + 4 * attempt, arc_mm, floor_mm)
            lying = RestingDie(body=body, pose=end, how=how)
            if self._inside(lying) and all(
                clear(body, motion, other.body, other.motion, TOUCH_MM if other is on else CLEAR_MM)
                for other in self.thrown
                if not isinstance(other.motion, Flight) or not other.motion.leaves
            ):
                self.thrown.append(Thrown(body, motion, lying))
                return True
        return False

    def _plan_tumble(
        self, body: SimulatedDie, end: Pose, after_ms: float, arc_mm: float, floor_mm: float
    ) -> Tumble:
        rng, (x, y) = self._rng, self.release_mm
        start = np.array([x + rng.uniform(-46, 46), y + rng.uniform(-14, 6)], np.float32)
        length = float(np.hypot(*(end.center_mm[:2] - start)))
        late_ms = self._start_ms + after_ms + rng.uniform(0, 30) + 25 * len(self.thrown)
        return Tumble(
            body=body,
            start_ms=late_ms,
            end_ms=late_ms + 330 + 2.4 * length + rng.uniform(0, 180),
            end=end,
            from_mm=start,
            spin_rad=rng.uniform(-3.5, 3.5),
            hop_mm=rng.uniform(8, 26),
            arc_mm=arc_mm,
            floor_mm=floor_mm,
        )

    def _somewhere(self, body: SimulatedDie) -> Pose:
        rng, margin = self._rng, body.edge_mm * 0.75 + 2
        (wide, deep), (middle_x, middle_y) = self._field.half_mm, self._field.centre_mm
        x, y = rng.uniform(margin - wide, wide - margin), rng.uniform(margin - deep + 14, deep - margin)
        side = rng.randrange(len(body.faces))
        return flat_pose(body, middle_x + x, middle_y + y, rng.uniform(-pi, pi), side)

    def _on_top(self, below: Thrown, body: SimulatedDie) -> Pose:
        """Flat upon another die, a little aside."""
        rng, (x, y, _) = self._rng, below.motion.end.center_mm.tolist()
        aside, towards = rng.uniform(0, 2.5), rng.uniform(-pi, pi)
        yaw, side = rng.uniform(-pi, pi), rng.randrange(len(body.faces))
        at = x + aside * cos(towards), y + aside * sin(towards)
        return flat_pose(body, *at, yaw, side, below.body.edge_mm)

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


def tips(flight: Flight) -> bool:
    """Whether another side looks up at any time of the way."""
    ups = up_sides(flight.body, turned(flight.quaternions))
    return bool(np.any(ups != ups[0]))


def passes(flight: Flight, die: RestingDie) -> bool:
    """Whether a die on its way keeps off a lying one."""
    reach_mm = (flight.body.edge_mm + die.body.edge_mm) * 0.87 + CLEAR_MM
    near = np.linalg.norm(flight.centers_mm - die.pose.center_mm, axis=1) < reach_mm
    if not near.any():
        return True
    centers, turns = flight.centers_mm[near], turned(flight.quaternions[near])
    there = np.broadcast_to(die.pose.center_mm, centers.shape)
    apart = boxes_apart_mm(
        flight.body, centers, turns, die.body, there, np.broadcast_to(die.pose.turn, turns.shape)
    )
    return float(apart.min()) >= PASS_MM


Planned = Flight | Tumble


def clear(a: SimulatedDie, a_motion: Planned, b: SimulatedDie, b_motion: Planned, apart_mm: float) -> bool:
    """Whether two dice keep so far apart from when both are out of the hand until both lie."""
    # Most places that do not suit are too near another die's: that needs no look at the way.
    last_ms = max(a_motion.end_ms, b_motion.end_ms)
    if _least_mm(a, a_motion, b, b_motion, np.array([last_ms])) < apart_mm:
        return False
    times_ms = np.arange(max(a_motion.start_ms, b_motion.start_ms), last_ms + STEP_MS, STEP_MS)
    return _least_mm(a, a_motion, b, b_motion, times_ms) >= apart_mm


def _least_mm(
    a: SimulatedDie, a_motion: Planned, b: SimulatedDie, b_motion: Planned, times_ms: FloatTimes
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
