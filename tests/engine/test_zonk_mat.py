"""ZONK on its mat: dice in pockets and cards on the table become the rulebook's events, or are refused."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Draw, Play, Rolled
from engine.mat import BringDie, Carry, LayCard, Moves, TakeUp, TurnDie
from engine.refusal import AgainstTheRules
from tests.engine.mat_table import MatTable, counted, face_of, on_mat
from tests.engine.say import event_of, pips, shown


def table(words: str = "") -> MatTable:
    """Ann alone, without cards."""
    found = MatTable("zonk", "Ann", deck="none")
    if words:
        found.say(words)
    return found


def holding(first: str, second: str, words: str = "") -> MatTable:
    """Ann at her second turn with the two cards that she drew after the first."""
    found = MatTable("zonk", "Ann")
    found.say(f"casts 1 2 3 4 6 6, caches, draws {first}, draws {second}")
    if words:
        found.say(words)
    return found


# Pockets


def test_4b_dice_in_the_second_casts_pocket_are_the_second_casts_pocketing() -> None:
    found = table("casts 1 2 3 4 6 6, pockets 1, casts 5 5 2 3 4")
    assert found.takes("2 3 4 5", p1="1", p2="5") == "pockets 5"
    assert "pockets=1/5" in found.line
    assert found.sees("2 3 4 5", p1="1", p2="5") == ""


def test_4b_dice_of_the_second_cast_in_pocket_1_are_refused() -> None:
    found = table("casts 1 2 3 4 6 6, pockets 1, casts 5 5 2 3 4")
    told = "refused at 1: This is cast 2: its dice go into pocket 2 (rule 4b)."
    assert found.sees("2 3 4 5", p1="1 5") == told


def test_4_the_rest_may_be_in_a_hand_already() -> None:
    assert table("casts 1 2 3 4 6 6").sees("", p1="1") == "pockets 1"


def test_4_three_of_a_kind_goes_in_as_one_combo() -> None:
    assert table("casts 4 4 4 1 2 3").sees("2 3", p1="4 1 4 4") == "pockets 4 4 4 + 1"


def test_4a_what_is_in_no_combo_is_refused_with_the_rulebooks_reason() -> None:
    found = table("casts 1 2 3 4 6 6")
    assert found.sees("1 3 4 6 6", p1="2") == "refused at 1: 2 is no combo. (rule 4a)"


def test_4b_dice_carried_one_by_one_make_the_combo_of_all() -> None:
    """A 1 scores alone, and so does a 5; the others only with all of them, as a rainbow."""
    found = table("casts 1 2 3 4 5 6")
    assert found.takes("2 3 4 5 6", p1="1") == "pockets 1"
    for count in range(2, 6):
        faces = [str(face) for face in range(1, 7)]
        assert found.takes(" ".join(faces[count:]), p1=" ".join(faces[:count]))
    last = found.takes("", p1="1 2 3 4 5 6").split(", ")
    assert last == ["pockets 2 + 3 + 4 + 5 + 6"]
    assert found.view.running == 2500


def test_4b_a_fourth_die_of_a_kind_joins_the_three_of_its_cast() -> None:
    found = table("casts 4 4 4 4 2 3, pockets 4 4 4")
    assert found.takes("2 3", p1="4 4 4 4") == "pockets 4"
    assert found.view.running == 800


def test_a_game_from_before_takes_a_pocketing_back_to_pocket_all_at_once() -> None:
    found = MatTable("zonk", "Ann", deck="none", **{"same-cast": "apart"})
    found.say("casts 4 4 4 4 2 3, pockets 4 4 4")
    assert found.takes("2 3", p1="4 4 4 4") == "undo, pockets 4 4 4 4"
    assert found.view.running == 800


def test_a_die_moved_back_is_an_undo() -> None:
    assert table("casts 1 2 3 4 6 6, pockets 1").sees("1 2 3 4 6 6") == "undo"


def test_one_of_two_moved_back_leaves_the_other() -> None:
    assert table("casts 1 5 3 4 6 6, pockets 1 + 5").sees("5 3 4 6 6", p1="1") == "undo, pockets 1"


def test_4_a_die_of_an_earlier_cast_stays_where_it_counts() -> None:
    found = table("casts 1 2 3 4 6 6, pockets 1, casts 5 5 2 3 4")
    told = "refused at 2: The 1 count since an earlier cast and stay set aside. Put them back."
    assert found.sees("5 5 2 3 4 1") == told


def test_dice_in_a_hand_say_nothing() -> None:
    found = table("casts 1 2 3 4 6 6, pockets 1")
    assert found.sees("2 3 4 6 6") == ""
    assert found.sees("") == ""


def test_another_throw_is_no_move() -> None:
    assert table("casts 1 2 3 4 6 6, pockets 1").sees("5 5 5 2", p1="1 6") == ""


def test_7b_a_hot_cast_begins_again_with_pocket_1() -> None:
    found = table("casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6, casts 1 2 3 4 6 6")
    assert found.sees("2 3 4 6 6", p1="1") == "pockets 1"
    expected = found.dice.expect(found.history.start, found.history.played)
    assert expected is not None
    assert (expected.first, expected.current) == (1, 1)


def test_9b_a_d4_is_set_aside_as_it_lies() -> None:
    found = MatTable("zonk", "Ann")
    found.say("casts 1 2 3 4 6 6, caches, draws Potion of Shrinking, draws Magic Aura, casts 1 5 2 3 6 6 1^")
    assert found.sees("1 5 2 3 6 6", p1="1^") == "pockets 1^"


def test_before_the_first_cast_nothing_is_expected() -> None:
    found = table()
    assert found.dice.expect(found.history.start, found.history.played) is None
    assert found.sees("1 2", p1="3") == ""


def test_10c_with_dictate_fate_the_rest_of_the_cast_lies_still() -> None:
    found = holding("Dictate Fate", "Chaos Swap", "casts 1 2 3 4 6 6")
    assert found.dice.lie_still(found.history.position) == Counter()
    found.say("plays Dictate Fate on 3")
    assert found.dice.lie_still(found.history.position) == counted("1 2 4 6 6")
    assert found.sees("1 2 4 6", p1="6") == ""


@given(
    faces=st.lists(st.integers(1, 6), min_size=6, max_size=6),
    taken=st.lists(st.booleans(), min_size=6, max_size=6),
)
def test_4_any_subset_is_taken_as_it_lies_or_refused(faces: list[int], taken: list[bool]) -> None:
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
        pocketed = event_of(told)
        dice = [face_of(die) for combo in pocketed.combos for die in combo]  # type: ignore[union-attr]
        assert sorted(dice) == sorted(aside.split())
        assert found.sees(free, p1=aside) == ""


# Cards


def test_8d_a_card_that_is_due_is_drawn() -> None:
    found = MatTable("zonk", "Ann")
    found.say("casts 1 2 3 4 6 6, caches")
    assert found.lays("aura") == "draws Magic Aura"
    assert found.lays("fate") == "draws Dictate Fate"


def test_10_an_item_is_played_on_the_die_beside_it() -> None:
    found = holding("Dictate Fate", "Chaos Swap", "casts 1 2 3 4 6 6")
    assert found.lays("fate", by="3") == "plays Dictate Fate on 3"
    assert found.lays("swap", by="6") == "plays Chaos Swap on 6"


def test_10_an_item_that_could_mean_several_dice_asks() -> None:
    found = holding("Dictate Fate", "Chaos Swap", "casts 1 2 3 4 6 6")
    asked = "waits: Which die? Set it beside Dictate Fate on the card place, or choose on the console."
    assert found.lays("fate") == asked


def test_10d_an_item_that_can_mean_one_thing_is_played() -> None:
    found = holding("Dimensional Rift", "Chaos Swap", "casts 1 1 3 5 5 6")
    assert found.lays("rift") == "plays Dimensional Rift on 6"


def test_10e_the_doubling_card_is_played_on_the_pocket_in_which_it_lies() -> None:
    words = "casts 1 2 3 4 6 6, pockets 1, casts 5 2 3 4 6, pockets 5"
    found = holding("Shadow Wizard's Money", "Chaos Swap", words)
    assert found.lays("money").startswith("waits: Which pocket?")
    assert found.lays("money", pocket=1) == "plays Shadow Wizard's Money into 1"
    assert found.lays("money", pocket=2) == "plays Shadow Wizard's Money into 2"


def test_10e_after_a_hot_cast_the_card_in_pocket_1_means_the_pocket_of_that_cast() -> None:
    words = "casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6, casts 5 2 3 4 6 6, pockets 5"
    found = holding("Shadow Wizard's Money", "Chaos Swap", words)
    assert found.lays("money", pocket=1) == "plays Shadow Wizard's Money into 2"


def test_10a_a_tonic_is_played_by_the_die_that_went_into_an_earlier_pocket() -> None:
    found = holding("Time Warp Tonic", "Chaos Swap", "casts 4 4 4 2 3 6, pockets 4 4 4, casts 4 1 5")
    asked = "waits: Which die? Move it into the earlier pocket"
    assert found.lays("tonic", p1="4 4 4").startswith(asked)
    assert found.lays("tonic", p1="4 4 4 4") == "plays Time Warp Tonic on 4 into 1"


@pytest.mark.parametrize(
    ("word", "said"),
    [("fate", "Ann holds no item"), ("money", "Ann holds no item"), ("aura", "at the end of")],
)
def test_10_what_nobody_holds_is_left_to_the_rulebook_to_refuse(word: str, said: str) -> None:
    found = MatTable("zonk", "Ann")
    found.say("casts 1 2 3 4 6 6")
    event = event_of(found.lays(word))
    with pytest.raises(AgainstTheRules, match=said):
        found.history.take(event)


def test_10_what_is_held_is_known_until_it_is_played() -> None:
    found = holding("Chaos Swap", "Magic Aura", "casts 1 2 3 4 6 6 6")
    assert found.cards.holds(found.history.position, "swap")
    assert not found.cards.holds(found.history.position, "aura")
    found.say("plays Chaos Swap on 2")
    assert not found.cards.holds(found.history.position, "swap")


def test_cards_have_their_printed_names() -> None:
    found = table()
    assert found.cards.name("money") == "Shadow Wizard's Money"
    assert found.cards.name("joker") == "joker"
    with pytest.raises(ValueError, match="got 'joker'"):
        found.lays("joker")


# What hands do


@pytest.mark.parametrize(
    ("words", "moves"),
    [
        ("pockets 4 4 4 + 1", Moves(moves=(Carry(dice=shown("4 4 4 1")),), tells=True)),
        ("draws Magic Aura", Moves(moves=(LayCard(card="aura"),), tells=True)),
        ("plays Shadow Wizard's Money into 2", Moves(moves=(LayCard(card="money", pocket=2),), tells=True)),
        (
            "plays Time Warp Tonic on 4 into 1",
            Moves(moves=(LayCard(card="tonic"), Carry(dice=shown("4"), pocket=1)), tells=True),
        ),
        ("plays Chaos Swap on 2", Moves(moves=(TurnDie(die=pips(2)[0], value=5),))),
        ("plays Chaos Swap on 1^", Moves(moves=(TurnDie(die=shown("1^")[0], value=4),))),
        (
            "plays Dimensional Rift on 6",
            Moves(moves=(TurnDie(die=pips(6)[0], value=3), BringDie(die=pips(3)[0]))),
        ),
        ("plays Dictate Fate on 3", Moves(moves=(TakeUp(die=pips(3)[0]),))),
        ("caches", Moves()),
    ],
)
def test_hands_do_what_an_event_says(words: str, moves: Moves) -> None:
    assert table().mat.act(event_of(words)) == moves


def test_hands_do_nothing_for_a_card_of_no_game() -> None:
    assert table().mat.act(Draw(card="Joker")) == Moves()
    assert table().mat.act(Play(card="Chaos Swap")) == Moves()


def test_what_hands_do_tells_the_event_they_do_it_for() -> None:
    """The mat reads back what it told hands to do."""
    words = "casts 4 4 4 2 3 6, pockets 4 4 4, casts 4 1 5"
    found = holding("Time Warp Tonic", "Shadow Wizard's Money", words)
    for choice in found.view.choices:
        moves = found.mat.act(choice.event)
        assert moves.tells
        pockets = {"p1": counted("4 4 4")}
        laid = None
        for move in moves.moves:
            match move:
                case Carry(dice=dice, pocket=pocket):
                    pockets[f"p{pocket or 2}"] = pockets.get(f"p{pocket or 2}", Counter()) + Counter(dice)
                case LayCard():
                    laid = move
                case _:
                    raise AssertionError(move)
        places = {name: " ".join(map(face_of, dice.elements())) for name, dice in pockets.items()}
        told = found.lays(laid.card, pocket=laid.pocket, **places) if laid else found.sees("", **places)
        assert event_of(told) == choice.event


def test_a_position_of_another_game_is_none_of_this_mats() -> None:
    other = MatTable("ten-thousand", "Ann Bob", first="named")
    with pytest.raises(TypeError, match="ZONK's mat"):
        table().dice.judge(other.history.start, (), on_mat("1"))
