"""A card, a machine, and nobody who logs in: cloud-init's NoCloud source, systemd, kernel GPIO.

The machine is Debian 13, or 12 where RIGS_CACHE has one. CUTS in the environment says how often the power is
cut during the installation (0). On two busy cores a boot takes some minutes, and the installation a quarter
of an hour.
"""

import json
import os
import platform
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from device.panel.displays import digits
from tests.device.cameras.fake_picamera import FAKE
from tests.rigs.virtual_machine import machine_folder, machine_lacks
from tests.systemd.test_release import key, pack
from tests.vision.scenes import Drawn, Scene, draw

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "card"
CUTS = int(os.environ.get("CUTS") or 0)
PACKAGES = "cloud-init,openssh-client,avahi-daemon,espeak-ng"
SETTINGS = "[camera]\nsharp = false\nfps = 2\n[table]\nno_picture_ms = 60000\n[films]\nkeep = false\n"
SETTINGS += "[panel]\nlong_press_ms = 5000\n"
FACES = (6, 5, 3)
"""What the dice show that lie before the camera."""
NAMED = ("--name", "dicebox", "--language", "de")


@pytest.fixture(scope="module")
def machine() -> Path:
    """The virtual machine, with cloud-init in it."""
    if trouble := machine_lacks("/usr/bin/cloud-init", PACKAGES):
        pytest.skip(trouble)
    missing = [tool for tool in ("qemu-system-x86_64", "mkfs.vfat", "mcopy") if not shutil.which(tool)]
    if missing or os.geteuid() != 0:
        pytest.skip(f"wants root, and apt-get install qemu-system-x86 dosfstools mtools; missing: {missing}")
    return machine_folder()


@pytest.fixture(scope="module")
def python() -> str:
    """The version of the machine's Python: "3.13" in Debian 13."""
    asked = ["debugfs", "-R", "ls -p /usr/lib", str(machine_folder() / "disk.ext4")]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
    found = re.search(r"/python(3\.\d+)/", listed)
    assert found is not None, listed
    return found[1]


@pytest.fixture(scope="module")
def archive(python: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A signed release with every package of the machine."""
    folder = tmp_path_factory.mktemp("maker")
    unwanted = shutil.ignore_patterns(
        ".*", "__pycache__", "*.egg-info", "build", "dist", "compiled", "bench-results"
    )
    release = Path(shutil.copytree(ROOT, folder / "release", ignore=unwanted))
    made = ["make", "wheelhouse", f"ARCH={platform.machine()}", f"BOXES={python}", f"VENV={folder / 'venv'}"]
    subprocess.run(made, cwd=release, check=True)
    wheelhouse = (release / "wheelhouse").rename(folder / "wheelhouse")
    done = pack(release, "--key", key(folder, "ours"), "--wheelhouse", wheelhouse)
    assert done.status == 0, done.said
    (packed,) = (folder / "dist").glob("callbox-*.tar.gz")
    return packed


def write_card(card: Path, archive: Path, *words: str, typed: str = "") -> None:
    """What a builder does."""
    callbox = [str(ROOT / ".venv" / "bin" / "callbox"), "card", "--out", str(card), "--release", str(archive)]
    subprocess.run([*callbox, *NAMED, *words], input=typed, text=True, check=True)


@pytest.fixture
def disks(machine: Path, python: str, archive: Path, tmp_path: Path) -> Path:
    """A card that was written, and what a Pi has without us: a system with numpy and a camera's library."""
    card, site = tmp_path / "card", tmp_path / "site"
    card.mkdir()
    (tmp_path / "own.toml").write_text(SETTINGS, encoding="utf-8")
    write_card(card, archive, "--config", str(tmp_path / "own.toml"))
    (wheel,) = (archive.parents[1] / "wheelhouse").glob(f"numpy-*-cp{python.replace('.', '')}-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(site)
    laid = tuple(Drawn(face, 400 + 200 * at, 480, yaw_deg=15 + 20 * at) for at, face in enumerate(FACES))
    np.save(site / "rig_dice.npy", draw(Scene(laid)).reshape(960, -1))
    fake = FAKE.replace("rows[:, 0:width * 3:3] = 10;", "rows[:, :width * 3] = DICE; return self.made(rows);")
    fake = fake.replace(
        "PAD = 64", "DICE = np.load(__file__.replace('picamera2.py', 'rig_dice.npy'))\nPAD = 64"
    )
    made = "    def made(self, rows):\n        rows[0, 0] = self.count % 256\n"
    made += '        return Request({"main": rows.reshape(-1)}, {})\n'
    fake = fake.replace("    def told(self):", f"{made}    def told(self):").replace(
        "time.sleep(0.004)", "time.sleep(0.5)"
    )
    (site / "picamera2.py").write_text(fake, encoding="utf-8")
    subprocess.run([HERE / "prepare.sh", card, machine, site, tmp_path], check=True)
    return tmp_path


class Power:
    """The machine's power."""

    def __init__(self, machine: Path, disks: Path, rigs: Path) -> None:
        self.job = disks / "job"
        shutil.copytree(HERE, self.job)
        self._words = [HERE / "boot.sh", machine, disks, self.job, rigs]

    def progress(self) -> list[str]:
        """What was seen of the first boot up to now, over all boots."""
        return self._lines("progress")

    def let_play(self) -> None:
        """Have the job press its buttons, once the box is there and this file says so."""
        (self.job / "play").write_text("now", encoding="utf-8")

    def run(self, *more: str) -> str:
        """Boot, and let the job come to its end; what it said. `more` is for QEMU."""
        (self.job / "play").touch()
        subprocess.run([*self._words, *more], check=True)
        return (self.job / "out.log").read_text(encoding="utf-8")

    def run_until(self, state: str, after_s: float) -> str:
        """Boot, wait for that state, or for the end, then so long, and cut the power: the state then."""
        before = len(self._lines("states"))
        with subprocess.Popen(self._words) as process:
            while not any(state in seen or seen == "done" for seen in self._lines("states")[before:]):
                assert process.poll() is None, "the machine has ended by itself"
                time.sleep(0.2)
            time.sleep(after_s)
            process.kill()
        return self._lines("states")[-1]

    def _lines(self, name: str) -> list[str]:
        path = self.job / name
        return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


@pytest.fixture
def power(machine: Path, disks: Path, rigs: Path) -> Power:
    """Off, at first."""
    return Power(machine, disks, rigs)


def test_ten_cuts_of_the_power_cost_nothing(container: Path, archive: Path, tmp_path: Path) -> None:
    if trouble := machine_lacks("/usr/bin/cloud-init", PACKAGES):
        pytest.skip(trouble)
    card = tmp_path / "card"
    card.mkdir()
    write_card(card, archive, "--pin", typed="4711\n")
    seconds = [str(9 + 4 * each) for each in range(10)]
    subprocess.run([HERE / "container.sh", container, card, tmp_path, *seconds], check=True)
    said = (tmp_path / "job" / "out.log").read_text(encoding="utf-8")
    print(said)
    assert said.splitlines()[-1] == "ok", said[-3000:]


MOMENTS = (
    ("step 1", 8),
    ("step 3", 0),
    ("check", 25),
    ("ready", 0),
    ("ready", 60),
    ("change", 0),
    ("current", 0),
    ("current", 15),
    ("current", 40),
    ("done", 0),
)
"""When the power is cut: so many seconds after that step of first-boot.sh, or of the installer, was begun."""


def test_a_card_becomes_a_box_that_counts_a_roll_without_a_network(power: Power) -> None:
    for state, after_s in MOMENTS[:CUTS]:
        print("cut at", power.run_until(state, after_s), flush=True)
    power.let_play()
    check_box(power, power.run())


def test_with_a_network_page_and_box_are_reached_from_outside(power: Power) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    seen, over = Seen(f"http://127.0.0.1:{port}", power.let_play), threading.Event()
    looks = threading.Thread(target=seen.look_until, args=(over,))
    looks.start()
    card = (
        "-netdev",
        f"user,id=net,hostfwd=tcp:127.0.0.1:{port}-:8080",
        "-device",
        "virtio-net-pci,netdev=net",
    )
    try:
        said = power.run(*card)
    finally:
        over.set()
        looks.join()
    print(*seen.steps, *seen.addresses, sep="\n")
    check_box(power, said)
    assert any("Schritt 4 von 5" in page for page in seen.steps)
    assert ADDRESS in seen.addresses


ADDRESS = "http://10.0.2.15:8080/"
"""Which QEMU's own network gives its first machine."""
ON_BOARD = digits("10.0.2.15")


class Seen:
    """What somebody outside saw of the box."""

    def __init__(self, address: str, then: Callable[[], None]) -> None:
        """`then` is done as soon as the board shows the address."""
        self._address = address
        self._then = then
        self.steps: set[str] = set()
        self.addresses: set[str] = set()

    def look_until(self, over: threading.Event) -> None:
        """Look at the page of the first boot, then at the box, now and then."""
        while not over.wait(1):
            try:
                with urllib.request.urlopen(f"{self._address}/state", timeout=600) as answer:  # noqa: S310
                    content = answer.read().decode()
            except OSError:
                continue
            if step := re.search(r"role=.status.>([^<]*)", content):
                self.steps.add(step[1])
            elif content.startswith("{"):
                shown = json.loads(content)
                self.addresses |= {shown["address"]} - {""}
                if any(row[: len(ON_BOARD)] == list(ON_BOARD) for row in shown["segments"]):
                    self._then()


def check_box(power: Power, said: str) -> None:
    """The first boot told its steps, and ended with a box that counted a roll."""
    progress = power.progress()
    print(*progress, said, sep="\n")
    assert said.splitlines()[-1] == "ok", said[-3000:]
    steps = [line.partition("|")[0].split() for line in progress]
    assert not [step for step in steps if step[0] == "fault"], progress
    assert any("100000000" in line and "Schritt 1 von 5" in line for line in progress), "lamp 1, and blue"
    assert any("Schritt 4 von 5" in line for line in progress)
    rolled = '"event": "rolled", "dice": [6, 5, 3]'
    assert rolled in (power.job / "exported").read_text(encoding="utf-8"), (
        "as a press of ROLL DONE had it read"
    )
