"""Unmodified picamera2 on libcamera's virtual camera: what is drawn is what arrives, and a hang is healed."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.rigs

ROOT = Path(__file__).parents[2]
RED, GREEN, BLUE, GREY = (30, 30, 200), (30, 200, 30), (200, 30, 30), (128, 128, 128)  # blue green red
SHADES = (1.0, 0.8, 0.6, 0.4)


def drawn(shade: float) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Four plain quarters, by rows: red, green, blue, grey."""
    quarters = [[RED, GREEN], [BLUE, GREY]]
    picture = np.array(quarters, np.float64).repeat(480, axis=0).repeat(640, axis=1)
    return (picture * shade).astype(np.uint8)


@pytest.fixture(scope="session")
def seen(rigs: Path, picamera2_python: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What tests/rigs/eye.py tells."""
    pictures = tmp_path_factory.mktemp("pictures")
    for number, shade in enumerate(SHADES):
        cv2.imwrite(str(pictures / f"{number}.jpg"), drawn(shade), [cv2.IMWRITE_JPEG_QUALITY, 95])
    command: list[str | Path] = [
        rigs / "camera" / "run-with-virtual-camera",
        "--size",
        "2024x1518,1280x960,640x480",
        pictures,
        sys.executable,
        ROOT / "tests" / "rigs" / "eye.py",
        picamera2_python,
    ]
    environment = os.environ | {"PYTHON": str(picamera2_python), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode and "libcamera does not load" in done.stderr:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


def test_the_camera_is_listed(seen: dict[str, Any]) -> None:
    assert seen["cameras"] == ["virt_imx708"]


def test_size_and_colours_are_what_was_drawn(seen: dict[str, Any]) -> None:
    shades = set()
    for frame in seen["seen"]:
        assert frame["shape"] == [960, 1280, 3]
        shade = min(SHADES, key=lambda s: abs(frame["corners"][3][0] - 128 * s))
        shades.add(shade)
        expected = np.array([RED, GREEN, BLUE, GREY]) * shade
        # Through JPEG and YUV and back: a few steps, where swapped channels would be a hundred.
        assert np.abs(np.array(frame["corners"]) - expected).max() < 12
    assert shades == set(SHADES), "every picture of the folder came by"


def test_frames_are_named_in_order_and_timed_by_the_sensor(seen: dict[str, Any]) -> None:
    frames = seen["seen"]
    assert [frame["name"] for frame in frames] == [f"picamera2:0 {n:05d}" for n in range(1, 31)]
    gaps_ms = np.diff([frame["time_ms"] for frame in frames])
    assert gaps_ms.min() > 0
    assert 60 < np.median(gaps_ms) < 74, "fifteen pictures a second"
    assert min(frame["age_ms"] for frame in frames) >= 0
    assert np.median([frame["age_ms"] for frame in frames]) < 60, "the newest picture, not one from a queue"


def test_a_hang_is_noticed_in_two_seconds_buried_and_healed(seen: dict[str, Any]) -> None:
    assert "the camera hangs or was unplugged" in seen["stalled"]
    assert seen["buried"] == -9
    assert 1500 <= seen["noticed_ms"] < 3500
    assert seen["healed_ms"] < 10_000
    assert seen["again"]["shape"] == [960, 1280, 3]
    print(f"\nhang noticed after {seen['noticed_ms']:.0f} ms, picture {seen['healed_ms']:.0f} ms later")


def test_a_camera_and_a_size_that_are_not_there_are_told(seen: dict[str, Any]) -> None:
    assert "camera 1 was asked for, 1 found" in seen["second"]
    assert "1000x750 was asked for, the camera gives 2024x1518" in seen["odd_size"]


def test_the_sharp_picture_is_the_same_moment_in_more_pixels(seen: dict[str, Any]) -> None:
    assert seen["sharp"]["shape"] == [1518, 2024, 3]
    watched, sharp = np.array(seen["sharp"]["watched"]), np.array(seen["sharp"]["sharp"])
    assert np.abs(watched - sharp).max() < 12, "the small one comes through YUV, in full range"


def test_a_locked_camera_keeps_to_exposure_gain_white_balance_and_focus(seen: dict[str, Any]) -> None:
    last = seen["locked"]["settings"][-1]
    assert (last.pop("sensor"), last.pop("controls")) == ("virt_imx708", [])
    assert last == pytest.approx(
        {"exposure_us": 10_000, "gain": 2.5, "red_gain": 1.8, "blue_gain": 2.1, "focus_dioptre": 1.5}
    )
    assert seen["locked"]["remark"] == ""


def test_a_lock_of_another_camera_is_told(seen: dict[str, Any]) -> None:
    assert "the camera is a virt_imx708, and was a imx477" in seen["other_camera"]["remark"]


def test_the_lock_command_finds_keeps_and_writes_the_settings(seen: dict[str, Any]) -> None:
    assert seen["lock_command"]["status"] == 0, seen["lock_command"]
    line = json.loads(seen["lock_command"]["out"].splitlines()[-1])
    assert line["sensor"] == "virt_imx708"
    assert line["exposure_ms"] == 8.0, "as asked for"
    assert line["focus_dioptre"] == pytest.approx(1.25)
