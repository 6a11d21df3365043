"""A die that seems to have been let go too late: asked about, never ruled by the box."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from device.journal.rows import KeptSight, Question
from device.landings.detector import describe_landing
from device.landings.questions import counts, doubted, knocked_off, landing_of, off_table
from engine.events import Landed
from tests.device.landings.play import FIVE, LINE, NOW, EndZoneTable, Opened, opening, question
from tests.device.landings.rig import Rig
from vision.landing import Departure, Release, Slide

LATE = Release(past_mm=183.4, plus_minus_mm=61.2, time_ms=0.0)
DOUBTFUL = Release(past_mm=40.0, plus_minus_mm=52.0, time_ms=0.0)
SLID = Slide(way_mm=212.3, evidence=9.0)
ROLLED = Slide(way_mm=190.0, evidence=-4.0)
ASIDE = Departure(over="left", time_ms=0.0, end="far")
FIVE_TIMES_FIVE = Landed(value=5, zone=5, dot=True)


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    yield from opening(tmp_path)


def thrown_late(table: EndZoneTable) -> Question:
    """A throw whose die was let go too late, as it is asked about."""
    outcome = doubted(FIVE_TIMES_FIVE, LATE)
    assert not table.match.land(outcome, KeptSight(picture="", number=1, dice=(), unsure=()), NOW)
    return question(table)


def test_a_late_release_is_asked_about_with_the_measured_distance(opened: Opened) -> None:
    table = opened()
    asked = thrown_late(table)
    assert asked.kind == "foul"
    assert "183 ± 61 mm past the release line" in asked.text
    assert [option.key for option in asked.options] == ["cache", "stop"]
    assert table.events == [], "the box rules nothing"


def test_a_die_that_slid_is_asked_about_with_its_way(opened: Opened) -> None:
    asked = doubted(FIVE_TIMES_FIVE, None, SLID)
    assert isinstance(asked, Question)
    assert asked.kind == "foul"
    assert "over the last 212 mm of its way the same face looked up" in asked.text
    table = opened()
    assert not table.match.land(asked, KeptSight(picture="", number=1, dice=(), unsure=()), NOW)
    assert table.events == [], "the box rules nothing"
    table.press("stop")
    (event,) = [row.body for row in table.journal.rows(table.game.game_id) if row.kind == "event"]
    assert (event["foul"], event.get("dot", False)) == ("slid", False)


def test_a_die_that_was_let_go_too_late_and_slid_is_asked_about_once() -> None:
    both = doubted(FIVE_TIMES_FIVE, LATE, SLID)
    assert isinstance(both, Question)
    assert "183 ± 61 mm" in both.text
    assert "212 mm" in both.text
    words = [option.words for option in both.options]
    assert words == [
        "let go in time and rolled: 5 x 5 = 25",
        "a foul, let go too late or slid: 0",
    ]


@pytest.mark.parametrize("slide", [None, ROLLED])
def test_a_die_that_did_not_surely_slide_is_not_asked_about(slide: Slide | None) -> None:
    assert doubted(FIVE_TIMES_FIVE, None, slide) is FIVE_TIMES_FIVE


@pytest.mark.parametrize(("button", "foul"), [("cache", ""), ("stop", "late")])
def test_whoever_is_asked_answers_by_button(opened: Opened, button: str, foul: str) -> None:
    table = opened()
    thrown_late(table)
    table.press(button)
    assert table.match.questions.pending is None
    events = [row.body for row in table.journal.rows(table.game.game_id) if row.kind == "event"]
    assert [event.get("foul", "") for event in events] == [foul]


def test_the_question_still_waits_after_a_power_cut(opened: Opened) -> None:
    table = opened()
    asked = thrown_late(table)
    table.again()
    assert question(table) == asked


def test_the_console_asks_no_other_zone_of_a_die_that_was_let_go_too_late() -> None:
    landing = describe_landing(1, doubted(FIVE_TIMES_FIVE, LATE), FIVE, number_alone=False)
    assert (landing.call, landing.line, landing.score) == ("asked", "", 25)


@pytest.mark.parametrize("release", [None, DOUBTFUL])
def test_what_was_not_surely_past_the_line_is_not_asked_about(release: Release | None) -> None:
    assert doubted(FIVE_TIMES_FIVE, release) is FIVE_TIMES_FIVE


def test_a_throw_that_is_too_close_to_call_is_asked_about_once_with_both(opened: Opened) -> None:
    close = landing_of(LINE, {}, (), opened().game.view)
    assert isinstance(close, Question)
    both = doubted(close, LATE)
    assert isinstance(both, Question)
    assert (both.kind, both.options) == ("close", close.options)
    assert "Too close to call" in both.text
    assert "183 ± 61 mm" in both.text


def test_a_foul_makes_no_difference_to_a_die_that_is_worth_nothing(opened: Opened) -> None:
    assert not counts(Landed(value=5, zone=0))
    assert counts(landing_of(FIVE, {}, (), opened().game.view))


def test_a_die_that_was_seen_to_leave_the_table_is_asked_about_with_its_side(opened: Opened) -> None:
    table = opened()
    table.eye.left = ASIDE
    table.throw()
    asked = question(table)
    assert asked.kind == "off"
    assert asked.text.startswith(
        "The die seems to have gone off the table over its left side, as the thrower"
    )
    assert [option.words for option in asked.options] == [
        "off the table, caught",
        "off the table, not caught",
        "thrown off on purpose",
    ]
    assert table.events == [], "the box rules nothing"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (Departure(over="end", time_ms=0.0), "over its end."),
        (Departure(over="end", time_ms=0.0, end="far"), "over its far end."),
        (Departure(over="right", time_ms=0.0), "over its right side, as the thrower sees it."),
    ],
)
def test_the_side_is_told_in_words_of_who_throws(left: Departure, words: str) -> None:
    assert f"gone off the table {words}" in off_table({}, left).text
    assert "gone off the table" not in off_table({}).text


def test_of_a_die_that_is_gone_the_side_is_told_too() -> None:
    gone = Question(kind="gone", text="I do not see die 1 any more.")
    assert knocked_off(gone, ASIDE).text.endswith("over its left side, as the thrower sees it.")
    assert knocked_off(gone, None) is gone


def test_a_box_that_takes_throws_by_itself_asks_about_a_die_that_left(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.again(by_itself=True)
    assert table.match.questions.pending is None
    table.eye.left = ASIDE
    table.see()
    assert question(table).kind == "off"
    table.press("stop")
    table.eye.left = None
    table.see()
    assert table.match.questions.pending is None


@pytest.mark.long
def test_a_box_with_two_cameras_asks_about_late_and_slid_throws_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blank = np.zeros((8, 8, 3), np.uint8)
    monkeypatch.setattr("vision.landing.detector.draw_evidence", lambda *_, **__: blank)
    rig = Rig(tmp_path, 50, far_end=True, fps=20.0)
    try:
        rig.start("Ann", "Bea", mode="threes", order="seats", dot="box")
        told: dict[str, list[bool]] = {}
        slid: list[str] = []
        for act in ("throw", "late", "slide", "late", "late"):
            rig.roll(act)
            late = "past the release line" in rig.now.message.text
            told.setdefault(act, []).append(late)
            if "slid instead of rolling" in rig.now.message.text:
                slid.append(act)
            if rig.now.ask == "landing":
                rig.press("stop")
        fouls = [event.foul for event in rig.events if isinstance(event, Landed)]
        assert told["throw"] == told["slide"] == [False]
        assert True in told["late"]
        assert "late" in fouls
        assert slid in ([], ["slide"])
    finally:
        rig.close()
