"""Planning one die's way down the End Zone table: where it is let go, where it stops, what it hits, and when.

It comes from the other end, and stops where it was aimed; all in the frame of the end it is thrown to. How
it tumbles physics says, and it is let go from where that way ends at the aim. A die that is not to hit those
that lie there is thrown until it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import asin, atan2, cos, hypot, pi, sin, sqrt
from random import Random

import numpy as np

from calibration.arrays import Reals
from device.simulator.dice import Pose, RestingDie, SimulatedDie, on_side, support_mm, yawed
from device.simulator.end_zone.table import on_table, planned, turn
from device.simulator.flight import Flight, any_turn, at_rest, flown
from device.simulator.motion import Motion
from device.simulator.physics import Launch, Tabletop, let_go
from device.simulator.throw import passes, tips
from engine.wording import phrase

TRIES = 50
AIMS = ("throw", "short", "line", "dot", "touch", "bump", "floor", "aside", "slide", "late")
CLOSE_MM = 0.05
"""A die that stops on a line is nearer to its edge than anybody could say."""
ROLL_MM, SLIDE_MM = 1.85e-4, 1.46e-4
"""How far a die comes on this table, for the square of each mm/s that it is thrown with."""
BEHIND_MM = (25.0, 330.0)
"""How far behind the release line a hand opens as it should."""
PAST_MM = (20.0, 300.0)
"""And so far past it when it opens late."""
LEAST_PUSH_MM = 26.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlannedThrow:
    """One throw, planned to its end."""

    motions: tuple[tuple[SimulatedDie, Motion], ...]
    """The motion of the die, and of one that it hits."""
    lying: tuple[RestingDie, ...]
    """The same dice where they lie in the end; empty for a die off the table."""
    end_ms: float
    release_mm: tuple[float, float]
    """Where the hand opens."""


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """What a throw is planned from."""

    rng: Random
    aim: str
    body: SimulatedDie
    lying: Sequence[RestingDie]
    start_ms: float
    """When the hand opens."""


def release_line_mm() -> float:
    """How far from the edge aimed at the thrower's own 2 zone ends: by then a die has to leave the hand."""
    return turn().shift_mm[1] - planned().end_zone.depth_mm


def thrown(plan: Plan) -> PlannedThrow:
    """A way that ends as the aim (one of `AIMS`) says; ValueError, in a sentence, when none is found."""
    if plan.aim == "bump" and not plan.lying:
        raise ValueError(phrase("No die lies there that could be hit. Throw one first."))
    floor = plan.aim == "floor" or (plan.aim == "throw" and plan.rng.random() < 0.05)
    for _ in range(TRIES):
        way = _planned(plan, floor=floor)
        if way is not None:
            return way
    raise ValueError(phrase("There is no way to throw the die like that now. Take the others away first."))


def _planned(plan: Plan, *, floor: bool) -> PlannedThrow | None:
    """One try at a way that ends as the aim says; `floor`: off the table at its near end."""
    if floor:
        return _off(plan)
    if plan.aim == "aside":
        return _off_aside(plan)
    return _bump(plan) if plan.aim == "bump" else _stop(plan)


def _stop(plan: Plan) -> PlannedThrow | None:
    """A die that stops by itself; None when it would not, or when something lies in its way."""
    seed, from_x_mm = plan.rng.random(), plan.rng.gauss(0, 45)
    x, y = _aimed(plan, seed, 0.0)
    flight = _flight(plan, _from_mm(plan) - y)
    if flight is None or at_rest(flight) is None or tips(flight) == (plan.aim == "slide"):
        return None
    flight = flight.moved((0.0, 0.0), _towards(flight.end.center_mm, x - from_x_mm))
    level = 0 if abs(float(flight.end.turn[2, 0])) < 0.5 else 1
    x, y = _aimed(plan, seed, atan2(float(flight.end.turn[1, level]), float(flight.end.turn[0, level])))
    at = x - float(flight.end.center_mm[0]), y - float(flight.end.center_mm[1])
    flight = flight.moved(at)
    if not _may_be_let_go(plan, at) or not all(passes(flight, die) for die in plan.lying):
        return None
    return _plan_flight(flight, at)


def _towards(way_mm: Reals, aside_mm: float) -> float:
    """The angle by which to turn a way down the table, of `way_mm`, for it to come so far aside."""
    x, y = float(way_mm[0]), float(way_mm[1])
    length = hypot(x, y)
    return asin(max(-1.0, min(1.0, aside_mm / length))) - asin(x / length)


def _plan_flight(flight: Flight, at_mm: tuple[float, float], *others: Flight) -> PlannedThrow | None:
    """The throw of a flight, and of the dice that it pushed; None where one of them does not lie flat."""
    flights = (*others, flight)
    lying = [die for one in flights if (die := at_rest(one))]
    if len(lying) + flight.leaves < len(flights) or any(float(die.pose.center_mm[1]) < 10 for die in lying):
        return None
    return PlannedThrow(
        motions=tuple((one.body, one) for one in flights),
        lying=tuple(lying),
        end_ms=max(one.end_ms for one in flights),
        release_mm=at_mm,
    )


def _off(plan: Plan) -> PlannedThrow | None:
    """A die that rolls off the table at its near end."""
    rng = plan.rng
    at = rng.uniform(-60, 60), _from_mm(plan)
    (left, right), far = planned().tape.side_lines_x_mm, turn().shift_mm[1]
    flight = _flight(plan, at[1] + rng.uniform(350, 700), at, (4 * left, 0.0, 4 * right, far))
    if flight is None or not flight.leaves or not all(passes(flight, die) for die in plan.lying):
        return None
    return _plan_flight(flight, at)


def _off_aside(plan: Plan) -> PlannedThrow | None:
    """A die that rolls off the table over one of its sides."""
    rng, half_mm, far_mm = plan.rng, planned().table.surface_width_mm / 2, turn().shift_mm[1]
    at = rng.uniform(-60, 60), _from_mm(plan)
    over = rng.choice((-half_mm, half_mm)), rng.uniform(0.05, 0.75) * at[1]
    way = yawed(atan2(over[0] - at[0], at[1] - over[1]))
    launch = _launch(plan, hypot(over[0] - at[0], over[1] - at[1]) + rng.uniform(200, 500))
    aside = replace(
        launch,
        center_mm=launch.center_mm + np.array([*at, 0], np.float32),
        turn=way @ launch.turn,
        speed_mm_s=way @ launch.speed_mm_s,
        spin_rad_s=way @ launch.spin_rad_s,
    )
    ways = let_go([aside], (), _ground((-half_mm, 0.0, half_mm, far_mm)))
    flight = flown(plan.body, ways[0], plan.start_ms) if ways and ways[0] else None
    if flight is None or not flight.leaves or not all(passes(flight, die) for die in plan.lying):
        return None
    return _plan_flight(flight, at)


def _bump(plan: Plan) -> PlannedThrow | None:
    """A die that hits one other, and pushes it on; None when this one does not work."""
    rng = plan.rng
    hit = rng.choice([die for die in plan.lying if die.how == "flat"])
    x, y = (float(part) for part in hit.pose.center_mm[:2])
    launch = _launch(plan, _from_mm(plan) - y + rng.uniform(60, 200))
    free = let_go([launch], (), _ground())
    if free is None or free[0] is None:
        return None
    centers = free[0].centers_mm
    # It is let go from where it would come over the other one, with some of its way still left.
    left_mm = rng.uniform(60, 200)
    before = centers[np.hypot(*(centers - centers[-1])[:, :2].T) > left_mm]
    if not len(before):
        return None
    yaw = _towards(before[-1], x - rng.gauss(0, 45))
    way: Reals = yawed(yaw) @ before[-1]
    at = x - float(way[0]) + rng.uniform(-5, 5), y - float(way[1])
    if not _may_be_let_go(plan, at):
        return None
    return _with_others(plan, launch, at, yaw)


def _with_others(plan: Plan, launch: Launch, at: tuple[float, float], yaw_rad: float) -> PlannedThrow | None:
    """The throw among all dice that lie there; None where not just one of them is pushed well away.

    The dice are brought before the launch, and not the launch before the dice: rolling dice make much of the
    smallest difference, and would miss what they hit.
    """
    there = [_before(die, at, yaw_rad) for die in plan.lying]
    ways = let_go([launch], there, _ground())
    own, others = (ways[0], ways[1:]) if ways else (None, ())
    if own is None:
        return None
    pushed = [
        (lying, die, trace)
        for lying, die, trace in zip(plan.lying, there, others, strict=True)
        if trace is not None
    ]
    if len(pushed) != 1 or pushed[0][2].pushed_by != 0:
        return None
    lying, die, trace = pushed[0]
    flight = flown(plan.body, own, plan.start_ms).moved(at, yaw_rad)
    knocked = flown(die.body, trace, plan.start_ms, place=die.pose, pushed_by=plan.body.number)
    knocked = replace(knocked.moved(at, yaw_rad), place=lying.pose)
    if float(np.hypot(*(knocked.end.center_mm - lying.pose.center_mm)[:2])) < LEAST_PUSH_MM:
        return None
    return _plan_flight(flight, at, knocked)


def _before(die: RestingDie, at_mm: tuple[float, float], yaw_rad: float) -> RestingDie:
    """A lying die as it lies before a launch that is to be turned by that and brought there."""
    back = yawed(-yaw_rad)
    center: Reals = back @ (die.pose.center_mm - np.array([*at_mm, 0], np.float32))
    return replace(die, pose=Pose(center, back @ die.pose.turn))


def _flight(
    plan: Plan,
    travel_mm: float,
    at_mm: tuple[float, float] = (0.0, 0.0),
    ends_mm: tuple[float, float, float, float] | None = None,
) -> Flight | None:
    """A die let go there, along -y, that comes about so far; None where it never rests."""
    launch = _launch(plan, travel_mm)
    there = replace(launch, center_mm=launch.center_mm + np.array([*at_mm, 0], np.float32))
    ways = let_go([there], (), _ground(ends_mm))
    return flown(plan.body, ways[0], plan.start_ms) if ways and ways[0] else None


def _ground(ends_mm: tuple[float, float, float, float] | None = None) -> Tabletop:
    """Oiled oak and smooth sheets."""
    return Tabletop(friction=0.35, bounce=0.5, ends_mm=ends_mm)


def _launch(plan: Plan, travel_mm: float) -> Launch:
    """A die that leaves the hand over the origin, along -y, and comes about so far."""
    rng, body, slides = plan.rng, plan.body, plan.aim == "slide"
    speed = sqrt(travel_mm / (SLIDE_MM if slides else ROLL_MM)) * (1 if slides else rng.uniform(0.94, 1.06))
    on_way: Reals = (
        yawed(rng.uniform(-0.3, 0.3)) @ on_side(body, rng.randrange(6)) if slides else any_turn(rng)
    )
    high = float(support_mm(body, on_way)) + 0.2 if slides else rng.uniform(25, 45)
    spin = (0.0, 0.0) if slides else (rng.uniform(20, 160), rng.gauss(0, 15))
    up = 0.0 if slides else rng.uniform(-200, 150)
    return Launch(
        body=body,
        after_ms=0.0,
        center_mm=np.array([0, 0, high], np.float32),
        turn=on_way,
        speed_mm_s=np.array([0, -speed, up], np.float32),
        spin_rad_s=np.array([*spin, rng.gauss(0, 2 if slides else 15)], np.float32),
    )


def _from_mm(plan: Plan) -> float:
    """From how far the die is thrown."""
    if plan.aim == "late":
        return release_line_mm() - plan.rng.uniform(*PAST_MM)
    return release_line_mm() + plan.rng.uniform(*BEHIND_MM)


def _may_be_let_go(plan: Plan, at_mm: tuple[float, float]) -> bool:
    """Whether a thrower's hand would open there, by the rules or, where that is the aim, too late."""
    behind_mm = at_mm[1] - release_line_mm()
    least, most = (-PAST_MM[1], -PAST_MM[0]) if plan.aim == "late" else BEHIND_MM
    return least < behind_mm < most and abs(at_mm[0]) < 1.5 * planned().tape.side_lines_x_mm[1]


def _aimed(plan: Plan, seed: float, yaw_rad: float) -> tuple[float, float]:
    """Where the die is to stop if it is turned so when it does; the same seed, the same aim."""
    rng, dot = Random(seed), planned().end_zone.dot
    x, y = rng.gauss(0, 62), rng.triangular(12, 470, 250)
    luck = rng.random()
    match plan.aim:
        case "line":
            return _on_line(rng, plan.body, yaw_rad)
        case "dot" if dot:
            (x, y), *_ = on_table(np.array([[dot.x_mm, dot.y_mm]])).tolist()
            return x + rng.uniform(-1.2, 1.2), y + rng.uniform(-1.2, 1.2)
        case "touch" if plan.lying:
            other, facing = rng.choice(plan.lying), rng.uniform(-0.6, 0.6) + pi / 2
            apart = 16.0 + rng.uniform(0.4, 7.0)
            x, y = (float(part) for part in other.pose.center_mm[:2])
            return x + apart * cos(facing), y + apart * sin(facing)
        case "short":
            y = planned().table.halfway_y_mm - rng.uniform(-8, 18)
        case _ if luck < 0.13:
            y = rng.uniform(490, 1100)
        case _ if luck < 0.17:
            x = rng.choice((-1, 1)) * rng.uniform(150, 260)
        case _:
            pass
    return x, y


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
