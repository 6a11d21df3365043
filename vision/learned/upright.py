"""How a die that lies flat must stand at each place of a calibrated camera's picture.

Up-faces lie in one plane over the table, parallel to it, and the foot of a die lies right below its top.
Under a camera that is known, so is where a die's upright edges point. By the pictured edges of its up-face
that hardly depends on the die's size: `EDGE_MM` stands for dice of all makes. The error is what a few
millimetres are to the camera's height.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.table import TableCalibration
from calibration.view import View

EDGE_MM = 16.0
SAME_SHAPE = 0.01
"""Pictures whose width by height differs by less from the calibration's are the same ones, made larger or
smaller."""
LEAST_SINK = 0.05
"""By its length, a ray that sinks by less towards the table looks along it: nothing can be said there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part of a picture that is looked at."""

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
        """What a calibrated table knows; its dice tell how high up-faces lie."""
        return cls(view=calibration.view, edge_mm=calibration.dice.edge_mm)

    def steps(self, centers_px: Floats) -> Floats:
        """From the middle of a flat die's foot to that of its up-face, in the picture, in mean pictured edges
        of the up-face: N x 2 of the up-faces' middles, N x 2; NaN where no die can
        lie because the camera looks past the table.

        Under a pinhole that looks down at an angle it is the cosine of that angle times the way from the spot
        below the camera, in focal lengths.
        """
        feet, grows = self._below(centers_px)
        # What a unit square becomes; numpy's own determinant would warn of NaN.
        (a, b), (c, d) = grows.transpose(1, 2, 0)
        edges = np.sqrt(np.abs(a * d - b * c)) * self.edge_mm
        ways = np.asarray(centers_px, np.float64).reshape(-1, 2) - feet
        return np.asarray(ways / edges[:, None], np.float64)

    def of_size(self, width_px: int, height_px: int) -> "Upright | None":
        """The same for pictures of that size; None where they have another shape and so another lens."""
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
            # Pixels' middles are whole numbers: half a pixel lies beyond the first one.
            centre_px=((left + 0.5) * x - 0.5, (top + 0.5) * y - 0.5),
        )
        return replace(self, view=replace(self.view, lens=scaled))

    def within(self, left_px: int, top_px: int) -> "Upright":
        """The same for a part of the picture that begins there."""
        lens = self.view.lens
        x, y = lens.centre_px
        return replace(self, view=replace(self.view, lens=replace(lens, centre_px=(x - left_px, y - top_px))))

    def _below(self, centers_px: Floats) -> tuple[Floats, Floats]:
        """Where the feet of flat dice appear whose up-faces have these middles (N x 2), and what one
        millimetre of the table's axes, at the up-face, is in the picture (N x 2 x 2, axes in columns)."""
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
