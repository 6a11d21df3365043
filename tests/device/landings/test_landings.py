"""End Zone at the box without pixels: measured dice become landings, and what is not sure is asked."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Landed, Refereed, Ruled
from tests.device.landings.play import CALIBRATION, FIVE, LINE, NOW, Opened, lies, moved, opening, question

DOT_MM = CALIBRATION.laid.dot.center_mm if CALIBRATION.laid.dot else (0.0, 0.0)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    yield from opening(tmp_path)


def test_a_certain_landing_counts(opened: Opened) -> None:
    table = opened()
    taken = table.throw(FIVE)
    assert taken is not None
    assert table.match.questions.pending is None
    assert table.game.view.running == 25
    assert table.game.message.text.startswith("Ann: 5 x 5 = 25.")
    shown = table.detector.state.landing
    assert shown is not None
    assert (shown.call, shown.value, shown.zone, shown.score) == ("certain", 5, 5, 25)
    assert table.storage.picture(taken.picture)
    assert table.storage.picture(shown.evidence), "the close-up is kept"


def test_a_roll_for_who_goes_first_has_a_number_and_neither_zone_nor_points(opened: Opened) -> None:
    table = opened(order="roll")
    table.throw(FIVE)
    shown = table.detector.state.landing
    assert shown is not None
    assert (shown.rolled, shown.value, shown.zone, shown.score, shown.gap) == (True, 5, 0, None, "")
    assert table.eye.numbers_alone == [True]
    table.throw(lies(6, 0.0, 200.0))
    table.throw(lies(4, 0.0, 200.0))
    assert table.eye.numbers_alone == [True, True, False], "then a turn begins"


def test_a_still_table_is_measured_once(opened: Opened) -> None:
    table = opened()
    table.rest(FIVE)
    looked = table.eye.looked
    for _ in range(5):
        table.see()
    table.see(asked=True)
    assert table.eye.looked == looked


def test_dice_that_move_are_waited_for(opened: Opened) -> None:
    table = opened()
    table.eye.tell(FIVE)
    assert table.see(asked=True, settled=False) is None
    assert table.game.view.running is None


def test_three_dice_make_a_turn_and_each_is_counted_once(opened: Opened) -> None:
    table = opened()
    two, twenty = lies(2, 100.0, 420.0), lies(6, 0.0, 40.0)
    table.throw(FIVE)
    table.throw(FIVE, two)
    table.throw(FIVE, two, twenty)
    assert table.game.view.scores == (25 + 4 + 120, 0)
    assert table.game.view.active == "Bea"
    # They were not taken up yet; the next throw is the one die that is new.
    table.throw(FIVE, two, twenty, lies(1, -60.0, 600.0, "red"))
    assert table.game.view.running == 1


def test_by_itself_the_box_takes_throws_and_nothing_else(opened: Opened) -> None:
    table = opened()
    table.again(by_itself=True)
    table.rest(FIVE)
    assert table.game.view.running == 25
    table.rest(FIVE)
    table.rest(moved(FIVE, 3.0, 0.0))
    assert table.game.view.running == 25
    assert len(table.events) == 1


def test_dice_that_lay_there_before_the_game_are_no_throw(opened: Opened, tmp_path: Path) -> None:
    table = opened()
    table.eye.tell(FIVE)
    table.again(by_itself=True)
    table.rest(FIVE)
    assert table.events == []


def test_too_close_is_asked_with_its_gap_and_scores_nothing(opened: Opened) -> None:
    table = opened()
    table.throw(LINE)
    asked = question(table)
    assert asked.kind == "close"
    assert "Too close to call: 2 or 1" in asked.text or "Too close to call: 1 or 2" in asked.text
    assert "±" in asked.text
    assert "mm" in asked.text
    assert (table.game.message.tone, table.game.message.shout) == ("unsure", "CLOSE")
    assert table.events == []
    assert table.game.lamps()["cache"]
    assert table.game.lamps()["stop"]
    shown = table.detector.state.landing
    assert shown is not None
    assert shown.call == "asked"
    assert table.storage.picture(shown.evidence)


@pytest.mark.parametrize(("button", "zone"), [("cache", 2), ("stop", 1)])
def test_a_third_party_rules_by_button(opened: Opened, button: str, zone: int) -> None:
    table = opened()
    table.throw(LINE)
    table.press(button)
    assert table.match.questions.pending is None
    assert table.game.view.running == 4 * zone
    assert [event.split()[0] for event in table.events] == ["landed", "ruled"]


@pytest.mark.parametrize(("value", "zone"), [(3, 2), (6, 1)])
def test_one_die_decides_odd_or_even(opened: Opened, value: int, zone: int) -> None:
    table = opened()
    table.throw(LINE)
    decider = lies(value, -300.0, 900.0, "red")
    table.throw(LINE, decider)
    assert table.match.questions.pending is None
    assert table.game.view.running == 4 * zone
    assert [event.split()[0] for event in table.events] == ["landed", "die_ruled"]
    # The deciding die lies there still, and is none of the turn's.
    table.throw(LINE, decider, FIVE)
    assert table.game.view.running == 4 * zone + 25


def test_the_console_answers_too_and_only_what_is_shown(opened: Opened) -> None:
    table = opened()
    table.throw(LINE)
    shown = table.game.show().choices
    assert not table.game.choose(0, "something else", NOW)
    assert table.game.choose(1, shown[1].words, NOW)
    assert table.game.view.running == 4


@pytest.mark.parametrize(("button", "off"), [("cache", "caught"), ("stop", "missed")])
def test_a_die_off_the_table_is_asked_for(opened: Opened, button: str, off: str) -> None:
    table = opened(minus="10")
    table.throw(FIVE)
    table.throw(FIVE)
    assert question(table).kind == "off"
    assert table.game.message.shout == "OFF"
    table.press(button)
    assert table.game.view.scores == ((0, 0) if off == "caught" else (0, -10))
    table.throw(FIVE, lies(1, 0.0, 300.0, yaw_deg=30.0))
    assert table.game.view.scores[0] == 25 + 5


def test_a_die_that_cannot_be_read_is_told_by_people(opened: Opened) -> None:
    table = opened()
    table.throw(lies(None, 0.0, 40.0))
    asked = question(table)
    assert asked.kind == "unread"
    assert len(asked.options) == 6
    assert table.game.choose(2, asked.options[2].words, NOW)
    assert table.game.view.running == 60


def test_a_die_that_cannot_be_measured_is_the_referees(opened: Opened) -> None:
    table = opened()
    table.throw(unmeasured=("half hidden",))
    assert "half hidden" in question(table).text
    assert not table.match.rule(Ruled(zone=5), NOW)
    assert table.match.rule(Refereed(landed=Landed(value=3, zone=10), reason="seen by all"), NOW)
    assert table.game.view.running == 30


def test_a_coin_that_lay_there_before_is_no_die(opened: Opened) -> None:
    table = opened()
    table.eye.tell(unmeasured=("no die",))
    table.again(by_itself=True)
    table.throw(unmeasured=("no die",))
    assert question(table).kind == "off"
    table.rest(FIVE, unmeasured=("no die",))
    assert table.game.view.running == 25


def test_more_than_one_new_die_is_one_too_many(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE, lies(2, 100.0, 420.0))
    assert question(table).kind == "several"
    table.throw(FIVE)
    assert table.game.view.running == 25


def test_a_bumped_die_counts_where_it_now_lies(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    pushed, new = moved(FIVE, 0.0, -160.0), lies(1, 0.0, 205.0, "red", yaw_deg=40.0)
    table.throw(pushed, new)
    assert table.game.view.running == 5 * 20 + 5
    assert "Die 1 now lies 5 x 20" in table.game.message.text
    # What was told once is not told again.
    table.throw(pushed, new, lies(1, -100.0, 430.0))
    assert table.game.view.scores[0] == 100 + 5 + 2


def test_a_bumped_die_too_close_to_call_is_asked_for(opened: Opened) -> None:
    table = opened()
    table.throw(lies(4, 20.0, 500.0))
    table.throw(LINE, FIVE)
    asked = question(table)
    assert "die 1: " in asked.text
    assert {option.words for option in asked.options} == {"die 1 in 1", "die 1 in 2"}
    table.press("cache")
    assert table.game.view.running in {25 + 4, 25 + 8}


def test_a_die_that_is_gone_is_asked_for(opened: Opened) -> None:
    table = opened()
    table.throw(lies(5, 0.0, 200.0, "red"))
    table.throw(lies(2, 100.0, 420.0, "ivory"))
    assert question(table).kind == "gone"
    table.press("stop")
    assert table.game.view.running == 4
    assert "Die 1 is knocked off the table" in table.game.message.text
    table.throw(lies(2, 100.0, 420.0, "ivory"), lies(1, -100.0, 430.0, "blue"))
    assert table.match.questions.pending is None, "it is asked for once"
    assert table.game.view.scores[0] == 4 + 2


def test_a_die_that_goes_off_the_table_before_it_counts_is_thrown_again(opened: Opened) -> None:
    table = opened(order="roll")
    table.throw()
    asked = question(table)
    assert (asked.kind, asked.options) == ("off", ())
    assert "throw it again" in asked.text
    table.throw(lies(4, 20.0, 300.0))
    assert table.match.questions.pending is None
    assert table.game.view.scores == (0, 0)


def test_a_die_that_was_taken_up_is_asked_for_once(opened: Opened) -> None:
    table = opened()
    table.throw(lies(5, 0.0, 200.0, "red"))
    ivory, blue = lies(2, 100.0, 420.0, "ivory"), lies(1, -100.0, 430.0, "blue")
    table.throw(ivory)
    table.press("cache")
    counted = table.game.view.running
    table.throw(ivory, blue)
    assert table.match.questions.pending is None
    table.press("undo")
    table.press("undo")
    assert table.game.view.running != counted
    table.throw(ivory)
    assert question(table).kind == "gone", "the answer was taken back"


def test_a_covered_dot_waits_for_whoever_looks(opened: Opened) -> None:
    table = opened()
    on_dot = lies(3, *DOT_MM)
    table.throw(on_dot)
    assert table.game.view.phase == "confirm"
    assert table.game.view.ending is None
    assert table.game.message.shout == "dot"
    assert table.game.lamps()["cache"]
    table.press("stop")
    assert table.game.view.phase == "roll"
    assert table.game.view.running == 15
    table.throw(on_dot, FIVE)
    assert table.game.view.running == 40
    table.press("undo")
    table.press("undo")
    assert table.game.view.phase == "confirm"
    table.press("cache")
    ending = table.game.view.ending
    assert ending is not None
    assert "covered dot" in ending.cause


def test_a_dot_that_may_be_covered_is_looked_at(opened: Opened) -> None:
    table = opened()
    table.throw(lies(3, DOT_MM[0] + 3.4, DOT_MM[1]))
    assert table.game.view.phase == "confirm"
    sure = opened()
    sure.throw(lies(3, DOT_MM[0] + 6.0, DOT_MM[1]))
    assert sure.game.view.phase == "roll"


def test_undo_makes_the_die_a_new_one_again(opened: Opened) -> None:
    table = opened()
    two = lies(2, 100.0, 420.0)
    table.throw(FIVE)
    table.throw(FIVE, two)
    table.press("undo")
    assert table.game.view.running == 25
    table.throw(FIVE, two)
    assert table.game.view.running == 29


def test_nothing_is_called_blindly(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE, told=False)
    table.eye.tell(FIVE, moved="The camera has moved by 2.1 mm.", blind="it has moved")
    table.throw(told=False)
    assert question(table).kind == "blind"
    assert table.detector.state.in_the_way.tone == "alarm"
    assert table.detector.state.in_the_way.shout == "drIFt"
    assert "referee" in table.game.message.text


def test_who_goes_first_needs_a_number_and_no_zone(opened: Opened) -> None:
    table = opened(order="roll")
    table.throw(LINE)
    assert table.match.questions.pending is None
    assert "Ann rolls 4." in table.game.message.text


def test_a_hand_that_does_not_move_may_be_a_shoved_camera(opened: Opened) -> None:
    table = opened()
    table.eye.covered = "Something covers the table, or the camera was moved."
    for time_ms, told in ((0.0, ""), (2900.0, ""), (3100.0, "the camera was moved"), (9000.0, "was moved")):
        table.covered(time_ms)
        assert told in table.detector.state.in_the_way.text
        assert bool(told) == bool(table.detector.state.in_the_way.text)
    assert table.detector.state.in_the_way.tone == "unsure"
    table.covered(9100.0, since_ms=9100.0)
    assert table.detector.state.in_the_way.text == "", "it moved: it is a hand"
