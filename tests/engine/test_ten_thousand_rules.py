"""Ten Thousand by its rules, numbered as in engine/ten_thousand; the printed examples among them."""

import pytest

from engine.dice import Die
from engine.events import Pocket
from engine.game import Wanted
from engine.refusal import Refused
from tests.engine.say import Table


def table(players: str = "Ann Bob", **options: str) -> Table:
    """A game whose first named player begins."""
    return Table("ten-thousand", players, **{"first": "named", **options})


def carried(players: str = "Ann Bob", **options: str) -> Table:
    """The same, and everybody has 1,000 points."""
    begun = table(players, **options)
    for _ in players.split():
        begun.say("throws 1 1 1 2 3 4, banks")
    return begun


# The printed examples.


def test_rule_4a_example_2_1_4_1_6_5_is_250() -> None:
    assert carried().say("throws 2 1 4 1 6 5, banks").scores == (1250, 1000)


def test_rule_4_example_three_2s_and_three_3s() -> None:
    view = table().say("throws 2 2 2 3 3 3")
    worth = {choice.words: choice.points for choice in view.choices}
    assert worth == {"three 3s and three 2s": 500, "three 3s": 300, "three 2s": 200}


def test_rule_4e_example_two_3s_two_5s_two_6s() -> None:
    assert table().say("throws 3 5 6 3 5 6, banks").scores == (1500, 0)


def test_rule_6_example_three_2s_and_then_2_4_6_lose_all() -> None:
    """Rule 4f with it: the 2 of the second roll is no fourth 2."""
    view = table().say("throws 2 2 2 3 4 6, keeps 2 2 2, throws 2 4 6")
    assert (view.active, view.running, view.scores) == ("Bob", 0, (0, 0))
    assert view.news == "FARKLE! Ann rolls 2 4 6 and loses 200 points. Bob rolls."
    assert view.banner == "FARKLE"


def test_rule_8_example_three_6s_then_1_5_4_may_be_kept_or_the_last_die_rolled() -> None:
    begun = table()
    view = begun.say("throws 6 6 6 2 3 4, keeps 6 6 6, throws 1 5 4, keeps 1 + 5")
    assert view.running == 750
    assert begun.may == "Ann roll_done, Ann cache"
    assert view.wanted == Wanted(kind="pip", count=1)
    assert begun.say("banks").scores == (750, 0)


def test_rule_6_example_two_dice_that_show_4_and_6() -> None:
    view = carried().say("throws 1 1 5 5 4 6, keeps 1 + 1 + 5 + 5, throws 4 6")
    assert view.scores == (1000, 1000)
    assert view.news == "FARKLE! Ann rolls 4 6 and loses 300 points. Bob rolls."


def test_rule_8_example_800_and_450_are_1250() -> None:
    begun = table()
    begun.say("throws 4 4 4 4 2 3, banks, throws 2 2 3 3 4 6, throws 4 4 4 5 2 3, banks")
    assert begun.scores == "Ann 1250, Bob 0"


def test_rule_5b_example_the_5_of_1_1_5_may_go_back() -> None:
    view = table().say("throws 1 1 5 2 3 4, keeps 1 + 1")
    assert (view.running, view.wanted) == (200, Wanted(kind="pip", count=None))


def test_rule_8a_example_450_do_not_open() -> None:
    begun = table()
    begun.say("throws 4 4 4 5 2 3, keeps 4 4 4 + 5")
    assert begun.refused("banks") == (
        "Ann has 450 in this turn, and the first bank is 750 or more: roll on. (rule 8a)"
    )


# Rule 2: the roll-off.


def test_rule_2_the_highest_die_has_the_first_turn() -> None:
    off = Table("ten-thousand", "Ann Bob Cat")
    assert (off.view.phase, off.view.active, off.view.wanted) == (
        "roll-off",
        "Ann",
        Wanted(kind="pip", count=1),
    )
    assert off.say("throws 2").active == "Bob"
    assert off.say("throws 5").active == "Cat"
    view = off.say("throws 4")
    assert (view.phase, view.active, view.news) == ("roll", "Bob", "Cat rolls 4. Bob has the first turn.")


def test_rule_2a_those_who_tie_roll_again_until_one_is_left() -> None:
    off = Table("ten-thousand", "Ann Bob Cat")
    view = off.say("throws 6, throws 2, throws 6")
    assert (view.phase, view.active) == ("roll-off", "Ann")
    assert view.news == "Cat rolls 6. Ann and Cat tie and roll again."
    assert off.say("throws 1").active == "Cat"
    assert off.say("throws 1").active == "Ann"
    assert off.say("throws 3, throws 4").active == "Cat"
    assert off.view.phase == "roll"


def test_rule_2_one_die_each_and_nothing_else_before_it() -> None:
    off = Table("ten-thousand", "Ann Bob")
    assert off.refused("throws 2 3") == (
        "Ann rolls one die; here are two dice. Roll again, or correct them. (rule 2)"
    )
    assert off.refused("banks") == off.refused("keeps 1") == "Ann must roll for the first turn. (rule 2)"


def test_rule_2_a_misread_roll_off_is_corrected() -> None:
    off = Table("ten-thousand", "Ann Bob")
    assert off.say("throws 2, throws 5, really throws 1").active == "Ann"


def test_rule_2b_the_player_named_first_begins() -> None:
    assert (table("Bob Ann").view.phase, table("Bob Ann").view.active) == ("roll", "Bob")


def test_rule_1_the_turn_goes_on_in_seating_order() -> None:
    begun = table("Ann Bob Cat")
    farkle = "throws 2 2 3 3 4 6"
    assert [begun.say(farkle).active for _ in range(4)] == ["Bob", "Cat", "Ann", "Bob"]


SIXTEEN = " ".join("ABCDEFGHIJKLMNOP")


@pytest.mark.parametrize("players", ["", f"{SIXTEEN} Q"])
def test_rule_1_one_to_sixteen(players: str) -> None:
    with pytest.raises(Refused, match=r"is for one to 16 players.*\(rule 1\)"):
        table(players)


def test_rule_1_sixteen_roll_off_and_play_in_turn() -> None:
    begun = Table("ten-thousand", SIXTEEN)
    begun.say("throws 3, throws 6" + ", throws 2" * 14)
    assert begun.view.active == "B"
    assert [begun.say("throws 2 2 3 3 4 6").active for _ in range(16)] == [*"CDEFGHIJKLMNOPAB"]


def test_rule_1a_who_plays_alone_rolls_off_with_nobody_and_ends_at_the_target() -> None:
    alone = Table("ten-thousand", "Ann", target="1000")
    assert (alone.view.phase, alone.view.active) == ("roll", "Ann")
    assert alone.say("throws 2 2 3 3 4 6").active == "Ann"
    ending = alone.say("throws 1 1 1 2 3 4, banks").ending
    assert ending is not None
    assert ending.winners == ("Ann",)


# Rules 3 to 7: the turn.


def test_rule_3_all_six_dice_and_later_those_that_are_left() -> None:
    begun = table()
    assert begun.refused("throws 1 1 1 1 1") == (
        "Ann rolls six dice; here are five dice. Roll again, or correct them. (rule 3)"
    )
    assert "here are four Zoinx dice" in begun.refused("rolls 2")
    begun.say("throws 1 2 3 4 6 6, keeps 1")
    assert "Ann rolls five dice; here are six dice." in begun.refused("throws 1 1 1 1 1 1")


def test_rule_3_nothing_is_kept_or_banked_before_the_first_roll() -> None:
    begun = table()
    assert begun.refused("keeps 1") == "Ann must roll first: there are no dice to set aside. (rule 5)"
    assert begun.refused("banks") == "Ann has nothing to bank yet: roll all six dice. (rule 3)"
    assert begun.may == "Ann roll_done"


def test_rule_3_ten_thousand_knows_no_bet_and_no_stop() -> None:
    assert table().refused("stops") == ("Ten Thousand has no stop: roll, set dice aside, or bank. (rule 3)")
    assert "has no bet" in table().refused("Ann bets 4")


def test_rule_5_at_least_one_combo_is_set_aside_before_rolling_on() -> None:
    begun = table()
    begun.say("throws 1 2 3 4 6 6")
    assert begun.refused("throws 1 2 3 4 6 6") == (
        "Ann must set scoring dice aside before rolling; here lie 1 2 3 4 6 6. (rule 5)"
    )


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        ("keeps 2", "Not all of 2 score: leave the others in the hand. (rule 5)"),
        ("keeps 1 + 6 6", "Not all of 1 6 6 score: leave the others in the hand. (rule 5)"),
        ("keeps 1 + 1", "There are not so many 1s here: the roll is 1 2 3 4 6 6. (rule 5)"),
        ("keeps 5", "There are not so many 5s here: the roll is 1 2 3 4 6 6. (rule 5)"),
    ],
)
def test_rule_5_only_dice_that_lie_there_and_score(kept: str, reason: str) -> None:
    begun = table()
    begun.say("throws 1 2 3 4 6 6")
    assert begun.refused(kept) == reason


def test_rule_5_only_pip_dice_are_set_aside() -> None:
    begun = table()
    begun.say("throws 1 2 3 4 6 6")
    with pytest.raises(Refused, match=r"not one four-sided die here"):
        begun.history.take(Pocket(combos=((Die("d4", 1),),)))
    with pytest.raises(Refused, match=r"At least one combo is set aside"):
        begun.history.take(Pocket(combos=()))


def test_rule_5a_dice_set_aside_are_made_the_most_of_however_they_are_told() -> None:
    roll = "throws 1 1 1 5 2 3, "
    told = ["keeps 1 + 1 + 1 + 5", "keeps 1 1 1 + 5", "keeps 5 1 1 1"]
    assert [table().say(roll + words).running for words in told] == [1050] * 3


def test_rule_5c_rolling_fewer_dice_sets_the_best_of_the_others_aside() -> None:
    begun = table()
    view = begun.say("throws 1 5 5 2 3 4, throws 1 2 3 4 6")
    assert (view.running, begun.history.position.line().split(" roll=")[1].split()[0]) == (100, "1,2,3,4,6")
    assert (
        view.news
        == "Ann sets aside a 1 for 100; 100 in this turn. Ann rolls 1 2 3 4 6: 100 points available."
    )
    assert begun.say("undo, throws 2 2 2 6").running == 150
    assert begun.say("undo, throws 6 6 3").running == 0  # 200 for three, and a farkle
    assert begun.view.news.endswith("FARKLE! Ann rolls 6 6 3 and loses 200 points. Bob rolls.")


def test_rule_5c_not_so_many_score() -> None:
    begun = table()
    begun.say("throws 1 5 2 3 4 6")
    assert begun.refused("throws 1 1 1") == (
        "Of 1 5 2 3 4 6 not three score. Roll another number, or correct them. (rule 5c)"
    )


def test_rule_5c_a_correction_that_takes_the_set_aside_dice_away_is_refused() -> None:
    begun = table()
    begun.say("throws 1 5 2 3 4 6, keeps 1, throws 5 2 3 4 6, undo")
    assert "would not hold" in begun.refused("really throws 5 5 2 3 4 6")


def test_rule_7_hot_dice_are_all_six_again() -> None:
    begun = table()
    view = begun.say("throws 1 2 3 4 5 6, keeps 1 2 3 4 5 6")
    assert (view.running, view.wanted, view.banner) == (1500, Wanted(kind="pip", count=6), "HOT DICE")
    view = begun.say("throws 1 1 1 2 3 4, keeps 1 1 1")
    assert view.running == 2500
    assert begun.say("throws 2 3 4").scores == (0, 0)


def test_rule_7_hot_dice_over_several_rolls() -> None:
    view = table().say("throws 1 1 2 3 4 6, keeps 1 + 1, throws 3 3 3 2, keeps 3 3 3, throws 5, keeps 5")
    assert (view.running, view.wanted, view.banner) == (550, Wanted(kind="pip", count=6), "HOT DICE")


def test_rule_7_hot_dice_must_be_said_for_they_look_like_a_roll_read_twice() -> None:
    begun = table()
    begun.say("throws 1 1 1 5 5 5")
    assert "must set scoring dice aside" in begun.refused("throws 1 1 1 5 5 5")


def test_while_the_last_die_lies_there_and_scores_all_six_may_be_rolled() -> None:
    begun = table(opening="0")
    view = begun.say("throws 1 1 1 5 5 2, keeps 1 1 1 + 5 + 5, throws 5")
    assert (view.wanted, begun.may) == (Wanted(kind="pip", count=None), "Ann roll_done, Ann cache")
    assert [choice.event for choice in view.choices] == [Pocket(combos=((Die("pip", 5),),))]


def test_rule_7a_six_dice_after_three_scoring_ones_are_a_hot_dice_throw() -> None:
    begun = carried()
    begun.say("throws 5 5 5 2 3 4, keeps 5 5 5")
    view = begun.say("throws 1 1 5")
    assert (view.wanted, begun.may) == (Wanted(kind="pip", count=None), "Ann roll_done, Ann cache")
    view = begun.say("throws 1 1 2 3 4 6")
    assert view.running == 750
    assert view.news.startswith("Ann sets aside two 1s and a 5 for 250; 750 in this turn. Hot dice")
    begun = carried()
    begun.say("throws 5 5 5 2 3 4, keeps 5 5 5, throws 1 1 2")
    assert begun.refused("throws 1 1 2 3 4 6") == (
        "Of 1 1 2 not three score. Roll another number, or correct them. (rule 5c)"
    )


def test_rule_5d_more_of_the_same_roll_may_be_added_before_the_next() -> None:
    begun = carried()
    view = begun.say("throws 1 1 1 5 2 3, keeps 1")
    assert (view.phase, view.running, view.wanted) == ("roll", 100, Wanted(kind="pip", count=None))
    assert {choice.words: choice.points for choice in view.choices}["two 1s"] == 900
    view = begun.say("keeps 1 1")
    assert view.news == "Ann sets aside two 1s for 900; 1,000 in this turn."
    assert begun.say("throws 2 3").running == 0  # the 5 was set aside too, and 2 3 is a farkle
    assert begun.view.active == "Bob"


@pytest.mark.parametrize(
    ("first", "more", "told"),
    [
        ("throws 1 2 3 4 5 5, keeps 5", "keeps 1 2 3 4", "a 1, a 2, a 3 and a 4 for 450"),
        ("throws 1 3 4 5 5 2, keeps 1 + 5 + 5", "keeps 2 3 4", "a 2, a 3 and a 4 for 350"),
        ("throws 4 4 4 4 2 3, keeps 4 4 4", "keeps 4", "a 4 for 400"),
    ],
)
def test_rule_5d_dice_that_join_others_are_named_and_not_taken_for_a_combo(
    first: str, more: str, told: str
) -> None:
    begun = Table("ten-thousand", "Ann Bob", first="named", edition="tavern")
    begun.say(first)
    words = told.partition(" for ")[0]
    assert words in [choice.words for choice in begun.view.choices]
    assert begun.say(more).news.startswith(f"Ann sets aside {told}; ")


def test_rule_5d_what_is_in_no_combo_of_the_roll_cannot_be_added() -> None:
    begun = carried()
    begun.say("throws 4 4 4 4 2 3, keeps 4 4 4")
    assert "Not all of 2 score" in begun.refused("keeps 2")
    assert begun.say("keeps 4").running == 800


def test_rule_8_a_bank_takes_all_of_the_roll_that_scores() -> None:
    assert carried().say("throws 1 1 5 2 3 4, keeps 1, banks").scores == (1250, 1000)
    once = carried(**{"same-roll": "once"})
    assert once.say("throws 1 1 5 2 3 4, keeps 1, banks").scores == (1100, 1000)
    once = carried(**{"same-roll": "once"})
    once.say("throws 1 1 5 2 3 4, keeps 1")
    assert "must roll first" in once.refused("keeps 1")


# Rule 8: the bank.


def test_rule_8_banking_sets_aside_all_that_scores() -> None:
    begun = carried()
    begun.say("throws 1 5 2 2 2 4")
    assert begun.may == "Ann roll_done, Ann cache"
    assert begun.say("banks").scores == (1350, 1000)


def test_rule_8a_the_opening_counts_in_one_turn_and_only_until_it_is_reached() -> None:
    begun = table()
    begun.say("throws 4 4 4 5 2 3, keeps 4 4 4 + 5, throws 2 3, throws 2 2 3 3 4 6")
    assert begun.view.active == "Ann"
    begun.say("throws 1 1 5 2 2 3, keeps 1 + 1")
    assert begun.may == "Ann roll_done"
    begun.say("throws 1 1 1 2, banks, throws 2 2 3 3 4 6")
    assert begun.scores == "Ann 1200, Bob 0"
    assert begun.say("throws 5 2 2 3 3 4, banks").scores == (1250, 0)


def test_rule_8a_the_opening_is_an_option() -> None:
    begun = table(opening="300")
    begun.say("throws 1 1 5 2 3 4")
    assert begun.refused("banks").startswith("With these dice Ann would have 250 in this turn, and the first")
    assert table(opening="0").say("throws 5 2 2 3 3 4, banks").scores == (50, 0)


def test_rule_8b_the_minimum_holds_every_time() -> None:
    begun = carried(minimum="300")
    begun.say("throws 1 1 5 2 3 4")
    assert begun.refused("banks") == (
        "With these dice Ann would have 250 in this turn, and a bank is 300 or more: roll on. (rule 8b)"
    )
    assert begun.say("keeps 1 + 1, throws 1 2 3 4, banks").scores == (1300, 1000)


def test_rule_8c_the_turn_may_be_ended_for_nothing_where_that_is_agreed() -> None:
    begun = table(below="nothing")
    view = begun.say("throws 4 4 4 5 2 3, banks")
    assert (view.scores, view.active) == ((0, 0), "Bob")
    assert view.news == "Ann ends the turn below 750: nothing is banked. Bob rolls."
    assert begun.refused("banks") == "Bob has nothing to bank yet: roll all six dice. (rule 3)"
