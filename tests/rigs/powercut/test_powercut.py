"""Power cuts at random moments of a game: nothing acknowledged is lost, nothing is half. Run by `make rigs`.

A virtual machine plays steps into a journal on a disk that logs every write and flush; from the log come the
disks that a power cut could have left. The control, with SQLite's syncs off, must lose something: otherwise
the rig would not notice a loss at all. CUTS in the environment says how many cuts; `.ci/run` makes a few.
"""

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.rigs.powercut.needs import REPOSITORY, ask_writer

pytestmark = pytest.mark.rigs
HERE = Path(__file__).parent
RIGS = REPOSITORY.parent / "shared" / "rigs"
CACHE = Path(os.environ.get("RIGS_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "pi-rigs")
STEPS = 60
CUTS = int(os.environ.get("CUTS") or 60)
PATIENCE_S = 1800
"""The virtual machine is given up after so long: a hundred times what it takes on a quiet one."""
TOO_SOON = "the writer failed (status )"
"""What the rig says where it read the writer's status before it was written."""
RUNS = 5
GIVEN_UP: list[str] = []
"""Why no virtual machine started. Who waited once in vain need not wait again."""
PLATFORMS = [f"manylinux_2_{glibc}_x86_64" for glibc in (17, 24, 26, 27, 28, 31, 34)]
"""What the virtual machine's Debian 13 runs."""


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


def why_not_mounted(folder: Path) -> str:
    """Why this machine mounts no disk from a file, or nothing."""
    disk, place = folder / "disk", folder / "place"
    place.mkdir()
    disk.write_bytes(bytes(2_000_000))
    mounted = ["unshare", "-m", "mount", "-o", "loop", str(disk), str(place)]
    for command in (["mke2fs", "-q", "-F", str(disk)], mounted):
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            return f"{command[0]}: {done.stderr.strip() or done.returncode}"
    return ""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the virtual machine needs: the journal, and its packages for the Python there."""
    reason = why_not() or why_not_mounted(tmp_path_factory.mktemp("mounting"))
    if reason:
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("app")
    needs = ask_writer()
    for name in needs.modules:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPOSITORY / name, folder / name)
    shutil.copy(HERE / "writer.py", folder)
    wheels = folder / "wheels"
    fetched = subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"),
            *("--only-binary", ":all:", "--python-version", "3.13", "--dest", str(wheels)),
            *(word for platform in PLATFORMS for word in ("--platform", platform)),
            *needs.packages,
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    if fetched.returncode:
        pytest.skip(f"no packages for the virtual machine: {fetched.stderr.strip()[-300:]}")
    for wheel in wheels.glob("*.whl"):
        zipfile.ZipFile(wheel).extractall(folder)
    return folder


def cut(app: Path, mode: str, cuts: int, *more: str) -> tuple[int, str]:
    """Play, cut, and check: the rig's status and what it said. Skips where no virtual machine starts."""
    if GIVEN_UP:
        pytest.skip(GIVEN_UP[0])
    # The rig stops where it finds its file "ended" made and the status not yet written into it. Then no cut
    # was tried, and it is run anew.
    for _ in range(RUNS):
        done = run_rig(app, mode, cuts, *more)
        if TOO_SOON not in done.stderr:
            break
    print(done.stdout)
    if "the writer failed (status None)" in done.stderr:
        GIVEN_UP.append(f"the virtual machine did not start: {done.stderr[-500:]}")
        pytest.skip(GIVEN_UP[0])
    return done.returncode, done.stdout + done.stderr


def run_rig(app: Path, mode: str, cuts: int, *more: str) -> subprocess.CompletedProcess[str]:
    """One run of the rig."""
    return subprocess.run(
        [
            str(RIGS / "powercut" / "run"),
            *("--writer", f"python3 writer.py {mode} {STEPS}", "--cuts", str(cuts)),
            *("--timeout", str(PATIENCE_S), *more),
            *("--checker", f"{sys.executable} {HERE / 'checker.py'}", str(app)),
        ],
        check=False,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )


@pytest.mark.parametrize("writes", [(), ("--torn",)], ids=["whole writes", "torn writes"])
def test_a_power_cut_takes_nothing_that_was_acknowledged(app: Path, writes: tuple[str, ...]) -> None:
    status, said = cut(app, "FULL", CUTS, *writes)
    assert f"FULL: {STEPS} steps played" in said, said
    assert f"{CUTS} cuts: {CUTS} ok, 0 lost acknowledged data, 0 damaged" in said, said
    assert status == 0, said


def test_the_rig_notices_a_journal_that_does_not_sync(app: Path) -> None:
    # About two in three cuts lose something. Few cuts could miss that by chance, so there are always enough.
    cuts = max(CUTS, 40)
    status, said = cut(app, "OFF", cuts)
    counts = re.search(r"cuts: (\d+) ok, (\d+) lost acknowledged data, (\d+) damaged", said)
    assert counts is not None, said
    assert int(counts[2]) + int(counts[3]) > cuts // 4, said
    assert status == 1
