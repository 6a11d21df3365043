"""Tests whether the board is flat and true to scale."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.arrays import Floats
from calibration.board import Board
from calibration.fit.bundle import inverse, project_points
from calibration.trouble import CalibrationError
from engine.wording import phrase

MOST_WARP_MM = 0.6
"""How much higher the highest corner of the board may be than the lowest, for a bow, a dish or a twist."""
SURE = 5.0
"""How many standard deviations a warp must have to be believed."""


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A lens that is known from an earlier calibration."""

    lens: Floats
    """Its parameters (9,), in the order of `INTRINSICS`."""
    stiffness: Floats
    """Shape (9, 9): the inverse of its covariance, times the squared noise of the corners in px."""


def check_flat(
    lens: Floats,
    boards_mm: Sequence[Floats],
    poses: Sequence[Floats],
    residuals_px: Sequence[Floats],
    board: Board,
    held: Held | None = None,
) -> None:
    """Raises `CalibrationError` when the residuals (n, 2) of the pictures agree on a warped board."""
    warp, sigma = warp_mm(lens, boards_mm, poses, residuals_px, board, held)
    if warp > MOST_WARP_MM and warp > SURE * sigma:
        raise CalibrationError(
            phrase(
                "The board is not flat: the pictures show it bent by {warp:.1f} mm. Glue it to "
                "glass, aluminium or thick board, and take them again.",
                warp=warp,
            )
        )


def warp_mm(
    lens: Floats,
    boards_mm: Sequence[Floats],
    poses: Sequence[Floats],
    residuals_px: Sequence[Floats],
    board: Board,
    held: Held | None = None,
) -> tuple[float, float]:
    """How far the board's highest corner is above its lowest, and one standard deviation of that, mm.

    One linear step from the fit: heights z = a x² + b x y + c y² over the board, the same in all pictures.
    Poses may change with it, and so may the lens as far as it is not `held`.
    """
    count = 9 + 3
    normal, slope = np.zeros((count, count)), np.zeros(count)
    squares, left = 0.0, -count
    if held is not None:
        normal[:9, :9] += held.stiffness
        slope[:9] += held.stiffness @ (held.lens - lens)
    for points, pose, off in zip(boards_mm, poses, residuals_px, strict=True):
        s = project_points(points, pose, lens)
        lift = s.by_point(pose[:3])[:, 2]
        a = np.hstack([s.by_lens, lift[:, None] * np.repeat(_shapes(points, board), 2, axis=0)])
        a -= s.by_pose @ np.linalg.lstsq(s.by_pose, a, rcond=None)[0]
        flat = off.reshape(-1)
        normal += a.T @ a
        slope += a.T @ flat
        squares += float(flat @ flat)
        left += len(flat) - 6
    covariance = inverse(normal)
    found = covariance @ slope
    noise = max(squares - float(found @ slope), 0.0) / max(left, 1)
    heights = _shapes(board.corners_mm, board)
    z = heights @ found[-3:]
    low, high = int(np.argmin(z)), int(np.argmax(z))
    across = heights[high] - heights[low]
    sigma = float(np.sqrt(max(across @ covariance[-3:, -3:] @ across, 0.0) * noise))
    return float(z[high] - z[low]), sigma


def _shapes(points_mm: Floats, board: Board) -> Floats:
    """How high points (n, 3) of the board rise in each of three warps (n, 3): x², x y and y².

    x and y count from the board's middle, in halves of its longer side.
    """
    middle = np.append(np.array(board.size_mm) * (0.5, -0.5), 0.0)
    x, y = ((points_mm - middle) / (max(board.size_mm) / 2))[:, :2].T
    shapes: Floats = np.stack([x * x, x * y, y * y], axis=1)
    return shapes


# Is the board stretched? A printer that feeds too little prints all rows too low.
#
# A lens hides that in part: pixels may be higher than wide, too. But the board is turned and tilted, and
# pixels are not; so fits with another height of the squares are compared.

MOST_STRETCH = 0.005
"""The largest stretch that is not refused; one of less is below what a ruler tells over ten squares."""
"""How many standard deviations a stretch must have to be believed."""
STEP = 0.01
"""How far the heights lie apart that are tried."""
MOST_TRIED = 0.2


def find_stretch(misfit: Callable[[float], float], freedom: int) -> tuple[float, float]:
    """How much higher the squares are than was said, 1 where they are as said, and one standard deviation.

    `misfit` is the sum of squared residuals of the best fit to a board that is so much higher; `freedom` is
    how many residuals there are more than parameters.
    """
    middle, sigma = 1.0, np.inf
    for _ in range(4):
        low, here, high = (misfit(middle + by) for by in (-STEP, 0.0, STEP))
        bend = (low - 2 * here + high) / STEP**2
        if bend <= 0:
            return 1.0, np.inf
        move = float(np.clip((low - high) / (2 * STEP * bend), -4 * STEP, 4 * STEP))
        least = max(here - 0.5 * bend * move**2, 0.0)
        sigma = float(np.sqrt(2 * least / max(freedom, 1) / bend))
        middle = float(np.clip(middle + move, 1 - MOST_TRIED, 1 + MOST_TRIED))
        if abs(move) < MOST_STRETCH:
            break
    return middle, sigma


def is_stretched(stretch: float, sigma: float) -> bool:
    """Whether a stretch is too large to calibrate with, and known well enough to say so."""
    return abs(stretch - 1) > max(MOST_STRETCH, SURE * sigma)


def stretched(board_mm: Sequence[Floats], stretch: float) -> tuple[Floats, ...]:
    """The corners (n, 3) of boards that are so much higher."""
    return tuple(each * (1.0, stretch, 1.0) for each in board_mm)


def refuse_stretch(board: Board, stretch: float) -> CalibrationError:
    """The refusal of a board that is so much higher than was said."""
    high_mm = board.square_mm * board.height_share * stretch
    likely = replace(board, height_share=round(high_mm, 2) / board.square_mm)
    return CalibrationError(
        phrase(
            "The board is stretched: if its squares are {wide:g} mm wide, these pictures show them "
            "{high:.2f} mm high. Printers do that. Measure ten squares each way and give both sizes, such as "
            "{example}; or print the board again.",
            wide=board.square_mm,
            high=high_mm,
            example=likely.name,
        )
    )
