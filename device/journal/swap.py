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


def new_folder(folder: Path) -> Path:
    """An empty folder for what is to be brought in; raises OSError."""
    shutil.rmtree(folder / "restore", ignore_errors=True)
    made = folder / "restore" / "new"
    made.mkdir(parents=True)
    return made


def swap(folder: Path) -> Path:
    """Bring in what lies in `restore/new`; returns where the old state lies now. Raises OSError.

    Whoever calls owns the folder (`Storage.open`), and has synced what is new.
    """
    aside = next(
        each for each in (folder / "aside" / f"restored-{number}" for number in count(1)) if not each.exists()
    )
    aside.mkdir(parents=True)
    for each in (aside.parent, folder):
        sync_folder(each)
    write_whole(folder / "restore" / "ready", aside.name.encode())
    sync_folder(folder / "restore")
    finish(folder)
    return aside


def finish(folder: Path) -> None:
    """Go on with a swap that was cut off; one that had not begun is forgotten. Raises OSError."""
    home = folder / "restore"
    ready = home / "ready"
    if not home.exists():
        return
    if ready.exists():
        aside = folder / "aside" / ready.read_text(encoding="ascii")
        # The journal last: as long as its new one waits, all that is called like its old one is old.
        for new in sorted((home / "new").iterdir(), key=lambda each: each.name == "journal.db"):
            belongs = BELONGS if new.name == "journal.db" else ()
            for old in (*(folder / name for name in belongs), folder / new.name):
                if old.exists():
                    old.rename(aside / old.name)
            sync_folder(aside)
            new.rename(folder / new.name)
            sync_folder(folder)
        ready.unlink()
        sync_folder(home)
    shutil.rmtree(home)
