"""What the virtual machine of the power-cut rig is given is all that its writer needs."""

import os
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.rigs.powercut.needs import HERE, REPOSITORY, ask_writer


@pytest.mark.long
def test_the_writer_runs_with_what_it_says_it_needs_and_nothing_else(tmp_path: Path) -> None:
    needs = ask_writer()
    app = tmp_path / "app"
    for name in needs.modules:
        (app / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, app / name)
    for package in needs.packages:
        found = distribution(package.partition("==")[0])
        for part in found.files or ():
            if ".." not in part.parts and "__pycache__" not in part.parts:
                (app / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(str(found.locate_file(part)), app / part)
    shutil.copy(HERE / "writer.py", app)
    (app / "ack.py").write_text("def ack(step):\n    print(step)\n", encoding="utf-8")
    played = subprocess.run(
        # Without the site packages of this Python, among which the project itself is installed.
        [sys.executable, "-S", "writer.py", "FULL", "6"],
        check=False,
        capture_output=True,
        text=True,
        cwd=app,
        env={**os.environ, "CRASH": str(tmp_path), "PYTHONPATH": ""},
    )
    assert played.stdout.split() == [*"123456", "FULL:", "6", "steps", "played"], played.stderr
    assert (tmp_path / "data" / "pictures" / "1" / "5.jpg").exists()
