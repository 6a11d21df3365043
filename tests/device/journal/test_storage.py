"""The data folder: where it is, who owns it, and the pictures in it."""

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from device.cli import callbox
from device.journal.journal import Journal
from device.journal.storage import FolderTaken, PictureNotKept, Storage, StorageBroken, data_folder

JPEG = b"\xff\xd8 a picture \xff\xd9"
REPOSITORY = Path(__file__).parents[3]


@pytest.mark.parametrize(
    ("given", "environment", "folder"),
    [
        ("/x", {"CALLBOX_DATA": "/c", "STATE_DIRECTORY": "/s", "HOME": "/h"}, "/x"),
        (None, {"CALLBOX_DATA": "/c", "STATE_DIRECTORY": "/s", "HOME": "/h"}, "/c"),
        (None, {"STATE_DIRECTORY": "/s:/t", "XDG_DATA_HOME": "/x", "HOME": "/h"}, "/s"),
        (None, {"XDG_DATA_HOME": "/x", "HOME": "/h"}, "/x/callbox"),
        (None, {"XDG_DATA_HOME": "relative", "HOME": "/h"}, "/h/.local/share/callbox"),
        (None, {"CALLBOX_DATA": "", "STATE_DIRECTORY": "", "HOME": "/h"}, "/h/.local/share/callbox"),
    ],
)
def test_the_folder_is_the_first_one_named(
    given: str | None, environment: dict[str, str], folder: str
) -> None:
    assert data_folder(given, environment) == Path(folder)


def test_without_any_home_the_folder_must_be_named() -> None:
    with pytest.raises(StorageBroken, match="Name one with --data or CALLBOX_DATA"):
        data_folder(None, {})


def test_one_box_owns_the_folder_and_the_second_hears_who(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down"
    with Storage.open(folder) as storage:
        assert storage.journal_path == folder / "journal.db"
        with pytest.raises(FolderTaken, match=rf"another callbox \(process {os.getpid()}\) runs on {folder}"):
            Storage.open(folder)
    Storage.open(folder).close()


def test_the_second_box_is_another_process(tmp_path: Path) -> None:
    with Storage.open(tmp_path):
        second = subprocess.run(
            [
                sys.executable,
                "-c",
                "import sys; from pathlib import Path; from device.journal.storage import *\n"
                "try: Storage.open(Path(sys.argv[1]))\n"
                "except FolderTaken as taken: print(taken)",
                str(tmp_path),
            ],
            capture_output=True,
            text=True,
            cwd=REPOSITORY,
            check=True,
        )
    assert f"process {os.getpid()}" in second.stdout


def test_a_killed_box_leaves_no_lock(tmp_path: Path) -> None:
    box = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; from pathlib import Path; from device.journal.storage import *\n"
            "storage = Storage.open(Path(sys.argv[1])); print('mine', flush=True); sys.stdin.read()",
            str(tmp_path),
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=REPOSITORY,
    )
    with box:
        assert box.stdout is not None
        assert box.stdout.readline() == b"mine\n"
        with pytest.raises(FolderTaken, match=f"process {box.pid}"):
            Storage.open(tmp_path)
        box.kill()
    with Storage.open(tmp_path):
        assert (tmp_path / "box.lock").read_text(encoding="ascii") == f"{os.getpid()}\n"


def test_a_file_in_the_way_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    for folder in (tmp_path / "taken", tmp_path / "taken" / "below"):
        with pytest.raises(
            StorageBroken, match=r"is, or lies in, a file and no folder\. Move that file away"
        ):
            Storage.open(folder)


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EROFS, "Read-only file system. Make its disk writable"),
        (errno.ENOSPC, "is full. Make room on it"),
        (errno.EACCES, r"may not write in .*\(chown\)"),
    ],
)
def test_a_disk_that_takes_nothing_is_named(
    number: int, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.raises(StorageBroken, match=words):
        Storage.open(tmp_path / "new")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_of_somebody_else_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(StorageBroken, match=r"may not write in .* \(chown\)"):
            Storage.open(tmp_path / "new")
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_picture_comes_back_by_its_name(tmp_path: Path) -> None:
    with Storage.open(tmp_path) as storage:
        name = storage.keep_picture(12, 3, JPEG)
        assert name == "12/3.jpg"
        assert storage.picture(name) == JPEG
        assert storage.picture("12/4.jpg") is None
        assert storage.keep_picture(12, 3, JPEG * 2) == "12/3-2.jpg", "evidence is not written over"
        assert storage.keep_picture(12, 3, JPEG * 3) == "12/3-3.jpg"
        assert [storage.picture(f"12/3{again}.jpg") for again in ("", "-2", "-3")] == [
            JPEG,
            JPEG * 2,
            JPEG * 3,
        ]
    assert len(list((tmp_path / "pictures" / "12").iterdir())) == 3


@pytest.mark.parametrize(
    "name", ["../journal.db", "12/../../box.lock", "/etc/passwd", "12/3.png", "", "12/3.jpg\n"]
)
def test_only_pictures_have_picture_names(name: str, tmp_path: Path) -> None:
    with Storage.open(tmp_path) as storage:
        storage.keep_picture(12, 3, JPEG)
        assert storage.picture(name) is None


def test_a_picture_is_durable_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """File synced, then renamed, then the folder synced: in any other order a power cut leaves it empty."""
    done: list[str] = []
    real_sync, real_replace = os.fsync, Path.replace

    def sync(handle: int) -> None:
        done.append(f"sync {Path(f'/proc/self/fd/{handle}').readlink().name}")
        real_sync(handle)

    def replace(self: Path, target: Path) -> Path:
        done.append(f"{self.name} -> {target.name}")
        return real_replace(self, target)

    with Storage.open(tmp_path) as storage:
        monkeypatch.setattr(os, "fsync", sync)
        monkeypatch.setattr(Path, "replace", replace)
        storage.keep_picture(12, 3, JPEG)
    assert done == ["sync pictures", "sync .3.jpg.part", ".3.jpg.part -> 3.jpg", "sync 12"]


@pytest.mark.parametrize("call", ["sync of the file", "naming", "sync of the folder"])
def test_a_picture_that_the_disk_does_not_take_leaves_nothing(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, "No space left on device")
    real_sync = os.fsync

    def sync(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode) == (call == "sync of the folder"):
            raise full
        real_sync(handle)

    def replace(self: Path, target: Path) -> Path:
        raise full

    with Storage.open(tmp_path) as storage:
        storage.keep_picture(1, 1, JPEG)
        with monkeypatch.context() as broken:
            if call == "naming":
                broken.setattr(Path, "replace", replace)
            else:
                broken.setattr(os, "fsync", sync)
            with pytest.raises(PictureNotKept, match=r"No space left.*the game goes on\. Make room"):
                storage.keep_picture(1, 2, JPEG)
        assert [path.name for path in (tmp_path / "pictures" / "1").iterdir()] == ["1.jpg"]
        assert storage.keep_picture(1, 2, JPEG) == "1/2.jpg"


def test_half_written_pictures_are_swept_when_the_box_starts(tmp_path: Path) -> None:
    with Storage.open(tmp_path) as storage:
        storage.keep_picture(1, 1, JPEG)
    (tmp_path / "pictures" / "1" / ".2.jpg.part").write_bytes(JPEG[:4])
    with Storage.open(tmp_path) as storage:
        assert storage.picture("1/1.jpg") == JPEG
    assert [path.name for path in (tmp_path / "pictures" / "1").iterdir()] == ["1.jpg"]


def kept_games(folder: Path) -> list[int]:
    return sorted(int(each.name) for each in (folder / "pictures").iterdir() if each.name.isdecimal())


def test_old_games_pictures_go_first_and_the_running_ones_never(tmp_path: Path) -> None:
    with Storage.open(tmp_path) as storage:
        (tmp_path / "pictures" / "holiday").mkdir()
        for game in range(1, 11):
            storage.keep_picture(game, 1, b"x" * 100_000)
        finished = {1, 3, 4, 10}
        assert storage.trim_pictures(finished, 9, cap_mb=1.0) == ()
        assert storage.trim_pictures(finished, 9, cap_mb=0.75) == (1, 3, 4)
        assert kept_games(tmp_path) == [2, 5, 6, 7, 8, 9, 10]
        assert storage.trim_pictures(finished, 9, cap_mb=0.5) == (10, 2), (
            "finished ones before those broken off"
        )
        assert storage.trim_pictures(finished, 9, cap_mb=0) == (5, 6, 7, 8)
        assert kept_games(tmp_path) == [9]
        assert storage.picture("9/1.jpg") is not None
    assert (tmp_path / "pictures" / "holiday").is_dir()


def test_what_a_box_makes_is_for_its_user_alone(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with Storage.open(tmp_path / "box") as storage, Journal.open(storage.journal_path):
            files = [path for path in storage.folder.iterdir() if path.is_file()]
            assert {path.name for path in files} >= {
                "journal.db",
                "journal.db-wal",
                "journal.mark",
                "box.lock",
            }
            assert {
                path.name: oct(path.stat().st_mode & 0o077) for path in files if path.stat().st_mode & 0o077
            } == {}
            assert storage.folder.stat().st_mode & 0o777 == 0o700
    finally:
        os.umask(before)


def test_a_box_that_is_started_by_hand_keeps_its_files_to_itself(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        CliRunner().invoke(callbox, ["play", "--camera", str(tmp_path / "none"), "--data", str(tmp_path)])
        (tmp_path / "file").touch()
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)
