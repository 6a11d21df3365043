"""Whether what the box relies on is whole: one illness at a time, with its cause and what to do."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.files import save_lock
from calibration.lock import CameraLock
from device.doctor import CHECKS
from device.doctor.machine import Ran
from device.journal import Journal
from models import files
from tests.device.doctor.test_doctor import BOX, PC, PI_COMMANDS, PI_TEXTS, Fake, findings, set_to
from tests.device.journal.test_verify import play

MOUNTS = "/proc/mounts"
ERRORS = "/sys/fs/ext4/mmcblk0p2/errors_count"


def test_there_are_thirty_checks() -> None:
    assert len(CHECKS) >= 30


@pytest.mark.parametrize(
    ("name", "verdict", "machine", "says", "fix"),
    [
        (
            "card",
            "fail",
            Fake(texts=PI_TEXTS | {MOUNTS: "/dev/mmcblk0p2 / ext4 ro,noatime 0 0\n"}),
            "takes no writes",
            "callbox backup",
        ),
        ("card", "warn", Fake(texts=PI_TEXTS | {ERRORS: "3\n"}), "has met 3 errors", "callbox backup"),
        (
            "log",
            "warn",
            Fake(commands=PI_COMMANDS | {"journalctl --disk-usage": Ran(0, "journals take up 1.2G in\n")}),
            "1200 MB",
            "vacuum-size",
        ),
        ("clashes", "warn", Fake(packages={"rpi-gpio": "0.7.1"}), "rpi-gpio", "uninstall -y rpi-gpio"),
    ],
)
def test_an_ill_machine_is_told_with_what_to_do(
    name: str, verdict: str, machine: Fake, says: str, fix: str
) -> None:
    found = findings(machine)[name]
    assert found.verdict == verdict
    assert says in found.text
    assert fix in found.fix


def test_the_disk_that_holds_the_data_counts_and_no_other() -> None:
    mounts = "/dev/mmcblk0p2 / ext4 ro 0 0\n/dev/sda1 /var/lib/callbox ext4 rw 0 0\n"
    assert findings(Fake(texts=PI_TEXTS | {MOUNTS: mounts}))["card"].verdict == "ok"


def test_what_clashes_on_a_pi_does_no_harm_elsewhere() -> None:
    machine = replace(PC, packages=PC.packages | {"rpi-gpio": "0.7.1"})
    assert findings(machine)["clashes"].verdict == "ok"


def test_a_whole_journal_is_well_and_a_flipped_byte_is_told(tmp_path: Path) -> None:
    path, box = tmp_path / "journal.db", replace(BOX, data=tmp_path)
    with Journal.open(path) as journal:
        play(journal)
    found = findings(Fake(), box)["journal"]
    assert (found.verdict, found.text[:8]) == ("ok", "3 games,")
    content = path.read_bytes()
    path.write_bytes(content.replace(b"applause", b"applausE"))
    found = findings(Fake(), box)["journal"]
    assert found.verdict == "fail"
    assert "damaged" in found.text
    path.write_bytes(b"")
    assert findings(Fake(), box)["journal"].verdict == "fail"


def test_a_damaged_network_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert findings(Fake())["networks"].verdict == "ok"
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    monkeypatch.setattr(files, "D4", tmp_path / "d4.onnx")
    (tmp_path / "d4.onnx").write_bytes(b"not the one that was made")
    found = findings(Fake())["networks"]
    assert found.verdict == "fail"
    assert "d4.onnx is damaged" in found.text


def test_a_locked_camera_is_well_and_a_lock_that_is_gone_is_told(tmp_path: Path) -> None:
    named = tmp_path / "lock.json"
    box = set_to(f'[camera]\nlock = "{named}"\n')
    assert "cannot be read" in findings(Fake(), box)["lock"].text
    save_lock(CameraLock(exposure_us=10_000, gain=2.0, red_gain=1.8, blue_gain=2.1), named)
    found = findings(Fake(), box)["lock"]
    assert (found.verdict, found.text) == ("ok", "The camera is locked to 10 ms and a gain of 2.")
    assert findings(Fake(), set_to('[camera]\nspec = "table"\n'))["lock"].verdict == "not here"


def test_an_unlocked_camera_is_warned_of_where_a_table_is_calibrated_with_it() -> None:
    shipped = findings(Fake())["lock"]
    assert shipped.verdict == "ok"
    assert "Before a table is calibrated: callbox calibrate lock" in shipped.text
    calibrated = findings(Fake(), set_to('[landing]\ncalibration = "table.json"\n'))["lock"]
    assert (calibrated.verdict, calibrated.fix[:22]) == ("warn", "callbox calibrate lock")
