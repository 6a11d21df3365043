"""ZONK's items, rules 6a and 10 to 10e of engine/zonk, and what cards do to each other (docs/rulings.md)."""

import pytest

from engine.game import Wanted
from tests.engine.zonk_table import dice, fact, holding, plays

D4 = Wanted(kind="d4", count=1)


def test_rule_10a_the_printed_example_a_4_joins_three_4s() -> None:
    table = holding("tonic")
    view = table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 4 6 2")
    assert (view.phase, plays(view)) == (
        "rescue",
        ["Time Warp Tonic: The 4 goes into pocket 1, which now counts 800"],
    )
    view = table.say("plays Time Warp Tonic on 4 into 1")
    assert (view.running, fact(view, "pocket 1")) == (800, "four 4s, 800")
    assert (view.phase, view.wanted) == ("choose", dice(2))


def test_rule_10a_it_saves_the_cast_and_the_cast_then_counts_as_scored() -> None:
    table = holding("tonic")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 4 6 2, plays Time Warp Tonic on 4 into 1")
    assert table.say("caches").scores == (800,)


def test_rule_10a_a_single_1_may_go_into_an_earlier_pocket_too() -> None:
    table = holding("tonic")
    table.say("casts 1 1 3 4 6 6, pockets 1 + 1, casts 1 3 4 6")
    view = table.say("plays Time Warp Tonic on 1 into 1")
    assert (view.running, fact(view, "pocket 1")) == (1000, "three 1s, 1,000")


def test_rule_10a_not_a_die_that_is_in_no_combo_there() -> None:
    table = holding("tonic")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 1 6 2")
    assert table.refused("plays Time Warp Tonic on 6 into 1") == "The 6 is in no combo with 4 4 4. (rule 10a)"
    assert plays(table.view) == ["Time Warp Tonic: The 1 goes into pocket 1, which now counts 500"]


def test_rule_10a_only_into_an_earlier_pocket_of_this_turn() -> None:
    table = holding("tonic")
    table.say("casts 4 4 4 1 3 3")
    assert table.refused("plays Time Warp Tonic on 4 into 1") == (
        "That needs a pocket with dice in it: this turn has none. (rule 10a)"
    )
    table.say("pockets 4 4 4, casts 4 6 2")
    for wrong in ("", " into 2", " into 3", " into -1"):
        assert table.refused(f"plays Time Warp Tonic on 4{wrong}").endswith("say pocket 1. (rule 10a)")
    table.say("undo, casts 5 5 2, pockets 5")
    assert table.refused("plays Time Warp Tonic on 5 into 2").endswith("say pocket 1. (rule 10a)")
    table.say("undo, undo, casts 4 6 2")
    assert table.refused("plays Time Warp Tonic on 5 into 1") == (
        "No 5 of this cast lies there unpocketed. (rule 10)"
    )
    assert table.refused("plays Time Warp Tonic into 1") == (
        "Time Warp Tonic is played on a die of the cast: say which. (rule 10a)"
    )


def test_rules_10a_7b_the_last_die_by_tonic_makes_all_pocketed() -> None:
    table = holding("tonic")
    table.say("casts 4 4 4 1 1 3, pockets 4 4 4 + 1 + 1, casts 4")
    view = table.say("plays Time Warp Tonic on 4 into 1")
    assert (view.running, view.wanted) == (1000, dice(6))
    assert table.say("casts 1 2 2 3 4 6").banner == "HOT CAST"


def test_rules_10a_9d_the_last_die_by_tonic_ends_final_chance() -> None:
    table = holding("tonic", "chance")
    table.say("casts 4 4 4 1 1 3, pockets 4 4 4 + 1 + 1, casts 4, plays Time Warp Tonic on 4 into 1")
    assert "lone=no" in table.line
    assert table.refused("casts 1").endswith("(rule 7b)")


def test_rules_10a_9b_a_d4_joins_by_tonic() -> None:
    table = holding("tonic", "potion")
    table.say("casts 4 4 4 2 3 3^, pockets 4 4 4, casts 6 2 4^")
    assert table.say("plays Time Warp Tonic on 4^ into 1").wanted == dice(2)
    assert table.view.running == 800


def test_rules_10a_9c_a_1_by_tonic_makes_two_1s() -> None:
    table = holding("tonic", "stare")
    table.say("casts 1 3 3 4 6 6, pockets 1, casts 1 3 4 6 6, plays Time Warp Tonic on 1 into 1")
    assert table.view.running == 500


def test_rules_10a_7b_into_a_pocket_before_the_hot_cast() -> None:
    table = holding("tonic")
    table.say("casts 4 4 4 5 5 5, pockets 4 4 4 + 5 5 5, casts 4 2 2 3 3 6")
    assert table.say("plays Time Warp Tonic on 4 into 1").running == 1300


def test_rule_10b_chaos_swap() -> None:
    table = holding("swap")
    view = table.say("casts 6 2 3 4 3 2")
    assert view.phase == "rescue"
    view = table.say("plays Chaos Swap on 6")
    assert view.news == "Ann plays Chaos Swap. The 6 becomes 1: 1 2 2 3 3 4. Best: 1, 100."
    assert table.say("undo, plays Chaos Swap on 2").choices[0].points == 50


@pytest.mark.parametrize(("face", "opposite"), [(1, 6), (2, 5), (3, 4), (4, 3), (5, 2), (6, 1)])
def test_rule_10b_opposite_faces(face: int, opposite: int) -> None:
    table = holding("swap")
    table.say(f"casts {face} 1 1 1 5 5, plays Chaos Swap on {face}")
    assert sorted(table.view.facts[0].words) == sorted([str(opposite), "1", "1", "1", "5", "5"])


def test_rule_10b_a_swap_may_turn_a_pocketing_into_a_zonk() -> None:
    table = holding("swap")
    assert table.say("casts 1 2 3 4 3 2, plays Chaos Swap on 1").banner == "ZONK"


def test_rule_10b_a_swap_after_pocketing_adds_to_the_same_pocket() -> None:
    table = holding("swap")
    table.say("casts 1 1 6 4 3 2, pockets 1 + 1, plays Chaos Swap on 6")
    assert table.say("pockets 1").running == 1000


def test_rules_10b_9b_a_d4_has_no_opposite_face() -> None:
    table = holding("swap", "potion")
    view = table.say("casts 1 2 3 4 6 3^")
    assert table.refused("plays Chaos Swap on 3^") == "A D4 has no opposite face: turn a D6. (rule 10b)"
    assert len(plays(view)) == 5
    table = holding("swap", "potion", swap="all")
    view = table.say("casts 1 2 3 4 6 4^, plays Chaos Swap on 4^")
    assert view.choices[0].points == 200


def test_rule_10b_a_pocketed_die_is_not_turned() -> None:
    table = holding("swap")
    table.say("casts 1 1 3 4 4 2, pockets 1")
    table.say("pockets 1")
    assert table.refused("plays Chaos Swap on 1").endswith("(rule 10)")


def test_rule_10c_dictate_fate() -> None:
    table = holding("fate")
    view = table.say("casts 6 2 3 4 3 2")
    assert view.phase == "rescue"
    view = table.say("plays Dictate Fate on 4")
    assert (view.phase, view.wanted, table.may) == ("fate", dice(1), "Ann roll_done")
    assert table.refused("casts 1 1") == "Dictate Fate casts one D6 again, and no other die. (rule 10c)"
    assert table.refused("casts 1^").endswith("(rule 10c)")
    assert table.refused("caches") == "The die of Dictate Fate must be cast first. (rule 10c)"
    view = table.say("casts 5")
    assert view.news == "Ann casts the die again: 5. Best: 5, 50."
    assert table.say("undo, casts 4").banner == "ZONK"


def test_rule_10c_after_pocketing_it_cannot_zonk() -> None:
    table = holding("fate")
    table.say("casts 1 1 3 4 6 6, pockets 1 + 1, plays Dictate Fate on 3")
    view = table.say("casts 2")
    assert (view.phase, view.running) == ("choose", 200)
    assert table.say("undo, casts 1, pockets 1").running == 1000


def test_rule_10c_before_pocketing_it_can_zonk() -> None:
    table = holding("fate")
    assert table.say("casts 1 2 3 4 6 6, plays Dictate Fate on 1, casts 4").banner == "ZONK"


def test_rules_10c_9b_a_d4_is_cast_as_a_d4() -> None:
    table = holding("fate", "potion")
    view = table.say("casts 1 2 3 4 6 3^, plays Dictate Fate on 3^")
    assert view.wanted == D4
    assert table.refused("casts 1").endswith("Dictate Fate casts one D4 again, and no other die. (rule 10c)")
    assert table.say("casts 1^").choices[0].points == 200


def test_rule_10d_the_printed_example_a_6_becomes_two_3s() -> None:
    table = holding("rift")
    view = table.say("casts 6 2 3 4 6 2, plays Dimensional Rift on 6")
    assert (
        view.news == "Ann plays Dimensional Rift. The 6 becomes two 3s: 2 2 3 3 3 4 6. Best: three 3s, 300."
    )
    assert table.say("pockets 3 3 3").wanted == dice(4)


@pytest.mark.parametrize(("even", "half"), [(2, 1), (4, 2), (6, 3)])
def test_rule_10d_halves(even: int, half: int) -> None:
    table = holding("rift")
    view = table.say(f"casts {even} 1 1 1 5 5, plays Dimensional Rift on {even}")
    assert sorted(view.facts[0].words) == sorted(["1", "1", "1", "5", "5", str(half), str(half)])


def test_rule_10d_only_an_even_die() -> None:
    table = holding("rift")
    table.say("casts 1 1 3 5 5 2")
    assert (
        table.refused("plays Dimensional Rift on 3")
        == "Only an even die can be split; this is a 3. (rule 10d)"
    )
    assert plays(table.view) == ["Dimensional Rift: The 2 becomes two 1s"]


def test_rule_10d_the_temporary_die_is_gone_after_the_turn() -> None:
    table = holding("rift")
    table.say("casts 1 1 3 5 5 2, plays Dimensional Rift on 2")
    assert table.say("caches").wanted == dice(6)


def test_rules_10d_7b_in_a_hot_cast_the_temporary_die_is_cast_too() -> None:
    table = holding("rift", "rift")
    table.say("casts 1 1 1 5 5 2, plays Dimensional Rift on 2, pockets 1 1 1 + 1 + 1 + 5 + 5")
    assert table.view.running == 1300
    assert table.view.wanted == dice(7)
    table.say("casts 2 2 2 2 3 4 6, plays Dimensional Rift on 6")
    assert table.say("caches").scores == (1300 + 750,)
    assert table.view.wanted == dice(6)


def test_rules_10d_9b_a_split_d4_and_a_d6_beside_it() -> None:
    table = holding("rift", "potion")
    table.say("casts 1 1 3 6 5 2^, plays Dimensional Rift on 2^")
    assert table.say("pockets 1 1 1 + 5").wanted == dice(2, 1)
    assert table.view.running == 1050


def test_rule_10d_a_pocketed_die_is_not_split() -> None:
    table = holding("rift")
    table.say("casts 4 4 4 1 3 3, pockets 4 4 4")
    assert (
        table.refused("plays Dimensional Rift on 4") == "No 4 of this cast lies there unpocketed. (rule 10)"
    )


def test_rules_10d_9c_two_1s_of_a_split_2() -> None:
    table = holding("rift", "stare")
    assert table.say("casts 2 3 3 4 5 6, plays Dimensional Rift on 2").choices[0].points == 550


def test_rules_10b_10d_one_card_on_the_die_of_another() -> None:
    table = holding("rift", "swap")
    view = table.say("casts 5 3 3 4 6 6, plays Chaos Swap on 5")
    assert view.phase == "rescue"
    view = table.say("plays Dimensional Rift on 2")
    assert (view.choices[0].points, view.choices[0].words) == (750, "three pairs")


def test_rule_10e_shadow_wizards_money_doubles_a_pocket() -> None:
    table = holding("money")
    view = table.say("casts 4 4 4 2 3 3, pockets 4 4 4, plays Shadow Wizard's Money into 1")
    assert (view.running, fact(view, "pocket 1")) == (800, "three 4s, x 2, 800")
    assert table.say("caches").scores == (800,)


def test_rule_10e_one_pocket_only() -> None:
    table = holding("money")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 5 5 2, pockets 5")
    view = table.say("plays Shadow Wizard's Money into 2")
    assert (view.running, fact(view, "pocket 1"), fact(view, "pocket 2")) == (
        500,
        "three 4s, 400",
        "5, x 2, 100",
    )
    assert table.say("pockets 5").running == 600


def test_rule_10e_twice_is_fourfold() -> None:
    table = holding("money", "money")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, plays Shadow Wizard's Money into 1")
    view = table.say("plays Shadow Wizard's Money into 1")
    assert (view.running, fact(view, "pocket 1")) == (1600, "three 4s, x 4, 1,600")


def test_rules_10e_10a_what_the_tonic_adds_is_doubled_too() -> None:
    table = holding("money", "tonic")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, plays Shadow Wizard's Money into 1, casts 4 6 2")
    assert table.say("plays Time Warp Tonic on 4 into 1").running == 1600


def test_rule_10e_a_zonk_loses_the_double_points_and_the_card() -> None:
    table = holding("money")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, plays Shadow Wizard's Money into 1")
    view = table.say("casts 2 3 6")
    assert "800 points are lost" in view.news
    assert [fact.words for fact in view.facts if fact.name == "played"] == [("Shadow Wizard's Money",)]


def test_rule_10e_needs_a_pocket_and_no_die() -> None:
    table = holding("money")
    table.say("casts 4 4 4 2 3 3")
    assert table.refused("plays Shadow Wizard's Money into 1") == (
        "That needs a pocket with dice in it: this turn has none. (rule 10e)"
    )
    table.say("pockets 4 4 4")
    assert table.refused("plays Shadow Wizard's Money on 2 into 1") == (
        "Shadow Wizard's Money is played on a pocket, not on a die. (rule 10e)"
    )
    assert table.refused("plays Shadow Wizard's Money").endswith("say pocket 1. (rule 10e)")


def test_rules_6a_10e_money_alone_saves_nothing() -> None:
    table = holding("money")
    assert table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 2 3 6").banner == "ZONK"


def test_rule_10_each_card_is_played_once() -> None:
    table = holding("swap", "swap")
    table.say("casts 6 2 3 4 3 2, plays Chaos Swap on 6, plays chaos swap on 2")
    assert table.refused("plays Chaos Swap on 2") == (
        "Chaos Swap is not there to be played: Ann holds no item. (rule 10)"
    )


def test_rule_10_only_what_is_held_and_what_is_an_item() -> None:
    table = holding("swap", "aura")
    table.say("casts 6 2 3 4 3 2 1")
    assert table.refused("plays Dictate Fate on 6") == (
        "Dictate Fate is not there to be played: Ann holds Chaos Swap. (rule 10)"
    )
    assert table.refused("plays Magic Aura") == (
        "Magic Aura is a modifier: it is in force by itself. (rule 9)"
    )
    assert table.refused("plays Ace of Spades on 6") == "No card is called Ace of Spades. (rule 10)"
    assert table.refused("plays Chaos Swap on 6 into 1") == (
        "Chaos Swap is played on a die of the cast, not on a pocket. (rule 10b)"
    )


def test_rule_6a_a_zonk_waits_for_items_that_can_be_played() -> None:
    table = holding("rift")
    assert table.say("casts 2 2 3 3 6 4, stops").banner == "ZONK"
    table.say("undo")
    assert table.refused("caches") == "Nothing scores: play an item, or take the zonk with STOP. (rule 6a)"
    assert table.refused("pockets 2").endswith("(rule 6a)")
    assert table.refused("casts 1 2 3").endswith("(rule 6a)")


def test_rule_6a_option_zonk_at_once() -> None:
    table = holding("rift", zonk="at-once")
    assert table.say("casts 2 2 3 3 6 4").banner == "ZONK"
    table = holding("chance", "rift", zonk="at-once")
    table.say("casts 1 1 1 5 5 4, pockets 1 1 1 + 5 + 5")
    assert table.say("casts 2").phase == "rescue"
    assert table.say("casts 4").banner == "ZONK"


def test_rule_6a_at_once_no_item_is_offered_while_final_chance_waits() -> None:
    table = holding("chance", "rift", "money", zonk="at-once")
    table.say("casts 1 1 1 5 5 4, pockets 1 1 1 + 5 + 5, casts 2")
    assert (table.view.phase, plays(table.view)) == ("rescue", [])
    late = "Nothing scores, and items are too late: cast the die again, or press STOP. (rule 6a)"
    assert table.refused("plays Dimensional Rift on 2") == late
    assert table.refused("plays Shadow Wizard's Money into 1") == late
    assert table.say("casts 5").phase == "pocket"
    assert plays(table.view) != []
    waits = holding("chance", "rift")
    waits.say("casts 1 1 1 5 5 4, pockets 1 1 1 + 5 + 5, casts 2")
    assert plays(waits.view) == ["Dimensional Rift: The 2 becomes two 1s"]


def test_rule_10a_a_pocket_without_dice_is_none_to_put_one_into() -> None:
    """The second cast scored by a Tonic alone, so its own pocket stayed empty."""
    table = holding("tonic", "tonic")
    table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 4 6 2, plays Time Warp Tonic on 4 into 1, casts 1 6")
    assert table.refused("plays Time Warp Tonic on 1 into 2") == (
        "That needs a pocket with dice in it: say pocket 1. (rule 10a)"
    )
    assert plays(table.view) == ["Time Warp Tonic: The 1 goes into pocket 1, which now counts 900"]


def test_rule_6a_a_tonic_without_a_fitting_die_does_not_hold_up_the_zonk() -> None:
    table = holding("tonic")
    assert table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 2 3 6").banner == "ZONK"
