"""Files that are on the disk whole or not at all, whenever the power goes."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, or write it anew; raises OSError, and then what stood there stands there still.

    It gets its name once all of it is on the disk. That name is safe from a power cut after `sync_folder`.
    """
    part = path.parent / f".{path.name}.part"
    try:
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
    """Names in a folder are durable only when the folder itself is synced; raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
