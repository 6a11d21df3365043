"""How sure a point's place on the table is, given what is unsure of lens, plane and table's edges."""

import numpy as np

from calibration.description import TableDescription
from calibration.fit.frame import TableFrame
from calibration.fit.layout import COLOUR_BIAS_PX
from calibration.fit.lines import Measured
from calibration.fit.plane import PlaneFound
from calibration.fit.second_ruler import place_moves
from calibration.place_sigmas import PlaceSigmas, place_terms
from calibration.view import View

FRAME_BIAS_PX = 0.02
"""How far the camera's own habits shift the table's edge, as one standard deviation: measured on drawn tables
as what their edges' noise and the plane leave unexplained. Of the two long edges, half of that shifts their
middle."""


def place_sigmas_mm(plane: PlaneFound, view: View, frame: TableFrame, plan: TableDescription) -> PlaceSigmas:
    """One standard deviation of points' places in the table's frame along each axis, mm, all over sheet and
    field.

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
    spreads = np.einsum("nij,jk,nik->n", own, plane.covariance, own) / 2 + _edge_variance(view, frame)
    curve, *_ = np.linalg.lstsq(place_terms(grid), np.sqrt(spreads), rcond=None)
    return PlaceSigmas(
        mean_mm=float(np.sqrt(np.mean(spreads))),
        least_mm=float(np.sqrt(np.min(spreads))),
        curve=tuple(float(part) for part in curve),
    )


def _edge_variance(view: View, frame: TableFrame) -> float:
    """The mean variance along both axes of the edges that the frame is tied to, mm²."""
    scale = view.scale_px_per_mm(0.0, 0.0)
    unseen = (FRAME_BIAS_PX / scale) ** 2
    along = unseen if frame.edge is None else _variance(frame.edge, scale)
    across = sum(_variance(side, scale) for side in frame.sides) / 4 if frame.sides else unseen / 2
    return (along + across) / 2


def _variance(edge: Measured, px_per_mm: float) -> float:
    """The variance of one of the table's edges as a whole, across it, mm²: one that shows by colour alone is
    shifted by more."""
    bias_px = np.hypot(FRAME_BIAS_PX, COLOUR_BIAS_PX * edge.by_colour)
    return float(edge.sigma_mm**2 + (bias_px / px_per_mm) ** 2)
