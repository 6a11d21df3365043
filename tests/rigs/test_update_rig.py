"""Under a systemd of its own and without a network: installed, updated, rolled back, uninstalled."""

import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "update"


@pytest.fixture
def job(tmp_path: Path) -> Path:
    """A copy of the project with every package that Debian 13's Python wants of it."""
    unwanted = shutil.ignore_patterns(
        ".*", "__pycache__", "*.egg-info", "build", "bench-results", "wheelhouse"
    )
    made = Path(shutil.copytree(ROOT, tmp_path / "job", ignore=unwanted))
    subprocess.run(["make", "wheelhouse", "ARCH=x86_64", "BOXES=3.13"], cwd=made, check=True)
    shutil.copy(HERE / "job.sh", made)
    return made


def test_a_box_is_installed_updated_rolled_back_and_uninstalled_under_systemd(
    container: Path, job: Path, tmp_path: Path
) -> None:
    done = subprocess.run([HERE / "begin.sh", container, job, tmp_path], check=False)
    out = (job / "out.log").read_text(encoding="utf-8")
    assert done.returncode == 0, out[-3000:]
    assert out.splitlines()[-1] == "ok"
