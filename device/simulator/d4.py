"""The simulated D4: a tetrahedron that stands on a face, read at its upper corner.

The middle lies 0.204 edges over the face that it stands on, and 0.612 from each corner. A face is numbered
by the corner opposite; it carries three numerals, one towards each of its corners, so that the number of the
corner that is up stands upright on all three faces in sight.
"""

import numpy as np

from calibration.arrays import Ints
from device.simulator.lens import Floats

INRADIUS = 1 / np.sqrt(24.0)
CIRCUMRADIUS = 3 * INRADIUS
CORNERS: Floats = (np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3)).astype(
    np.float32
)
"""Directions of the four corners; the face opposite looks the other way."""
NUMERAL_OUT = 0.46
"""How far out from a face's middle towards its corner the numeral's middle stands, 1 being the corner."""
NUMERAL_HALF = 0.20
"""Half the numeral's square, in edges."""


def corners_mm(edge_mm: float) -> Floats:
    """The four corners (4, 3) in the die's own frame."""
    found: Floats = CORNERS * np.float32(CIRCUMRADIUS * edge_mm)
    return found


def upper(turn: Floats) -> int:
    """The corner that is up."""
    return int(np.argmax(CORNERS @ turn[2]))


def corner_up(corner: int) -> Floats:
    """A turn that stands the die on the face opposite to a corner."""
    up = CORNERS[corner]
    aside = np.cross(up, CORNERS[(corner + 1) % 4])
    right = aside / np.linalg.norm(aside)
    turn: Floats = np.stack([right, np.cross(up, right), up]).astype(np.float32)
    return turn


def stands_mm(turn: Floats, edge_mm: float, row: int = 2) -> Floats:
    """How far below the middle a D4 turned so (..., 3, 3) reaches along a table axis."""
    found: Floats = -(turn[..., row, :] @ CORNERS.T).min(axis=-1) * np.float32(CIRCUMRADIUS * edge_mm)
    return found


def planes(edge_mm: float) -> tuple[Floats, Floats, Floats]:
    """The four faces as slabs: normals (4, 3), half their thickness (4, 1) and their middles (4, 1)."""
    face, corner = np.float32(INRADIUS * edge_mm), np.float32(CIRCUMRADIUS * edge_mm)
    half = np.full((4, 1), (face + corner) / 2, np.float32)
    return -CORNERS, half, half - corner


def numerals(places: Floats, edge_mm: float) -> tuple[Floats, Ints, Floats, Floats]:
    """What is printed at points (3, N) on the die: the face's normal (3, N), which corner's numeral is near,
    and where on its square the point lies, to the right and up, -1 to 1."""
    faces = np.argmax(-CORNERS @ places, axis=0)
    normal = -CORNERS[faces].T
    on_face = places - normal * np.float32(INRADIUS * edge_mm)
    near = CORNERS @ on_face
    near[faces, np.arange(places.shape[1])] = -np.inf
    corner = np.argmax(near, axis=0)
    up = CORNERS[corner].T - normal * (CORNERS[corner].T * normal).sum(axis=0)
    up /= np.linalg.norm(up, axis=0)
    right = np.cross(up.T, normal.T).T
    reach = edge_mm / np.sqrt(3)
    half = np.float32(NUMERAL_HALF * edge_mm)
    across = (on_face * right).sum(axis=0) / half
    along = ((on_face * up).sum(axis=0) - np.float32(NUMERAL_OUT * reach)) / half
    return normal, corner, across, along
