"""In a virtual machine: buttons and lamps on kernel GPIO, and the box as a service under a real systemd."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement

pytestmark = pytest.mark.rigs

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


@pytest.fixture(scope="session")
def machine(rigs: Path) -> Path:
    """The program that runs a folder's job.sh in the virtual machine."""
    cache = os.environ.get("RIGS_CACHE") or Path(
        os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "pi-rigs"
    )
    if not shutil.which("qemu-system-x86_64"):
        pytest.skip("no virtual machine here: apt-get install qemu-system-x86")
    if not Path(cache, "gpio-vm", "initrd.img").exists():
        wanted = packages_of_the_machine()
        pytest.skip(f"no machine built yet: {rigs}/gpio-vm/build.sh --pip '{' '.join(wanted)}'")
    return rigs / "gpio-vm" / "run"


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


def test_every_button_and_every_lamp_on_kernel_gpio(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "gpio"))
    names = "bet1 bet2 bet3 bet4 stop cache roll_done undo"
    assert out.splitlines()[-3:] == [f"buttons {names}", f"lamps {names}", "ok"]


def test_the_service_starts_comes_back_and_ends_under_systemd(machine: Path, tmp_path: Path) -> None:
    out = run(machine, job(tmp_path, "service"), "--systemd")
    assert out.splitlines()[-1] == "ok"


def game(kind: str) -> list[str]:
    """The lines of a whole game on this machine."""
    script = HERE / "zoinx" / "zoinx_game.py"
    done = subprocess.run(
        [sys.executable, script, kind],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout.splitlines()


def test_a_whole_game_of_zoinx_on_kernel_gpio_is_line_for_line_that_on_mock_pins(
    machine: Path, tmp_path: Path
) -> None:
    there = run(machine, job(tmp_path, "zoinx")).splitlines()
    here = game("mock")
    assert len(here) > 20
    assert [line for line in there if not line.startswith("told:")][-len(here) :] == here


def test_a_box_is_ready_without_a_network_on_a_root_that_takes_no_writes_and_its_off_button_ends_it(
    machine: Path, tmp_path: Path
) -> None:
    out = run(machine, job(tmp_path, "appliance"), "--systemd")
    assert out.splitlines()[-1] == "ok"
