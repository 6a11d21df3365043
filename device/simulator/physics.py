"""Dice as rigid bodies: how they fly, bounce, tumble, slide and push one another until they lie.

The motion is MuJoCo's, and this is the only file that knows it. It serves the simulated table alone, so a box
is installed without it: who wants the table to throw is told what to install (`load`). The same launches give
the same motion, bit for bit, on the same machine. Lengths are in mm, times in s here and in ms outside.

A cube is a smaller box with a margin as wide as its edges are round; a D4 is a mesh. A push-back that swings
(a damping ratio below 1) is what lets dice bounce.
"""

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Reals
from device.simulator.d4 import corners_mm as d4_corners_mm
from device.simulator.dice import RestingDie, SimulatedDie, boxes_apart_mm
from device.simulator.truth import BoundsMm
from engine.wording import phrase, phrase_later

Doubles = NDArray[np.float64]

STEP_S = 0.0005
STEPS_KEPT = 5
KEPT_MS = 1000 * STEP_S * STEPS_KEPT
"""A pose is kept so often."""
LONGEST_S = 6.0
CALM_MM_S, CALM_RAD_S = 50.0, 5.0
"""A die that is slower than both does not bounce any more: else it would tremble where it lies, and creep."""
QUIET_LOOKS, QUIET_MM, QUIET_TURN = 20, 0.06, 0.003
"""Dice lie when none came farther in so many looks, nor has a part of its quaternion changed more."""
GRAVITY_MM_S2 = 9810.0
PUSH_BACK_RAD_S = 600.0
"""How fast what is pressed in swings out again: at 1 m/s a die goes in by a millimetre, for some ms."""
FLOOR_MM = -700.0
"""How far below the table a fallen die is out of sight."""
PRESSED_MM = 1.0
"""Dice in a hand may press one another so far."""
PARKED_MM = 1e5
"""Dice that are still in the hand are kept up there."""
MISSING = phrase_later(
    "The simulated dice are thrown by the package mujoco-core, which is not installed "
    "here. `make demo` installs it; elsewhere: pip install mujoco-core."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tabletop:
    """What dice are thrown on."""

    friction: float
    bounce: float
    """How much of its speed a die keeps when it bounces, 0 to 1."""
    walls: tuple[tuple[BoundsMm, float], ...] = ()
    """Blocks that stand there, each with its height."""
    ends_mm: BoundsMm | None = None
    """Where the table ends; None: far away."""
    sight_mm: BoundsMm | None = None
    """A die beyond is out of sight; None: it never is but on the floor."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Launch:
    """How a die leaves the hand."""

    body: SimulatedDie
    after_ms: float
    """How long after the hand opens."""
    center_mm: Reals
    turn: Reals
    speed_mm_s: Reals
    spin_rad_s: Reals
    """About the table's axes."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MotionTrace:
    """How a die moved: a pose every `KEPT_MS` from when it was let go, or was first pushed, until it lies."""

    start_ms: float
    """After the hand opened."""
    centers_mm: Reals
    """(T, 3)."""
    quaternions: Reals
    """(T, 4), the real part first."""
    gone: bool
    """Whether it is off the table, and out of sight, at the end."""
    pushed_by: int | None = None
    """What pushed a die that lay: the place among all dice of the one nearest to it when it first moved."""


@lru_cache(maxsize=1)
def load() -> Any:
    """MuJoCo. Raises `ValueError`, in a sentence that says what to install, where it is missing."""
    try:
        return importlib.import_module("mujoco")
    except ModuleNotFoundError:
        raise ValueError(phrase(MISSING)) from None


def let_go(
    launches: Sequence[Launch], lying: Sequence[RestingDie], ground: Tabletop
) -> tuple[MotionTrace | None, ...] | None:
    """The ways of all dice, the launched ones first; None for a lying die that stays where it is.

    None for all where they never come to rest.
    """
    scene = _Scene(launches, lying, ground)
    poses = scene.run()
    if poses is None:
        return None
    starts = [scene.released[index] for index in range(len(launches))]
    ways: list[MotionTrace | None] = [
        _moving_part(poses[:, index], start, gone=scene.gone[index] is not None, until=scene.gone[index])
        for index, start in enumerate(starts)
    ]
    there = range(len(launches), len(launches) + len(lying))
    return (*ways, *(_pushed(poses, index, scene.gone[index]) for index in there))


class _Scene:
    """One throw in MuJoCo's hands."""

    def __init__(self, launches: Sequence[Launch], lying: Sequence[RestingDie], ground: Tabletop) -> None:
        self._mujoco, self._launches, self._ground = load(), launches, ground
        bodies = (*(launch.body for launch in launches), *(die.body for die in lying))
        self._bodies = tuple(map(_rounded, bodies))
        self._model = self._mujoco.MjModel.from_xml_string(_described(bodies, ground))
        self._data = self._mujoco.MjData(self._model)
        self._push_back = self._model.geom_solref[-len(bodies) :]
        self._at = self._data.qpos.reshape(-1, 7)
        self._speed = self._data.qvel.reshape(-1, 6)
        self.released = [round(launch.after_ms / KEPT_MS) for launch in launches]
        """At which look each die leaves the hand."""
        self.gone: list[int | None] = [None] * len(bodies)
        """From which look on each die was out of sight."""
        for index in range(len(launches)):
            self._park(index)
        for index, die in enumerate(lying, len(launches)):
            self._at[index] = (*die.pose.center_mm, *_quaternion(die.pose.turn))

    def run(self) -> Doubles | None:
        """All poses (T, dice, 7) until all dice lie; None where they do not."""
        looks: list[Doubles] = []
        for look in range(round(1000 * LONGEST_S / KEPT_MS)):
            self._release(look)
            first = max(self.released, default=0) + QUIET_LOOKS
            self._let_fall(look)
            looks.append(self._at.copy())
            if look > first and look % 4 == 0:
                moved = np.abs(looks[-1] - looks[-QUIET_LOOKS]).max(axis=0)
                if moved[:3].max() < QUIET_MM and moved[3:].max() < QUIET_TURN:
                    return np.array(looks)
            self._calm()
            self._mujoco.mj_step(self._model, self._data, nstep=STEPS_KEPT)
        return None

    def _calm(self) -> None:
        """Let the ground and the others take the bounce from slow dice."""
        calm = np.abs(self._speed[:, :3]).max(axis=1) < CALM_MM_S
        calm &= np.abs(self._speed[:, 3:]).max(axis=1) < CALM_RAD_S
        self._push_back[:] = np.where(calm[:, None], _push_back(1.0), _push_back(_damping(self._ground)))

    def _park(self, index: int) -> None:
        self._at[index] = (0, 0, PARKED_MM + 100 * index, 1, 0, 0, 0)
        self._speed[index] = 0

    def _release(self, look: int) -> None:
        for index, launch in enumerate(self._launches):
            if self.released[index] == look and not self._has_room(launch):
                self.released[index] += 1
            if self.released[index] == look:
                self._at[index] = (*launch.center_mm, *_quaternion(launch.turn))
                # A free joint turns about the body's own axes.
                self._speed[index] = (*launch.speed_mm_s, *(launch.spin_rad_s @ launch.turn))
            elif self.released[index] > look:
                self._park(index)

    def _has_room(self, launch: Launch) -> bool:
        """Whether no die that was let go before has come back to where this one leaves the hand."""
        body, turns = _rounded(launch.body), launch.turn[None]
        for index, other in enumerate(self._bodies):
            center = self._at[index, :3]
            if np.linalg.norm(center - launch.center_mm) > body.edge_mm + other.edge_mm:
                continue
            turn = _turn(self._at[index, 3:])
            apart_mm = boxes_apart_mm(body, launch.center_mm[None], turns, other, center[None], turn[None])
            if apart_mm[0] < launch.body.fillet_mm + other.fillet_mm - PRESSED_MM:
                return False
        return True

    def _let_fall(self, look: int) -> None:
        """Take away who is out of sight."""
        sight = self._ground.sight_mm
        if sight is None and self._ground.ends_mm is None:
            return
        for index, (x, y, z, *_) in enumerate(self._at.tolist()):
            out = sight is not None and not (sight[0] < x < sight[2] and sight[1] < y < sight[3])
            if self.gone[index] is None and (z < FLOOR_MM or out) and z < PARKED_MM / 2:
                self.gone[index] = look
            if self.gone[index] is not None:
                self._park(index)


def _moving_part(
    poses: Doubles, start: int, *, gone: bool, until: int | None, by: int | None = None
) -> MotionTrace:
    """The part of a die's poses (T, 7) from its first move to its last."""
    last = until - 1 if until is not None else _last_moved(poses)
    kept = poses[start : max(last, start + 1) + 1]
    return MotionTrace(
        start_ms=start * KEPT_MS,
        centers_mm=kept[:, :3].astype(np.float32),
        quaternions=_continued(kept[:, 3:]).astype(np.float32),
        gone=gone,
        pushed_by=by,
    )


def _pushed(poses: Doubles, index: int, gone: int | None) -> MotionTrace | None:
    """The way of a die that lay there; None where nothing pushed it."""
    own = poses[:, index]
    moved = _apart(own, own[0])
    first = int(np.argmax(moved)) if moved.any() else 0
    if not first:
        return None
    start = max(first - 1, 0)
    away = np.linalg.norm(poses[start, :, :3] - own[start, :3], axis=1)
    away[index] = np.inf
    return _moving_part(own, start, gone=gone is not None, until=gone, by=int(np.argmin(away)))


def _apart(poses: Doubles, place: Doubles) -> NDArray[np.bool_]:
    """Where a die (T, 7) is not in that place (7)."""
    shifted = np.linalg.norm(poses[:, :3] - place[:3], axis=1) > 0.15
    turned = np.abs(poses[:, 3:] @ place[3:]) < np.cos(0.012 / 2)
    found: NDArray[np.bool_] = shifted | turned
    return found


def _last_moved(poses: Doubles) -> int:
    """The first look from which on the die lies as it does in the end."""
    moved = np.flatnonzero(_apart(poses, poses[-1]))
    return int(moved[-1]) + 1 if len(moved) else 0


def _continued(quaternions: Doubles) -> Doubles:
    """The same turns (T, 4), each with the sign that is nearer to the one before."""
    flips = np.sign(np.sum(quaternions[1:] * quaternions[:-1], axis=1))
    signs = np.cumprod(np.concatenate([[1.0], np.where(flips == 0, 1.0, flips)]))
    found: Doubles = quaternions * signs[:, None]
    return found


def _rounded(body: SimulatedDie) -> SimulatedDie:
    """The box within a die that its rounded edges go round."""
    return replace(body, edge_mm=body.edge_mm - 2 * body.fillet_mm)


def _turn(quaternion: Doubles) -> Doubles:
    """A unit quaternion, the real part first, as a rotation (3 x 3)."""
    found = np.zeros(9)
    load().mju_quat2Mat(found, quaternion)
    return found.reshape(3, 3)


def _quaternion(turn: Reals) -> Doubles:
    """A rotation (3 x 3) as a unit quaternion, the real part first."""
    found = np.zeros(4)
    load().mju_mat2Quat(found, np.ascontiguousarray(turn, np.float64).ravel())
    return found


def _described(bodies: Sequence[SimulatedDie], ground: Tabletop) -> str:
    """The scene in MuJoCo's own words."""
    meshes = "".join(
        f'<mesh name="m{index}" vertex="{_words(d4_corners_mm(body.edge_mm).ravel())}"/>'
        for index, body in enumerate(bodies)
        if body.kind == "d4"
    )
    return (
        f'<mujoco><option timestep="{STEP_S}" gravity="0 0 {-GRAVITY_MM_S2}" integrator="Euler"'
        f' cone="elliptic" impratio="2"/><asset>{meshes}</asset>'
        f'<default><geom friction="{ground.friction} 1 1" condim="3" solimp="0.95 0.99 0.1"'
        f' solref="{_words(_push_back(_damping(ground)))}"/></default>'
        f"<worldbody>{_ground(ground)}{''.join(map(_die, range(len(bodies)), bodies))}</worldbody></mujoco>"
    )


def _damping(ground: Tabletop) -> float:
    """The damping ratio of a push-back that leaves so much of the speed."""
    lost = float(np.log(ground.bounce))
    return -lost / float(np.hypot(np.pi, lost))


def _push_back(damping: float) -> tuple[float, float]:
    """MuJoCo's time constant and damping ratio of a push-back that swings at `PUSH_BACK_RAD_S`."""
    return 1 / (damping * PUSH_BACK_RAD_S), damping


def _ground(ground: Tabletop) -> str:
    if ground.ends_mm is None:
        found = '<geom type="plane" size="0 0 50"/>'
    else:
        found = _block(ground.ends_mm, -40.0, 0.0)
    return found + "".join(_block(bounds, 0.0, high) for bounds, high in ground.walls)


def _block(bounds_mm: BoundsMm, low_mm: float, high_mm: float) -> str:
    x0, y0, x1, y1 = bounds_mm
    middle = _words(((x0 + x1) / 2, (y0 + y1) / 2, (low_mm + high_mm) / 2))
    half = _words(((x1 - x0) / 2, (y1 - y0) / 2, (high_mm - low_mm) / 2))
    return f'<geom type="box" size="{half}" pos="{middle}"/>'


def _die(index: int, body: SimulatedDie) -> str:
    if body.kind == "d4":
        shape = f'type="mesh" mesh="m{index}"'
    else:
        half = body.edge_mm / 2 - body.fillet_mm
        shape = f'type="box" size="{half} {half} {half}" margin="{body.fillet_mm}"'
    return f'<body><freejoint/><geom {shape} mass="1" priority="1"/></body>'


def _words(numbers: Any) -> str:
    return " ".join(f"{float(number):.6f}" for number in numbers)
