"""What a box tells the venue's desk: rows that may be told, again until they are held, and no secret."""

import io
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from device.journal.journal import Journal
from device.journal.outbox import Diverged, HeldGame, OutBatch, Outbox
from device.journal.records import Moment
from device.journal.rows import EventRow, OtherNote, PressRow
from device.venue.messages import BoxHealth, DeskAnswer
from device.venue.publishing import PATIENCE_S, Publisher, read_snapshots
from engine.events import Bet

AT = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.25)
ISO = "2026-11-20T12:00:00+00:00"


class Broker:
    """Takes everything; answers are brought by the test."""

    def __init__(self) -> None:
        self.is_there = True
        self.said: list[tuple[str, bytes]] = []

    def send(self, where: str, body: bytes, *, key: bytes | None = None, retain: bool = False) -> bool:
        assert key is None, "a box has one key"
        assert retain == where.endswith(("/state", "/health")), "what is so now is kept by the broker"
        self.said.append((where.rpartition("/")[2], body))
        return True

    def is_from_desk(self, where: str, body: bytes, code: str) -> bool:
        return code == "right" and where == "callbox/t1/told" and bool(body)

    def batches(self) -> list[OutBatch]:
        return [msgspec.json.decode(body, type=OutBatch) for what, body in self.said if what == "rows"]


def tell(publisher: Publisher, answer: DeskAnswer, code: str = "right") -> None:
    publisher.hear("callbox/t1/told", msgspec.json.encode(answer), code)


def held(batch: OutBatch) -> HeldGame:
    """What a desk holds once it has taken that batch."""
    head = batch.rows[-1].hash if batch.rows else batch.game.hash
    return HeldGame(batch.first - 1 + len(batch.rows), head, batch.ending.hash if batch.ending else "")


def told_of(folder: Path, dots: int, presses: int, *, revealed: bool = False) -> list[tuple[str, bytes]]:
    """All that leaves a box at which Ann has locked a bet, so many presses after Bea began to choose hers."""
    folder.mkdir()
    broker = Broker()
    with Journal.open(folder / "journal.db") as journal:
        game = journal.begin("zoinx", ("Ann", "Bea"), {}, AT)
        publisher = Publisher(broker, "t1", Outbox(folder / "journal.db"), "run")
        tell(publisher, DeskAnswer(whole=True))
        publisher.look(90.0, ISO)
        tell(publisher, DeskAnswer(held={game: held(broker.batches()[0])}))
        journal.append(game, [EventRow(Bet(player="Ann", dots=dots))], AT)
        for press in range(presses):
            journal.append(game, [PressRow("bet2", "short")], AT)
            publisher.show(b'{"number":1}')
            publisher.look(100.0 + press, ISO)
        if revealed:
            journal.append(game, [EventRow(Bet(player="Bea", dots=2))], AT)
        publisher.show(b'{"number":1}')
        publisher.look(120.0, ISO)
    return broker.said


def test_while_a_bet_is_secret_the_same_bytes_leave_whatever_is_bet(tmp_path: Path) -> None:
    first = told_of(tmp_path / "a", 4, 5)
    assert {what for what, _ in first} == {"state", "health", "rows"}
    assert [told_of(tmp_path / f"{dots}", dots, 5) for dots in (2, 10)] == [first, first]
    rows = [body for what, body in told_of(tmp_path / "b", 4, 9) if what == "rows"]
    assert rows == [body for what, body in first if what == "rows"], "presses are not counted either"


def test_once_all_bets_are_locked_they_are_told_with_the_presses(tmp_path: Path) -> None:
    said = told_of(tmp_path / "a", 4, 3, revealed=True)
    told = [
        row for what, body in said if what == "rows" for row in msgspec.json.decode(body, type=OutBatch).rows
    ]
    assert [row.kind for row in told] == ["event", "press", "press", "press", "event"]


def test_a_dealt_decks_order_leaves_only_after_the_game(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path / "journal.db")
    with Journal.open(tmp_path / "journal.db") as journal:
        game = journal.begin("zonk", ("Ann",), {"deck": "box", "seed": "4711"}, AT)
        assert outbox.next({}) is None
        journal.end(game, "played", AT)
        batch = outbox.next({})
    assert batch is not None
    assert json.loads(batch.game.options)["seed"] == "4711"


@pytest.fixture
def box(tmp_path: Path) -> Callable[[int], tuple[Journal, Publisher, Broker]]:
    """A box with a game of so many notes, at a desk that holds nothing."""

    def make(notes: int) -> tuple[Journal, Publisher, Broker]:
        journal = Journal.open(tmp_path / "journal.db")
        game = journal.begin("tray", ("Ann", "Bea"), {}, AT)
        for number in range(notes):
            journal.append(game, [OtherNote({"step": number})], AT)
        broker = Broker()
        publisher = Publisher(broker, "t1", Outbox(tmp_path / "journal.db"), "run")
        tell(publisher, DeskAnswer(whole=True))
        return journal, publisher, broker

    return make


def test_rows_go_out_in_order_one_batch_after_the_other(
    box: Callable[[int], tuple[Journal, Publisher, Broker]],
) -> None:
    journal, publisher, broker = box(230)
    with journal:
        for step in range(9):
            publisher.look(step * 10.0, ISO)
            if batches := broker.batches():
                tell(publisher, DeskAnswer(held={1: held(batches[-1])}))
    rows = [row for batch in broker.batches() for row in batch.rows]
    assert [json.loads(row.body)["step"] for row in rows] == list(range(230))
    assert [batch.first for batch in broker.batches()] == [1, 101, 201]


def test_what_was_not_acknowledged_is_told_again_once_the_desk_says_where_it_stands(
    box: Callable[[int], tuple[Journal, Publisher, Broker]],
) -> None:
    journal, publisher, broker = box(3)
    with journal:
        publisher.look(0.0, ISO)
        publisher.look(PATIENCE_S - 1, ISO)
        assert len(broker.batches()) == 1, "one at a time"
        publisher.look(PATIENCE_S, ISO)
        assert broker.said[-1][0] == "hello"
        tell(publisher, DeskAnswer(whole=True))
        publisher.look(PATIENCE_S + 1, ISO)
    first, again = broker.batches()
    assert again == first


def test_an_answer_without_the_key_is_not_believed(
    box: Callable[[int], tuple[Journal, Publisher, Broker]],
) -> None:
    journal, publisher, broker = box(3)
    with journal:
        publisher.look(0.0, ISO)
        tell(publisher, DeskAnswer(held={1: held(broker.batches()[0])}), code="wrong")
        journal.append(1, [OtherNote({"step": 3})], AT)
        publisher.look(PATIENCE_S - 1, ISO)
    assert len(broker.batches()) == 1


def test_a_box_whose_older_backup_was_restored_says_so_and_tells_nothing(
    box: Callable[[int], tuple[Journal, Publisher, Broker]],
) -> None:
    journal, publisher, broker = box(3)
    with journal:
        tell(publisher, DeskAnswer(held={1: HeldGame(7, "00" * 32)}, whole=True))
        publisher.look(0.0, ISO)
        publisher.look(50.0, ISO)
        health = [msgspec.json.decode(body, type=BoxHealth) for what, body in broker.said if what == "health"]
        assert "older backup was restored" in health[-1].trouble
        assert not broker.batches()
        with pytest.raises(Diverged, match="Pair the box with the desk again"):
            Outbox(journal.path).next({1: HeldGame(2, "00" * 32)})


def test_nothing_is_said_while_the_broker_is_away_and_the_newest_once_it_is_back(
    box: Callable[[int], tuple[Journal, Publisher, Broker]],
) -> None:
    journal, publisher, broker = box(0)
    with journal:
        broker.is_there = False
        publisher.show(b'{"number":1}')
        publisher.look(0.0, ISO)
        publisher.show(b'{"number":2}')
        publisher.look(1.0, ISO)
        assert not broker.said
        broker.is_there = True
        publisher.join()
        publisher.look(2.0, ISO)
    assert [body for what, body in broker.said if what == "state"] == [b'{"number":2}']


def test_the_stream_of_the_console_is_read_as_a_page_reads_it() -> None:
    shown: list[bytes] = []
    stream = b'event: snapshot\ndata: {"number":1}\n\nevent: beat\ndata:\n\n'
    stream += b'event: snapshot\ndata: {"number":2}\n\n'
    read_snapshots(io.BytesIO(stream), shown.append)
    assert shown == [b'{"number":1}', b'{"number":2}']
