"""What a look costs on every frame, and how soon after the last die lies the table has settled."""

import time
from collections import defaultdict
from dataclasses import dataclass

import cv2
import numpy as np

from device.simulator.table import SimulatedTable
from vision.watch import FrameState, State, Watch

SEEDS = range(10)
RATES = (15.0, 20.0, 30.0)


@dataclass
class Clock:
    """Simulated time: it passes when the camera waits."""

    now_ms: float = 1000.0

    def __call__(self) -> float:
        """The time."""
        return self.now_ms

    def wait(self, span_ms: float) -> None:
        """Let time pass."""
        self.now_ms += span_ms


def _throw(seed: int, fps: float, costs_ms: dict[State, list[float]]) -> list[float]:
    """One throw: for each scene that settled after the rest, how much later; the first is the throw's."""
    clock = Clock()
    table = SimulatedTable(seed, fps=fps, clock=clock, wait=clock.wait)
    table.lay("zoinx" if seed % 2 else "pip", 4)
    watch, late_ms = Watch(), []
    last: FrameState | None = None
    table.act("throw")
    for frame in table.frames():
        begun = time.process_time()
        look = watch.see(frame.picture, frame.time_ms)
        costs_ms[look.state].append((time.process_time() - begun) * 1000)
        rest_ms = table.rest_time_ms
        if last is not None and look.scene != last.scene and rest_ms is not None:
            late_ms.append(frame.time_ms - rest_ms)
        last = look
        if rest_ms is not None and frame.time_ms > rest_ms + 600 and not table.busy:
            break
    return late_ms


def main() -> None:
    """Print both tables."""
    cv2.setNumThreads(1)
    costs_ms: dict[State, list[float]] = defaultdict(list)
    print(f"Watching: rest of the last die to settled, {len(SEEDS)} throws a rate, simulated time")
    print(f"{'frames/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'scenes a throw':>15}")
    for fps in RATES:
        throws = [_throw(seed, fps, costs_ms) for seed in SEEDS]
        late_ms = [throw[0] for throw in throws if throw]
        scenes = sum(map(len, throws)) / len(throws)
        p50, p99 = np.percentile(late_ms, [50, 99])
        print(f"{fps:10.0f} {p50:8.0f} {p99:8.0f} {scenes:15.2f}")
    print("Watching: ms of one core for a look at 1280x960")
    print(f"{'state':>10} {'looks':>8} {'p50 ms':>8} {'p99 ms':>8}")
    for state, spent_ms in costs_ms.items():
        p50, p99 = np.percentile(spent_ms, [50, 99])
        print(f"{state:>10} {len(spent_ms):8d} {p50:8.2f} {p99:8.2f}")


if __name__ == "__main__":
    main()
