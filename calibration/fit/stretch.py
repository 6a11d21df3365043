"""Is the board stretched? A printer that feeds too little prints all rows too low.

A lens hides that in part: pixels may be higher than wide, too. But the board is turned and tilted, and pixels
are not; so fits with another height of the squares are compared.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from calibration.arrays import Floats
from calibration.board import Board
from calibration.trouble import CalibrationError
from engine.wording import phrase

MOST_STRETCH = 0.005
"""The largest stretch that is not refused; one of less is below what a ruler tells over ten squares."""
SURE = 5.0
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
            "{example}; or print the board anew.",
            wide=board.square_mm,
            high=high_mm,
            example=likely.name,
        )
    )
