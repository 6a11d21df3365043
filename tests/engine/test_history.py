"""The history: undo, corrections, and what a journal asks."""

import pytest

from engine.events import Bet, Corrected, Event, Rolled, Stop, Undo
from engine.history import History
from engine.refusal import AgainstTheRules
from engine.rulebooks import rulebook
from tests.engine.say import Table, dots, pips

BETS = "Ann bets 6, Zoe bets 4"


def test_nothing_to_undo_at_the_start() -> None:
    table = Table("zoinx", "Ann Zoe")
    assert table.refused("undo") == "There is nothing to undo: no event counts yet."
    table.say("Ann bets 6, undo")
    assert table.refused("undo") == "There is nothing to undo: no event counts yet."


def test_nothing_to_correct_before_the_first_roll() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(BETS)
    assert table.refused("really rolls 2") == "There is no roll to correct yet."


def test_undo_steps_back_over_the_end_of_a_turn() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 4")
    line = table.line
    table.say("stops")
    assert table.scores == "Ann 0, Zoe 4"
    table.say("undo")
    assert table.line == line


def test_a_correction_scores_what_followed_again() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 3, rolls 2, stops")
    assert table.scores == "Ann 0, Zoe 9"
    table.say("really rolls 3")
    assert table.scores == "Ann 6, Zoe 10"
    assert table.view.active == "Ann"


def test_a_correction_to_a_zoinx_ends_the_turn() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 3, really zoinx")
    assert table.view.banner == "ZOINX"
    assert table.view.active == "Ann"


def test_a_correction_away_from_a_zoinx_goes_on_with_the_turn() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, zoinx, really rolls 1")
    assert (table.view.active, table.view.running, table.view.bets) == ("Zoe", 1, (6, 4))


def test_a_correction_that_breaks_what_followed_is_refused() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 4, stops")
    refusal = table.refused("really rolls 3")
    assert "Zoe bet 4 and has 3 dots: roll again. (rule 4a)" in refusal
    assert refusal.endswith("UNDO back to it first.")


def test_a_correction_keeps_to_the_rules_for_dice() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 4")
    assert "this is two pip dice" in table.refused("really throws 3 5")


def test_a_correction_can_be_corrected_and_undone() -> None:
    table = Table("tray", "Tray")
    assert table.say("throws 1, throws 2, really throws 5 5, really throws 6").scores == (7,)
    assert table.say("undo").scores == (11,)
    assert table.say("undo").scores == (3,)
    assert table.say("undo").scores == (1,)


def test_an_older_roll_is_corrected_and_all_that_followed_is_scored_again() -> None:
    table = Table("tray", "Tray")
    table.say("throws 1, throws 2, throws 3")
    table.history.take(Corrected(dice=pips(6), roll=1))
    assert table.view.scores == (11,)
    table.history.take(Corrected(dice=pips(4, 4), reason="one lay behind", roll=2))
    assert table.view.scores == (17,)
    assert table.history.counting == tuple(Rolled(dice=dice) for dice in (pips(6), pips(4, 4), pips(3)))
    assert table.history.standings() == ("corrected", "corrected", "counts", "counts", "counts")
    assert table.history.sources == (0, 1, 2)
    assert table.say("undo, undo").scores == (6,)


def test_an_older_roll_stays_the_roll_of_whoever_rolled_it() -> None:
    table = Table("ten-thousand", "Ann Bob", first="named")
    table.say("throws 2 2 3 3 4 6, throws 1 2 2 3 3 4")
    line = table.line
    with pytest.raises(AgainstTheRules) as refused:
        table.history.take(Corrected(dice=pips(1, 2, 3, 3, 4, 6), roll=1))
    assert "The next roll was Bob's and would be another player's." in str(refused.value)
    assert str(refused.value).endswith("UNDO back to it first.")
    assert table.line == line
    table.history.take(Corrected(dice=pips(2, 3, 3, 4, 4, 6), roll=1))
    assert table.line == line, "another farkle"


def test_a_roll_that_never_was_cannot_be_corrected() -> None:
    table = Table("tray", "Tray")
    table.say("throws 1, throws 2")
    with pytest.raises(AgainstTheRules, match="There is no roll 3 yet: the last one is roll 2"):
        table.history.take(Corrected(dice=pips(1), roll=3))
    with pytest.raises(ValueError, match="roll is counted from 1, and 0 is the last; got -1"):
        Corrected(dice=pips(1), roll=-1)


def test_undo_after_a_correction_takes_back_the_correction_alone() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"{BETS}, rolls 4, stops")
    line = table.line
    table.say("really rolls 4, undo")
    assert table.line == line


def test_last_roll_is_the_one_that_a_correction_would_replace() -> None:
    table = Table("tray", "Tray")
    assert table.history.last_roll is None
    table.say("throws 1, throws 2 3")
    assert table.history.last_roll == Rolled(dice=pips(2, 3))
    table.say("really throws 4")
    assert table.history.last_roll == Rolled(dice=pips(4))
    table.say("undo, undo")
    assert table.history.last_roll == Rolled(dice=pips(1))


def test_standings_say_what_became_of_every_stored_event() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(
        "Ann bets 2, undo, Ann bets 6, Zoe bets 4, rolls 4, really rolls 3, really rolls 2, undo, rolls 1"
    )
    told = ["undone", "undo", "counts", "counts", "corrected", "counts", "undone", "undo", "counts"]
    assert list(table.history.standings()) == told
    assert table.history.counting == (
        Bet(player="Ann", dots=6),
        Bet(player="Zoe", dots=4),
        Rolled(dice=dots(3)),
        Rolled(dice=dots(1)),
    )


def test_a_journal_rebuilds_the_history_from_stored_events() -> None:
    table = Table("zoinx", "Ann Zoe")
    table.say(f"Ann bets 4, undo, {BETS}, rolls 4, really rolls 3, rolls 2, stops")
    again = History.replay(table.history.start, table.history.events)
    assert again.position == table.history.position
    assert again.standings() == table.history.standings()
    assert again.take(Undo()) == table.history.take(Undo())


def test_a_stored_event_against_the_rules_is_told() -> None:
    start = rulebook("zoinx").start(("Ann", "Zoe"), {})
    with pytest.raises(AgainstTheRules, match="must lock a bet first"):
        History.replay(start, [Bet(player="Ann", dots=2), Stop()])


def test_each_event_asks_the_rulebook_once_however_long_the_game_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """10,000 events and as many undos cost 10,000 questions to the rulebook, not their square."""
    start = rulebook("tray").start((), {})
    asked = 0
    true_after = type(start).after

    def counted(self, event):  # type: ignore[no-untyped-def]
        nonlocal asked
        asked += 1
        return true_after(self, event)

    monkeypatch.setattr(type(start), "after", counted)
    events: list[Event] = [Rolled(dice=pips(6))] * 10_000
    history = History.replay(start, events)
    assert history.position.view().scores == (60_000,)
    history.take(Corrected(dice=pips(1)))
    for _ in range(10_001):
        history.take(Undo())
    assert history.position == start
    assert asked == 10_001
    assert len(history.events) == 20_002
