"""UNDO says what it takes back; a throw that is asked about goes first, and nobody else's."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.events import Landed, Refereed, Ruled
from tests.device.landings.play import FIVE, LINE, NOW, Opened, lies, opening, question


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    yield from opening(tmp_path)


def test_undo_says_whose_throw_it_took_back(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.press("undo")
    assert table.game.message.text.startswith("Taken back: Ann's throw, 5 x 5. ")


def test_undo_takes_back_the_throw_in_question_and_no_accepted_one(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.throw(FIVE, LINE)
    assert question(table).kind == "close"
    line = table.game.line
    table.press("undo")
    assert table.match.questions.pending is None
    assert table.game.line == line, "Ann's five counts as before"
    assert table.game.message.text.startswith("Taken back: the throw that was asked about.")
    table.again()
    assert table.match.questions.pending is None, "also after a power cut"
    table.throw(FIVE, lies(2, 100.0, 420.0))
    assert table.game.view.running == 25 + 4
    table.press("undo")
    table.press("undo")
    assert table.game.message.text.startswith("Taken back: Ann's throw, 5 x 5. ")


def test_the_lamp_of_undo_glows_while_the_very_first_throw_is_asked_about(opened: Opened) -> None:
    table = opened()
    table.throw(LINE)
    assert table.game.lamps()["undo"]
    table.press("undo")
    assert not table.game.lamps()["undo"]


def test_a_ruling_on_an_old_landing_says_whose_scores_it_changed(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.throw(FIVE, lies(2, 100.0, 420.0))
    table.throw(FIVE, lies(2, 100.0, 420.0), lies(1, -100.0, 430.0))
    table.throw(lies(3, -60.0, 430.0))
    ruling = Ruled(zone=10, by="Cleo", landing=1)
    told = table.game.foresee(ruling)
    assert told == "Ann 31 -> 56; Bea stays."
    assert table.game.view.scores == (31, 0), "nothing was taken yet"
    assert table.match.rule(ruling, NOW)
    assert table.game.message.text == told
    word = Refereed(landed=Landed(value=5, zone=20), reason="film", landing=1)
    assert table.game.foresee(word) == "Ann 56 -> 106; Bea stays."
    table.press("undo")
    assert table.game.message.text.startswith("Taken back: the ruling on Ann's landing 1. ")
