"""How a D4 is cut out and shown askew: its corners and its tip stay where they are told to be."""

from itertools import islice

import cv2
import numpy as np
import pytest

from calibration.arrays import Singles
from models.scenes import draw
from models.training import d4_cuts
from models.training.d4_cuts import NONE, WIDE_PX, D4Cuts, cuts_of, d4_batch, large_seeds, sketches
from models.training.store import Truth
from vision.face_place import FacePlace, place_of
from vision.learned.d4_contract import (
    CORNERS,
    CUT_PX,
    TURNS,
    UNIT_PX,
    VALUES,
    cut_of,
    edge_px,
    frame_of,
    inside,
    set_right,
)

TIP = np.array((0.4, -0.3), np.float32)
SPOTS = ((0, 0, 255), (0, 255, 0), (255, 0, 0), (255, 255, 255))


def place() -> FacePlace:
    """A D4 that a tilted camera sees: foreshortened, and turned by 20 degrees."""
    angle = np.arange(3) * 2 * np.pi / 3 + 0.35
    corners = np.column_stack((150 + 60 * np.cos(angle), 140 + 50 * np.sin(angle)))
    return place_of(np.asarray(corners, np.float32))


def spotted(points: Singles, side: int) -> np.ndarray:
    """A dark square with a coloured spot at each of the points, which are in its pixels."""
    picture = np.full((side, side, 3), 40, np.uint8)
    for (x, y), color in zip(points, SPOTS, strict=True):
        cv2.circle(picture, (round(float(x)), round(float(y))), 3, color, -1)
    return picture


def spots(cut: np.ndarray) -> Singles:
    """Where those spots are, half edges about the middle."""
    middles = []
    for color in SPOTS:
        near = np.abs(cut.astype(int) - color).sum(axis=2) < 150
        rows, columns = np.nonzero(near)
        middles.append((columns.mean(), rows.mean()))
    return np.asarray((np.array(middles) - (CUT_PX - 1) / 2) / UNIT_PX, np.float32)


def in_picture(points: Singles) -> Singles:
    return np.asarray(place().center + points @ frame_of(place()).axes.T, np.float32)


def test_the_cut_shows_the_die_upright_and_as_the_camera_sees_it() -> None:
    points = np.vstack((inside(place(), place().triangle()), TIP))
    picture = spotted(in_picture(points), 300)
    assert spots(cut_of(picture, place())) == pytest.approx(points, abs=0.06)
    assert inside(place(), in_picture(TIP[None])[0]) == pytest.approx(TIP, abs=1e-4)
    frame = frame_of(place()).axes
    assert frame.T @ frame == pytest.approx(np.eye(2) * (frame[:, 0] @ frame[:, 0]), rel=1e-4, abs=1e-2)


def test_from_right_above_the_corners_lie_where_the_network_is_told() -> None:
    angle = np.arange(3) * 2 * np.pi / 3 + 0.35
    above = place_of(np.asarray(150 + 60 * np.column_stack((np.cos(angle), np.sin(angle))), np.float32))
    assert inside(above, above.triangle()) == pytest.approx(CORNERS, abs=1e-3)


@pytest.mark.parametrize("turn", TURNS)
def test_a_place_is_set_right_from_each_of_the_turns(turn: float) -> None:
    true = place()
    astray = FacePlace(true.center + np.float32(4), np.asarray(true.axes * 1.1, np.float32))
    cosine, sine = np.cos(turn), np.sin(turn)
    axes = frame_of(astray).axes @ np.array(((cosine, -sine), (sine, cosine)))
    corners = (true.triangle() - astray.center) @ np.linalg.inv(axes).T
    told = np.append(corners.ravel(), (0, 0)).astype(np.float32)
    right = set_right(astray, told, turn)
    assert right.center == pytest.approx(true.center, abs=0.01)
    assert edge_px(right) == pytest.approx(edge_px(true), rel=1e-3)
    order = np.argsort(right.triangle()[:, 0])
    assert right.triangle()[order] == pytest.approx(
        true.triangle()[np.argsort(true.triangle()[:, 0])], abs=0.05
    )


def test_what_the_network_learns_from_lies_where_it_is_told() -> None:
    shown = np.vstack((CORNERS, TIP)) * UNIT_PX + (WIDE_PX - 1) / 2
    wide = spotted(np.asarray(shown, np.float32), WIDE_PX)
    cuts = D4Cuts(wide[None], np.array([2]), np.array([0]), np.vstack((CORNERS, TIP))[None])
    chance = np.random.default_rng(5)
    for _ in range(12):
        pictures, points, known = d4_batch(cuts, np.array([0]), chance)
        assert (known == 1).all()
        told = points[0].reshape(4, 2)
        nearest = np.argmin(np.hypot(*(told[:3, None] - CORNERS).transpose(2, 0, 1)), axis=1)
        assert nearest.tolist() == [0, 1, 2]  # whatever third of a circle it was turned by
        at = np.rint(told * UNIT_PX + (CUT_PX - 1) / 2).astype(int)
        around = cv2.GaussianBlur(pictures[0].transpose(1, 2, 0), (0, 0), 1.5).astype(float)
        plain = np.median(around.reshape(-1, 3), axis=0)
        for x, y in at[((at >= 0) & (at < CUT_PX)).all(axis=1)]:
            assert np.abs(around[y, x] - plain).max() > 12


def test_what_is_no_d4_has_no_corners() -> None:
    cuts = D4Cuts(
        np.zeros((1, WIDE_PX, WIDE_PX, 3), np.uint8),
        np.array([NONE]),
        np.array([-1]),
        np.zeros((1, 4, 2), np.float32),
    )
    _, _, known = d4_batch(cuts, np.array([0]), np.random.default_rng(1))
    assert not known.any()


@pytest.mark.parametrize(("by_a_face", "away"), [(0.0, 0.0), (1.0, 0.6)])
def test_a_d4_seen_aslant_is_also_shown_as_if_its_nearest_face_were_its_base(
    by_a_face: float, away: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(d4_cuts, "BY_A_FACE", by_a_face)
    corners = np.array(((0.8, 0), (-0.4, 1.6), (-0.4, -1.6)), np.float32)
    points = np.vstack((corners, (2.2, 0.1))).astype(np.float32)
    wide = np.full((1, WIDE_PX, WIDE_PX, 3), 40, np.uint8)
    cuts, chance = D4Cuts(wide, np.array([2]), np.array([0]), points[None]), np.random.default_rng(5)
    told = np.array([d4_batch(cuts, np.array([0]), chance)[1][0].reshape(4, 2) for _ in range(60)])
    middles = told[:, :3].mean(axis=1)
    assert (np.argmax((told[:, :3] - middles[:, None]) @ CORNERS.T, axis=2) == (0, 1, 2)).all()
    assert np.hypot(*np.median(np.abs(middles), axis=0)) == pytest.approx(away, abs=0.25)


def test_a_scene_gives_its_large_d4_and_a_place_without() -> None:
    scene = draw(next(large_seeds(91_000, 70.0, (320, 240))), 320, 240, kinds=("d4",))
    dice = [
        (
            Truth(d.kind, d.value, d.corners_px, d.pose, d.visible, TIP),
            np.array(d.center_px, np.float32),
        )
        for d in scene.dice
    ]
    cuts = cuts_of(scene.picture, dice, np.random.default_rng(1))
    large = [d for d in scene.dice if edge_px(place_of(d.corners_px)) >= 56 and d.visible >= 0.2]
    assert large
    assert (cuts.classes != NONE).sum() == len(large)


def test_seeds_are_chosen_by_the_size_that_they_draw() -> None:
    for seed in islice(large_seeds(92_000, 60.0, (640, 480)), 2):
        edges = [edge_px(place_of(d.corners_px)) for d in draw(seed, 640, 480, kinds=("d4",)).dice]
        assert all(edge > 0.65 * 60 for edge in edges)


def test_a_sketch_is_a_d4_with_all_values_and_its_tip_near_its_middle() -> None:
    ground = np.full((240, 320, 3), (60, 120, 70), np.uint8)
    chance = np.random.default_rng(8)
    found = [one for _ in range(4) for one in sketches(chance, ground)]
    assert len(found) > 8
    assert {one.value for one in found} <= set(range(len(VALUES)))
    assert len({one.value for one in found}) > 2
    for one in found:
        assert np.hypot(*inside(one.place, one.tip)) < 2.6
        assert edge_px(one.place) > 40
        assert one.picture.dtype == np.uint8
