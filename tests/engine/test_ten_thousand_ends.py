"""Ten Thousand's last round and ending, rules 9 to 11, and its options."""

import pytest

from engine.refusal import Refused
from engine.ten_thousand import TenThousandRulebook
from tests.engine.test_ten_thousand_rules import carried

TOP = "throws 1 1 1 1 1 1, keeps 1 1 1 1 1 1, throws 4 4 4 4 4 2, banks"  # 9,600


def test_rule_9_10000_begins_the_last_round_with_one_turn_for_everybody_else() -> None:
    begun = carried("Ann Bob Cat")
    view = begun.say(TOP)
    assert view.scores == (10_600, 1000, 1000)
    assert view.ending is None
    assert "The last round begins: one turn for everybody else." in view.news
    assert view.banner == "10600!"
    assert begun.say("throws 1 2 2 3 3 4, banks").ending is None
    ending = begun.say("throws 1 2 2 3 3 4, banks").ending
    assert ending is not None
    assert (ending.winners, ending.cause) == (
        ("Ann",),
        "Ann wins with 10,600 points, the most at the end (rule 10).",
    )


def test_rule_9_exactly_the_target_begins_the_last_round() -> None:
    assert "The last round begins" in carried(target="10600").say(TOP).news


def test_rule_9_below_10000_nothing_begins() -> None:
    assert carried(target="10650").say(TOP).news == "Ann banks 9,600 and has 10,600. Bob rolls."


def test_rule_10_whoever_passes_the_leader_in_the_last_round_wins() -> None:
    begun = carried()
    begun.say(TOP)
    ending = begun.say("throws 1 1 1 1 1 1, keeps 1 1 1 1 1 1, throws 6 6 6 6 6 2, banks").ending
    assert ending is not None
    assert ending.winners == ("Bob",)
    assert begun.view.banner == "END"


def test_rule_10_the_last_round_is_not_prolonged() -> None:
    begun = carried("Ann Bob Cat")
    begun.say(TOP)
    begun.say("throws 1 1 1 1 1 1, keeps 1 1 1 1 1 1, throws 6 6 6 6 6 2, banks")
    assert begun.say("throws 2 2 3 3 4 6").ending is not None


def test_rule_10a_on_a_tie_whoever_had_the_points_first_wins() -> None:
    ending = carried().say(f"{TOP}, {TOP}").ending
    assert ending is not None
    assert ending.winners == ("Ann",)
    assert ending.cause == "Ann and Bob have 10,600 points each; Ann had them first and wins (rule 10a)."


def test_rule_10a_the_tied_share_where_that_is_agreed() -> None:
    ending = carried(ties="shared").say(f"{TOP}, {TOP}").ending
    assert ending is not None
    assert ending.winners == ("Ann", "Bob")
    assert ending.cause == "Ann and Bob share the win with 10,600 points each (rule 10a)."


def test_rule_9a_without_a_last_round_the_game_ends_at_once() -> None:
    view = carried("Ann Bob Cat", last="none").say(TOP)
    assert view.ending is not None
    assert view.ending.winners == ("Ann",)
    assert (view.active, view.allowed, view.wanted, view.choices) == (None, (), None, ())


def test_rule_11_after_the_end_nothing_counts() -> None:
    begun = carried(last="none")
    begun.say(TOP)
    over = "The game is over; nothing counts any more. (rule 11)"
    assert {begun.refused(words) for words in ("throws 1 1 1 1 1 1", "banks", "keeps 1", "stops")} == {over}
    assert begun.say("undo").ending is None


# Options.


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"target": "9999"}, "target is a multiple of 50 from 50 to 1000000; got 9999."),
        ({"target": "0"}, "target is a multiple of 50 from 50"),
        ({"opening": "-50"}, "opening: -50 is no whole number."),
        ({"minimum": "many"}, "minimum: many is no whole number."),
        ({"low-straight": "1225"}, "low-straight is a multiple of 50 from 0"),
        ({"straight": "1000050"}, "straight is a multiple of 50 from 0 to 1000000"),
        ({"kinds": "triple"}, "The option kinds is"),
        ({"edition": "zilch"}, "The option edition is"),
    ],
)
def test_wrong_options_are_told(options: dict[str, str], reason: str) -> None:
    with pytest.raises(Refused) as refusal:
        TenThousandRulebook().start(("Ann", "Bob"), options)
    assert reason in str(refusal.value)


def test_an_option_changes_one_thing_of_its_edition() -> None:
    position = TenThousandRulebook().start(
        ("Ann", "Bob"), {"edition": "farkle", "opening": "0", "kinds": "add"}
    )
    assert (position.agreed.opening, position.agreed.combos.kinds) == (0, "add")
    assert (position.agreed.combos.three_ones, position.agreed.combos.two_threes) == (300, 2500)
    free = TenThousandRulebook().start(("Ann", "Bob"), {"low-straight": "1250", "three-pairs": "0"})
    assert (free.agreed.combos.low_straight, free.agreed.combos.three_pairs) == (1250, 0)
