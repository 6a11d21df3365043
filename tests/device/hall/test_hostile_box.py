"""What a hacked or broken box says is set aside and shown with its name; all other tables go on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from device.hall.ledger import Invitation, KnownBox, Ledger, results_of_all
from device.journal.chain import link
from device.journal.outbox import OutBatch
from device.venue.messages import BoxHello
from tests.device.hall.test_ingest import Desk, played

DEEP = b'{"zz":' + b"[" * 5000 + b"]" * 5000 + b"}"
TOPICS = ("state", "health", "hello", "rows", "called")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(tmp_path / "desk")
    yield ledger
    ledger.close()


def paired(ledger: Ledger, name: str) -> KnownBox:
    """A box of that name."""
    ledger.invite(Invitation("id", "code", name, 10.0))
    found = ledger.take_up("id", 5.0, "2026-11-20T12:00:00+00:00")
    assert found is not None
    return found[1]


def assert_goes_on(desk: Desk, ledger: Ledger, path: Path) -> None:
    """Another box is greeted, its rows are held, and they stand in the results."""
    good = paired(ledger, "Good")
    desk.ingest.meet()
    desk.hear(good, "hello", BoxHello("r", "0.3.0"))
    desk.hear(good, "rows", played(path, 3, over=True))
    assert ledger.held(good.id)[1].rows == 3
    assert results_of_all(ledger).count("Good,") == 2
    msgspec.json.encode(desk.ingest.lines())
    assert "Good:" not in desk.troubles()


@pytest.mark.parametrize("what", TOPICS)
@pytest.mark.parametrize(
    "body",
    [DEEP, b'{"run":"\xff","stage":"\xff"}', b"", b"\0\1", b'{"number":%d}' % 2**70, b"[" * 100_000],
    ids=range(6),
)
def test_a_message_that_cannot_be_understood_is_set_aside_with_the_name_of_its_box(
    ledger: Ledger, tmp_path: Path, what: str, body: bytes
) -> None:
    evil = paired(ledger, "Evil")
    desk = Desk(ledger)
    desk.hear(evil, what, body)
    assert "Evil: what it says is not understood here" in desk.troubles()
    assert_goes_on(desk, ledger, tmp_path / "good" / "journal.db")


def forged(batch: OutBatch, game: dict[str, Any], row: dict[str, Any]) -> OutBatch:
    """The batch with other words, and with hashes that follow from these."""
    line = msgspec.structs.replace(batch.game, **game)
    fields = (line.id, line.game, line.players, line.options, line.begun, line.begun_steady_ms)
    head = link(bytes.fromhex(line.before), *fields).hex()
    line = msgspec.structs.replace(line, hash=head)
    rows = []
    for seq, each in enumerate(batch.rows, 1):
        found = msgspec.structs.replace(each, **row)
        head = link(
            bytes.fromhex(head), line.id, seq, found.at, found.steady_ms, found.kind, found.body
        ).hex()
        rows.append(msgspec.structs.replace(found, hash=head))
    return msgspec.structs.replace(batch, game=line, rows=tuple(rows), ending=None)


WRONG_WORDS: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
    ({"players": "xx"}, {}),
    ({"players": "7"}, {}),
    ({"players": '[{"a":1}]'}, {}),
    ({"options": "[]"}, {}),
    ({"options": '{"target":1}'}, {}),
    ({}, {"body": "{not json"}),
    ({}, {"body": "7"}),
    ({}, {"body": "[" * 5000 + "]" * 5000}),
    ({}, {"body": '{"number":' + "9" * 30 + "}"}),
)


@pytest.mark.parametrize(("game", "row"), WRONG_WORDS)
def test_rows_with_a_right_hash_that_cannot_be_read_are_not_taken(
    ledger: Ledger, tmp_path: Path, game: dict[str, Any], row: dict[str, Any]
) -> None:
    evil = paired(ledger, "Evil")
    desk = Desk(ledger)
    desk.hear(evil, "rows", forged(played(tmp_path / "evil" / "journal.db", 3, over=True), game, row))
    assert not ledger.held(evil.id), "not even the game's line"
    assert "cannot be read" in desk.answers.said[-1].refused
    assert "Evil: " in desk.troubles()
    assert_goes_on(desk, ledger, tmp_path / "good" / "journal.db")


UNPLAYABLE: tuple[dict[str, Any], ...] = (
    {"game": "no-such"},
    {"begun": "yesterday"},
    {"players": "[]"},
    {"players": '["Ann","Ann"]'},
    {"game": "ten-thousand", "options": '{"target":"%s"}' % ("1" * 5000)},
    {"id": 2**53 - 1},
)


@pytest.mark.parametrize("game", UNPLAYABLE)
def test_a_game_that_cannot_be_played_again_stands_in_the_results_with_its_reason(
    ledger: Ledger, tmp_path: Path, game: dict[str, Any]
) -> None:
    evil = paired(ledger, "Evil")
    desk = Desk(ledger)
    desk.hear(evil, "rows", forged(played(tmp_path / "evil" / "journal.db", 3, over=True), game, {}))
    assert ledger.held(evil.id)
    assert_goes_on(desk, ledger, tmp_path / "good" / "journal.db")


def test_wrong_rows_that_an_older_desk_took_do_not_end_the_results(ledger: Ledger, tmp_path: Path) -> None:
    evil = paired(ledger, "Evil")
    desk = Desk(ledger)
    desk.hear(evil, "rows", played(tmp_path / "evil" / "journal.db", 3, over=True))
    with ledger.transaction():
        ledger.put("UPDATE games SET players = 'xx', options = '[[' WHERE box = ?", evil.id)
        said = "INSERT INTO entries VALUES (?, 1, 4, '', 0.0, 'note', '{not json', x'00')"
        ledger.put(said, evil.id)
    assert "row 4 of its game 1 cannot be read" in results_of_all(ledger)
    assert_goes_on(desk, ledger, tmp_path / "good" / "journal.db")


def test_a_state_that_is_too_large_does_not_reach_the_pages(ledger: Ledger) -> None:
    evil = paired(ledger, "Evil")
    desk = Desk(ledger)
    desk.hear(evil, "state", msgspec.json.encode({"stage": "playing", "message": {"text": "x" * 1_000_000}}))
    assert "Evil: what it says is not understood here (it has 1000041 bytes" in desk.troubles()
    assert len(msgspec.json.encode(desk.ingest.lines())) < 10_000
