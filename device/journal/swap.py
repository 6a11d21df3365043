"""Brings what lies in `restore/new` of a data folder into its place, whole or not at all.

What is there before goes into a folder of its own, `aside/restored-1` and so on. Nothing is moved before
`restore/ready` is on the disk; from then on every start of a box goes on with the moves until all are done.
So a power cut leaves the old state whole, or brings about the new one.
"""

import shutil
from itertools import count
from pathlib import Path

from calibration.durable import sync_folder, write_whole

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
