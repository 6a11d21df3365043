"""The session: each request has an arm, what is foreseen is done in the same words, and refusals say why."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.box import Box
from device.games.games import PAUSED
from device.people.actor import Actor
from device.requests import (
    AnswerQuestion,
    Correct,
    Done,
    PauseGame,
    PreviewCorrection,
    PreviewRuling,
    StartGame,
)
from device.shown.questions import DieAsked, question_id
from device.table.session import WAITS_NO_MORE, Session
from engine.dice import Die
from engine.events import Rolled, Ruled
from engine.wire import event_object
from tests.playing import simulated, trial_setup

FIVE, SIX = (Die("pip", 5),), (Die("pip", 6),)
TRAY = StartGame("tray", ("Ann", "Bea"))


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    with Box(trial_setup(simulated(seed=1), tmp_path)) as box:
        yield box


def test_a_correction_is_foreseen_and_then_done_in_the_same_words(box: Box) -> None:
    session = Session(box.table, box.storage)
    assert session.request(TRAY) == Done()
    assert box.table.play is not None
    match = box.table.play.match
    assert match.take((Rolled(dice=FIVE),), [], box.table.now())
    told = session.request(PreviewCorrection(SIX)).text
    assert match.last_roll == Rolled(dice=FIVE)
    assert session.request(Correct(SIX, "it was a 6")) == Done()
    assert (match.last_roll, box.table.snapshot.message.text) == (Rolled(dice=SIX), told)


def test_it_is_said_why_nothing_can_be_foreseen_now(box: Box) -> None:
    session = Session(box.table, box.storage)
    foreseen, ruling = PreviewCorrection(SIX), PreviewRuling(event_object(Ruled(zone=10)))
    assert session.request(foreseen).text == "No game is going on."
    assert session.request(TRAY).ok
    assert session.request(ruling).text == "There are no landings to rule on in this game."
    assert session.request(foreseen).text == "There is no roll to correct yet."
    assert box.table.play is not None
    assert session.request(PauseGame(box.table.play.match.game_id)).ok
    assert session.request(foreseen).text == PAUSED == session.request(Correct(SIX)).text


def test_an_answer_to_what_waits_no_more_is_declined(box: Box) -> None:
    """Also one with dice to a question that is none about dice."""
    session, cleo = Session(box.table, box.storage), Actor("desk", "Cleo")
    assert session.request(TRAY).ok
    waits = question_id(box.table.snapshot)
    for answer in (
        AnswerQuestion("another", 0, "zone 5"),
        AnswerQuestion(waits, dice=(DieAsked("pip", 3),)),
    ):
        assert session.request(answer, cleo).text == WAITS_NO_MORE
