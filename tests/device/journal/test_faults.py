"""A disk that fails at any write or sync, once or for good: the journal keeps all of a step or none."""

import shutil
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import apsw
import pytest

from device.journal.journal import Journal, JournalBroken, JournalError, JournalFull, Moment, open_reader
from device.journal.rows import OtherNote, Row

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
DISK = "failing disk"
STEPS = 4
"""Appends per game. Each is three rows of 1.5 kB: more than one page of the file, so that it can tear."""


class Disk(apsw.VFS):
    """SQLite's own file layer, on which the `fail_at`-th change of any file fails."""

    def __init__(self, error: type[apsw.Error]) -> None:
        super().__init__(DISK, base="")
        self.error = error
        self.changes = 0
        self.fail_at = 0
        self.for_good = False
        self.failures = 0

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return File(self, name, flags)

    def change(self) -> None:
        self.changes += 1
        if self.fail_at and (self.changes == self.fail_at or (self.for_good and self.changes > self.fail_at)):
            self.failures += 1
            raise self.error

    def excepthook(self, *error: object) -> None:  # type: ignore[override]
        """SQLite has the error code by now; nothing is to be printed."""


class File(apsw.VFSFile):
    """A file on the failing disk; a write that fails has put half of its bytes there."""

    def __init__(self, disk: Disk, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self.disk = disk

    def xWrite(self, data: bytes, offset: int) -> None:  # type: ignore[override,unused-ignore]  # noqa: N802 - SQLite gives bytes
        try:
            self.disk.change()
        except apsw.Error:
            super().xWrite(data[: len(data) // 2], offset)
            raise
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: ARG002, N802
        self.disk.change()  # a kill does not ask for the real thing, and the tests are ten times as fast

    def xTruncate(self, size: int) -> None:  # noqa: N802
        self.disk.change()
        super().xTruncate(size)

    def excepthook(self, *error: object) -> None:  # type: ignore[override]
        """SQLite has the error code by now; nothing is to be printed."""


@pytest.fixture(params=[apsw.FullError, apsw.IOError], ids=["full", "worn out"])
def disk(request: pytest.FixtureRequest) -> Iterator[Disk]:
    made = Disk(request.param)
    yield made
    made.unregister()


@pytest.fixture(autouse=True)
def short_wal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Folding the WAL into the file is to fail as well."""
    monkeypatch.setattr("device.journal.journal.WAL_PAGES", 4)


def step(number: int) -> list[Row]:
    return [OtherNote({"step": number, "part": part, "fill": "x" * 1500}) for part in range(3)]


def steps_in(path: Path) -> list[int]:
    """The steps that stand in the journal, each checked to be whole; the file checked to be sound."""
    with Journal.open(path) as journal:
        assert journal._db.pragma("integrity_check") == "ok"
        rows = journal.rows(1)
    found = [row.body["step"] for row in rows]
    assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
    assert [(row.body["step"], row.body["part"]) for row in rows] == [
        (number, part) for number in dict.fromkeys(found) for part in range(3)
    ]
    return list(dict.fromkeys(found))


def copied(path: Path, folder: Path) -> Path:
    """The files as a kill at this moment would leave them."""
    folder.mkdir()
    for each in (path, path.with_name(path.name + "-wal")):
        if each.exists():
            shutil.copy(each, folder / each.name)
    return folder / path.name


def play(journal: Journal, disk: Disk) -> tuple[list[int], list[int]]:
    """Append every step, twice where the first try fails; returns the steps taken and those refused."""
    taken: list[int] = []
    refused: list[int] = []
    for number in range(STEPS):
        for last_try in (False, True):
            try:
                journal.append(1, step(number), NOON)
            except JournalFull:
                if last_try:
                    refused.append(number)
            else:
                taken.append(number)
                break
    return taken, refused


def changes_of_a_game(folder: Path, disk: Disk) -> int:
    folder.mkdir()
    with Journal.open(folder / "journal.db", vfs=DISK) as journal:
        journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
        before = disk.changes
        play(journal, disk)
        return disk.changes - before


@pytest.mark.long
@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
def test_every_write_and_sync_of_an_append_may_fail(tmp_path: Path, disk: Disk, for_good: bool) -> None:
    total = changes_of_a_game(tmp_path / "well", disk)
    assert total >= 2 * STEPS, "every append writes and syncs"
    disk.for_good = for_good
    for nth in range(1, total + 1):
        folder = tmp_path / str(nth)
        folder.mkdir()
        path = folder / "journal.db"
        disk.fail_at = 0
        with Journal.open(path, vfs=DISK) as journal:
            journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
            disk.fail_at, disk.failures = disk.changes + nth, 0
            taken, refused = play(journal, disk)
            assert disk.failures, "the fault was met"
            # The box is killed here: what was acknowledged is there, and in its order.
            assert steps_in(copied(path, folder / "killed"))[: len(taken)] == taken
            if not for_good:
                assert taken == list(range(STEPS)), "the second try of each step succeeds, without a restart"
            disk.fail_at = 0
            again = [number for number in refused if journal.append(1, step(number), NOON)]
            assert again == refused, "once the disk is well again, everything can be written"
            assert [row.body["step"] for row in journal.rows(1)[::3]] == taken + refused
        assert steps_in(path) == taken + refused, "and a refused try has left nothing behind"


def test_a_refused_step_does_not_come_back_after_a_kill(tmp_path: Path, disk: Disk) -> None:
    """The last sync of a commit fails when all its pages already stand in the WAL."""
    total = changes_of_a_game(tmp_path / "well", disk) // STEPS
    for nth in range(1, total + 1):
        folder = tmp_path / str(nth)
        folder.mkdir()
        path = folder / "journal.db"
        disk.fail_at = 0
        with Journal.open(path, vfs=DISK) as journal:
            journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
            disk.fail_at = disk.changes + nth
            try:
                journal.append(1, step(0), NOON)
            except JournalFull:
                assert steps_in(copied(path, folder / "killed")) == []


def test_making_the_file_may_fail_at_every_change(tmp_path: Path, disk: Disk) -> None:
    for nth in count(1):
        folder = tmp_path / str(nth)
        folder.mkdir()
        path = folder / "journal.db"
        disk.fail_at, disk.failures = disk.changes + nth, 0
        with suppress(JournalError):
            Journal.open(path, vfs=DISK).close()
        disk.fail_at = 0
        with Journal.open(path) as journal:
            assert journal.begin("zoinx", ["Ann", "Bob"], {}, NOON) == 1
        if not disk.failures:
            break
    assert nth > 5


def test_a_full_disk_says_cause_and_fix(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
        journal._db.pragma("max_page_count", journal._db.pragma("page_count"))
        with pytest.raises(JournalFull, match=r"is full.*all before it is safe\. Make room"):
            [journal.append(game, step(number), NOON) for number in count()]
        kept = journal.rows(game)
        journal._db.pragma("max_page_count", 100_000)
        assert journal.append(game, step(99), NOON) == len(kept) + 3
        assert journal._db.execute("SELECT failed_writes FROM upkeep").get == 1


def test_a_damaged_file_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        game = journal.begin("zoinx", ["Ann", "Bob"], {}, NOON)
        for number in range(20):
            journal.append(game, step(number), NOON)
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(byte ^ 0x5A for byte in content[4096:])
    path.write_bytes(content)
    with pytest.raises(JournalBroken, match="damaged"), open_reader(path) as reader:
        reader.rows(game)
