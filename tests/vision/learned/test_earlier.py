"""What earlier pictures of a fixed camera tell of a die that lies alone."""

from dataclasses import replace

import numpy as np

from tests.vision.learned.test_neighbours import OFF, PLACES, WHOLE, face
from vision.learned.camera_prior import MOST, CameraPoseMemory
from vision.learned.faces import Stance

MIDDLE = PLACES[0]


def company() -> CameraPoseMemory:
    """That of one throw of dice that lay flat."""
    earlier = CameraPoseMemory()
    earlier.learn([face(*place) for place in PLACES], WHOLE)
    return earlier


def test_a_die_alone_is_told_by_those_of_earlier_throws() -> None:
    flat, leaning = face(*MIDDLE), face(*MIDDLE, (0.5, 0.25))

    def lean(earlier: CameraPoseMemory, tipped: bool) -> float:
        (told,) = earlier.compare([leaning if tipped else flat], WHOLE, None)
        return told.leaning

    assert lean(company(), True) > 1 > lean(CameraPoseMemory(), True)
    assert lean(company(), False) < lean(CameraPoseMemory(), False) < 0


def test_half_the_dice_leaning_alike_do_not_make_the_other_half_lean() -> None:
    faces = [face(*place, (0.45, 0.2) if i % 2 else (0.0, 0.0)) for i, place in enumerate(PLACES[:4])]
    told = company().compare(faces, WHOLE, None)
    assert [one.leaning > 0 for one in told] == [False, True, False, True]


def test_a_camera_that_was_moved_has_no_company() -> None:
    earlier = company()
    elsewhere = [replace(face(*place), stance=_pushed(face(*place).stance)) for place in PLACES]
    told = earlier.compare(elsewhere, WHOLE, None)
    assert len(earlier) == 0
    assert all(one.leaning < 0.5 for one in told)


def test_single_dice_show_too_that_the_camera_was_moved() -> None:
    earlier = company()
    for place in PLACES[:3]:
        one = face(*place)
        (told,) = earlier.compare([replace(one, stance=_pushed(one.stance))], WHOLE, None)
    assert len(earlier) == 0
    assert told.leaning < 1


def test_a_leaning_die_that_is_looked_at_again_is_no_moved_camera() -> None:
    earlier = company()
    for _ in range(4):
        (told,) = earlier.compare([face(*MIDDLE, (0.4, 0.2))], WHOLE, None)
        assert told.leaning > 0
    assert len(earlier) == len(PLACES)


def _pushed(stance: Stance | None) -> Stance:
    assert stance is not None
    return Stance(stance.step + np.array((0.5, -0.4), np.float32), OFF)


def test_a_die_that_is_read_again_counts_once_and_no_more_than_some_are_kept() -> None:
    earlier = CameraPoseMemory()
    for _ in range(3):
        earlier.learn([face(*MIDDLE)], WHOLE)
    assert len(earlier) == 1
    grid = [(x, y) for x in range(40, 1200, 60) for y in range(40, 900, 60)]
    earlier.learn([face(*place) for place in grid], WHOLE)
    assert len(earlier) == MOST


def test_a_die_whose_stand_nobody_looked_at_is_no_company() -> None:
    earlier = CameraPoseMemory()
    earlier.learn([replace(face(*MIDDLE), stance=None)], WHOLE)
    assert len(earlier) == 0
