"""How surely a box with a camera over each End Zone tells that a die was let go past the release line.

Throws of the simulated table, every third one let go too late. "seen" are those of which the box says where
the die left the hand, "held" those in which it truly did so within the plus-minus, whose median is told in
mm. Of the fouls "beyond" are those farther past the line than the plus-minus, and "told" the ones of these
that are asked about; "near" are the other fouls, of which hardly any can be told. "false" are throws by the
rules that are asked about. "ms" is what it takes, of one core.

    python -m benchmarks fouls [--throws 120] [--seed 50] [--fps 20]
"""

import time
from dataclasses import dataclass, field

import numpy as np

from benchmarks.acts import acts_seen, print_acts
from calibration.ends import End, Ends
from device.simulator.end_zone.throw import release_line_mm
from device.simulator.table import SimulatedTable
from vision.landing import Release

THROWS, SEED = 120, 50
ACTS = ("throw", "line", "late", "slide", "throw", "late", "bump", "throw", "late")


@dataclass(slots=True)
class FoulCounts:
    """What was told of the throws."""

    throws: int = 0
    seen: int = 0
    held: int = 0
    beyond: int = 0
    told: int = 0
    near: int = 0
    near_told: int = 0
    false: int = 0
    wide_mm: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.throws:>7}{self.seen:>6}{self.held:>6}{np.median(self.wide_mm or [0]):>6.0f}"
            f"{self.beyond:>8}{self.told:>6}{self.near:>6}{self.near_told:>6}{self.false:>7}"
            f"{np.median(self.ms or [0]):>6.0f}"
        )

    def add(self, past_mm: float, found: Release | None, ms: float) -> None:
        """One throw; `past_mm`: how far past the line the die truly left the hand."""
        self.throws += 1
        self.ms.append(ms)
        late = found is not None and found.late
        if found is not None:
            self.seen += 1
            self.held += abs(found.past_mm - past_mm) <= found.plus_minus_mm
            self.wide_mm.append(found.plus_minus_mm)
        if past_mm <= 0:
            self.false += late
        elif past_mm > (found.plus_minus_mm if found else 0.0):
            self.beyond += 1
            self.told += late
        else:
            self.near += 1
            self.near_told += late


HEAD = (
    f"{'throws':>7}{'seen':>6}{'held':>6}{'± mm':>6}{'beyond':>8}{'told':>6}{'near':>6}{'told':>6}"
    f"{'false':>7}{'ms':>6}"
)


def play(throws: int, seed: int, fps: float) -> FoulCounts:
    """What was told of so many throws."""
    counts = FoulCounts()
    for act in acts_seen(ACTS, throws, seed, fps):
        past_mm = really_past_mm(act.table, act.ends, act.aim)
        if past_mm is None:
            continue
        begun = time.process_time()
        found = act.eye.let_go(act.look, act.since_ms, act.aim)()
        counts.add(past_mm, found, 1000 * (time.process_time() - begun))
    return counts


def really_past_mm(table: SimulatedTable, ends: Ends, aim: End) -> float | None:
    """How far past the release line the die of the last act truly left the hand; None if none was thrown."""
    releases = [die.release for die in table.stories[-1].thrown]
    if not releases or releases[0] is None:
        return None
    x, y, _ = releases[0].center_mm
    if aim == "far":
        y = float(ends.turn.to_far(np.array([(x, y)]))[0, 1])
    return release_line_mm() - y


def main() -> None:
    """Print the table."""
    print_acts("fouls", play, HEAD, THROWS, SEED)


if __name__ == "__main__":
    main()
