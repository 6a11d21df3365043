"""How sure a point's place on the table is, given what is unsure of lens and plane."""

import numpy as np

from calibration.arrays import Floats
from calibration.camera import intrinsics
from calibration.description import TableDescription
from calibration.fit.bundle import see
from calibration.fit.frame import TableFrame
from calibration.fit.layout import EDGE_BIAS_PX
from calibration.fit.plane import PlaneFound
from calibration.view import View


def plane_sigma_mm(plane: PlaneFound, view: View, frame: TableFrame, plan: TableDescription) -> float:
    """One standard deviation of a point's place in the table's frame, mm, where on the table it is largest.

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
    moves = _moves(plane, frame.placed.put(np.concatenate([grid, ends])))
    moves = np.asarray(np.einsum("ij,njk->nik", frame.placed.matrix.T, moves), np.float64)
    own, left, right = moves[:-2], moves[-2], moves[-1]
    turn = (right[1] - left[1]) / (2 * half)
    own[:, 0] -= (left[0] + right[0]) / 2 - turn[None, :] * grid[:, 1:]
    own[:, 1] -= (left[1] + right[1]) / 2 + turn[None, :] * grid[:, :1]
    spreads = np.einsum("nij,jk,nlk->nil", own, plane.covariance, own)
    worst = float(np.sqrt(np.max(np.linalg.eigvalsh(spreads)[:, -1])))
    return float(np.hypot(worst, EDGE_BIAS_PX / view.scale_px_per_mm(0.0, 0.0)))


def _moves(plane: PlaneFound, points: Floats) -> Floats:
    """Derivatives (n, 2, 15) of the places of points (n, 2) on the plane by lens and pose, mm."""
    view = plane.view
    pose = np.array([*view.rotation, *view.translation_mm])
    seen = see(np.column_stack([points, np.zeros(len(points))]), pose, intrinsics(view.lens))
    by_place = seen.by_point(pose[:3])[:, :2].reshape(-1, 2, 2)
    by_camera = np.hstack([seen.by_lens, seen.by_pose]).reshape(-1, 2, 15)
    return np.asarray(-np.linalg.solve(by_place, by_camera), np.float64)
