"""The data folder: where journal and pictures live, who owns it, and the pictures that were read.

How it works. One running box owns the folder by a lock that the kernel takes back when the box ends, however
it ends. A picture is on the disk, under its final name, before the journal row that names it; one that the
disk does not take is given up with a sentence, and the game goes on without it: the score comes first.
"""

import errno
import fcntl
import os
import re
import shutil
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Self

from calibration.durable import sync_folder, write_whole
from engine.wording import phrase

# Brings what lies in `restore/new` of a data folder into its place, whole or not at all.
#
# What is there before goes into a folder of its own, `aside/restored-1` and so on. Nothing is moved before
# `restore/ready` is on the disk; from then on every start of a box goes on with the moves until all are
# done. So a power cut leaves the old state whole, or brings about the new one.

BELONGS = ("journal.db-shm", "journal.db-wal", "journal.mark")
"""What goes with a journal, and must not be taken for part of another one."""

ORDER = {"journal.db": 1, "journal.mark": 2}
"""What is moved after all else."""


def new_folder(folder: Path) -> Path:
    """An empty folder for what is to be brought in; raises OSError."""
    shutil.rmtree(folder / "restore", ignore_errors=True)
    made = folder / "restore" / "new"
    made.mkdir(parents=True)
    return made


def free_folder(folder: Path, prefix: str = "") -> Path:
    """The first of `aside/1`, `aside/2` and so on that is not there yet, made; raises OSError."""
    home = folder / "aside"
    made = next(each for each in (home / f"{prefix}{number}" for number in count(1)) if not each.exists())
    made.mkdir(parents=True)
    for each in (home, folder):
        sync_folder(each)
    return made


def swap(folder: Path, aside: Path, spent: Path | None = None) -> None:
    """Bring in what lies in `restore/new`; the old state goes to `aside`. Raises OSError.

    `spent`, a file in the data folder, is removed in the same step: it called for this swap. Whoever calls
    owns the folder (`Storage.open`), and has synced what is new.
    """
    told = [aside.name, *([str(spent.relative_to(folder))] if spent else [])]
    write_whole(folder / "restore" / "ready", "\n".join(told).encode())
    sync_folder(folder / "restore")
    finish(folder)


def finish(folder: Path) -> None:
    """Go on with a swap that was cut off; one that had not begun is forgotten. Raises OSError."""
    home = folder / "restore"
    ready = home / "ready"
    if not home.exists():
        return
    if ready.exists():
        name, *spent = ready.read_text(encoding="ascii").split("\n")
        aside = folder / "aside" / name
        # The journal last: as long as its new one waits, all that is called like its old one is old. Only
        # its new mark comes after it.
        for new in sorted((home / "new").iterdir(), key=lambda each: ORDER.get(each.name, 0)):
            belongs = BELONGS if new.name == "journal.db" else ()
            for old in (*(folder / name for name in belongs), folder / new.name):
                if old.exists():
                    old.rename(aside / old.name)
            sync_folder(aside)
            new.rename(folder / new.name)
            sync_folder(folder)
        for each in spent:
            (folder / each).unlink(missing_ok=True)
            sync_folder((folder / each).parent)
        ready.unlink()
        sync_folder(home)
    shutil.rmtree(home)


PICTURES_CAP_MB = 500
"""Together, all games' pictures may fill this much before old ones go: about 2500 readings."""

LEAST_FREE_MB = 16
"""Where less of the disk is free, films and pictures go: the journal of a long evening takes some 10."""

_GAME = re.compile(r"[1-9][0-9]{0,17}")
_NAME = re.compile(r"[1-9][0-9]{0,17}/[0-9]{1,18}(-[0-9]{1,6})?\.jpg")


class StorageBroken(Exception):
    """The data folder cannot be used. `str(error)` names cause and fix."""


class FolderTaken(StorageBroken):
    """Another box runs on this data folder."""


class PictureNotKept(Exception):
    """The disk did not take a picture. The game goes on without it."""


def data_folder(given: str | Path | None, environment: Mapping[str, str]) -> Path:
    """Where the data lives: `given`, else $CALLBOX_DATA, systemd's $STATE_DIRECTORY, ~/.local/share/callbox.

    Raises `StorageBroken` where none of them says anything.
    """
    if given:
        return Path(given)
    if named := environment.get("CALLBOX_DATA"):
        return Path(named)
    if states := environment.get("STATE_DIRECTORY"):
        return Path(states.split(":")[0])
    shared = environment.get("XDG_DATA_HOME", "")
    if shared.startswith("/"):  # the XDG rules: a relative one counts as unset
        return Path(shared) / "callbox"
    if home := environment.get("HOME"):
        return Path(home) / ".local/share/callbox"
    raise StorageBroken(
        phrase("no folder for the journal: this user has no home. Name one with --data or CALLBOX_DATA.")
    )


def journal_path(folder: Path) -> Path:
    """The journal's file in a data folder."""
    return folder / "journal.db"


def lessons_path(folder: Path) -> Path:
    """The folder of pictures to learn from, in a data folder."""
    return folder / "lessons"


class Storage:
    """A data folder that this process owns until `close`."""

    def __init__(self, folder: Path, lock: int) -> None:
        """Takes over an open, locked file; use `Storage.open`."""
        self._folder = folder
        self._lock: int | None = lock
        self._pictures = folder / "pictures"

    @classmethod
    def open(cls, folder: Path) -> Self:
        """Make the folder where needed and own it; raises `FolderTaken`, `StorageBroken`."""
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock = os.open(folder / "box.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise StorageBroken(_folder_words(folder, error)) from error
        try:
            _own(lock, folder)
            finish(folder)  # a backup that was being brought back when the power went
            _make_pictures(folder)
            sync_folder(folder)
        except BaseException as error:
            os.close(lock)
            if isinstance(error, OSError):
                raise StorageBroken(_folder_words(folder, error)) from error
            raise
        storage = cls(folder, lock)
        storage._sweep()
        return storage

    @property
    def folder(self) -> Path:
        """The data folder."""
        return self._folder

    @property
    def lessons(self) -> Path:
        """Where `device.lessons.lessons` keeps pictures to learn from."""
        return lessons_path(self._folder)

    @property
    def films(self) -> Path:
        """Where `device.films` keeps the films of throws."""
        return self._folder / "films"

    @property
    def journal_path(self) -> Path:
        """Where `device.journal.journal.Journal` keeps its file."""
        return journal_path(self._folder)

    def close(self) -> None:
        """Let the folder go. May be called twice."""
        if self._lock is not None:
            os.close(self._lock)  # the kernel drops the lock with it
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def keep_picture(self, game_id: int, reading_id: int, jpeg: bytes) -> str:
        """Store the picture of a reading and return its name for the journal ("12/3.jpg") once it is durable.

        A picture that stands is evidence and is never written over: a second one is "12/3-2.jpg".
        Raises `PictureNotKept`; then nothing of it is left, and the reading is journalled without a picture.
        """
        try:
            name = self._free_name(f"{game_id}/{reading_id}")
            self._write(self._pictures / name, jpeg)
        except OSError as error:
            raise PictureNotKept(
                phrase(
                    "the picture of this reading is not kept ({strerror}); the game goes on. Make room "
                    "on the disk with {folder}, or fix its permissions.",
                    strerror=error.strerror,
                    folder=self._folder,
                )
            ) from error
        return name

    def _write(self, path: Path, jpeg: bytes) -> None:
        """Write a picture that is not there yet; raises OSError, and then it is not there."""
        if not path.parent.is_dir():
            path.parent.mkdir(parents=True)
            sync_folder(self._pictures)
        try:
            write_whole(path, jpeg)
            sync_folder(path.parent)
        except OSError:
            with suppress(OSError):
                path.unlink()
            raise

    def _free_name(self, stem: str) -> str:
        """The first of stem.jpg, stem-2.jpg, ... that is not taken."""
        names = (f"{stem}{f'-{again}' if again > 1 else ''}.jpg" for again in count(1))
        return next(name for name in names if not (self._pictures / name).exists())

    def picture(self, name: str) -> bytes | None:
        """A kept picture's JPEG, by its name; None when it is not, or no longer, kept."""
        if not _NAME.fullmatch(name):
            return None
        try:
            return (self._pictures / name).read_bytes()
        except OSError:
            return None

    @property
    def last_game(self) -> int:
        """The highest number of a game that has pictures; 0 when none has."""
        return max((game for game, _ in self._games()), default=0)

    def trim_pictures(
        self, finished: Collection[int], running: int | None, cap_mb: float = PICTURES_CAP_MB
    ) -> tuple[int, ...]:
        """Delete whole games' pictures until the rest is at most `cap_mb`; returns those games.

        The oldest of `finished` go first, then the oldest that were broken off; never the `running` one's.
        """
        sizes = {game: _size_bytes(folder) for game, folder in self._games()}
        total = sum(sizes.values())
        gone: list[int] = []
        for game in sorted(sizes, key=lambda game: (game not in finished, game)):
            if total <= cap_mb * 1e6:
                break
            if game == running:
                continue
            shutil.rmtree(self._pictures / str(game), ignore_errors=True)
            total -= sizes[game]
            gone.append(game)
        return tuple(gone)

    def make_room(self, least_mb: float = LEAST_FREE_MB) -> int:
        """Delete the box's oldest films, then its oldest pictures, until so much of the disk is free.

        The pictures of the newest game stay. Returns how many files went: the journal comes first.
        """
        newest = str(self.last_game)
        pictures = [path for path in _by_age(self._pictures, "*/*.jpg") if path.parent.name != newest]
        gone = 0
        for path in (*_by_age(self.films, "*/*.mp4"), *pictures):
            room = os.statvfs(self._folder)
            if room.f_bavail * room.f_frsize >= least_mb * 1e6:
                break
            with suppress(OSError):
                path.unlink()
                gone += 1
            with suppress(OSError):  # the last one of a game takes the folder with it
                path.parent.rmdir()
        return gone

    def _games(self) -> list[tuple[int, Path]]:
        """The games that have pictures, with their folders."""
        try:
            return [(int(each.name), each) for each in self._pictures.iterdir() if _GAME.fullmatch(each.name)]
        except OSError:
            return []

    def _sweep(self) -> None:
        """Remove pictures that a power cut left half written."""
        for _, folder in self._games():
            for part in folder.glob("*.part"):
                with suppress(OSError):
                    part.unlink()


def _by_age(folder: Path, pattern: str) -> list[Path]:
    """Files of games, those of the oldest game first."""
    found = [path for path in folder.glob(pattern) if _GAME.fullmatch(path.parent.name)]
    return sorted(found, key=lambda path: (int(path.parent.name), len(path.name), path.name))


def _own(lock: int, folder: Path) -> None:
    """Take the lock, and leave our number in it for whoever comes second."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        owner = os.pread(lock, 32, 0).decode("ascii", "replace").strip()
        text = phrase(
            "another callbox runs on {folder}. Stop it, or give this one a folder of its own with --data.",
            folder=folder,
        )
        if owner.isdecimal():
            text = phrase(
                "another callbox (process {number}) runs on {folder}. Stop it, or give this one a folder of "
                "its own with --data.",
                number=owner,
                folder=folder,
            )
        raise FolderTaken(text) from error
    # The number is a courtesy for the sentence above; on a full disk the lock alone must do.
    with suppress(OSError):
        os.ftruncate(lock, 0)
        os.pwrite(lock, f"{os.getpid()}\n".encode("ascii"), 0)


def _make_pictures(folder: Path) -> None:
    """The folder of pictures; a full disk may do without it."""
    try:
        (folder / "pictures").mkdir(exist_ok=True)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise


def _size_bytes(folder: Path) -> int:
    total = 0
    with suppress(OSError):
        for each in folder.iterdir():
            total += each.stat().st_size
    return total


def _folder_words(folder: Path, error: OSError) -> str:
    """Why a folder cannot be ours."""
    if isinstance(error, FileExistsError | NotADirectoryError):
        return phrase(
            "{folder} is, or lies in, a file and no folder. Move that file away, "
            "or name another folder with --data.",
            folder=folder,
        )
    if isinstance(error, PermissionError):
        return phrase(
            "this user may not write in {folder}. Give it to this user (chown), or "
            "name another folder with --data.",
            folder=folder,
        )
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return phrase(
            "the disk with {folder} is full. Make room on it, or name another folder with --data.",
            folder=folder,
        )
    return phrase(
        "{folder} cannot be used: {strerror}. Make its disk writable, or name another folder with --data.",
        folder=folder,
        strerror=error.strerror,
    )
