"""Fill in, or renew, the positions of recordings: `python -m tests.recordings.retell FILE...`.

A recording is begun by hand or from a journal's export: the lines `game`, `players`, `option`, then the
events. See engine/recording.py for the form. Read the diff before committing it: it is the change of a rule.
"""

import sys
from pathlib import Path

from engine.recording import retell


def rewrite(recording: Path) -> None:
    """Play the game again and write it anew."""
    recording.write_text(retell(recording.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:]:
        rewrite(Path(name))
