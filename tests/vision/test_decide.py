"""What is told of each find: a die as read, one that is unsure with its reason, or nothing."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from vision.decide import LEANS, LEANS_DOUBTED, decide
from vision.face_place import FacePlace
from vision.learned.contract import CLASSES, POSES
from vision.learned.faces import Face, Stance
from vision.learned.reader import MOST_UNREAD, SURE, JudgedFace, kind_shown, mark_pattern
from vision.reading import DiceChoice, SeenDie, UnsureDie


def decide_among(
    faces: Sequence[JudgedFace], dice: DiceChoice
) -> tuple[tuple[SeenDie, ...], tuple[UnsureDie, ...]]:
    """What is told of faces that were judged among these dice."""
    return decide([replace(one, named=dice) for one in faces])


NAMED: dict[str, DiceChoice] = {"pip": "pip", "zoinx": "zoinx", "bet": "bet", "d4": "d4"}


def a_face(kind: str, value: int | str, sure: float, at: tuple[float, float] = (100, 100)) -> JudgedFace:
    """A face that the networks found, 40 pixels wide."""
    chances = np.zeros(len(CLASSES), np.float32)
    chances[CLASSES.index((kind, value))] = 1
    poses = np.eye(len(POSES), dtype=np.float32)[0]
    place = FacePlace(np.array(at, np.float32), np.asarray(np.eye(2) * 20, np.float32))
    face = Face(
        place=place, heat=0.9, off=0.02, chances=chances, poses=poses, embedding=np.zeros(64, np.float32)
    )
    body = np.array((200, 220, 230), np.float32)
    return JudgedFace(face, sure, "its face does not show clearly", True, body)


def test_sure_networks_stand_alone() -> None:
    dice, unsure = decide_among([a_face("pip", 5, 0.98), a_face("bet", 8, 0.97, (300, 200))], "zoinx-and-bet")
    assert [(die.kind, die.value) for die in dice] == [("pip", 5), ("bet", 8)]
    assert unsure == ()


@pytest.mark.parametrize(
    ("kind", "value", "sure", "guessed"),
    [("pip", 5, 0.85, True), ("bet", 8, 0.6, True), ("pip", 5, 0.45, False), ("d4", 3, 0.9, False)],
)
def test_an_unsure_face_keeps_what_it_most_likely_shows(
    kind: str, value: int, sure: float, guessed: bool
) -> None:
    _, (one,) = decide_among([a_face(kind, value, sure)], NAMED[kind])
    assert (one.likely is not None) == guessed
    if one.likely is not None:
        assert (one.likely.value, one.likely.confidence, one.likely.center_px) == (value, sure, one.center_px)


def test_nothing_is_guessed_of_what_leans_nor_where_any_kind_may_lie() -> None:
    leaning = a_face("pip", 5, 0.85)
    leaning = replace(leaning, face=replace(leaning.face, leaning=LEANS))
    assert decide_among([leaning], "pip")[1][0].likely is None
    assert decide_among([a_face("pip", 5, 0.85)], "auto")[1][0].likely is None


@pytest.mark.parametrize(("chance", "mentioned"), [(0.6, True), (0.4, False)])
def test_a_cold_find_is_mentioned_where_it_looks_like_nothing_but_a_die(
    chance: float, mentioned: bool
) -> None:
    one = a_face("pip", 5, 0.1)
    chances = np.full(len(one.face.chances), (1 - chance) / (len(one.face.chances) - 1), np.float32)
    chances[one.face.best] = chance
    cold = replace(one, face=replace(one.face, heat=0.2, chances=chances))
    assert bool(decide_among([cold], "pip")[1]) is mentioned
    assert not decide_among([replace(cold, face=replace(cold.face, printed=True))], "pip")[1]


def test_a_cold_find_of_the_size_of_the_dice_beside_it_is_mentioned() -> None:
    one = a_face("pip", 5, 0.1)
    chances = np.full(len(one.face.chances), 0.6 / (len(one.face.chances) - 1), np.float32)
    chances[one.face.best] = 0.4
    cold = replace(one, face=replace(one.face, heat=0.2, chances=chances), sized=True)
    assert [doubt.reason for doubt in decide_among([cold], "pip")[1]] == ["its face does not show clearly"]
    assert decide_among([replace(cold, face=replace(cold.face, rivalled=0.5))], "pip")[1] == ()


def test_what_shows_no_face_is_mentioned_where_nothing_else_is() -> None:
    blob = replace(a_face("none", "none", 0.0), reason="of a die's size, but it shows no face")
    assert [doubt.reason for doubt in decide_among([blob], "pip")[1]] == [blob.reason]


def test_just_sure_enough_is_sure() -> None:
    below = np.nextafter(SURE, 0)
    assert [len(decide_among([a_face("pip", 5, sure)], "pip")[0]) for sure in (SURE, below)] == [1, 0]


def test_just_as_much_as_may_lean_leans() -> None:
    one = a_face("pip", 5, 0.98)
    leaning = [replace(one, face=replace(one.face, leaning=odds)) for odds in (LEANS, np.nextafter(LEANS, 0))]
    assert [len(decide_among([face], "pip")[0]) for face in leaning] == [0, 1]


def test_a_side_of_a_likelier_die_is_mentioned_from_a_higher_heat() -> None:
    one = a_face("pip", 5, 0.1)
    dull = np.full(len(one.face.chances), 1 / len(one.face.chances), np.float32)
    side = replace(one, face=replace(one.face, chances=dull, rivalled=0.5))
    for heat, unsure in ((0.5, 1), (0.49, 0)):
        assert len(decide_among([replace(side, face=replace(side.face, heat=heat))], "pip")[1]) == unsure


def test_a_die_of_strangers_is_never_read() -> None:
    dice, (one,) = decide_among([a_face("foreign", "die", 0.0)], "pip")
    assert dice == ()
    assert one.center_px == (100, 100)


def test_a_d4_has_three_corners_and_a_cube_four() -> None:
    dice, _ = decide_among([a_face("d4", 3, 0.98), a_face("pip", 5, 0.98, (200, 100))], "auto")
    assert [len(die.corners_px) for die in dice] == [3, 4]


@pytest.mark.parametrize(("kind", "value"), [("pip", 1), ("zoinx", "dot"), ("bet", 8)])
def test_more_is_asked_of_a_single_mark_where_any_kind_may_lie(kind: str, value: int | str) -> None:
    assert not decide_among([a_face(kind, value, 0.97)], "auto")[0]
    assert decide_among([a_face(kind, value, 0.97)], NAMED[kind])[0], "its kind was named"
    assert decide_among([a_face(kind, value, 0.988)], "auto")[0]
    assert decide_among([a_face("pip", 5, 0.93)], "auto")[0], "several pips are enough"


def test_kinds_that_were_named_need_no_more_than_others() -> None:
    assert not decide_among([a_face("bet", 8, 0.93)], "auto")[0]
    assert decide_among([a_face("bet", 8, 0.93)], "zoinx-and-bet")[0]


@pytest.mark.parametrize("dice", ["pip", "auto"])
def test_what_stands_aslant_is_not_read(dice: DiceChoice) -> None:
    sure = a_face("pip", 5, 0.98)
    cocked, upright = (replace(sure, face=replace(sure.face, leaning=LEANS + more)) for more in (0.05, -0.05))
    read, (one,) = decide_among([cocked], dice)
    assert read == ()
    assert one.reason == "cocked"
    assert [die.value for die in decide_among([upright], dice)[0]] == [5]


def test_of_betting_dice_and_unsure_ones_less_is_enough_to_lean() -> None:
    def standing(kind: str, sure: float) -> JudgedFace:
        one = a_face(kind, 4, sure)
        return replace(one, face=replace(one.face, leaning=LEANS_DOUBTED + 0.05))

    assert not decide_among([standing("bet", 0.98)], "bet")[0]
    assert decide_among([standing("bet", 0.988)], "auto")[0]
    assert decide_among([standing("pip", 0.98)], "pip")[0]
    (doubted,) = decide_among([standing("pip", 0.8)], "pip")[1]
    assert doubted.reason == "cocked"


def test_what_leaves_the_picture_is_not_read() -> None:
    dice, (one,) = decide_among([replace(a_face("pip", 5, 0.98), whole=False)], "pip")
    assert dice == ()
    assert one.reason == "at the picture's edge"


def alike(one: JudgedFace, look: int) -> JudgedFace:
    """The same face, with numbers that are alike for all faces of that look."""
    return replace(one, face=replace(one.face, embedding=np.eye(64, dtype=np.float32)[look]))


def marks_of_a_cloth(number: int) -> list[JudgedFace]:
    """Spots in rows, each of which may be a die's one."""
    spots = [(60.0 + 90 * (i % 9), 60.0 + 90 * (i // 9)) for i in range(number)]
    return [alike(a_face("pip", 1, 0.6, spot), 1) for spot in spots]


def test_of_very_many_marks_that_look_alike_none_is_mentioned() -> None:
    five = alike(a_face("pip", 5, 0.98, (15, 15)), 2)
    doubtful = alike(a_face("pip", 1, 0.6, (105, 15)), 3)
    dice, unsure = decide_among(mark_pattern([*marks_of_a_cloth(MOST_UNREAD), five, doubtful]), "pip")
    assert [die.value for die in dice] == [5]
    assert [one.center_px for one in unsure] == [(105, 15)], "it looks otherwise than the cloth"
    assert decide_among(mark_pattern(marks_of_a_cloth(MOST_UNREAD + 1)), "pip")[1] == ()


def test_so_many_unread_dice_as_may_be_thrown_are_all_mentioned() -> None:
    assert len(decide_among(mark_pattern(marks_of_a_cloth(MOST_UNREAD)), "pip")[1]) == MOST_UNREAD


@pytest.mark.parametrize(("leaning", "mentioned"), [(-2.0, True), (2.0, False)])
def test_a_die_like_the_marks_of_its_cloth_is_mentioned_where_it_stands_as_flat_dice_do(
    leaning: float, mentioned: bool
) -> None:
    one = alike(a_face("pip", 1, 0.6, (15, 15)), 1)
    stance = Stance(np.array((0.0, -0.4), np.float32), 0.05)
    die = replace(one, face=replace(one.face, stance=stance, leaning=leaning))
    _, unsure = decide_among(mark_pattern([*marks_of_a_cloth(40), die]), "pip")
    assert [doubt.center_px for doubt in unsure] == ([(15, 15)] if mentioned else [])


@pytest.mark.parametrize(
    ("seen", "kind"),
    [
        ([("pip", 5, 0.88), ("pip", 6, 0.88)], "pip"),
        ([("pip", 5, 0.88)], "auto"),
        ([("pip", 1, 0.989)], "auto"),
        ([("zoinx", "dot", 0.989)], "zoinx"),
        ([("zoinx", "dot", 0.989), ("bet", 8, 0.989)], "zoinx-and-bet"),
        ([("zoinx", "dot", 0.989), ("pip", 4, 0.989)], "auto"),
        ([("zoinx", "dot", 0.6)] * 12, "auto"),
    ],
)
def test_clear_faces_tell_together_which_kind_lies_there(
    monkeypatch: pytest.MonkeyPatch, seen: list[tuple[str, int | str, float]], kind: DiceChoice
) -> None:
    confidences = iter([sure for *_, sure in seen])
    monkeypatch.setattr("vision.learned.confidence.confidence", lambda _: next(confidences))
    assert kind_shown([a_face(*one).face for one in seen]) == kind
