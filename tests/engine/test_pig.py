"""Pig, rules 1 to 5 of engine/pig.py, and its odds."""

from fractions import Fraction

import pytest

from engine.odds import advice
from engine.odds.pig import roll_worth
from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table


def test_rule_1_eleven_are_too_many() -> None:
    with pytest.raises(Refused, match=r"for one to ten players; eleven players came. \(rule 1\)"):
        Table("pig", "A B C D E F G H I J K")


def test_rule_2_what_is_rolled_is_added_to_the_turn() -> None:
    table = Table("pig", "Ann Bob")
    assert table.say("throws 4").running == 4
    view = table.say("throws 6")
    assert (view.running, view.active, view.scores) == (10, "Ann", (0, 0))
    assert view.news == "Ann rolls 6: 10 this turn."
    assert table.refused("throws 3 3") == "Ann rolls one die; this is two pip dice. (rule 2)"
    assert table.refused("stops") == "Pig has no stop: roll, or hold with CACHE. (rule 2)"


def test_rule_2a_a_1_loses_the_turn_and_no_score() -> None:
    table = Table("pig", "Ann Bob")
    table.say("throws 5, banks, throws 6, banks")
    view = table.say("throws 6, throws 1")
    assert (view.scores, view.active, view.banner) == ((5, 6), "Bob", "PIG")
    assert view.news == "Ann rolls a 1 and loses 6. Bob rolls."


def test_rule_3_holding_takes_a_roll() -> None:
    table = Table("pig", "Ann Bob")
    assert table.may == "Ann roll_done"
    assert table.refused("banks") == "Ann must roll before holding. (rule 3)"
    table.say("throws 3")
    assert table.may == "Ann roll_done, Ann cache"
    assert table.say("banks").news == "Ann holds 3 and has 3. Bob rolls."


def test_rule_4_the_first_to_hold_enough_wins_at_once() -> None:
    table = Table("pig", "Ann Bob", target="10")
    assert table.say("throws 6, throws 4").ending is None
    view = table.say("banks")
    assert view.ending
    assert view.ending.winners == ("Ann",)
    assert view.ending.cause == "Ann wins with 10 points (rule 4)."
    assert table.refused("throws 3") == "The game is over; nothing counts any more. (rule 5)"


@pytest.mark.parametrize("target", ["9", "1001", "-5", "many"])
def test_rule_4a_a_target_out_of_bounds_is_refused(target: str) -> None:
    with pytest.raises(Refused):
        Table("pig", "Ann Bob", target=target)


def test_undo_gives_a_lost_turn_back() -> None:
    table = Table("pig", "Ann Bob")
    view = table.say("throws 6, throws 1, undo")
    assert (view.active, view.running) == ("Ann", 6)


@pytest.mark.parametrize(
    "line",
    [
        "pig target=100 active=Ann running=3 last=2 Ann:0 Bob:0",
        "pig target=100 active=Ann running=2 last=6 Ann:0 Bob:0",
        "pig target=100 active=Ann running=4 last=1 Ann:0 Bob:0",
        "pig target=100 active=Ann running=0 last=7 Ann:0 Bob:0",
        "pig target=100 active=Bob running=0 last=- Ann:0 Bob:0",
        "pig target=100 active=Ann running=0 last=4 Ann:1 Bob:0",
        "pig target=100 active=Bob running=0 last=4 Ann:100 Bob:0",
        "pig target=100 active=Ann running=0 last=4 Ann:100 Bob:120",
        "pig target=5 active=Ann running=0 last=- Ann:0 Bob:0",
        "pig target=100 active=Ann running=0 last=- Ann:0  Bob:0",
    ],
)
def test_a_line_that_no_rolls_lead_to_is_refused(line: str) -> None:
    with pytest.raises(Unreadable):
        rulebook("pig").parse(line)


def test_the_buttons_are_those_that_pig_has() -> None:
    view = Table("pig", "Ann Bob").view
    assert (view.buttons, view.turn_end) == (("roll_done", "cache"), "cache")


def test_odds_of_a_first_roll_by_hand() -> None:
    """With 19 points and enough to win far off: (21 + 22 + 23 + 24 + 25) / 6; at 20 both are worth 20."""
    assert roll_worth(19, 100) == (Fraction(115, 6), Fraction(5, 6))
    assert roll_worth(20, 100)[0] == 20


def test_odds_say_to_hold_from_20_on() -> None:
    table = Table("pig", "Ann Bob")
    table.say("throws 6, throws 6, throws 6")
    first, second = advice(table.history.position)
    assert (first.words, second.words) == ("roll", "hold 18")
    assert (first.points, first.risk, first.hint) == (
        pytest.approx(110 / 6),
        pytest.approx(1 / 6),
        "hold from 20 on",
    )
    table.say("throws 3")
    assert advice(table.history.position)[0].words == "hold 21"


def test_odds_hold_what_wins() -> None:
    table = Table("pig", "Ann Bob", target="10")
    table.say("throws 6, throws 4")
    best, roll = advice(table.history.position)
    assert (best.words, best.chance) == ("hold 10", 1.0)
    assert roll.hint == "hold from 10 on"
    table.say("banks")
    assert advice(table.history.position) == ()
