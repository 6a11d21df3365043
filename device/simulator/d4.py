"""The simulated D4: a tetrahedron that stands on a face, read at its upper corner.

The middle lies 0.204 edges over the face that it stands on, and 0.612 from each corner. A face is numbered
by the corner opposite; it carries three numerals, one towards each of its corners, so that the number of the
corner that is up stands upright on all three faces in sight.
"""

import numpy as np

from calibration.arrays import Reals
from models.painting.solids import facets

INRADIUS = 1 / np.sqrt(24.0)
CIRCUMRADIUS = 3 * INRADIUS
CORNERS: Reals = -facets("d4")[0]
"""Directions of the four corners; the face opposite looks the other way."""


def corners_mm(edge_mm: float) -> Reals:
    """The four corners (4, 3) in the die's own frame."""
    found: Reals = CORNERS * np.float32(CIRCUMRADIUS * edge_mm)
    return found


def upper(turn: Reals) -> int:
    """The corner that is up."""
    return int(np.argmax(CORNERS @ turn[2]))


def corner_up(corner: int) -> Reals:
    """A turn that stands the die on the face opposite to a corner."""
    up = CORNERS[corner]
    aside = np.cross(up, CORNERS[(corner + 1) % 4])
    right = aside / np.linalg.norm(aside)
    turn: Reals = np.stack([right, np.cross(up, right), up]).astype(np.float32)
    return turn


def stands_mm(turn: Reals, edge_mm: float, row: int = 2) -> Reals:
    """How far below the middle a D4 turned so (..., 3, 3) reaches along a table axis."""
    found: Reals = -(turn[..., row, :] @ CORNERS.T).min(axis=-1) * np.float32(CIRCUMRADIUS * edge_mm)
    return found
