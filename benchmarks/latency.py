"""From dice at rest to the lit score, on the simulated table in real time; idle load; memory.

Milliseconds are this machine's; the ratios at the end compare with one plain blur of the same picture in
the same run, and travel better.
"""

import argparse
import resource
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
from tqdm import tqdm

from device.box import Box, steady_ms
from device.config import load
from device.journal.rows import DiceReading
from device.requests import StartGame
from device.shown.snapshot import Snapshot
from device.simulator.table import SimulatedTable
from tests.playing import trial_setup
from vision.reader import Reader
from vision.watch import Watch

THROWS = 40
IDLE_S = 6.0
PATIENCE_S = 30.0
SHARES = (("median", 0.5), ("p95", 0.95), ("p99", 0.99))


class _Clock:
    """When the box first showed each reading."""

    def __init__(self, box: Box) -> None:
        self.lit_ms: dict[int, float] = {}
        self._changed = threading.Condition()
        box.api.subscribe(self._note)

    def _note(self, snapshot: Snapshot) -> None:
        with self._changed:
            self.lit_ms.setdefault(snapshot.table.reading_id, steady_ms())
            self._changed.notify_all()

    def until(self, holds: Callable[[], object]) -> bool:
        """Wait for something about the box; False when it never came."""
        with self._changed:
            return bool(self._changed.wait_for(holds, PATIENCE_S))


def main(words: Sequence[str] = ()) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks latency")
    parser.add_argument("--throws", type=int, default=THROWS)
    throws = parser.parse_args(words).throws
    with tempfile.TemporaryDirectory() as folder:
        config = load(None)
        fps = config.camera.fps
        camera = SimulatedTable(seed=11, fps=fps)
        setup = replace(trial_setup(camera, Path(folder)), config=config, reads="at_rest")
        with Box(setup) as box:
            clock = _Clock(box)
            box.start()
            box.api.request(StartGame("tray", (), {}))
            idle_share = _idle_share()
            lit, asked, wrong = _throws(box, camera, clock, throws)
            print(f"{len(lit)} throws of five dice, 1280x960, {fps} frames/s, read by itself:")
            print(f"  {wrong} misread, {asked} asked about")
            _print_spread("dice at rest to lit score", lit)
            _print_spread("reading, mostly while it settles", _vision_ms(box))
            peak_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"  still table: one core {100 * idle_share:.1f} % busy, simulating the camera included")
            print(f"  resident memory, peak: {peak_mb:.0f} MB")
            _print_vision(camera)


def _has_come_to_rest(camera: SimulatedTable, before_ms: float | None) -> bool:
    return camera.rest_time_ms not in {before_ms, None} and not camera.busy


def _has_read(box: Box, before: int) -> bool:
    return box.table.snapshot.table.reading_id > before


def _throws(box: Box, camera: SimulatedTable, clock: _Clock, throws: int) -> tuple[list[float], int, int]:
    """Rest to lit score per throw; how many throws the box asked about; how many it misread."""
    lit: list[float] = []
    asked = wrong = 0
    for _ in tqdm(range(throws), desc="throws", leave=False):
        rest, reading = camera.rest_time_ms, box.table.snapshot.table.reading_id
        assert box.hand is not None
        box.hand.act("throw")
        if not clock.until(partial(_has_come_to_rest, camera, rest)):
            raise SystemExit("the simulated table did not throw")
        if not clock.until(partial(_has_read, box, reading)):
            asked += 1
            continue
        shown, truth = box.table.snapshot.table, camera.rolled
        assert camera.rest_time_ms is not None
        lit.append(clock.lit_ms[shown.reading_id] - camera.rest_time_ms)
        if box.table.snapshot.ask:
            asked += 1
            continue
        wrong += sorted(str(die.value) for die in shown.dice) != sorted(str(die.value) for die in truth)
    return lit, asked, wrong


def _vision_ms(box: Box) -> list[float]:
    """How long each reading took, as the journal has it."""
    game = box.table.snapshot.game_id
    assert game is not None
    rows = [entry.row for entry in box.journal.rows(game)]
    return [row.elapsed_ms for row in rows if isinstance(row, DiceReading)]


def _idle_share() -> float:
    """Processor time a second while nothing happens."""
    began, used = time.monotonic(), time.process_time()
    threading.Event().wait(IDLE_S)
    return (time.process_time() - used) / (time.monotonic() - began)


def _print_spread(name: str, values: Sequence[float]) -> None:
    spread = "   ".join(f"{word} {_share(values, share):5.0f}" for word, share in SHARES)
    print(f"  {name:32} {spread}  ms")


def _print_vision(camera: SimulatedTable) -> None:
    """The cost of looking at a frame and of reading all of one, beside a plain blur of it."""
    picture = next(iter(camera.frames())).picture
    reader, watch = Reader(threads=1), Watch()
    times: dict[str, list[float]] = {"look": [], "read": [], "blur": []}
    for turn in range(30):
        for name, do in (
            ("look", lambda turn=turn: watch.see(picture, turn * 66.7)),
            ("read", lambda: reader.read(picture, "pip")),
            ("blur", lambda: cv2.GaussianBlur(picture, (5, 5), 0)),
        ):
            began = time.perf_counter()
            do()
            times[name].append(1000 * (time.perf_counter() - began))
    blur = statistics.median(times["blur"])
    for name in ("look", "read"):
        median = statistics.median(times[name])
        print(f"  {name} at a frame, median             {median:6.1f} ms  = {median / blur:5.1f} plain blurs")


def _share(values: Sequence[float], share: float) -> float:
    """The value below which that share of all lies, by rank."""
    ranked = sorted(values)
    return ranked[min(len(ranked) - 1, int(share * len(ranked)))]
