"""Backups: of a running box, whole or refused, and brought back so that a power cut leaves one whole
state."""

import zipfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from device.backup import BackupError, bring_back, look_into, pack
from device.backup.packing import FORM, MANIFEST
from device.cli import callbox
from device.journal import Journal, Moment, Storage, StorageBroken
from device.journal.journal import open_reader
from device.journal.rows import OtherNote
from device.journal.verify import verify

NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000)
SECRETS = ("pins.json", "people.json", "key.pem", "callbox.toml", "aside/1/journal.db", "box.lock")
TAUGHT = ("table.json", "dice.json", "shapes.json")


def filled(folder: Path, games: int) -> Path:
    """A data folder with so many games, a picture of each, and what a backup has to leave out."""
    folder.mkdir(parents=True)
    with Storage.open(folder) as storage, Journal.open(storage.journal_path) as journal:
        for number in range(1, games + 1):
            game = journal.begin("zoinx", ["Zoë", "Ben"], {"edition": "game-factory"}, NOON)
            journal.append(game, [OtherNote({"said": f"step {number}"})], NOON)
            storage.keep_picture(game, 1, f"picture {number} of {games}".encode())
    (folder / "table.json").write_text(f'"the table of {games}"')
    (folder / "dice.json").write_text(f'"dice of {games}"')
    (folder / "shapes.json").write_text(f'"shapes of {games}"')
    for name in SECRETS[:5]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"secret of {games}")
    film = folder / "films" / "1" / "1.mp4"
    film.parent.mkdir(parents=True)
    film.write_bytes(b"a film")
    return folder


def state(folder: Path) -> tuple[object, ...]:
    """All of a box that a backup is about."""
    with open_reader(folder / "journal.db") as reader:
        games = tuple((game, reader.rows(game.id)) for game in reader.games())
    kept = [*(folder / "pictures").rglob("*.jpg"), *(folder / name for name in TAUGHT)]
    return games, {path.relative_to(folder): path.read_bytes() for path in kept}


@pytest.fixture
def old(tmp_path: Path) -> Path:
    return filled(tmp_path / "old", 3)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return filled(tmp_path / "box", 2)


@pytest.fixture
def backup(old: Path, tmp_path: Path) -> Path:
    pack(old, tmp_path / "backup.zip", NOON.utc)
    return tmp_path / "backup.zip"


def test_a_backup_holds_games_and_what_was_learnt_and_no_secret(backup: Path, old: Path) -> None:
    contents = look_into(backup)
    assert contents.games == 3
    pictures = {f"pictures/{game}/1.jpg" for game in (1, 2, 3)}
    assert set(contents.files) == {"journal.db", *TAUGHT} | pictures
    assert backup.stat().st_mode & 0o077 == 0, "nobody else may read it"
    for name in SECRETS:
        assert (old / name).exists()
        assert name not in zipfile.ZipFile(backup).namelist()


def test_films_come_along_when_they_are_asked_for(old: Path, tmp_path: Path) -> None:
    assert "films/1/1.mp4" in pack(old, tmp_path / "films.zip", NOON.utc, films=True).files


def test_what_comes_back_is_what_was_packed_and_the_rest_stays(backup: Path, old: Path, box: Path) -> None:
    before = state(box)
    aside = bring_back(box, backup, look_into(backup))
    assert state(box) == state(old)
    assert state(aside) == before, "what was there is kept"
    for name in SECRETS[:5]:
        assert (box / name).read_text() == "secret of 2"
    assert verify(box / "journal.db").damages == []
    assert not (box / "restore").exists()


def test_the_journal_of_a_running_box_is_copied_whole_at_one_moment(old: Path, tmp_path: Path) -> None:
    with Journal.open(old / "journal.db") as journal:
        game = journal.begin("zoinx", ["Zoë", "Ben"], {"edition": "game-factory"}, NOON)
        journal.append(game, [OtherNote({"said": "in the WAL alone"})], NOON)
        pack(old, tmp_path / "running.zip", NOON.utc)
        journal.append(game, [OtherNote({"said": "too late"})], NOON)
    empty = tmp_path / "empty"
    bring_back(empty, tmp_path / "running.zip", look_into(tmp_path / "running.zip"))
    with open_reader(empty / "journal.db") as reader:
        (row,) = reader.rows(game)
    assert "in the WAL alone" in str(row)
    assert verify(empty / "journal.db").damages == []


def test_a_box_that_was_brought_back_plays_on(backup: Path, box: Path) -> None:
    bring_back(box, backup, look_into(backup))
    with Storage.open(box) as storage, Journal.open(storage.journal_path) as journal:
        assert journal.begin("zoinx", ["Zoë", "Ben"], {"edition": "game-factory"}, NOON) == 4


class PowerCut(BaseException):
    """Nothing of this process goes on."""


def cut_at(step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The power goes before the so-manieth time that something is moved or removed."""
    steps = iter(range(1000))
    rename, replace, unlink = Path.rename, Path.replace, Path.unlink

    def cutting(do: Callable[..., object]) -> Callable[..., object]:
        def did(*words: object, **more: object) -> object:
            if next(steps) == step:
                raise PowerCut
            return do(*words, **more)

        return did

    for name, do in (("rename", rename), ("replace", replace), ("unlink", unlink)):
        monkeypatch.setattr(Path, name, cutting(do))


def test_a_power_cut_at_any_step_leaves_one_whole_state(
    backup: Path, old: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends = []
    for step in range(40):
        box = filled(tmp_path / f"box{step}", 2)
        before, contents = state(box), look_into(backup)
        with monkeypatch.context() as cutting:
            cut_at(step, cutting)
            try:
                bring_back(box, backup, contents)
                break
            except PowerCut:
                pass
        with Storage.open(box):
            pass
        ends.append("old" if state(box) == before else "new" if state(box) == state(old) else "mixed")
        assert verify(box / "journal.db").damages == []
        assert not (box / "restore").exists()
    assert set(ends) == {"old", "new"}
    assert ends == sorted(ends, reverse=True), "old until it was ready, new from then on"
    assert len(ends) > 8, "every move was cut off once"


def test_while_a_box_runs_nothing_is_brought_back(backup: Path, box: Path) -> None:
    with Storage.open(box), pytest.raises(StorageBroken, match="another callbox"):
        bring_back(box, backup, look_into(backup))


def rewritten(backup: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """The backup with other contents."""
    with zipfile.ZipFile(backup) as whole:
        files = {name: whole.read(name) for name in whole.namelist()}
    change(files)
    other = backup.with_name("other.zip")
    with zipfile.ZipFile(other, "w") as whole:
        for name, content in files.items():
            whole.writestr(name, content)
    return other


def manifest(files: dict[str, bytes], **change: object) -> None:
    files[MANIFEST] = msgspec.json.encode(msgspec.json.decode(files[MANIFEST]) | change)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda files: files.pop(MANIFEST), "does not say what is in it"),
        (lambda files: files.update({MANIFEST: b"{}"}), "does not understand"),
        (lambda files: manifest(files, form=FORM + 1), "Update Callbox first"),
        (lambda files: manifest(files, kind="callbox table"), "does not understand"),
        (lambda files: files.update({"../../etc/passwd": b"x"}), "which no backup has"),
        (lambda files: files.update({"pins.json": b"x"}), "which no backup has"),
        (lambda files: files.update({"pictures/9/9.jpg": b"x"}), "does not hold what it says"),
        (lambda files: files.pop("pictures/1/1.jpg"), "does not hold what it says"),
        (lambda files: files.update({"dice.json": b"longer than it says that it is"}), "does not hold"),
    ],
)
def test_what_is_not_understood_is_refused(
    backup: Path, change: Callable[[dict[str, bytes]], None], says: str
) -> None:
    with pytest.raises(BackupError, match=says):
        look_into(rewritten(backup, change))


def test_a_file_that_was_changed_is_found_by_its_hash(backup: Path, box: Path) -> None:
    def change(files: dict[str, bytes]) -> None:
        files["dice.json"] = files["dice.json"].replace(b"3", b"4")

    before, other = state(box), rewritten(backup, change)
    with pytest.raises(BackupError, match=r"dice\.json in the backup is not as it was packed"):
        bring_back(box, other, look_into(other))
    assert state(box) == before


def test_every_cut_or_flipped_byte_is_refused_or_brings_back_the_same(
    backup: Path, old: Path, tmp_path: Path
) -> None:
    content = backup.read_bytes()
    other = tmp_path / "flipped.zip"
    for at in range(0, len(content), max(1, len(content) // 60)):
        box = tmp_path / f"flipped{at}"
        for damaged in (content[:at], content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]):
            other.write_bytes(damaged)
            try:
                bring_back(box, other, look_into(other))
            except BackupError:
                assert not (box / "journal.db").exists()
            else:
                assert state(box) == state(old)
                break


def ran(*words: object, answer: str = "") -> Result:
    return CliRunner().invoke(callbox, [str(word) for word in words], input=answer)


def test_the_commands_say_what_they_do_and_ask(old: Path, box: Path, tmp_path: Path) -> None:
    file, before = tmp_path / "b.zip", state(box)
    made = ran("backup", file, "--data", old)
    assert made.exit_code == 0
    assert "3 games, 7 files" in made.stdout
    assert ran("backup", file, "--data", old, answer="n\n").exit_code == 1, "it is there already"
    asked = ran("restore", file, "--data", box, answer="n\n")
    assert asked.exit_code == 1
    assert "pictures      2 files now, 3 then" in asked.stdout
    assert state(box) == before
    done = ran("restore", file, "--data", box, "--yes")
    assert done.exit_code == 0, done.output
    assert state(box) == state(old)


def test_the_commands_end_in_a_sentence(tmp_path: Path, box: Path) -> None:
    (tmp_path / "no.zip").write_bytes(b"no")
    for words in (
        ("restore", tmp_path / "no.zip", "--data", box, "--yes"),
        ("restore", tmp_path / "none.zip", "--data", box, "--yes"),
        ("backup", tmp_path / "nowhere" / "b.zip", "--data", box),
        ("backup", tmp_path / "b.zip", "--data", tmp_path / "empty"),
    ):
        done = ran(*words)
        assert done.exit_code == 1
        assert isinstance(done.exception, SystemExit)
        assert done.stderr.startswith("callbox ")
