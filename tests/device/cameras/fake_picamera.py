"""A picamera2 of the tests' own making beneath the real grabber process, and the gate of its pictures."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.cameras import Camera, Frame, grabbed
from tests.waiting import PATIENCE_S

FAKE = '''
"""A picamera2 as strict as the real one in what the grabber uses. Pictures come when the test lets them."""
import contextlib, os, threading, time
import numpy as np

PAD = 64    # bytes after each row, as the Pi's hardware likes them

class Request:
    def __init__(self, picture, told): self.picture, self.told = picture, told
    def get_metadata(self): return {"SensorTimestamp": time.monotonic_ns() - 5_000_000, **self.told}
    def release(self):
        assert self.picture is not None, "released twice"
        self.picture = None

@contextlib.contextmanager
def MappedArray(request, stream, reshape=True, write=True):
    assert stream in request.picture and not reshape and not write
    yield type("Mapped", (), {"array": request.picture[stream]})()

class libcamera:
    class ColorSpace:
        @staticmethod
        def Sycc(): return "full range"

class Picamera2:
    camera_controls = {"FrameDurationLimits": (1, 2, 3)}
    if "FAKE_PI" in os.environ:
        names = "AeEnable ExposureTime AnalogueGain AwbEnable ColourGains AfMode LensPosition"
        camera_controls |= dict.fromkeys(names.split(), (1, 2, 3))
    sensor_modes = [{"format": "YUYV"}]
    @staticmethod
    def global_camera_info():
        return [{"Model": "fake", "Id": "fake0"}] * int(os.environ.get("FAKE_COUNT", "1"))
    def __init__(self, index):
        side = int(os.environ.get("FAKE_SENSOR", "0"))
        self.camera_properties = {"PixelArrayActiveAreas": [(0, 0, side, side)]} if side else {}
        if "FAKE_BUSY" in os.environ:
            try:
                raise OSError(16, "Device or resource busy")
            except OSError as error:
                raise RuntimeError("Camera __init__ sequence did not complete.") from error
        self.started = False
        self.gate = open(os.environ["FAKE_GATE"], "rb", buffering=0)
        self.asked = open(os.environ["FAKE_ASKED"], "wb", buffering=0)
        self.count = 0
    def create_video_configuration(self, main, controls, buffer_count, lores=None, colour_space=None):
        assert controls["FrameDurationLimits"][0] > 0 and buffer_count >= 2
        assert set(controls) <= set(self.camera_controls)
        self.controls = controls
        config = {"main": dict(main, stride=main["size"][0] * 3 + PAD)}
        if lores:
            assert lores["format"] == "YUV420", "a Pi 4 gives no other"
            assert colour_space == "full range"
            config["lores"] = dict(lores, stride=lores["size"][0] + PAD)
        return config
    def configure(self, config):
        both, trouble = "lores" in config, os.environ.get("FAKE_BOTH", "")
        if "FAKE_SIZE" in os.environ: config["main"]["size"] = (640, 480)
        if both and trouble == "no memory": raise OSError(12, "Cannot allocate memory")
        if both and trouble == "other size": config["lores"]["size"] = (32, 24)
        self.config = config
    def camera_configuration(self): return self.config
    def start(self): self.started = True
    def capture_request(self):
        assert self.started
        if "FAKE_FREE" not in os.environ: self.asked.write(b".")
        free = "FAKE_FREE" in os.environ    # a picture whenever one is asked for, at a camera's pace
        if free: time.sleep(0.004)
        word = b"f" if free else self.gate.read(1)
        if word == b"X": os.kill(os.getpid(), 9)
        if word == b"U": raise RuntimeError("Camera disconnected")
        if not word: os._exit(0)    # the test is over
        if word == b"H": threading.Event().wait()
        self.count += 1
        width, height = self.config["main"]["size"]
        rows = np.zeros((height, width * 3 + PAD), np.uint8)
        rows[:, width * 3:] = 77
        rows[:, 0:width * 3:3] = 10; rows[:, 1:width * 3:3] = 20; rows[:, 2:width * 3:3] = 30
        rows[0, 0] = self.count % 256
        return Request({"main": rows.reshape(-1), **self.small()}, self.told())
    def told(self):
        """What a Pi's camera says: what it was told, or its own choice, or ("FAKE_STUBBORN") always its
        own."""
        if "FAKE_PI" not in os.environ: return {}
        own = {"ExposureTime": 13_300, "AnalogueGain": 2.0, "ColourGains": (1.5, 2.5), "LensPosition": 1.25}
        if "FAKE_STUBBORN" in os.environ: return own | {"ExposureTime": 5_000}
        return {name: self.controls.get(name, value) for name, value in own.items()}
    def small(self):
        if "lores" not in self.config: return {}
        width, height = self.config["lores"]["size"]
        half = (width + PAD) // 2
        y = np.full((height, width + PAD), 77, np.uint8); y[:, :width] = 100
        y[0, 0] = self.count % 256
        u = np.full((height // 2, half), 77, np.uint8); u[:, :width // 2] = 128 + 20
        v = np.full((height // 2, half), 77, np.uint8); v[:, :width // 2] = 128 - 30
        return {"lores": np.concatenate([y.reshape(-1), u.reshape(-1), v.reshape(-1)])}
    def close(self): self.started = False
'''


class Gate:
    """Lets the fake camera's pictures through, one a letter: f a frame, H a hang, U unplugged, X a crash."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._fds = {}
        for name in ("FAKE_GATE", "FAKE_ASKED"):
            os.mkfifo(folder / name)
            monkeypatch.setenv(name, str(folder / name))
            self._fds[name] = os.open(folder / name, os.O_RDWR)  # so that no open waits for the other side

    def let(self, words: str) -> None:
        os.write(self._fds["FAKE_GATE"], words.encode())

    def wait_for_asks(self, count: int) -> None:
        """Until the grabber has asked so often, which means that all pictures before are delivered."""
        while count:
            count -= len(os.read(self._fds["FAKE_ASKED"], count))

    def frames(self, eye: Camera, count: int) -> list[Frame]:
        """That many frames in a row, none left out."""
        frames = eye.frames()
        found = []
        for _ in range(count):
            self.let("f")
            found.append(next(frames))
        frames.close()  # type: ignore[attr-defined]
        return found

    def close(self) -> None:
        for fd in self._fds.values():
            os.close(fd)


@pytest.fixture
def gate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    (tmp_path / "picamera2.py").write_text(FAKE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    # A busy machine takes its time to start a process, and to let one die.
    for name in ("START_MS", "OPEN_MS"):
        monkeypatch.setattr(grabbed, name, 1000 * PATIENCE_S)
    for module in (grabbed, grabbed):
        monkeypatch.setattr(module, "END_S", PATIENCE_S)
    gate = Gate(tmp_path, monkeypatch)
    yield gate
    gate.close()
