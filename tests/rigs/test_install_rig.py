"""The installer for real, below a folder of its own: every file, the packages, updates, and no network."""

import os
import platform
import re
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


@pytest.fixture
def wheelhouse(release: Path) -> Path:
    """Every package of a box that is this very machine, where the installer looks for them."""
    asked = ["python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    version = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    made = ["make", "wheelhouse", f"ARCH={platform.machine()}", f"BOXES={version}"]
    subprocess.run(made, cwd=release, check=True)
    return release / "wheelhouse"


def ask(release: Path, root: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """What the installer says where no package index is."""
    done = subprocess.run(
        [release / "systemd" / "install.sh", *options],
        env=os.environ | {"CALLBOX_ROOT": str(root), "PIP_NO_INDEX": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if "Callbox runs on Raspberry Pi OS" in done.stderr:
        pytest.skip(done.stderr.strip())
    return done


def install(release: Path, root: Path, *options: str) -> list[str]:
    """The installer's lines, without its note that this is no Pi."""
    done = ask(release, root, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if not line.startswith("note:")]


def every_file(root: Path) -> dict[str, tuple[int, int]]:
    """Name to size and time of all that was installed; Python's own caches come and go, and so does /run."""
    passing = {"__pycache__", "run"}
    files = (path for path in root.rglob("*") if path.is_file() and not passing & set(path.parts))
    return {str(path): (path.stat().st_size, path.stat().st_mtime_ns) for path in files}


def check_plays(root: Path) -> str:
    """Where the command of the box leads to, after it has shown that its packages are there."""
    callbox = root / "opt/callbox/.venv/bin/callbox"
    checked = subprocess.run(
        [callbox, "doctor", "--data", root / "d"], capture_output=True, text=True, check=False
    )
    for name in ("numpy", "opencv", "onnxruntime", "networks"):
        assert re.search(rf"^ok +{name} ", checked.stdout, re.MULTILINE), checked.stdout + checked.stderr
    return (root / "opt/callbox/current").resolve().name


def check_refused(release: Path, root: Path, plays: str) -> None:
    """The release's packages are not to be had, and the box has the one that it had."""
    done = ask(release, root)
    assert done.returncode == 1, done.stdout
    assert "the box stays as it was" in done.stdout
    assert check_plays(root) == plays


def test_a_box_is_installed_and_updated_offline_and_keeps_playing_where_packages_are_missing(
    release: Path, wheelhouse: Path, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    lines = [line.split()[0] for line in install(release, root)]
    assert lines[:4] == ["make", "change", "write", "put"]
    first = check_plays(root)
    before = every_file(root)
    assert install(release, root) == ["Nothing to do: everything is as it should be."]
    assert every_file(root) == before

    settings = root / "etc/callbox/callbox.toml"
    settings.write_text("[console]\nport = 9000\n", encoding="utf-8")
    (root / "opt/callbox/current/device/cli.py").write_text("broken", encoding="utf-8")
    assert install(release, root, "--dry-run")[-1] == "2 changes would be made; nothing was done."
    install(release, root)
    assert check_plays(root) != first, "mended beside it, and not in its place"
    assert settings.read_text(encoding="utf-8") == "[console]\nport = 9000\n", "settings are the owner's"

    mended = check_plays(root)
    lock = release / "requirements.lock"
    lock.write_text(lock.read_text(encoding="utf-8").replace("segno==", "segno==9"), encoding="utf-8")
    check_refused(release, root, mended)
    wheelhouse.rename(release / "elsewhere")
    check_refused(release, root, mended)
    assert len(list((root / "opt/callbox/releases").iterdir())) == 2
