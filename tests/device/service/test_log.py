"""What the box said of itself in the last day, over restarts and on disks that take nothing."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from device.service.log import MOST_CHARACTERS, MOST_LINES, NAME, BoxLog

START = datetime(2027, 5, 3, 19, 30, tzinfo=UTC)


class Clock:
    """A date that a test moves on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        """The date now."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def texts(log: BoxLog) -> list[str]:
    return [each.text for each in log.lines()]


def test_lines_are_kept_over_a_restart(tmp_path: Path, clock: Clock) -> None:
    log = BoxLog(tmp_path, clock)
    log.note("Console: http://192.0.2.7:8080/")
    clock.now += timedelta(hours=1)
    log.note("The camera is back.\nIt was away.")
    again = BoxLog(tmp_path, clock)
    assert again.lines() == log.lines()
    again.note("Console: http://192.0.2.7:8080/")
    assert [each.at - START for each in BoxLog(tmp_path, clock).lines()] == [
        timedelta(0),
        timedelta(hours=1),
        timedelta(hours=1),
    ]


def test_only_the_last_day_is_kept(tmp_path: Path, clock: Clock) -> None:
    log = BoxLog(tmp_path, clock)
    log.note("yesterday")
    clock.now += timedelta(hours=23)
    log.note("today")
    clock.now += timedelta(hours=2)
    assert texts(log) == texts(BoxLog(tmp_path, clock)) == ["today"]


def test_neither_lines_nor_the_file_grow_without_end(tmp_path: Path, clock: Clock) -> None:
    log = BoxLog(tmp_path, clock)
    for number in range(3 * MOST_LINES):
        log.note(str(number))
    assert texts(log) == [str(number) for number in range(2 * MOST_LINES, 3 * MOST_LINES)]
    assert len((tmp_path / NAME).read_bytes().splitlines()) <= 2 * MOST_LINES
    assert texts(BoxLog(tmp_path, clock)) == texts(log)
    log.note("x" * 100_000 + "ValueError")
    assert texts(log)[-1] == ("x" * MOST_CHARACTERS + "ValueError")[-MOST_CHARACTERS:]


@pytest.mark.parametrize(
    "broken", [b'{"at":"2027-05-03T19', b'{"at":"2027-05-03","text":""}\n', b"\xff\n[]\n"]
)
def test_what_a_power_cut_left_is_passed_over_and_mended(tmp_path: Path, clock: Clock, broken: bytes) -> None:
    BoxLog(tmp_path, clock).note("before")
    with (tmp_path / NAME).open("ab") as file:
        file.write(broken)
    log = BoxLog(tmp_path, clock)
    log.note("after")
    assert texts(BoxLog(tmp_path, clock)) == ["before", "after"]


def test_a_disk_that_takes_nothing_stops_nothing(tmp_path: Path, clock: Clock) -> None:
    (tmp_path / NAME).mkdir()
    log = BoxLog(tmp_path, clock)
    log.note("said all the same")
    assert texts(log) == ["said all the same"]


def test_nobody_else_on_the_machine_reads_it(tmp_path: Path, clock: Clock) -> None:
    BoxLog(tmp_path / "new", clock).note("here")
    assert (tmp_path / "new" / NAME).stat().st_mode & 0o077 == 0
