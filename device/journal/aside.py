"""A journal that cannot be used is put aside whole, never written to, and a new one takes its place.

The files that belong together (the journal and its WAL) move into a folder of their own, `aside/1`, `aside/2`
and so on. The new journal numbers its games on, for the old pictures keep their numbers.
"""

from itertools import count
from pathlib import Path

from calibration.durable import sync_folder
from device.journal.journal import Journal
from device.journal.trouble import JournalDamaged

_ENDINGS = ("", "-wal", "-shm")


def open_or_put_aside(path: Path, last_number: int) -> tuple[Journal, str]:
    """The journal at `path`, and ""; or a new one, and what was wrong with the old one and where it lies now.

    `last_number`: games up to it are known to have been. Raises what `Journal.open` raises for other reasons
    than the file itself (a full disk, say), and OSError where nothing can be moved.
    """
    try:
        return _open_sound(path), ""
    except JournalDamaged as damaged:
        where = _put_aside(path)
        journal = Journal.open(path)
        journal.number_on(last_number)
        return journal, f"{_sentence(damaged)} It was put aside, unchanged, as {where / path.name}."


def _open_sound(path: Path) -> Journal:
    """The journal, once its file hangs together."""
    journal = Journal.open(path)
    try:
        journal.require_sound()
    except BaseException:
        journal.close()
        raise
    return journal


def _put_aside(path: Path) -> Path:
    """Move the journal's files away; returns the folder that they are in now."""
    home = path.parent / "aside"
    folder = next(each for each in (home / str(number) for number in count(1)) if not each.exists())
    folder.mkdir(parents=True)
    for ending in reversed(_ENDINGS):  # the journal last: as long as it is there, so is the whole
        part = path.with_name(path.name + ending)
        if part.exists():
            part.rename(folder / part.name)
    for each in (folder, home, path.parent):
        sync_folder(each)
    return folder


def _sentence(error: JournalDamaged) -> str:
    """What is wrong, without what a person should do about it, for that has been done."""
    told = str(error).partition(". ")[0].rstrip(".")
    return f"{told[0].upper()}{told[1:]}."
