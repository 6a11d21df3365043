"""The box is killed in the middle of its work, again and again, and goes on with the same game each time.

KILLS in the environment says how often.
"""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from device.journal.journal import Journal, open_reader

BOX = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from device.journal.journal import Journal, Moment
from device.journal.rows import OtherNote

at = Moment(datetime(2026, 11, 20, 12, 0, tzinfo=UTC), 1000.0)
journal = Journal.open(Path(sys.argv[1]))
game = journal.unfinished()
if game is None:
    game = journal.begin("zoinx", ["Ann", "Bob"], {}, at)
print(f"goes on with {game} at {journal.game(game).rows}", flush=True)
step = journal.game(game).rows // 3
while True:
    step += 1
    rows = [OtherNote({"step": step, "part": part, "fill": "x" * 900}) for part in range(3)]
    print(journal.append(game, rows, at), flush=True)
"""
"""Appends three rows a step, for ever, and says so after each."""

KILLS = int(os.environ.get("KILLS") or 8)


def killed_after(path: Path, acknowledged: int) -> tuple[int, int]:
    """Kill a box that has acknowledged so many steps; returns where it began and its last word."""
    with subprocess.Popen(
        [sys.executable, "-c", BOX, str(path)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
    ) as box:
        try:
            assert box.stdout is not None
            first = box.stdout.readline().split()
            assert first[:4] == ["goes", "on", "with", "1"], "the same game"
            said = [int(first[5])] + [int(box.stdout.readline()) for _ in range(acknowledged)]
        finally:
            os.kill(box.pid, signal.SIGKILL)
        # What it had said before the signal came may still stand in the pipe.
        said += [int(line) for line in box.stdout.read().splitlines()]
    return said[0], said[-1]


@pytest.mark.long
def test_every_acknowledged_row_is_there_after_each_kill_and_no_step_is_half(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    chance = random.Random(20)
    rows = 0
    for _ in range(KILLS):
        began, said = killed_after(path, chance.randrange(25))
        assert began == rows, "it goes on where it was killed"
        with open_reader(path) as reader:
            found = reader.rows(1)
        rows = len(found)
        assert said <= rows <= said + 3, "at most the step under way when the kill came is there unsaid"
        assert [(entry.seq, entry.body["step"], entry.body["part"]) for entry in found] == [
            (number + 1, number // 3 + 1, number % 3) for number in range(rows - rows % 3)
        ], "every step is whole"
    assert rows > 3 * KILLS
    with Journal.open(path) as journal:
        assert journal._db.pragma("integrity_check") == "ok"
