"""Ten Thousand on its mat: dice in the one place for them are set aside, or are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Rolled
from engine.mat import Carry, Moves
from tests.engine.mat_table import MatTable, face_of, on_mat
from tests.engine.say import event_of, pips


def table(words: str = "") -> MatTable:
    """Ann begins, and may bank anything."""
    found = MatTable("ten-thousand", "Ann Bob", first="named", opening="0")
    if words:
        found.say(words)
    return found


def test_5_dice_are_set_aside_and_added_to_before_the_next_roll() -> None:
    found = table("throws 1 5 2 3 4 4")
    assert found.takes("5 2 3 4 4", p1="1") == "pockets 1"
    assert found.takes("2 3 4 4", p1="1 5") == "pockets 5"
    assert found.view.running == 150
    assert found.sees("2 3 4 4 1 5") == "undo, undo"


def test_5_what_does_not_score_is_refused() -> None:
    found = table("throws 1 5 2 3 4 4")
    told = "refused at 1: Not all of 2 score: leave the others in the hand. (rule 5)"
    assert found.sees("1 5 3 4 4", p1="2") == told


def test_5_what_lies_there_from_before_is_known() -> None:
    found = table("throws 1 5 2 3 4 4, keeps 1, throws 5 5 2 3 6")
    assert found.sees("2 3 6 5", p1="1 5") == "pockets 5"


def test_5c_rolling_fewer_dice_says_what_was_set_aside() -> None:
    found = table("throws 1 5 2 3 4 4, throws 5 5 2 3 6")
    assert found.sees("2 3 6 5", p1="1 5") == "pockets 5"


def test_7_after_hot_dice_the_place_is_empty() -> None:
    found = table("throws 1 1 1 5 5 5, keeps 1 1 1 + 5 5 5, throws 1 2 3 4 6 6")
    assert found.sees("2 3 4 6 6", p1="1") == "pockets 1"


def test_8_after_the_turn_nothing_is_said_of_the_old_dice() -> None:
    assert table("throws 1 1 1 2 3 4, keeps 1 1 1, banks").sees("2 3 4", p1="1 1 1") == ""


def test_2_nothing_is_set_aside_in_the_roll_off() -> None:
    found = MatTable("ten-thousand", "Ann Bob")
    assert found.sees("", p1="3") == ""
    found.say("throws 3, throws 5, throws 1 5 2 3 4 4")
    assert found.sees("5 2 3 4 4", p1="1") == "pockets 1"


def test_moved_dice_are_no_throw_and_thrown_dice_are() -> None:
    found = table("throws 1 5 2 3 4 4, keeps 1")
    start, played = found.history.start, found.history.played
    assert found.dice.only_moved(start, played, on_mat("1 5 2 3 4 4"))
    assert not found.dice.only_moved(start, played, on_mat("5 2 3 4 4", p1="1"))
    assert not found.dice.only_moved(start, played, on_mat("6 2 3 4 4", p1="1"))


def test_5_a_refused_die_is_still_in_the_way() -> None:
    found = table("throws 1 5 2 3 4 4, keeps 1")
    start, played = found.history.start, found.history.played
    assert found.dice.find_stray(start, played, on_mat("5 3 4 4", p1="1 2")) == 1
    assert found.dice.find_stray(start, played, on_mat("5 2 3 4 4", p1="1")) == 0


def test_no_die_is_thrown_alone() -> None:
    found = table("throws 1 5 2 3 4 4")
    assert not found.dice.lie_still(found.history.position)


@given(
    faces=st.lists(st.integers(1, 6), min_size=6, max_size=6),
    taken=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_5_any_subset_is_taken_as_it_lies_or_refused(faces: list[int], taken: list[bool]) -> None:
    """Whatever six dice show and whichever are moved: the events lead to just that, or nothing changes."""
    found = table()
    found.history.take(Rolled(dice=pips(*faces)))
    if not found.view.choices:
        return
    aside = " ".join(str(face) for face, moved in zip(faces, taken, strict=True) if moved)
    free = " ".join(str(face) for face, moved in zip(faces, taken, strict=True) if not moved)
    told = found.takes(free, p1=aside)
    if not aside:
        assert told == ""
        return
    if not told.startswith("refused"):
        kept = event_of(told)
        dice = [face_of(die) for combo in kept.combos for die in combo]  # type: ignore[union-attr]
        assert sorted(dice) == sorted(aside.split())
        assert found.sees(free, p1=aside) == ""


def test_hands_carry_what_a_choice_sets_aside() -> None:
    found = table("throws 1 5 2 3 4 4")
    for choice in found.view.choices:
        moves = found.mat.act(choice.event)
        assert moves == Moves(moves=(Carry(dice=moves.moves[0].dice),), tells=True)  # type: ignore[union-attr]
        faces = sorted(map(face_of, moves.moves[0].dice))  # type: ignore[union-attr]
        assert sorted(found.sees("", p1=" ".join(faces)).removeprefix("pockets ").split()) == faces
    assert found.mat.cards is None


def test_a_position_of_another_game_is_none_of_this_mats() -> None:
    other = MatTable("zonk", "Ann")
    with pytest.raises(TypeError, match="Ten Thousand's mat"):
        table().dice.judge(other.history.start, (), on_mat("1"))
