"""Is the board flat? A warped one leaves a pattern: the same corners are off the same way in all pictures."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.arrays import Floats
from calibration.board import Board
from calibration.fit.bundle import inverse, see
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
        s = see(points, pose, lens)
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
