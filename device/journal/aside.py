"""A journal that is not as it was written is put aside whole, and what is whole of it goes into a new one.

The files that belong together (the journal, its WAL and its mark) move into a folder of their own, `aside/1`,
`aside/2` and so on, unchanged. Games keep their numbers, and new ones are numbered on: so do the pictures.
The new journal is made beside the old one, and both change places in a swap that a power cut leaves whole.

A journal of a newer Callbox comes back by itself once it can be read again: its games and those that were
played meanwhile go into one journal. A file `newer` beside it says that it waits for that.
"""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from heapq import merge
from itertools import groupby
from pathlib import Path
from typing import Any

from calibration.durable import sync_folder, write_whole
from device.journal.chain import mark_path, read_mark
from device.journal.journal import Journal
from device.journal.reader import is_full
from device.journal.storage import free_folder, new_folder, swap
from device.journal.trouble import JournalDamaged, JournalEmpty, JournalError, JournalFull, JournalNewer
from device.journal.verify import JournalVerdict, read_whole, verify
from engine.wording import phrase
from engine.words import capital

NEWER = "newer"
"""The file beside a journal that waits for the Callbox that made it."""
Game = tuple[tuple[Any, ...], list[tuple[Any, ...]]]
"""A game and its rows, as `Journal.adopt` takes them."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A journal to write to."""

    journal: Journal
    put_aside: str = ""
    """What was wrong with the one before, what of it is whole, and where it lies now; "" when nothing was."""
    remarks: tuple[str, ...] = ()
    """What else is to be said of it, each a sentence without its full stop."""


def open_or_put_aside(path: Path, last_number: int) -> Opened:
    """The journal at `path`, or a new one in its place; one of a newer Callbox comes back if it can.

    `last_number`: games up to it are known to have been, by their pictures. Raises what `Journal.open` raises
    for other reasons than the file itself (a full disk, say), and OSError where nothing can be moved. Whoever
    calls owns the folder (`Storage.open`).
    """
    opened = _open_or_replace(path, last_number)
    for newer in sorted(path.parent.glob(f"aside/*/{NEWER}"), key=lambda each: (len(each.parent.name), each)):
        if not opened.journal.full:
            opened = _bring_back(opened, newer, last_number)
    return opened


def _open_or_replace(path: Path, last_number: int) -> Opened:
    verdict, newer = JournalVerdict(), False
    try:
        verdict = _look(path, last_number)
        if not verdict.damages:
            return Opened(_open(path), "", tuple(verdict.remarks))
        why = phrase("the journal is damaged: {damages}", damages="; ".join(verdict.damages[:3]))
    except JournalDamaged as damaged:
        why, newer = str(damaged).partition(". ")[0].rstrip("."), isinstance(damaged, JournalNewer)
    where = _put_aside(path, verdict, why, last_number, newer=newer)
    why = capital(why)
    if newer:
        text = phrase(
            "{why}. It was put aside, unchanged, as {path}. It comes back by itself once the Callbox that "
            "made it does, with the games that are played until then.",
            why=why,
            path=where,
        )
    elif verdict.games:
        text = phrase(
            "{why}. Whole of it, and still there: {whole}. It was put aside, unchanged, as {path}.",
            why=why,
            whole=verdict.whole,
            path=where,
        )
    else:
        text = phrase("{why}. It was put aside, unchanged, as {path}.", why=why, path=where)
    return Opened(_open(path), text)


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


def _put_aside(path: Path, verdict: JournalVerdict, why: str, last_number: int, *, newer: bool) -> Path:
    """Put a new journal with what is whole into the place of the old one; returns where that one is now."""
    new_folder(path.parent)
    try:
        if is_full(path.parent):
            raise JournalFull
        _write_journal(path, read_whole(path, verdict) if verdict.games else (), last_number)
    except JournalFull:
        shutil.rmtree(path.parent / "restore", ignore_errors=True)
        raise JournalFull(
            phrase("{why}, and the disk with {path} is full. Make room on it.", why=why, path=path)
        ) from None
    aside = free_folder(path.parent)
    if newer:
        write_whole(aside / NEWER, b"The journal beside this file waits for the Callbox that made it.\n")
        sync_folder(aside)
    swap(path.parent, aside)
    return aside / path.name


def _write_journal(path: Path, games: Iterable[Game], last_number: int) -> None:
    """Make a journal of these games, each under its number, to be swapped for the one at `path`.

    A second game of a number gets one of its own; rows name their pictures, so they stay its own.
    """
    new, seconds = path.parent / "restore" / "new", []
    mark, _ = read_mark(mark_path(path))
    highest = max(last_number, mark.games if mark else 0)
    with Journal.open(new / path.name) as journal:
        for game, rows in games:
            if game[0] > journal.highest_number:
                journal.adopt(game, rows)
            else:
                seconds.append(((None, *game[1:]), rows))
        journal.number_on(max(highest, journal.highest_number))
        for game, rows in seconds:
            journal.adopt(game, rows)
    if (new / f"{path.name}-wal").exists():  # the disk did not take the WAL's pages
        raise JournalFull
    sync_folder(new)


def _bring_back(opened: Opened, newer: Path, last_number: int) -> Opened:
    """Put the games of a journal that waits beside `newer` and those of the present one into one journal.

    While it cannot be read, is damaged or the disk has no room, all stays as it is.
    """
    path, waiting = opened.journal.path, newer.parent / opened.journal.path.name
    try:
        if damages := verify(waiting).damages:
            raise JournalDamaged(phrase("the journal is damaged: {damages}", damages=damages[0]))
    except JournalNewer:
        return opened
    except JournalError as error:
        return _with_remark(opened, str(error), waiting)
    opened.journal.close()
    try:
        new_folder(path.parent)
        sources = [_copy(each, path.parent / "restore" / each.parent.name) for each in (waiting, path)]
        _write_journal(path, _merged(sources), last_number)
        aside = free_folder(path.parent)
    except (OSError, JournalError) as error:
        shutil.rmtree(path.parent / "restore", ignore_errors=True)
        return _with_remark(replace(opened, journal=_open(path)), str(error), waiting)
    swap(path.parent, aside, newer)
    said = phrase(
        "the games in {waiting}, which a newer Callbox had written, are back; those played since are "
        "with them. Both files stay as they were, that one and {aside}",
        waiting=waiting,
        aside=aside / path.name,
    )
    return replace(opened, journal=_open(path), remarks=(*opened.remarks, said))


def _with_remark(opened: Opened, why: str, waiting: Path) -> Opened:
    said = phrase(
        "{waiting}, which a newer Callbox had written, stays there: {why}",
        waiting=waiting,
        why=why.rstrip("."),
    )
    return replace(opened, remarks=(*opened.remarks, said))


def _copy(path: Path, folder: Path) -> Path:
    """A copy of a journal in today's form; raises `JournalError`, OSError."""
    folder.mkdir()
    for part in (path, path.with_name(f"{path.name}-wal"), mark_path(path)):
        with suppress(FileNotFoundError):
            shutil.copy(part, folder / part.name)
    Journal.open(folder / path.name).close()
    return folder / path.name


def _merged(sources: list[Path]) -> Iterator[Game]:
    """All games of several journals by their numbers; one that is in two of them once, at its longest."""
    found = (read_whole(each, verify(each)) for each in sources)
    for _, same_number in groupby(merge(*found, key=_number), key=_number):
        longest, *others = same_number
        different = []
        for each in others:
            shorter, longer = sorted((longest, each), key=_length)
            if shorter[0][:6] == longer[0][:6] and longer[1][: len(shorter[1])] == shorter[1]:
                longest = longer
            else:
                different.append(each)
        yield from (longest, *different)


def _number(game: Game) -> int:
    number: int = game[0][0]
    return number


def _length(game: Game) -> tuple[int, bool]:
    """By which the later state of one game is the longer."""
    return len(game[1]), game[0][6] is not None
