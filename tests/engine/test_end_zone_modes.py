"""End Zone, rules 20 to 63: solo, Fast Play, 3's and sets, the score card, First of 500."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import GameView
from tests.engine.say import Table


def seated(mode: str, players: str = "Ann Bob", **options: str) -> Table:
    """A mode in seating order."""
    return Table("end-zone", players, mode=mode, **{"order": "seats", **options})


ONE = {value * zone: f"lands {value}x{zone}" for zone in (20, 10, 5, 2, 1, 0) for value in (6, 5, 4, 3, 1)}
THREE = {sum(dice): ", ".join(ONE[die] for die in dice) for dice in product(ONE, repeat=3)}


def turn(points: int) -> str:
    """Three dice for so many points, none of which wins an extra roll by a 2."""
    return THREE[points]


def winners(view: GameView) -> tuple[str, ...]:
    """Who has won; nobody while the game goes on."""
    return view.ending.winners if view.ending else ()


def fact(view: GameView, name: str, player: str | None = None) -> tuple[str, ...]:
    """The words of a fact."""
    return next((f.words for f in view.facts if f.name == name and player in (None, f.player)), ())


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


def test_rule_60a_the_highest_goes_first_in_first_of_500() -> None:
    table = Table("end-zone", "Ann Bob Cat", mode="first-of-500")
    assert table.view.news == "Ann rolls one die: the highest goes first."
    table.say("throws 2, throws 6, throws 4")
    assert "rolling=2,3,1" in table.line


def five_hundred(goal: int = 100, players: str = "Ann Bob Cat", **options: str) -> Table:
    """First of a smaller number."""
    return seated("first-of-500", players, goal=str(goal), **options)


def test_rule_60_totals_add_up_to_500() -> None:
    table = seated("first-of-500")
    for _ in range(4):
        table.say(f"{turn(120)}, {turn(0)}")
    view = table.say(turn(20))
    assert (view.scores, view.banner, view.active) == ((500, 0), "500!", "Bob")
    assert view.news.endswith("Ann is challenged at 500. Bob rolls.")
    assert fact(view, "challenged", "Ann") == ("500",)
    view = table.say(turn(120))
    assert view.ending is not None
    assert view.ending.cause == "Ann wins with 500 points, unchallenged (rule 62)."


def test_rule_61_each_other_player_gets_one_turn_those_before_too() -> None:
    table = five_hundred()
    table.say(f"{turn(10)}, {turn(110)}")
    order = []
    for _ in range(2):
        order.append(table.view.active)
        table.say(turn(20))
    assert order == ["Cat", "Ann"]
    assert winners(table.view) == ("Bob",)


def test_rule_62_whoever_beats_or_ties_stays_in_and_the_highest_is_challenged() -> None:
    table = five_hundred(players="Ann Bob Cat Dan")
    table.say(f"{turn(100)}, {turn(120)}, {turn(99)}, {turn(100)}")
    view = table.view
    assert fact(view, "challenged", "Bob") == ("120",)
    assert view.active == "Ann"
    assert "still=1,2,4" in table.line
    assert table.say(turn(10)).active == "Dan"
    assert winners(table.say(turn(10))) == ("Bob",)


def test_rule_62a_the_former_leader_challenges_too() -> None:
    table = five_hundred(players="Ann Bob")
    assert table.say(f"{turn(100)}, {turn(110)}").active == "Ann"
    assert table.say(turn(20)).active == "Bob"
    assert fact(table.view, "challenged", "Ann") == ("120",)
    assert winners(table.say(turn(5))) == ("Ann",)


def test_rule_63_a_tie_after_a_challenge_is_rolled_off_at_once() -> None:
    table = five_hundred()
    view = table.say(f"{turn(100)}, {turn(100)}, {turn(90)}")
    assert (view.phase, view.active) == ("tie", "Ann")
    assert winners(table.say("lands 1x1, lands 2x1")) == ("Bob",)


def test_rule_63_two_who_tie_below_a_higher_score_both_stay_in() -> None:
    table = five_hundred(players="Ann Bob Cat Dan")
    table.say(f"{turn(100)}, {turn(100)}, {turn(100)}, {turn(110)}")
    assert (table.view.phase, table.view.active) == ("roll", "Ann")
    assert "still=1,2,3,4" in table.line


def test_rule_61a_in_shuffle_play_the_highest_of_several_is_challenged() -> None:
    table = five_hundred(shuffle="turns")
    view = table.say(f"{turn(110)}, {turn(115)}, {turn(115)}")
    assert fact(view, "challenged", "Bob") == ("115",)
    assert view.active == "Ann"


def test_rule_13a_a_team_has_one_total_in_first_of_500_and_partners_take_turns() -> None:
    table = five_hundred(players="Ann Bob Cat Dan", goal=200, teams="own")
    order = []
    for _ in range(3):
        order.append(table.view.active)
        table.say(turn(90))
    assert order == ["Ann", "Bob", "Cat"]
    assert table.view.scores == (180, 90, 180, 90)
    table.say(f"{turn(90)}, {turn(30)}")
    assert fact(table.view, "challenged", "Ann") == ("210",)
    assert winners(table.say(turn(29))) == ("Ann", "Cat")


def test_a_team_scores_and_wins_together_in_words_too() -> None:
    table = five_hundred(players="Ann Bob Cat Dan", teams="own")
    assert table.say(turn(90)).news.startswith("Ann: ")
    assert "Ann and Cat score 90 and have 90." in table.view.news
    games = seated("threes", "Ann Bob Cat Dan", teams="own")
    for _ in range(20):
        view = games.say(ONE[20] if games.view.active in {"Ann", "Cat"} else ONE[0])
        if "the game" in view.news:
            break
    assert "Ann and Cat win the game." in view.news


def test_dice_on_the_table_are_told_with_their_player_only_where_several_have_rolled() -> None:
    table = five_hundred()
    assert fact(table.say("lands 4x5, lands 5x10"), "on the table") == ("die 1: 4 x 5", "die 2: 5 x 10")
    shuffled = seated("threes", shuffle="dice")
    assert fact(shuffled.say("lands 4x5, lands 5x10"), "on the table") == (
        "die 1 (Ann): 4 x 5",
        "die 2 (Bob): 5 x 10",
    )


def test_rule_13a_rolls_go_round_through_all_players_at_the_challenge_too() -> None:
    """Teams Ann and Cat, Bob and Dan: after Ann reaches the goal in her turn Bob rolls, not Dan."""
    table = five_hundred(players="Ann Bob Cat Dan", teams="own")
    table.say(f"{turn(40)}, {turn(10)}, {turn(40)}, {turn(20)}")
    view = table.say(turn(20))
    assert (view.active, view.banner) == ("Bob", "100!")
    view = table.say(turn(90))
    assert (view.active, view.news.split(". ")[-2]) == ("Cat", "Bob and Dan are challenged at 120")
    view = table.say(turn(40))
    assert (view.active, view.scores) == ("Dan", (140, 120, 140, 120))
    assert table.say(turn(0)).ending is not None


def test_rule_61b_rolls_go_round_from_whoever_rolled_last() -> None:
    """Bob beats Ann; Cat rolled last, so Ann comes next, and then Cat."""
    table = five_hundred()
    view = table.say(f"{turn(100)}, {turn(120)}, {turn(110)}")
    assert view.active == "Ann"
    assert table.say(turn(0)).active == "Cat"
    old = five_hundred(challenge="leader")
    assert old.say(f"{turn(100)}, {turn(120)}, {turn(110)}").active == "Cat"


def test_rule_61b_the_challenge_is_against_the_score_that_began_it() -> None:
    """Ann begins it with 100 and fails to catch a die: Bob's 95 does not beat her 90."""
    table = five_hundred(players="Ann Bob", minus="10")
    view = table.say(f"{turn(100)}, lands off missed, lands 6x10, lands 6x5")
    assert view.scores == (90, 90)
    assert view.ending is not None
    assert view.ending.cause == "Ann wins with 100 points, unchallenged (rule 62)."
    old = five_hundred(players="Ann Bob", minus="10", challenge="leader")
    assert old.say(f"{turn(100)}, lands off missed, lands 6x10, lands 6x5").phase == "tie"


def test_rule_63_a_tie_with_the_score_that_began_the_challenge() -> None:
    table = five_hundred(players="Ann Bob", minus="10")
    view = table.say(f"{turn(100)}, lands off missed, lands 6x10, lands 4x10")
    assert (view.phase, view.scores) == ("tie", (90, 100))
    assert "Ann and Bob tie at 100" in view.news


@given(chance=st.integers(0, 2**32).map(Random))
def test_rule_13a_every_position_of_a_challenge_between_teams_is_read_back(chance: Random) -> None:
    """Minus points and teams together; partners roll by turns to the end."""
    table = five_hundred(players="Ann Bob Cat Dan Eve Flo", teams="own", minus="10")
    rolled: dict[str, int] = {}
    while table.view.phase == "roll":
        name = table.view.active or ""
        rolled[name] = rolled.get(name, 0) + 1
        for _ in range(3):
            if table.view.active == name and table.view.phase == "roll":
                table.say(
                    chance.choice(["lands off missed", "lands 3x20", "lands 5x5", "lands 2x1", "lands 6x0"])
                )
        assert table.book.parse(table.line) == table.history.position
    for one, other in (("Ann", "Dan"), ("Bob", "Eve"), ("Cat", "Flo")):
        assert abs(rolled.get(one, 0) - rolled.get(other, 0)) <= 1
