"""The doctor on made-up machines: a well Pi, a PC, and one illness at a time."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from device import config, doctor
from device.cameras.v4l2 import Node
from device.doctor.machine import CheckedBox, Finding, Interpreter, Machine, Ran
from device.panel import PanelLost
from device.wiring import PanelConfig

VENV = "/opt/callbox/.venv"
PYTHON = Interpreter(f"{VENV}/bin/python", (3, 13, 5), VENV, "/usr")
MODULES: dict[str, dict[str, object] | str] = {
    "numpy": {"file": f"{VENV}/lib/numpy/__init__.py", "version": "2.5.5"},
    "cv2": {"file": f"{VENV}/lib/cv2/__init__.py", "version": "5.0.0"},
    "onnxruntime": {"file": f"{VENV}/lib/onnxruntime/__init__.py", "version": "1.31.1"},
    "av": {"file": f"{VENV}/lib/av/__init__.py", "version": "19.0.2"},
    "lgpio": {"file": "/usr/lib/python3/dist-packages/lgpio.py", "whole": True},
    "apsw": {"file": f"{VENV}/lib/apsw/__init__.py", "version": "3.54.1"},
}
PI_COMMANDS = {
    "grabber.py --list": Ran(0, '{"cameras": [{"model": "imx708", "id": "/base/i2c"}]}\n'),
    "vcgencmd": Ran(0, "throttled=0x0\n"),
    "timedatectl": Ran(0, "yes\n"),
    "systemctl is-active": Ran(0, "active\n"),
    "journalctl --disk-usage": Ran(0, "Archived and active journals take up 48.0M in the file system.\n"),
}
PI_TEXTS = {
    "/proc/device-tree/model": "Raspberry Pi 5 Model B Rev 1.0\0",
    "/sys/class/thermal/thermal_zone0/temp": "48300\n",
    "/proc/meminfo": "MemTotal: 4000000 kB\nMemAvailable: 3000000 kB\n",
    "/etc/systemd/system/callbox.service": "[Service]\n",
    "/var/lib/callbox-first-boot/state": "done\n",
    "/proc/mounts": "proc /proc proc rw 0 0\n/dev/mmcblk0p2 / ext4 rw,noatime 0 0\n",
    "/sys/fs/ext4/mmcblk0p2/errors_count": "0\n",
}


@dataclass(frozen=True)
class Fake(Machine):
    """A machine of the test's making; what it is not told of is not there."""

    interpreter: Interpreter = PYTHON
    texts: dict[str, str] = field(default_factory=lambda: dict(PI_TEXTS))
    devices: frozenset[str] = frozenset({"/dev/spidev0.0"})
    modules: dict[str, dict[str, object] | str] = field(default_factory=lambda: dict(MODULES))
    commands: dict[str, Ran] = field(default_factory=lambda: dict(PI_COMMANDS))
    packages: dict[str, str] = field(
        default_factory=lambda: {
            "gpiozero": "2.0.1.post3",
            "opencv-python-headless": "5.0.0.93",
            "lgpio": "0.2.2.0",
        }
    )
    members: dict[str, set[str]] = field(
        default_factory=lambda: {"callbox": {"callbox", "video", "gpio", "spi"}}
    )
    may_write: bool | None = True
    free: float = 9000.0
    port_trouble: str = ""
    age: float | None = 3.0
    ips: tuple[str, ...] = ("192.168.1.20", "fd00::1")
    chips: dict[str, str] = field(default_factory=lambda: {"/dev/gpiochip0": "pinctrl-rp1"})
    plugged_in: list[Node] = field(default_factory=list)
    jpeg: bytes = b""
    holders: dict[int, str] = field(default_factory=dict)
    down: str = ""
    box: str | None = None

    def text(self, path: str) -> str | None:
        return self.texts.get(path)

    def exists(self, path: str) -> bool:
        return path in self.devices

    def age_days(self, path: Path) -> float | None:  # noqa: ARG002 - as the real one
        return self.age

    def run(self, command: Sequence[str]) -> Ran | None:
        if "-c" in command:
            module = command[-1].split("import json, ")[1].split()[0]
            answer = self.modules.get(module, f"ModuleNotFoundError: No module named '{module}'")
            if isinstance(answer, str):
                return Ran(1, "", f"Traceback\n{answer}\n")
            return Ran(0, json.dumps(answer) + "\n")
        line = " ".join(command)
        return next((ran for words, ran in self.commands.items() if words in line), None)

    def distributions(self) -> dict[str, str]:
        return self.packages

    def groups(self, user: str) -> set[str] | None:
        return self.members.get(user)

    def writable(self, folder: Path, user: str) -> bool | None:  # noqa: ARG002 - as the real one
        return self.may_write

    def free_mb(self, folder: Path) -> float:  # noqa: ARG002 - as the real one
        return self.free

    def port_free(self, host: str, port: int) -> str:  # noqa: ARG002 - as the real one
        return self.port_trouble

    def addresses(self) -> list[str]:
        return list(self.ips)

    def usb_cameras(self) -> list[Node]:
        return self.plugged_in

    def gpio_labels(self) -> dict[str, str]:
        return self.chips

    def picture(self, host: str, port: int) -> bytes:  # noqa: ARG002 - as the real one
        return self.jpeg

    def gpio_holders(self, chip: str) -> dict[int, str]:
        return self.holders if chip in self.chips else {}

    def panel_trouble(self, panel: PanelConfig) -> str:  # noqa: ARG002 - as the real one
        if self.down == "no pins":
            raise PanelLost("The pins cannot be reached.")
        return self.down

    def box_says_of_panel(self, port: int) -> str | None:
        return self.box if port == 8080 else None


BOX = CheckedBox(
    config=config.parse(""),
    trouble="",
    config_file="/etc/callbox/callbox.toml",
    data=Path("/var/lib/callbox"),
    user="callbox",
)
PC = Fake(
    texts={"/proc/meminfo": PI_TEXTS["/proc/meminfo"]},
    devices=frozenset(),
    modules={name: MODULES[name] for name in ("numpy", "cv2", "onnxruntime", "av", "apsw")},
    commands={},
    members={},
    chips={},
)


def test_no_made_up_machine_asks_the_real_one() -> None:
    assert {name for name in vars(Machine) if not name.startswith("_")} <= vars(Fake).keys()


def findings(machine: Fake, box: CheckedBox = BOX) -> dict[str, Finding]:
    return {finding.name: finding for finding in doctor.examine(machine, box)}


def without(whole: dict[str, str], *keys: str) -> dict[str, str]:
    return {key: value for key, value in whole.items() if key not in keys}


def answering(command: str, ran: Ran) -> dict[str, Ran]:
    return PI_COMMANDS | {command: ran}


def listing(text: str) -> dict[str, Ran]:
    return PI_COMMANDS | {"grabber.py --list": Ran(0, text)}


def set_to(text: str) -> CheckedBox:
    return replace(BOX, config=config.parse(text))


UNTOLD = ("landing", "sharpness", "drift", "journal", "voice")
"""What a box without a game and with the settings as shipped says nothing of."""


def test_a_well_pi_is_well_and_every_check_says_which() -> None:
    found = findings(Fake())
    assert list(found) == list(doctor.CHECKS)
    well = dict.fromkeys(doctor.CHECKS, "ok") | dict.fromkeys(UNTOLD, "not here")
    assert {name: f.verdict for name, f in found.items()} == well
    assert all(f.text.endswith(".") or "http" in f.text for f in found.values())
    assert found["network"].text.endswith("http://192.168.1.20:8080")


def test_a_pc_lacks_what_only_a_pi_has_and_nothing_fails() -> None:
    found = findings(PC)
    gone = {name for name, f in found.items() if f.verdict == "not here"}
    pi_only = {
        "lgpio",
        "board",
        "pins",
        "groups",
        "camera",
        "spi",
        "power",
        "heat",
        "clock",
        "service",
        "first-boot",
    }
    assert gone == pi_only | {*UNTOLD, "card", "log", "claimed", "buttons"}
    assert {f.verdict for name, f in found.items() if name not in gone} == {"ok"}


ILL: list[tuple[str, str, Fake, str, str]] = [
    (
        "python",
        "fail",
        Fake(interpreter=Interpreter("/usr/bin/python3", (3, 9, 2), VENV, "/usr")),
        "too old",
        "Bookworm",
    ),
    (
        "python",
        "warn",
        Fake(interpreter=Interpreter("/usr/bin/python3", (3, 11, 2), "/usr", "/usr")),
        "without a virtual environment",
        "install.sh",
    ),
    (
        "numpy",
        "warn",
        Fake(modules=MODULES | {"numpy": {"file": "/usr/lib/python3/numpy.py", "version": "1.24"}}),
        "not Callbox's own",
        "install.sh",
    ),
    (
        "numpy",
        "fail",
        Fake(modules=MODULES | {"numpy": "ValueError: size changed"}),
        "size changed",
        "install.sh",
    ),
    ("opencv", "fail", Fake(packages={}), "not installed", "install.sh"),
    (
        "opencv",
        "fail",
        Fake(packages={"opencv-python": "5", "opencv-python-headless": "5"}),
        "opencv-python, opencv-python-headless",
        "uninstall -y opencv-python;",
    ),
    ("opencv", "fail", Fake(packages={"opencv-python": "5"}), "installed as opencv-python;", "uninstall"),
    ("opencv", "fail", Fake(modules=MODULES | {"cv2": "ImportError: libGL"}), "libGL", "install.sh"),
    ("onnxruntime", "fail", Fake(modules=MODULES | {"onnxruntime": "Illegal"}), "Illegal", "install.sh"),
    ("films", "warn", Fake(modules=MODULES | {"av": "ImportError: libx264"}), "libx264", "install.sh"),
    ("gpiozero", "fail", Fake(packages={"gpiozero": "2.0.1.post2"}), "too old", "install.sh"),
    ("gpiozero", "fail", Fake(packages={}), "not installed", "install.sh"),
    (
        "lgpio",
        "fail",
        Fake(modules=MODULES | {"lgpio": {"file": "x.py", "whole": False}}),
        "empty stand-in",
        "apt install python3-lgpio",
    ),
    ("lgpio", "fail", Fake(packages={"lgpio": "0.0.0.2"}), "empty stand-in", "uninstall -y lgpio"),
    ("lgpio", "fail", Fake(modules=MODULES | {"lgpio": "ImportError: none"}), "does not load", "apt install"),
    (
        "sqlite",
        "fail",
        Fake(modules=MODULES | {"apsw": {"file": "x", "version": "3.51.2"}}),
        "3.51.2 can damage",
        "install.sh",
    ),
    ("pins", "fail", Fake(chips={"/dev/gpiochip0": ""}), "may not be opened", "usermod -aG gpio"),
    ("pins", "fail", Fake(chips={"/dev/gpiochip0": "brcmvirt"}), "seen: brcmvirt", "full-upgrade"),
    (
        "groups",
        "fail",
        Fake(members={"callbox": {"video"}}),
        "not in gpio, spi",
        "usermod -aG gpio,spi callbox",
    ),
    ("groups", "fail", Fake(members={}), "no user callbox", "install.sh"),
    ("camera", "fail", Fake(commands=listing('{"cameras": []}')), "0 found", "ribbon cable"),
    (
        "camera",
        "fail",
        Fake(commands=listing('{"trouble": "missing", "detail": "no module picamera2"}')),
        "not installed",
        "sudo apt install python3-picamera2 --no-install-recommends",
    ),
    ("camera", "fail", Fake(commands=listing("")), "lists no cameras", "plug it in again"),
    ("spi", "fail", Fake(devices=frozenset()), "/dev/spidev0.0 is missing", "raspi-config nonint do_spi 0"),
    (
        "power",
        "fail",
        Fake(commands=answering("vcgencmd", Ran(0, "throttled=0x50005\n"))),
        "The voltage is too low now; the processor is slowed down now",
        "power supply",
    ),
    (
        "power",
        "warn",
        Fake(commands=answering("vcgencmd", Ran(0, "throttled=0x10000\n"))),
        "too low since the start",
        "power supply",
    ),
    (
        "heat",
        "warn",
        Fake(texts=PI_TEXTS | {"/sys/class/thermal/thermal_zone0/temp": "84100"}),
        "84 °C",
        "fan",
    ),
    ("memory", "warn", Fake(texts=PI_TEXTS | {"/proc/meminfo": "MemAvailable: 102400 kB"}), "100 MB", "end"),
    ("data", "fail", Fake(may_write=False), "callbox may not write to /var/lib/callbox", "chown -R callbox:"),
    ("data", "warn", Fake(may_write=None), "cannot be told", "sudo"),
    ("space", "warn", Fake(free=400), "400 MB", "vacuum"),
    ("space", "fail", Fake(free=40), "40 MB", "larger card"),
    ("clock", "warn", Fake(commands=answering("timedatectl", Ran(0, "no\n"))), "not set", "set-ntp"),
    (
        "port",
        "fail",
        Fake(
            port_trouble="Address already in use",
            commands=answering("systemctl is-active", Ran(3, "inactive\n")),
        ),
        "Port 8080 cannot be used: Address already in use",
        "ss -ltnp",
    ),
    ("network", "warn", Fake(ips=("169.254.7.7", "fe80::1")), "in no network", "nmtui"),
    (
        "first-boot",
        "fail",
        Fake(texts=PI_TEXTS | {"/var/lib/callbox-first-boot/state": "fault 2\n"}),
        "no network, and not all packages are on the card",
        "journalctl -u callbox-first-boot",
    ),
    (
        "first-boot",
        "warn",
        Fake(texts=PI_TEXTS | {"/var/lib/callbox-first-boot/state": "step 4\n"}),
        "Callbox is being installed",
        "wait for it",
    ),
    (
        "service",
        "warn",
        Fake(texts=without(PI_TEXTS, "/etc/systemd/system/callbox.service")),
        "does not start by itself",
        "install.sh",
    ),
    (
        "service",
        "fail",
        Fake(commands=answering("systemctl is-active", Ran(3, "failed\n"))),
        "callbox is failed",
        "journalctl -u callbox",
    ),
]


@pytest.mark.parametrize(
    ("name", "verdict", "machine", "text", "fix"), ILL, ids=[f"{row[0]}: {row[3]}" for row in ILL]
)
def test_each_illness_is_named_with_its_cure(
    name: str, verdict: str, machine: Fake, text: str, fix: str
) -> None:
    found = findings(machine)[name]
    assert found.verdict == verdict
    assert text in found.text
    assert fix in found.fix


def test_every_check_that_can_fail_is_shown_failing() -> None:
    told = "landing clashes networks lock card journal log sharpness drift claimed buttons voice"
    elsewhere = set(told.split())  # test_landing, test_whole, test_sight, test_wires, test_sound
    assert set(doctor.CHECKS) - {row[0] for row in ILL} == {"board", "settings"} | elsewhere


def test_a_usb_camera_is_looked_for_where_the_settings_name_one() -> None:
    plugged, box = Fake(plugged_in=[Node("/dev/video2", "C920")]), set_to('[camera]\nspec = "usb"\n')
    assert findings(plugged, box)["camera"].text == "usb is C920, /dev/video2."
    gone = findings(Fake(), box)["camera"]
    assert (gone.verdict, "usb was asked for, 0 found" in gone.text) == ("fail", True)
    assert gone.fix.startswith("plug it in again")


def test_settings_that_cannot_be_used_are_told_and_the_rest_is_looked_at_all_the_same() -> None:
    broken = replace(BOX, config=None, trouble="port: Expected int, got str.")
    found = findings(Fake(), broken)
    assert found["settings"].verdict == "fail"
    assert found["settings"].text == "port: Expected int, got str."
    assert found["settings"].fix == "fix /etc/callbox/callbox.toml"
    assert found["port"].verdict == "not here"
    assert found["spi"].verdict == "ok"


def test_the_service_itself_may_hold_the_port() -> None:
    assert findings(Fake(port_trouble="Address already in use"))["port"].verdict == "ok"


@pytest.mark.parametrize(
    ("name", "settings"),
    [("camera", '[camera]\nspec = "table"'), ("spi", '[scoreboard]\nkind = "none"')],
)
def test_what_the_settings_do_not_use_is_not_missed(name: str, settings: str) -> None:
    bare = Fake(commands=listing('{"cameras": []}'), devices=frozenset())
    assert findings(bare)[name].verdict == "fail"
    assert findings(bare, set_to(settings))[name].verdict == "ok"


def test_the_second_camera_is_looked_for_by_its_number() -> None:
    box = set_to('[camera]\nspec = "picamera2:1"')
    assert "picamera2:1 was asked for, 1 found" in findings(Fake(), box)["camera"].text


def test_a_check_that_breaks_says_so_and_the_others_go_on() -> None:
    found = findings(Fake(commands=answering("vcgencmd", Ran(0, "throttled=often\n"))))
    assert found["power"].verdict == "fail"
    assert "this check itself broke: ValueError" in found["power"].text
    assert found["service"].verdict == "ok"


def test_the_manual_names_every_check() -> None:
    manual = (Path(doctor.__file__).parents[2] / "docs" / "running.md").read_text()
    _, _, table = manual.partition("## What the doctor says")
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| ")]
    named = [word.strip() for row in rows[1:] for word in row.split(",")]
    assert [name for name in named if name in doctor.CHECKS] == list(doctor.CHECKS)
