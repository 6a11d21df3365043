"""Faces among others: which one is stretched otherwise, and which one leans."""

from dataclasses import replace

import numpy as np
import pytest

from models.faces import CLASSES, POSES, Place
from vision.join import LEANS
from vision.learned.company import LEAST, in_company
from vision.learned.faces import FLAT, Face


def face(flat: float = 0.97, stretch: float = 0.0) -> Face:
    """A face that is held for flat with that chance, and stretched so much along the picture's rows."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[CLASSES.index(("bet", 8))] = 1
    poses = np.full(len(POSES), (1 - flat) / (len(POSES) - 1), np.float32)
    poses[FLAT] = flat
    axes = 20 * np.diag((1 + stretch, 1 / (1 + stretch)))
    place = Place(np.array((100, 100), np.float32), np.asarray(axes, np.float32))
    return Face(
        place=place, heat=0.9, off=0.0, chances=chances, poses=poses, embedding=np.zeros(64, np.float32)
    )


def test_among_its_like_nothing_leans() -> None:
    for one in in_company([face(), face(0.96), face(0.98), face(0.95, 0.01)]):
        assert one.leaning < LEANS
        assert one.askew < 0.03


@pytest.mark.parametrize("odd", [face(0.6), face(0.9, 0.08)])
def test_the_one_that_is_unlike_the_others_leans(odd: Face) -> None:
    told = in_company([face(), face(), odd, face()])
    assert [one.leaning >= LEANS for one in told] == [False, False, True, False]


def test_dice_that_are_all_held_for_less_flat_do_not_lean() -> None:
    assert all(one.leaning < LEANS for one in in_company([face(0.7), face(0.75), face(0.7)]))


def test_two_tell_nothing_of_each_other() -> None:
    pair = [face(), face(0.3, 0.2)][: LEAST - 1]
    assert [(one.askew, one.leaning) for one in in_company(pair)] == [(0.0, 0.0)] * (LEAST - 1)


def test_what_is_no_die_is_no_company() -> None:
    nothing = replace(face(), chances=np.eye(len(CLASSES), dtype=np.float32)[-1])
    assert [one.leaning for one in in_company([face(), face(0.3, 0.2), nothing])][:2] == [0.0, 0.0]
