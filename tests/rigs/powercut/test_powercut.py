"""Power cuts at random moments of a game: nothing acknowledged is lost, nothing is half. Run by `make rigs`.

A virtual machine plays steps into a journal on a disk that logs every write and flush; from the log come the
disks that a power cut could have left. The control, with SQLite's syncs off, must lose something: otherwise
the rig would not notice a loss at all.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import apsw
import pytest

pytestmark = pytest.mark.rigs
HERE = Path(__file__).parent
REPOSITORY = HERE.parents[2]
RIGS = REPOSITORY.parent / "shared" / "rigs"
CACHE = Path(os.environ.get("RIGS_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "pi-rigs")
STEPS = 60
CUTS = 60


def why_not() -> str:
    """What is missing for this test on this machine, or nothing."""
    if not (RIGS / "powercut" / "run").exists():
        return f"no power-cut rig in {RIGS}"
    if os.geteuid() != 0:
        return "the rig mounts disks: it needs root"
    if shutil.which("qemu-system-x86_64") is None:
        return "no qemu-system-x86_64 here"
    if not (CACHE.expanduser() / "gpio-vm" / "initrd.img").exists():
        return f"no virtual machine yet: run {RIGS / 'gpio-vm' / 'build.sh'} once"
    return ""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the virtual machine needs: the journal, and apsw for its Python."""
    if reason := why_not():
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("app")
    (folder / "device").mkdir()
    for name in ("__init__", "journal", "journal_schema", "journal_trouble", "storage"):
        shutil.copy(REPOSITORY / "device" / f"{name}.py", folder / "device")
    shutil.copy(HERE / "writer.py", folder)
    wheels = folder / "wheels"
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary", ":all:", "--python-version", "3.13", "--platform", "manylinux_2_28_x86_64"),
            *("--dest", str(wheels), f"apsw=={apsw.apsw_version()}"),
        ],
        check=True,
    )
    for wheel in wheels.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


def cut(app: Path, mode: str, *more: str) -> tuple[int, str]:
    """Play, cut, and check; the rig's status and what it said."""
    done = subprocess.run(
        [
            str(RIGS / "powercut" / "run"),
            *("--writer", f"python3 writer.py {mode} {STEPS}", "--cuts", str(CUTS), *more),
            *("--checker", f"{sys.executable} {HERE / 'checker.py'}", str(app)),
        ],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )
    print(done.stdout)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("writes", [(), ("--torn",)], ids=["whole writes", "torn writes"])
def test_a_power_cut_takes_nothing_that_was_acknowledged(app: Path, writes: tuple[str, ...]) -> None:
    status, said = cut(app, "FULL", *writes)
    assert f"FULL: {STEPS} steps played" in said, said
    assert f"{CUTS} cuts: {CUTS} ok, 0 lost acknowledged data, 0 damaged" in said, said
    assert status == 0, said


def test_the_rig_notices_a_journal_that_does_not_sync(app: Path) -> None:
    status, said = cut(app, "OFF")
    counts = re.search(r"cuts: (\d+) ok, (\d+) lost acknowledged data, (\d+) damaged", said)
    assert counts is not None, said
    assert int(counts[2]) + int(counts[3]) > CUTS // 4, said
    assert status == 1
