"""Rigs take minutes and want root, so they run when they are asked for: `make rigs` (pytest -m rigs)."""

import os
import shutil
import subprocess
import venv
from pathlib import Path

import pytest

from tests.rigs.virtual_machine import packages_of_the_machine

RIGS = Path(__file__).parents[3] / "shared" / "rigs"
"""Beside the checkout; a project cloned alone does without."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what was not asked for."""
    if "rigs" in config.option.markexpr:
        return
    for item in items:
        if item.get_closest_marker("rigs"):
            item.add_marker(pytest.mark.skip(reason="a rig: run by `make rigs`"))


@pytest.fixture(scope="session")
def rigs() -> Path:
    """The folder with the rigs."""
    if not RIGS.is_dir():
        pytest.skip(f"no rigs beside the checkout ({RIGS})")
    return RIGS


@pytest.fixture(scope="session")
def picamera2_python() -> Path:
    """A Python with picamera2, made once: its packages are the Pi's world, not the box's."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache / "callbox-rigs" / "picamera2"
    python = folder / "bin" / "python"
    # Looked for, not imported: it does not load outside the rig.
    look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('picamera2') is None)"
    if not python.exists() or subprocess.run([python, "-c", look], check=False).returncode:
        venv.create(folder, with_pip=True, clear=True)
        made = subprocess.run(
            [python, "-m", "pip", "install", "-q", "picamera2"], capture_output=True, text=True, check=False
        )
        if made.returncode:
            pytest.skip(f"picamera2 cannot be installed (libcap-dev and gcc?): {made.stderr.strip()[-200:]}")
    return python


@pytest.fixture(scope="session")
def container() -> Path:
    """The disk of the rigs' Debian 13, for a container."""
    cache = os.environ.get("RIGS_CACHE") or Path(
        os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"), "pi-rigs"
    )
    if os.geteuid() != 0 or not shutil.which("systemd-nspawn"):
        pytest.skip("no container here: wants root, and apt-get install systemd-container")
    disk = Path(cache, "gpio-vm", "disk.ext4")
    if not disk.exists():
        pytest.skip(f"no {disk}: test_gpio_rig.py says how it is built")
    return disk


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
