"""How a flat die must look at each place of a calibrated camera's picture.

Up-faces lie in one plane parallel to the table, and the foot of a die lies right below its top. So under a
known camera it is known where a die's upright edges point in the picture. Measured in pictured edges of the
up-face, that hardly depends on the die's size: `EDGE_MM` stands for dice of all makes. The error is a few
millimetres divided by the camera's height.
"""

from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.table import TableCalibration
from calibration.view import View

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
