"""What the installer tells the machine around the service: off button, devices, log, name in the network."""

import configparser
import os
import subprocess
from pathlib import Path
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[2]
SYSTEMD = ROOT / "systemd"
STAGE = """
set -euo pipefail
source_dir={source} root={root} etc={root}/etc/callbox
say() {{ echo "$*"; }}
change() {{ say "$1"; shift; "$@"; }}
has_systemd() {{ :; }}
control() {{ echo "$*" >> {root}/told; [ "$1" != is-active ] || [ -e {root}/listens ]; }}
. {source}/systemd/machine.sh
{what}
"""


def told(root: Path, what: str) -> list[str]:
    """What is said when this is done to the machine below `root`."""
    (root / "etc/callbox").mkdir(parents=True, exist_ok=True)
    script = STAGE.format(source=ROOT, root=root, what=what)
    ran = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False, env=os.environ)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout.splitlines()


def files(root: Path) -> set[str]:
    """All files below /etc, the settings left out."""
    etc = root / "etc"
    found = {str(path.relative_to(etc)) for path in etc.rglob("*") if path.is_file()}
    return found - {"callbox/callbox.toml"}


def test_each_file_has_its_place_and_a_second_time_there_is_nothing_to_do(tmp_path: Path) -> None:
    first = told(tmp_path, "machine")
    assert [line.split()[0] for line in first] == ["set", "listen", "listen"]
    assert files(tmp_path) == {
        "systemd/system/callbox-off.path",
        "systemd/system/callbox-off.service",
        "systemd/system/callbox-update.path",
        "systemd/system/callbox-update.service",
        "systemd/journald.conf.d/callbox.conf",
        "udev/rules.d/70-callbox.rules",
        "avahi/services/callbox.service",
    }
    for unit in ("callbox-off.path", "callbox-update.path"):
        assert f"enable --now --quiet {unit}" in (tmp_path / "told").read_text()
    (tmp_path / "listens").touch()
    assert told(tmp_path, "machine") == []


def test_a_file_that_was_changed_is_put_right(tmp_path: Path) -> None:
    told(tmp_path, "machine")
    (tmp_path / "listens").touch()
    rules = tmp_path / "etc/udev/rules.d/70-callbox.rules"
    rules.write_text("broken")
    assert len(told(tmp_path, "machine")) == 1
    assert rules.read_text() == (SYSTEMD / "udev.rules").read_text()


def test_the_console_is_announced_at_the_port_that_the_owner_chose(tmp_path: Path) -> None:
    def announced() -> tuple[str | None, str | None]:
        told(tmp_path, "machine")
        service = ET.parse(tmp_path / "etc/avahi/services/callbox.service").find("service")  # noqa: S314 - our own file
        assert service is not None
        return service.findtext("type"), service.findtext("port")

    assert announced() == ("_http._tcp", "8080")
    settings = tmp_path / "etc/callbox/callbox.toml"
    settings.write_text("[camera]\nport = 1\n[console]\n# port = 2\nport = 9000 # mine\n[people]\nport = 3\n")
    assert announced() == ("_http._tcp", "9000")


def test_uninstalling_takes_all_of_it_away_and_nothing_else(tmp_path: Path) -> None:
    told(tmp_path, "machine")
    own = tmp_path / "etc/udev/rules.d/99-own.rules"
    own.write_text("the owner's")
    assert len(told(tmp_path, "leave_machine")) == 2
    assert files(tmp_path) == {"udev/rules.d/99-own.rules"}
    assert "disable --now --quiet callbox-off.path callbox-update.path" in (tmp_path / "told").read_text()
    assert told(tmp_path, "leave_machine") == []


def test_the_log_is_bounded_in_memory_and_on_the_card() -> None:
    limits = configparser.ConfigParser()
    limits.optionxform = str  # type: ignore[assignment,method-assign] # journald's keys are CamelCase
    limits.read(SYSTEMD / "journald.conf")
    sizes_mb = {key: int(value.removesuffix("M")) for key, value in limits["Journal"].items()}
    assert sizes_mb["SystemMaxUse"] <= 50
    assert sizes_mb["RuntimeMaxUse"] <= 16


def test_the_devices_that_the_service_may_open_belong_to_its_groups() -> None:
    rules = (SYSTEMD / "udev.rules").read_text().splitlines()
    granted = {line.split("GROUP=")[1].split('"')[1] for line in rules if "GROUP=" in line}
    unit = (SYSTEMD / "callbox.service").read_text()
    groups = next(line for line in unit.splitlines() if line.startswith("SupplementaryGroups="))
    assert granted == set(groups.partition("=")[2].split())
    assert all('MODE="0660"' in line for line in rules if "GROUP=" in line)
