"""Ten Thousand by the house rules that groups agree on: rules 3a, 4g, 6a, 7b, 8d to 8f, 9b and 9c."""

import pytest

from engine.dice import Die
from engine.events import Chosen, Pocket
from engine.game import Wanted
from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table
from tests.engine.test_ten_thousand_line import HEAD

FARKLE = "throws 2 2 3 3 4 6"
ALL_ONES = "throws 1 1 1 1 1 1"
BANK = "throws 1 1 1 2 3 4, banks"  # 1,000
TAKE = Chosen(mode="piggyback")


def table(players: str = "Ann Bob", **options: str) -> Table:
    """A game whose first named player begins, without a first bank of so many points."""
    return Table("ten-thousand", players, **{"first": "named", "opening": "0", **options})


# Rule 3a: five dice.


def test_rule_3a_five_dice_are_rolled_and_set_aside_as_hot_dice() -> None:
    begun = table(dice="5")
    assert begun.view.wanted == Wanted(kind="pip", count=5)
    assert begun.refused(ALL_ONES) == (
        "Ann rolls five dice; here are six dice. Roll again, or correct them. (rule 3)"
    )
    view = begun.say("throws 1 1 1 5 5, keeps 1 1 1 + 5 + 5")
    assert view.news.endswith("Hot dice: all five may be rolled again.")
    assert view.wanted == Wanted(kind="pip", count=5)
    assert table(dice="5").refused("banks") == "Ann has nothing to bank yet: roll all five dice. (rule 3)"


@pytest.mark.parametrize(
    ("options", "low", "high"),
    [
        ({}, 1500, 1500),
        ({"straight": "1000"}, 1000, 1000),
        ({"low-straight": "500", "high-straight": "0"}, 500, 0),
        ({"edition": "tavern"}, 500, 750),
        ({"edition": "plain"}, 0, 0),
    ],
)
def test_rule_3a_both_straights_of_five_score(options: dict[str, str], low: int, high: int) -> None:
    assert table(dice="5", **options).say("throws 1 2 3 4 5, banks").scores == (low or 150, 0)
    assert table(dice="5", **options).say("throws 2 3 4 5 6, banks").scores == (high or 50, 0)


# Rule 4g: nothing but 1s.


def test_rule_4g_six_1s_win_at_once_whatever_the_scores() -> None:
    begun = table("Ann Bob Cat", **{"all-ones": "win"})
    view = begun.say(f"{BANK}, {BANK}, {FARKLE}, {FARKLE}, {ALL_ONES}")
    assert view.ending is not None
    assert (view.ending.winners, view.ending.cause) == (
        ("Bob",),
        "Bob rolls six 1s and wins at once (rule 4g).",
    )
    assert (view.news, view.banner, view.active) == (view.ending.cause, "END", None)
    assert begun.refused(ALL_ONES).endswith("(rule 11)")
    assert begun.say("really throws 1 1 1 1 1 2").ending is None


def test_rule_4g_the_win_is_for_one_roll_of_all_dice() -> None:
    begun = table(**{"all-ones": "win"})
    assert begun.say("throws 1 1 1 2 3 4, keeps 1 1 1, throws 1 1 1").ending is None
    hot = begun.say(f"keeps 1 1 1, {ALL_ONES}").ending
    assert hot is not None
    five = table(dice="5", **{"all-ones": "win"}).say("throws 1 1 1 1 1").ending
    assert five is not None
    assert five.cause == "Ann rolls five 1s and wins at once (rule 4g)."


def test_rule_4g_six_1s_may_have_a_worth_of_their_own() -> None:
    assert table(**{"all-ones": "5000"}).say(f"{ALL_ONES}, banks").scores == (5000, 0)
    assert table(**{"all-ones": "5000"}).say("throws 1 1 1 1 1 2, banks").scores == (4000, 0)
    assert table().say(f"{ALL_ONES}, banks").scores == (8000, 0)


# Rule 6a: three farkles in a row.


def test_rule_6a_the_third_farkle_in_a_row_costs_points_and_counting_begins_anew() -> None:
    begun = table("Ann Bob", **{"three-farkles": "500"})
    begun.say(f"{BANK}, {BANK}, {FARKLE}, {BANK}, {FARKLE}, {BANK}")
    assert [(fact.name, fact.words, fact.player) for fact in begun.view.facts] == [
        ("farkles in a row", ("2",), "Ann")
    ]
    view = begun.say(FARKLE)
    assert view.scores == (500, 3000)
    assert "That is the third in a row: minus 500, 500 are left." in view.news
    assert view.facts == ()
    assert begun.say(f"{BANK}, {FARKLE}, {BANK}, {FARKLE}").scores == (500, 5000)


@pytest.mark.parametrize("ends", [BANK, "throws 1 2 2 3 4 6, banks"])
def test_rule_6a_a_turn_that_ends_otherwise_breaks_the_row(ends: str) -> None:
    begun = table("Ann", **{"three-farkles": "1000", "minimum": "300", "below": "nothing"})
    view = begun.say(f"{BANK}, {FARKLE}, {FARKLE}, {ends}, {FARKLE}, {FARKLE}")
    assert view.scores[0] >= 1000
    assert begun.say(FARKLE).scores[0] == view.scores[0] - 1000


def test_rule_6a_no_score_falls_below_0_and_the_first_bank_is_asked_for_again() -> None:
    begun = table("Ann Bob", **{"three-farkles": "1000", "opening": "750"})
    begun.say(f"throws 1 1 1 2 3 4, banks, {FARKLE}" + f", {FARKLE}" * 5)
    assert begun.scores == "Ann 0, Bob 0"
    begun.say("throws 1 5 2 3 4 4")
    assert begun.refused("banks").endswith("the first bank is 750 or more: roll on. (rule 8a)")


# Rule 7b: hot dice must be rolled.


def test_rule_7b_hot_dice_are_rolled_before_a_bank() -> None:
    begun = table(**{"hot-dice": "must"})
    view = begun.say("throws 1 1 1 5 5 5, keeps 1 1 1 + 5 5 5")
    assert view.news.endswith("Hot dice: all six must be rolled again.")
    assert [each.button for each in view.allowed] == ["roll_done"]
    assert begun.refused("banks") == "Hot dice: Ann must roll them first. (rule 7b)"
    assert begun.say("throws 1 2 2 3 4 6, banks").scores == (1600, 0)


def test_rule_7b_nobody_banks_all_six_as_they_lie() -> None:
    begun = table(**{"hot-dice": "must"})
    begun.say("throws 1 2 3 4 5 6")
    assert begun.refused("banks") == "Hot dice: Ann must roll them first. (rule 7b)"
    assert table(**{"hot-dice": "may"}).say("throws 1 2 3 4 5 6, banks").scores == (1500, 0)


# Rules 8d to 8f: piggyback.


def test_rule_8d_the_next_player_may_take_over_points_and_dice() -> None:
    begun = table(piggyback="yes")
    view = begun.say("throws 1 1 1 5 3 4, banks")
    assert view.news.endswith("Bob rolls. Or Bob takes over 1,050 points and rolls two dice.")
    assert [(each.event, each.words, each.points) for each in view.choices] == [
        (TAKE, "take over 1,050 and roll two dice", 1050)
    ]
    begun.history.take(TAKE)
    assert (begun.view.scores, begun.view.running, begun.view.choices) == ((1050, 0), 1050, ())
    assert begun.refused("banks") == "Bob took the points over and must roll first. (rule 8f)"
    assert begun.say("throws 5 2, banks").scores == (1050, 1100)
    assert begun.view.news.endswith("Or Ann takes over 1,100 points and rolls the last die.")


def test_rule_8e_rolling_just_those_dice_says_so() -> None:
    begun = table(piggyback="yes")
    assert begun.say("throws 1 1 1 5 3 4, banks, throws 5 2, banks").scores == (1050, 1100)
    begun = table(piggyback="yes")
    begun.say("throws 1 1 1 5 3 4, banks")
    assert begun.view.wanted == Wanted(kind="pip", count=None)
    assert begun.refused("throws 1 1 1").startswith("Bob rolls six dice; here are three dice.")
    assert begun.say("throws 1 5 2 3 4 4, banks").scores[1] == 150


def test_rule_8d_a_farkle_loses_what_was_taken_over_and_leaves_nothing_to_take() -> None:
    begun = table(piggyback="yes")
    view = begun.say("throws 1 1 1 5 3 4, banks, throws 3 4")
    assert view.news == "FARKLE! Bob rolls 3 4 and loses 1,050 points. Ann rolls."
    assert (view.scores, view.choices) == ((1050, 0), ())


def test_rule_8d_after_hot_dice_it_takes_a_word_to_take_over_all_six() -> None:
    begun = table(piggyback="yes")
    begun.say("throws 1 2 3 4 5 6, banks")
    assert begun.say("throws 1 2 2 3 4 6, banks").scores == (1500, 100)
    begun = table(piggyback="yes")
    begun.say("throws 1 2 3 4 5 6, banks")
    begun.history.take(TAKE)
    assert begun.say("throws 1 2 2 3 4 6, banks").scores == (1500, 1600)


def test_rule_8d_nothing_is_taken_over_where_it_is_not_agreed_or_not_offered() -> None:
    for begun in (table(), table(piggyback="yes"), table("Ann", piggyback="yes")):
        with pytest.raises(Refused):
            begun.history.take(TAKE)
    alone = table("Ann", piggyback="yes")
    assert alone.say(BANK).choices == ()
    begun = table(piggyback="yes")
    begun.say(f"{BANK}, {ALL_ONES}")
    with pytest.raises(Refused):
        begun.history.take(TAKE)


def test_rule_8d_what_was_taken_over_counts_for_the_first_bank() -> None:
    begun = table(piggyback="yes", opening="750")
    assert begun.say("throws 1 1 1 2 3 4, banks, throws 5 2 2, banks").scores == (1000, 1050)


# Rule 9b: a last chance of one roll.


def test_rule_9b_in_the_last_round_each_other_has_a_single_roll() -> None:
    begun = table("Ann Bob Cat", last="one-roll", target="1000")
    assert "The last round begins: a single roll for everybody else." in begun.say(BANK).news
    view = begun.say("throws 1 5 2 3 4 4")
    assert (view.scores, view.active) == ((1000, 150, 0), "Cat")
    assert view.news == "Bob rolls 1 5 2 3 4 4: 150 points available. Bob banks 150 and has 150. Cat rolls."
    ending = begun.say("throws 1 1 1 5 2 3").ending
    assert ending is not None
    assert ending.winners == ("Cat",)


def test_rule_9b_a_roll_below_what_a_bank_needs_brings_nothing() -> None:
    begun = table(last="one-roll", target="1000", opening="750")
    view = begun.say(f"{BANK}, throws 1 5 2 3 4 4")
    assert view.scores == (1000, 0)
    assert view.ending is not None


# Rule 9c: exactly the target.


def test_rule_9c_dice_that_pass_the_target_are_not_set_aside() -> None:
    begun = table(exact="yes", target="1100", last="none")
    view = begun.say(f"{BANK}, {FARKLE}, throws 1 5 5 2 3 4")
    assert [choice.words for choice in view.choices] == ["a 1", "two 5s", "a 5"]
    assert begun.refused("keeps 1 + 5 + 5") == (
        "Ann needs exactly 100 more points: these dice pass them. (rule 9c)"
    )
    ending = begun.say("banks").ending
    assert ending is not None
    assert begun.view.scores == (1100, 0)


def test_rule_9c_a_roll_that_can_only_pass_it_is_a_farkle() -> None:
    begun = table(exact="yes", target="1050", last="none")
    view = begun.say(f"{BANK}, {FARKLE}, throws 1 2 2 3 4 6")
    assert (view.scores, view.active) == ((1000, 0), "Bob")
    assert view.news.startswith("FARKLE! Ann rolls 1 2 2 3 4 6.")


def test_rule_9c_the_last_points_need_no_least_bank_and_hot_dice_need_no_roll() -> None:
    begun = table(exact="yes", target="1050", last="none", minimum="300")
    assert begun.say(f"{BANK}, {FARKLE}, throws 5 2 2 3 4 6, banks").ending is not None
    hot = table(exact="yes", target="1500", last="none", **{"hot-dice": "must"})
    assert hot.say("throws 1 2 3 4 5 6, banks").ending is not None


def test_rule_9c_points_that_leave_no_room_are_not_taken_over() -> None:
    begun = table(exact="yes", target="1050", piggyback="yes")
    begun.say(f"throws 1 2 2 3 4 6, banks, {BANK}")
    assert begun.view.choices == ()


# Lines.


OPTIONS = (
    "hot-dice=must three-farkles=500 piggyback=yes exact=yes all-ones=win dice=5",
    "hot-dice=must",
    "all-ones=5000",
)


@pytest.mark.parametrize("agreed", OPTIONS)
def test_the_line_says_what_was_agreed_and_leaves_out_what_always_counted(agreed: str) -> None:
    options = dict(word.split("=") for word in agreed.split(" "))
    begun = Table("ten-thousand", "Ann Bob", **options)
    line = begun.line.replace("low-straight=1500", "low-straight=0").replace(
        "high-straight=1500", "high-straight=0"
    )
    assert line.startswith(f"{HEAD} {agreed} off=?,?")
    assert rulebook("ten-thousand").parse(begun.line) == begun.history.position


GOOD = [
    "three-farkles=500 off=- first=Ann turn=4 final=- kept=0 left=6 roll=- farkles=2,2 Ann:0@0 Bob:0@0",
    "three-farkles=500 off=- first=Ann turn=3 final=- kept=0 left=6 roll=- farkles=0,1 Ann:250@3 Bob:0@0",
    "piggyback=yes off=- first=Ann turn=1 final=- kept=0 left=6 roll=- offer=750x2 Ann:750@1 Bob:0@0",
    "piggyback=yes off=- first=Ann turn=1 final=- kept=750 left=2 roll=- offer=750x2 Ann:750@1 Bob:0@0",
    "all-ones=win off=- first=Ann turn=1 final=- kept=0 left=6 roll=- won=Ann Ann:0@0 Bob:0@0",
    "dice=5 off=- first=Ann turn=0 final=- kept=0 left=5 roll=1,2,2,3,3 Ann:0@0 Bob:0@0",
]


@pytest.mark.parametrize("rest", GOOD)
def test_positions_of_house_rules_that_can_be(rest: str) -> None:
    assert rulebook("ten-thousand").parse(f"{HEAD} {rest}").line() == f"{HEAD} {rest}"


BAD = {
    "three-farkles=500 off=- first=Ann turn=4 final=- kept=0 left=6 roll=- farkles=3,0 Ann:0@0 Bob:0@0": (
        "3 farkles in a row"
    ),
    "three-farkles=500 off=- first=Ann turn=1 final=- kept=0 left=6 roll=- farkles=0,1 Ann:0@0 Bob:0@0": (
        "Bob cannot have 1 farkles"
    ),
    "three-farkles=500 off=- first=Ann turn=1 final=- kept=0 left=6 roll=- farkles=1 Ann:0@0 Bob:0@0": (
        "not counted for each player"
    ),
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- farkles=1,0 Ann:0@0 Bob:0@0": "not counted for each",
    "three-farkles=20 off=?,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "multiple of 50",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- offer=750x2 Ann:750@1 Bob:0@0": "no such points",
    "piggyback=yes off=- first=Ann turn=1 final=- kept=0 left=6 roll=- offer=800x2 Ann:750@1 Bob:0@0": (
        "no such points"
    ),
    "piggyback=yes off=- first=Ann turn=1 final=- kept=0 left=6 roll=- offer=750x7 Ann:750@1 Bob:0@0": (
        "no such points"
    ),
    "piggyback=yes off=- first=Ann turn=1 final=- kept=0 left=6 roll=- offer=many Ann:750@1 Bob:0@0": "offer",
    "off=- first=Ann turn=1 final=- kept=0 left=6 roll=- won=Ann Ann:0@0 Bob:0@0": "nothing but 1s",
    "all-ones=win off=- first=Ann turn=1 final=- kept=0 left=6 roll=- won=Bob Ann:0@0 Bob:0@0": "nothing but",
    "all-ones=win off=- first=Ann turn=1 final=- kept=0 left=6 roll=- won=Cat Ann:0@0 Bob:0@0": "won: Cat is",
    "all-ones=lots off=?,? first=- turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "all-ones: lots",
    "dice=4 off=?,? first=- turn=0 final=- kept=0 left=4 roll=- Ann:0@0 Bob:0@0": "dice is 6, 5; got 4",
    "dice=5 off=- first=Ann turn=0 final=- kept=0 left=6 roll=- Ann:0@0 Bob:0@0": "6 dice left",
    "exact=yes off=- first=Ann turn=1 final=1 kept=0 left=6 roll=- Ann:10050@1 Bob:0@0": "cannot have 10,050",
    "exact=yes off=- first=Ann turn=0 final=- kept=10050 left=6 roll=- Ann:0@0 Bob:0@0": "pass the target",
}


@pytest.mark.parametrize("rest", BAD)
def test_positions_of_house_rules_that_cannot_be(rest: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("ten-thousand").parse(f"{HEAD} {rest}")
    assert BAD[rest] in str(refusal.value)


def test_taken_dice_stay_set_aside_on_a_mat() -> None:
    """Rule 8d with rule 5: who takes over does not take up what lies set aside."""
    mat = rulebook("ten-thousand").mat
    assert mat is not None
    assert mat.dice is not None
    begun = table(piggyback="yes")
    begun.say("throws 1 1 1 5 3 4, keeps 1 1 1, banks, throws 5 2")
    expected = mat.dice.expect(begun.history.start, begun.history.played)
    assert expected is not None
    assert (expected.aside[1].total(), expected.free.total()) == (4, 2)
    begun = table(piggyback="yes")
    begun.say("throws 1 1 1 5 3 4, banks, throws 5 2 2 3 3 4")
    expected = mat.dice.expect(begun.history.start, begun.history.played)
    assert expected is not None
    assert (expected.aside[1].total(), expected.free.total()) == (0, 6)


def test_a_word_that_is_no_choice_is_refused() -> None:
    begun = table(piggyback="yes")
    begun.say(BANK)
    with pytest.raises(Refused, match="no points to take over"):
        begun.history.take(Chosen(mode="fast"))
    assert isinstance(begun.say("throws 1 1 1 1 1 2").choices[0].event, Pocket)
    assert Die("pip", 1) in begun.history.events[-1].dice  # type: ignore[union-attr]
