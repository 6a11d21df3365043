"""Brings a backup back: unpacked and checked beside the old state first, then swapped as a whole."""

import hashlib
import os
import shutil
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from calibration.durable import sync_folder
from device.backup.packing import PIECE_BYTES, BackupError, Contents, FileSum
from device.journal.storage import Storage, free_folder, new_folder, swap
from device.journal.trouble import JournalError
from device.journal.verify import verify
from engine.wording import phrase

SPARE = 1.1
"""How much more room has to be free than the files take."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a backup would replace."""

    name: str
    """In the data folder."""
    now: int
    """How many files are there now."""
    then: int
    """How many there would be."""


def would_replace(folder: Path, contents: Contents) -> tuple[Replaced, ...]:
    """What a backup would put into the place of what."""
    tops = sorted({name.partition("/")[0] for name in contents.files})
    return tuple(
        Replaced(
            top,
            _count(folder / top),
            sum(name == top or name.startswith(f"{top}/") for name in contents.files),
        )
        for top in tops
    )


def _count(path: Path) -> int:
    if path.is_dir():
        return sum(each.is_file() for each in path.rglob("*"))
    return int(path.exists())


def bring_back(folder: Path, backup: Path, contents: Contents) -> Path:
    """Put a backup into the place of what a data folder holds; returns where that lies now.

    Raises `StorageBroken` while a box runs there, and `BackupError`: then all is as it was.
    """
    with Storage.open(folder):
        try:
            _require_room(folder, contents)
            new = new_folder(folder)
            _unpack(backup, contents, new)
            _require_whole(new / "journal.db", backup)
            _give_to_owner(folder)
            aside = free_folder(folder, "restored-")
            swap(folder, aside)
            return aside
        except OSError as error:
            raise BackupError(
                phrase(
                    "{folder} does not take the backup: {strerror}. What was there is still there.",
                    folder=folder,
                    strerror=error.strerror or error,
                )
            ) from error


def _require_room(folder: Path, contents: Contents) -> None:
    needed = SPARE * sum(each.bytes for each in contents.files.values())
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise BackupError(
            phrase(
                "The backup needs {needed:.0f} MB, and {free:.0f} MB are free in {folder}. Make "
                "room: what is there now is kept, too.",
                needed=needed / 1000000.0,
                free=free / 1000000.0,
                folder=folder,
            )
        )


def _unpack(backup: Path, contents: Contents, new: Path) -> None:
    """Write each file, held against its hash, and sync it."""
    try:
        with zipfile.ZipFile(backup) as whole:
            for name, told in contents.files.items():
                to = new / name
                to.parent.mkdir(parents=True, exist_ok=True)
                _unpack_one(whole, name, told, to)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(
            phrase("{backup} is damaged: {error}. What was there is still there.", backup=backup, error=error)
        ) from error
    for each in sorted({path.parent for path in new.rglob("*")} | {new}):
        sync_folder(each)


def _unpack_one(whole: zipfile.ZipFile, name: str, told: FileSum, to: Path) -> None:
    digest, size = hashlib.sha256(), 0
    with whole.open(name) as source, to.open("wb") as file:
        while size <= told.bytes and (piece := source.read(PIECE_BYTES)):
            digest.update(piece)
            size += len(piece)
            file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    if (size, digest.hexdigest()) != (told.bytes, told.sha256):
        raise BackupError(
            phrase("{name} in the backup is not as it was packed. What was there is still there.", name=name)
        )


def _require_whole(journal: Path, backup: Path) -> None:
    """The backup's journal is as it was written, row by row."""
    try:
        damages = verify(journal).damages
    except JournalError as error:
        raise BackupError(
            phrase("The journal in {backup} cannot be used: {error}", backup=backup, error=error)
        ) from error
    if damages:
        raise BackupError(
            phrase(
                "The journal in {backup} is damaged: {damages}. What was there is still there.",
                backup=backup,
                damages=damages[0],
            )
        )


def _give_to_owner(folder: Path) -> None:
    """What root unpacks belongs to whoever owns the folder: else the box could not write it."""
    if os.geteuid() != 0:
        return
    owner = folder.stat()
    for each in ((folder / "restore"), *(folder / "restore").rglob("*")):
        os.chown(each, owner.st_uid, owner.st_gid)
