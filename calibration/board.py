"""The ChArUco board: how `--board` names it, and where its corners lie on it."""

import re
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from cv2 import aruco

from calibration.arrays import Floats
from calibration.trouble import CalibrationError
from engine.wording import phrase

FORM = "charuco:COLSxROWS:SQUARE:MARKER:DICTIONARY"
"""SQUARE and MARKER are a side in mm, or WIDTHxHEIGHT where the printer stretched the board."""
MOST_ODD = 0.02
"""By how much squares and markers may be stretched differently: a marker is hard to measure."""
_SIDE = r"\d+(?:\.\d+)?"
EXAMPLE = "charuco:11x8:25:18:DICT_5X5_100"
DICTIONARIES = (
    *(f"DICT_{bits}X{bits}_{count}" for bits in (4, 5, 6, 7) for count in (50, 100, 250, 1000)),
    "DICT_ARUCO_ORIGINAL",
)


@dataclass(frozen=True, kw_only=True)
class Board:
    """A chessboard with markers in its white squares.

    Its frame: x to the right, y up, z towards whoever looks at it, the origin at its top left corner.
    """

    columns: int
    rows: int
    square_mm: float
    marker_mm: float
    dictionary: str
    height_share: float = 1.0
    """A square's height, and a marker's, as a share of its width: not 1 where the printer stretched it."""
    legacy: bool = False
    """Boards printed by OpenCV before 4.6: with an even number of rows they begin with a white square."""

    @classmethod
    def parse(cls, text: str) -> "Board":
        """The board that `charuco:11x8:25:18:DICT_5X5_100` names; `charuco:11x8:25x24.25:18x17.46:...` is one
        whose rows are too low. Raises `CalibrationError`."""
        told = re.fullmatch(
            rf"charuco:(\d{{1,3}})x(\d{{1,3}}):({_SIDE})(?:x({_SIDE}))?:({_SIDE})(?:x({_SIDE}))?:(\w+)",
            text.strip(),
        )
        if told is None:
            raise CalibrationError(
                phrase(
                    "{board!r} names no board. Write {form}, for example {example}.",
                    board=text,
                    form=FORM,
                    example=EXAMPLE,
                )
            )
        square_mm, marker_mm = float(told[3]), float(told[5])
        share = float(told[4]) / square_mm if told[4] and square_mm else 1.0
        board = cls(
            columns=int(told[1]),
            rows=int(told[2]),
            square_mm=square_mm,
            marker_mm=marker_mm,
            dictionary=told[7].upper(),
            height_share=share,
        )
        board.check(text)
        if told[6] and abs(float(told[6]) / (marker_mm * share) - 1) > MOST_ODD:
            raise CalibrationError(
                phrase(
                    "{board!r}: squares and markers are not stretched alike. Measure both once more.",
                    board=text,
                )
            )
        return board

    def check(self, text: str) -> None:
        """Raises `CalibrationError` when no such board can be printed."""
        if self.dictionary not in DICTIONARIES:
            known = ", ".join(DICTIONARIES)
            raise CalibrationError(
                phrase(
                    "{board!r}: there is no dictionary {dictionary}. Known are {known}.",
                    board=text,
                    dictionary=self.dictionary,
                    known=known,
                )
            )
        if not (3 <= self.columns <= 60 and 3 <= self.rows <= 60):
            raise CalibrationError(
                phrase("{board!r}: a board has 3 to 60 squares along each side.", board=text)
            )
        if not 0 < self.marker_mm < self.square_mm <= 500:
            raise CalibrationError(
                phrase("{board!r}: a marker must be smaller than its square, at most 500 mm.", board=text)
            )
        if not 0.8 <= self.height_share <= 1.25:
            raise CalibrationError(
                phrase("{board!r}: a square is nearly as high as it is wide. Measure it again.", board=text)
            )
        needed, there = self.columns * self.rows // 2, len(self.codes.bytesList)
        if needed > there:
            raise CalibrationError(
                phrase(
                    "{board!r}: such a board needs {needed} markers, and {dictionary} has {there}.",
                    board=text,
                    needed=needed,
                    dictionary=self.dictionary,
                    there=there,
                )
            )

    @property
    def name(self) -> str:
        """The board as `--board` writes it."""
        square, marker = f"{self.square_mm:g}", f"{self.marker_mm:g}"
        if self.height_share != 1:
            square += f"x{self.square_mm * self.height_share:.5g}"
            marker += f"x{self.marker_mm * self.height_share:.5g}"
        return f"charuco:{self.columns}x{self.rows}:{square}:{marker}:{self.dictionary}"

    @cached_property
    def codes(self) -> aruco.Dictionary:
        """The dictionary: the markers' patterns."""
        return aruco.getPredefinedDictionary(getattr(aruco, self.dictionary))

    @cached_property
    def drawn(self) -> aruco.CharucoBoard:
        """The same board as an OpenCV object."""
        size = (self.columns, self.rows)
        made = aruco.CharucoBoard(size, self.square_mm, self.marker_mm, self.codes)
        made.setLegacyPattern(self.legacy)
        return made

    @cached_property
    def corners_mm(self) -> Floats:
        """Where the inner corners lie (n, 3), mm, row by row from the top left, z = 0."""
        found = np.asarray(self.drawn.getChessboardCorners(), np.float64)
        return found * (1.0, -self.height_share, 0.0)

    @cached_property
    def markers_mm(self) -> Floats:
        """Where the markers' corners lie (n, 4, 2), mm: markers by their number, corners clockwise from the
        top left."""
        found = np.asarray(self.drawn.getObjPoints(), np.float64)[:, :, :2]
        return found * (1.0, -self.height_share)

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of all squares together."""
        return self.columns * self.square_mm, self.rows * self.square_mm * self.height_share

    def picture(self, px_per_square: int) -> "cv2.typing.MatLike":
        """A drawing of the board without a margin, 8-bit grey (rows x columns)."""
        return self.drawn.generateImage((self.columns * px_per_square, self.rows * px_per_square))
