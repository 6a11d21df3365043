"""Looks at the disk after a power cut: 0 everything acknowledged is there, 1 something is lost, 2 damaged."""

import os
import sys
from pathlib import Path

from device.journal import Journal, JournalError, Storage


def main() -> int:
    """The status for the disk in $CRASH, after $ACKED acknowledged steps."""
    acked, folder = int(os.environ["ACKED"]), Path(os.environ["CRASH"]) / "data"
    try:
        with Storage.open(folder) as storage, Journal.open(storage.journal_path) as journal:
            sound = journal._db.pragma("integrity_check")
            rows = journal.rows(1) if journal.games() else ()
            pictures = {row.body["step"]: row.body["picture"] for row in rows if row.body.get("picture")}
            torn = [
                step
                for step, name in pictures.items()
                if storage.picture(name) != step.to_bytes(4, "big") * 10_000
            ]
    except JournalError as error:
        print(error)
        return 2
    found = [(row.seq, row.body["step"], row.body["part"]) for row in rows]
    wanted = [(number + 1, number // 3 + 1, number % 3) for number in range(len(rows))]
    if sound != "ok" or found != wanted or len(rows) % 3 or torn:
        print(f"integrity {sound}, {len(rows)} rows, whole: {found == wanted}, torn pictures: {torn}")
        return 2
    print(f"{len(rows) // 3} steps, {acked} acknowledged, {len(pictures)} pictures")
    return 1 if len(rows) // 3 < acked else 0


sys.exit(main())
