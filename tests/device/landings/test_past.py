"""End Zone's landings afterwards: what the journal keeps of them, and what the referee may change."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from device.commands.games import replayed
from device.journal import RowNotUnderstood
from device.journal.rows import UnknownRow
from device.journal.words import tell_game as in_words
from engine.events import Landed, Refereed, Ruled
from tests.device.landings.play import FIVE, LINE, NOW, EndZoneTable, Opened, lies, moved, opening, question


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    yield from opening(tmp_path)


def test_a_power_cut_loses_neither_dice_nor_question(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.throw(FIVE, LINE)
    text = question(table).text
    table.again()
    assert question(table).text == text
    assert table.game.message.text == text
    table.press("cache")
    assert table.game.view.running == 25 + 8
    table.again()
    table.throw(moved(FIVE, 0.0, -160.0), LINE, lies(1, -100.0, 430.0))
    assert table.game.view.scores[0] == 100 + 8 + 2


def past(table: EndZoneTable) -> list[tuple[int, str, str, int, str]]:
    """The landings that the referee may look at again, the newest first."""
    return [
        (one.landing, one.player, one.words, one.reading, one.ruled) for one in table.game.show().landings
    ]


def test_the_referee_sees_every_landing_with_its_close_up(opened: Opened) -> None:
    table = opened()
    two = lies(2, 100.0, 420.0)
    table.throw(FIVE)
    table.throw(FIVE, two)
    assert past(table) == [(2, "Ann", "2 × 2 = 4", 2, ""), (1, "Ann", "5 × 5 = 25", 1, "")]
    assert [one.evidence for one in table.game.show().landings] == ["1/2-2.jpg", "1/1-2.jpg"]
    first = table.game.show().landings[1]
    assert first.landed == {"event": "landed", "value": 5, "zone": 5}
    assert table.match.rule(Ruled(zone=10, by="Cleo", landing=1), NOW)
    assert table.game.view.running == 54
    assert past(table)[1] == (1, "Ann", "5 × 10 = 50", 1, "Cleo")
    table.again()
    assert past(table)[1] == (1, "Ann", "5 × 10 = 50", 1, "Cleo")
    table.press("undo")
    assert past(table)[1] == (1, "Ann", "5 × 5 = 25", 1, "")
    table.press("undo")
    assert [one[0] for one in past(table)] == [1]


def test_while_a_throw_is_in_question_no_earlier_landing_is_ruled_on(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.throw(FIVE, LINE)
    confirmed = Refereed(landed=Landed(value=5, zone=5), reason="confirmed", landing=1)
    assert not table.match.rule(confirmed, NOW)
    assert question(table).kind == "close"
    table.press("cache")
    assert table.match.rule(confirmed, NOW)
    assert past(table)[1][4] == "the referee: confirmed"
    assert table.game.view.running == 25 + 8


def test_a_landing_keeps_the_reading_that_it_came_from(opened: Opened) -> None:
    """A question, the die that decides it, and what the referee says of a die that was not measured."""
    table = opened()
    table.throw(LINE)
    decider = lies(3, -300.0, 900.0, "red")
    table.throw(LINE, decider)
    assert past(table) == [(1, "Ann", "4 × 2 = 8", 1, "one die showed 3")]
    table.throw(LINE, decider, unmeasured=("half hidden",))
    assert table.match.rule(Refereed(landed=Landed(off="missed", foul="thrown"), reason="seen"), NOW)
    assert past(table)[0] == (2, "Ann", "off the table, not caught, on purpose", 3, "")
    table.again()
    assert past(table)[0] == (2, "Ann", "off the table, not caught, on purpose", 3, "")
    assert past(table)[1][3] == 1


def test_who_goes_first_rolls_a_number(opened: Opened) -> None:
    table = opened(order="roll")
    table.throw(FIVE)
    assert past(table) == [(1, "Ann", "rolls 5", 1, "")]


def test_a_question_that_is_not_known_stops_nobody_but_the_game(opened: Opened) -> None:
    table = opened()
    riddle = {"kind": "riddle", "text": "", "options": []}
    table.journal.append(
        table.game.game_id,
        [UnknownRow("reading", {"picture": "", "number": 1, "dice": [], "question": riddle}, "")],
        NOW,
    )
    with pytest.raises(RowNotUnderstood, match=r"row 1 of game 1 is not understood: .*riddle"):
        table.again()
    assert "riddle" in "\n".join(in_words(replayed(table.journal, 1)))


def test_the_journal_tells_a_game_of_landings_in_words(opened: Opened) -> None:
    table = opened()
    table.throw(FIVE)
    table.throw(FIVE, LINE)
    table.press("cache")
    table.throw(moved(FIVE, 0.0, -160.0), LINE)
    table.press("stop")
    table.match.rule(Refereed(landed=Landed(value=6, zone=1, foul="slid"), reason="it slid"), NOW)
    told = "\n".join(in_words(replayed(table.journal, table.game.game_id)))
    for words in (
        "reading: pip 5 in zone 5, certain (picture 1/1.jpg)",
        "note: close-up: 1/1-2.jpg",
        "landed 5 x 5",
        "asked: Too close to call",
        "note: answer: a third party says 2",
        "ruled: zone 2 (a third party)",
        "off the table, missed; die 1 to 5 x 20 [corrected]",
        "the referee: landed 6 x 1, foul: slid (it slid)",
    ):
        assert words in told
