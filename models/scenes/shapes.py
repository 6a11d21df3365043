"""The shapes of dice as chance has them: razor-edged, round, cut, blunt, with many faces."""

import numpy as np

from calibration.arrays import Singles
from models.painting.shapes import Frames, Rests, Solid, cube_frames, cube_rests, facets, tetrahedron
from models.painting.solids import Body, cube
from models.scenes.chance import Chance, between, maybe


def cube_body(chance: Chance, edge_mm: float) -> Body:
    """From a razor-edged casino die to one that is nearly a ball."""
    if maybe(chance, 0.35):
        return cube(edge_mm, 0.0, between(chance, 1.22, 1.6))
    return cube(edge_mm, 0.012 if maybe(chance, 0.15) else between(chance, 0.03, 0.24))


def cube_solid(chance: Chance, edge_mm: float) -> Solid:
    """Any die's cube."""
    frames = cube_frames(edge_mm)
    return Solid(cube_body(chance, edge_mm), frames, cube_rests(frames))


def four_sided(chance: Chance, edge_mm: float) -> Solid:
    """A D4, sharp or blunt."""
    return tetrahedron(edge_mm, blunt=between(chance, 0.78, 0.99), bevel=between(chance, 0.02, 0.12))


def faceted(chance: Chance, name: str, radius_mm: float) -> Solid:
    """A die of flat faces about a ball of that radius; which way up the numbers are is left to chance."""
    normals, corners = facets(name)
    helper = chance.standard_normal(normals.shape)
    right = np.cross(helper, normals)
    right /= np.linalg.norm(right, axis=1, keepdims=True)
    up = np.cross(normals, right)
    on_face = normals @ corners.T > 1 - 1e-3
    wide = float(np.linalg.norm(corners[on_face[0]] - normals[0], axis=1).max()) * radius_mm
    middle = np.asarray(normals * np.float32(radius_mm), np.float32)
    frames = Frames(middle, right.astype(np.float32), up.astype(np.float32), 2 * wide)
    reach = np.full(len(normals), radius_mm, np.float32)
    body = Body(
        "facets",
        radius_mm,
        radius_mm * between(chance, 0.01, 0.06),
        normals,
        reach,
        corners.T * np.float32(radius_mm),
    )
    turns = np.stack((right, up, normals), axis=1).astype(np.float32)
    outline = np.stack(
        [_four(corners[row] * radius_mm, normal) for row, normal in zip(on_face, normals, strict=True)]
    )
    return Solid(body, frames, Rests(turns, outline, middle, tuple((k,) for k in range(len(normals)))))


def _four(corners: Singles, normal: Singles) -> Singles:
    """Four points (3 x 4) about a face's corners: a square in its plane that is as wide as the face."""
    middle = corners.mean(axis=0)
    arm = corners[0] - middle
    other = np.cross(normal, arm)
    return np.asarray((middle + np.stack((arm, other, -arm, -other))).T, np.float32)
