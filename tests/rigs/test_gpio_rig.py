"""In a virtual machine: buttons and lamps on kernel GPIO, and the box as a service under a real systemd."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
ROOMS = ("device", "vision", "engine", "calibration", "models")


@pytest.fixture(scope="session")
def machine(rigs: Path) -> Path:
    """The program that runs a folder's job.sh in the virtual machine."""
    cache = os.environ.get("RIGS_CACHE") or Path(
        os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "pi-rigs"
    )
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no virtual machine here: apt-get install qemu-system-x86")
    if not Path(cache, "gpio-vm", "initrd.img").exists():
        pins = [
            line.split(" ;")[0].rstrip(" \\")
            for line in (ROOT / "requirements.lock").read_text().splitlines()
        ]
        wanted = [
            pin
            for pin in pins
            if "==" in pin and not pin.startswith((" ", "colorama", "rpi-ws281x", "numpy"))
        ]
        pytest.skip(f"no machine built yet: {rigs}/gpio-vm/build.sh --pip 'numpy {' '.join(wanted)}'")
    return rigs / "gpio-vm" / "run"


def job(folder: Path, name: str) -> Path:
    """A folder with the rooms and the files of tests/rigs/NAME."""
    shutil.copytree(HERE / name, folder / "job")
    for room in ROOMS:
        shutil.copytree(ROOT / room, folder / "job" / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "systemd", folder / "job" / "systemd")
    return folder / "job"


def run(machine: Path, folder: Path, *options: str) -> str:
    patient = ["--timeout", "3600"]  # a busy machine is slow, and slowness is no failure
    done = subprocess.run([machine, *patient, *options, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    return done.stdout


def test_every_button_and_every_lamp_on_kernel_gpio(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "gpio"))
    names = "bet1 bet2 bet3 bet4 stop cache roll_done undo"
    assert out.splitlines()[-3:] == [f"buttons {names}", f"lamps {names}", "ok"]


def test_the_service_starts_comes_back_and_ends_under_systemd(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "service"), "--systemd")
    assert out.splitlines()[-1] == "ok"
