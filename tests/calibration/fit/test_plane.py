"""The table's plane from simulated boards lying on it."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Floats
from calibration.fit.board_seen import BoardSeen
from calibration.fit.plane import fit_plane
from calibration.trouble import CalibrationError
from calibration.view import CameraCalibration, View
from tests.calibration.conftest import BOARD, PLACES, calibrated, simulated
from tests.calibration.stage import lens, looking

VIEW = looking(lens(960, 720), (25.0, 470.0, 960.0), (5.0, 455.0), 88.0)


def lying(view: View, x: float, y: float, turn_deg: float, lean: float = 0.0, up: float = 0.0) -> View:
    """The view from a board that lies (or leans) somewhere on the table."""
    a = np.radians(turn_deg)
    own = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    own = own @ np.array([[np.cos(lean), 0, np.sin(lean)], [0, 1, 0], [-np.sin(lean), 0, np.cos(lean)]])
    rotation, _ = cv2.Rodrigues(view.turn @ own)
    way = view.turn @ np.array([x, y, up]) + np.array(view.translation_mm)
    (p, q, r), (s, t, u) = np.asarray(rotation).ravel().tolist(), way.tolist()
    return View(lens=view.lens, rotation=(p, q, r), translation_mm=(s, t, u))


def boards(seed: int, **how: float) -> list[BoardSeen]:
    """Four boards; `lean` and `bow_mm` spoil them."""
    bow = how.pop("bow_mm", 0.0)
    lean = how.pop("lean", 0.0)
    return [
        simulated(lying(VIEW, *place, lean if i == 2 else 0.0, **how), BOARD, f"flat{i}", 10 * seed + i, bow)
        for i, place in enumerate(PLACES)
    ]


def sheet_error_mm(found: View) -> Floats:
    """Where the fitted plane has points of the sheet, shifted and turned as well as can be: errors (n, 2)."""
    grid = np.stack(np.meshgrid(np.linspace(-150, 150, 5), np.linspace(0, 457, 7)), axis=-1).reshape(-1, 2)
    seen = found.on_plane(VIEW.project(np.column_stack([grid, np.zeros(len(grid))])))
    a, b = seen - seen.mean(axis=0), grid - grid.mean(axis=0)
    turn = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    c, s = np.cos(turn), np.sin(turn)
    error: Floats = a @ np.array([[c, s], [-s, c]]) - b
    return error


def spoilt_lens(seed: int) -> CameraCalibration:
    """A lens that is off by what it says."""
    return calibrated(VIEW, seed)


def test_four_boards_fix_the_plane_to_a_sixteenth_of_a_pixel() -> None:
    for seed in range(4):
        error = sheet_error_mm(fit_plane(spoilt_lens(seed), boards(seed), BOARD).view)
        assert np.linalg.norm(error, axis=1).max() < 0.06, seed


@pytest.mark.long
def test_the_camera_s_height_is_as_sure_as_it_says() -> None:
    off = []
    for seed in range(20):
        found = fit_plane(spoilt_lens(seed), boards(seed), BOARD)
        # The height over the plane: minus the third row of the turn's transpose times the way there.
        slope = np.zeros(15)
        slope[12:] = -found.view.turn[:, 2]
        for k in range(3):
            step = np.zeros(3)
            step[k] = 1e-6
            turned = View(
                lens=found.view.lens,
                rotation=tuple(np.array(found.view.rotation) + step),
                translation_mm=found.view.translation_mm,
            )
            slope[9 + k] = (turned.eye_mm[2] - found.view.eye_mm[2]) / 1e-6
        sigma = np.sqrt(slope @ found.covariance @ slope)
        off.append((found.view.eye_mm[2] - VIEW.eye_mm[2]) / sigma)
    assert 0.6 < np.sqrt(np.mean(np.square(off))) < 1.5


def test_a_thick_board_lies_above_the_table() -> None:
    found = fit_plane(spoilt_lens(1), boards(1, up=6.0), BOARD, thickness_mm=6.0)
    assert found.view.eye_mm[2] == pytest.approx(VIEW.eye_mm[2], abs=0.6)
    assert np.linalg.norm(sheet_error_mm(found.view), axis=1).max() < 0.06


def test_a_board_that_leans_on_something_is_named() -> None:
    with pytest.raises(CalibrationError, match="The board in flat2 does not lie on the plane of the others"):
        fit_plane(spoilt_lens(2), boards(2, lean=0.02), BOARD)


def test_a_warped_board_is_refused() -> None:
    with pytest.raises(CalibrationError, match=r"not flat|does not lie on the plane"):
        fit_plane(spoilt_lens(3), boards(3, bow_mm=4.0), BOARD)
