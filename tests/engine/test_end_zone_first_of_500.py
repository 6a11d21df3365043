"""End Zone, rules 60 to 63: First of 500, its challenge and its teams."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from tests.engine.end_zone_modes import ONE, fact, seated, turn, winners
from tests.engine.say import Table


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
