"""ZONK, rules 2 to 7b of engine/zonk: casting, pocketing, zonk, caching, the hot cast. Without cards."""

import pytest

from engine.events import Pocket
from engine.game import Wanted
from tests.engine.say import Table
from tests.engine.zonk_table import fact

SIX = Wanted(kind="pip", count=6)


def alone(**options: str) -> Table:
    """Ann alone, without cards."""
    return Table("zonk", "Ann", deck="none", **options)


def test_rule_3_a_turn_begins_with_a_cast_of_all_six() -> None:
    table = alone()
    assert (table.view.phase, table.view.wanted, table.may) == ("cast", SIX, "Ann roll_done")
    assert table.view.news == "Ann casts six dice."
    assert table.refused("casts 1 2 3") == (
        "Ann casts six dice; here lie three dice. Cast them all or correct the reading. (rule 3)"
    )
    assert table.refused("casts 1 2 3 4 5 6 6").endswith("(rule 3)")
    assert table.refused("casts 1 2 3 4 4^ 6").startswith("Ann casts six dice; here lie five dice and")
    assert "here lie four Zoinx dice. (rule 3)" in table.refused("rolls 2")
    for words in ("caches", "pockets 1", "stops", "plays Chaos Swap on 1", "draws Magic Aura"):
        assert table.refused(words) == "Ann must cast the dice first. (rule 3)"


def test_rule_4_the_printed_example_pocket_both_1s_and_both_5s() -> None:
    table = alone()
    view = table.say("casts 1 1 3 6 5 5")
    assert (view.phase, view.running, view.last_roll) == ("pocket", 0, tuple("113655"))
    assert view.news == "Ann casts 1 1 3 6 5 5. Best: 1, 1, 5 and 5, 300."
    assert view.choices[0].points == 300
    view = table.say("pockets 1 + 1")
    assert view.running == 200
    view = table.say("pockets 5 + 5")
    assert view.running == 300
    assert fact(view, "pocket 1") == "1, 1, 5 and 5, 300"
    assert fact(view, "cast") == "3, 6"
    assert (view.phase, view.wanted) == ("choose", Wanted(kind="pip", count=2))


def test_rule_4_every_choice_can_be_sent_and_adds_its_points() -> None:
    table = alone()
    view = table.say("casts 1 1 1 5 2 2")
    assert [choice.points for choice in view.choices] == [1050, 1000, 250, 200, 150, 100, 50]
    for choice in view.choices:
        assert isinstance(choice.event, Pocket)
        assert table.history.position.after(choice.event).view().running == choice.points


def test_rule_4_at_least_one_combo_and_only_dice_that_lie_there() -> None:
    table = alone()
    table.say("casts 1 1 3 6 5 5")
    assert table.refused("pockets 1 + 1 + 1") == ("1 1 1 cannot be pocketed: there lie 1 1 3 5 5 6. (rule 4)")
    assert table.refused("pockets 1^").endswith("(rule 4)")
    assert table.refused("casts 1 2 3 4 5 6").startswith("No pocketing of 1 1 3 5 5 6 leaves six dice.")
    assert table.refused("casts 1").startswith("No pocketing of 1 1 3 5 5 6 leaves one die.")
    assert table.refused("casts 1").endswith("Pocket first, for instance 1, 1, 5 and 5. (rule 4c)")


@pytest.mark.parametrize("combo", ["3", "1 1", "1 5", "3 6", "1 1 3"])
def test_rule_4a_what_is_no_combo_is_not_pocketed(combo: str) -> None:
    table = alone()
    table.say("casts 1 1 3 6 5 5")
    assert table.refused(f"pockets {combo}") == f"{combo} is no combo. (rule 4a)"
    assert table.refused(f"pockets 5 + {combo}") == f"{combo} is no combo. (rule 4a)"


def test_rule_4b_dice_of_one_cast_count_together() -> None:
    table = alone()
    assert table.say("casts 1 1 1 2 3 4, pockets 1 + 1").running == 200
    assert table.say("pockets 1").running == 1000


def test_rule_4b_a_fourth_4_joins_the_three_of_its_cast() -> None:
    table = alone()
    view = table.say("casts 4 4 4 4 2 3, pockets 4 4 4")
    assert [(choice.words, choice.points) for choice in view.choices] == [("4", 400)]
    assert table.refused("pockets 2") == (
        "2 cannot be pocketed beside 4 4 4 of the same cast: not all would be in a combo. (rule 4a)"
    )
    view = table.say("pockets 4")
    assert (view.running, fact(view, "pocket 1")) == (800, "four 4s, 800")
    assert table.say("caches").scores == (800,)


def test_rule_4b_choices_say_what_they_add_and_the_most_stands_first() -> None:
    view = alone().say("casts 1 1 1 5 5 5, pockets 1 + 1 + 5")
    assert [(choice.words, choice.points) for choice in view.choices] == [
        ("1, 5 and 5", 1250),
        ("1 and 5", 850),
        ("1", 800),
        ("5 and 5", 450),
        ("5", 50),
    ]


def test_rules_4c_7a_what_follows_without_a_word_counts_with_what_was_pocketed() -> None:
    assert alone().say("casts 5 5 5 1 2 3, pockets 5, casts 1 2 4").running == 500
    assert alone().say("casts 1 1 1 2 3 4, pockets 1, caches").scores == (1000,)


def test_rule_4b_combos_are_exclusive_to_their_pocket() -> None:
    table = alone()
    view = table.say("casts 4 4 4 2 3 3, pockets 4 4 4, casts 1 4 4, pockets 1")
    assert view.running == 500
    assert table.refused("pockets 4").endswith("(rule 4a)")
    view = table.say("casts 1 4, pockets 1")
    assert (view.running, fact(view, "pocket 2"), fact(view, "pocket 3")) == (600, "1, 100", "1, 100")


def test_rule_4c_casting_fewer_dice_pockets_the_best_so_many() -> None:
    table = alone()
    view = table.say("casts 1 1 3 6 5 5, casts 5 2 3 4")
    assert fact(view, "pocket 1") == "1 and 1, 200"
    assert view.news == "Ann pockets 1 and 1: 200 so far. Ann casts 5 2 3 4. Best: 5, 50."
    assert table.say("pockets 5, casts 1 2 5, pockets 5, casts 2").banner == "ZONK"
    table.say("undo, undo")
    view = table.say("casts 2 3")
    assert "250 so far" not in view.news
    assert view.news.startswith("Ann pockets 1: 350 so far. Ann casts 2 3. ZONK!")


def test_rule_4c_casting_all_again_pockets_all_where_it_cannot_be_a_cast_read_twice() -> None:
    table = alone()
    view = table.say("casts 1 1 1 4 4 4, pockets 1 1 1, casts 1 1 5, casts 2 2 2 3 4 6")
    assert (view.running, view.banner) == (1250, "HOT CAST")
    table = alone()
    table.say("casts 1 1 1 4 4 4")
    assert table.refused("casts 1 1 1 4 4 4").endswith("(rule 4c)")
    assert table.say("pockets 1 1 1 + 4 4 4, casts 1 1 1 4 4 4").running == 1400


def test_rule_6_a_zonk_ends_the_turn_and_loses_its_points() -> None:
    table = alone()
    view = table.say("casts 1 1 1 4 4 6, pockets 1 1 1, casts 4 3 6")
    assert (view.phase, view.running, view.scores, view.banner) == ("cast", None, (0,), "ZONK")
    assert view.news == "Ann casts 4 3 6. ZONK! 1,000 points are lost. Ann casts six dice."
    assert fact(view, "turn", "Ann") == "2"
    assert table.say("casts 2 3 4 6 2 3").news == "Ann casts 2 3 4 6 2 3. ZONK! Ann casts six dice."


def test_rule_6_a_zonk_takes_no_cached_points() -> None:
    table = alone()
    table.say("casts 1 1 1 4 4 6, caches")
    assert table.say("casts 5 5 2 3 4 6, casts 2 3 4 6").scores == (1000,)


def test_rule_6_the_dice_of_a_zonk_may_have_been_misread() -> None:
    table = alone()
    table.say("casts 2 3 4 6 2 3")
    assert table.say("really casts 2 3 4 6 2 1").phase == "pocket"


def test_rule_7_cache_or_recast() -> None:
    table = alone()
    view = table.say("casts 5 5 5 2 3 4, pockets 5 5 5")
    assert table.may == "Ann roll_done, Ann cache"
    assert view.news == "Ann pockets three 5s: 500 so far; recast or cache."
    assert table.refused("casts 1 2") == (
        "Ann casts three dice; here lie two dice. Cast them all or correct the reading. (rule 7)"
    )
    view = table.say("caches")
    assert (view.scores, view.phase, view.banner) == ((500,), "cast", "500")
    assert view.news == "Ann caches 500. Ann casts six dice."


def test_rule_7_there_is_no_stop() -> None:
    table = alone()
    table.say("casts 1 1 1 2 3 4")
    assert table.refused("stops") == "There is no zonk to take: CACHE ends the turn. (rule 7)"
    assert table.refused("draws Magic Aura") == "Cards are drawn at the end of the turn. (rule 8)"
    assert table.refused("Ann bets 2") == "ZONK has no bet."


def test_rule_7a_what_still_scores_is_cached_too() -> None:
    table = alone()
    view = table.say("casts 1 1 1 5 3 4, pockets 5, caches")
    assert view.scores == (1050,)
    assert view.news.startswith("Ann pockets three 1s and caches 1,050.")
    assert table.say("casts 1 5 3 3 4 6, pockets 1, casts 2 2 2 4 5, caches").scores == (1400,)


def test_rule_7b_hot_cast() -> None:
    table = alone()
    view = table.say("casts 1 1 1 5 5 4, pockets 1 1 1, casts 5 5 5")
    view = table.say("pockets 5 5 5")
    assert view.news.endswith("all dice are pocketed: a hot cast, or cache.")
    assert (view.wanted, view.running) == (SIX, 1500)
    assert table.refused("casts 1 2 3").endswith(
        "here lie three dice. Cast them all or correct the reading. (rule 7b)"
    )
    view = table.say("casts 1 2 2 3 4 6")
    assert (view.banner, view.running) == ("HOT CAST", 1500)
    assert view.news == "Hot cast! Ann casts 1 2 2 3 4 6. Best: 1, 100."
    assert table.say("pockets 1, caches").scores == (1600,)


def test_rule_7b_a_hot_cast_is_shouted_until_the_next_event() -> None:
    table = alone()
    view = table.say("casts 1 1 1 5 5 5, pockets 1 1 1 + 5 5 5, casts 1 2 2 3 4 6")
    assert view.banner == "HOT CAST"
    view = table.say("pockets 1")
    assert (view.banner, view.news) == ("", "Ann pockets 1: 1,600 so far; recast or cache.")


def test_rule_7b_a_zonk_in_a_hot_cast_loses_everything_of_the_turn() -> None:
    table = alone()
    view = table.say("casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6, casts 2 2 3 3 4 6")
    assert view.news.startswith("Hot cast! Ann casts 2 2 3 3 4 6. ZONK! 2,500 points are lost.")
    assert view.scores == (0,)


def test_rule_7b_not_across_turns() -> None:
    table = alone()
    table.say("casts 1 1 1 5 2 3, pockets 1 1 1 + 5, caches")
    assert table.view.wanted == SIX
    table.say("casts 1 1 2 3 4 6, pockets 1 + 1")
    assert table.view.wanted == Wanted(kind="pip", count=4)


def test_rule_7b_two_hot_casts_in_one_turn() -> None:
    table = alone()
    view = table.say("casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6, casts 1 2 3 4 5 6, pockets 1 2 3 4 5 6")
    assert view.running == 5000
    assert table.say("casts 2 2 2 2 2 2, caches").scores == (6200,)
