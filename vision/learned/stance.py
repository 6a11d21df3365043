"""Measures how dice stand, and how flat ones must under a calibrated camera."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats, Picture, Singles
from calibration.table import TableCalibration
from calibration.view import View
from vision.face_place import FacePlace
from vision.learned.confidence import chance_to_read
from vision.learned.contract import CLASSES, CUBES, stance_cut
from vision.learned.faces import Face, Stance
from vision.learned.networks import Networks

LIKELY = 0.5
"""The chance of being read right from which a face is measured, and counts as a neighbour of others: prints
of a cloth stand in no way that tells of dice."""
AT_ONCE = 16
LEAST_SCATTER, MOST_SCATTER = -5.0, 2.0
"""Bounds of the log of the scatter that the network tells; the same as in training
(`models.training.fit.stance_loss`)."""
LEAST_TAKEN = 0.35
"""The shortest step, in edges, that a neighbour's face is thought to have made."""
SAME, TOUCHING = 0.45, 1.12
"""Between how many edges the middles of two touching dice's up-faces are apart, as they are pictured."""
TOWARDS = math.cos(math.radians(35))
"""The cosine of the largest angle between the way to such a face and to the foot that was told."""
ALIKE = 0.12
"""How far such a face may differ in size, turn and stretch, all taken together. Flat dice that lie flush are
alike; one that leans on the other is turned away from it."""
TAKEN_OFF = 0.5
"""One sigma of such a step, in edges. On another painter's dice, in rows of one colour, it had made flat ones
seem to lean; on the simulated table one of 60 leaning dice more is read as if it lay flat because of it."""
_QUARTERS = np.array([[[1, 0], [0, 1]], [[0, -1], [1, 0]], [[-1, 0], [0, -1]], [[0, 1], [-1, 0]]], np.float64)
SPREAD = 3**0.5
"""One sigma along each axis of a distribution exp(-r / b) in the plane, divided by b."""


def is_likely_cube(face: Face) -> bool:
    """Whether it is likely a six-sided die's face, so that others can be compared with it."""
    return CLASSES[face.best][0] in CUBES and chance_to_read(face) > LIKELY


def find_stances(picture: Picture, faces: Sequence[Face], networks: Networks) -> list[Face]:
    """The faces with `stance` filled in for those of six-sided dice."""
    return measure_stances(picture, faces, [i for i, f in enumerate(faces) if is_likely_cube(f)], networks)


def measure_stances(
    picture: Picture, faces: Sequence[Face], some_of_them: Sequence[int], networks: Networks
) -> list[Face]:
    """The faces with `stance` filled in for those at these places of the list."""
    out = list(faces)
    for begin in range(0, len(some_of_them), AT_ONCE):
        some = some_of_them[begin : begin + AT_ONCE]
        cuts = np.stack([stance_cut(picture, faces[i].place) for i in some])
        told = networks.stance(np.asarray(cuts, np.uint8))
        for i, each in zip(some, told, strict=True):
            out[i] = replace(out[i], stance=told_stance(faces[i].place, each))
    return out


def doubt_beside_others(faces: Sequence[Face]) -> list[Face]:
    """The faces; what is told of a die's foot is less sure where the up-face of a die that it lies flush with
    is in that direction: it may have been taken for a side of this one."""
    cubes = [face for face in faces if face.stance is not None]
    centers = np.array([face.place.center for face in cubes], np.float64).reshape(-1, 2)
    axes = np.array([face.place.axes for face in cubes], np.float64).reshape(-1, 2, 2)

    def doubted(face: Face) -> Face:
        stance = face.stance
        if stance is None or np.hypot(*stance.step) < LEAST_TAKEN:
            return face
        ways = (centers - face.place.center) / (2 * face.place.half_px)
        away = np.maximum(np.hypot(*ways.T), 1e-9)
        towards = -(ways @ stance.step) / (away * np.hypot(*stance.step))
        beside = (away > SAME) & (away < TOUCHING) & (towards > TOWARDS)
        taken = (_unlike(np.linalg.inv(face.place.axes) @ axes[beside]) < ALIKE).any()
        return replace(face, stance=replace(stance, off=max(stance.off, TAKEN_OFF))) if taken else face

    return [doubted(face) for face in faces]


def _unlike(others: Floats) -> Floats:
    """How far faces (N x 2 x 2, their axes in those of another face) are from being like that one in size,
    turn and stretch, whichever of their four sides is up: N."""
    return np.asarray(np.linalg.norm(others[:, None] @ _QUARTERS - np.eye(2), axis=(2, 3)).min(axis=1))


def told_stance(place: FacePlace, told: Singles) -> Stance:
    """What the network told (3,) of the cut round a place, as a stance in the picture."""
    x, y, scatter = (float(part) for part in told)
    step = place.axes @ np.array((x, y), np.float32) / (2 * place.half_px)
    off = SPREAD * float(np.exp(np.clip(scatter, LEAST_SCATTER, MOST_SCATTER))) / 2
    return Stance(np.asarray(step, np.float32), off)


# How a flat die must look at each place of a calibrated camera's picture.
#
# Up-faces lie in one plane parallel to the table, and the foot of a die lies right below its top. So under a
# known camera it is known where a die's upright edges point in the picture. Measured in pictured edges of the
# up-face, that hardly depends on the die's size: `EDGE_MM` stands for dice of all makes. The error is a few
# millimetres divided by the camera's height.

EDGE_MM = 16.0
SAME_SHAPE = 0.01
"""How much the ratio of sides may differ from the calibration's: pictures within it are the same ones
scaled."""
LEAST_SINK = 0.05
"""The least sine of the angle at which a ray meets the table; a flatter one looks along the table and tells
nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Which part of the camera's whole picture is looked at."""

    left_px: int = 0
    top_px: int = 0
    whole_width_px: int
    whole_height_px: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Upright:
    """A calibrated view of the table, asked how flat dice look."""

    view: View
    edge_mm: float = EDGE_MM

    @classmethod
    def of(cls, calibration: TableCalibration) -> "Upright":
        """The view of a calibrated table, whose dice say how high up-faces lie."""
        return cls(view=calibration.view, edge_mm=calibration.dice.edge_mm)

    def steps(self, centers_px: Floats) -> Floats:
        """The steps of flat dice from the middle of the foot to that of the up-face, in pictured edges of the
        up-face: N x 2, for up-faces with these middles (N x 2, pixels). NaN where the camera looks past the
        table.

        Under a pinhole tilted by some angle the step is about the cosine of that angle times the distance
        from the spot right below the camera, in focal lengths.
        """
        feet, grows = self._below(centers_px)
        # The area of the picture of a unit square; numpy's own determinant would warn of NaN.
        (a, b), (c, d) = grows.transpose(1, 2, 0)
        edges = np.sqrt(np.abs(a * d - b * c)) * self.edge_mm
        ways = np.asarray(centers_px, np.float64).reshape(-1, 2) - feet
        return np.asarray(ways / edges[:, None], np.float64)

    def of_size(self, width_px: int, height_px: int) -> "Upright | None":
        """The same view for pictures of that size; None where they have another shape and so another lens."""
        lens = self.view.lens
        if (lens.width_px, lens.height_px) == (width_px, height_px):
            return self
        if abs(width_px * lens.height_px / (height_px * lens.width_px) - 1) > SAME_SHAPE:
            return None
        x, y = width_px / lens.width_px, height_px / lens.height_px
        (focal_x, focal_y), (left, top) = lens.focal_px, lens.centre_px
        scaled = replace(
            lens,
            width_px=width_px,
            height_px=height_px,
            focal_px=(focal_x * x, focal_y * y),
            # Pixel centres have whole coordinates, so the picture begins half a pixel before the first one.
            centre_px=((left + 0.5) * x - 0.5, (top + 0.5) * y - 0.5),
        )
        return replace(self, view=replace(self.view, lens=scaled))

    def within(self, left_px: int, top_px: int) -> "Upright":
        """The same view for the part of the picture that begins at this pixel."""
        lens = self.view.lens
        x, y = lens.centre_px
        return replace(self, view=replace(self.view, lens=replace(lens, centre_px=(x - left_px, y - top_px))))

    def _below(self, centers_px: Floats) -> tuple[Floats, Floats]:
        """Where the feet of flat dice with these up-faces' middles (N x 2) appear (N x 2), and how the
        picture moves for one millimetre along the table's axes at the up-face (N x 2 x 2, axes in
        columns)."""
        points = np.asarray(centers_px, np.float64).reshape(-1, 2)
        rays = self.view.rays(points)
        sinks = -rays[:, 2] / np.linalg.norm(rays, axis=1)
        nowhere = ~(sinks > LEAST_SINK)
        at = self.view.on_plane(points, self.edge_mm)
        at[nowhere] = 0.0
        half = self.edge_mm / 2
        ways = np.array(((half, 0), (-half, 0), (0, half), (0, -half)))
        round_ = np.concatenate([at + way for way in ways])
        tops = np.column_stack((round_, np.full(len(round_), self.edge_mm)))
        feet = self.view.project(np.column_stack((at, np.zeros(len(at)))))
        east, west, north, south = self.view.project(tops).reshape(4, -1, 2)
        grows = np.stack(((east - west), (north - south)), axis=2) / self.edge_mm
        feet[nowhere], grows[nowhere] = np.nan, np.nan
        return feet, grows
