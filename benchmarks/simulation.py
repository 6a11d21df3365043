"""The simulated table as benchmarks use it: on a clock of its own, so that waiting takes no time."""

from dataclasses import dataclass

from calibration.arrays import Picture
from device.simulator.table import DieOnTable, SimulatedTable


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


def hurried_table(seed: int) -> SimulatedTable:
    """A simulated table that takes only one picture in four seconds of its own time."""
    clock = Clock(now_ms=0.0)
    return SimulatedTable(seed, clock=clock, wait=clock.wait, fps=0.25)


def at_rest(table: SimulatedTable) -> tuple[Picture, tuple[DieOnTable, ...]]:
    """The first picture after the hand has gone and all dice lie, with the truth."""
    frames = table.frames()
    next(frames)
    while table.busy or not table.lying:
        next(frames)
    return next(frames).picture, tuple(table.lying)
