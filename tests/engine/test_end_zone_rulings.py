"""End Zone, rules 8 and 9: disputes and the referee, whose word re-scores all that follows."""

import re

import pytest

from engine.events import DieRuled, Landed, Moved, Refereed, Ruled
from engine.history import History
from tests.engine.say import Table


def fast(players: str = "Ann Bob", **options: str) -> Table:
    """Fast Play in seating order."""
    return Table("end-zone", players, mode="fast", **{"order": "seats", **options})


def test_rule_8_a_third_party_rules_on_the_zone() -> None:
    table = fast()
    assert table.say("lands 4x10, ruled 20 by Cleo").running == 80
    assert table.say("ruled 2").running == 8


@pytest.mark.parametrize(("value", "points"), [(1, 80), (2, 40), (3, 80), (4, 40), (5, 80), (6, 40)])
def test_rule_8_one_die_decides_odd_or_even(value: int, points: int) -> None:
    assert fast().say(f"lands 4x5, die rules {value} odd 20 even 10").running == points


def test_rule_8a_what_followed_is_scored_again() -> None:
    table = fast()
    table.say("lands 4x10, lands 1x1, lands 1x1, lands 3x20, lands 1x1")
    assert table.view.scores == (42, 0)
    view = table.say("ruled 20 on 1")
    assert (view.scores, view.active, view.running) == ((82, 0), "Bob", 61)
    assert table.say("undo").scores == (42, 0)


def test_rule_8_a_ruling_needs_a_landing() -> None:
    table = fast()
    assert table.refused("ruled 10") == "No die has landed yet: there is nothing to rule on."
    table.say("lands 1x1")
    assert table.refused("ruled 10 on 2") == "There is no landing 2 yet: the last one is landing 1."
    table.say("lands off caught")
    assert "only the referee corrects it" in table.refused("ruled 10")


def test_rule_8_a_dot_stays_where_it_can_be() -> None:
    table = fast(dot="confirmed")
    assert table.say("lands 1x5 dot, ruled 10").phase == "confirm"
    view = table.say("ruled 1")
    assert (view.phase, view.active, view.running, view.banner) == ("roll", "Ann", 1, "")
    assert table.refused("covered") == "No die on the table is said to cover the dot. (rule 6a)"
    assert table.say("undo").phase == "confirm"


def test_rule_9_the_referee_corrects_any_landing() -> None:
    table = fast()
    table.say("lands 1x5 dot")
    assert table.view.ending is not None
    view = table.say("referee lands 1x5")
    assert (view.ending, view.running) == (None, 5)
    table.say("lands 6x10, lands 2x2, lands 1x1")
    view = table.say("referee on 2 lands off missed, referee on 4 lands 6x20")
    assert (view.scores, view.running) == ((9, 0), 120)


def test_rule_9_a_correction_can_end_the_game_otherwise() -> None:
    table = fast()
    table.say("lands 1x1, lands 1x1, lands 1x1, lands 1x1, lands 1x1, lands 2x1")
    assert table.view.ending is not None
    assert table.view.ending.winners == ("Bob",)
    assert table.say("referee on 6 lands 1x1").phase == "tie"
    view = table.say("referee on 3 lands 6x20")
    assert view.ending is not None
    assert view.ending.winners == ("Ann",)


def test_rule_9_a_correction_is_no_way_to_give_a_die_to_somebody_else() -> None:
    table = Table("end-zone", "Ann Bob", mode="fast")
    table.say("lands 2x0, lands 5x0, lands 1x20")
    refusal = table.refused("referee on 1 lands 6x0")
    assert refusal.startswith("This correction cannot be")
    assert "The next die was Ann's and would be another player's" in refusal
    assert "UNDO back to it first." in refusal
    assert "would be another player's, or another roll" in table.refused("referee on 1 lands 5x0")
    assert table.say("referee on 1 lands 3x0").running == 20


def test_rule_9_a_dot_seen_late_ends_the_game_where_nothing_followed() -> None:
    table = fast()
    table.say("lands 1x5, lands 1x1")
    assert "The game is over" in table.refused("referee on 1 lands 1x5 dot")
    assert table.say("undo, referee lands 1x5 dot").ending is not None


def test_rule_9_moved_dice_are_corrected_with_the_landing_that_moved_them() -> None:
    table = fast()
    table.say("lands 5x20, lands 1x1 hitting 1 to 5x1, lands 1x1")
    assert table.view.scores == (7, 0)
    assert table.say("referee on 2 lands 1x1 hitting 1 to 5x10").scores == (52, 0)
    assert table.say("referee on 2 lands 1x1").scores == (102, 0)


def test_rulings_are_kept_and_replayed() -> None:
    table = fast()
    table.say("lands 4x5, ruled 10, die rules 2 odd 5 even 20, referee lands 5x20, undo, lands 1x1")
    again = History.replay(table.history.start, table.history.events)
    assert again.position == table.history.position
    assert table.history.counting == (Landed(value=4, zone=20), Landed(value=1, zone=1))
    assert table.history.standings() == ("corrected", "corrected", "counts", "undone", "undo", "counts")


@pytest.mark.parametrize(
    ("make", "facts", "reason"),
    [
        (Landed, {"value": 7, "zone": 5}, "value is 1 to 6; got 7"),
        (Landed, {"zone": 5}, "value is 1 to 6; got 0"),
        (Landed, {"value": 1, "zone": 3}, "zone is one of 20, 10, 5, 2, 1, 0; got 3"),
        (Landed, {"value": 1, "zone": 1, "dot": True}, "no die covers it in zone 1"),
        (Landed, {"off": "lost"}, "off is caught or missed; got 'lost'"),
        (Landed, {"off": "caught", "zone": 5}, "lies in no zone and covers no dot"),
        (Landed, {"off": "caught", "dot": True}, "lies in no zone and covers no dot"),
        (Landed, {"off": "caught", "value": 7}, "value is 1 to 6; got 7"),
        (Landed, {"value": 1, "foul": "kicked"}, "foul is late, slid or thrown; got 'kicked'"),
        (Landed, {"value": 1, "foul": "thrown"}, "say off too"),
        (Landed, {"value": 1, "catcher": "Bob"}, "only a die that is off the table has a catcher"),
        (Moved, {"die": 0, "value": 1, "zone": 1}, "die is counted from 1; got 0"),
        (Moved, {"die": 1, "value": 0, "zone": 1}, "value is 1 to 6; got 0"),
        (Ruled, {"zone": 4}, "zone is one of"),
        (Ruled, {"zone": 5, "landing": -1}, "landing is counted from 1, and 0 is the last; got -1"),
        (DieRuled, {"odd": 5, "even": 5, "value": 1}, "nothing to decide"),
        (DieRuled, {"odd": 5, "even": 10, "value": 0}, "value is 1 to 6; got 0"),
        (Refereed, {"landed": Landed(value=1), "reason": "  "}, "the reason is empty"),
    ],
)
def test_wrong_facts_die_at_birth(make: type, facts: dict[str, object], reason: str) -> None:
    with pytest.raises(ValueError, match=re.escape(reason)):
        make(**facts)
