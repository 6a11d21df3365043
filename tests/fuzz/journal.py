"""Flips single bits in what a box keeps, and cuts it off: each damage is told, or it is harmless.

Of the journal, its WAL and its mark, "harmless" is that everything is there: `verify` finds no damage, each
game has the very rows and hashes that were written, and a box opens it, says nothing, and begins a game under
the next number. "Told" is that `verify` says so and a box that starts does. Of film and backup, "harmless" is
that what comes out of it is, byte for byte, what went in.
"""

import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import cv2
import numpy as np

from device.backup import BackupError, bring_back, look_into, pack
from device.films import FilmNotKept, Shelf
from device.films.filming import FilmPicture, make_film
from device.journal import Journal, JournalError, Moment, open_or_put_aside
from device.journal.reader import open_reader
from device.journal.rows import EventRow, OtherNote, PressRow
from device.journal.verify import verify
from engine.events import Bet, Stop

CASES = 1100
CUT_EVERY = 11
"""One case in so many is a cut, the others are flips."""
NOON = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000)
FILES = ("journal.db", "journal.db-wal", "journal.mark", "films/1/1.mp4", "backup.zip")


def fuzz(cases: int, seed: int) -> Iterator[str]:
    """Damage one file of one box in each case."""
    rng = Random(seed)
    with tempfile.TemporaryDirectory() as scratch:
        boxes = [make_box(Path(scratch) / state, state) for state in ("young", "old", "ended")]
        for case in range(cases):
            box = boxes[case % len(boxes)]
            name = rng.choice(
                [name for name in FILES if (box / name).exists() and (box / name).stat().st_size]
            )
            spoil = cut if case % CUT_EVERY == CUT_EVERY - 1 else flip
            copy = Path(scratch) / "copy"
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(box, copy)
            done = spoil(copy / name, rng)
            try:
                outcome = LOOK.get(name, look_at_journal)(box, copy)
            except Exception as error:  # noqa: BLE001 - whatever it is, it is no sentence
                outcome = f"FAULT: {error!r}"
            yield f"{outcome} ({box.name} box, {name}, {done})" if outcome.startswith("FAULT") else outcome


def flip(path: Path, rng: Random) -> str:
    """Flip one bit; returns which."""
    content = bytearray(path.read_bytes())
    bit = rng.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return f"bit {bit}"


def cut(path: Path, rng: Random) -> str:
    """Cut the file off; returns where."""
    content = path.read_bytes()
    left = rng.randrange(len(content))
    path.write_bytes(content[:left])
    return f"cut to {left} of {len(content)} bytes"


def make_box(folder: Path, state: str) -> Path:
    """The data folder of a box on its first evening, of one killed later, or of one that ended well."""
    folder.mkdir()
    live = folder.with_name(f"{state}-live")
    live.mkdir()
    path = live / "journal.db"
    if state != "young":
        with Journal.open(path) as journal:
            play(journal, 1, "Zoë wins.")
    with Journal.open(path) as journal:
        for number, cause in ((2, "Ben wins."), (3, "")):
            play(journal, number, cause)
        if state != "ended":
            copy_journal(live, folder)
    if state == "ended":
        copy_journal(live, folder)
    Shelf(folder / "films", 10).keep(1, 1, some_film())
    pack(folder, folder / "backup.zip", NOON.utc, films=True)
    for part in folder.glob("*-shm"):
        part.unlink()
    return folder


def play(journal: Journal, number: int, cause: str) -> None:
    """A game, up to its end where it has a cause."""
    game = journal.begin("zoinx", ["Zoë", "Ben"], {"edition": "game-factory"}, NOON)
    for step in range(12):
        bet = EventRow(Bet(player="Zoë", dots=2 * ((number + step) % 6)))
        journal.append(game, [PressRow("bet1", "long"), bet, OtherNote({"said": "x", "step": step})], NOON)
    if cause:
        journal.append(game, [EventRow(Stop())], NOON, ended=cause)


def copy_journal(live: Path, folder: Path) -> None:
    """What lies on the card at this moment."""
    for name in ("journal.db", "journal.db-wal", "journal.mark"):
        if (live / name).exists():
            shutil.copy(live / name, folder / name)


def some_film() -> bytes:
    """A film of a few grey pictures."""
    pictures = [np.full((48, 64, 3), 40 * shade, np.uint8) for shade in range(5)]
    jpegs = [cv2.imencode(".jpg", picture)[1].tobytes() for picture in pictures]
    shots = tuple(FilmPicture(time_ms=50.0 * at, jpeg=jpeg) for at, jpeg in enumerate(jpegs[:-1]))
    return make_film(shots, jpegs[-1])


def rows_in(path: Path) -> dict[int, tuple[object, ...]]:
    """Each game and its rows, as they stand in the file with their hashes."""
    with open_reader(path) as reader:
        return {
            game.id: (reader.written_game(game.id), tuple(reader.written_rows(game.id, 0, game.rows)))
            for game in reader.games()
        }


def look_at_journal(box: Path, copy: Path) -> str:
    """What `verify` and a box that starts make of a journal."""
    path = copy / "journal.db"
    try:
        verdict = verify(path)
        told = bool(verdict.damages or verdict.remarks)
    except JournalError:
        verdict, told = None, True
    if not told and rows_in(path) != rows_in(pristine(box)):
        return "FAULT: rows changed or went missing, and verify does not say so"
    opened = open_or_put_aside(path, 0)
    with opened.journal as journal:
        begins = journal.begin("zoinx", ["Zoë", "Ben"], {}, NOON)
        journal.append(begins, [OtherNote({"said": "on"})], NOON)
    newest = max(rows_in(pristine(box)))
    if told:
        return "told" if opened.put_aside or opened.remarks else "FAULT: verify tells it, a box does not"
    if opened.put_aside or begins != newest + 1:
        return f"FAULT: a box makes {begins} the next game and says {opened.put_aside!r}"
    return "harmless"


def pristine(box: Path) -> Path:
    """The journal without the damage: looked at as a copy, since looking makes files beside it."""
    copy = box.with_name(f"{box.name}-pristine")
    if not copy.exists():
        copy.mkdir()
        copy_journal(box, copy)
    return copy / "journal.db"


def look_at_film(box: Path, copy: Path) -> str:
    """What the shelf gives out of a film."""
    try:
        path = Shelf(copy / "films", 10).path(1, 1)
    except FilmNotKept:
        return "told"
    if path is None:
        return "FAULT: the film is said to be none"
    whole = (box / "films/1/1.mp4").read_bytes()
    pictures = len(whole) - 48  # the seal at the end is of no picture
    return "harmless" if path.read_bytes()[:pictures] == whole[:pictures] else "FAULT: given out as whole"


def look_at_backup(box: Path, copy: Path) -> str:
    """What comes back of a backup."""
    folder = copy / "new"
    try:
        backup = copy / "backup.zip"
        bring_back(folder, backup, look_into(backup))
    except (BackupError, JournalError):
        return "told"
    same = rows_in(folder / "journal.db") == rows_in(pristine(box))
    film = (folder / "films/1/1.mp4").read_bytes() == (box / "films/1/1.mp4").read_bytes()
    return "harmless" if same and film else "FAULT: other things came back, and nothing was said"


LOOK: dict[str, Callable[[Path, Path], str]] = {"films/1/1.mp4": look_at_film, "backup.zip": look_at_backup}
