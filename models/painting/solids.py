"""Solid bodies, the shapes of dice, and the rays that meet them.

All shapes are convex and centred on their own origin. Arrays of points and directions are 3 x n (numpy
reduces over the first axis much faster than over a last axis of three).
"""

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.arrays import Ints, Singles

STEPS, CLOSE_MM = 24, 2e-3
"""How many steps a ray is followed round an edge at most, and at which distance it counts as there."""
CLOSE_GRAZING_MM = 1e-2
"""The same for rays that are followed along an edge: a thirtieth of a pixel of a camera over a table."""


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A convex body: a cube with rounded edges, a cube cut by a ball, or any shape between planes."""

    shape: Literal["rounded", "cut", "facets"]
    half_mm: float
    """Half the edge of a cube; the inner radius of other shapes."""
    round_mm: float
    """Radius of the rounded edges; of the ball that cuts the cube; width of the bevel of facets."""
    normals: Singles
    """k x 3, outwards, one for each face."""
    reach_mm: Singles
    """k: each face's distance from the origin."""
    hull_mm: Singles
    """3 x m: points whose hull is the body, for its shadow and its outline."""


@dataclass(frozen=True, slots=True, eq=False)
class Hit:
    """Where rays meet a body first, in the body's own frame."""

    index: Ints
    """Which of the rays."""
    far: Singles
    """How far along them, mm."""
    point: Singles
    normal: Singles
    face: Ints


def cast(body: Body, origin: Singles, rays: Singles, *, grazing: bool = False) -> Hit:
    """The first meeting of each ray (unit, 3 x n) from one origin (3) with the body.

    ``grazing``: also of rays that run along a rounded edge. Without it some of those are given up, as in the
    scenes from which the networks have learnt, which must stay what they are.
    """
    near, far = _between_planes(body, origin, rays)
    index = np.flatnonzero((near < far) & (near > 0))
    if body.shape == "rounded":
        return _march(body, origin, (rays, near, far), index, grazing)
    if body.shape == "cut":
        return _cut(body, origin, rays, (near, far), index)
    point = origin[:, None] + rays[:, index] * near[index]
    depth = body.reach_mm[:, None] - body.normals @ point
    weight = np.exp(-np.maximum(depth, 0) / np.float32(max(body.round_mm, 1e-3)))
    normal = body.normals.T @ weight
    normal /= np.sqrt(dot(normal, normal))
    return Hit(index, near[index], point, normal, depth.argmin(axis=0))


def dot(one: Singles, other: Singles) -> Singles:
    """The scalar products of vectors, n of 3 x n."""
    return np.asarray(np.einsum("kn,kn->n", one, other), np.float32)


def blocks(body: Body, origins: Singles, rays: Singles) -> NDArray[np.bool_]:
    """Whether the body stands in the way of rays (3 x n) that start at these points (3 x n)."""
    near, far = _between_planes(body, origins, rays, 0.97)
    return np.asarray((near < far) & (far > 1e-3))


def _between_planes(body: Body, origin: Singles, rays: Singles, shrunk: float = 1.0
                    ) -> tuple[Singles, Singles]:  # fmt: skip
    """Where rays enter and leave; ``origin`` is one point (3) for all of them, or one for each (3 x n)."""
    near = np.full(rays.shape[1], -1e9, np.float32)
    far = np.full(rays.shape[1], 1e9, np.float32)
    if body.shape == "facets":
        for normal, reach in zip(body.normals, body.reach_mm, strict=True):
            slope = normal @ rays
            slope = np.where(np.abs(slope) < 1e-6, np.float32(1e-6), slope)
            at = (np.float32(shrunk) * reach - normal @ origin) / slope
            np.maximum(near, np.where(slope < 0, at, np.float32(-1e9)), out=near)
            np.minimum(far, np.where(slope > 0, at, np.float32(1e9)), out=far)
        return near, far
    half = np.float32(shrunk * body.half_mm)
    for axis in range(3):
        along = rays[axis]
        inverse = 1 / np.where(np.abs(along) < 1e-6, np.float32(1e-6), along)
        middle, swing = -origin[axis] * inverse, np.abs(half * inverse)
        np.maximum(near, middle - swing, out=near)
        np.minimum(far, middle + swing, out=far)
    return near, far


def _march(
    body: Body, origin: Singles, way: tuple[Singles, Singles, Singles], index: Ints, grazing: bool
) -> Hit:
    """Sphere tracing from where the sharp cube is entered; flat faces are met at once, edges in a few steps.

    Distance to a rounded box: I. Quilez, "distance functions" (2008). Along a ray it is convex, so Newton's
    steps, which are longer, do not pass the edge either; ``grazing`` rays need them.
    """
    rays, near, far = way
    core, round_mm = np.float32(body.half_mm - body.round_mm), np.float32(body.round_mm)
    at, close_mm = near.copy(), CLOSE_GRAZING_MM if grazing else CLOSE_MM
    active, found = index, []
    for _ in range(STEPS):
        if not active.size:
            break
        ahead = np.take(rays, active, axis=1)
        point = origin[:, None] + ahead * at[active]
        beyond = np.maximum(np.abs(point) - core, 0)
        gap = np.sqrt(dot(beyond, beyond)) - round_mm
        met = gap < close_mm
        found.append(active[met])
        left = np.flatnonzero(~met)
        active, gap = active[left], gap[left]
        if grazing and left.size:
            uphill = np.copysign(np.take(beyond, left, axis=1), np.take(point, left, axis=1))
            nearing = -dot(uphill, np.take(ahead, left, axis=1)) / (gap + round_mm)
            gap = np.asarray(gap / np.maximum(nearing, np.float32(1e-6)), np.float32)
        at[active] += gap
        active = active[at[active] < far[active]]
    index = np.concatenate(found) if found else index[:0]
    point = origin[:, None] + np.take(rays, index, axis=1) * at[index]
    normal = np.maximum(np.abs(point) - core, 0) * np.sign(point)
    normal /= np.maximum(np.sqrt(dot(normal, normal)), 1e-6)
    return Hit(index, at[index], point, normal, _side(normal))


def _cut(body: Body, origin: Singles, rays: Singles, span: tuple[Singles, Singles], index: Ints) -> Hit:
    """A cube cut by a ball of ``round_mm``, as turned dice with round faces are."""
    rays = np.take(rays, index, axis=1)
    middle = -(origin @ rays)
    root = middle * middle - np.float32(origin @ origin - body.round_mm**2)
    swing = np.sqrt(np.maximum(root, 0))
    ball = middle - swing
    near = np.maximum(span[0][index], ball)
    met = (root > 0) & (near < np.minimum(span[1][index], middle + swing))
    near, on_ball = near[met], (ball > span[0][index])[met]
    point = origin[:, None] + rays[:, met] * near
    side = _side(point)
    flat = np.zeros_like(point)
    flat[side // 2, np.arange(side.size)] = 1 - 2 * (side % 2)
    normal = np.where(on_ball, point / np.float32(body.round_mm), flat)
    return Hit(index[met], near, point, np.asarray(normal, np.float32), side)


def _side(vectors: Singles) -> Ints:
    """The cube's face (+x -x +y -y +z -z) that each vector points to most."""
    axis = np.abs(vectors).argmax(axis=0)
    return np.asarray(2 * axis + (vectors[axis, np.arange(axis.size)] < 0), np.intp)


CUBE = np.array(((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)), np.float32)
CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32).T


def cube(edge_mm: float, rounding: float, cut: float | None = None) -> Body:
    """A die's cube; ``rounding``: its edges' radius by the edge; ``cut``: a ball's radius by the half."""
    half = edge_mm / 2
    reach = np.full(6, half, np.float32)
    if cut is not None:
        ball = cut * half
        rim = np.sqrt(max(ball**2 - half**2, 0.0))
        turn = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        ring = np.stack((np.cos(turn) * min(rim, half), np.sin(turn) * min(rim, half), np.full(12, half)))
        flipped = (ring, ring * np.array([[1], [1], [-1]]))
        rings = [np.roll(circle, axis, axis=0) for axis in range(3) for circle in flipped]
        return Body("cut", half, ball, CUBE, reach, np.asarray(np.concatenate(rings, axis=1), np.float32))
    round_mm = max(rounding * edge_mm, 0.01)
    bulge = np.array((0.577, 1.0, 0.0), np.float32)
    ways = np.array([(bulge[0],) * 3, (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32).T
    points = [CORNERS * (half - round_mm) + CORNERS * way[:, None] * round_mm for way in ways.T]
    return Body(
        "rounded", half, round_mm, CUBE, reach, np.asarray(np.concatenate(points, axis=1), np.float32)
    )


# The shapes of dice: their bodies, how faces lie on them, and how they come to rest.


@dataclass(frozen=True, slots=True, eq=False)
class Frames:
    """How faces lie on a body: each has a middle, a u and a v axis (k x 3), and an edge (all in mm)."""

    middle: Singles
    right: Singles
    up: Singles
    edge_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Rests:
    """The ways in which a body can lie, k of them."""

    turns: Singles
    """k x 3 x 3: from the body's frame to the table's."""
    corners_mm: Singles
    """k x 3 x m: the up-face's corners (for a D4, those it lies on) in the body's frame."""
    tops_mm: Singles
    """k x 3: the up-face's middle."""
    up: tuple[tuple[int, ...], ...]
    """The faces that count as the up-face."""


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A body with its faces and its ways to lie."""

    body: Body
    frames: Frames
    rests: Rests


def cube_frames(edge_mm: float) -> Frames:
    """The faces +x -x +y -y +z -z, each seen from outside with its own right and up."""
    right = np.array(((0, 1, 0), (0, -1, 0), (-1, 0, 0), (1, 0, 0), (1, 0, 0), (-1, 0, 0)), np.float32)
    up = np.array(((0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 0, 1), (0, 1, 0), (0, 1, 0)), np.float32)
    return Frames(np.cross(right, up).astype(np.float32) * np.float32(edge_mm / 2), right, up, edge_mm)


def cube_rests(frames: Frames) -> Rests:
    """A cube lies six ways."""
    normal = np.cross(frames.right, frames.up)
    turns = np.stack((frames.right, frames.up, normal), axis=1)
    half = frames.edge_mm / 2
    signs = np.array(((-1, 1), (1, 1), (1, -1), (-1, -1)), np.float32) * half
    corners = (frames.middle[:, :, None] + frames.right[:, :, None] * signs[:, 0]
               + frames.up[:, :, None] * signs[:, 1])  # fmt: skip
    return Rests(
        turns.astype(np.float32), corners.astype(np.float32), frames.middle, tuple((k,) for k in range(6))
    )


@cache
def facets(name: str) -> tuple[Singles, Singles]:
    """A polyhedron about a ball of radius 1: its faces' normals (k x 3) and its corners (m x 3)."""
    gold = (1 + 5**0.5) / 2
    signs = np.array([(a, b) for a in (-1, 1) for b in (-1, 1)], float)
    eight = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
    ico = [np.roll(np.column_stack((np.zeros(4), signs * (1, gold))), k, 1) for k in range(3)]
    dode = [np.roll(np.column_stack((np.zeros(4), signs * (1 / gold, gold))), k, 1) for k in range(3)]
    turn = np.arange(10) * np.pi / 5
    kite = np.column_stack((np.cos(turn), np.sin(turn), np.where(np.arange(10) % 2, -0.9, 0.9)))
    four = np.array(((1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)), float)
    normals = {
        "d4": -four,
        "d8": eight,
        "d10": kite,
        "d12": np.concatenate(ico),
        "d20": np.concatenate((eight, *dode)),
    }[name]
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    corners = []
    for three in combinations(range(len(normals)), 3):
        planes = normals[list(three)]
        if abs(np.linalg.det(planes)) > 1e-6:
            corner = np.linalg.solve(planes, np.ones(3))
            if (normals @ corner < 1 + 1e-6).all():
                corners.append(corner)
    unique = np.unique(np.round(corners, 6), axis=0)
    return np.asarray(normals, np.float32), np.asarray(unique, np.float32)


def tetrahedron(edge_mm: float, blunt: float, bevel: float) -> Solid:
    """A D4. Face k lies opposite corner k, which rest k has on top.

    ``blunt``: how far its cut tips reach, by the sharp ones; ``bevel``: the width of its soft edges, by its
    inner radius.
    """
    normals, _ = facets("d4")
    tips = -normals
    radius = edge_mm / (2 * 6**0.5)
    planes = np.concatenate((normals, tips)).astype(np.float32)
    reach = np.concatenate((np.full(4, radius), np.full(4, 3 * radius * blunt))).astype(np.float32)
    ends = tips * 3 * radius
    cut = [ends[k] + (ends[j] - ends[k]) * (1 - blunt) * 0.75 for k in range(4) for j in range(4) if j != k]
    hull = np.asarray(np.array(cut).T, np.float32)
    body = Body("facets", radius, radius * bevel, planes, reach, hull)
    frames = _tetra_frames(ends, planes, reach, edge_mm)
    turns, outline = [], []
    for k in range(4):
        base = [ends[j] for j in range(4) if j != k]
        arm = base[0] - base[1]
        arm /= np.linalg.norm(arm)
        turns.append(np.stack((arm, np.cross(tips[k], arm), tips[k])))
        outline.append(np.array(base).T)
    shown = tuple(tuple(face for face in range(8) if face != k) for k in range(4))
    rests = Rests(
        np.asarray(turns, np.float32),
        np.asarray(outline, np.float32),
        np.asarray(ends * blunt, np.float32),
        shown,
    )
    return Solid(body, frames, rests)


def _tetra_frames(ends: Singles, planes: Singles, reach: Singles, edge_mm: float) -> Frames:
    """On face k, up points to the first of its corners."""
    up = np.array([ends[(k + 1) % 4] - ends[[j for j in range(4) if j != k]].mean(axis=0) for k in range(4)])
    up = np.concatenate((up, np.cross(planes[4:], (0.3, 0.5, 0.8))))
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    right = np.cross(up, planes)
    middle = np.asarray(planes * reach[:, None], np.float32)
    return Frames(middle, right.astype(np.float32), up.astype(np.float32), edge_mm * D4_FACE)


D4_FACE = 1.2
"""A D4's face is drawn in a square so many edges wide, so that its corners fit."""
