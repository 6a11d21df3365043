"""In a virtual machine: a USB camera as the kernel's own virtual one, vivid, plays it."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.rigs.virtual_machine import job, run

pytestmark = pytest.mark.rigs

LIT = [(1, 1, 1), (0, 1, 1), (1, 1, 0), (0, 1, 0), (1, 0, 1), (0, 0, 1), (1, 0, 0), (0, 0, 0)]
"""vivid's bars from left to right, blue green red: white, yellow, cyan, green, magenta, red, blue, black."""


@pytest.fixture(scope="module")
def told(machine: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the camera gave, and what was said of its troubles."""
    out = run(machine, job(tmp_path_factory.mktemp("usb"), "usb"))
    found: dict[str, Any] = {}
    for line in out.splitlines():
        if line.startswith("{"):
            found |= json.loads(line)
    return found


def test_pictures_have_size_colours_order_and_time(told: dict[str, Any]) -> None:
    seen = told["seen"]
    assert [frame["shape"] for frame in seen] == [[480, 640, 3]] * len(seen)
    for frame in seen:
        assert [tuple(int(part > 100) for part in bar) for bar in frame["bars"]] == LIT
    times = [frame["time_ms"] for frame in seen]
    assert times == sorted(set(times))
    assert min(frame["age_ms"] for frame in seen) > 0
    assert seen[-1]["name"] == "usb:/dev/video0 00005"


def test_modes_are_listed_and_a_size_that_it_has_not_is_told(told: dict[str, Any]) -> None:
    assert ["YUYV", 640, 480] in told["modes"]
    assert (
        "1280x960 was asked for, the camera has 3840x2160, 1920x1080, 1280x720, 640x480" in told["odd_size"]
    )
    assert "USB camera 0 was asked for, 0 found" in told["no_camera"], "vivid hangs on no USB"


def test_a_camera_that_another_program_has_is_told_and_taken_over(told: dict[str, Any]) -> None:
    assert "another program uses it" in told["busy"]["said"]
    assert told["busy"]["again"]


def test_a_camera_is_locked_keeps_to_it_and_tells_who_changes_it(told: dict[str, Any]) -> None:
    locked = told["locked"]
    assert locked["status"] == 0, locked
    assert (locked["found"]["gain_automatic"], locked["found"]["gain"]) == (0, 90)
    assert (locked["sensor"], locked["kept"], locked["remarks"]) == ("vivid", True, [""])
    assert "not set as it was locked: gain is 7, not 90" in locked["told"]


def test_a_hang_is_noticed_and_healed(told: dict[str, Any]) -> None:
    assert told["stopped"]["said"].startswith("No picture for 10 s. Cause: the camera hangs")
    assert told["stopped"]["again"]


def test_a_camera_that_is_unplugged_is_told_and_comes_back(told: dict[str, Any]) -> None:
    unplugged = told["unplugged"]
    print(f"\nunplugged, noticed after {unplugged['noticed_ms']:.0f} ms")
    assert "unplugged" in unplugged["said"]
    assert "no such USB camera (/dev/video0: No such file or directory)" in unplugged["in_vain"]
    assert unplugged["again"]
