"""Runs in the virtual machine whose power is cut: writer.py FULL|OFF STEPS.

Plays steps of three rows, every fifth with a picture, and acknowledges each to the rig's log of the disk
right after `append` has returned. OFF is the control: the same journal with SQLite's syncs turned off.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path

from ack import ack  # type: ignore[import-not-found]  # the rig's own, found beside this file there

import device.journal.journal
from device.journal import Journal, Moment, Storage
from device.journal.rows import OtherNote


def main(mode: str, steps: int) -> None:
    """Play `steps` steps."""
    at = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
    setattr(device.journal.journal, "WAL_PAGES", 30)  # noqa: B010 - so that cuts also fall into the folding of the WAL
    storage = Storage.open(Path(os.environ["CRASH"]) / "data")
    journal = Journal.open(storage.journal_path)
    if mode == "OFF":
        journal._db.pragma("synchronous", "off")
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, at)
    for step in range(1, steps + 1):
        rows = [OtherNote({"step": step, "part": part, "fill": "x" * 900}) for part in range(2)]
        picture = ""
        if step % 5 == 0 and mode == "FULL":
            picture = storage.keep_picture(game, step, step.to_bytes(4, "big") * 10_000)
        journal.append(game, [*rows, OtherNote({"step": step, "part": 2, "picture": picture})], at)
        ack(step)
    print(f"{mode}: {steps} steps played")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
