"""A journal that is not as it was written is put aside whole, and what is whole of it goes into a new one.

The files that belong together (the journal, its WAL and its mark) move into a folder of their own, `aside/1`,
`aside/2` and so on, unchanged. Games keep their numbers, and new ones are numbered on: so do the pictures.
"""

from dataclasses import dataclass
from itertools import count
from pathlib import Path

from calibration.durable import sync_folder
from device.journal.journal import Journal
from device.journal.mark import mark_path
from device.journal.reader import is_full
from device.journal.trouble import JournalDamaged, JournalEmpty, JournalFull
from device.journal.verify import JournalVerdict, read_whole, verify
from engine.wording import phrase
from engine.words import capital


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal to write to."""

    journal: Journal
    put_aside: str = ""
    """What was wrong with the one before, what of it is whole, and where it lies now; "" when nothing was."""
    remarks: tuple[str, ...] = ()
    """What else is to be said of it, each a sentence without its full stop."""


def open_or_put_aside(path: Path, last_number: int) -> Opened:
    """The journal at `path`, or a new one in its place.

    `last_number`: games up to it are known to have been, by their pictures. Raises what `Journal.open` raises
    for other reasons than the file itself (a full disk, say), and OSError where nothing can be moved.
    """
    verdict = JournalVerdict()
    try:
        verdict = _look(path, last_number)
        if not verdict.damages:
            return Opened(_open(path), "", tuple(verdict.remarks))
        told = phrase("the journal is damaged: {damages}", damages="; ".join(verdict.damages[:3]))
    except JournalDamaged as damaged:
        told = str(damaged).partition(". ")[0].rstrip(".")
    where = _put_aside(path) / path.name
    journal = _open(path)
    if journal.full:
        raise JournalFull(
            phrase("{why}, and the disk with {path} is full. Make room on it.", why=told, path=path)
        )
    for game, rows in read_whole(where, verdict) if verdict.games else ():
        journal.adopt(game, rows)
    journal.number_on(max(last_number, *(each.game[0] for each in verdict.games), 0))
    why = capital(told)
    if not verdict.games:
        return Opened(journal, phrase("{why}. It was put aside, unchanged, as {path}.", why=why, path=where))
    text = phrase(
        "{why}. Whole of it, and still there: {whole}. It was put aside, unchanged, as {path}.",
        why=why,
        whole=verdict.whole,
        path=where,
    )
    return Opened(journal, text)


def _open(path: Path) -> Journal:
    """The journal; on a full disk one that can only be looked at."""
    return Journal.open_full(path) if is_full(path.parent) else Journal.open(path)


def _look(path: Path, last_number: int) -> JournalVerdict:
    """Look through the journal, unless there is none yet; raises `JournalDamaged`."""
    if not path.exists() and not mark_path(path).exists():
        return JournalVerdict()
    try:
        return verify(path)
    except JournalEmpty:
        if not last_number:
            return JournalVerdict()
        raise JournalDamaged(
            phrase("the journal {path} is empty, and there are pictures of games.", path=path)
        ) from None


def _put_aside(path: Path) -> Path:
    """Move the journal's files away; returns the folder that they are in now."""
    home = path.parent / "aside"
    folder = next(each for each in (home / str(number) for number in count(1)) if not each.exists())
    folder.mkdir(parents=True)
    beside = [path.with_name(f"{path.name}-{ending}") for ending in ("shm", "wal")]
    for part in (*beside, mark_path(path), path):  # the journal last: as long as it is there, so is the whole
        if part.exists():
            part.rename(folder / part.name)
    for each in (folder, home, path.parent):
        sync_folder(each)
    return folder
