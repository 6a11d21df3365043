"""How sure a point's place on the table is, given what is unsure of lens, plane and table's edges."""

import numpy as np

from calibration.description import TableDescription
from calibration.fit.frame import TableFrame
from calibration.fit.plane import PlaneFound
from calibration.fit.second_ruler import place_moves
from calibration.view import View

FRAME_BIAS_PX = 0.045
"""How far the camera's own habits shift the table's edge, as one standard deviation: measured on drawn tables
as what their edges' noise leaves unexplained. Of the two long edges, half of that shifts their middle."""


def plane_sigma_mm(plane: PlaneFound, view: View, frame: TableFrame, plan: TableDescription) -> float:
    """One standard deviation of a point's place in the table's frame along each axis, mm: the root mean
    square over sheet and field.

    The covariance of lens and pose is carried to the plane. The frame is tied to the table's edge, so a
    motion that moves the edge along with the point does not count; the error of the edge itself is added.
    """
    half = plan.table.surface_width_mm / 2
    aside = max(abs(x) for x in plan.tape.side_lines_x_mm)
    x = np.linspace(-aside, aside, 5)
    y = np.linspace(0.0, plan.table.halfway_y_mm, 13)
    grid = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2).astype(np.float64)
    px = view.project(np.column_stack([grid, np.zeros(len(grid))]))
    size = np.array([view.lens.width_px, view.lens.height_px])
    grid = grid[np.all((px > 0) & (px < size), axis=1)]
    ends = np.array([[-half, 0.0], [half, 0.0]])
    moves = place_moves(plane, frame.placed.put(np.concatenate([grid, ends])))
    moves = np.asarray(np.einsum("ij,njk->nik", frame.placed.matrix.T, moves), np.float64)
    own, left, right = moves[:-2], moves[-2], moves[-1]
    turn = (right[1] - left[1]) / (2 * half)
    own[:, 0] -= (left[0] + right[0]) / 2 - turn[None, :] * grid[:, 1:]
    own[:, 1] -= (left[1] + right[1]) / 2 + turn[None, :] * grid[:, :1]
    spreads = np.einsum("nij,jk,nik->ni", own, plane.covariance, own)
    return float(np.sqrt(np.mean(spreads) + _edge_variance(view, frame)))


def _edge_variance(view: View, frame: TableFrame) -> float:
    """The mean variance along both axes of the edges that the frame is tied to, mm²."""
    bias = FRAME_BIAS_PX / view.scale_px_per_mm(0.0, 0.0)
    edge = 0.0 if frame.edge is None else frame.edge.sigma_mm
    sides = [side.sigma_mm for side in frame.sides]
    along = edge**2 + bias**2
    across = float(np.sum(np.square(sides))) / 4 + bias**2 / 2
    return (along + across) / 2
