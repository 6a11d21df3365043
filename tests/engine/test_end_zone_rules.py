"""End Zone, rules 1 to 14 of engine/end_zone: what holds in every mode. Every printed example is a row."""

import pytest

from engine.game import LandingPosition
from engine.refusal import AgainstTheRules, Refused
from engine.rulebooks import rulebook
from tests.engine.say import Table


def fast(players: str = "Ann Bob", **options: str) -> Table:
    """Fast Play in seating order."""
    return Table("end-zone", players, mode="fast", **{"order": "seats", **options})


def moment(table: Table) -> LandingPosition:
    """The position, as a camera has to know of it."""
    assert isinstance(table.history.position, LandingPosition)
    return table.history.position


EXAMPLES = {
    "3 printed: a 5 in the 5 zone": ("lands 5x5", 25),
    "3 printed: a 2 in the 20 zone": ("lands 2x20", 40),
    "3 printed: between the halfway point and the end zone": ("lands 6x1", 6),
    "3 printed: beyond, outside or not past halfway": ("lands 6x0", 0),
    "3a printed: touching the 20 zone": ("lands 4x20", 80),
    "3a printed: even with the line, in the 2 zone": ("lands 3x2", 6),
    "3 off the table": ("lands off caught", 0),
    "4 released beyond the near 2 zone": ("lands 6x20 late", 0),
    "4 slid": ("lands 6x20 slid", 0),
    "4 thrown off on purpose": ("lands off missed thrown", 0),
}


@pytest.mark.parametrize("example", EXAMPLES)
def test_rule(example: str) -> None:
    words, score = EXAMPLES[example]
    assert fast().say(words).running == score


@pytest.mark.parametrize(("value", "double"), [(1, 2), (2, 4), (3, 6), (4, 8), (5, 10), (6, 12)])
def test_rule_11_printed_a_double_die_counts_twice(value: int, double: int) -> None:
    assert fast(double="die1").say(f"lands {value}x10").running == double * 10


def test_rule_11_a_die_of_the_turn_a_zone_and_a_line() -> None:
    assert fast(double="die2").say("lands 3x2, lands 3x2, lands 3x2").scores == (24, 0)
    assert fast(double="zone5").say("lands 3x2, lands 3x5, lands 5x10").scores == (86, 0)
    card = Table("end-zone", "Ann Bob", order="seats", double="line2")
    assert card.say("lands 3x2, lands 1x1, lands 3x2, lands 1x1").scores == (18, 3)


@pytest.mark.parametrize(
    ("options", "matters"),
    [
        ({}, False),
        ({"double": "zone5+line2"}, False),
        ({"double": "die2"}, True),
        ({"double": "zone5+die3"}, True),
        ({"shuffle": "turns"}, True),
        ({"shuffle": "dice"}, True),
    ],
)
def test_rules_11_and_12_say_whether_equal_dice_are_told_apart(
    options: dict[str, str], *, matters: bool
) -> None:
    assert moment(fast(**options)).tells_apart is matters


def test_rule_5_the_dice_of_the_running_turn_lie_on_the_table() -> None:
    table, lying = fast(), []
    for _ in range(4):
        lying.append(moment(table).lying)
        table.say("lands 2x5")
    assert lying == [0, 1, 2, 0]


def test_rule_11_a_die_doubled_twice_is_doubled_once() -> None:
    assert fast(double="die1+zone5").say("lands 3x5").running == 30


@pytest.mark.parametrize("text", ["die4", "zone3", "line22", "die1 zone5", "die1+", "5"])
def test_rule_11_what_is_doubled_must_be_there(text: str) -> None:
    with pytest.raises(Refused, match="The option double is such as"):
        fast(double=text)


@pytest.mark.parametrize(
    ("players", "options", "reason"),
    [
        ("Ann", {"mode": "fast"}, "for two or more; who plays alone chooses the mode solo. (rule 1)"),
        ("Ann Bob", {"mode": "solo"}, "Solo play is for one player; two came. "),
        (" ".join(f"P{seat}" for seat in range(17)), {}, "one to 16 players; 17 players came. (rule 1)"),
        ("Ann Bob", {"teams": "own"}, "Teams of two need four players or more, an even number; two came"),
        ("A B C D E", {"teams": "own"}, "an even number; five came. (rule 13c)"),
        ("A B C D", {"teams": "shared", "mode": "fast"}, "choose teams=own. (rule 13a)"),
        ("Ann Bob", {"minus": "-5"}, "The option minus is a whole number from 0 to 1000; got -5."),
        ("Ann Bob", {"goal": "0"}, "The option goal is a whole number from 1 to 1000000; got 0."),
        ("Ann Bob", {"sets": "9" * 5000}, "The option sets is a whole number from 1 to 100; got 999"),
        ("Ann Bob", {"mode": "slow"}, "The option mode is score-card, fast,"),
    ],
)
def test_rule_1_who_can_play_and_what_can_be_agreed(
    players: str, options: dict[str, str], reason: str
) -> None:
    with pytest.raises(Refused) as refusal:
        Table("end-zone", players, **options)
    assert reason in str(refusal.value)


def test_rule_2_the_lowest_goes_first_and_the_others_follow_upwards() -> None:
    table = Table("end-zone", "Ann Bob Cat", mode="fast")
    assert table.say("throws 5, throws 6, throws 2").news == "Cat rolls 2. Cat goes first."
    order = []
    for _ in range(3):
        order.append(table.view.active)
        table.say("lands 1x1, lands 1x1, lands 2x1")
    assert order == ["Cat", "Ann", "Bob"]


def test_rule_2_off_the_table_is_0_and_the_zone_does_not_count() -> None:
    view = Table("end-zone", "Ann Bob", mode="fast").say("lands 1x20, lands off caught")
    assert (view.phase, view.active) == ("roll", "Bob")


def test_rule_2_ties_roll_again_among_themselves_alone() -> None:
    table = Table("end-zone", "Ann Bob Cat Dan", mode="fast")
    view = table.say("throws 3, throws 5, throws 3, throws 5")
    assert (view.phase, view.active) == ("order", "Ann")
    assert table.say("throws 4").active == "Cat"
    assert table.say("throws 4").news.endswith(
        "A tie: they roll again. Ann rolls one die: the lowest goes first."
    )
    assert table.say("throws 6, throws 1").active == "Bob"
    assert table.say("throws 2, throws 1").active == "Cat"
    assert "rolling=3,1,4,2" in table.line


def test_rule_2_one_pip_die_is_rolled() -> None:
    table = Table("end-zone", "Ann Bob")
    assert table.refused("throws 1 2") == "Ann rolls one die; this is two pip dice. (rule 2)"
    assert table.refused("rolls 1 of 1") == "Ann rolls one die; this is one Zoinx die. (rule 2)"
    assert "(rule 2)" in table.refused("lands 3x2 hitting 1 to 3x2")


def test_rule_2a_in_seating_order_nobody_rolls() -> None:
    view = fast("Cat Ann Bob").view
    assert (view.phase, view.active, view.news) == ("roll", "Cat", "Cat rolls.")


def test_rule_3_a_landing_needs_its_place() -> None:
    table = fast()
    assert table.refused("throws 3") == "Say where Ann's die landed, too: its zone counts. (rule 3)"
    assert table.refused("Ann bets 4") == "End Zone has no bet."
    assert table.view.wanted is not None
    assert table.view.wanted.landing


def test_rule_1_only_the_active_player_s_die_lands() -> None:
    table = fast()
    assert table.refused("Bob lands 3x5") == "Ann rolls now, not Bob. (rule 1)"
    assert "Nobody at this table is called Eve" in table.refused("Eve lands 3x5")
    assert table.say("Ann lands 3x5").running == 15


def test_rule_5_points_are_added_after_the_last_die_where_each_then_lies() -> None:
    table = fast()
    assert table.say("lands 5x20, lands 2x10").scores == (0, 0)
    assert table.say("lands 1x1 hitting 1 to 6x2 and 2 to 3x20").scores == (73, 0)
    assert table.view.news.startswith("Ann: 1 x 1 = 1. Die 1 now lies 6 x 2. Die 2 now lies 3 x 20.")


def test_rule_5_only_dice_that_lie_there_are_hit_and_once() -> None:
    table = fast()
    assert table.refused("lands 1x1 hitting 1 to 2x2") == "Die 1 was not hit: 0 dice lay there. (rule 5)"
    table.say("lands 1x1")
    assert table.refused("lands 1x1 hitting 2 to 2x2") == "Die 2 was not hit: 1 die lay there. (rule 5)"
    assert table.refused("lands 1x1 hitting 1 to 2x2 and 1 to 3x2") == "Die 1 is told twice. (rule 5)"


def test_rule_5a_a_foul_die_stays_0_when_it_is_hit() -> None:
    assert fast().say("lands 5x20 slid, lands 1x2 hitting 1 to 6x20, lands 1x2").scores == (4, 0)


def test_rule_5b_a_die_off_the_table_stays_off() -> None:
    table = fast()
    table.say("lands off caught")
    assert table.refused("lands 1x2 hitting 1 to 6x20").endswith("cannot be hit. (rule 5b)")


def test_rule_6_a_covered_dot_wins_at_once() -> None:
    view = fast().say("lands 6x20, lands 1x5 dot")
    assert view.ending is not None
    assert view.ending.winners == ("Ann",)
    assert view.ending.cause == "Ann wins instantly with a covered dot (rule 6)."
    assert view.news.startswith("Ann: 1 x 5 = 5. Ann covers the dot: instant win!")


def test_rule_4a_a_foul_covers_no_dot() -> None:
    view = fast().say("lands 1x5 dot slid")
    assert (view.phase, view.running) == ("roll", 0)


def test_rule_6d_the_dot_means_nothing_when_rolling_for_the_order() -> None:
    table = Table("end-zone", "Ann Bob", mode="fast")
    assert table.say("lands 6x5 dot").phase == "order"


def test_rule_6a_a_dot_may_have_to_be_confirmed() -> None:
    table = fast(dot="confirmed")
    view = table.say("lands 1x5 dot")
    assert (view.phase, view.active, view.allowed, view.wanted) == ("confirm", "Ann", (), None)
    assert [choice.words for choice in view.choices] == [
        "the dot is covered completely",
        "some of the dot is to be seen",
    ]
    assert "(rule 6a)" in table.refused("lands 1x5")
    assert table.say("not covered").running == 5
    assert table.refused("covered") == "No die on the table is said to cover the dot. (rule 6a)"
    assert table.say("lands 2x5 dot, covered").ending is not None


def test_rule_6a_the_last_die_scores_once_the_dot_is_looked_at() -> None:
    table = fast(dot="confirmed")
    assert table.say("lands 1x1, lands 1x1, lands 1x5 dot").scores == (0, 0)
    view = table.say("not covered")
    assert (view.scores, view.active) == ((7, 0), "Bob")


def test_rule_6b_the_dot_wins_the_mode_or_the_game() -> None:
    assert Table("end-zone", "Ann Bob", mode="threes", order="seats").say("lands 1x5 dot").ending
    view = Table("end-zone", "Ann Bob", **{"mode": "threes", "order": "seats", "dot-wins": "game"}).say(
        "lands 1x5 dot"
    )
    assert view.ending is None
    assert view.news.endswith("That is 1 game of three. Bob rolls.")


def test_rule_6c_a_pushed_die_wins_only_where_agreed_and_for_whoever_rolled_it() -> None:
    push = "lands 1x2, lands 2x2 hitting 1 to 1x5 dot"
    assert fast(shuffle="dice").say(push).ending is None
    ending = fast(shuffle="dice", **{"pushed-dot": "wins"}).say(push).ending
    assert ending is not None
    assert ending.winners == ("Ann",)


def test_rule_4a_a_foul_die_pushed_onto_the_dot_wins_nothing() -> None:
    table = fast(**{"pushed-dot": "wins"})
    assert table.say("lands 1x2 slid, lands 1x2 hitting 1 to 1x5 dot").ending is None


def test_rule_6c_a_pushed_die_is_confirmed_too() -> None:
    table = fast(shuffle="dice", dot="confirmed", **{"pushed-dot": "wins"})
    assert table.say("lands 1x2, lands 2x2 hitting 1 to 1x5 dot").phase == "confirm"
    ending = table.say("covered").ending
    assert ending is not None
    assert ending.winners == ("Ann",)


TIE = "lands 1x1, lands 1x1, lands 1x1, lands 1x1, lands 1x1, lands 1x1"


def test_rule_7_a_tie_is_rolled_off_for_points_until_it_is_decided() -> None:
    table = fast()
    view = table.say(TIE)
    assert (view.phase, view.active, view.banner) == ("tie", "Ann", "tie")
    assert view.news.endswith("Ann and Bob tie at 3: one die each. Ann rolls one die.")
    assert table.say("lands 6x1, lands 3x2").news.endswith("A tie: they roll again. Ann rolls one die.")
    view = table.say("lands 6x1, lands 1x20")
    assert view.ending is not None
    assert (view.ending.winners, view.ending.cause) == (("Bob",), "Bob wins the roll-off (rule 7).")


def test_rule_7_only_the_tied_roll_off_and_only_for_the_first_place() -> None:
    table = fast("Ann Bob Cat Dan")
    table.say(f"{TIE}, lands 1x0, lands 1x0, lands 1x0, lands 1x1, lands 1x1, lands 1x1")
    assert table.view.phase == "tie"
    table.say("lands 5x1, lands 6x1")
    assert table.view.active == "Dan"
    view = table.say("lands 6x1")
    assert (view.phase, view.active) == ("tie", "Bob")
    assert table.say("lands off caught, lands 1x1").ending is not None


def test_rule_7_a_covered_dot_wins_the_roll_off() -> None:
    ending = fast().say(f"{TIE}, lands 1x5 dot").ending
    assert ending is not None
    assert ending.winners == ("Ann",)
    table = fast(dot="confirmed")
    assert table.say(f"{TIE}, lands 1x5 dot").phase == "confirm"
    assert table.say("not covered").active == "Bob"
    assert table.say("lands 6x1").ending is not None


def test_rule_7a_the_number_alone_may_count() -> None:
    table = fast(tie="number")
    ending = table.say(f"{TIE}, lands 1x20, throws 2").ending
    assert ending is not None
    assert ending.winners == ("Bob",)
    assert fast().say(TIE).phase == "tie"
    points = fast()
    points.say(TIE)
    assert points.refused("throws 6") == "Ann's die is rolled for points: say where it landed. (rule 7a)"


def test_rule_10_a_die_that_nobody_catches_costs_the_next_opponent() -> None:
    table = fast("Ann Bob Cat", minus="10")
    assert table.say("lands off missed").scores == (0, -10, 0)
    assert table.say("lands off caught").scores == (0, -10, 0)
    view = table.say("lands off missed by Cat")
    assert view.scores == (0, -10, -10)
    assert "Nobody caught it: minus 10 for Cat." in view.news


def test_rule_10_without_the_add_on_it_costs_nothing() -> None:
    assert fast().say("lands off missed").scores == (0, 0)


def test_rule_10a_it_may_cost_the_roller() -> None:
    assert fast(minus="5", **{"minus-for": "roller"}).say("lands off missed").scores == (-5, 0)


def test_rule_10a_the_catcher_is_an_opponent() -> None:
    table = fast(minus="5")
    assert table.refused("lands off missed by Ann") == "Ann does not play against Ann now. (rule 10a)"
    teams = fast("Ann Bob Cat Dan", minus="5", teams="own")
    assert teams.refused("lands off missed by Cat") == "Cat does not play against Ann now. (rule 10a)"
    assert teams.say("lands off missed by Dan").scores == (0, 0, 0, -5)


def test_rule_10a_a_shared_margin_pays_whoever_of_the_team_should_have_caught_it() -> None:
    options = {"mode": "score-card", "order": "seats", "minus": "5", "teams": "shared"}
    table = Table("end-zone", "Ann Bob Cat Dan", **options)
    assert table.say("lands off missed by Dan, lands off missed").scores == (-5, -5, -5, -5)


def test_rule_10b_a_die_thrown_off_on_purpose_costs_nothing() -> None:
    assert fast(minus="20").say("lands off missed thrown").scores == (0, 0)


def test_rule_10c_each_player_pays_the_own_minus_points() -> None:
    table = fast("Ann Bob Cat", minus="20+5+0")
    view = table.say("lands off missed")
    assert view.scores == (0, -5, 0)
    assert "Nobody caught it: minus 5 for Bob." in view.news
    assert table.say("lands off missed by Cat").scores == (0, -5, 0)
    assert table.say("lands 3x5, lands off missed by Ann").scores == (-5, -5, 0)


def test_rule_10c_so_does_the_roller() -> None:
    table = fast("Ann Bob", minus="20+5", **{"minus-for": "roller"})
    assert table.say("lands off missed, lands 3x5, lands 1x1, lands off missed").scores == (-4, -5)


def test_rule_10c_of_partners_on_one_margin_the_one_who_is_named_pays_the_own() -> None:
    options = {"mode": "score-card", "order": "seats", "minus": "5+10+20+40", "teams": "shared"}
    table = Table("end-zone", "Ann Bob Cat Dan", **options)
    assert table.say("lands off missed by Dan").scores == (0, -40, 0, -40)


def test_rule_10c_the_line_has_them_and_the_same_for_all_is_one_number() -> None:
    table = fast("Ann Bob", minus="20+5")
    table.say("lands off missed")
    assert " minus=20+5 minus-for=catcher " in table.line
    assert rulebook("end-zone").parse(table.line) == table.history.position
    assert " minus=5 " in fast("Ann Bob", minus="5+5").line


def test_rule_10c_one_number_for_each_player_or_one_for_all() -> None:
    with pytest.raises(Refused) as refusal:
        fast("Ann Bob", minus="20+5+10")
    assert str(refusal.value) == (
        "The option minus has one number for all or one for each player, in seating order; two play, and "
        "here are three. (rule 10c)"
    )


def test_rule_12_points_are_added_when_all_dice_of_all_have_been_rolled() -> None:
    table = fast(shuffle="turns")
    assert table.say("lands 1x20, lands 1x10, lands 1x5").active == "Bob"
    assert table.view.scores == (0, 0)
    view = table.say("lands 2x2, lands 2x2 hitting 1 to 6x1, lands 2x2 hitting 2 to 2x20")
    assert view.scores == (6 + 40 + 5, 12)
    assert view.ending is not None


def test_rule_12a_die_by_die_the_players_alternate() -> None:
    table = fast(shuffle="dice", double="die2")
    order = []
    for words in ("lands 1x1", "lands 2x1", "lands 3x1", "lands 4x1", "lands 5x1", "lands 6x1"):
        order.append(table.view.active)
        table.say(words)
    assert order == ["Ann", "Bob"] * 3
    assert table.view.scores == (1 + 6 + 5, 2 + 8 + 6)


def test_rule_13_rolls_go_round_through_all_and_partners_add_up() -> None:
    table = fast("Ann Bob Cat Dan", teams="own")
    order = []
    for words in ("lands 1x20", "lands 2x10", "lands 3x5", "lands 1x1"):
        order.append(table.view.active)
        table.say(", ".join([words] * 3))
    assert order == ["Ann", "Bob", "Cat", "Dan"]
    assert table.view.scores == (60, 60, 45, 3)
    assert table.view.ending is not None
    assert table.view.ending.winners == ("Ann", "Cat")
    assert table.view.ending.cause == "Ann and Cat win with 105 points, the most (rule 30)."


def test_rule_13b_the_partner_named_first_rolls_for_the_order() -> None:
    table = Table("end-zone", "Ann Bob Cat Dan", mode="fast", teams="own")
    assert table.view.active == "Ann"
    assert table.say("throws 6").active == "Bob"
    assert table.say("throws 1").active == "Bob"
    assert "rolling=2,1" in table.line


def test_rule_14_after_the_end_nothing_counts() -> None:
    table = fast()
    table.say("lands 1x5 dot")
    for words in ("lands 1x1", "throws 1", "stops", "covered", "chooses fast"):
        assert table.refused(words) == "The game is over; nothing counts any more. (rule 14)"
    with pytest.raises(AgainstTheRules):
        table.say("lands 1x1")
