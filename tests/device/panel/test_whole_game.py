"""A whole game of Zoinx by pins alone: buttons pressed and lamps and digits read at a box's own (mock) lines.

In the virtual machine the same game is played on kernel GPIO (tests/rigs/test_gpio_rig.py).
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.long
def test_lamps_and_digits_on_their_pins_follow_a_whole_game() -> None:
    script = ROOT / "tests" / "rigs" / "zoinx" / "zoinx_game.py"
    done = subprocess.run(
        [sys.executable, script, "mock"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *steps, winner, last = done.stdout.splitlines()
    assert (winner, last) == ("won by Cid", "ok")
    assert steps[0] == "bets: roll_done undo; roll 0 0 0"
    assert steps[-1] == "stop: roll_done undo; ended 16 26 34"
    assert sum(step.startswith("bets") for step in steps) >= 4
