"""Where an up-face lies in a picture: its middle, and vectors from there to the middles of two of its sides.

A far camera sees a square up-face as a parallelogram: centre + axes (x, y), with x and y from -1 to 1. Both
readers and the second opinion on landings describe places in this form.
"""

from dataclasses import dataclass

import numpy as np

from calibration.arrays import Singles
from engine.dice import Die
from vision.colors import color_word
from vision.reading import Point, SeenDie, UnsureDie

D4_HALF = 0.52
"""The half edge of a D4's Place, divided by the distance of its corners from its middle. Its numbers stand
near the tip or at the middles of its edges, so a cut that leaves the corners out shows them larger."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A parallelogram in a picture: the place of an up-face."""

    center: Singles
    """The middle: x, y in pixels."""
    axes: Singles
    """2 x 2: the columns lead from the middle to the middles of two neighbouring sides, in pixels."""

    @property
    def half_px(self) -> float:
        """Half the edge of a square with the same area, in pixels."""
        # Of so small a matrix, numpy's determinant takes 30 times as long.
        (a, b), (c, d) = self.axes.tolist()
        return float(abs(a * d - b * c) ** 0.5)

    def widened(self, factor: float) -> "Place":
        """The same place with a face `factor` times as large about the same middle."""
        return Place(self.center, np.asarray(self.axes * factor, np.float32))

    def scaled(self, x: float, y: float) -> "Place":
        """The same place in a picture with x times as many columns and y times as many rows."""
        factors = np.array((x, y), np.float64)
        # Pixel centres have whole coordinates, so the picture begins half a pixel before the first one.
        center = (self.center + 0.5) * factors - 0.5
        return Place(np.asarray(center, np.float32), np.asarray(factors[:, None] * self.axes, np.float32))

    def shifted(self, x: float, y: float) -> "Place":
        """The same place, x pixels further right and y further down."""
        return Place(np.asarray(self.center + np.array((x, y)), np.float32), self.axes)

    def corners(self) -> Singles:
        """4 x 2, in order round the face."""
        steps = np.array(((-1, -1), (1, -1), (1, 1), (-1, 1)), np.float32)
        return np.asarray(self.center + steps @ self.axes.T, np.float32)

    def triangle(self) -> Singles:
        """3 x 2: the corners of a D4 whose place this is."""
        angle = np.arange(3) * (2 * np.pi / 3)
        steps = np.column_stack((np.cos(angle), np.sin(angle))) / D4_HALF
        return np.asarray(self.center + steps @ self.axes.T, np.float32)


def place_of(corners: Singles) -> Place:
    """The place of a face with these corners in order: four of a square, or three of a D4's triangle.

    Raises ValueError for another number of corners.
    """
    points = np.asarray(corners, np.float64)
    if len(points) not in (3, 4):
        raise ValueError(f"an up-face has three or four corners; got {len(points)}")
    center = points.mean(axis=0)
    arms = points - center
    if len(points) == 3:
        if arms[0, 0] * arms[1, 1] - arms[0, 1] * arms[1, 0] < 0:
            arms = arms[::-1]
        ideal = np.array([(np.cos(t), np.sin(t)) for t in (0, 2 * np.pi / 3, 4 * np.pi / 3)])
        axes = (2 / 3) * arms.T @ ideal * D4_HALF
    else:
        axes = np.column_stack((arms[1] + arms[2] - arms[0] - arms[3], arms[2] + arms[3] - arms[0] - arms[1]))
        axes /= 4
        if np.linalg.det(axes) < 0:
            axes[:, 1] *= -1
    return Place(np.asarray(center, np.float32), np.asarray(axes, np.float32))


def vouch_for(die: Die, place: Place, confidence: float, body: Singles) -> SeenDie:
    """The die as read at a place; `body` is its colour, blue, green, red."""
    corners = place.triangle() if die.kind == "d4" else place.corners()
    return SeenDie(
        kind=die.kind,
        value=die.value,
        confidence=round(confidence, 4),
        color=color_word(body),
        center_px=_point(place.center),
        corners_px=tuple(_point(corner) for corner in corners),
    )


def leave_unsure(center: Singles, reason: str, likely: SeenDie | None = None) -> UnsureDie:
    """What is, or may be, a die with its middle there, and is not read, or not surely enough for itself."""
    return UnsureDie(center_px=_point(center), reason=reason, likely=likely)


def _point(xy: Singles) -> Point:
    return (round(float(xy[0]), 2), round(float(xy[1]), 2))
