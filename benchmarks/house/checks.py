"""What the type checker says of a source tree, and how long its tests take."""

import re
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.house.tree import AROUND

MYPY = (sys.executable, "-m", "mypy", "--no-error-summary", "--no-pretty")
FATAL = 2
"""What mypy exits with when it could not look at all."""


class CheckFailed(Exception):
    """A tool could not be run. `str(error)` is what it said."""


def mypy_errors(root: Path) -> tuple[int, int]:
    """Errors in the packages that pyproject.toml names, and errors in the tests and benchmarks.

    Raises `CheckFailed` where mypy is missing or gives up.
    """
    here = _errors(root, ())
    around = _errors(root, tuple(name for name in AROUND if (root / name).is_dir()))
    return sum(not each.startswith(AROUND) for each in here), sum(each.startswith(AROUND) for each in around)


def _errors(root: Path, names: tuple[str, ...]) -> list[str]:
    done = subprocess.run([*MYPY, *names], cwd=root, capture_output=True, text=True, check=False)
    found = re.findall(r"^(\S+?):\d+(?::\d+)?: error: ", done.stdout, re.MULTILINE)
    if done.returncode >= FATAL or (done.returncode and not found):
        raise CheckFailed(done.stderr.strip() or done.stdout.strip())
    return found


def test_seconds(root: Path) -> float:
    """How long `make test` takes here, once everything is set up; raises `CheckFailed`."""
    began = time.monotonic()
    done = subprocess.run(["make", "test"], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        raise CheckFailed("\n".join(done.stdout.splitlines()[-5:]))
    return time.monotonic() - began
