"""The dice of the simulated table: bodies, poses and which of two touch. Lengths in mm, table frame."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Reals
from device.simulator import d4 as table_d4
from engine.dice import DieKind, Face

How = Literal["flat", "stacked", "covered", "cocked"]
"""How a die lies: flat on the felt, flat upon another, flat under another, leaning."""

SIDES: tuple[tuple[int, int], ...] = ((0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1))
"""A die's six sides as axis and direction in its own frame; `SimulatedDie.faces` is in this order."""

FACES_ON: dict[DieKind, tuple[Face, ...]] = {
    "pip": (2, 5, 3, 4, 1, 6),
    "zoinx": ("square", "square", "square", "square", "dot", "dot"),
    "bet": (0, 10, 2, 8, 4, 6),
    "d4": (1, 2, 3, 4),
}
"""What each side shows, and each corner of a D4."""

EDGE_MM: dict[DieKind, float] = {"pip": 16.0, "zoinx": 16.0, "bet": 16.0, "d4": 19.0}

CORNERS: Reals = np.array(list(product((-1, 1), repeat=3)), np.float32)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulatedDie:
    """One die. Each throw makes bodies of its own, so that `number` names one die in one throw."""

    number: int
    kind: DieKind
    color: str
    faces: tuple[Face, ...]
    edge_mm: float = 16.0
    fillet_mm: float = 1.2
    """How round the edges are: their radius."""
    hollow: float = 1.0
    """How deep the pips are: 1 is 0.7 mm on a die of 16 mm, 0 is printed."""


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a die's middle is (3) and how it is turned (3 x 3, from its own frame to the table's)."""

    center_mm: Reals
    turn: Reals

    @cached_property
    def upward(self) -> int:
        """The side that looks up most, as an index of `SIDES`."""
        axis = int(np.argmax(np.abs(self.turn[2])))
        return 2 * axis + int(self.turn[2, axis] < 0)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RestingDie:
    """A die at rest."""

    body: SimulatedDie
    pose: Pose
    how: How

    @property
    def up(self) -> Face:
        """The face that looks up; of a cocked die the one that looks up most."""
        return self.body.faces[up_side(self.body, self.pose)]


def up_side(body: SimulatedDie, pose: Pose) -> int:
    """The side of the body that counts as up, as an index of its faces."""
    return table_d4.upper(pose.turn) if body.kind == "d4" else pose.upward


def up_sides(body: SimulatedDie, turns: Reals) -> NDArray[np.intp]:
    """The same of many turns (T, 3, 3)."""
    if body.kind == "d4":
        corners: NDArray[np.intp] = np.argmax(turns[:, 2] @ table_d4.CORNERS.T, axis=1)
        return corners
    axes = np.abs(turns[:, 2]).argmax(axis=1)
    sides: NDArray[np.intp] = 2 * axes + (turns[np.arange(len(turns)), 2, axes] < 0)
    return sides


def on_side(body: SimulatedDie, side: int) -> Reals:
    """A turn that brings a side up, by its index of the body's faces."""
    return table_d4.corner_up(side) if body.kind == "d4" else side_up(side)


def rotations(axis: Reals, angles_rad: Reals) -> Reals:
    """The rotations (T, 3, 3) about one unit axis by angles (T) (Rodrigues)."""
    x, y, z = (float(part) for part in axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    sines, cosines = np.sin(angles_rad)[:, None, None], np.cos(angles_rad)[:, None, None]
    found: Reals = (np.eye(3) + sines * k + (1 - cosines) * (k @ k)).astype(np.float32)
    return found


UPRIGHT: Reals = np.array([0, 0, 1], np.float32)


def yawed(angle_rad: float) -> Reals:
    """The rotation about the upright axis."""
    found: Reals = rotations(UPRIGHT, np.array([angle_rad]))[0]
    return found


def side_up(side: int) -> Reals:
    """A turn that brings a side of `SIDES` up."""
    axis, sign = SIDES[side]
    turn = np.zeros((3, 3), np.float32)
    turn[2, axis] = sign
    turn[0, (axis + 1) % 3] = 1
    turn[1, (axis + 2) % 3] = sign
    return turn


def support_mm(body: SimulatedDie, turn: Reals, row: int = 2) -> Reals:
    """How far a body turned so (..., 3, 3) reaches along a table axis; along z: how high it stands."""
    if body.kind == "d4":
        return table_d4.stands_mm(turn, body.edge_mm, row)
    inner = body.edge_mm / 2 - body.fillet_mm
    found: Reals = np.abs(turn[..., row, :]).sum(axis=-1) * inner + body.fillet_mm
    return found


def corners_mm(body: SimulatedDie, pose: Pose, shrink: float = 1.0) -> Reals:
    """The eight corners (8, 3) of the die's box, or the four of a D4."""
    if body.kind == "d4":
        four: Reals = (table_d4.corners_mm(body.edge_mm) * np.float32(shrink)) @ pose.turn.T + pose.center_mm
        return four
    found: Reals = (CORNERS * (body.edge_mm / 2 * shrink)) @ pose.turn.T + pose.center_mm
    return found


def top_corners_mm(body: SimulatedDie, pose: Pose) -> Reals:
    """The corners (4, 3) of the face that looks up most, in order round it; of a D4 the upper corner and
    then the others."""
    if body.kind == "d4":
        four = corners_mm(body, pose)
        return np.roll(four, -table_d4.upper(pose.turn), axis=0)
    axis, sign = SIDES[pose.upward]
    half = body.edge_mm / 2
    found = np.zeros((4, 3), np.float32)
    found[:, axis] = sign * half
    found[:, (axis + 1) % 3] = (-half, half, half, -half)
    found[:, (axis + 2) % 3] = (-half, -half, half, half)
    corners: Reals = found @ pose.turn.T + pose.center_mm
    return corners


_BOX: dict[DieKind, float] = {"pip": 1.0, "zoinx": 1.0, "bet": 1.0, "d4": 1.2}
"""The edge of a box that holds the die however it is turned, in the die's edges."""


def boxes_apart_mm(
    a: SimulatedDie, a_centers: Reals, a_turns: Reals, b: SimulatedDie, b_centers: Reals, b_turns: Reals
) -> Reals:
    """How far two boxes are apart at each of T moments, by separating axes; below zero they overlap.

    Centres are (T, 3), turns (T, 3, 3). Of separate boxes the figure never says more than the true distance.
    """
    ax, bx = np.swapaxes(a_turns, 1, 2), np.swapaxes(b_turns, 1, 2)  # (T, 3, 3): rows are the boxes' axes
    cross = np.cross(ax[:, :, None, :], bx[:, None, :, :]).reshape(len(ax), 9, 3)
    length = np.linalg.norm(cross, axis=2, keepdims=True)
    # Parallel edges give no axis of their own: a zero axis would read as "touching" and is put far down.
    cross = np.where(length > 1e-3, cross / np.maximum(length, 1e-3), 0)
    axes = np.concatenate([ax, bx, cross], axis=1)
    gap = np.abs(np.einsum("tij,tj->ti", axes, b_centers - a_centers))
    reach_a = np.abs(axes @ a_turns).sum(axis=2) * (a.edge_mm * _BOX[a.kind] / 2)
    reach_b = np.abs(axes @ b_turns).sum(axis=2) * (b.edge_mm * _BOX[b.kind] / 2)
    apart = gap - reach_a - reach_b
    apart[:, 6:][length[..., 0] <= 1e-3] = -np.inf
    found: Reals = apart.max(axis=1)
    return found
