"""Damage to a journal is told, with what is still whole; the damaged file is put aside, never written to.

FLIPS in the environment says how many single bits are flipped in each file.
"""

import os
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import apsw
import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.journal import Journal, JournalError, Moment, RowBroken, open_or_put_aside
from device.journal.chain import mark_path, read_mark
from device.journal.journal import open_reader
from device.journal.rows import EventRow, OtherNote, PressRow, Row
from device.journal.schema import APPLICATION_ID
from device.journal.trouble import JournalDamaged
from device.journal.verify import verify
from engine.events import Bet, Stop

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000)
FLIPS = int(os.environ.get("FLIPS") or 300)
Told = dict[int, tuple[object, ...]]
"""What a journal tells: of each game its record and rows."""


def rows_of(number: int) -> list[Row]:
    """One step of a game."""
    bet = EventRow(Bet(player="Zoë", dots=2 * (number % 6)))
    return [PressRow("bet1", "long"), bet, OtherNote({"said": "applause", "step": number})]


def play(journal: Journal) -> None:
    """A game that has ended, one that was put away, and one that goes on."""
    for number, cause in ((1, "Zoë wins."), (2, "put away for another game"), (3, "")):
        game = journal.begin("zoinx", ["Zoë", "Ben"], {"edition": "game-factory"}, NOON)
        for step in range(4):
            journal.append(game, rows_of(number + step), NOON)
        if cause:
            journal.append(game, [EventRow(Stop())], NOON, ended=cause)


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """The journal of a box that has ended well."""
    path = tmp_path / "box" / "journal.db"
    path.parent.mkdir()
    with Journal.open(path) as journal:
        play(journal)
    return path


@pytest.fixture
def killed(tmp_path: Path) -> Path:
    """The journal of a box that was killed: the newest rows stand in the WAL alone."""
    path = tmp_path / "killed" / "journal.db"
    path.parent.mkdir()
    with Journal.open(tmp_path / "journal.db") as journal:
        play(journal)
        for name in ("journal.db", "journal.db-wal", "journal.mark"):
            shutil.copy(tmp_path / name, path.parent / name)
    return path


def tells(path: Path) -> Told:
    """All that it tells."""
    with open_reader(path) as reader:
        return {record.id: (record, *reader.rows(record.id)) for record in reader.games()}


def is_told(path: Path, before: Told) -> bool:
    """Whether damage is told; where none is, everything is as it was."""
    try:
        verdict = verify(path)
    except JournalError:
        return True
    if not verdict.damages:
        assert tells(path) == before
    return bool(verdict.damages or verdict.remarks)


def flipped(path: Path, folder: Path, name: str, at_bit: int) -> Path:
    """A copy of the whole folder, in which that bit of that file is another."""
    copy = folder / "journal.db"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(path.parent, folder, ignore=shutil.ignore_patterns("*-shm"))
    content = bytearray((folder / name).read_bytes())
    content[at_bit // 8] ^= 1 << at_bit % 8
    (folder / name).write_bytes(content)
    return copy


def bits_of(file: Path, seed: int) -> Iterator[int]:
    """Some bits of a file."""
    rng = Random(seed)
    yield from (rng.randrange(8 * file.stat().st_size) for _ in range(FLIPS))


def test_a_whole_journal_is_said_to_be_whole(closed: Path, killed: Path) -> None:
    for path in (closed, killed):
        verdict = verify(path)
        assert (verdict.damages, verdict.remarks) == ([], [])
        assert (len(verdict.games), verdict.rows) == (3, 38)


@pytest.mark.long
def test_any_bit_that_flips_in_a_closed_journal_is_told(closed: Path, tmp_path: Path) -> None:
    before = tells(closed)
    for bit in bits_of(closed, seed=1):
        assert is_told(flipped(closed, tmp_path / "copy", "journal.db", bit), before), f"bit {bit}"


@pytest.mark.long
def test_any_bit_that_flips_in_a_mark_is_told(closed: Path, tmp_path: Path) -> None:
    before = tells(closed)
    mark = mark_path(closed).read_bytes()
    used = [at for at in range(len(mark)) if mark[at]]
    for at in used[::5]:
        assert is_told(flipped(closed, tmp_path / "copy", "journal.mark", 8 * at + at % 8), before)


@pytest.mark.long
def test_a_bit_that_flips_in_a_killed_boxs_files_changes_no_history_in_silence(
    killed: Path, tmp_path: Path
) -> None:
    before = tells(killed)
    told = sum(
        is_told(flipped(killed, tmp_path / "copy", name, bit), before)
        for name in ("journal.db", "journal.db-wal")
        for bit in bits_of(killed.with_name(name), seed=2)
    )
    assert told > FLIPS // 2, "what stands in the WAL alone is most of it"


@pytest.mark.parametrize("left", [0, 1, 3, 6])
def test_a_wal_that_is_cut_is_told(killed: Path, left: int) -> None:
    wal = killed.with_name("journal.db-wal")
    wal.write_bytes(wal.read_bytes()[: 32 + left * 4120] if left else b"")
    try:
        damages = verify(killed).damages
    except JournalError as error:
        damages = [str(error)]
    assert damages


@pytest.fixture
def young(tmp_path: Path) -> Path:
    """The journal of a box's first evening, killed: nothing of it was folded out of the WAL yet."""
    path = tmp_path / "young" / "journal.db"
    path.parent.mkdir()
    with Journal.open(tmp_path / "journal.db") as journal:
        game = journal.begin("zoinx", ["Zoë", "Ben"], {}, NOON)
        journal.append(game, rows_of(1), NOON)
        for name in ("journal.db", "journal.db-wal", "journal.mark"):
            shutil.copy(tmp_path / name, path.parent / name)
    return path


def bit_flipped(at: int) -> Callable[[bytes], bytes]:
    """One bit of that byte is another."""
    return lambda wal: wal[:at] + bytes([wal[at] ^ 1]) + wal[at + 1 :]


@pytest.mark.parametrize(
    "spoil",
    [None, lambda _: b"", lambda wal: wal[:20], bit_flipped(1), bit_flipped(17)],
    ids=["gone", "empty", "cut", "magic", "salt"],
)
def test_a_first_evening_that_is_lost_with_its_wal_is_told(
    young: Path, spoil: Callable[[bytes], bytes] | None
) -> None:
    wal = young.with_name("journal.db-wal")
    if spoil is None:
        wal.unlink()
    else:
        wal.write_bytes(spoil(wal.read_bytes()))
    assert verify(young).damages == ["game 1 was begun, and the newest whole one is game 0"]
    with pytest.raises(JournalDamaged, match="game 1 was begun"):
        Journal.open(young)
    opened = open_or_put_aside(young, last_number=0)
    opened.journal.close()
    assert "game 1 was begun, and the newest whole one is game 0" in opened.put_aside


def test_a_journal_of_no_tables_whose_mark_knows_of_games_is_told(young: Path) -> None:
    young.with_name("journal.db-wal").unlink()
    young.unlink()
    apsw.Connection(str(young)).pragma("journal_mode", "wal")
    with pytest.raises(JournalDamaged, match="is empty or gone, and 1 games were in it"):
        verify(young)
    with pytest.raises(JournalDamaged, match="is empty or gone"):
        Journal.open(young)
    assert "1 games were in it" in open_or_put_aside(young, last_number=0).put_aside


@pytest.mark.parametrize("left", [0, 400, 3000, 4100, 4607])
def test_a_mark_that_is_cut_is_told(killed: Path, left: int) -> None:
    mark = mark_path(killed)
    mark.write_bytes(mark.read_bytes()[:left])
    assert verify(killed).remarks


def test_the_last_row_of_all_is_told_when_it_is_missing(killed: Path) -> None:
    wal = killed.with_name("journal.db-wal")
    frames = (wal.stat().st_size - 32) // 4120
    wal.write_bytes(wal.read_bytes()[: 32 + (frames - 1) * 4120])
    verdict = verify(killed)
    assert verdict.damages == ["rows 10 to 12 of game 3 are missing"]
    assert verdict.whole == "2 games and the first 9 rows of game 3"


def test_a_row_that_was_taken_out_is_told_with_what_is_whole(closed: Path) -> None:
    connection = apsw.Connection(str(closed))
    connection.execute("DROP TRIGGER entries_stay; DELETE FROM entries WHERE game_id = 2 AND seq = 5")
    connection.close()
    verdict = verify(closed)
    assert "row 5 of game 2 was changed, or is missing" in verdict.damages
    assert verdict.whole == "2 games and the first 4 rows of game 2"
    with open_reader(closed) as reader, pytest.raises(RowBroken, match=r"row 5 of game 2 .* is missing"):
        reader.rows(2)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        ('UPDATE games SET players = \'["Zoe", "Ben"]\' WHERE id = 2', "the line of game 2 was changed"),
        ("UPDATE games SET cause = 'Ben wins.' WHERE id = 1", "the ending of game 1 was changed"),
        ("UPDATE games SET ended = NULL, cause = '' WHERE id = 1", "the ending of game 1 was changed"),
        (
            "PRAGMA foreign_keys = off; DROP TRIGGER games_stay; DELETE FROM games WHERE id = 2",
            "no such game",
        ),
        ("DROP TRIGGER entries_stay", "its tables are not those"),
    ],
)
def test_what_was_changed_is_named(closed: Path, spoil: str, says: str) -> None:
    connection = apsw.Connection(str(closed))
    connection.execute(spoil)
    connection.close()
    assert any(says in damage for damage in verify(closed).damages)


def test_a_mark_that_is_one_write_behind_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
        mark = mark_path(path).read_bytes()
        journal.append(3, rows_of(9), NOON, ended="Zoë wins.")
        mark_path(path).write_bytes(mark)
        assert verify(path).damages == []


def test_a_lost_mark_is_said_and_made_anew(closed: Path) -> None:
    mark_path(closed).unlink()
    assert any("missing" in remark for remark in verify(closed).remarks)
    Journal.open(closed).close()
    assert verify(closed).remarks == []


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b""), Path.unlink], ids=["empty", "gone"])
def test_a_journal_of_no_bytes_begins_no_new_game_1(closed: Path, spoil: Callable[[Path], object]) -> None:
    spoil(closed)
    with pytest.raises(JournalDamaged, match="is empty or gone, and 3 games were in it"):
        verify(closed)
    opened = open_or_put_aside(closed, last_number=3)
    with opened.journal as journal:
        assert "3 games" in opened.put_aside
        assert journal.begin("zoinx", ["Zoë", "Ben"], {}, NOON) == 4


def test_what_is_whole_goes_on_and_the_rest_is_kept_as_it_was_found(closed: Path) -> None:
    before = tells(closed)
    connection = apsw.Connection(str(closed))
    connection.execute("DROP TRIGGER entries_keep")
    connection.execute("UPDATE entries SET body = replace(body, '8', '6') WHERE game_id = 3 AND seq = 5")
    connection.close()
    spoilt = closed.read_bytes()
    opened = open_or_put_aside(closed, last_number=3)
    with opened.journal as journal:
        assert "row 5 of game 3 was changed" in opened.put_aside
        assert "Whole of it, and still there: 2 games and the first 4 rows of game 3." in opened.put_aside
        assert journal.unfinished() == 3
        assert journal.rows(3) == before[3][1:5]
        journal.append(3, rows_of(7), NOON)
    assert (closed.parent / "aside" / "1" / "journal.db").read_bytes() == spoilt
    assert verify(closed).damages == []
    now = tells(closed)
    assert (now[1], now[2]) == (before[1], before[2])


def test_the_journal_of_a_killed_box_is_put_aside_with_its_wal_unchanged(killed: Path) -> None:
    wal = killed.with_name("journal.db-wal")
    content = bytearray(wal.read_bytes())
    content[-2000] ^= 4
    wal.write_bytes(content)
    before = {name: killed.with_name(name).read_bytes() for name in ("journal.db", "journal.db-wal")}
    opened = open_or_put_aside(killed, last_number=0)
    opened.journal.close()
    assert "of game 3 are missing" in opened.put_aside
    for name, was in before.items():
        assert (killed.parent / "aside" / "1" / name).read_bytes() == was


def test_a_journal_of_the_first_form_is_chained_and_kept_as_it_was(closed: Path) -> None:
    before = tells(closed)
    connection = apsw.Connection(str(closed))
    connection.execute("DROP TRIGGER entries_keep")
    for table, column in (("games", "hash"), ("games", "end_hash"), ("entries", "hash")):
        connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
    connection.execute(
        "CREATE TRIGGER entries_keep BEFORE UPDATE ON entries "
        "BEGIN SELECT raise(ABORT, 'what happened is never changed'); END"
    )
    connection.pragma("user_version", 1)
    connection.close()
    mark_path(closed).unlink()
    assert tells(closed) == before
    opened = open_or_put_aside(closed, last_number=3)
    opened.journal.close()
    assert opened.put_aside == ""
    assert verify(closed).damages == []
    assert tells(closed) == before
    kept = apsw.Connection(str(closed.parent / "aside" / "form-1" / "journal.db"))
    assert (kept.pragma("application_id"), kept.pragma("user_version")) == (APPLICATION_ID, 1)


def test_verify_on_the_command_line(closed: Path) -> None:
    def call() -> tuple[int, str]:
        found = CliRunner().invoke(callbox, ["verify", "--data", str(closed.parent)])
        assert found.exception is None or isinstance(found.exception, SystemExit)
        return found.exit_code, found.output

    with Journal.open(closed) as journal:
        journal.append(3, rows_of(1), NOON)
        assert call() == (0, f"{closed}: 3 games, every row as it was written.\n")
    connection = apsw.Connection(str(closed))
    connection.execute("UPDATE games SET cause = 'Ben wins.' WHERE id = 1")
    connection.close()
    status, said = call()
    assert status == 1
    assert "The ending of game 1 was changed.\n" in said
    assert "Whole: 2 games and the first 13 rows of game 1.\n" in said
    closed.write_bytes(b"")
    assert call()[0] == 1


def test_verify_counts_no_press_of_a_running_game(closed: Path) -> None:
    """How often a dial was pressed for a secret bet could be read off the number of rows."""

    def call() -> str:
        return CliRunner().invoke(callbox, ["verify", "--data", str(closed.parent)]).output

    with Journal.open(closed) as journal:
        before = call()
        journal.append(3, [PressRow("bet1", "short")], NOON)
        assert call() == before


def test_the_mark_is_of_the_last_write(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with Journal.open(path) as journal:
        play(journal)
        mark, trouble = read_mark(mark_path(path))
        assert trouble == ""
        assert mark is not None
        assert (mark.games, mark.game, mark.rows, mark.end) == (3, 3, 12, "")
        journal.end(1, "again", NOON)
        mark, _ = read_mark(mark_path(path))
        assert mark is not None
        assert (mark.games, mark.game, mark.rows) == (3, 1, 13)
        assert mark.end
