"""What is said when the networks and the classical reader agree, differ, or one is silent."""

from dataclasses import replace

import numpy as np
import pytest

from vision.face_place import FacePlace
from vision.decide import (
    ALONE_AT_MOST,
    DEPENDENT,
    LEANS,
    LEANS_DOUBTED,
    SURE,
    SURE_ALONE,
    decide,
)
from vision.learned.contract import CLASSES, POSES
from vision.learned.faces import Face, Stance
from vision.learned.reader import MOST_UNREAD, JudgedFace, mark_pattern
from vision.reading import Reading, SeenDie, UnsureDie


def looked(kind: str, value: int | str, sure: float, at: tuple[float, float] = (100, 100)) -> JudgedFace:
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


def read(value: int, sure: float, at: tuple[float, float] = (101, 99)) -> SeenDie:
    """A face that the classical reader read."""
    x, y = at
    corners = ((x - 20, y - 20), (x + 20, y - 20), (x + 20, y + 20), (x - 20, y + 20))
    return SeenDie(kind="pip", value=value, confidence=sure, color="ivory", center_px=at, corners_px=corners)


def second(*dice: SeenDie, unsure: tuple[UnsureDie, ...] = ()) -> Reading:
    """All that the classical reader says."""
    return Reading(width_px=640, height_px=480, dice=dice, unsure=unsure, elapsed_ms=1.0)


def test_sure_networks_stand_alone() -> None:
    dice, unsure = decide([looked("pip", 5, 0.98), looked("bet", 8, 0.97, (300, 200))], None)
    assert [(die.kind, die.value) for die in dice] == [("pip", 5), ("bet", 8)]
    assert unsure == ()


def test_doubt_that_the_classical_reader_shares_is_left_as_doubt() -> None:
    dice, (one,) = decide([looked("pip", 5, 0.5)], second())
    assert dice == ()
    assert one.reason == "its face does not show clearly"
    assert one.center_px == (100, 100)


@pytest.mark.parametrize(
    ("kind", "value", "sure", "guessed"),
    [("pip", 5, 0.85, True), ("bet", 8, 0.6, True), ("pip", 5, 0.45, False), ("d4", 3, 0.9, False)],
)
def test_an_unsure_face_keeps_what_it_most_likely_shows(
    kind: str, value: int, sure: float, guessed: bool
) -> None:
    _, (one,) = decide([looked(kind, value, sure)], None, named=True)
    assert (one.likely is not None) == guessed
    if one.likely is not None:
        assert (one.likely.value, one.likely.confidence, one.likely.center_px) == (value, sure, one.center_px)


def test_nothing_is_guessed_of_what_leans_nor_where_any_kind_may_lie() -> None:
    leaning = looked("pip", 5, 0.85)
    leaning = replace(leaning, face=replace(leaning.face, leaning=LEANS))
    assert decide([leaning], None, named=True)[1][0].likely is None
    assert decide([looked("pip", 5, 0.85)], None, any_kind=True)[1][0].likely is None


@pytest.mark.parametrize(("chance", "mentioned"), [(0.6, True), (0.4, False)])
def test_a_cold_find_is_mentioned_where_it_looks_like_nothing_but_a_die(
    chance: float, mentioned: bool
) -> None:
    one = looked("pip", 5, 0.1)
    chances = np.full(len(one.face.chances), (1 - chance) / (len(one.face.chances) - 1), np.float32)
    chances[one.face.best] = chance
    cold = replace(one, face=replace(one.face, heat=0.2, chances=chances))
    assert bool(decide([cold], second())[1]) is mentioned
    assert not decide([replace(cold, face=replace(cold.face, printed=True))], second())[1]


def test_a_cold_find_of_the_size_of_the_dice_beside_it_is_mentioned() -> None:
    one = looked("pip", 5, 0.1)
    chances = np.full(len(one.face.chances), 0.6 / (len(one.face.chances) - 1), np.float32)
    chances[one.face.best] = 0.4
    cold = replace(one, face=replace(one.face, heat=0.2, chances=chances), sized=True)
    assert [told.reason for told in decide([cold], None)[1]] == ["its face does not show clearly"]
    assert decide([replace(cold, face=replace(cold.face, rivalled=0.5))], None)[1] == ()


def test_what_shows_no_face_is_mentioned_where_nothing_else_is() -> None:
    blob = replace(looked("none", "none", 0.0), reason="of a die's size, but it shows no face")
    assert [told.reason for told in decide([blob], None)[1]] == [blob.reason]
    for any_kind in (False, True):
        dice, unsure = decide([blob], second(read(5, 0.98)), any_kind=any_kind)
        assert len(dice) + len(unsure) == 1


def test_two_that_agree_are_surer_than_either() -> None:
    (die,), unsure = decide([looked("pip", 5, 0.8)], second(read(5, 0.95)))
    assert 0.9 < die.confidence < 0.99
    assert unsure == ()


def test_two_that_agree_are_wrong_only_where_both_are_and_share_a_part_of_their_errors() -> None:
    (die,), _ = decide([looked("pip", 5, 0.8)], second(read(5, 0.95)))
    assert die.confidence == pytest.approx(1 - (1 - 0.8) * (1 - (1 - DEPENDENT) * 0.95))


def test_just_sure_enough_is_sure() -> None:
    below = np.nextafter(SURE, 0)
    assert [len(decide([looked("pip", 5, sure)], None)[0]) for sure in (SURE, below)] == [1, 0]
    other = read(5, 0.98)
    bet = [decide([looked("bet", 8, sure)], second(other))[0] for sure in (SURE, below)]
    assert [[die.kind for die in dice] for dice in bet] == [["bet"], []]
    unlikely = [decide([looked("pip", 4, 0.2)], second(read(5, sure)))[0] for sure in (SURE_ALONE, 0.96)]
    assert [[die.value for die in dice] for dice in unlikely] == [[5], []]


def test_just_as_much_as_may_lean_leans() -> None:
    one = looked("pip", 5, 0.98)
    leaning = [replace(one, face=replace(one.face, leaning=odds)) for odds in (LEANS, np.nextafter(LEANS, 0))]
    assert [len(decide([face], None)[0]) for face in leaning] == [0, 1]


def test_just_as_sure_as_a_lying_die_s_doubter_must_be_is_believed() -> None:
    doubt = UnsureDie(center_px=(101, 99), reason="leaning or half hidden")
    found = [decide([looked("pip", 5, sure)], second(unsure=(doubt,)))[0] for sure in (SURE, 0.89)]
    assert [len(dice) for dice in found] == [1, 0]
    cocked = UnsureDie(center_px=(101, 99), reason="cocked")
    assert decide([looked("pip", 5, 1.0)], second(unsure=(cocked,)))[0] != ()


def test_what_lies_further_off_than_seven_tenths_of_half_an_edge_is_another_die() -> None:
    for away, dice in ((13.9, 1), (14.1, 2), (30.0, 2)):
        assert len(decide([looked("pip", 5, 0.98)], second(read(5, 0.98, (100 + away, 100))))[0]) == dice


def test_what_only_the_classical_reader_doubts_is_told_where_the_kind_is_known() -> None:
    stranger = UnsureDie(center_px=(400, 300), reason="cocked")
    for any_kind, unsure in ((False, (stranger,)), (True, ())):
        assert decide([looked("pip", 5, 0.98)], second(unsure=(stranger,)), any_kind=any_kind)[1] == unsure


def test_a_side_of_a_likelier_die_is_mentioned_from_a_higher_heat() -> None:
    one = looked("pip", 5, 0.1)
    dull = np.full(len(one.face.chances), 1 / len(one.face.chances), np.float32)
    side = replace(one, face=replace(one.face, chances=dull, rivalled=0.5))
    for heat, unsure in ((0.5, 1), (0.49, 0)):
        assert len(decide([replace(side, face=replace(side.face, heat=heat))], None)[1]) == unsure


@pytest.mark.parametrize("sure", [0.5, 0.98])
def test_two_that_differ_leave_the_die_unsure(sure: float) -> None:
    dice, (one,) = decide([looked("pip", 5, sure)], second(read(4, 0.99)))
    assert dice == ()
    assert one.reason == "two ways of reading it differ"


def test_where_the_networks_see_nothing_the_classical_reader_must_be_very_sure() -> None:
    (die,), unsure = decide([], second(read(4, 0.99)))
    assert (die.value, die.confidence) == (4, ALONE_AT_MOST)
    assert unsure == ()
    dice, (one,) = decide([], second(read(4, 0.93)))
    assert dice == ()
    assert one.reason == "only its marks look like a die"


def test_where_the_networks_have_no_idea_a_sure_classical_reader_is_believed() -> None:
    (die,), _ = decide([looked("pip", 3, 0.1)], second(read(4, 0.99)))
    assert (die.value, die.confidence) == (4, ALONE_AT_MOST)


@pytest.mark.parametrize("reason", ["cocked", "stacked"])
def test_a_die_that_leans_is_not_read_however_plain_its_face(reason: str) -> None:
    lying = UnsureDie(center_px=(102, 101), reason=reason)
    dice, unsure = decide([looked("pip", 3, 0.98)], second(unsure=(lying,)))
    assert dice == ()
    assert unsure == (lying,)


def test_a_mark_on_no_face_overrules_only_doubtful_networks() -> None:
    stray = UnsureDie(center_px=(102, 101), reason="leaning or half hidden")
    assert decide([looked("pip", 5, 0.93)], second(unsure=(stray,)))[0]
    dice, (one,) = decide([looked("pip", 5, 0.85)], second(read(5, 0.85), unsure=(stray,)))
    assert dice == ()
    assert one.reason == "leaning or half hidden"


def test_a_die_of_strangers_is_never_read() -> None:
    dice, (one,) = decide([looked("foreign", "die", 0.0)], second())
    assert dice == ()
    assert one.center_px == (100, 100)


def test_a_d4_has_three_corners_and_a_cube_four() -> None:
    dice, _ = decide([looked("d4", 3, 0.98), looked("pip", 1, 0.98, (200, 100))], None)
    assert [len(die.corners_px) for die in dice] == [3, 4]


@pytest.mark.parametrize(("kind", "value"), [("pip", 1), ("zoinx", "dot"), ("bet", 8)])
def test_more_is_asked_of_a_single_mark_where_any_kind_may_lie(kind: str, value: int | str) -> None:
    assert not decide([looked(kind, value, 0.97)], second(), any_kind=True)[0]
    assert decide([looked(kind, value, 0.97)], second())[0], "its kind was named"
    assert decide([looked(kind, value, 0.97)], None)[0]
    assert decide([looked(kind, value, 0.988)], second(), any_kind=True)[0]


def test_kinds_that_were_named_need_no_more_than_others() -> None:
    assert not decide([looked("bet", 8, 0.93)], second(), any_kind=True)[0]
    assert decide([looked("bet", 8, 0.93)], second(), any_kind=True, named=True)[0]
    assert decide([looked("bet", 8, 0.93)], second(read(1, 0.95)), any_kind=True, named=True)[0], (
        "not its to read"
    )


def test_several_pips_or_the_classical_reader_are_enough_where_any_kind_may_lie() -> None:
    assert decide([looked("pip", 5, 0.93)], second(), any_kind=True)[0]
    assert decide([looked("pip", 1, 0.93)], second(read(1, 0.9)), any_kind=True)[0]


def test_a_betting_die_that_is_sure_is_not_pips_to_the_classical_reader() -> None:
    (die,), unsure = decide([looked("bet", 8, 0.98)], second(read(4, 0.99)))
    assert (die.kind, die.value) == ("bet", 8)
    assert unsure == ()


def test_what_may_be_a_die_that_the_classical_reader_does_not_know_is_not_its_to_read() -> None:
    assert not decide([looked("bet", 8, 0.2)], second(read(4, 0.99)))[0]


@pytest.mark.parametrize("any_kind", [True, False])
def test_what_stands_aslant_is_not_read_whoever_else_reads_it(any_kind: bool) -> None:
    sure = looked("pip", 5, 0.98)
    cocked, upright = (replace(sure, face=replace(sure.face, leaning=LEANS + more)) for more in (0.05, -0.05))
    dice, (one,) = decide([cocked], second(read(5, 0.99)), any_kind=any_kind)
    assert dice == ()
    assert one.reason == "cocked"
    assert [die.value for die in decide([upright], second(read(5, 0.99)), any_kind=any_kind)[0]] == [5]


def test_where_the_networks_judge_alone_or_are_not_sure_less_is_enough_to_lean() -> None:
    def standing(kind: str, sure: float) -> JudgedFace:
        one = looked(kind, 4, sure)
        return replace(one, face=replace(one.face, leaning=LEANS_DOUBTED + 0.05))

    agrees = second(read(4, 0.99))
    assert not decide([standing("bet", 0.98)], None)[0]
    assert decide([standing("bet", 0.988)], None, any_kind=True)[0]
    assert decide([standing("pip", 0.98)], agrees)[0]
    assert not decide([standing("pip", 0.8)], agrees)[0], "two that read the same do not say it lies flat"
    assert decide([standing("pip", 0.8)], agrees, any_kind=True)[0]


def test_what_leaves_the_picture_is_not_read() -> None:
    dice, (one,) = decide([replace(looked("pip", 5, 0.98), whole=False)], second(read(5, 0.99)))
    assert dice == ()
    assert one.reason == "at the picture's edge"


def test_what_the_networks_take_for_none_the_classical_reader_reads_only_when_it_is_very_sure() -> None:
    printed = looked("pip", 5, 0.1)
    assert not decide([printed], second(read(5, 0.97)), any_kind=True)[0]
    assert decide([printed], second(read(5, 0.99)), any_kind=True)[0]
    assert decide([printed], second(read(5, 0.97)))[0], "where the kind is due it is likelier a die"


def alike(one: JudgedFace, look: int) -> JudgedFace:
    """The same face, with numbers that are alike for all faces of that look."""
    return replace(one, face=replace(one.face, embedding=np.eye(64, dtype=np.float32)[look]))


def marks_of_a_cloth(number: int) -> list[JudgedFace]:
    """Spots in rows, each of which may be a die's one."""
    spots = [(60.0 + 90 * (i % 9), 60.0 + 90 * (i // 9)) for i in range(number)]
    return [alike(looked("pip", 1, 0.6, spot), 1) for spot in spots]


def test_of_very_many_marks_that_look_alike_none_is_mentioned() -> None:
    five = alike(looked("pip", 5, 0.98, (15, 15)), 2)
    doubtful = alike(looked("pip", 1, 0.6, (105, 15)), 3)
    dice, unsure = decide(mark_pattern([*marks_of_a_cloth(MOST_UNREAD), five, doubtful]), None)
    assert [die.value for die in dice] == [5]
    assert [one.center_px for one in unsure] == [(105, 15)], "it looks otherwise than the cloth"
    assert decide(mark_pattern(marks_of_a_cloth(MOST_UNREAD + 1)), second(unsure=()))[1] == ()


def test_so_many_unread_dice_as_may_be_thrown_are_all_mentioned() -> None:
    assert len(decide(mark_pattern(marks_of_a_cloth(MOST_UNREAD)), None)[1]) == MOST_UNREAD


@pytest.mark.parametrize(("leaning", "mentioned"), [(-2.0, True), (2.0, False)])
def test_a_die_like_the_marks_of_its_cloth_is_mentioned_where_it_stands_as_flat_dice_do(
    leaning: float, mentioned: bool
) -> None:
    one = alike(looked("pip", 1, 0.6, (15, 15)), 1)
    stance = Stance(np.array((0.0, -0.4), np.float32), 0.05)
    die = replace(one, face=replace(one.face, stance=stance, leaning=leaning))
    told = decide(mark_pattern([*marks_of_a_cloth(40), die]), None)[1]
    assert [unsure.center_px for unsure in told] == ([(15, 15)] if mentioned else [])
