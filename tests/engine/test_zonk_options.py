"""ZONK's options of rules 7c, 9a, 10 and 10e: dice in play, Magic Aura, the hot cast, Wizard's Money."""

import pytest

from engine.game import Wanted
from engine.refusal import Unreadable
from tests.engine.zonk_table import dice, fact, holding

D4 = Wanted(kind="d4", count=1)


def test_rule_10_with_all_dice_in_play_a_pocketed_die_is_swapped() -> None:
    table = holding("swap", in_play="all")
    view = table.say("casts 2 2 2 5 4 6, pockets 2 2 2 + 5, plays Chaos Swap on 5 into 1")
    assert (view.running, fact(view, "pocket 1")) == (400, "four 2s, 400")
    assert view.phase == "choose"
    asked = holding("swap")
    asked.say("casts 2 2 2 5 4 6, pockets 2 2 2 + 5")
    assert "is played on a die of the cast, not on a pocket" in asked.refused("plays Chaos Swap on 5 into 1")


def test_rule_10_what_is_in_no_combo_after_a_swap_counts_nothing() -> None:
    table = holding("swap", in_play="all")
    view = table.say("casts 2 2 2 5 4 6, pockets 2 2 2 + 5, plays Chaos Swap on 2 into 1")
    assert (view.running, fact(view, "pocket 1")) == (100, "2 2 5 5, 100")
    assert table.refused("plays Chaos Swap on 5 into 1").startswith("Chaos Swap is not there to be played")


def test_rule_10c_a_pocketed_die_is_cast_again_and_goes_back() -> None:
    table = holding("fate", in_play="all")
    view = table.say("casts 4 4 4 5 2 3, pockets 4 4 4 + 5, plays Dictate Fate on 5 into 1")
    assert (view.phase, view.wanted, view.running) == ("fate", dice(1), 400)
    assert "fate=pip/1" in table.line
    view = table.say("casts 4")
    assert (view.phase, view.running, view.wanted) == ("choose", 800, dice(2))
    assert view.news == "Ann casts the die of pocket 1 again: 4. The pocket counts 800."


def test_rule_10c_a_pocketed_die_saves_no_cast() -> None:
    table = holding("fate", zonk="waits", in_play="all")
    view = table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 2 3 6")
    assert view.phase == "rescue"  # a die of this cast may be cast again
    lost = holding("swap", in_play="all", copies="1")
    assert lost.refused("plays Chaos Swap on 3 into 1").startswith("Ann must cast")


def test_rule_10_only_a_kind_that_is_pocketed() -> None:
    table = holding("swap", in_play="all", swap="all")
    table.say("casts 2 2 2 5 4 6, pockets 2 2 2 + 5")
    assert table.refused("plays Chaos Swap on 2^ into 1") == "No 2 of the D4 lies in pocket 1. (rule 10)"


def test_rule_9a_with_an_aura_for_each_cast_recasts_have_one_more_die() -> None:
    table = holding("aura", aura="cast")
    assert table.view.wanted == dice(7)
    view = table.say("casts 1 1 1 2 3 4 6, pockets 1 1 1")
    assert view.wanted == dice(5)
    view = table.say("casts 5 2 3 4 6, casts 1 2 3 4 6")  # 5c: the 5 was pocketed
    assert view.running == 1050
    assert table.say("pockets 1").wanted == dice(5)


def test_rule_7c_with_six_any_six_dice_make_a_hot_cast() -> None:
    table = holding("aura", hot_cast="six")
    view = table.say("casts 1 1 1 5 5 5 4, pockets 1 1 1 + 5 5 5")
    assert view.wanted == Wanted(kind="pip", count=None)
    assert view.news.endswith("1,500 so far; recast the rest, make a hot cast of all dice, or cache.")
    view = table.say("casts 1 2 3 3 4 6 6")
    assert (view.banner, view.running) == ("HOT CAST", 1500)
    alone = holding("aura", hot_cast="all")
    alone.say("casts 1 1 1 5 5 5 4, pockets 1 1 1 + 5 5 5")
    assert "casts" in alone.refused("casts 1 2 3 3 4 6 6")


def test_rule_7c_each_cast_with_an_aura_takes_all_dice() -> None:
    with pytest.raises(Unreadable, match="hot cast takes all dice"):
        holding("aura", aura="cast", hot_cast="six")


def test_rule_10e_with_money_now_the_order_of_the_cards_matters() -> None:
    said = "casts 4 4 4 2 3 3, pockets 4 4 4, casts 4 6 2"
    tonic, money = "plays Time Warp Tonic on 4 into 1", "plays Shadow Wizard's Money into 1"
    first = holding("tonic", "money", money="now")
    view = first.say(f"{said}, {money}, {tonic}")
    assert (view.running, fact(view, "pocket 1")) == (1200, "four 4s, + 400, 1,200")
    assert "pockets=4,4,4,4+400/." in first.line
    assert holding("tonic", "money", money="now").say(f"{said}, {tonic}, {money}").running == 1600
    assert holding("tonic", "money").say(f"{said}, {money}, {tonic}").running == 1600
