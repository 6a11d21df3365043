"""The cut in which a D4 is looked at closely, shared by its network's training and by the reader.

A D4 lies on one face and shows three, each seen at a slant: from right above they are foreshortened to a
third. The number that counts stands upright on all three of them, at the upper tip or at the lower edge.

The cut shows the triangle that the die lies on (`vision.face_place.FacePlace.triangle`) with one corner to
the right, as large as if it were seen from right above. It is not stretched to be equilateral: seen from the
side, that triangle is narrow and mostly hidden, and the tip stands far beside it. Lengths in a cut are half
edges of a `FacePlace` that nothing foreshortens (`frame_of`): an edge of the die has up to 3.33.
"""

import numpy as np

from calibration.arrays import Picture, Singles
from vision.face_place import D4_HALF, FacePlace, place_of
from vision.learned.contract import CUT_REACH, cut_out

CUT_PX = 128
REACH = 2.6
"""How far a cut reaches from the middle, in half edges. The corners are at most 1.92 away; a camera that
looks down at a slant of 60 degrees shows the tip 2.36 to one side."""
UNIT_PX = CUT_PX / 2 / REACH
"""One half edge in pixels of a cut; an edge of the die has some 82."""
EDGE = 3**0.5 / D4_HALF
"""A D4's edge divided by the half edge of its Place."""
HEIGHT = (2 / 3) ** 0.5
"""A D4's height, divided by its edge."""
VALUES = (1, 2, 3, 4)
CLASSES = (*VALUES, None)
"""The classes of the D4 network: a value, or None for what is no D4."""
TURNS = (0.0, 2 * np.pi / 3, 4 * np.pi / 3)
"""The turns after which a D4 seen from right above looks the same."""
CORNERS = np.array([(np.cos(turn), np.sin(turn)) for turn in TURNS], np.float32) / np.float32(D4_HALF)
"""3 x 2: where the corners of a D4 seen from right above lie in its cut, in half edges, clockwise as
pictured."""
POINTS = 8
"""How many numbers of the network's answer tell the place: x and y of the three corners, in the order of
CORNERS, and of the upper tip."""


def frame_of(place: FacePlace) -> FacePlace:
    """A square place about the same middle, turned as the given one and as large as that is along its longer
    side: what a cut shows upright."""
    left, sizes, right = np.linalg.svd(place.axes.astype(np.float64))
    return FacePlace(place.center, np.asarray(sizes[0] * left @ right, np.float32))


def cut_of(picture: Picture, place: FacePlace, turn: float = 0.0, side: int = CUT_PX) -> Picture:
    """The D4 at that place, set upright: `side` x `side` x 3. A side of more than CUT_PX shows more round it,
    not finer."""
    wider = frame_of(place).widened(REACH / CUT_REACH * side / CUT_PX)
    return cut_out(picture, wider, turn, side)


def edge_px(place: FacePlace) -> float:
    """The mean length of a D4's edges in the picture, pixels."""
    return EDGE * place.half_px


def inside(place: FacePlace, points: Singles) -> Singles:
    """Points of the picture (..., 2) in half edges of the place's cut, from its middle."""
    away = np.asarray(points, np.float64) - place.center
    return np.asarray(away @ np.linalg.inv(frame_of(place).axes.astype(np.float64)).T, np.float32)


def set_right(place: FacePlace, points: Singles, turn: float = 0.0) -> FacePlace:
    """The corrected place of a D4, from the corners that the network told (8 numbers) in the cut of `place`
    turned by `turn` radians."""
    cosine, sine = np.cos(turn), np.sin(turn)
    axes = frame_of(place).axes.astype(np.float64) @ np.array(((cosine, -sine), (sine, cosine)))
    corners = place.center + points[:6].reshape(3, 2).astype(np.float64) @ axes.T
    return place_of(np.asarray(corners, np.float32))


def tip_px(place: FacePlace, points: Singles) -> Singles:
    """Where the upper tip appears in the picture (2,), from what the network told of the upright cut of
    `place`."""
    return np.asarray(place.center + frame_of(place).axes @ points[6:8], np.float32)
