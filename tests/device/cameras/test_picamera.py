"""The Pi's camera: the real grabber process, with a picamera2 of the test's own making beneath it."""

import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from device.cameras import grabbed, grabber, picamera
from device.cameras.frames import CameraLost
from device.cameras.grabbed import Link, Note, steady_ms
from device.cameras.picamera import PiCamera
from tests.device.cameras.fake_picamera import Gate
from tests.waiting import PATIENCE_S, eventually


def camera(stall_ms: float = 1000 * PATIENCE_S) -> PiCamera:
    return PiCamera(0, 64, 48, 1e6, python=sys.executable, stall_ms=stall_ms)


def lost(camera: PiCamera) -> str:
    with pytest.raises(CameraLost) as caught:
        next(camera.frames())
    return str(caught.value)


def test_a_frame_has_size_colours_time_and_name(gate: Gate) -> None:
    gate.let("f")
    eye = PiCamera(0, 64, 48, 1e6, python=sys.executable, clock=lambda: steady_ms() + 1e9)
    before_ms = steady_ms()
    frames = eye.frames()
    frame = next(frames)
    assert frame.picture.shape == (48, 64, 3)
    assert frame.picture.flags["C_CONTIGUOUS"]
    assert frame.picture[5, 63].tolist() == [10, 20, 30], "blue, green, red, and no padding"
    assert frame.picture[0, 0, 0] == 1
    # The fake's stamp says 5 ms before it was asked; the clock given runs a million seconds ahead.
    assert before_ms + 1e9 - 5 <= frame.time_ms <= steady_ms() + 1e9 - 5
    assert frame.name == "picamera2:0 00001"
    assert eye.live
    frames.close()  # type: ignore[attr-defined]


def test_who_comes_late_gets_the_newest_picture_and_no_queue(gate: Gate) -> None:
    eye = camera()
    frames = eye.frames()
    gate.let("f")
    assert next(frames).picture[0, 0, 0] == 1
    gate.let("f" * 9)
    gate.wait_for_asks(11)
    assert next(frames).picture[0, 0, 0] == 10
    gate.let("f")
    assert next(frames).picture[0, 0, 0] == 11
    frames.close()  # type: ignore[attr-defined]


def test_a_picture_is_the_reader_s_own(gate: Gate) -> None:
    frames = camera().frames()
    gate.let("f")
    first = next(frames).picture
    gate.let("f" * grabber.SLOTS)
    gate.wait_for_asks(2 + grabber.SLOTS)
    next(frames)
    assert first[0, 0, 0] == 1
    frames.close()  # type: ignore[attr-defined]


def test_an_overwritten_picture_is_not_given(gate: Gate) -> None:
    link = Link([sys.executable, "-P", grabber.__file__, "--width=64", "--height=48", "--fps=1e6"])
    gate.let("f")
    gate.wait_for_asks(2)
    note = link.newest(1e6)
    while not note.frame:
        note = link.newest(1e6)
    assert link.picture(note) is not None
    gate.let("f" * grabber.SLOTS)
    gate.wait_for_asks(grabber.SLOTS)
    assert link.picture(note) is None
    assert link.bury()


@pytest.mark.long
def test_a_hang_is_noticed_buried_and_healed(gate: Gate) -> None:
    eye = camera(stall_ms=50)
    gate.let("fH")
    frames = eye.frames()
    assert next(frames).picture[0, 0, 0] == 1
    hung = eye._link
    assert hung is not None
    with pytest.raises(
        CameraLost, match=r"No picture for 0\.05 s\. Cause: the camera hangs or was unplugged"
    ):
        next(frames)
    assert hung.process.returncode == -9
    gate.let("f")
    again = next(eye.frames())
    assert again.picture[0, 0, 0] == 1
    assert again.name == "picamera2:0 00002", "names go on, so that no two pictures share one"


def test_a_camera_that_hangs_while_it_opens_is_not_waited_for_as_a_cold_start_is(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grabbed, "OPEN_MS", 50.0)
    gate.let("H")
    assert "No picture for 0.05 s. Cause: the camera hangs" in lost(camera())


def test_a_camera_that_waits_tells_so(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grabbed, "SLICE_MS", 1.0)
    eye = camera()
    frames = eye.frames()
    gate.let("f")
    next(frames)
    before = eye.turns
    late = threading.Thread(target=lambda: next(frames))
    late.start()
    eventually(lambda: eye.turns > before + 10, "turns without a picture")
    gate.let("f")
    late.join()
    frames.close()  # type: ignore[attr-defined]


@pytest.mark.long
def test_whoever_begins_anew_ends_the_camera_that_is_still_waited_for(gate: Gate) -> None:
    eye = camera()
    gate.let("f")
    left_behind = eye.frames()
    next(left_behind)
    old = eye._link
    assert old is not None
    again = eye.frames()
    fresh = threading.Thread(target=lambda: next(again))
    fresh.start()
    assert old.process.wait() == -9
    gate.let("f")
    fresh.join()
    again.close()  # type: ignore[attr-defined]


def test_a_slow_camera_is_not_silent_between_two_pictures() -> None:
    assert PiCamera(0, 64, 48, 1, python=sys.executable).stall_ms == 2500
    assert PiCamera(0, 64, 48, 20, python=sys.executable).stall_ms == 1500


def test_a_grabber_ends_when_the_box_goes_away(gate: Gate) -> None:
    link = Link([sys.executable, "-P", grabber.__file__, "--width=64", "--height=48", "--fps=1e6"])
    gate.let("H")
    gate.wait_for_asks(1)
    link.let_go()
    assert link.process.wait() == 0
    assert link.bury()


def test_close_ends_a_waiting_reader_and_may_be_called_twice(gate: Gate) -> None:
    eye = camera()
    gate.let("f")
    seen: list[str] = []
    first = threading.Event()

    def watch() -> None:
        for frame in eye.frames():
            seen.append(frame.name)
            first.set()

    reader = threading.Thread(target=watch)
    reader.start()
    first.wait()
    eye.close()
    eye.close()
    reader.join()
    assert seen == ["picamera2:0 00001"]
    assert list(eye.frames()) == [], "closed for good"


@pytest.mark.long
def test_no_camera(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_COUNT", "0")
    said = lost(camera())
    assert "camera 0 was asked for, 0 found" in said
    assert "ribbon cable" in said
    assert "rpicam-hello --list-cameras" in said
    monkeypatch.setenv("FAKE_COUNT", "1")
    gate.let("f")
    assert next(camera().frames()).picture[0, 0, 0] == 1


def test_a_busy_camera(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_BUSY", "1")
    assert "another program uses it" in lost(camera())


def test_unplugged_in_the_middle(gate: Gate) -> None:
    gate.let("f")
    frames = camera().frames()
    next(frames)
    gate.let("U")
    with pytest.raises(CameraLost, match=r"Camera disconnected.*unplugged.*ribbon cable"):
        next(frames)


def test_a_crash_is_told_with_its_signal(gate: Gate) -> None:
    gate.let("f")
    frames = camera().frames()
    next(frames)
    gate.let("X")
    with pytest.raises(CameraLost, match="signal 9"):
        next(frames)


def test_a_size_the_camera_does_not_have(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SIZE", "1")
    assert "64x48 was asked for, the camera gives 640x480" in lost(camera())


def test_picamera2_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    said = lost(camera())
    assert "no module picamera2" in said
    assert "sudo apt install python3-picamera2 --no-install-recommends" in said


def test_picamera2_meets_the_wrong_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "picamera2.py").write_text('raise ValueError("numpy.dtype size changed, may indicate ...")')
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    assert "another numpy than its own" in lost(camera())


def test_a_python_that_is_not_there() -> None:
    assert "/nowhere/python3 does not start" in lost(PiCamera(0, 64, 48, 15, python="/nowhere/python3"))


def test_the_list_of_cameras(gate: Gate) -> None:
    def run(command: list[str]) -> str:
        return "chatter\n" + subprocess.run(command, capture_output=True, text=True, check=False).stdout

    assert picamera.cameras(sys.executable, run) == ["fake"]
    assert picamera.cameras("p", lambda _: '{"trouble": "missing", "detail": "d"}') == Note(
        trouble="missing", detail="d"
    )
    assert picamera.cameras("p", lambda _: "") == Note(trouble="other", detail="p lists no cameras")


def test_every_trouble_of_the_grabber_has_a_sentence() -> None:
    words = set(re.findall(r'Trouble\("(\w+)"', Path(grabber.__file__).read_text()))
    assert words == set(picamera.SENTENCES)


@pytest.mark.parametrize(
    ("sensor_ns", "taken_ns"),
    [
        pytest.param(9_990, 9_990, id="CLOCK_MONOTONIC"),
        pytest.param(10_000 + 7_000 * 10**9 - 40, 9_960, id="CLOCK_BOOTTIME on a machine that slept"),
        pytest.param(3, 3, id="just after the start"),
        pytest.param(10**18, 10_000, id="a clock we do not know"),
        pytest.param(None, 10_000, id="no stamp"),
    ],
)
def test_the_sensor_s_clock_is_found(sensor_ns: int | None, taken_ns: int) -> None:
    assert grabber.steady_ns(sensor_ns, 10_000, 10_000 + 7_000 * 10**9) == taken_ns


def test_pictures_that_come_too_often_are_left_out() -> None:
    taken = range(0, 10 * 33_333_333, 33_333_333)
    kept: list[int] = []
    for at in taken:
        if grabber.due(at, kept[-1] if kept else None, 15):
            kept.append(at)
    assert kept == list(taken)[::2]
    assert grabber.due(66_000_000, 0, 15), "a camera at its own 15 loses none to jitter"


def test_the_mode_that_sees_most_of_the_table_with_fewest_pixels() -> None:
    # The three modes of an IMX708, whose smallest and fastest sees only the middle.
    modes = [
        {"size": (1536, 864), "bit_depth": 10, "fps": 120.1, "crop_limits": (768, 432, 3072, 1728)},
        {"size": (4608, 2592), "bit_depth": 10, "fps": 14.4, "crop_limits": (0, 0, 4608, 2592)},
        {"size": (2304, 1296), "bit_depth": 10, "fps": 56.0, "crop_limits": (0, 0, 4608, 2592)},
    ]
    assert grabber.widest_mode(modes, 14, (1280, 960)) == {"output_size": (2304, 1296), "bit_depth": 10}
    assert grabber.widest_mode(modes, 14, (4000, 2250)) == {"output_size": (4608, 2592), "bit_depth": 10}
    assert grabber.widest_mode(modes, 100, (1280, 960)) == {"output_size": (1536, 864), "bit_depth": 10}
    assert grabber.widest_mode([{"format": "YUYV"}], 15, (1280, 960)) is None


def test_a_venv_that_only_sees_the_system_s_picamera2_does_not_use_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    venv, system = tmp_path / "venv", tmp_path / "system"
    for folder in (venv, system):
        folder.mkdir()
        (folder / "picamera2.py").write_text("")
    monkeypatch.setattr(sys, "prefix", str(venv))
    monkeypatch.setattr(sys, "path", [str(system), *sys.path])
    assert picamera.default_python() == "/usr/bin/python3"
    monkeypatch.setattr(sys, "path", [str(venv), *sys.path])
    assert picamera.default_python() == sys.executable


def test_one_file_imports_picamera2() -> None:
    root = Path(picamera.__file__).parents[2]
    rooms = ("device", "vision", "engine", "calibration", "models")
    pattern = re.compile(r"^\s*(?:import|from)\s+(?:picamera2|libcamera)\b", re.MULTILINE)
    files = [f for room in rooms for f in (root / room).rglob("*.py") if pattern.search(f.read_text())]
    assert files == [Path(grabber.__file__)]
