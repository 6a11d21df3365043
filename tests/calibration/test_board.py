"""The board's name, and finding it in a picture."""

import cv2
import numpy as np
import pytest

from calibration.arrays import Picture
from calibration.board import Board
from calibration.fit import BoardSeen, find_board
from calibration.trouble import CalibrationError, Doubt
from tests.calibration.conftest import BOARD, grey
from tests.calibration.stage import Lying, lens, looking, painted, plain


def test_a_board_is_named_as_the_contract_has_it() -> None:
    board = Board.parse("charuco:11x8:25:18:DICT_5X5_100")
    assert (board.columns, board.rows, board.square_mm, board.marker_mm) == (11, 8, 25.0, 18.0)
    assert board.name == "charuco:11x8:25:18:DICT_5X5_100"
    assert board.corners_mm.shape == (70, 3)
    assert board.corners_mm[0].tolist() == [25.0, -25.0, 0.0]


def test_a_stretched_board_is_named_by_both_sizes() -> None:
    board = Board.parse("charuco:11x8:25x24.25:18x17.46:DICT_5X5_100")
    assert board == Board.parse("charuco:11x8:25x24.25:18:DICT_5X5_100") == Board.parse(board.name)
    assert board.name == "charuco:11x8:25x24.25:18x17.46:DICT_5X5_100"
    assert board.corners_mm[0].tolist() == [25.0, -24.25, 0.0]
    assert board.size_mm == (275.0, 194.0)
    sides = np.ptp(board.markers_mm, axis=1)
    assert np.allclose(sides, (18.0, 17.46))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("charuco:11x8:25x2:18:DICT_5X5_100", "a square is nearly as high as it is wide"),
        ("charuco:11x8:25x24:18x19:DICT_5X5_100", "squares and markers are not stretched alike"),
        ("charuco:11x8:0x24:18:DICT_5X5_100", "smaller than its square"),
        ("charuco:11x8:25:0x1:DICT_5X5_100", "smaller than its square"),
        ("charuco:11x8:25x:18:DICT_5X5_100", "names no board"),
        ("chess:9x6:25", "names no board. Write charuco:"),
        ("charuco:11x8:25:18:DICT_9X9_7", "there is no dictionary"),
        ("charuco:11x8:18:25:DICT_5X5_100", "smaller than its square"),
        ("charuco:1x8:25:18:DICT_5X5_100", "3 to 60 squares"),
        ("charuco:20x20:25:18:DICT_5X5_100", "needs 200 markers, and DICT_5X5_100 has 100"),
    ],
)
def test_a_board_that_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(CalibrationError, match=says):
        Board.parse(text)


VIEW = looking(lens(960, 720), (190.0, -260.0, 470.0), (136.0, -100.0), 8.0)


@pytest.fixture(scope="module")
def picture() -> Picture:
    """The board, tilted."""
    return grey(painted(VIEW, Lying(BOARD).over(plain()), rays=8))


def off_px(seen: BoardSeen) -> np.ndarray:
    """How far each corner lies from the truth."""
    x, y = (seen.corners_px - VIEW.project(BOARD.corners_mm[seen.ids])).T
    return np.asarray(np.hypot(x, y))


@pytest.mark.long
def test_every_corner_is_found_to_a_tenth_of_a_pixel(picture: Picture) -> None:
    seen = find_board(picture, BOARD, "a.jpg")
    assert seen.ids.tolist() == list(range(35))
    assert np.sqrt(np.mean(off_px(seen) ** 2)) < 0.1
    assert 0.5 < seen.blur_px < 1.2
    assert (seen.picture, seen.width_px, seen.height_px) == ("a.jpg", 960, 720)


def test_a_half_hidden_board_gives_the_corners_that_show(picture: Picture) -> None:
    hidden = picture.copy()
    hidden[:, 480:] = 90
    seen = find_board(hidden, BOARD, "a.jpg")
    assert 12 <= len(seen.ids) < 35
    assert off_px(seen).max() < 0.3


def blurred(picture: Picture, sigma: float) -> Picture:
    """Out of focus."""
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), sigma), np.uint8)


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "board", "says"),
    [
        (lambda p: np.ascontiguousarray(p[:, ::-1]), BOARD.name, "it is mirrored; turn mirroring off"),
        (lambda p: p, "charuco:8x6:34:26:DICT_4X4_100", "markers are of DICT_5X5, not of DICT_4X4_100"),
        (lambda p: p, "charuco:6x6:34:26:DICT_5X5_100", "shows marker 23, and a 6 x 6 board ends with 17"),
        (lambda p: p, "charuco:6x8:34:26:DICT_5X5_100", "do not stand as on a 6 x 8 board"),
        (lambda p: p, "charuco:8x6:34:17:DICT_5X5_100", "and --board says 0.50; measure square and marker"),
        (lambda p: blurred(p, 3.0), BOARD.name, "it is blurred: .* focus, hold still"),
        (lambda p: blurred(p, 12.0), BOARD.name, "it is blurred: .* focus, hold still"),
        (lambda p: np.full_like(p, 128), BOARD.name, "no board is seen in it"),
        (lambda p: np.where(np.arange(960) < 400, p, 90).astype(np.uint8), BOARD.name, "only [0-9]+ corners"),
    ],
)
def test_what_cannot_be_trusted_is_refused_with_the_reason(
    picture: Picture, change: object, board: str, says: str
) -> None:
    assert callable(change)
    with pytest.raises(Doubt, match=says):
        find_board(change(picture), Board.parse(board), "a.jpg")


def test_boards_of_old_opencv_are_known_by_their_order() -> None:
    old = Board(columns=8, rows=6, square_mm=34, marker_mm=26, dictionary="DICT_5X5_100", legacy=True)
    seen = find_board(grey(painted(VIEW, Lying(old).over(plain()), rays=6)), BOARD, "a.jpg")
    assert len(seen.ids) == 35
    assert off_px(seen).max() < 0.3
