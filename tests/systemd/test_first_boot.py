"""A card makes a box of a Pi by itself: through power cuts, without a network, and with a wrong Wi-Fi."""

import hashlib
import itertools
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from device.card import CardPlan, card_files, check_release, wifi_of
from tests.systemd.stage import Done, Stage, read_lines
from tests.systemd.test_release import key, packed

SYSTEMCTL = """#!/bin/sh
# The first boot's own units are run by the test; all else is the stand-in's.
case "$*" in *callbox-first-boot*) echo "$*" >> "$CALLBOX_ROOT/first-boot-units" ;;
*) exec systemctl "$@" ;;
esac
"""
NMCLI = """#!/bin/sh
# Notes what it is asked. Whoever joins the access point enters another Wi-Fi as soon as that is up.
echo "$*" >> "$CALLBOX_ROOT/nmcli"
case "$*" in
*device) echo wlan0:wifi ;;
*"up callbox-access-point") [ ! -e "$CALLBOX_ROOT/entered" ] ||
  cp "$CALLBOX_ROOT/entered" "$CALLBOX_ROOT/var/lib/callbox-first-boot/wifi" ;;
*"up callbox-wifi") touch "$CALLBOX_ROOT/online" ;;
esac
"""


class Pi:
    """A Pi with the card in it."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.card = stage.root / "boot" / "firmware"
        self.work = stage.root / "var" / "lib" / "callbox-first-boot"
        self.release = Path()
        for name, text in (
            ("first-boot-systemctl", SYSTEMCTL),
            ("nmcli", NMCLI),
            ("nm-online", '#!/bin/sh\n[ -e "$CALLBOX_ROOT/online" ]\n'),
            ("sleep", "#!/bin/sh\n"),
        ):
            stage.command(name, text)

    def write_card(self, release: Path, plan: CardPlan) -> None:
        """What `callbox card` writes."""
        for name, content in card_files(plan, check_release(release, None)).items():
            path = self.card / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        (self.card / "callbox" / "release.tar.gz").write_bytes(release.read_bytes())

    def boot(self, run: Callable[[list[str], dict[str, str]], Done] | None = None) -> Done:
        """cloud-init's start, and then the unit's; it is tried once."""
        run = run or self.stage.run
        environment = self.stage.environment() | {
            "CALLBOX_SYSTEMCTL": "first-boot-systemctl",
            "CALLBOX_ACCESS_POINT_S": "3",
        }
        begun = run(["bash", str(self.card / "callbox" / "first-boot.sh"), "begin"], environment)
        if begun.status or (self.work / "done").exists():
            return begun
        return run(["bash", str(self.work / "first-boot.sh")], environment)

    @property
    def state(self) -> str:
        path = self.work / "state"
        return path.read_text(encoding="utf-8").strip() if path.exists() else ""

    @property
    def asked_of_nmcli(self) -> str:
        path = self.stage.root / "nmcli"
        return path.read_text(encoding="utf-8") if path.exists() else ""


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> dict[bool, Path]:
    """A signed release, by whether all packages lie in it."""
    made = {}
    for complete in (False, True):
        stage = Stage(tmp_path_factory.mktemp("maker"))
        options: list[str | Path] = ["--key", key(stage.folder, "ours")]
        if complete:
            (stage.folder / "wheels").mkdir()
            options += ["--wheelhouse", stage.folder / "wheels"]
        made[complete] = packed(stage, "1.0", *options)
    return made


@pytest.fixture
def pi(stage: Stage) -> Pi:
    """A Pi that never ran."""
    return Pi(stage)


PLAN = CardPlan(host_name="callbox", language="de", pin="4711")
WITH_WIFI = CardPlan(
    host_name="callbox",
    language="en",
    wifi=wifi_of("Home", "not the right one"),
    country="DE",
    access_point=wifi_of("callbox-setup", "12345678"),
)


def test_a_card_with_all_packages_makes_a_box_without_a_network(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[True], PLAN)
    done = pi.boot()
    assert done.status == 0, done.said
    assert pi.state == "done"
    assert pi.stage.runs.startswith("1.0-"), done.said
    assert 'language = "de"' in (pi.stage.root / "etc/callbox/callbox.toml").read_text(encoding="utf-8")
    assert (pi.stage.root / "etc/callbox/signers").exists()
    pins = pi.stage.root / "var/lib/callbox/pins.json"
    assert pins.stat().st_mode & 0o777 == 0o600
    assert "4711" not in pins.read_text(encoding="utf-8")
    assert pi.asked_of_nmcli == ""


def test_what_is_done_is_not_done_again_and_secrets_leave_the_card(
    pi: Pi, releases: dict[bool, Path]
) -> None:
    pi.write_card(releases[True], PLAN)
    pi.boot()
    left = {path.name for path in (pi.card / "callbox").iterdir()}
    assert not left & {"release.tar.gz", "pins.json", "access-point"}
    assert not (pi.work / "release").exists()
    (pi.stage.root / "first-boot-units").unlink()
    assert pi.boot().status == 0
    assert not (pi.stage.root / "first-boot-units").exists(), "no unit of the first boot was started"


def test_the_units_are_started_at_each_boot_until_it_is_done(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[False], PLAN)
    for _ in range(2):
        assert pi.boot().status == 1
        asked = (pi.stage.root / "first-boot-units").read_text(encoding="utf-8")
        assert "start --no-block callbox-first-boot.service" in asked
        assert "start --no-block callbox-first-boot-signs.service" in asked
        (pi.stage.root / "first-boot-units").unlink()
    (pi.stage.root / "online").touch()
    assert pi.boot().status == 0
    assert pi.state == "done"


def test_a_damaged_card_is_a_fault_and_nothing_of_it_is_run(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[True], PLAN)
    archive = pi.card / "callbox" / "release.tar.gz"
    archive.write_bytes(archive.read_bytes()[:-1] + b"x")
    assert pi.boot().status == 1
    assert pi.state == "fault 1"
    assert not (pi.stage.root / "opt").exists()


def test_without_a_network_and_all_packages_it_says_so(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[False], PLAN)
    assert pi.boot().status == 1
    assert pi.state == "fault 2"
    assert not (pi.stage.root / "opt").exists()


def test_where_the_installer_was_before_a_power_cut_is_not_shown(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[False], PLAN)
    pi.work.mkdir(parents=True)
    (pi.work / "installer").write_text("current 1.0\n", encoding="utf-8")
    pi.boot()
    assert not (pi.work / "installer").exists()


def test_packages_that_cannot_be_had_are_a_fault_of_their_own(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[False], PLAN)
    (pi.stage.root / "online").touch()
    (pi.stage.root / "no-index").touch()
    assert pi.boot().status == 1
    assert pi.state == "fault 4"
    (pi.stage.root / "no-index").unlink()
    assert pi.boot().status == 0
    assert pi.state == "done"


def test_a_wrong_wifi_ends_in_an_access_point_that_takes_another(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[False], WITH_WIFI)
    home = wifi_of("My home", "the right one")
    (pi.stage.root / "entered").write_text(f"{home.name}\n{home.key}\n", encoding="utf-8")
    done = pi.boot()
    assert done.status == 0, done.said
    assert pi.state == "done"
    asked = pi.asked_of_nmcli
    assert "ssid callbox-setup 802-11-wireless.mode ap" in asked
    assert f"wifi-sec.psk {wifi_of('callbox-setup', '12345678').key}" in asked
    assert (
        f"con-name callbox-wifi ssid My home connection.autoconnect-priority 10 wifi-sec.key-mgmt wpa-psk "
        f"wifi-sec.psk {home.key}" in asked
    )
    assert not (pi.work / "wifi").exists(), "the key is NetworkManager's alone"


def test_an_access_point_that_nobody_joins_ends_and_the_old_wifi_is_tried_again(
    pi: Pi, releases: dict[bool, Path]
) -> None:
    pi.write_card(releases[False], WITH_WIFI)
    assert pi.boot().status == 1
    assert pi.state == "fault 2"
    asked = pi.asked_of_nmcli.splitlines()
    up, again = asked.index("connection up callbox-access-point"), asked.index("device connect wlan0")
    assert asked.index("connection delete callbox-access-point", up) < again


def test_with_all_packages_a_wrong_wifi_does_not_keep_the_box_from_playing(
    pi: Pi, releases: dict[bool, Path]
) -> None:
    pi.write_card(releases[True], WITH_WIFI)
    assert pi.boot().status == 0
    assert pi.state == "done"


def test_the_power_may_be_cut_before_any_step(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[True], PLAN)
    archive = hashlib.sha256((pi.card / "callbox/release.tar.gz").read_bytes()).digest()
    for step in (1, 3, 6, 9, 13, 18, 24, 31, 39, 48):
        cut_now = pi.stage.cutting(step)
        pi.boot(cut_now)
        pi.stage.control("boot")
        path = pi.card / "callbox/release.tar.gz"
        assert pi.state == "done" or hashlib.sha256(path.read_bytes()).digest() == archive
    check_box(pi)


def test_a_power_cut_empties_neither_settings_nor_pins(releases: dict[bool, Path], tmp_path: Path) -> None:
    whole = first_boot(tmp_path / "whole", releases[True], cut_before=10_000)
    kept = ("etc/callbox/callbox.toml", "var/lib/callbox/callbox.toml", "var/lib/callbox/pins.json")
    moves = [at for at, step in enumerate(whole) if step.startswith("mv ") and step.endswith(kept)]
    assert len(moves) == 4, "the settings as the card has them, and then to where pages may change them"
    for at in moves:
        first_boot(tmp_path / str(at), releases[True], cut_before=at + 2)


@pytest.mark.long
def test_the_power_may_be_cut_once_before_each_step(releases: dict[bool, Path], tmp_path: Path) -> None:
    for step in itertools.count(1):
        if len(first_boot(tmp_path / str(step), releases[True], cut_before=step)) < step:
            return


def test_what_cloud_init_wrote_is_flushed_first(pi: Pi, releases: dict[bool, Path]) -> None:
    pi.write_card(releases[True], PLAN)
    pi.boot(pi.stage.cutting(3))
    assert read_lines(pi.stage.folder / "steps")[1] == f"sync -f {pi.work}"


def first_boot(folder: Path, release: Path, cut_before: int) -> list[str]:
    """A blank Pi whose power is cut once; the next boot makes a whole box of it. What was begun before."""
    stage = Stage(folder)
    try:
        pi = Pi(stage)
        pi.write_card(release, PLAN)
        pi.boot(stage.cutting(cut_before))
        stage.control("boot")
        check_box(pi)
        return read_lines(stage.folder / "steps")
    finally:
        stage.end()


def check_box(pi: Pi) -> None:
    """One more boot, and the box is whole, with what the builder wrote."""
    assert pi.boot().status == 0
    assert pi.state == "done"
    assert pi.stage.runs.startswith("1.0-")
    assert 'language = "de"' in (pi.stage.root / "etc/callbox/callbox.toml").read_text(encoding="utf-8")
    assert (pi.stage.root / "etc/callbox/signers").read_bytes()
    assert (pi.stage.root / "var/lib/callbox/pins.json").read_bytes()


def test_units_are_as_systemd_wants_them() -> None:
    systemd = Path(__file__).parents[2] / "systemd"
    for name in ("callbox-first-boot.service", "callbox-first-boot-signs.service"):
        done = subprocess.run(
            ["systemd-analyze", "verify", systemd / name], capture_output=True, text=True, check=False
        )
        lines = [
            line for line in done.stderr.splitlines() if name in line and "is not executable" not in line
        ]
        assert lines == []
