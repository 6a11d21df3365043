"""What a box has of the machine's memory, at most, without the simulated table that else plays its camera.

The pictures of some throws of five dice (1280x960, 20 a second) are painted beforehand and kept as files. A
box in a process of its own, which reads by itself and films each throw, sees them at the pace at which they
were taken. "at most" is the kernel's own peak for that process; of what is resident in the end, "of files"
are pages of libraries, which other programs share. The film's encoder is a process beside it, not counted.

    python -m benchmarks memory [--throws 12] [--seed 11]
"""

import argparse
import multiprocessing
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.simulation import Clock
from device.box import Box, steady_ms
from device.cameras import Frame
from device.config import load
from device.requests import StartGame
from device.service.machine import SpareMemory
from device.simulator.table import SimulatedTable
from tests.playing import trial_setup

FPS = 20.0
LYING_MS = 1500.0
"""How long thrown dice lie before they are taken up again."""
JPEG_QUALITY = 97


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """A box's memory, in MB, after all pictures were shown."""

    readings: int
    peak_mb: float
    end_mb: float
    files_mb: float


class Painted:
    """A camera whose pictures lie in a folder, each shown when it is due; the first one until it is told to
    go on."""

    live = True

    def __init__(self, folder: Path) -> None:
        """Shows the files of the folder, in the order of their names."""
        self._files = sorted(folder.glob("*.jpg"))
        self._closed = threading.Event()
        self.go_on = threading.Event()
        self.shown = threading.Event()
        """Set once all were shown; the last one is shown again and again from then on."""

    def frames(self) -> Iterator[Frame]:
        """The pictures; they end when the camera is closed."""
        due_ms, number = steady_ms(), 0
        while not self._closed.wait(max(0.0, due_ms - steady_ms()) / 1000):
            file = self._files[min(number, len(self._files) - 1)]
            picture = np.asarray(cv2.imread(str(file)), np.uint8)
            yield Frame(picture=picture, time_ms=due_ms, name=file.name)
            due_ms += 1000 / FPS
            number += self.go_on.is_set()
            if number >= len(self._files):
                self.shown.set()

    def sharpen(self, on: bool) -> None:
        """It has no more pixels."""

    def close(self) -> None:
        """Show no more."""
        self._closed.set()


def main(words: Sequence[str] = ()) -> None:
    """Paint the throws, have a box see them, and print what it needed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks memory")
    parser.add_argument("--throws", type=int, default=12)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        seconds = paint(Path(folder), options.throws, options.seed) / FPS
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as aside:
            told = aside.submit(watch, Path(folder)).result()
    print(f"{options.throws} throws of five dice, 1280x960, {FPS:.0f} frames/s, {seconds:.0f} s:")
    print(f"  {told.readings} read by itself")
    print(f"  resident at most {told.peak_mb:.0f} MB, in the end {told.end_mb:.0f} MB")
    print(f"  of the latter {told.files_mb:.0f} MB of files")


def paint(folder: Path, throws: int, seed: int) -> int:
    """Write the pictures of so many throws into a folder; returns how many there are."""
    clock = Clock()
    table = SimulatedTable(seed, fps=FPS, clock=clock, wait=clock.wait)
    table.lay("pip", 5)
    number, rested_ms = 0, None
    with tqdm(total=throws, desc="painting throws", leave=False) as bar:
        table.act("throw")
        for frame in table.frames():
            cv2.imwrite(
                str(folder / f"{number:06}.jpg"), frame.picture, (cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY)
            )
            number += 1
            rest_ms = table.rest_time_ms
            if rest_ms is None or table.busy or frame.time_ms < rest_ms + LYING_MS:
                continue
            bar.update(int(rest_ms != rested_ms))
            rested_ms = rest_ms
            if bar.n >= throws:
                break
            table.act("throw")
    return number


def watch(pictures: Path) -> Resident:
    """A box sees the pictures of a folder; to be called in a process of its own, for what it needs."""
    with tempfile.TemporaryDirectory() as folder:
        camera, spare = Painted(pictures), SpareMemory()
        setup = replace(trial_setup(camera, Path(folder)), config=load(None), reads="at_rest")
        with Box(setup) as box:
            box.start()
            box.api.request(StartGame("tray", (), {}))
            camera.go_on.set()
            while not camera.shown.wait(1.0):
                spare.look(time.monotonic())
            return _resident(box.table.snapshot.table.reading_id)


def _resident(readings: int) -> Resident:
    """What the kernel says of this process (proc(5)), after so many readings."""
    lines = Path("/proc/self/status").read_text("ascii").splitlines()
    told = dict(line.split(":", 1) for line in lines)
    peak, end, files = (int(told[name].split()[0]) / 1024 for name in ("VmHWM", "VmRSS", "RssFile"))
    return Resident(readings=readings, peak_mb=peak, end_mb=end, files_mb=files)
