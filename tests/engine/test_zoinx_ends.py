"""Zoinx, rules 8 to 11 of engine/zoinx.py: the final round, the winner, ties."""

import pytest

from engine.refusal import Refused
from engine.rulebooks import rulebook
from tests.engine.say import Table

TWELVE = "rolls 4, rolls 4, rolls 4"


def near_the_end(**options: str) -> Table:
    """Ann 22, Bob 0, Cat 0; Bob's turn is next."""
    table = Table("zoinx", "Ann Bob Cat", edition="game-factory", **options)
    table.say(f"Ann bets 10, Bob bets 0, Cat bets 0, {TWELVE}, stops")
    assert table.scores == "Ann 22, Bob 0, Cat 0"
    return table


def test_rule_8_the_final_round_begins_with_30_and_the_lead_at_the_end_of_the_own_turn() -> None:
    table = near_the_end()
    table.say("Ann bets 0, Bob bets 2, Cat bets 0, zoinx, Ann bets 0, Bob bets 0, Cat bets 2, zoinx")
    assert table.scores == "Ann 32, Bob 5, Cat 5"
    assert table.view.banner == "ZOINX"
    view = table.say("Ann bets 2, Bob bets 0, Cat bets 0, rolls 2, stops")
    assert table.scores == "Ann 34, Bob 5, Cat 5"
    assert view.banner == "30!"
    assert view.news == "Ann stops at 2 dots. Points: Ann 2. Ann leads with 34: the final round begins."


def test_rule_8c_another_goal_begins_the_final_round() -> None:
    table = Table("zoinx", "Ann Bob", edition="game-factory", goal="12")
    table.say("Ann bets 6, Bob bets 0, rolls 4, rolls 1, rolls 1, stops")
    assert (table.scores, table.view.banner) == ("Ann 6, Bob 0", "")
    view = table.say("undo, rolls 1, stops")
    assert (table.scores, view.banner) == ("Ann 13, Bob 0", "12!")
    assert view.news.endswith("Ann leads with 13: the final round begins.")
    later = Table("zoinx", "Ann Bob", edition="game-factory", goal="31")
    later.say(f"Ann bets 8, Bob bets 0, {TWELVE}, rolls 4, rolls 4, rolls 2, stops")
    assert (later.scores, later.view.banner) == ("Ann 30, Bob 0", "")


@pytest.mark.parametrize(
    ("goal", "reason"),
    [
        ("9", "goal is a whole number from 10 to 1000; got 9."),
        ("1001", "goal is a whole number from 10 to 1000; got 1001."),
        ("many", "goal: many is no whole number."),
    ],
)
def test_rule_8c_a_goal_is_a_number_that_can_be_reached(goal: str, reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        rulebook("zoinx").start(("Ann", "Bob"), {"goal": goal})
    assert str(refusal.value) == reason


def test_rule_8_passing_30_in_another_players_turn_does_not_begin_it() -> None:
    table = near_the_end()
    view = table.say(f"Ann bets 10, Bob bets 2, Cat bets 0, {TWELVE}, stops")
    assert table.scores == "Ann 32, Bob 14, Cat 0"
    assert (view.phase, view.active, view.banner) == ("bet", "Cat", "")


def test_rule_8_30_is_enough_and_29_is_not() -> None:
    table = Table("zoinx", "Ann Bob", edition="game-factory")
    table.say(
        "Ann bets 10, Bob bets 0, rolls 4, rolls 4, rolls 3, stops, Ann bets 4, Bob bets 2, rolls 4, zoinx"
    )
    assert table.scores == "Ann 25, Bob 0"
    assert table.say("Ann bets 4, Bob bets 10, rolls 4, stops").banner == ""
    assert table.scores == "Ann 29, Bob 0"
    table.say("undo, undo, undo, undo, Ann bets 2, Bob bets 10, rolls 3, stops")
    assert table.scores == "Ann 30, Bob 0"
    assert table.view.banner == "30!"


def test_rule_8a_a_turn_that_ends_in_a_zoinx_begins_it_too() -> None:
    table = near_the_end()
    table.say("Ann bets 0, Bob bets 2, Cat bets 0, zoinx, Ann bets 0, Bob bets 0, Cat bets 2, zoinx")
    view = table.say("Ann bets 2, Bob bets 0, Cat bets 0, zoinx")
    assert table.scores == "Ann 32, Bob 10, Cat 10"
    assert view.banner == "30!"
    assert view.news.startswith("ZOINX! Ann loses the turn.")


def test_rule_8b_sharing_the_lead_does_not_begin_it() -> None:
    table = near_the_end()
    table.say("Ann bets 10, Bob bets 10, Cat bets 0, " + ", ".join(["rolls 4"] * 5) + ", rolls 2, stops")
    assert table.scores == "Ann 32, Bob 32, Cat 0"
    assert table.view.banner == ""
    assert "final=-" in table.line


def last_round(**options: str) -> Table:
    """Ann leads with 34 and has begun the final round; Bob 5, Cat 5."""
    table = near_the_end(**options)
    table.say("Ann bets 0, Bob bets 2, Cat bets 0, zoinx, Ann bets 0, Bob bets 0, Cat bets 2, zoinx")
    table.say("Ann bets 2, Bob bets 0, Cat bets 0, rolls 2, stops")
    return table


BOBS_LAST = "Ann bets 4, Bob bets 2, Cat bets 6, rolls 4, stops"
CATS_LAST = "Ann bets 2, Bob bets 2, Cat bets 2, rolls 4, stops"


def test_rule_9_each_opponent_has_one_last_turn_and_all_go_on_scoring() -> None:
    table = last_round()
    table.say(BOBS_LAST)
    assert table.scores == "Ann 38, Bob 11, Cat 5"
    assert table.view.active == "Cat"
    view = table.say(CATS_LAST)
    assert table.scores == "Ann 40, Bob 13, Cat 11"
    assert (view.phase, view.active, view.allowed, view.wanted) == ("ended", None, (), None)


def test_rule_9_a_new_leader_does_not_prolong_it() -> None:
    table = last_round()
    rolls = ", ".join(["rolls 4"] * 8)
    view = table.say(f"Ann bets 2, Bob bets 10, Cat bets 0, {rolls}, stops")
    assert table.scores == "Ann 36, Bob 47, Cat 5"
    assert view.banner == ""
    view = table.say(CATS_LAST)
    assert view.ending is not None
    assert view.ending.winners == ("Bob",)


def test_rule_9a_option_last_everybody_gives_the_beginner_one_more_turn() -> None:
    table = last_round(last="everybody")
    table.say(BOBS_LAST)
    assert table.say(CATS_LAST).active == "Ann"
    assert table.say("Ann bets 2, Bob bets 0, Cat bets 0, zoinx").phase == "ended"


@pytest.mark.parametrize("last", ["opponents", "everybody"])
def test_rule_9_for_two(last: str) -> None:
    table = Table("zoinx", "Ann Bob", edition="game-factory", last=last)
    table.say("Ann bets 10, Bob bets 2, " + ", ".join(["rolls 4"] * 6) + ", stops")
    view = table.say("Ann bets 2, Bob bets 2, rolls 2, stops")
    assert view.phase == ("ended" if last == "opponents" else "bet")


def test_rule_10_the_most_points_win() -> None:
    table = last_round()
    view = table.say(f"{BOBS_LAST}, {CATS_LAST}")
    assert view.ending is not None
    assert view.ending.winners == ("Ann",)
    assert view.ending.cause == "Ann wins with 40 points, the most after the final round (rule 10)."
    assert view.banner == "Ann"
    assert view.news.endswith(view.ending.cause)


def level(**options: str) -> Table:
    """Both have 34 at the end: Ann since turn 1, Bob since turn 2, in which Ann bet 0."""
    table = Table("zoinx", "Ann Bob", **options)
    if table.view.active == "Bob":
        table.say("Ann bets 10, Bob bets 2, zoinx")
    six = ", ".join(["rolls 4"] * 6)
    table.say(f"Ann bets 10, Bob bets 0, {six}, stops, Ann bets 0, Bob bets 10, {six}, stops")
    assert table.scores == "Ann 34, Bob 34"
    assert table.view.phase == "ended"
    return table


def test_rule_10a_the_first_to_reach_it_wins_in_the_game_factory_edition() -> None:
    ending = level(edition="game-factory").view.ending
    assert ending is not None
    assert ending.winners == ("Ann",)
    assert ending.cause == "Ann and Bob have 34 points each; Ann had them first and wins (rule 10a)."


def test_rule_10a_gamewright_prints_no_rule_and_the_tied_share() -> None:
    table = level(edition="gamewright")
    ending = table.view.ending
    assert ending is not None
    assert ending.winners == ("Ann", "Bob")
    assert ending.cause == "Ann and Bob share the win with 34 points each (rule 10a)."
    assert table.view.banner == "SHARED"


@pytest.mark.parametrize("edition", ["gamewright", "game-factory"])
def test_rule_10a_option_ties_chooses_for_either_edition(edition: str) -> None:
    first = level(edition=edition, ties="first").view.ending
    shared = level(edition=edition, ties="shared").view.ending
    assert first is not None
    assert shared is not None
    assert first.winners == ("Ann",)
    assert shared.winners == ("Ann", "Bob")


def test_rule_10a_points_of_one_turn_come_at_once() -> None:
    table = Table("zoinx", "Ann Bob Cat", edition="game-factory")
    six = ", ".join(["rolls 4"] * 6)
    table.say(f"Ann bets 10, Bob bets 4, Cat bets 0, {six}, stops")
    assert table.scores == "Ann 34, Bob 4, Cat 0"
    table.say(f"Ann bets 0, Bob bets 10, Cat bets 10, {six}, stops")
    assert table.scores == "Ann 34, Bob 38, Cat 10"
    view = table.say("Ann bets 6, Bob bets 2, Cat bets 10, rolls 4, rolls 4, rolls 3, stops")
    assert table.scores == "Ann 40, Bob 40, Cat 31"
    assert view.ending is not None
    assert view.ending.winners == ("Ann", "Bob")


def test_rule_11_nothing_counts_after_the_end_but_undo_goes_back() -> None:
    table = level(edition="game-factory")
    for words in ("Ann bets 4", "rolls 4", "stops", "zoinx"):
        assert table.refused(words) == "The game is over; nothing counts any more. (rule 11)"
    assert table.say("undo").phase == "roll"


def test_rule_8c_the_rules_in_short_name_the_goal() -> None:
    book = rulebook("zoinx")
    told = {goal: book.explain({"last": "opponents", "goal": goal})[-1] for goal in ("", "12")}
    assert [goal for goal, words in told.items() if words.startswith("With 30 or more ")] == [""]
    assert told["12"].startswith("With 12 or more ")
