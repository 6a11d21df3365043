"""Faces among others: which one is stretched otherwise, and which one leans."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.face_place import FacePlace, place_of
from vision.learned.contract import CLASSES, POSES, encode_place
from vision.learned.faces import FLAT, Face, Stance
from vision.learned.neighbours import LEAST, compare_with_neighbours
from vision.learned.stance import Part

WIDTH_PX, HEIGHT_PX = 1280, 960
WHOLE = Part(whole_width_px=WIDTH_PX, whole_height_px=HEIGHT_PX)
PLACES = ((200, 200), (1000, 150), (640, 700), (300, 800), (1100, 600))
GROWTH, TILT = 0.8, (0.2, -0.1)
"""What this camera adds to a flat die's step: by the picture's width, and everywhere."""
OFF = 0.04
"""As the network tells it of a die that shows well; at the median it tells 0.044 in `fudw_bowl`, 0.064 in
`rune55_round`."""


def face(x_px: float, y_px: float, tip: tuple[float, float] = (0, 0), stretch: float = 0.0) -> Face:
    """A betting die's face, tipped by so many edges, and stretched so much along the picture's rows."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[CLASSES.index(("bet", 8))] = 1
    axes = 20 * np.diag((1 + stretch, 1 / (1 + stretch)))
    away = np.array((x_px - WIDTH_PX / 2, y_px - HEIGHT_PX / 2)) / WIDTH_PX
    step = GROWTH * away + TILT + tip
    return Face(
        place=FacePlace(np.array((x_px, y_px), np.float32), np.asarray(axes, np.float32)),
        heat=0.9,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
        stance=Stance(np.asarray(step, np.float32), OFF),
    )


def seen_flat(x_mm: float, y_mm: float, turn: float, tilt: float) -> Face:
    """A flat die of 16 mm under a pinhole camera 600 mm away that looks down at an angle (radians)."""
    view = np.array((np.sin(tilt), 0.0, -np.cos(tilt)))
    right = np.array((0.0, 1.0, 0.0))
    frame = np.stack((right, np.cross(view, right), view))

    def seen(points_mm: np.ndarray) -> np.ndarray:
        rays = (points_mm + 600 * view) @ frame.T
        return np.asarray(rays[:, :2] / rays[:, 2:] * 1.1 * WIDTH_PX + (WIDTH_PX / 2, HEIGHT_PX / 2))

    cosine, sine = np.cos(turn), np.sin(turn)
    corners = np.array(((-8, -8), (8, -8), (8, 8), (-8, 8))) @ ((cosine, sine), (-sine, cosine))
    top = seen(np.column_stack((corners[:, 0] + x_mm, corners[:, 1] + y_mm, np.full(4, 16.0))))
    foot, middle = seen(np.array(((x_mm, y_mm, 0.0), (x_mm, y_mm, 16.0))))
    place = place_of(np.asarray(top, np.float32))
    step = np.asarray((middle - foot) / (2 * place.half_px), np.float32)
    return replace(face(*middle), place=place, stance=Stance(step, OFF))


def test_seen_from_the_side_all_over_a_wide_picture_flat_dice_lie_flat() -> None:
    """Neither their steps nor how they are stretched are the same everywhere."""
    spots = [(x, y) for x in (-150, 0, 150) for y in (-170, 0, 170)]
    faces = [seen_flat(*spot, turn=i, tilt=0.5) for i, spot in enumerate(spots)]
    stretches = np.array([encode_place(one.place)[1:3] for one in faces])
    assert np.ptp(stretches, axis=0).max() > 0.1
    told = compare_with_neighbours(faces, WHOLE)
    assert all(one.leaning < -1 for one in told)
    assert max(one.askew for one in told) < 0.03


def leaning(faces: Sequence[Face]) -> list[bool]:
    """Whether each is likelier to lean than not."""
    return [one.leaning > 0 for one in compare_with_neighbours(faces, WHOLE)]


def test_among_its_like_nothing_leans() -> None:
    assert not any(leaning([face(*place) for place in PLACES]))


@pytest.mark.parametrize("tip", [(0.3, 0), (0, -0.3), (-0.25, 0.2)])
@pytest.mark.parametrize("which", range(len(PLACES)))
def test_the_one_that_stands_otherwise_leans(which: int, tip: tuple[float, float]) -> None:
    faces = [face(*place, tip if i == which else (0, 0)) for i, place in enumerate(PLACES)]
    assert leaning(faces) == [i == which for i in range(len(PLACES))]


def test_two_that_lean_do_not_make_the_others_lean() -> None:
    tips = ((0.4, 0), (0, 0), (0, 0), (0, -0.4), (0, 0))
    faces = [face(*place, tip) for place, tip in zip(PLACES, tips, strict=True)]
    assert leaning(faces) == [True, False, False, True, False]


def test_a_die_alone_leans_only_if_no_usual_camera_would_see_it_stand_so() -> None:
    assert not any(leaning([face(640, 480)]))
    assert all(leaning([face(640, 480, (0.5, 0.3))]))


def test_how_it_stands_tells_little_where_it_shows_badly() -> None:
    faces = [face(*place) for place in PLACES[1:]]
    leaning_one = face(*PLACES[0], (0.3, 0))
    assert leaning_one.stance is not None
    blurred = replace(leaning_one, stance=Stance(leaning_one.stance.step, 0.6))
    told = compare_with_neighbours([blurred, *faces], WHOLE)[0]
    clear = compare_with_neighbours([leaning_one, *faces], WHOLE)[0]
    assert told.leaning < 0 < clear.leaning


def test_the_one_that_is_stretched_otherwise_is_askew() -> None:
    faces = [
        seen_flat(x, y, turn=x, tilt=0.2) for x, y in ((-100, 60), (90, 80), (10, 0), (-80, -90), (60, -60))
    ]
    wide = np.asarray(np.diag((1.08, 1 / 1.08)) @ faces[2].place.axes, np.float32)
    faces[2] = replace(faces[2], place=FacePlace(faces[2].place.center, wide))
    told = [one.askew for one in compare_with_neighbours(faces, WHOLE)]
    assert told[2] > 0.07
    assert max(told[:2] + told[3:]) < 0.03


def test_two_tell_nothing_of_each_other_s_stretch() -> None:
    pair = [face(*PLACES[0]), face(*PLACES[1], stretch=0.2)][: LEAST - 1]
    assert [one.askew for one in compare_with_neighbours(pair, WHOLE)] == [0.0] * (LEAST - 1)


def test_what_is_no_die_is_no_company() -> None:
    nothing = np.eye(len(CLASSES), dtype=np.float32)[-1]
    strays = [replace(face(*place, (0.5, 0.5)), chances=nothing) for place in PLACES[:3]]
    assert leaning([*strays, face(*PLACES[3]), face(*PLACES[4])])[3:] == [False, False]


def test_a_print_as_large_as_several_dice_is_no_company() -> None:
    flat = [face(*place) for place in PLACES[:3]]
    wide = face(640, 480, (0.6, 0.5))
    prints = [replace(wide, place=FacePlace(wide.place.center + i, wide.place.axes * 4)) for i in range(2)]
    told, alone = compare_with_neighbours([*flat, *prints], WHOLE), compare_with_neighbours(flat, WHOLE)
    assert [one.leaning for one in told[:3]] == pytest.approx([one.leaning for one in alone], abs=0.01)
    assert all(one.leaning > 0 for one in told[3:]), "it is judged like all others"


@pytest.mark.parametrize("tip", [(0.35, 0), (0, -0.4), (0.3, 0.3), (-1.0, 0.7)])
def test_under_a_calibrated_camera_a_die_alone_is_told_to_lean(tip: tuple[float, float]) -> None:
    upright = face(900, 200)
    assert upright.stance is not None
    steps = upright.stance.step[None].astype(np.float64)
    (flat,) = compare_with_neighbours([upright], WHOLE, steps)
    (tipped,) = compare_with_neighbours([face(900, 200, tip)], WHOLE, steps)
    assert flat.leaning < -1
    assert tipped.leaning > 1


def test_under_a_calibrated_camera_dice_that_all_lean_alike_lean() -> None:
    """To each other they look as if they lay flat."""
    faces = [face(*place, (0.25, 0.1)) for place in PLACES]
    steps = np.array([one.stance.step - (0.25, 0.1) for one in faces if one.stance])
    assert not any(leaning(faces))
    assert all(one.leaning > 0 for one in compare_with_neighbours(faces, WHOLE, steps))


def test_where_a_calibration_cannot_tell_the_others_do() -> None:
    faces = [face(*place, (0.3, 0.0) if i == 1 else (0, 0)) for i, place in enumerate(PLACES)]
    told = compare_with_neighbours(faces, WHOLE, np.full((len(faces), 2), np.nan))
    assert [one.leaning for one in told] == [one.leaning for one in compare_with_neighbours(faces, WHOLE)]


def test_a_part_of_a_picture_is_judged_as_the_whole_is() -> None:
    faces = [face(*place) for place in PLACES[:2]]
    left, top = 150, 100
    moved = [replace(one, place=FacePlace(one.place.center - (left, top), one.place.axes)) for one in faces]
    window = Part(left_px=left, top_px=top, whole_width_px=WIDTH_PX, whole_height_px=HEIGHT_PX)
    for there, here in zip(
        compare_with_neighbours(faces, WHOLE), compare_with_neighbours(moved, window), strict=True
    ):
        assert here.leaning == pytest.approx(there.leaning)


def test_a_pattern_of_the_cloth_is_no_company_and_is_told() -> None:
    """A hundred prints that look like faces do not make the dice among them lean."""
    prints, dice = prints_of_a_cloth(), [looking(face(*place), 1 + i) for i, place in enumerate(PLACES[:3])]
    told = compare_with_neighbours([*prints, *dice], WHOLE)
    assert all(one.printed for one in told[: len(prints)])
    assert not any(one.printed or one.leaning > 0 for one in told[len(prints) :])


def test_a_few_prints_are_told_by_dice_that_rise_and_not_by_two_that_may_lean() -> None:
    prints = prints_of_a_cloth()[-5:]  # on the right, far from the spot right below this camera
    dice = [looking(face(*place), 1 + i) for i, place in enumerate(PLACES)]
    told = compare_with_neighbours([*prints, *dice], WHOLE)
    assert [one.printed for one in told] == [True] * len(prints) + [False] * len(dice)
    assert not any(one.leaning > 0 for one in told[len(prints) :])
    two = compare_with_neighbours([*prints, *dice[:2]], WHOLE)
    assert not any(one.printed for one in two)


def test_a_flat_die_right_below_the_camera_is_no_print_though_the_others_rise() -> None:
    below = replace(face(220, 660), stance=Stance(np.zeros(2, np.float32), OFF))
    rising = [face(*place) for place in PLACES]
    middle = np.array((WIDTH_PX / 2, HEIGHT_PX / 2)) - np.array(TILT) * WIDTH_PX / GROWTH
    there = replace(below, place=FacePlace(np.asarray(middle, np.float32), below.place.axes))
    told = compare_with_neighbours([there, *rising], WHOLE)
    assert not told[0].printed
    assert told[0].leaning < 0


def test_a_print_is_told_by_its_likes_and_a_die_by_looking_otherwise() -> None:
    """A print that seems to rise is one all the same; a die right below the camera, without a step, is none,
    nor is one with the same mark that is larger."""
    prints = prints_of_a_cloth()
    prints[7] = replace(prints[7], stance=Stance(np.array((0.4, 0.3), np.float32), OFF))
    below = replace(looking(face(WIDTH_PX / 2, HEIGHT_PX / 2), 1), stance=prints[0].stance)
    larger = replace(prints[0], place=FacePlace(prints[0].place.center, 1.5 * prints[0].place.axes))
    told = compare_with_neighbours([*prints, below, larger], WHOLE)
    assert [one.printed for one in told] == [True] * len(prints) + [False, False]


def prints_of_a_cloth() -> list[Face]:
    """Many flat prints, which look alike."""
    grid = [(x, y) for x in range(60, WIDTH_PX, 120) for y in range(60, HEIGHT_PX, 120)]
    return [replace(looking(face(*place), 0), stance=Stance(np.zeros(2, np.float32), OFF)) for place in grid]


def looking(one: Face, number: int) -> Face:
    """The face with one of several quite different looks."""
    return replace(one, embedding=np.eye(64, dtype=np.float32)[number % 64])
