"""A face told in numbers and put together again, and its cut."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.face_place import D4_HALF, FacePlace, place_of
from vision.learned.contract import CUT_REACH, CUT_SIDE_PX, cut_out, decode_places, encode_place

halves = st.floats(3, 200)
turns = st.floats(-7, 7)
stretches = st.floats(0.6, 1.0)


def place(half: float, turn: float, stretch: float) -> FacePlace:
    """A face at 50, 60, seen from the side by so much."""
    seen = np.array(((1.0, 0.0), (0.0, stretch)))
    round_ = np.array(((np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))))
    return FacePlace(np.array((50, 60), np.float32), np.asarray(half * seen @ round_, np.float32))


@given(halves, turns, stretches)
def test_a_face_told_in_five_numbers_is_the_same_face(half: float, turn: float, stretch: float) -> None:
    one = place(half, turn, stretch)
    (again,) = decode_places(one.center[None], encode_place(one)[None])
    apart = [np.abs(again.corners() - np.roll(one.corners(), k, axis=0)).max() for k in range(4)]
    assert min(apart) < 0.01 * half


@given(halves, turns, stretches)
def test_a_quarter_turn_changes_no_number(half: float, turn: float, stretch: float) -> None:
    assert encode_place(place(half, turn, stretch)) == pytest.approx(
        encode_place(place(half, turn + np.pi / 2, stretch)), abs=1e-3
    )


@given(halves, turns)
def test_a_place_is_found_again_from_its_corners(half: float, turn: float) -> None:
    one = place(half, turn, 0.9)
    assert place_of(one.corners()).axes == pytest.approx(one.axes, abs=1e-3 * half)
    assert place_of(one.corners()[::-1]).half_px == pytest.approx(one.half_px, rel=1e-3)


@given(halves, turns)
def test_a_triangle_is_found_again_from_its_place(reach: float, turn: float) -> None:
    angle = turn + np.arange(3) * 2 * np.pi / 3
    corners = np.asarray(np.column_stack((np.cos(angle), np.sin(angle))) * reach, np.float32)
    one = place_of(corners)
    assert one.half_px == pytest.approx(D4_HALF * reach, rel=1e-3)
    (again,) = decode_places(one.center[None], encode_place(one, 3)[None], fold=3)
    apart = [np.abs(again.triangle() - np.roll(corners, k, axis=0)).max() for k in range(3)]
    assert min(apart) < 0.01 * reach


def test_a_face_has_three_or_four_corners() -> None:
    with pytest.raises(ValueError, match="three or four corners; got 5"):
        place_of(np.zeros((5, 2), np.float32))


@pytest.mark.parametrize("half", [6.0, 20.0, 90.0, 400.0])
@pytest.mark.parametrize("turn_deg", [0, 30, 77])
def test_a_cut_is_upright_and_holds_the_face(half: float, turn_deg: float) -> None:
    one = place(half, np.deg2rad(turn_deg), 0.95)
    one = FacePlace(np.array((1000, 990), np.float32), one.axes)
    picture = np.full((2000, 2000, 3), 40, np.uint8)
    cv2.fillConvexPoly(picture, np.rint(one.corners() * 16).astype(np.int32), (200, 210, 220), cv2.LINE_AA, 4)
    cut = cut_out(picture, one)
    assert cut.shape == (CUT_SIDE_PX, CUT_SIDE_PX, 3)
    edge = CUT_SIDE_PX / 2 / CUT_REACH
    inside, outside = round(CUT_SIDE_PX / 2 - edge + 2), round(CUT_SIDE_PX / 2 - edge - 2)
    assert cut[inside:-inside, inside:-inside].min() > 150
    assert cut[: outside - 1].max() < 110
    assert cut[:, : outside - 1].max() < 110


def test_beyond_the_picture_a_cut_is_grey() -> None:
    cut = cut_out(np.zeros((20, 20, 3), np.uint8), place(10, 0, 1))
    assert (cut == 127).all()
