"""The shapes of dice: their bodies, how faces lie on them, and how they come to rest."""

from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from calibration.arrays import Singles
from models.painting.solids import Body


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
