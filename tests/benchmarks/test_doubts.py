"""Each doubt that is switched off changes what is told of a face, and is back afterwards."""

import numpy as np
import pytest

from benchmarks.accepted import Accepted
from benchmarks.doubts import DOUBTS, WITHOUT_DOUBT, reads
from tests.vision.scenes import Drawn, Scene, draw
from vision import join
from vision.classic import ClassicReader
from vision.learned import d4, reader, trust
from vision.learned.contract import CLASSES, FOREIGN, NONE, POSES
from vision.learned.faces import FLAT, Face
from vision.learned.reader import judge, look_for_kind
from vision.place import Place

NUMBERS = {
    "the finder's heat": "heat",
    "the face's own chance": "chance",
    "how flat it looks": "flat",
    "how it stands": "leans",
    "stretch among others": "askew",
    "rivals": "rivalled",
    "its place": "off",
    "its size": "small",
}
FACES = (1, 2, 3, 4, 5, 6)


def doubtful() -> Face:
    """A four that is doubted for each reason there is, a little."""
    chances = np.full(len(CLASSES), 0.01, np.float32)
    chances[CLASSES.index(("pip", 4))] = 1 - 0.01 * (len(CLASSES) - 1)
    poses = np.full(len(POSES), 0.05, np.float32)
    poses[FLAT] = 1 - 0.05 * (len(POSES) - 1)
    return Face(
        place=Place(np.array((60, 60), np.float32), np.asarray(np.eye(2) * 6, np.float32)),
        heat=0.7,
        off=0.05,
        chances=chances,
        poses=poses,
        embedding=np.zeros(64, np.float32),
        askew=0.02,
        leaning=-1.0,
        rivalled=0.1,
    )


@pytest.mark.parametrize(("doubt", "number"), NUMBERS.items())
def test_a_number_leaves_no_doubt_while_it_is_switched_off(doubt: str, number: str) -> None:
    picture, face = np.full((120, 120, 3), 200, np.uint8), doubtful()
    before = (trust.numbers(face), d4.numbers(face), judge(picture, face).confidence)
    with DOUBTS[doubt]():
        for module in (trust, d4):
            told = module.numbers(face)
            assert told.pop(number, None) == WITHOUT_DOUBT[number]
            assert told.items() <= (before[0] if module is trust else before[1]).items()
        assert judge(picture, face).confidence > before[2]
    assert (trust.numbers(face), d4.numbers(face), judge(picture, face).confidence) == before


def test_how_dice_stand_forbids_nothing_then() -> None:
    limits = join.LEANS, join.LEANS_DOUBTED
    with DOUBTS["how it stands"]():
        assert min(join.LEANS, join.LEANS_DOUBTED) > 100
    assert limits == (join.LEANS, join.LEANS_DOUBTED)


def test_what_is_no_face_counts_as_one_then_and_strangers_as_none() -> None:
    face = doubtful()
    assert look_for_kind(face, "bet").chances[NONE] > 0
    with DOUBTS['"no face at all"']():
        seen = reader.look_for_kind(face, "bet")
        assert seen.chances[NONE] == 0
        assert seen.chances.sum() == pytest.approx(1)
    with DOUBTS["strangers of other kinds"]():
        assert reader.look_for_kind(face, "pip").chances[FOREIGN] == 0
    assert reader.look_for_kind is look_for_kind


def test_the_classical_reader_vouches_for_nothing_then() -> None:
    picture = draw(Scene(tuple(Drawn(face, 150 + 160 * face, 400) for face in FACES)))
    read = ClassicReader().read(picture)
    assert [die.value for die in read.dice] == list(FACES)
    with DOUBTS["the classical yes"]():
        assert ClassicReader().read(picture).dice == ()
        assert ClassicReader().read(picture, "pip", []).dice == ()
    assert ClassicReader().read(picture).dice == read.dice


def test_strangers_dice_that_are_read_and_what_is_no_die_count_as_wrong() -> None:
    assert reads(Accepted(dice=5, right=3, wrong=1, invented=4, strangers=4, strangers_read=2)) == (3, 7)
