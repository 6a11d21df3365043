"""The sheet as a second ruler: its printed shape says how the camera hangs where too few boards lay.

One board says little of how the table runs on beyond it. The sheet lies further out, and its zones are
printed where the plan has them: what it can do is lie elsewhere, stretch and bend a little. If the camera
were tilted by more than that, its right angles and proportions would not come out. So lens and pose take one
step towards the sheet, as far as their own covariance and what sheets do allow (T. Bayes; one linear step).
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from calibration.camera import intrinsics, lens_of
from calibration.description import TableDescription
from calibration.fit.bundle import inverse, see
from calibration.fit.lines import Measured
from calibration.fit.plane import PlaneFound
from calibration.view import View

STRETCH = 6e-4
"""By what share a sheet is longer or wider than its plan: one standard deviation, along and across each by
itself. Humid paper and warm vinyl do so."""
SHEAR = 2e-4
"""By what share its right angles are off."""
BEND_MM = 0.2
"""How far the middle of a side is off the straight."""
EDGE_MM = 0.03
"""What a line as a whole is off besides its noise."""
FREE_MM = 1e3
"""Where it lies is free."""
PLACES = 5
"""Places along each line that are compared; they count as one measurement together."""


def steadied(plane: PlaneFound, plan: TableDescription, lines: Sequence[Measured]) -> PlaneFound:
    """The plane after the sheet's `lines` have had their say, with a new view and covariance."""
    own = [line for line in lines if line.plan.group == "sheet"]
    rows, off, weights = [], [], []
    for line in own:
        along = np.linspace(*line.span_mm, PLACES)
        across = line.placed.turned(line.plan.normal[None])[0]
        moves = place_moves(plane, line.at(along))
        camera = np.einsum("k,nkj->nj", across, moves)
        rows.append(np.hstack([-camera, _sheet_moves(line, along, plan)]))
        off.append(line.offset(along))
        weights.append(np.full(PLACES, 1 / (np.hypot(line.sigma_mm, EDGE_MM) * np.sqrt(PLACES))))
    a, b, w = np.concatenate(rows), np.concatenate(off), np.concatenate(weights)
    loose = np.array([FREE_MM, FREE_MM, FREE_MM, STRETCH, STRETCH, SHEAR, BEND_MM, BEND_MM]) ** -2.0
    normal = (a * w[:, None]).T @ (a * w[:, None])
    normal[:15, :15] += inverse(plane.covariance)
    normal[15:, 15:] += np.diag(loose)
    covariance = inverse(normal)
    step = covariance @ (a.T @ (b * w**2))
    return replace(plane, view=_moved(plane.view, step[:15]), covariance=covariance[:15, :15])


def _sheet_moves(line: Measured, along: Floats, plan: TableDescription) -> Floats:
    """How far places along a line move across it (n, 8) when the sheet is shifted, turned, stretched, sheared
    and bent."""
    normal = line.plan.normal
    x, y = line.plan.at(along).T
    deep, wide = plan.end_zone.depth_mm, plan.end_zone.width_mm
    nothing = np.zeros_like(x)
    shifts = [
        (nothing + 1, nothing),
        (nothing, nothing + 1),
        (-y / 100, x / 100),
        (x, nothing),
        (nothing, y),
        (y, nothing),
        (np.sin(np.pi * y / deep), nothing),
        (nothing, np.sin(np.pi * (x / wide + 0.5))),
    ]
    found: Floats = np.stack([dx * normal[0] + dy * normal[1] for dx, dy in shifts], axis=1)
    return found


def place_moves(plane: PlaneFound, points: Floats) -> Floats:
    """Derivatives (n, 2, 15) of the places of points (n, 2) on the plane by lens and pose, mm."""
    view = plane.view
    pose = np.array([*view.rotation, *view.translation_mm])
    seen = see(np.column_stack([points, np.zeros(len(points))]), pose, intrinsics(view.lens))
    by_place = seen.by_point(pose[:3])[:, :2].reshape(-1, 2, 2)
    by_camera = np.hstack([seen.by_lens, seen.by_pose]).reshape(-1, 2, 15)
    return np.asarray(-np.linalg.solve(by_place, by_camera), np.float64)


def _moved(view: View, step: Floats) -> View:
    """The view after a step (15,) of lens and pose."""
    lens = lens_of(intrinsics(view.lens) + step[:9], view.lens.width_px, view.lens.height_px)
    a, b, c = (np.array(view.rotation) + step[9:12]).tolist()
    d, e, f = (np.array(view.translation_mm) + step[12:15]).tolist()
    return View(lens=lens, rotation=(a, b, c), translation_mm=(d, e, f))
