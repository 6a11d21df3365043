"""The cuts that the face reader learns from show what their truth says."""

import numpy as np

from calibration.arrays import Picture, Singles
from models.training.cuts import ASKED_NOT, UNIT_PX, WIDE_PX, Cuts, batch, blanks, class_of, cuts_of
from models.training.store import Truth
from vision.learned.contract import CUT_SIDE_PX, NONE, POSES, cut_out, move_place
from vision.place import Place

CHANCE = 17
STEP = np.zeros(2, np.float32)


def square() -> Picture:
    """A wide cut with a light face in its middle."""
    wide = np.full((WIDE_PX, WIDE_PX, 3), 50, np.uint8)
    edge = round(WIDE_PX / 2 - UNIT_PX)
    wide[edge:-edge, edge:-edge] = 210
    return wide


def at(cut: Picture, place: Place, step: float) -> Singles:
    """Grey levels so far from the middle of a face, towards its four sides."""
    ways = np.array(((step, 0), (-step, 0), (0, step), (0, -step))) @ place.axes.T + place.center
    x, y = np.clip(np.rint(ways), 0, CUT_SIDE_PX - 1).astype(int).T
    return np.asarray(cut[:, y, x].mean(axis=0), np.float32)


def test_a_cut_askew_is_told_where_its_face_lies() -> None:
    count = 60
    cuts = Cuts(np.stack([square()] * count), np.full(count, class_of("pip", 4)), np.zeros(count, np.int64))
    pictures, moves = batch(cuts, np.arange(count), np.random.default_rng(CHANCE))
    middle = (CUT_SIDE_PX - 1) / 2
    upright = Place(np.array((middle, middle), np.float32), np.asarray(np.eye(2) * UNIT_PX, np.float32))
    clear = 0
    for cut, move in zip(pictures, moves, strict=True):
        place = move_place(upright, move[:9])
        inside, outside = at(cut, place, 0.75), at(cut, place, 1.25)
        clear += bool(abs(inside.mean() - outside.mean()) > 6 * max(float(inside.std()) - 12, 0.1))
    assert clear > 0.9 * count


def test_what_is_no_face_is_not_asked_for_its_place() -> None:
    cuts = Cuts(np.stack([square()] * 5), np.full(5, NONE), np.full(5, ASKED_NOT))
    _, moves = batch(cuts, np.arange(5), np.random.default_rng(CHANCE))
    assert not moves[:, 9:].any()
    assert (blanks(cuts, np.random.default_rng(CHANCE), 7).classes == NONE).all()


def test_every_die_of_a_scene_is_cut_out_and_what_is_elsewhere_is_none() -> None:
    picture = np.full((200, 300, 3), 90, np.uint8)
    corners = np.array(((100, 80), (140, 80), (140, 120), (100, 120)), np.float32)
    dice = [
        Truth("pip", 3, corners, "flat", 1.0, STEP),
        Truth("bet", 8, corners + np.float32(90), "hidden", 0.4, STEP),
        Truth("zoinx", "dot", corners - np.float32(60), "hidden", 0.1, STEP),
    ]
    cuts = cuts_of(picture, dice, np.random.default_rng(CHANCE), others=6)
    assert list(cuts.classes[:2]) == [class_of("pip", 3), ASKED_NOT]
    assert [POSES[pose] for pose in cuts.poses[:2]] == ["flat", "hidden"]
    assert (cuts.classes[2:] == NONE).all()
    assert cuts.pictures.shape[1:] == (WIDE_PX, WIDE_PX, 3)


def test_a_moved_place_is_cut_out_upright() -> None:
    picture = np.full((300, 300, 3), 40, np.uint8)
    picture[120:161, 130:171] = 200
    guess = Place(np.array((155, 137), np.float32), np.asarray(np.eye(2) * 16, np.float32))
    move = np.array((-5 / 16, 3 / 16, np.log(20 / 16), 0, 0, 1, 0, 1, 0), np.float32)
    place = move_place(guess, move)
    assert np.allclose(place.center, (150, 140), atol=0.01)
    cut = cut_out(picture, place)
    edge = round(CUT_SIDE_PX / 2 - UNIT_PX)
    assert cut[edge + 1 : -edge - 1, edge + 1 : -edge - 1].min() > 150
    assert cut[: edge - 1].max() < 90
