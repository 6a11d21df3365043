"""Fits the lens to many pictures of the board (Z. Zhang 2000, with Brown's distortion).

Corners and pictures that do not fit are left out, with the reason. A term of the distortion is kept only if
it also predicts pictures that were left out of the fit: a term that these views do not support bends the
picture's corners more than it mends them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

import cv2
import numpy as np

from calibration.arrays import Bools, Floats
from calibration.board import Board
from calibration.fit.board_seen import BoardSeen
from calibration.fit.bundle import ProjectedPoints, inverse, project_points, spread
from calibration.fit.warp import check_flat, find_stretch, is_stretched, refuse_stretch, stretched
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, lens_of
from engine.wording import phrase, phrase_later

CORNERS = {
    "upper left": phrase_later("upper left"),
    "upper right": phrase_later("upper right"),
    "lower left": phrase_later("lower left"),
    "lower right": phrase_later("lower right"),
}

FEWEST_PICTURES = 5
MOST_RMS_PX = 1.5
"""The largest reprojection error (RMS) of a fit that can be used, for pictures of usual width; a picture
twice as wide may have twice that."""
MODELS = (("k1",), ("k1", "k2"), ("k1", "k2", "p1", "p2"), ("k1", "k2", "p1", "p2", "k3"))
_ALL = ("k1", "k2", "p1", "p2", "k3")
_FOLDS = 4
_LIMITS = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 60, 1e-10)


@dataclass(frozen=True, slots=True, eq=False)
class _Shots:
    """What the fit is given: tuples with one entry for each picture."""

    names: tuple[str, ...]
    board_mm: tuple[Floats, ...]
    """The corners on the board (n, 3), for each picture."""
    seen_px: tuple[Floats, ...]
    """The same corners in the picture (n, 2)."""

    def without(self, keep: Sequence[Bools]) -> "_Shots":
        """Only the corners that `keep` (n,) marks in each picture."""
        marks = [np.asarray(k, bool) for k in keep]
        return _Shots(
            self.names,
            tuple(b[k] for b, k in zip(self.board_mm, marks, strict=True)),
            tuple(s[k] for s, k in zip(self.seen_px, marks, strict=True)),
        )

    def some(self, which: Sequence[int]) -> "_Shots":
        """Only these pictures."""
        return _Shots(
            tuple(self.names[i] for i in which),
            tuple(self.board_mm[i] for i in which),
            tuple(self.seen_px[i] for i in which),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    lens: Floats
    """The lens (9,), in the order of `INTRINSICS`."""
    poses: tuple[Floats, ...]
    """The board's pose (6,) in each picture: Rodrigues' vector, then translation in mm."""

    def project_corners(self, shots: _Shots) -> list[ProjectedPoints]:
        """Where the fit sees each picture's corners."""
        return [
            project_points(points, pose, self.lens)
            for points, pose in zip(shots.board_mm, self.poses, strict=True)
        ]

    def residuals(self, shots: _Shots) -> list[Floats]:
        """Seen minus fitted (n, 2), for each picture."""
        return [px - s.points_px for px, s in zip(shots.seen_px, self.project_corners(shots), strict=True)]


@dataclass(frozen=True, slots=True)
class LensFound:
    """A lens, and the pictures that were left out of it."""

    camera: CameraCalibration
    terms: tuple[str, ...]
    """The distortion's terms that were kept."""
    refused: dict[str, str]
    """Picture to reason."""
    notes: tuple[str, ...]


def fit_lens(seen: Sequence[BoardSeen], board: Board, step: Callable[[], object] = lambda: None) -> LensFound:
    """The lens of one camera at one resolution from pictures of one board; `step` is called now and then.

    Raises `CalibrationError` when pictures are too few or do not tell the lens, or the board was not as said.
    """
    _enough(len(seen))
    size = (seen[0].width_px, seen[0].height_px)
    shots = _Shots(
        tuple(s.picture for s in seen),
        tuple(board.corners_mm[s.ids] for s in seen),
        tuple(s.corners_px for s in seen),
    )
    shots, refused = _robust(shots, size)
    _enough(len(shots.names))
    step()
    terms = _supported(shots, size, step)
    fit = _calibrate(shots, size, terms)
    _check_stretch(shots, size, terms, fit, board)
    residuals = fit.residuals(shots)
    rms = float(np.sqrt(np.mean(np.concatenate(residuals) ** 2)))
    if rms > _most_rms_px(size):
        raise CalibrationError(
            phrase(
                "The pictures do not fit one lens: corners lie {rms:.1f} px off. Use one camera, its "
                "focus and zoom locked, one flat board, and the --board that was printed.",
                rms=rms,
            )
        )
    covariance = _covariance(fit, shots, residuals, terms)
    _check_known(fit.lens, covariance, size)
    check_flat(fit.lens, shots.board_mm, fit.poses, residuals, board)
    camera = CameraCalibration(
        lens=lens_of(fit.lens, *size),
        rms_px=rms,
        pictures_used=len(shots.names),
        corners_used=sum(len(b) for b in shots.board_mm),
        covariance=tuple(tuple(float(v) for v in row) for row in covariance),
        board=board.name,
    )
    return LensFound(camera, terms, refused, _notes(shots, size))


def _enough(count: int) -> None:
    if count < FEWEST_PICTURES:
        raise CalibrationError(
            phrase(
                "Only {count} of the pictures can be used, and {fewest_pictures} are needed; 16 are "
                "better. Take more, with the board tilted this way and that and reaching into every "
                "corner of the picture.",
                count=count,
                fewest_pictures=FEWEST_PICTURES,
            )
        )


def _check_stretch(
    shots: _Shots, size: tuple[int, int], terms: tuple[str, ...], fit: _Fit, board: Board
) -> None:
    """Raises `CalibrationError` when a board that is higher or lower than was said fits better."""

    def fitted(stretch: float) -> tuple[_Shots, _Fit]:
        other = replace(shots, board_mm=stretched(shots.board_mm, stretch))
        return other, _calibrate(other, size, terms, fit.lens)

    def misfit(stretch: float) -> float:
        other, best = fitted(stretch)
        return float(np.sum(np.concatenate(best.residuals(other)) ** 2))

    parameters = 5 + len(terms) + 6 * len(shots.names)
    found, sigma = find_stretch(misfit, sum(px.size for px in shots.seen_px) - parameters)
    if not is_stretched(found, sigma):
        return
    other, best = fitted(found)
    residuals = best.residuals(other)
    if float(np.sqrt(np.mean(np.concatenate(residuals) ** 2))) > _most_rms_px(size):
        return  # something else is wrong, and that is said
    check_flat(best.lens, other.board_mm, best.poses, residuals, board)  # a bent board looks stretched, too
    raise refuse_stretch(board, found)


def _most_rms_px(size: tuple[int, int]) -> float:
    return MOST_RMS_PX * max(1.0, size[0] / 2000)


def _flags(terms: tuple[str, ...]) -> int:
    held = {"k1": cv2.CALIB_FIX_K1, "k2": cv2.CALIB_FIX_K2, "k3": cv2.CALIB_FIX_K3}
    flags = sum(flag for term, flag in held.items() if term not in terms)
    return flags if "p1" in terms else flags | cv2.CALIB_ZERO_TANGENT_DIST


def _calibrate(
    shots: _Shots, size: tuple[int, int], terms: tuple[str, ...], start: Floats | None = None
) -> _Fit:
    """OpenCV's fit with the given terms of the distortion free and the others at zero."""
    flags = _flags(terms)
    matrix, bends = np.eye(3), np.zeros(5)
    if start is not None:
        flags |= cv2.CALIB_USE_INTRINSIC_GUESS
        matrix = np.array([[start[0], 0, start[2]], [0, start[1], start[3]], [0, 0, 1.0]])
        bends = start[4:] * [term in terms for term in _ALL]
    boards = [b.astype(np.float32) for b in shots.board_mm]
    corners = [s.astype(np.float32).reshape(-1, 1, 2) for s in shots.seen_px]
    try:
        _, found, bent, turns, ways = cv2.calibrateCamera(
            boards, corners, size, matrix, bends, flags=flags, criteria=_LIMITS
        )
    except cv2.error as error:
        raise CalibrationError(
            phrase(
                "The pictures do not tell the lens: the board looks the same in all. Tilt it this "
                "way and that."
            )
        ) from error
    m = np.asarray(found, np.float64)
    lens = np.array([m[0, 0], m[1, 1], m[0, 2], m[1, 2], *np.asarray(bent, np.float64).ravel()[:5]])
    poses = tuple(
        np.concatenate([np.asarray(t, np.float64).ravel(), np.asarray(w, np.float64).ravel()])
        for t, w in zip(turns, ways, strict=True)
    )
    return _Fit(lens, poses)


def _robust(shots: _Shots, size: tuple[int, int]) -> tuple[_Shots, dict[str, str]]:
    """The pictures and corners that one lens fits, and for each picture that does not, the reason."""
    refused: dict[str, str] = {}
    for _ in range(4):
        fit = _calibrate(shots, size, ("k1", "k2", "p1", "p2"))
        residuals = fit.residuals(shots)
        sigma = max(spread(np.concatenate(residuals)), 0.02)
        each = np.array([np.sqrt(np.mean(r**2)) for r in residuals])
        typical = float(np.median(each))
        bad = each > max(3.0 * typical, typical + 0.15)
        if bad.any():
            worst = int(np.argmax(each))
            refused[shots.names[worst]] = phrase(
                "its corners lie {each:.2f} px off the fit, those of the others {typical:.2f} px; "
                "was the camera or the board moving?",
                each=each[worst],
                typical=typical,
            )
            shots = shots.some([i for i in range(len(each)) if i != worst])
            _enough(len(shots.names))
            continue
        keep = [np.linalg.norm(r, axis=1) < 5 * sigma for r in residuals]
        if all(k.all() for k in keep):
            break
        few = [i for i, k in enumerate(keep) if np.count_nonzero(k) < 8]
        for i in few:
            refused[shots.names[i]] = phrase("most of its corners do not fit the lens of the others")
        shots = shots.without(keep).some([i for i in range(len(keep)) if i not in few])
    return shots, refused


def _supported(shots: _Shots, size: tuple[int, int], step: Callable[[], object]) -> tuple[str, ...]:
    """The terms of the distortion that best predict pictures left out of the fit (cross-validation)."""
    count = len(shots.names)
    misses = []
    for terms in MODELS:
        whole = _calibrate(shots, size, terms)
        total = 0.0
        for fold in range(min(_FOLDS, count)):
            out = list(range(fold, count, _FOLDS))
            fit = _calibrate(shots.some([i for i in range(count) if i not in out]), size, terms, whole.lens)
            total += _foretold(shots.some(out), fit.lens)
        misses.append(total)
        step()
    return MODELS[int(np.argmin(misses))]


def _foretold(shots: _Shots, lens: Floats) -> float:
    """The sum of squared residuals, px², of a lens on pictures that it was not fitted to, with their poses
    free."""
    matrix = np.array([[lens[0], 0, lens[2]], [0, lens[1], lens[3]], [0, 0, 1.0]])
    total = 0.0
    for board, px in zip(shots.board_mm, shots.seen_px, strict=True):
        _, turn, way = cv2.solvePnP(board, px, matrix, lens[4:])
        turn, way = cv2.solvePnPRefineLM(board, px, matrix, lens[4:], turn, way)
        pose = np.concatenate([turn.ravel(), way.ravel()])
        total += float(np.sum((px - project_points(board, pose, lens).points_px) ** 2))
    return total


def _covariance(fit: _Fit, shots: _Shots, residuals: list[Floats], terms: tuple[str, ...]) -> Floats:
    """The covariance of the intrinsics (9, 9), the poses eliminated (Schur complement), scaled by the
    residuals' noise."""
    free = np.array([True] * 4 + [term in terms for term in _ALL])
    normal = np.zeros((int(free.sum()), int(free.sum())))
    for s in fit.project_corners(shots):
        a, p = s.by_lens[:, free], s.by_pose
        normal += a.T @ a - a.T @ p @ np.linalg.solve(p.T @ p, p.T @ a)
    squares = sum(float(np.sum(r**2)) for r in residuals)
    left = sum(r.size for r in residuals) - len(normal) - 6 * len(residuals)
    found = np.zeros((9, 9))
    found[np.ix_(free, free)] = inverse(normal) * squares / max(left, 1)
    return found


def _check_known(lens: Floats, covariance: Floats, size: tuple[int, int]) -> None:
    """Check that the pictures tell focal length and centre well enough to measure with. Raises
    `CalibrationError`."""
    sigma = np.sqrt(np.diag(covariance))
    if max(sigma[0] / lens[0], sigma[1] / lens[1]) > 0.01 or max(sigma[2:4]) > 0.02 * max(size):
        raise CalibrationError(
            phrase(
                "The pictures do not tell the lens: its focal length is {lens:.0f} ± {sigma:.0f} px. "
                "Take more pictures with the board tilted by 20 to 40 degrees to every side.",
                lens=lens[0],
                sigma=sigma[0],
            )
        )


def _and(words: str, last: str) -> str:
    return phrase("{names} and {last}", names=words, last=last)


def _notes(shots: _Shots, size: tuple[int, int]) -> tuple[str, ...]:
    """What would make the calibration better, in sentences."""
    notes = []
    if len(shots.names) < 12:
        notes.append(phrase("{count} pictures are few; 16 or more leave less doubt.", count=len(shots.names)))
    corners = np.concatenate(shots.seen_px) / np.array(size)
    empty = [
        phrase(CORNERS[f"{up} {side}"])
        for up, y in (("upper", corners[:, 1] < 0.25), ("lower", corners[:, 1] > 0.75))
        for side, x in (("left", corners[:, 0] < 0.25), ("right", corners[:, 0] > 0.75))
        if np.count_nonzero(x & y) < 10
    ]
    if empty:
        notes.append(
            phrase(
                "The board never reached the {empty} of the picture: the lens is a guess there.",
                empty=reduce(_and, empty),
            )
        )
    return tuple(notes)
