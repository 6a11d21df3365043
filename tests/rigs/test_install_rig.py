"""The installer for real, below a folder of its own: every file, the packages, and a second run."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]


@pytest.fixture
def release(tmp_path: Path) -> Path:
    """A copy of the project, which nobody edits meanwhile."""
    unwanted = shutil.ignore_patterns(".*", "__pycache__", "*.egg-info", "build", "bench-results")
    return Path(shutil.copytree(ROOT, tmp_path / "release", ignore=unwanted))


def install(release: Path, root: Path, *options: str) -> list[str]:
    """The installer's lines, without its note that this is no Pi."""
    done = subprocess.run(
        [release / "systemd" / "install.sh", *options],
        env=os.environ | {"CALLBOX_ROOT": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Callbox runs on Raspberry Pi OS" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if not line.startswith("note:")]


def every_file(root: Path) -> dict[str, tuple[int, int]]:
    """Name to size and time of all that was installed; Python's own caches come and go."""
    files = (path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def test_installing_twice_does_nothing_the_second_time_and_mends_what_was_broken(
    release: Path, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    first = install(release, root)
    assert len([line for line in first if line.startswith(("copy", "make", "write", "install"))]) == 4
    callbox = root / "opt/callbox/.venv/bin/callbox"
    version = subprocess.run([callbox, "--version"], capture_output=True, text=True, check=True)
    assert version.stdout.startswith("callbox, version ")
    checked = subprocess.run(
        [callbox, "doctor", "--data", tmp_path / "d"], capture_output=True, text=True, check=False
    )
    assert "ok       numpy" in checked.stdout, checked.stdout + checked.stderr

    before = every_file(root)
    assert install(release, root) == ["Nothing to do: everything is as it should be."]
    assert every_file(root) == before

    settings = root / "etc/callbox/callbox.toml"
    settings.write_text("[console]\nport = 9000\n")
    (root / "opt/callbox/device/cli.py").write_text("broken")
    assert install(release, root, "--dry-run")[-1] == "1 changes would be made; nothing was done."
    install(release, root)
    assert (root / "opt/callbox/device/cli.py").read_text() == (release / "device/cli.py").read_text()
    assert settings.read_text() == "[console]\nport = 9000\n", "settings are the owner's"
    assert install(release, root) == ["Nothing to do: everything is as it should be."]
