"""How the box is: its release, what the doctor found beside the game, and since when it runs."""

import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from device import maintenance
from device.config import parse
from device.doctor import CheckedBox, Finding
from device.doctor.asking import DoctorProcess
from device.maintenance import Maintenance
from device.service.log import BoxLog
from device.updates import UpdatePlaces
from tests.waiting import eventually

NOW = datetime(2027, 5, 3, 19, 30, tzinfo=UTC)
FOUND = (Finding("camera", "fail", "No camera.", "seat the cable"), Finding("card", "ok", "Well."))
NOWHERE = UpdatePlaces(asks=None, taken=Path("/var/lib/callbox/update"))
BOX = CheckedBox(config=parse(""), trouble="", config_file="", data=Path("/var/lib/callbox"), user="callbox")


class Doctor(DoctorProcess):
    """A doctor who finds what a test says, once it may."""

    def __init__(self, found: tuple[Finding, ...] | None = FOUND) -> None:
        super().__init__()
        self.found = found
        self.may_end = threading.Event()
        self.examined: list[CheckedBox] = []

    def examine(self, box: CheckedBox) -> tuple[Finding, ...] | None:
        """What the test says."""
        self.examined.append(box)
        self.may_end.wait()
        return self.found

    def close(self) -> None:
        """Nothing is found any more."""
        self.found = None
        self.may_end.set()


def opened(*doctors: Doctor) -> Maintenance:
    waiting = iter(doctors)
    return Maintenance(
        lambda: BOX,
        BoxLog(),
        NOWHERE,
        open_doctor=lambda: next(waiting),
        now=lambda: NOW,
        clock_s=lambda: 5.0,
    )


def check_to_the_end(box: Maintenance, doctor: Doctor) -> None:
    box.check()
    doctor.may_end.set()
    eventually(lambda: not box.show().checking, "the check's end")


def test_the_doctor_looks_once_however_often_it_is_asked_for() -> None:
    doctor = Doctor()
    box = opened(doctor)
    assert box.show().checked is None
    assert box.check().checking
    assert box.check().checking
    doctor.may_end.set()
    eventually(lambda: not box.show().checking, "the check's end")
    shown = box.show()
    assert (shown.findings, shown.checked, shown.trouble) == (FOUND, NOW, "")
    assert doctor.examined == [BOX]


def test_a_doctor_who_falls_over_leaves_what_was_found_before() -> None:
    well, ill = Doctor(), Doctor(None)
    box = opened(well, ill)
    check_to_the_end(box, well)
    check_to_the_end(box, ill)
    shown = box.show()
    assert shown.findings == FOUND
    assert shown.trouble == "The check did not come to its end. On the box: callbox doctor"


def test_a_box_that_ends_waits_for_no_doctor() -> None:
    doctor = Doctor()
    box = opened(doctor)
    box.check()
    box.close()
    eventually(lambda: not box.show().checking, "the check's end")
    assert not box.check().checking


def test_the_start_is_right_once_the_clock_is() -> None:
    """A Pi without a clock of its own starts at some old date."""
    date, clock_s = datetime(2026, 1, 1, tzinfo=UTC), 100.0
    box = Maintenance(lambda: BOX, BoxLog(), NOWHERE, now=lambda: date, clock_s=lambda: clock_s)
    date, clock_s = NOW, 160.0
    assert box.show().since == NOW - timedelta(seconds=60)


def test_an_installed_release_is_named_and_a_working_copy_is_none(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    box = opened()
    assert box.show().release == ""
    (tmp_path / "0.9.0-c0ffee").mkdir()
    (tmp_path / "0.9.0-c0ffee" / ".whole").touch()
    monkeypatch.setattr(maintenance, "ROOT", tmp_path / "0.9.0-c0ffee")
    assert box.show().release == "0.9.0-c0ffee"


@pytest.mark.long
def test_the_true_doctor_answers_from_a_process_of_its_own() -> None:
    found = DoctorProcess().examine(BOX)
    assert found is not None
    assert {"python", "camera", "journal", "network"} <= {each.name for each in found}
