"""The log of throws: what was read, asked and said, who said it when, and what it changed; and no secret."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from device.journal import Journal, Moment
from device.journal.records import Entry
from device.journal.rows import (
    AnswerNote,
    CloseUpNote,
    CorrectionNote,
    DiceReading,
    EventRow,
    KeptSight,
    LandingReading,
    Option,
    PressRow,
    Question,
    RefusedNote,
    Row,
)
from device.people.actor import Actor
from device.shown.throws import ThrowShown
from device.throws import KeptThrows
from engine.dice import Die
from engine.events import Bet, Corrected, Event, Landed, Refereed, Rolled, Ruled, Undo

CLEO = Actor("referee", "Cleo")
CLOSE = Question(kind="close", text="Too close to call.", options=(Option(words="5", events=()),))


class Evening:
    """A journal that is written row by row, a second each, and the log that follows it."""

    def __init__(self, journal: Journal, game: str) -> None:
        self.journal = journal
        self.second = 0
        self.game_id = journal.begin(game, ("Ann", "Bea"), {}, self.now())
        self.log = KeptThrows(journal.game, journal.rows)

    def now(self) -> Moment:
        self.second += 1
        at = datetime(2026, 11, 23, 18, self.second // 60, self.second % 60, tzinfo=UTC)
        return Moment(at, 1000.0 * self.second)

    def write(self, *rows: Row | Event, by: Actor | None = None) -> None:
        kept = [row if isinstance(row, Row) else EventRow(row) for row in rows]
        with self.journal.heard_from(by):
            self.journal.append(self.game_id, kept, self.now())

    def throws(self) -> tuple[ThrowShown, ...]:
        """The oldest first."""
        return self.log.show(self.game_id).throws[::-1]

    def sight(self, number: int) -> KeptSight:
        return KeptSight(picture=f"{self.game_id}/{number}.jpg", number=number, dice=())

    def land(self, number: int, landed: Landed) -> None:
        self.write(LandingReading(sight=self.sight(number)), landed)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


@pytest.fixture
def landings(journal: Journal) -> Evening:
    """Bea goes first, and her first die is worth 50."""
    evening = Evening(journal, "end-zone")
    evening.land(1, Landed(value=5, zone=1))
    evening.land(2, Landed(value=3, zone=1))
    evening.land(3, Landed(value=5, zone=10))
    evening.write(CloseUpNote(f"{evening.game_id}/3-2.jpg"))
    return evening


def test_each_landing_is_told_with_player_call_and_close_up(landings: Evening) -> None:
    first, _, third = landings.throws()
    assert (first.throw, first.player, first.words, first.landing) == (1, "Ann", "rolls 5", 1)
    assert (third.player, third.words, third.standing, third.reading) == ("Bea", "5 × 10 = 50", "counts", 3)
    assert third.evidence == f"{landings.game_id}/3-2.jpg"
    assert third.at == "2026-11-23T18:00:04.000Z"


def test_a_ruling_is_told_with_who_when_and_what_it_changed(landings: Evening) -> None:
    landings.throws()
    landings.write(Refereed(landed=Landed(value=5, zone=20), reason="seen", landing=3), by=CLEO)
    third = landings.throws()[2]
    assert third.words == "5 × 20 = 100"
    (word,) = third.said
    assert (word.kind, word.text, word.by) == ("ruled", "5 × 20 = 100 (seen)", "the referee Cleo")
    assert (word.at, word.changed) == ("2026-11-23T18:00:06.000Z", "Ann stays; Bea 50 -> 100.")
    landings.write(Undo(), by=CLEO)
    third = landings.throws()[2]
    assert (third.words, third.ruled, third.said[-1].kind) == ("5 × 10 = 50", "", "undone")
    assert third.said[-1].changed == "Ann stays; Bea 100 -> 50."


def test_two_rulings_of_one_landing_are_taken_back_by_their_names(landings: Evening) -> None:
    for zone, reason in ((20, "seen"), (5, "film")):
        landings.write(Refereed(landed=Landed(value=5, zone=zone), reason=reason, landing=3), by=CLEO)
    landings.write(Undo(), Undo())
    third = landings.throws()[2]
    assert [word.text for word in third.said[2:]] == [
        "taken back: 5 × 5 = 25 (film)",
        "taken back: 5 × 20 = 100 (seen)",
    ]


def test_a_landing_that_was_confirmed_says_so(landings: Evening) -> None:
    landings.write(Refereed(landed=Landed(value=5, zone=10), reason="confirmed", landing=3), by=CLEO)
    assert [word.kind for word in landings.throws()[2].said] == ["confirmed"]


def test_a_question_waits_until_it_is_answered_and_by_whom(landings: Evening) -> None:
    landings.write(LandingReading(sight=landings.sight(4), question=CLOSE))
    assert [(each.standing, each.asked) for each in landings.throws()[3:]] == [("asked", CLOSE.text)]
    answer = (AnswerNote("a third party says 5"), Landed(value=4, zone=10), Ruled(zone=5, by="a third party"))
    landings.write(*answer, by=CLEO)
    fourth = landings.throws()[3]
    assert (fourth.standing, fourth.words, fourth.landing) == ("counts", "4 × 5 = 20", 4)
    assert [(word.kind, word.text, word.by) for word in fourth.said] == [
        ("answered", "a third party says 5", "the referee Cleo")
    ]


def test_a_throw_that_was_asked_about_and_taken_back_does_not_count(landings: Evening) -> None:
    landings.write(LandingReading(sight=landings.sight(4), question=CLOSE))
    landings.write(PressRow("undo", "short"), by=CLEO)
    landings.write(LandingReading(sight=landings.sight(5), question=CLOSE))
    landings.land(6, Landed(value=2, zone=1))
    assert [each.standing for each in landings.throws()[3:]] == ["undone", "undone", "counts"]
    landings.write(PressRow("undo", "short"), Undo())
    assert [(each.standing, each.landing) for each in landings.throws()[3:]] == [("undone", 0)] * 3


def test_rolls_are_told_with_what_they_were_corrected_to_and_why_one_did_not_count(journal: Journal) -> None:
    evening = Evening(journal, "tray")
    dice = (Die("pip", 4), Die("pip", 1))
    evening.write(DiceReading(picture=f"{evening.game_id}/1.jpg"), RefusedNote("A hand touched a die."))
    evening.write(DiceReading(picture=f"{evening.game_id}/2.jpg"), Rolled(dice=dice))
    evening.write(DiceReading(picture=f"{evening.game_id}/3.jpg", asks="What do they show?"))
    assert [each.standing for each in evening.throws()] == ["refused", "counts", "asked"]
    evening.write(CorrectionNote(""), Rolled(dice=dice[:1]))
    corrected = (CorrectionNote("a thumb"), Corrected(dice=dice, reason="a thumb"))
    evening.write(*corrected, by=CLEO)
    refused, counts, last = evening.throws()
    assert refused.asked == "A hand touched a die."
    assert (counts.words, counts.reading, counts.roll) == ("4 and 1", 2, 1)
    assert (last.words, last.roll, [word.kind for word in last.said]) == (
        "4 and 1",
        2,
        ["answered", "corrected"],
    )
    assert (last.said[1].text, last.said[1].by) == ("4 and 1 (a thumb)", "the referee Cleo")


def test_an_older_roll_is_told_with_its_correction_and_what_that_changed(journal: Journal) -> None:
    evening = Evening(journal, "tray")
    for number, value in enumerate((4, 1, 2), 1):
        picture = f"{evening.game_id}/{number}.jpg"
        evening.write(DiceReading(picture=picture), Rolled(dice=(Die("pip", value),)))
    right = Corrected(dice=(Die("pip", 6),), reason="film", roll=1)
    evening.write(CorrectionNote("film"), right, by=CLEO)
    first, second, third = evening.throws()
    assert [(each.roll, each.words, each.dice) for each in (first, second, third)] == [
        (1, "6", (("pip", 6),)),
        (2, "1", (("pip", 1),)),
        (3, "2", (("pip", 2),)),
    ]
    (word,) = first.said
    assert (word.kind, word.text, word.by) == ("corrected", "6 (film)", "the referee Cleo")
    assert word.changed == "Ann 6 -> 8; Bea stays."
    evening.write(Undo(), by=CLEO)
    first = evening.throws()[0]
    assert (first.words, first.dice, first.said[-1].kind) == ("4", (("pip", 4),), "undone")
    evening.write(Undo(), by=CLEO)
    assert [each.roll for each in evening.throws()] == [1, 2, 0]


def test_older_throws_come_page_by_page_and_every_throw_once(journal: Journal) -> None:
    evening = Evening(journal, "tray")
    for number in range(1, 76):
        evening.write(DiceReading(picture=f"{evening.game_id}/{number}.jpg"), Rolled(dice=(Die("pip", 3),)))
    found, before = list[int](), 0
    while page := evening.log.show(evening.game_id, before).throws:
        found += [each.throw for each in page]
        before = page[-1].throw
        if before == 1:
            break
    assert found == list(range(75, 0, -1))


def test_a_long_game_is_read_on_from_where_it_was_read_to(landings: Evening) -> None:
    asked: list[int] = []
    journal = landings.journal

    def rows(game_id: int, after: int) -> tuple[Entry, ...]:
        asked.append(after)
        return journal.rows(game_id, after)

    log = KeptThrows(journal.game, rows)
    log.show(landings.game_id)
    landings.land(4, Landed(value=2, zone=1))
    log.show(landings.game_id, anew=False)
    assert log.show(landings.game_id).count == 4
    assert asked == [0, 7]


@pytest.mark.parametrize("dots", [0, 4])
def test_the_log_is_the_same_whatever_is_bet_until_all_bets_are_locked(journal: Journal, dots: int) -> None:
    evening = Evening(journal, "zoinx")
    empty = msgspec.json.encode(evening.log.show(evening.game_id))
    for _ in range(dots):
        evening.write(PressRow("bet1", "short"), RefusedNote("Not now."))
    evening.write(
        DiceReading(picture="1/1.jpg", asks="Which?"), PressRow("bet1", "long"), Bet(player="Ann", dots=dots)
    )
    assert msgspec.json.encode(evening.log.show(evening.game_id)) == empty


def test_a_row_that_cannot_be_played_ends_the_log_with_a_sentence(landings: Evening) -> None:
    landings.write(Landed(value=5, zone=10, player="Nobody"))
    told = landings.log.show(landings.game_id)
    assert told.count == 3
    assert told.trouble.startswith("What came later cannot be told: ")
