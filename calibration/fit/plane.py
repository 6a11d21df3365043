"""Fits the table's plane to boards that lie flat on it, and to the printed sheet.

There is one plane, and each board is only shifted and turned in it. The lens is fitted again as well, as far
as its own covariance allows: boards at the very distance that is measured at tell more of it than any others.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.arrays import Floats
from calibration.board import Board
from calibration.description import TableDescription
from calibration.fit.board_seen import BoardSeen
from calibration.fit.bundle import ProjectedPoints, inverse, project_points, spread, trust
from calibration.fit.lines import Measured
from calibration.fit.warp import Held, check_flat, find_stretch, is_stretched, refuse_stretch, stretched
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, View, intrinsics, lens_of
from engine.wording import phrase

MOST_TILT_MM = 0.5
"""By how much one side of a board may lie higher than the other and still count as flat."""
LENS, POSE = slice(0, 9), slice(9, 15)
"""The rows and columns of lens and pose in `PlaneFound.covariance`."""


@dataclass(frozen=True, slots=True, eq=False)
class PlaneFound:
    """The camera's pose over the plane. The frame is the first board's, moved so that z = 0 is the table."""

    view: View
    covariance: Floats
    """Covariance (15, 15): the lens in the order of `INTRINSICS`, then Rodrigues' vector and translation."""
    rms_px: float
    rms_mm: tuple[float, ...]
    """How far each board's corners lie off the fit, root mean square."""
    outlines_mm: tuple[Floats, ...]
    """Where each board lies (4, 2): the outer corners of its squares."""


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    lens: Floats
    pose: Floats
    places: Floats
    """Where each board lies (boards, 3): x mm, y mm, turn rad. The first stays at 0."""

    def lying(self, i: int, board_mm: Floats, height_mm: float) -> Floats:
        """Points (n, 3) of board `i` in the table's frame."""
        x, y, turn = self.places[i]
        c, s = np.cos(turn), np.sin(turn)
        flat = board_mm[:, :2] @ np.array([[c, s], [-s, c]]) + (x, y)
        return np.column_stack([flat, np.full(len(flat), height_mm)])

    def moved(self, step: Floats) -> "_State":
        """The state after one step of the fit."""
        places = self.places.copy()
        places[1:] += step[15:].reshape(-1, 3)
        return _State(self.lens + step[LENS], self.pose + step[POSE], places)


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    board_mm: tuple[Floats, ...]
    seen_px: tuple[Floats, ...]
    height_mm: float
    prior: Floats
    """The lens as calibrated before (9,)."""
    stiffness: Floats
    """The inverse of that lens's covariance (9, 9); enormous for a term that is held."""
    sigma_px: float


def fit_plane(
    camera: CameraCalibration, seen: Sequence[BoardSeen], board: Board, thickness_mm: float = 0.0
) -> PlaneFound:
    """The plane under boards whose printed faces lie `thickness_mm` above it.

    Raises `CalibrationError` when the boards do not lie on one plane or are not flat.
    """
    given = _given(camera, seen, board, thickness_mm)
    state = _fitted(given)
    residuals = _residuals(state, given)
    _check_stretch(given, board)
    _check_lie(state, given, seen, residuals, board)
    held = Held(given.prior, given.stiffness * given.sigma_px**2)
    check_flat(state.lens, given.board_mm, _own_poses(state, given), residuals, board, held)
    view = _view(state, camera)
    noise = max(1.0, float(np.sqrt(np.mean(np.concatenate(residuals) ** 2))) / given.sigma_px) ** 2
    covariance = inverse(_equations(state, given)[0])[:15, :15] * noise
    scales = [
        view.scale_px_per_mm(*state.lying(i, b, 0.0)[:, :2].mean(axis=0))
        for i, b in enumerate(given.board_mm)
    ]
    wide, high = board.size_mm
    rim = np.array([[0, 0, 0], [wide, 0, 0], [wide, -high, 0], [0, -high, 0]], np.float64)
    return PlaneFound(
        view=view,
        covariance=covariance,
        rms_px=float(np.sqrt(np.mean(np.concatenate(residuals) ** 2))),
        rms_mm=tuple(float(np.sqrt(np.mean(r**2)) / s) for r, s in zip(residuals, scales, strict=True)),
        outlines_mm=tuple(state.lying(i, rim, 0.0)[:, :2] for i in range(len(seen))),
    )


def _fitted(given: _Given) -> _State:
    state = _start(given)
    for _ in range(12):
        normal, slope = _equations(state, given)
        step = inverse(normal) @ slope
        state = state.moved(step)
        if np.abs(step[9:12]).max() < 1e-9 and np.abs(step[12:15]).max() < 1e-5:
            break
    return state


def _residuals(state: _State, given: _Given) -> list[Floats]:
    """Seen minus fitted (n, 2), for each board."""
    return [
        px - project_points(state.lying(i, b, given.height_mm), state.pose, state.lens).points_px
        for i, (b, px) in enumerate(zip(given.board_mm, given.seen_px, strict=True))
    ]


def _check_stretch(given: _Given, board: Board) -> None:
    """Raises `CalibrationError` when a board that is higher or lower than was said fits better."""

    def misfit(stretch: float) -> float:
        other = replace(given, board_mm=stretched(given.board_mm, stretch))
        state = _fitted(other)
        off = state.lens - given.prior
        squares = float(np.sum(np.concatenate(_residuals(state, other)) ** 2))
        return squares + float(off @ given.stiffness @ off) * given.sigma_px**2

    parameters = 7 + 3 * (len(given.board_mm) - 1)
    found, sigma = find_stretch(misfit, sum(px.size for px in given.seen_px) - parameters)
    if is_stretched(found, sigma):
        raise refuse_stretch(board, found)


def _given(camera: CameraCalibration, seen: Sequence[BoardSeen], board: Board, height_mm: float) -> _Given:
    covariance = camera.covariance_matrix
    free = np.diag(covariance) > 0
    stiffness = np.diag(np.where(free, 0.0, 1e18))
    stiffness[np.ix_(free, free)] = inverse(covariance[np.ix_(free, free)])
    return _Given(
        tuple(board.corners_mm[s.ids] for s in seen),
        tuple(s.corners_px for s in seen),
        height_mm,
        intrinsics(camera.lens),
        stiffness,
        max(camera.rms_px, 0.02),
    )


def _pose_of(board_mm: Floats, seen_px: Floats, lens: Floats) -> Floats:
    """The pose (6,) of one board by itself, free to lie anywhere."""
    matrix = np.array([[lens[0], 0, lens[2]], [0, lens[1], lens[3]], [0, 0, 1.0]])
    _, turn, way = cv2.solvePnP(board_mm, seen_px, matrix, lens[4:], flags=cv2.SOLVEPNP_IPPE)
    turn, way = cv2.solvePnPRefineLM(board_mm, seen_px, matrix, lens[4:], turn, way)
    return np.concatenate([np.asarray(turn, np.float64).ravel(), np.asarray(way, np.float64).ravel()])


def _start(given: _Given) -> _State:
    """A first state: the first board fixes the frame, the others are placed where its plane has them."""
    pose = _pose_of(given.board_mm[0], given.seen_px[0], given.prior)
    turn, _ = cv2.Rodrigues(pose[:3])
    pose[3:] -= np.asarray(turn, np.float64)[:, 2] * given.height_mm
    lens = lens_of(given.prior, 1, 1)
    (a, b, c), (d, e, f) = pose[:3].tolist(), pose[3:].tolist()
    view = View(lens=lens, rotation=(a, b, c), translation_mm=(d, e, f))
    places = np.zeros((len(given.board_mm), 3))
    for i, (board, px) in enumerate(zip(given.board_mm, given.seen_px, strict=True)):
        if i:
            flat = view.on_plane(px, given.height_mm)
            here, there = board[:, :2] - board[:, :2].mean(axis=0), flat - flat.mean(axis=0)
            turned = np.sum(here[:, 0] * there[:, 1] - here[:, 1] * there[:, 0])
            angle = float(np.arctan2(turned, np.sum(here * there)))
            c_, s_ = np.cos(angle), np.sin(angle)
            middle = board[:, :2].mean(axis=0) @ np.array([[c_, s_], [-s_, c_]])
            places[i] = (*(flat.mean(axis=0) - middle), angle)
    return _State(given.prior.copy(), pose, places)


def _equations(state: _State, given: _Given) -> tuple[Floats, Floats]:
    """The normal matrix and the right-hand side of one Gauss-Newton step, with robust weights."""
    count = 15 + 3 * (len(given.board_mm) - 1)
    normal, slope = np.zeros((count, count)), np.zeros(count)
    normal[LENS, LENS] += given.stiffness
    slope[LENS] += given.stiffness @ (given.prior - state.lens)
    for i, (board, px) in enumerate(zip(given.board_mm, given.seen_px, strict=True)):
        lying = state.lying(i, board, given.height_mm)
        s = project_points(lying, state.pose, state.lens)
        off = px - s.points_px
        weight = np.repeat(trust(off, max(given.sigma_px, spread(off))), 2) / given.sigma_px
        a = np.zeros((2 * len(board), count))
        a[:, LENS], a[:, POSE] = s.by_lens, s.by_pose
        if i:
            a[:, 12 + 3 * i : 15 + 3 * i] = _by_place(s, lying, state, i)
        a *= weight[:, None]
        normal += a.T @ a
        slope += a.T @ (off.reshape(-1) * weight)
    return normal, slope


def _by_place(s: ProjectedPoints, lying: Floats, state: _State, i: int) -> Floats:
    """Derivatives (2n, 3) of a board's corners by its x, y and turn on the table."""
    by_point = s.by_point(state.pose[:3])
    arm = lying[:, :2] - state.places[i, :2]
    swing = np.repeat(np.stack([-arm[:, 1], arm[:, 0]], axis=1), 2, axis=0)
    return np.column_stack([by_point[:, :2], np.sum(by_point[:, :2] * swing, axis=1)])


def _own_poses(state: _State, given: _Given) -> list[Floats]:
    """The pose (6,) of each board by itself, given the common plane."""
    turn, _ = cv2.Rodrigues(state.pose[:3])
    found = []
    for x, y, angle in state.places:
        c, s = np.cos(angle), np.sin(angle)
        own = np.asarray(turn, np.float64) @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
        way = np.asarray(turn, np.float64) @ np.array([x, y, given.height_mm]) + state.pose[3:]
        vector, _ = cv2.Rodrigues(own)
        found.append(np.concatenate([np.asarray(vector, np.float64).ravel(), way]))
    return found


def _check_lie(
    state: _State, given: _Given, seen: Sequence[BoardSeen], residuals: list[Floats], board: Board
) -> None:
    """Check that each board lies in the common plane: fitted freely, it must not tilt out of it. Raises
    `CalibrationError`."""
    for i, (b, s, off) in enumerate(zip(given.board_mm, seen, residuals, strict=True)):
        fit = project_points(b, _own_poses(state, given)[i], state.lens)
        step, *_ = np.linalg.lstsq(fit.by_pose, off.reshape(-1), rcond=None)
        noise = float(np.mean((off.reshape(-1) - fit.by_pose @ step) ** 2))
        covariance = inverse(fit.by_pose.T @ fit.by_pose) * noise
        turn, _ = cv2.Rodrigues(state.pose[:3])
        out = np.linalg.norm((step[:3] @ np.asarray(turn))[:2]) * max(board.size_mm)
        sigma = float(np.sqrt(np.trace(covariance[:3, :3]))) * max(board.size_mm)
        if out > MOST_TILT_MM + 4 * sigma:
            raise CalibrationError(
                phrase(
                    "The board in {picture} does not lie on the plane of the others: one side is "
                    "{out:.1f} mm higher. Lay it flat on the bare table, with nothing under it.",
                    picture=s.picture,
                    out=out,
                )
            )


def _view(state: _State, camera: CameraCalibration) -> View:
    (a, b, c), (d, e, f) = state.pose[:3].tolist(), state.pose[3:].tolist()
    lens = lens_of(state.lens, camera.lens.width_px, camera.lens.height_px)
    return View(lens=lens, rotation=(a, b, c), translation_mm=(d, e, f))


# The sheet as a second ruler: its printed shape says how the camera hangs where too few boards lay.
#
# One board says little of how the table runs on beyond it. The sheet lies further out, and its zones are
# printed where the plan has them: what it can do is lie elsewhere, stretch and bend a little. If the camera
# were tilted by more than that, its right angles and proportions would not come out. So lens and pose take
# one step towards the sheet, as far as their own covariance and what sheets do allow (T. Bayes; one linear
# step).

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
    seen = project_points(np.column_stack([points, np.zeros(len(points))]), pose, intrinsics(view.lens))
    by_place = seen.by_point(pose[:3])[:, :2].reshape(-1, 2, 2)
    by_camera = np.hstack([seen.by_lens, seen.by_pose]).reshape(-1, 2, 15)
    return np.asarray(-np.linalg.solve(by_place, by_camera), np.float64)


def _moved(view: View, step: Floats) -> View:
    """The view after a step (15,) of lens and pose."""
    lens = lens_of(intrinsics(view.lens) + step[:9], view.lens.width_px, view.lens.height_px)
    a, b, c = (np.array(view.rotation) + step[9:12]).tolist()
    d, e, f = (np.array(view.translation_mm) + step[12:15]).tolist()
    return View(lens=lens, rotation=(a, b, c), translation_mm=(d, e, f))
