"""The lens from simulated corners: as near as it says, and never from pictures that do not tell it."""

import re
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from calibration.board import Board
from calibration.fit.board_seen import BoardSeen
from calibration.fit.lens import fit_lens
from calibration.trouble import CalibrationError
from calibration.view import View, intrinsics
from tests.calibration.conftest import BOARD, simulated
from tests.calibration.stage import lens, looking

pytestmark = pytest.mark.long

LENS = lens(960, 720)


def views(count: int, seed: int, tilt_deg: float = 38.0, strength: float = 1.0) -> Iterator[View]:
    """The board held before the camera, tilted, all over the picture."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        far, lean = rng.uniform(330, 520), np.radians(rng.uniform(0.2, 1.0) * tilt_deg)
        way = rng.uniform(0, 2 * np.pi)
        at = (136 + rng.uniform(-140, 140), -102 + rng.uniform(-100, 100))
        out = far * np.sin(lean)
        eye = (at[0] + out * np.cos(way), at[1] + out * np.sin(way), far * np.cos(lean))
        yield looking(lens(960, 720, strength), eye, at, rng.uniform(-40, 40))


def pictures(count: int, seed: int, **how: float) -> list[BoardSeen]:
    """What is seen of the board in each."""
    bow = how.pop("bow_mm", 0.0)
    return [
        simulated(view, BOARD, f"{i}.jpg", 1000 * seed + i, bow)
        for i, view in enumerate(views(count, seed, **how))
    ]


def test_the_lens_is_found_as_nearly_as_it_says() -> None:
    off = []
    for seed in range(4):
        found = fit_lens(pictures(14, seed), BOARD)
        assert found.refused == {}
        assert found.camera.rms_px == pytest.approx(0.04, rel=0.15)
        sigma = np.sqrt(np.diag(found.camera.covariance_matrix))
        free = sigma > 0
        off.append(((intrinsics(found.camera.lens) - intrinsics(LENS))[free] / sigma[free])[:4])
    assert 0.6 < np.sqrt(np.mean(np.square(off))) < 1.6


def test_terms_that_the_pictures_do_not_support_are_left_out() -> None:
    found = fit_lens(pictures(10, 1, strength=0.0), BOARD)
    assert "k3" not in found.terms
    assert abs(found.camera.lens.distortion[0]) < 0.003


def test_a_picture_that_moved_is_refused_and_the_others_stand() -> None:
    seen = pictures(12, 2)
    shaken = seen[5].corners_px + np.random.default_rng(0).normal(0, 0.8, seen[5].corners_px.shape)
    seen[5] = replace(seen[5], corners_px=shaken)
    found = fit_lens(seen, BOARD)
    assert list(found.refused) == ["5.jpg"]
    assert "was the camera or the board moving?" in found.refused["5.jpg"]
    assert found.camera.pictures_used == 11
    assert found.camera.rms_px < 0.06


def test_a_wrong_corner_is_left_out() -> None:
    seen = pictures(12, 3)
    wrong = seen[2].corners_px.copy()
    wrong[7] += 0.7
    seen[2] = replace(seen[2], corners_px=wrong)
    found = fit_lens(seen, BOARD)
    assert found.refused == {}
    assert found.camera.corners_used == sum(len(s.ids) for s in seen) - 1


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(CalibrationError, match="Only 3 of the pictures can be used, and 5 are needed"):
        fit_lens(pictures(3, 0), BOARD)


def test_a_board_never_tilted_tells_no_lens() -> None:
    with pytest.raises(CalibrationError, match="do not tell the lens"):
        fit_lens(pictures(8, 4, tilt_deg=0.3), BOARD)


def test_a_warped_board_is_refused() -> None:
    with pytest.raises(
        CalibrationError, match=r"The board is not flat: the pictures show it bent by [12]\.\d mm"
    ):
        fit_lens(pictures(14, 5, bow_mm=2.0), BOARD)


def test_corners_never_reached_are_said() -> None:
    seen = [
        replace(s, ids=s.ids[keep], corners_px=s.corners_px[keep])
        for s in pictures(10, 6)
        for keep in [~((s.corners_px[:, 0] < 240) & (s.corners_px[:, 1] < 180))]
    ]
    notes = " ".join(fit_lens(seen, BOARD).notes)
    assert "The board never reached the upper left" in notes
    assert "10 pictures are few" in notes


STRETCHED = Board.parse("charuco:8x6:34x32.98:26:DICT_5X5_100")


def of_board(board: Board, count: int, seed: int, **how: float) -> list[BoardSeen]:
    """What is seen of a board in each picture."""
    return [
        simulated(view, board, f"{i}.jpg", 1000 * seed + i)
        for i, view in enumerate(views(count, seed, **how))
    ]


@pytest.mark.parametrize(("high_mm", "strength"), [(32.98, 1.0), (33.6, 0.3), (34.4, 1.0), (36.0, 0.0)])
def test_a_stretched_board_is_refused_with_the_sizes_to_give(high_mm: float, strength: float) -> None:
    """A printer feeds too little or too much: else the lens seems to have pixels higher than wide."""
    seen = of_board(replace(BOARD, height_share=high_mm / 34), 16, 6, strength=strength)
    with pytest.raises(CalibrationError, match=r"is stretched.*give both sizes, such as") as refusal:
        fit_lens(seen, BOARD)
    named = re.search(r"such as (\S+);", str(refusal.value))
    assert named is not None
    board = Board.parse(named[1])
    assert board.square_mm * board.height_share == pytest.approx(high_mm, abs=0.03)
    focal_x, focal_y = fit_lens(seen, board).camera.lens.focal_px
    assert focal_x == pytest.approx(focal_y, rel=0.003)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("strength", [0.0, 0.5, 1.0])
def test_a_board_of_true_size_is_never_called_stretched(seed: int, strength: float) -> None:
    assert fit_lens(of_board(BOARD, 8 + 3 * seed, 20 + seed, strength=strength), BOARD).camera.rms_px < 0.1
    stretched = of_board(STRETCHED, 12, 30 + seed, strength=strength)
    assert fit_lens(stretched, STRETCHED).camera.rms_px < 0.1


def test_pixels_that_are_higher_than_wide_are_no_stretched_board() -> None:
    """Some webcams squeeze a wide sensor into a picture of 4 to 3."""
    seen = [replace(each, corners_px=each.corners_px * (1.0, 0.97)) for each in of_board(BOARD, 16, 7)]
    focal_x, focal_y = fit_lens(seen, BOARD).camera.lens.focal_px
    assert focal_y / focal_x == pytest.approx(0.97, abs=0.003)
