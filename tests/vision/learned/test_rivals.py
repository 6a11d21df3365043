"""The less likely of two finds that lie nearer than two dice can is known to have a rival."""

from dataclasses import replace

import numpy as np
import pytest

from vision.face_place import FacePlace
from vision.learned.confidence import TOO_NEAR, confidence, find_overlapping_faces
from vision.learned.contract import CLASSES, NONE, POSES
from vision.learned.faces import FLAT, Face

HALF_PX = 20.0


def face(x_px: float, chance: float = 0.9, half_px: float = HALF_PX, shows: int | None = None) -> Face:
    """A pip die's face, or one that shows the class `shows`, with that chance."""
    chances = np.full(len(CLASSES), (1 - chance) / (len(CLASSES) - 1), np.float32)
    chances[CLASSES.index(("pip", 5)) if shows is None else shows] = chance
    return Face(
        place=FacePlace(np.array((x_px, 100), np.float32), np.asarray(half_px * np.eye(2), np.float32)),
        heat=0.8,
        off=0.0,
        chances=chances,
        poses=np.eye(len(POSES), dtype=np.float32)[FLAT],
        embedding=np.zeros(64, np.float32),
    )


def test_the_less_likely_of_two_that_are_too_near_has_a_rival() -> None:
    sure, side = find_overlapping_faces([face(100), face(100 + 1.2 * HALF_PX, 0.6)])
    assert sure.rivalled == 0
    assert side.rivalled == pytest.approx(0.9 * 0.8 / 2)
    assert confidence(side) < confidence(replace(side, rivalled=0.0)) - 0.1


def test_dice_that_touch_are_no_rivals() -> None:
    assert all(one.rivalled == 0 for one in find_overlapping_faces([face(100), face(100 + 2 * HALF_PX, 0.6)]))
    assert TOO_NEAR < 2


def test_near_is_measured_by_the_larger_face() -> None:
    large, pip = find_overlapping_faces([face(100), face(100 + 1.5 * HALF_PX, 0.6, HALF_PX / 4)])
    assert (large.rivalled, pip.rivalled > 0) == (0, True)


def test_what_is_no_die_is_nobodys_rival() -> None:
    print_, die = find_overlapping_faces([face(100, 0.95, shows=NONE), face(110, 0.5)])
    assert die.rivalled == 0
    assert print_.rivalled > 0
    assert find_overlapping_faces([]) == []


def test_a_side_that_stands_as_no_flat_die_gives_way_to_its_die() -> None:
    side, die = face(100, 0.9), face(100 + 1.2 * HALF_PX, 0.6)
    side, die = find_overlapping_faces([replace(side, leaning=2.0), replace(die, leaning=-2.0)])
    assert side.rivalled > 0.4
    assert die.rivalled == 0
