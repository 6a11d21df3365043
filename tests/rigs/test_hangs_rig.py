"""Table, console, the camera's process or the whole box hung on purpose, under a systemd of its own.

TIMES in the environment says how often each is done (3).
"""

import json
import os
import shutil
import statistics
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.device.cameras.fake_picamera import FAKE

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
TIMES = int(os.environ.get("TIMES") or 3)
WANTED_S = 30.0
"""What is wanted. The figures say how often it was kept to: slow machines do not fail."""


@pytest.fixture
def hangs(container: Path, tmp_path: Path) -> list[Any]:
    """What the job told, line by line, and at the end the events that the journal holds."""
    job = tmp_path / "job"
    shutil.copytree(HERE / "hangs", job)
    for room in ("device", "vision", "engine", "calibration", "models", "systemd"):
        shutil.copytree(ROOT / room, job / room, ignore=shutil.ignore_patterns("__pycache__"))
    (job / "picamera2.py").write_text(FAKE, encoding="utf-8")
    (job / "times").write_text(str(TIMES), encoding="utf-8")
    done = subprocess.run([HERE / "update" / "begin.sh", container, job, tmp_path], check=False)
    out = (job / "out.log").read_text(encoding="utf-8")
    assert done.returncode == 0, out[-3000:]
    assert out.splitlines()[-1] == "ok"
    told = [json.loads(line) for line in (job / "told").read_text(encoding="utf-8").splitlines()]
    rows = [json.loads(line) for line in (job / "exported").read_text(encoding="utf-8").splitlines()]
    return [*told, sum(row["kind"] in {"event", "withheld"} for row in rows)]


def test_whatever_hangs_is_started_anew_and_the_game_goes_on(hangs: list[Any]) -> None:
    *rounds, whole, kept = hangs
    assert len(rounds) == 4 * TIMES
    for kind in ("table", "console", "grabber", "box"):
        of_kind = [each for each in rounds if each["kind"] == kind]
        print(f"\n{kind}, {TIMES} times, median and most in s:")
        for name in ("ended_s", "answers_s", "pictures_s"):
            took_s = [each[name] for each in of_kind]
            within = sum(each <= WANTED_S for each in took_s)
            print(f"  {name[:-2]} {statistics.median(took_s):.1f} {max(took_s):.1f}, {within} of {TIMES}")
        assert {each["restarts"] for each in of_kind} == {0 if kind == "grabber" else 1}
    assert kept == whole["acknowledged"] == 2 * len(rounds)
