"""From pixels to the mat's millimetres: by the mat's own tags, or by a calibrated camera.

The tags give the plane of the paper. A point above it appears too far out, by the similar triangles of eye,
point and foot: seen - below = (true - below) * eye / (eye - height), where "below" is the spot right below
the eye and "eye" its height. Where only tags are known, the eye is taken to be `camera_height_mm` of the
layout above the spot that the picture's middle shows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan2, cos, degrees, radians, sin
from typing import Protocol

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.view import View
from engine.wording import phrase
from vision.places.layout import Layout
from vision.places.tags import SeenTag

LEAST_TAGS = 2
"""The fewest tags in sight: two tags are eight corners, four more than a plane needs."""
MOST_OFF_MM = 3.0
"""The most by which a corner may lie off its printed place; beyond that it is another mat, or the paper is
folded."""


class Ground(Protocol):
    """The way between one camera's pixels and the mat's millimetres."""

    @property
    def eye_height_mm(self) -> float:
        """How high the camera's eye is above the paper."""
        ...

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        ...

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class TagGround:
    """The mat's plane as its tags give it."""

    to_mm: Floats
    """The homography (3, 3) from pixels to the paper."""
    below_eye_mm: Floats
    """The spot on the paper (2,) taken to be right below the eye: what the picture's middle shows."""
    eye_height_mm: float

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        seen = _through(self.to_mm, points_px)
        found: Floats = self.below_eye_mm + (seen - self.below_eye_mm) * (1 - z_mm / self.eye_height_mm)
        return found

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        return _through(np.asarray(np.linalg.inv(self.to_mm), np.float64), points_mm)


@dataclass(frozen=True, slots=True, eq=False)
class ViewGround:
    """A calibrated camera, and where the mat lies on its table."""

    view: View
    origin_mm: tuple[float, float]
    turn_deg: float

    @property
    def eye_height_mm(self) -> float:
        """How high the camera hangs."""
        return float(self.view.eye_mm[2])

    def on_mat(self, points_px: Floats, z_mm: float = 0.0) -> Floats:
        """The points (n, 2) of the mat's frame, at height `z_mm`, that pixels (n, 2) see."""
        found: Floats = (self.view.on_plane(points_px, z_mm) - np.array(self.origin_mm)) @ self._turn
        return found

    def pixels(self, points_mm: Floats) -> Floats:
        """Where points (n, 2) of the paper appear, as pixels (n, 2)."""
        there = np.asarray(points_mm, np.float64).reshape(-1, 2) @ self._turn.T + np.array(self.origin_mm)
        return self.view.project(np.hstack([there, np.zeros((len(there), 1))]))

    @property
    def _turn(self) -> Floats:
        """The turn from the mat's frame to the table's, 2 x 2."""
        c, s = cos(radians(self.turn_deg)), sin(radians(self.turn_deg))
        return np.array([[c, -s], [s, c]])


def ground_by_tags(
    layout: Layout, tags: Sequence[SeenTag], width_px: int, height_px: int
) -> tuple[TagGround | None, str]:
    """The mat's plane and an empty string, or None and a sentence that says why there is none."""
    seen = {tag.id: tag for tag in tags}
    known = [tag for tag in layout.tags.at if tag.id in seen]
    if len(known) < LEAST_TAGS:
        missing = [str(tag.id) for tag in layout.tags.at if tag.id not in seen]
        return None, phrase(
            "I do not see the mat's corner tags {tags}. Lay the {mat} so that the camera sees its corners, "
            "and uncover them.",
            tags=", ".join(missing),
            mat=layout.told_title,
        )
    pixels = np.concatenate([seen[tag.id].corners_px for tag in known])
    printed = np.concatenate([tag.corners_mm(layout.tags.edge_mm) for tag in known])
    matrix = np.array(cv2.findHomography(pixels, printed, 0)[0], np.float64)
    off = _through(matrix, pixels) - printed if matrix.shape == (3, 3) else np.array([[np.inf]])
    if float(np.linalg.norm(off, axis=1).max()) > MOST_OFF_MM:
        return None, phrase(
            "The corner tags do not fit the {mat}. Lay the mat flat, and see that it is the one of this "
            "game, printed at 100 per cent.",
            mat=layout.told_title,
        )
    middle = _through(matrix, np.array([[(width_px - 1) / 2, (height_px - 1) / 2]]))[0]
    return TagGround(matrix, middle, layout.mat.camera_height_mm), ""


def ground_by_view(layout: Layout, tags: Sequence[SeenTag], view: View) -> ViewGround | None:
    """The mat on a calibrated table: where its tags lie; without tags, where the layout says it does.

    The tags' corners are brought to the table's millimetres, and the mat is turned and shifted onto them by
    least squares (Kabsch's rotation in the plane). None when they do not fit: the camera is not where it was.
    """
    seen = {tag.id: tag for tag in tags}
    known = [tag for tag in layout.tags.at if tag.id in seen]
    if not known:
        return ViewGround(view, layout.mat.origin_mm, layout.mat.turn_deg)
    there = view.on_plane(np.concatenate([seen[tag.id].corners_px for tag in known]))
    printed = np.concatenate([tag.corners_mm(layout.tags.edge_mm) for tag in known])
    at, own = there - there.mean(axis=0), printed - printed.mean(axis=0)
    cross = float((own[:, 0] * at[:, 1] - own[:, 1] * at[:, 0]).sum())
    turn = atan2(cross, float((own * at).sum()))
    matrix = np.array([[cos(turn), -sin(turn)], [sin(turn), cos(turn)]])
    off = own @ matrix.T - at
    if float(np.linalg.norm(off, axis=1).max()) > MOST_OFF_MM:
        return None
    x, y = there.mean(axis=0) - matrix @ printed.mean(axis=0)
    return ViewGround(view, (float(x), float(y)), degrees(turn))


def _through(homography: Floats, points: Floats) -> Floats:
    there = np.asarray(points, np.float64).reshape(-1, 1, 2)
    if not len(there):
        return np.empty((0, 2))
    return np.asarray(cv2.perspectiveTransform(there, homography), np.float64).reshape(-1, 2)
