"""The journal keeps what happened, in order, for good, and says in words what is wrong with its file."""

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import apsw
import pytest

from device.journal import schema as journal_schema
from device.journal.journal import (
    Journal,
    JournalBroken,
    JournalError,
    Moment,
    NoSuchGame,
    open_reader,
)
from device.journal.rows import EventRow, OtherNote, PressRow, UnknownRow
from engine.events import Bet, Stop, Undo

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
LATER = Moment(datetime(2026, 11, 20, 12, 0, 7, 250_000, tzinfo=UTC), 8250.0)
BET = EventRow(Bet(player="Ann", dots=6))
STOP = EventRow(Stop())


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(tmp_path / "journal.db") as opened:
        yield opened


def test_a_game_comes_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = journal.begin("zoinx", ["Ann", "Zoë"], {"edition": "gamewright"}, NOON)
        assert journal.append(game, [PressRow("bet1", "short"), BET], NOON) == 2
        assert journal.append(game, [STOP], LATER) == 3
    with Journal.open(path) as journal:
        record = journal.game(game)
        assert (record.game, record.players) == ("zoinx", ("Ann", "Zoë"))
        assert record.options == {"edition": "gamewright"}
        assert (record.begun, record.begun_steady_ms) == ("2026-11-20T12:00:00.000Z", 1000.0)
        assert (record.ended, record.cause, record.rows) == (None, "", 3)
        rows = journal.rows(game)
        assert [(row.seq, row.kind, row.body, row.row) for row in rows] == [
            (1, "press", {"button": "bet1", "kind": "short"}, PressRow("bet1", "short")),
            (2, "event", {"event": "bet", "player": "Ann", "dots": 6}, BET),
            (3, "event", {"event": "stop"}, STOP),
        ]
        assert (rows[2].at, rows[2].steady_ms) == ("2026-11-20T12:00:07.250Z", 8250.0)


def test_the_writer_syncs_every_commit_and_checks_its_references(journal: Journal) -> None:
    assert journal._db.pragma("journal_mode") == "wal"
    assert journal._db.pragma("synchronous") == 2, "FULL"
    assert journal._db.pragma("foreign_keys") == 1
    with pytest.raises(apsw.ConstraintError, match="FOREIGN KEY"):
        journal._db.execute("INSERT INTO entries VALUES (7, 1, '', 0, 'note', '{}', x'00')")


def test_rows_of_an_unknown_game_are_refused_and_nothing_stays_open(journal: Journal) -> None:
    with pytest.raises(NoSuchGame, match="no game 1 in"):
        journal.append(1, [STOP], NOON)
    with pytest.raises(NoSuchGame):
        journal.rows(1)
    with pytest.raises(NoSuchGame):
        journal.end(1, "stopped", NOON)
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    with pytest.raises(ValueError, match="JSON compliant"):
        journal.append(game, [STOP, OtherNote({"edge_mm": float("nan")})], NOON)
    assert journal.rows(game) == ()
    assert journal.append(game, [STOP], NOON) == 1


def test_what_happened_is_never_changed_or_deleted(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    journal.append(game, [BET], NOON)
    for statement in ("DELETE FROM entries", "UPDATE entries SET body = '{}'", "DELETE FROM games"):
        with pytest.raises(apsw.ConstraintError, match="never"):
            journal._db.execute(statement)
    assert journal.rows(game)[0].row == BET


def test_a_moment_knows_its_time_zone() -> None:
    with pytest.raises(ValueError, match="time zone"):
        Moment(datetime(2026, 11, 20, 12, 0), 0.0)  # noqa: DTZ001 - the very mistake
    with pytest.raises(ValueError, match="finite"):
        Moment(datetime(2026, 11, 20, tzinfo=UTC), float("inf"))
    evening = datetime(2026, 11, 20, 18, 30, tzinfo=timezone(timedelta(hours=1)))
    assert Moment(evening, 0.0).iso == "2026-11-20T17:30:00.000Z"


def test_a_row_of_no_known_kind_is_refused(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    with pytest.raises(JournalError, match="does not work"):
        journal.append(game, [STOP, UnknownRow("roll", {}, "")], NOON)  # type: ignore[arg-type]
    assert journal.rows(game) == ()


def test_the_game_to_go_on_with_is_the_newest_if_it_is_unfinished(journal: Journal) -> None:
    assert journal.unfinished() is None
    first = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    assert journal.unfinished() == journal.unfinished("zoinx", ["Ann", "Bob"]) == first
    assert journal.unfinished("tray") is None
    assert journal.unfinished(players=["Bob", "Ann"]) is None
    second = journal.begin("tray", ["Ann"], {}, NOON)
    assert journal.unfinished() == second
    assert journal.unfinished("zoinx") is None, "another game was begun since"
    journal.end(second, "put away", NOON)
    assert journal.unfinished() is None


def test_an_ending_comes_with_its_event_and_an_undo_takes_it_back(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    journal.append(game, [STOP], NOON, ended="Ann has 34")
    assert (journal.game(game).ended, journal.game(game).cause) == (NOON.iso, "Ann has 34")
    journal.end(game, "again", LATER)
    journal.append(game, [OtherNote({})], LATER)
    assert (journal.game(game).ended, journal.game(game).cause) == (NOON.iso, "Ann has 34")
    journal.append(game, [EventRow(Undo())], LATER, ended="")
    assert journal.game(game).ended is None
    assert journal.unfinished() == game


def test_several_threads_may_write_and_look(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)

    def play(player: int) -> list[int]:
        last = []
        for step in range(20):
            rows = [OtherNote({"player": player, "step": step, "part": part}) for part in range(2)]
            last.append(journal.append(game, rows, NOON))
            journal.rows(game)
        return last

    with ThreadPoolExecutor(4) as threads:
        lasts = list(threads.map(play, range(4)))
    assert sorted(last for each in lasts for last in each) == list(range(2, 162, 2))
    rows = journal.rows(game)
    for player, each in enumerate(lasts):
        for step, last in enumerate(each):
            wanted = [{"player": player, "step": step, "part": part} for part in range(2)]
            assert [row.body for row in rows[last - 2 : last]] == wanted


def test_looking_does_not_disturb_the_writer(journal: Journal) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    wal = journal.path.with_name("journal.db-wal")
    with open_reader(journal.path) as reader:
        size, content = wal.stat().st_size, journal.path.read_bytes()
        for number in range(1, 4):
            journal.append(game, [STOP], NOON)
            assert len(reader.rows(game)) == number, "a reader sees what was acknowledged"
        with pytest.raises(apsw.ReadOnlyError):
            reader._db.execute("DELETE FROM upkeep")
    assert wal.stat().st_size > size, "and leaves the WAL to the writer"
    assert journal.path.read_bytes() == content
    journal.append(game, [STOP], NOON)


def test_looking_after_a_power_cut_finds_the_rows_of_the_wal(journal: Journal, tmp_path: Path) -> None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    journal.append(game, [STOP], NOON)
    left = tmp_path / "left"
    left.mkdir()
    for name in ("journal.db", "journal.db-wal"):
        (left / name).write_bytes((tmp_path / name).read_bytes())
    with open_reader(left / "journal.db") as reader:
        assert len(reader.rows(game)) == 1
    assert (left / "journal.db-wal").read_bytes() == (tmp_path / "journal.db-wal").read_bytes()


def test_looking_for_a_journal_that_is_not_there_makes_none(tmp_path: Path) -> None:
    with pytest.raises(JournalBroken, match="there is no journal at"):
        open_reader(tmp_path / "journal.db")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "journal.db").touch()
    with pytest.raises(JournalBroken, match="still empty"):
        open_reader(tmp_path / "journal.db")


@pytest.mark.parametrize("opened", [Journal.open, open_reader], ids=["box", "tool"])
class TestWrongFiles:
    """Each is refused with cause and fix, and is left as it was."""

    def refused(self, opened: object, path: Path, words: str) -> None:
        before = path.read_bytes() if path.is_file() else None
        with pytest.raises(JournalBroken, match=words):
            opened(path)  # type: ignore[operator]
        assert (path.read_bytes() if path.is_file() else None) == before

    def test_a_letter(self, opened: object, tmp_path: Path) -> None:
        (tmp_path / "journal.db").write_text("Dear Ann, " * 300, encoding="ascii")
        self.refused(opened, tmp_path / "journal.db", "no journal but some other file")

    def test_another_programs_database(self, opened: object, tmp_path: Path) -> None:
        apsw.Connection(str(tmp_path / "journal.db")).execute("CREATE TABLE birds(name)")
        self.refused(opened, tmp_path / "journal.db", "another program's database")

    def test_a_newer_form(self, opened: object, tmp_path: Path) -> None:
        Journal.open(tmp_path / "journal.db").close()
        apsw.Connection(str(tmp_path / "journal.db")).pragma("user_version", 3)
        self.refused(opened, tmp_path / "journal.db", "has form 3, and this Callbox knows form 2")

    def test_a_folder(self, opened: object, tmp_path: Path) -> None:
        (tmp_path / "journal.db").mkdir()
        self.refused(opened, tmp_path / "journal.db", "cannot be (opened|read)")

    def test_a_sqlite_that_damages_files(
        self, opened: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        Journal.open(tmp_path / "journal.db").close()
        monkeypatch.setattr(apsw, "sqlite_lib_version", lambda: "3.46.1")
        self.refused(opened, tmp_path / "journal.db", r"SQLite 3\.46\.1, which can damage")


def test_a_journal_without_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(JournalBroken, match="Its folder must exist"):
        Journal.open(tmp_path / "nowhere" / "journal.db")


needs_rights = pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")


@needs_rights
def test_a_file_that_may_only_be_read_is_refused(tmp_path: Path) -> None:
    Journal.open(tmp_path / "journal.db").close()
    (tmp_path / "journal.db").chmod(stat.S_IRUSR)
    with pytest.raises(JournalBroken, match="may only be read"):
        Journal.open(tmp_path / "journal.db")


@needs_rights
def test_a_backup_on_a_read_only_disk_can_be_looked_at(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as journal:
        journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with open_reader(tmp_path / "journal.db") as reader:
            assert len(reader.games()) == 1
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_the_oldest_allowed_sqlite_is_the_mended_one() -> None:
    assert journal_schema.OLDEST_SQLITE == (3, 51, 3)
