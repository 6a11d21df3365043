"""The cuts that the face reader learns from show what their truth says."""

import numpy as np

from models.training.cuts import (
    NOT_ASKED,
    UNIT_PX,
    WIDE_PX,
    Faces,
    blanks,
    class_of,
    faces_of_scene,
    no_faces,
)
from models.training.store import Truth, joined
from vision.face_place import FacePlace
from vision.learned.contract import CUT_SIDE_PX, NONE, POSES, cut_out, move_place

CHANCE = 17
STEP = np.zeros(2, np.float32)


def test_blank_things_are_no_face_and_are_drawn_over_places_without_one() -> None:
    ground = np.full((WIDE_PX, WIDE_PX, 3), 50, np.uint8)
    die = Faces(
        np.full_like(ground, 200)[None], np.array([class_of("pip", 4)]), np.zeros(1, int), np.ones(1, bool)
    )
    plain = blanks(joined(Faces, [die, no_faces([ground] * 3)]), np.random.default_rng(CHANCE), 20)
    assert (plain.classes == NONE).all()
    assert not plain.placed.any()
    assert (plain.pictures[:, 0, 0] == 50).mean() > 0.5, "they lie in the middle"
    assert (plain.pictures[:, WIDE_PX // 2, WIDE_PX // 2] != 50).mean() > 0.9


def test_every_die_of_a_scene_is_cut_out_and_what_is_elsewhere_is_none() -> None:
    picture = np.full((200, 300, 3), 90, np.uint8)
    corners = np.array(((100, 80), (140, 80), (140, 120), (100, 120)), np.float32)
    dice = [
        Truth("pip", 3, corners, "flat", 1.0, STEP),
        Truth("bet", 8, corners + np.float32(90), "hidden", 0.4, STEP),
        Truth("zoinx", "dot", corners - np.float32(60), "hidden", 0.1, STEP),
    ]
    faces = faces_of_scene(picture, dice, np.random.default_rng(CHANCE), others=6)
    assert list(faces.classes[:2]) == [class_of("pip", 3), NOT_ASKED]
    assert [POSES[pose] for pose in faces.poses[:2]] == ["flat", "hidden"]
    assert (faces.classes[2:] == NONE).all()
    assert faces.pictures.shape[1:] == (WIDE_PX, WIDE_PX, 3)


def test_a_moved_place_is_cut_out_upright() -> None:
    picture = np.full((300, 300, 3), 40, np.uint8)
    picture[120:161, 130:171] = 200
    guess = FacePlace(np.array((155, 137), np.float32), np.asarray(np.eye(2) * 16, np.float32))
    move = np.array((-5 / 16, 3 / 16, np.log(20 / 16), 0, 0, 1, 0, 1, 0), np.float32)
    place = move_place(guess, move)
    assert np.allclose(place.center, (150, 140), atol=0.01)
    cut = cut_out(picture, place)
    edge = round(CUT_SIDE_PX / 2 - UNIT_PX)
    assert cut[edge + 1 : -edge - 1, edge + 1 : -edge - 1].min() > 150
    assert cut[: edge - 1].max() < 90
