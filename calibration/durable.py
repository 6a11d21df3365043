"""Writes files so that each is on the disk whole or not at all, whenever the power goes."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes, mode: int = 0o666) -> None:
    """Write a file, or replace one. Raises OSError, and then the old file is still there unchanged.

    The file gets its name only once all of it is on the disk. The name itself survives a power cut only after
    `sync_folder`. `mode`: its rights, less what the user's umask takes away; 0o600 for what is secret.
    """
    part = path.parent / f".{path.name}.part"
    try:
        part.unlink(missing_ok=True)
        part.touch(mode, exist_ok=False)
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def sync_folder(folder: Path) -> None:
    """Make the names of files in a folder survive a power cut: they do so only once the folder itself is
    synced. Raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
