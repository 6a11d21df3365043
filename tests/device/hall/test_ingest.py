"""What the desk believes, keeps and answers; and what it tells of boxes that are not as they should be."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest

from device.hall.ingest import HallTable, Heard, Ingest, wall_now
from device.hall.ledger import Invitation, KnownBox, Ledger, NotTaken, results_of_all
from device.journal.journal import Journal
from device.journal.outbox import HeldGame, OutBatch, Outbox
from device.journal.records import Moment
from device.journal.rows import OtherNote
from device.venue.membership import key_of
from device.venue.messages import FORM, BoxHealth, BoxHello, DeskAnswer, seal, topic
from tests.waiting import eventually

AT = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.25)
FIRST = HeldGame()


class Answers:
    """Keeps what the desk says."""

    def __init__(self) -> None:
        self.said: list[DeskAnswer] = []

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        assert key is not None, "boxes believe nothing without their key"
        assert where.endswith("/told"), "boxes hear nothing else"
        assert not retain, "an old answer would be wrong"
        self.said.append(msgspec.json.decode(body, type=DeskAnswer))
        return True


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(tmp_path / "desk")
    yield ledger
    ledger.close()


def paired(ledger: Ledger, name: str = "Table 1") -> KnownBox:
    """A box that came with an invitation."""
    ledger.invite(Invitation("id", "code", name, 10.0))
    found = ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
    assert found is not None
    return found[1]


def played(path: Path, notes: int, *, over: bool = False) -> OutBatch:
    """A batch of all that a box told of a game with so many notes."""
    path.parent.mkdir(exist_ok=True)
    with Journal.open(path) as journal:
        game = journal.unfinished() or journal.begin("tray", ("Ann", "Bea"), {}, AT)
        for number in range(journal.game(game).rows, notes):
            journal.append(game, [OtherNote({"step": number})], AT)
        if over:
            journal.end(game, "played", AT)
        batch = Outbox(path).next({})
    assert batch is not None
    return batch


def bodies(ledger: Ledger, box: KnownBox) -> list[object]:
    return [entry.body["step"] for entry in ledger.entries(box.id, 1)]


def test_doubled_rows_are_kept_once_and_rows_after_a_gap_wait(ledger: Ledger, tmp_path: Path) -> None:
    box, whole = paired(ledger), played(tmp_path / "journal.db", 5)
    late = msgspec.structs.replace(whole, first=4, rows=whole.rows[3:])
    with ledger.transaction():
        assert ledger.take(box.id, late)[0].rows == 0, "rows 1 to 3 are missing"
        assert ledger.take(box.id, whole)[1] == 5
        assert ledger.take(box.id, whole)[1] == 0
        assert ledger.take(box.id, late)[1] == 0
    assert bodies(ledger, box) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("what", ["row", "line", "ending"])
def test_what_does_not_follow_the_chain_is_not_taken(ledger: Ledger, tmp_path: Path, what: str) -> None:
    box, batch = paired(ledger), played(tmp_path / "journal.db", 3, over=True)
    assert batch.ending is not None
    changes: dict[str, dict[str, Any]] = {
        "row": {"rows": (*batch.rows[:2], msgspec.structs.replace(batch.rows[2], body='{"step":9}'))},
        "line": {"game": msgspec.structs.replace(batch.game, players='["Eve","Bea"]')},
        "ending": {"ending": msgspec.structs.replace(batch.ending, cause="Eve wins")},
    }
    with ledger.transaction(), pytest.raises(NotTaken, match="not as it was written"):
        ledger.take(box.id, msgspec.structs.replace(batch, **changes[what]))
    assert ledger.held(box.id).get(1, FIRST).rows == 0
    with ledger.transaction():
        assert ledger.take(box.id, batch)[0].rows == 3


def test_a_copied_card_is_noticed_by_its_rows(ledger: Ledger, tmp_path: Path) -> None:
    box = paired(ledger)
    card, second = tmp_path / "card", tmp_path / "copy"
    played(card / "journal.db", 2)
    shutil.copytree(card, second)
    with Journal.open(second / "journal.db") as copy:
        copy.append(1, [OtherNote({"step": "another"})], AT)
        other = Outbox(second / "journal.db").next({})
    assert other is not None
    with ledger.transaction():
        ledger.take(box.id, played(card / "journal.db", 3))
        with pytest.raises(NotTaken, match=r"row 3 .* its card is a copy"):
            ledger.take(box.id, other)
    assert bodies(ledger, box) == [0, 1, 2]


def test_an_ending_that_was_taken_back_is_taken_back_here(ledger: Ledger, tmp_path: Path) -> None:
    box, path = paired(ledger), tmp_path / "journal.db"
    with ledger.transaction():
        ledger.take(box.id, played(path, 2, over=True))
    assert ledger.records(box.id)[0].ended
    with Journal.open(path) as journal:
        journal.append(1, [OtherNote({"step": 2})], AT, ended="")
        batch = Outbox(path).next(ledger.held(box.id))
    assert batch is not None
    with ledger.transaction():
        ledger.take(box.id, batch)
    assert ledger.records(box.id)[0].ended is None
    assert Outbox(path).next(ledger.held(box.id)) is None


def test_results_name_the_table_and_count_as_a_box_does(ledger: Ledger, tmp_path: Path) -> None:
    box = paired(ledger, "=Table 4")
    with ledger.transaction():
        ledger.take(box.id, played(tmp_path / "journal.db", 2))
    head, *lines = results_of_all(ledger).splitlines()
    assert head.startswith("\ufefftable,evening,game_id,game,")
    assert [line.split(",")[:4:3] for line in lines] == [["'=Table 4", "Dice tray"]] * 2


class Desk:
    """A ingest that is given each message by the test itself."""

    def __init__(self, ledger: Ledger) -> None:
        self.answers, self.admitted = Answers(), [0]
        self.ingest = Ingest(ledger, self.answers, lambda boxes: self.admitted.append(len(boxes)))
        self.ingest.meet()

    def hear(self, box: KnownBox, what: str, said: msgspec.Struct | bytes, key: bytes | None = None) -> None:
        body = said if isinstance(said, bytes) else msgspec.json.encode(said)
        where = topic(box.id, what)
        code = seal(key or key_of(box.secret), where, body)
        self.ingest._take_in([Heard(box.id, what, where, body, code)])

    def troubles(self) -> str:
        return " ".join(text for line in self.ingest.lines(-1) for text in line.troubles)


def health(run: str, *, behind_s: float = 0.0, online: bool = True) -> BoxHealth:
    return BoxHealth(run, online, (wall_now() - timedelta(seconds=behind_s)).isoformat())


def test_one_write_serves_what_has_come_meanwhile(ledger: Ledger) -> None:
    box, desk = paired(ledger), Desk(ledger)
    where, body = topic(box.id, "health"), msgspec.json.encode(health("a"))
    desk.ingest.start()
    for _ in range(200):
        desk.ingest.hear(where, body, seal(key_of(box.secret), where, body))
    eventually(lambda: desk.ingest.counts["messages"] == 200, "all are heard")
    desk.ingest.stop()
    assert desk.ingest.counts["writes"] < 100


def test_a_batch_is_on_the_disk_before_it_is_acknowledged(ledger: Ledger, tmp_path: Path) -> None:
    box = paired(ledger)
    desk = Desk(ledger)
    desk.hear(box, "hello", BoxHello("a", "0.2"))
    desk.hear(box, "rows", played(tmp_path / "journal.db", 3))
    assert [answer.whole for answer in desk.answers.said] == [True, False]
    assert desk.answers.said[-1].held == ledger.held(box.id)
    assert ledger.held(box.id)[1].rows == 3


def test_a_message_without_the_key_is_told_and_not_believed(ledger: Ledger, tmp_path: Path) -> None:
    box, other = paired(ledger), paired(ledger, "Table 2")
    desk = Desk(ledger)
    desk.hear(box, "rows", played(tmp_path / "journal.db", 3), key=key_of(other.secret))
    assert not ledger.held(box.id)
    assert not desk.answers.said
    assert "1 messages as Table 1 came without its key, and were not believed." in desk.troubles()


def test_two_boxes_with_one_identity_are_told(ledger: Ledger) -> None:
    box = paired(ledger)
    desk = Desk(ledger)
    for run in ("a", "b"):
        desk.hear(box, "hello", BoxHello(run, "0.2"))
        desk.hear(box, "health", health(run))
    assert "Two boxes" not in desk.troubles(), "a box that was started anew is no second one"
    desk.hear(box, "health", health("a", online=False))
    assert "Two boxes" not in desk.troubles(), "nor is the broker's late word that the first start is over"
    desk.hear(box, "health", health("a"))
    assert "Two boxes use the name Table 1" in desk.troubles()


def test_a_wrong_clock_a_newer_box_and_one_that_left_are_told(ledger: Ledger) -> None:
    box = paired(ledger)
    desk = Desk(ledger)
    assert "Table 1 is not connected" in desk.troubles()
    desk.hear(box, "health", health("a", behind_s=3 * 3600))
    assert desk.troubles() == "The clock of Table 1 is 3 hours behind: scores count, their times do not."
    desk.hear(box, "health", health("a"))
    assert not desk.troubles()
    desk.hear(box, "hello", BoxHello("a", "9.1", form=FORM + 1))
    assert "its Callbox 9.1 is newer than this desk" in desk.troubles()
    assert desk.answers.said[-1].refused
    desk.hear(box, "state", b'{"stage": 7}')
    assert "is not understood here" in desk.troubles()


def state(text: str, ask: str = "landing") -> bytes:
    return msgspec.json.encode({"stage": "playing", "ask": ask, "message": {"text": text}, "more": 1})


def test_who_waited_first_stands_first_even_after_the_desk_was_started_anew(ledger: Ledger) -> None:
    boxes = [paired(ledger, f"Table {number}") for number in (1, 2)]
    desk = Desk(ledger)
    for box in reversed(boxes):
        desk.hear(box, "state", state("Too close to call."))
    again = Desk(ledger)
    for box in boxes:
        again.hear(box, "state", state("Too close to call."))
    since = {line.name: line.waits_since for line in again.ingest.lines(-1)}
    assert since["Table 2"] < since["Table 1"]  # type: ignore[operator]
    again.hear(boxes[1], "state", state("", ask=""))
    assert [line.waits for line in again.ingest.lines(-1)] == ["Too close to call.", ""]


def test_a_revoked_box_is_known_no_more_and_what_it_told_stays(ledger: Ledger, tmp_path: Path) -> None:
    box = paired(ledger)
    desk = Desk(ledger)
    desk.hear(box, "rows", played(tmp_path / "journal.db", 3))
    with ledger.transaction():
        assert ledger.revoke("Table 1")
    desk.ingest.meet()
    assert desk.admitted[-1] == 0
    desk.hear(box, "rows", played(tmp_path / "journal.db", 4))
    assert bodies(ledger, box) == [0, 1, 2]


def test_an_invitation_is_good_once_and_not_for_ever(ledger: Ledger) -> None:
    first = paired(ledger)
    assert ledger.take_up("id", 5.0, "") is None, "it was used"
    ledger.invite(Invitation("late", "code", "Table 1", 10.0))
    assert ledger.take_up("late", 11.0, "") is None, "an hour is over"
    second = paired(ledger)
    assert [(each.id, each.revoked) for each in ledger.boxes()] == [(first.id, True), (second.id, False)]


def test_a_silent_box_is_told_by_its_time() -> None:
    table = HallTable("t1", "Table 1")
    table.hear_health(health("a"), 100.0, wall_now())
    assert table.troubles(120.0) == ()
    assert table.troubles(160.0) == ("Table 1 has been silent for 60 s.",)
