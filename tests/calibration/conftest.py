"""One table, rendered once for all tests: four boards lying flat, and the table empty."""

import math
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.board import Board
from calibration.fit import BoardSeen, find_board
from calibration.view import CameraCalibration, View, intrinsics, lens_of
from tests.calibration.classic import CLASSIC
from tests.calibration.stage import Lying, Spread, lens, looking, painted

BOARD = Board.parse("charuco:8x6:34:26:DICT_5X5_100")
PLACES = ((-330.0, 330.0, 4.0), (30.0, 310.0, -5.0), (-345.0, 790.0, -3.0), (40.0, 800.0, 6.0))
NOISE_PX = 0.04


@dataclass(frozen=True, eq=False)
class Scene:
    """A camera over a table whose truth is known."""

    view: View
    spread: Spread
    empty: Picture
    flats: tuple[Picture, ...]
    camera: CameraCalibration
    """A lens as a calibration leaves it: a little off, and saying how much."""

    @cached_property
    def seen(self) -> list[tuple[BoardSeen, Picture]]:
        """The boards found in the flat pictures."""
        return [(find_board(grey(p), BOARD, f"flat{i}"), p) for i, p in enumerate(self.flats)]


def grey(picture: Picture) -> Picture:
    """As the board finder wants it."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)


def calibrated(view: View, seed: int = 3) -> CameraCalibration:
    """The lens of a view, off by what its covariance says."""
    sigma = np.array([0.25, 0.25, 0.3, 0.3, 3e-4, 8e-4, 4e-5, 4e-5, 0.0])
    off = np.random.default_rng(seed).normal(0.0, 1.0, 9) * sigma
    true = view.lens
    return CameraCalibration(
        lens=lens_of(intrinsics(true) + off, true.width_px, true.height_px),
        rms_px=NOISE_PX,
        pictures_used=16,
        corners_used=900,
        covariance=tuple(tuple(row) for row in np.diag(sigma**2).tolist()),
        board=BOARD.name,
    )


@pytest.fixture(scope="session")
def scene() -> Scene:
    """A sheet 1.2 mm off its plan, a quarter of a degree turned; tapes off and bowed."""
    view = looking(lens(960, 720), (25.0, 470.0, 960.0), (5.0, 455.0), 88.0)
    spread = Spread(
        CLASSIC,
        sheet_mm=(0.7, 1.2),
        sheet_deg=0.25,
        sheet_scale=1.0008,
        tape_mm=(0.5, -0.4, 0.0),
        tape_bow_mm=0.5,
    )
    flats = tuple(
        painted(view, Lying(BOARD, x, y, turn).over(spread.paint), rays=6, seed=i)
        for i, (x, y, turn) in enumerate(PLACES)
    )
    return Scene(view, spread, painted(view, spread.paint, rays=8, seed=9), flats, calibrated(view))


def simulated(view: View, board: Board, name: str, seed: int, bow_mm: float = 0.0) -> BoardSeen:
    """The corners of a board at z = 0 of a view, with a camera's noise, without a picture."""
    corners = board.corners_mm.copy()
    if bow_mm:
        corners[:, 2] = bow_mm * np.cos((corners[:, 0] / board.size_mm[0] - 0.5) * math.pi)
    at = view.project(corners) + np.random.default_rng(seed).normal(0.0, NOISE_PX, (len(corners), 2))
    size = np.array([view.lens.width_px, view.lens.height_px])
    there = np.all((at > 5) & (at < size - 6), axis=1)
    return BoardSeen(
        picture=name,
        width_px=view.lens.width_px,
        height_px=view.lens.height_px,
        ids=np.flatnonzero(there),
        corners_px=at[there],
        blur_px=0.8,
    )
