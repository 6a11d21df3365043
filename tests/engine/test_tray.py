"""The dice tray, rules 1 to 5 of engine/tray.py."""

import pytest

from engine.refusal import Refused, Unreadable
from engine.rulebooks import rulebook
from tests.engine.say import Table


def test_rule_1_one_player_called_tray_when_nobody_is_named() -> None:
    assert rulebook("tray").start((), {}).players == ("Tray",)


def test_rule_1_nine_are_too_many() -> None:
    with pytest.raises(Refused, match=r"for one to eight players; nine players came. \(rule 1\)"):
        Table("tray", "A B C D E F G H I")


@pytest.mark.parametrize(
    ("words", "total"),
    [("throws 4", 4), ("throws 4 1", 5), ("throws 1 2 3 4 5 6", 21), ("throws " + " ".join("6" * 12), 72)],
)
def test_rule_2_any_number_of_pip_dice_is_added_up(words: str, total: int) -> None:
    view = Table("tray", "Ann").say(words)
    assert (view.running, view.scores) == (total, (total,))
    assert view.last_roll == tuple(words.split()[1:])


def test_rule_2_the_news_shows_the_sum() -> None:
    table = Table("tray", "Ann")
    assert table.say("throws 4 1").news == "Ann throws 4 + 1 = 5; 5 in all."
    assert table.say("throws 3").news == "Ann throws 3; 8 in all."


def test_rule_2_other_dice_are_refused() -> None:
    table = Table("tray", "Ann")
    assert (
        table.refused("rolls 3")
        == "The tray adds up pip dice, at least one; here lie four Zoinx dice. (rule 2)"
    )
    assert table.refused("Ann bets 4") == "Nobody bets at the tray: throw any pip dice. (rule 2)"


def test_rule_3_points_count_at_once() -> None:
    table = Table("tray", "Ann Bob")
    table.say("throws 4 1, throws 6, throws 2")
    assert table.scores == "Ann 7, Bob 6"


def test_rule_4_the_turn_passes_with_every_throw() -> None:
    table = Table("tray", "Ann Bob")
    assert table.view.active == "Ann"
    assert table.say("throws 4").active == "Bob"
    assert table.refused("stops") == "There is no STOP here: the turn passes with every throw. (rule 4)"
    assert table.may == "Bob roll_done"


def test_rule_4_what_was_thrown_is_not_told_as_the_next_player_s() -> None:
    assert Table("tray", "Ann Bob").say("throws 4").running is None


def test_rule_4_with_turn_stop_the_player_throws_on_until_stop() -> None:
    table = Table("tray", "Ann Bob", turn="stop")
    assert table.refused("stops") == "Ann must throw before STOP. (rule 4)"
    view = table.say("throws 4, throws 5")
    assert (view.active, view.running, table.may) == ("Ann", 9, "Ann roll_done, Ann stop")
    view = table.say("stops")
    assert (view.active, view.running, view.news) == ("Bob", 0, "Ann stops at 9. Bob throws.")


def test_rule_5_no_end() -> None:
    table = Table("tray", "Ann")
    assert table.say(", ".join(["throws 6 6 6 6 6 6"] * 300)).ending is None


def test_the_line() -> None:
    table = Table("tray", "Ann Bob")
    assert table.line == "tray turn=throw active=Ann running=0 last=- Ann:0 Bob:0"
    table.say("throws 3 5")
    assert table.line == table.view.line == "tray turn=throw active=Bob running=8 last=3,5 Ann:8 Bob:0"


BAD = {
    "tray turn=throw active=Ann running=0 last=-": "no players came",
    "tray turn=dice active=Ann running=0 last=- Ann:0": "turn is throw, stop",
    "tray turn=throw active=Bob running=0 last=- Ann:0": "active: Bob is none",
    "tray turn=throw active=Ann running=0 last=- Ann:0 Ann:0": "Two players",
    "tray turn=throw active=Ann running=0 last=- Ann": "is no name",
    "tray turn=throw active=Ann running=0 last=- Ann:x": "Ann's score",
    "tray turn=throw active=Ann running=7 last=7 Ann:7": "shows 1 to 6 (rule 2)",
    "tray turn=throw active=Ann running=0 last=- Ann:5": "before the first throw (rule 3)",
    "tray turn=throw active=Ann running=6 last=5 Ann:6": "the last throw was 5 (rule 4)",
    "tray turn=throw active=Ann running=5 last=5 Ann:4": "fewer points than the last turn brought",
    "tray turn=stop active=Ann running=4 last=5 Ann:5": "fewer points than the last turn brought",
    "tray turn=stop active=Bob running=0 last=5 Ann:4 Bob:5": "Ann has fewer points",
}


@pytest.mark.parametrize("line", BAD)
def test_positions_that_cannot_be(line: str) -> None:
    with pytest.raises(Unreadable) as refusal:
        rulebook("tray").parse(line)
    assert BAD[line] in str(refusal.value)
