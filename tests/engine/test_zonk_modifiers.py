"""ZONK's modifiers, rules 9 to 9e of engine/zonk, and what cards do to each other (docs/rulings.md)."""

from engine.game import Wanted
from engine.zonk.state import Card
from tests.engine.say import Table
from tests.engine.zonk_table import dice, holding


def test_rule_9a_magic_aura_one_die_more() -> None:
    table = holding("aura")
    assert table.view.wanted == dice(7)
    view = table.say("casts 1 1 1 5 2 3 4, pockets 1 1 1")
    assert view.wanted == dice(4)
    assert table.say("casts 2 2 2 5, pockets 2 2 2 + 5").wanted == dice(7)


def test_rule_9a_two_auras() -> None:
    table = holding("aura", "aura")
    assert table.view.wanted == dice(8)
    assert table.say("casts 1 2 3 4 5 6 1 1, pockets 1 2 3 4 5 6 + 1 + 1").wanted == dice(8)
    assert table.view.running == 2700


def test_rule_9a_a_hot_cast_with_an_aura_needs_all_seven() -> None:
    table = holding("aura")
    assert table.say("casts 1 2 3 4 5 6 4, pockets 1 2 3 4 5 6").wanted == dice(1)


def test_rule_9b_potion_of_shrinking_a_d4_in_a_d6_s_place() -> None:
    table = holding("potion")
    assert table.view.wanted == dice(5, 1)
    assert table.refused("casts 1 2 3 4 5 6").startswith(
        "Ann casts five dice and one four-sided die; here lie six dice."
    )
    view = table.say("casts 4 4 1 2 3 4^, pockets 4 4 4^")
    assert (view.running, view.wanted) == (400, dice(3))


def test_rule_9b_the_d4_stays_a_d4_all_turn() -> None:
    table = holding("potion")
    assert table.say("casts 1 1 1 2 3 4^, pockets 1 1 1").wanted == dice(2, 1)
    view = table.say("casts 2 5 3^, pockets 5")
    assert view.wanted == dice(1, 1)
    assert table.say("casts 5 1^, pockets 5 + 1^").wanted == dice(5, 1)


def test_rule_9b_two_potions_and_an_aura() -> None:
    table = holding("potion", "potion", "aura")
    assert table.view.wanted == dice(5, 2)
    assert table.say("casts 5 6 3 4 6 1^ 2^, pockets 1^ 2^ 3 4 5 6").wanted == dice(1)


def test_rule_9b_potions_that_shrink_every_die() -> None:
    table = holding(*("potion",) * 8)
    assert table.view.wanted == Wanted(kind="d4", count=6)
    assert table.say("casts 1^ 1^ 1^ 2^ 3^ 4^, casts 1^ 2^ 3^").running == 1000


def test_rule_9b_a_d4_and_a_d6_with_one_face_are_two_choices() -> None:
    table = holding("potion")
    view = table.say("casts 1 2 3 6 6 1^")
    assert [choice.points for choice in view.choices] == [200, 100, 100]
    assert [choice.words for choice in view.choices] == ["1 and 1 (D4)", "1", "1 (D4)"]
    assert table.say("pockets 1^").wanted == dice(5)
    assert table.say("undo, pockets 1").wanted == dice(4, 1)


def test_rule_9c_serpents_stare() -> None:
    table = holding("stare")
    view = table.say("casts 1 1 3 4 6 6")
    assert view.choices[0].points == 500
    assert table.say("pockets 1 1").running == 500


def test_rule_9c_the_1s_are_of_one_cast() -> None:
    table = holding("stare")
    assert table.say("casts 1 2 3 4 6 6, pockets 1, casts 1 2 3 4 6, pockets 1").running == 200


def test_rule_9c_two_stares_are_one_and_a_third_1_makes_three() -> None:
    table = holding("stare", "stare")
    assert table.say("casts 1 1 1 4 6 6, pockets 1 1").running == 500
    assert table.say("pockets 1").running == 1000


def lone(*cards: Card) -> Table:
    """One die is left: 1,050 points lie in the pocket."""
    table = holding(*cards)
    table.say("casts 1 1 1 5 6 2, pockets 1 1 1 + 5, casts 5 6, pockets 5")
    assert table.view.running == 1100
    return table


def test_rule_9d_final_chance_casts_the_last_die_twice() -> None:
    table = lone("chance")
    view = table.say("casts 2")
    assert (view.phase, view.banner, table.may) == ("rescue", "", "Ann roll_done, Ann stop")
    assert view.wanted == dice(1)
    assert view.news == "Ann casts 2. No combo; Final Chance allows a second cast."
    view = table.say("casts 5")
    assert view.news == "Ann casts the last die again: 5. Best: 5, 50."
    assert table.say("pockets 5").running == 1150


def test_rule_9d_no_third_cast() -> None:
    table = lone("chance", "chance")
    assert table.say("casts 2, casts 3").banner == "ZONK"


def test_rule_9d_without_the_card_one_cast_is_all() -> None:
    assert lone().say("casts 2").banner == "ZONK"


def test_rule_9d_a_scoring_die_may_be_cast_again_and_then_counts_as_it_falls() -> None:
    table = lone("chance")
    assert table.say("casts 5").phase == "pocket"
    assert table.say("casts 1").running == 1100
    assert table.say("pockets 1").running == 1200
    assert table.say("undo, undo, casts 4").banner == "ZONK"


def test_rule_9d_the_player_may_take_the_zonk() -> None:
    table = lone("chance")
    assert table.say("casts 2, stops").banner == "ZONK"


def test_rule_9d_only_for_the_last_die() -> None:
    table = holding("chance")
    assert table.say("casts 1 1 1 5 6 2, pockets 1 1 1 + 5, casts 3 6").banner == "ZONK"


def test_rules_9d_7b_final_chance_after_a_hot_cast() -> None:
    table = lone("chance")
    table.say("casts 2, casts 5, pockets 5, casts 1 1 1 5 6 2, pockets 1 1 1 + 5, casts 5 6, pockets 5")
    assert table.say("casts 3").phase == "rescue"
    assert table.say("casts 1").phase == "pocket"


def test_rules_9d_9b_final_chance_with_a_d4() -> None:
    table = holding("chance", "potion")
    table.say("casts 1 1 1 5 5 2^, pockets 1 1 1 + 5 + 5")
    view = table.say("casts 3^")
    assert view.wanted == Wanted(kind="d4", count=1)
    assert table.refused("casts 5").endswith("(rule 6a)")
    assert table.say("casts 1^").phase == "pocket"


def test_rules_9d_9a_with_an_aura_the_last_of_seven() -> None:
    table = holding("chance", "aura")
    table.say("casts 1 1 1 5 5 2 5, pockets 1 1 1 + 5 5 5")
    assert table.say("casts 3").phase == "rescue"


def test_rules_9d_10c_dictate_fate_does_not_use_up_final_chance() -> None:
    table = lone("chance", "fate")
    table.say("casts 2, plays Dictate Fate on 2")
    assert table.say("casts 3").phase == "rescue"
    assert table.say("casts 1").phase == "pocket"


def test_rules_9d_10d_a_split_last_die_is_two_dice() -> None:
    table = lone("chance", "rift")
    view = table.say("casts 2, plays Dimensional Rift on 2")
    assert view.phase == "pocket"
    assert table.refused("casts 1 1").endswith("(rule 4c)")
    assert table.say("pockets 1").wanted == dice(1)


HOT = "casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6"
HOTTER = "casts 1 2 3 4 5 6 1, pockets 1 2 3 4 5 6 + 1"


def test_rule_9e_hot_hot_hot_adds_a_die_at_the_first_hot_cast() -> None:
    table = holding("hot")
    assert table.view.wanted == dice(6)
    assert table.say(HOT).wanted == dice(7)
    assert table.refused("casts 1 2 3 4 5 6").endswith("(rule 7b)")
    view = table.say(HOTTER)
    assert (view.wanted, view.running) == (dice(7), 5100)


def test_rule_9e_until_the_end_of_the_round() -> None:
    table = holding("hot")
    table.say(f"{HOT}, {HOTTER}, caches")
    assert table.view.wanted == dice(7)
    table.say("casts 1 2 2 3 4 6 6, caches")
    assert table.view.wanted == dice(7)
    view = table.say("casts 1 2 2 3 4 6 6, caches")
    assert view.wanted == dice(6)
    assert table.say(HOT).wanted == dice(7)


def test_rule_9e_drawn_after_a_hot_cast_it_works_at_the_next_one() -> None:
    table = Table("zonk", "Ann")
    table.say("casts 2 2 2 3 3 3, pockets 2 2 2 + 3 3 3, casts 1 1 1 4 4 6, caches")
    view = table.say("draws Hot Hot Hot!, draws Chaos Swap")
    assert view.wanted == dice(6)
    view = table.say("casts 2 2 2 3 3 3, pockets 2 2 2 + 3 3 3")
    assert view.wanted == dice(7)
    table.say("casts 1 1 1 4 4 6 6, caches, draws Hot Hot Hot!, draws Dictate Fate")
    assert table.view.wanted == dice(7)
    view = table.say("casts 2 2 2 3 3 3 1, pockets 2 2 2 + 3 3 3 + 1")
    assert view.wanted == dice(7)  # the second copy came after the first had brought its die


def test_rule_9e_caching_all_dice_is_no_hot_cast() -> None:
    table = holding("hot")
    assert table.say(f"{HOT}, caches").wanted == dice(6)


def test_rule_9e_it_stays_when_the_turn_zonks() -> None:
    table = holding("hot")
    view = table.say(f"{HOT}, casts 1 2 2 3 3 4 6, pockets 1, casts 2 2 3 3 4 6")
    assert (view.banner, view.wanted) == ("ZONK", dice(7))


def test_rule_9e_two_copies_bring_two_dice_once() -> None:
    table = holding("hot", "hot")
    assert table.say(HOT).wanted == dice(8)
    assert table.say("casts 1 2 3 4 5 6 1 5, pockets 1 2 3 4 5 6 + 1 + 5").wanted == dice(8)


def test_rules_9e_9a_9b_the_extra_die_is_a_d6() -> None:
    table = holding("hot", "aura", "potion")
    assert table.view.wanted == dice(6, 1)
    assert table.say("casts 1 2 3 4 5 6 1^, pockets 1 2 3 4 5 6 + 1^").wanted == dice(7, 1)
