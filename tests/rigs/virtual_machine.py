"""The rigs' virtual machine: what it must have, and a folder's job run in it."""

import os
import shutil
import subprocess
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
ROOMS = ("device", "vision", "engine", "calibration", "models")


MACHINE = {
    "python_full_version": "3.13.5",
    "python_version": "3.13",
    "sys_platform": "linux",
    "platform_machine": "x86_64",
}
"""What the lock file's marks ask of a machine: Debian 13."""
ON_A_PI_ALONE = "rpi-ws281x"


def packages_of_the_machine() -> list[str]:
    """The pinned packages that the virtual machine needs, as pip takes them."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [Requirement(line.rstrip(" \\")) for line in lines if "==" in line and not line.startswith(" ")]
    return [
        f"{pin.name}{pin.specifier}"
        for pin in pins
        if pin.name != ON_A_PI_ALONE and (pin.marker is None or pin.marker.evaluate(MACHINE))
    ]


def machine_folder() -> Path:
    """Where the virtual machine's disk, kernel and first files are, once it was built."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "pi-rigs")
    return Path(os.environ.get("RIGS_CACHE") or cache) / "gpio-vm"


def machine_lacks(program: str, packages: str) -> str:
    """Why a rig cannot run in the virtual machine: it has no such program; "" where it has."""
    asked = ["debugfs", "-R", f"stat {program}", str(machine_folder() / "disk.ext4")]
    if (
        shutil.which("debugfs")
        and "Inode:" in subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    ):
        return ""
    return f"no virtual machine with {program}: gpio-vm/build.sh --apt {packages}"


def job(folder: Path, name: str) -> Path:
    """A folder with the rooms and the files of tests/rigs/NAME."""
    shutil.copytree(HERE / name, folder / "job")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / "job" / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "systemd", folder / "job" / "systemd")
    return folder / "job"


def run(machine: Path, folder: Path, *options: str) -> str:
    # A busy machine is slow, and that is no failure; the kernel would take a late tick for a broken timer.
    patient = ["--timeout", "3600", "--append", "no_timer_check"]
    done = subprocess.run([machine, *patient, *options, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return done.stdout
