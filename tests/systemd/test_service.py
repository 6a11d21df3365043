"""The service and its installer, as far as a machine without root can judge them."""

import configparser
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from device.service.notify import EVERY_S

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "callbox.service"
INSTALL = ROOT / "systemd" / "install.sh"
TRIXIE = "ID=debian\nVERSION_CODENAME=trixie\n"


def service() -> dict[str, list[str]]:
    """The [Service] section; a key may stand there more than once."""
    found: dict[str, list[str]] = {}
    section = ""
    for line in UNIT.read_text().splitlines():
        if line.startswith("["):
            section = line
        elif section == "[Service]" and "=" in line and not line.startswith("#"):
            key, value = line.split("=", 1)
            found.setdefault(key, []).append(value)
    return found


def install(tmp_path: Path, *options: str, os_release: str = TRIXIE, arch: str = "arm64") -> tuple[int, str]:
    (tmp_path / "os-release").write_text(os_release)
    environment = os.environ | {
        "CALLBOX_ROOT": str(tmp_path / "root"),
        "CALLBOX_OS_RELEASE": str(tmp_path / "os-release"),
        "CALLBOX_ARCH": arch,
    }
    done = subprocess.run([INSTALL, *options], env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_the_service_tells_systemd_when_it_is_ready_and_comes_back() -> None:
    unit = service()
    assert unit["Type"] == ["notify"]
    assert unit["Restart"] == ["always"]
    assert float(unit["WatchdogSec"][0]) >= 5 * EVERY_S
    assert unit["User"] == ["callbox"]
    assert unit["StateDirectory"] == ["callbox"]


def test_lgpio_may_write_where_the_service_runs() -> None:
    unit = service()
    (folder,) = unit["WorkingDirectory"]
    assert folder == "/run/" + unit["RuntimeDirectory"][0]
    settings = dict(pair.split("=", 1) for line in unit["Environment"] for pair in line.split())
    assert settings["LG_WD"] == folder
    assert settings["GPIOZERO_PIN_FACTORY"] == "lgpio"


def test_camera_pins_and_scoreboard_stay_open() -> None:
    unit = service()
    allowed = {line.split()[0] for line in unit["DeviceAllow"]}
    classes = ("video4linux", "media", "dma_heap", "gpiochip", "spidev", "alsa")
    assert {f"char-{name}" for name in classes} <= allowed
    assert unit["SupplementaryGroups"] == ["video gpio spi audio"]
    assert unit["PrivateDevices"] == ["no"]


def test_the_service_starts_the_command_that_the_installer_makes() -> None:
    command = service()["ExecStart"][0].split()
    assert command[:2] == ["/opt/callbox/current/.venv/bin/callbox", "play"]
    assert command[2:] == ["--config", "/etc/callbox/callbox.toml"]
    project = configparser.ConfigParser()
    project.read_string("[p]\n" + re.findall(r"(?m)^callbox = .*$", (ROOT / "pyproject.toml").read_text())[0])
    assert project["p"]["callbox"] == '"device.cli:main"'


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not on this machine")
def test_the_service_has_no_unknown_key_and_little_exposure(tmp_path: Path) -> None:
    # verify answers 0 even for unknown keys, so its words count; and it wants ExecStart to exist.
    copy = tmp_path / "callbox.service"
    copy.write_text(UNIT.read_text().replace("/opt/callbox/current/.venv/bin/callbox", "/bin/true"))
    verified = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", copy], capture_output=True, text=True, check=False
    )
    assert [line for line in verified.stderr.splitlines() if "callbox.service" in line] == []
    judged = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold=25", UNIT],
        capture_output=True,
        text=True,
        check=False,
    )
    assert judged.returncode == 0, judged.stdout.splitlines()[-1]


def test_a_dry_run_says_everything_and_does_nothing(tmp_path: Path) -> None:
    status, said = install(tmp_path, "--dry-run")
    assert status == 0
    root = tmp_path / "root"
    name = said.splitlines()[0].split()[4]
    assert said.splitlines() == [
        f"would make the release {name} ready in {root}/opt/callbox/releases (minutes)",
        f"would change over to {name}",
        f"would write {root}/etc/callbox/callbox.toml",
        "would put the service in its place",
        "4 changes would be made; nothing was done.",
    ]
    assert not root.exists()


@pytest.mark.parametrize(
    ("machine", "word"),
    [
        ({"arch": "armhf"}, "Raspberry Pi OS Lite (64-bit)"),
        ({"os_release": "VERSION_CODENAME=bullseye\n"}, "this is bullseye"),
        ({"os_release": "ID=arch\n"}, "this is unknown"),
    ],
)
def test_a_wrong_system_is_refused_with_the_way_out(
    tmp_path: Path, machine: dict[str, str], word: str
) -> None:
    status, said = install(tmp_path, "--dry-run", **machine)
    assert status == 1
    assert word in said
    assert "Write a new card" in said


def test_an_unknown_option_is_refused(tmp_path: Path) -> None:
    status, said = install(tmp_path, "--force")
    assert status == 2
    assert "unknown option --force" in said


def test_uninstalling_keeps_games_and_settings(tmp_path: Path) -> None:
    root = tmp_path / "root"
    kept = [root / "etc/callbox/callbox.toml", root / "var/lib/callbox/journal.db"]
    gone = [root / "opt/callbox/device/cli.py", root / "etc/systemd/system/callbox.service"]
    for file in kept + gone:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
    status, said = install(tmp_path, "--uninstall")
    assert status == 0
    assert [file.exists() for file in kept + gone] == [True, True, False, False]
    assert "are kept" in said
    assert install(tmp_path, "--uninstall")[0] == 0, "a second time does no harm"


def test_a_box_that_falls_again_and_again_is_never_left_off() -> None:
    text = UNIT.read_text()
    assert "StartLimitIntervalSec=0" in text.split("[Service]")[0]
    assert "StartLimitBurst" not in text
    assert float(service()["RestartSec"][0]) >= 1


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not there")
@pytest.mark.parametrize("name", ["callbox", "callbox-off", "callbox-prove"])
def test_each_unit_may_do_little_beside_its_work(name: str) -> None:
    """systemd counts exposure from 0 to 10; a unit without any sandbox has 9.6."""
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=30"]
    done = subprocess.run(
        [*command, str(ROOT / "systemd" / f"{name}.service")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-200:] + done.stderr
