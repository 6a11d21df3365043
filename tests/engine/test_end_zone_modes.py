"""End Zone, rules 20 to 53: solo, Fast Play, 3's and sets, the score card."""

import pytest

from tests.engine.end_zone_modes import fact, seated, turn, winners
from tests.engine.say import Table


def test_rule_20_solo_tries_to_beat_the_total_before() -> None:
    table = Table("end-zone", "Ann", mode="solo")
    assert table.view.active == "Ann"
    assert table.say("lands 5x5, lands 2x20, lands off missed").scores == (65,)
    assert table.view.news.endswith("The total to beat is 65.")
    view = table.say(turn(70))
    assert (view.phase, view.scores) == ("roll", (70,))
    assert view.news.endswith("70 beats 65.")


@pytest.mark.parametrize("total", [65, 64])
def test_rule_20a_20b_the_run_ends_with_the_first_total_that_does_not(total: int) -> None:
    view = Table("end-zone", "Ann", mode="solo").say(f"{turn(65)}, {turn(total)}")
    assert view.scores == (65,)
    assert view.ending is not None
    assert view.ending.cause == "Ann's run ends with 65 as the best total (rule 20b)."


def test_rule_20b_a_covered_dot_ends_the_run() -> None:
    assert winners(Table("end-zone", "Ann", mode="solo").say("lands 1x5 dot")) == ("Ann",)


def test_rule_30_each_rolls_three_dice_and_the_highest_total_wins() -> None:
    table = seated("fast", "Ann Bob Cat")
    view = table.say(f"{turn(20)}, {turn(80)}, {turn(79)}")
    assert view.scores == (20, 80, 79)
    assert view.ending is not None
    assert view.ending.cause == "Bob wins with 80 points, the most (rule 30)."


def test_rule_40_three_games_win_and_the_loser_goes_first() -> None:
    table = seated("threes", "Ann Bob Cat")
    view = table.say(f"{turn(50)}, {turn(20)}, {turn(30)}")
    assert (view.active, view.scores, fact(view, "game")) == ("Bob", (0, 0, 0), ("2",))
    assert fact(view, "games", "Ann") == ("1",)
    assert view.news.endswith("Ann wins the game. That is 1 game of three. Bob rolls.")
    view = table.say(f"{turn(9)}, {turn(8)}, {turn(50)}")
    assert view.active == "Cat"
    assert winners(table.say(f"{turn(9)}, {turn(50)}, {turn(8)}")) == ("Ann",)
    assert table.view.ending is not None
    assert table.view.ending.cause == "Ann wins with three games (rule 40)."


def test_rule_40a_of_equal_losers_the_one_who_went_first() -> None:
    table = seated("threes", "Ann Bob Cat Dan")
    view = table.say(f"{turn(50)}, {turn(20)}, {turn(30)}, {turn(20)}")
    assert view.active == "Bob"
    assert "rolling=2,3,4,1" in table.line


def test_rule_40a_the_winner_of_a_tie_is_no_loser() -> None:
    table = seated("threes", "Ann Bob")
    view = table.say(f"{turn(20)}, {turn(20)}, lands 1x1, lands 2x1")
    assert (view.phase, view.active) == ("roll", "Ann")


def a_threes(winner: str) -> str:
    """A 3's in which the winner goes second in every game, or first and then second."""
    return ", ".join(
        [turn(1), turn(2)] * 3 if winner == "second" else [turn(2), turn(1)] + [turn(1), turn(2)] * 2
    )


@pytest.mark.parametrize("sets", [1, 2])
def test_rule_41_five_3s_are_a_set(sets: int) -> None:
    table = seated("threes-sets", sets=str(sets))
    for number in range(1, 5 * sets):
        assert winners(table.say(a_threes("second"))) == (), number
        if number % 5:
            assert fact(table.view, "3's", "Bob") == (str(number % 5),)
            assert f"Bob wins a 3's: {number % 5} of five." in table.view.news
    assert winners(table.say(a_threes("second"))) == ("Bob",)
    assert table.view.ending is not None
    assert table.view.ending.cause == f"Bob wins with {'1 set' if sets == 1 else '2 sets'} (rule 41)."


def test_rule_41_a_lost_3s_counts_for_the_other_and_the_games_start_anew() -> None:
    table = seated("threes-sets")
    table.say(f"{turn(2)}, {turn(1)}, {turn(1)}, {turn(2)}")
    assert (fact(table.view, "games", "Ann"), fact(table.view, "games", "Bob")) == (("2",), ("0",))
    view = table.say(f"{turn(1)}, {turn(2)}")
    assert (fact(view, "games", "Ann"), fact(view, "3's", "Ann")) == (("0",), ("1",))


def card(rolls: int, ann: str = "lands 1x1", bob: str = "lands 1x1", **options: str) -> Table:
    """A score card on which both have made so many rolls of one die."""
    table = seated("score-card", **options)
    for _ in range(rolls):
        table.say(f"{ann}, {bob}")
    return table


def test_rule_50_fourteen_rolls_of_one_die_two_of_two_and_one_of_three() -> None:
    table = seated("score-card")
    dice = []
    for line in range(1, 18):
        assert fact(table.view, "card")[0].startswith(f"line {line} of 17")
        for name in ("Ann", "Bob"):
            count = 0
            while table.view.active == name and not table.view.ending and (count < 3 or line < 17):
                count += 1
                table.say("lands 1x1" if name == "Ann" else "lands 3x1")
            dice.append(count)
    assert dice == [1, 1] * 14 + [2, 2] * 2 + [3, 3]
    assert table.view.scores == (21, 63)
    assert table.view.ending is not None
    assert table.view.ending.cause == "Bob wins with 63 points, the most on the card (rule 50)."


@pytest.mark.parametrize(("seventh", "score"), [("5x2", 150), ("4x2", 98), ("6x2", 152)])
def test_rule_51_fifty_more_with_100_after_roll_7(seventh: str, score: int) -> None:
    table = card(6, ann="lands 3x5")
    assert table.view.scores == (90, 6)
    assert table.say(f"lands {seventh}").scores == (score, 6)


def test_rule_51_the_bonus_is_told_and_not_given_twice() -> None:
    table = card(6, ann="lands 1x20")
    view = table.say("lands 6x10")
    assert view.scores == (230, 6)
    assert "100 after roll 7: 50 bonus points." in view.news
    assert table.say("lands 1x1, lands 1x1").scores == (231, 7)


@pytest.mark.parametrize(("fourteenth", "score"), [("1x10", 250 + 100), ("3x2", 246), ("3x5", 255 + 100)])
def test_rule_51a_a_hundred_more_with_250_after_roll_14_the_fifty_counted(
    fourteenth: str, score: int
) -> None:
    table = card(6, ann="lands 2x10")
    assert table.say("lands 1x5, lands 1x1").scores[0] == 125 + 50
    table.say(", ".join(["lands 6x2, lands 1x1"] * 5 + ["lands 5x1, lands 1x1"]))
    assert table.view.scores[0] == 240
    assert table.say(f"lands {fourteenth}").scores[0] == score


def test_rule_51a_without_the_first_bonus_200_are_not_enough() -> None:
    table = card(7, ann="lands 1x10")
    for _ in range(6):
        table.say("lands 4x5, lands 1x1")
    assert table.say("lands 6x10").scores[0] == 70 + 120 + 60 + 100
    assert "250 after roll 14: 100 bonus points." in table.view.news


EXTRA_ROLLS = {"2x2": "2", "5x5": "5", "1x10": "10", "2x20": "20"}


@pytest.mark.parametrize("die", EXTRA_ROLLS)
def test_rule_52_a_certain_number_in_a_zone_wins_an_extra_roll(die: str) -> None:
    table = seated("score-card")
    table.say(f"lands {die}")
    assert fact(table.view, "extras", "Ann") == (f"extra roll {EXTRA_ROLLS[die]} won",)
    table.say(f"lands 1x1, lands {die}")
    assert fact(table.view, "extras", "Ann") == (f"extra roll {EXTRA_ROLLS[die]} won",)


@pytest.mark.parametrize("die", ["1x20", "2x10", "5x2", "2x5", "3x2", "2x2 slid", "2x1"])
def test_rule_52_no_other_number_does(die: str) -> None:
    assert fact(seated("score-card").say(f"lands {die}"), "extras", "Ann") == ()


def test_rule_52a_the_printed_number_counts_where_the_die_lies_at_last() -> None:
    assert fact(seated("score-card", double="die1").say("lands 2x2"), "extras", "Ann")
    assert not fact(seated("score-card", double="die1").say("lands 1x2"), "extras", "Ann")
    table = card(14)
    view = table.say("lands 1x1, lands 3x1 hitting 1 to 5x5")
    assert fact(view, "extras", "Ann") == ("extra roll 5 won",)


def test_rule_52b_extra_rolls_are_taken_at_the_end_each_in_turn() -> None:
    table = card(14, ann="lands 1x0", bob="lands 1x0")
    table.say("lands 2x2, lands 5x5, lands 1x0, lands 1x10")
    table.say("lands 1x0, lands 1x0, lands 1x0, lands 1x0")
    view = table.say("lands 1x0, lands 1x0, lands 1x0, lands 1x0, lands 1x0, lands 1x0")
    assert (view.active, fact(view, "card")) == ("Ann", ("extra rolls",))
    assert table.say("lands 1x1").active == "Bob"
    assert fact(table.view, "extras", "Ann") == ("extra roll 2 taken", "extra roll 5 won")
    view = table.say("lands 2x20")
    assert view.active == "Ann"
    assert fact(view, "extras", "Bob") == ("extra roll 10 taken", "extra roll 20 won")
    view = table.say("lands 1x1, lands 6x1")
    assert view.scores == (31, 56)
    assert winners(view) == ("Bob",)


def test_rule_53_a_tie_on_the_card_is_rolled_off() -> None:
    table = card(14)
    view = table.say(", ".join(["lands 1x1"] * 14))
    assert (view.phase, view.active) == ("tie", "Ann")


def test_rule_50_shuffle_play_takes_a_line_together() -> None:
    table = seated("score-card", shuffle="turns")
    assert table.say("lands 2x20").scores == (0, 0)
    view = table.say("lands 1x1 hitting 1 to 1x5")
    assert view.scores == (5, 1)
    assert fact(view, "extras", "Ann") == ()


def test_rule_13a_partners_share_a_margin_or_have_one_each() -> None:
    shared = seated("score-card", "Ann Bob Cat Dan", teams="shared")
    order = []
    for _ in range(5):
        order.append(shared.view.active)
        shared.say("lands 1x1")
    assert order == ["Ann", "Bob", "Cat", "Dan", "Ann"]
    assert shared.view.scores == (3, 2, 3, 2)
    own = seated("score-card", "Ann Bob Cat Dan", teams="own")
    for _ in range(5):
        own.say("lands 1x1")
    assert own.view.scores == (2, 1, 1, 1)
    assert fact(own.view, "team") == ("Ann and Cat", "3")
