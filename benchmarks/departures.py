"""How surely a box with a camera over each End Zone tells over which side of the table a die left it.

Acts of the simulated table: dice thrown off its end or its side, throws that stay on it, and hands that do
something else. "left" are acts in which a die left the table, "told" those of which the box says so, and
"right" those of which it names the right side as well. Of the other acts "false" are those in which one seems
to have left. "ms" is what it takes, of one core, beside the score.

    python -m benchmarks departures [--acts 130] [--seed 70] [--fps 20]
"""

import time
from dataclasses import dataclass, field

import numpy as np

from benchmarks.acts import acts_seen, print_acts
from calibration.ends import End
from device.simulator.truth import ActStory
from vision.landing import Departure, Side

NUMBER, SEED = 130, 70
ACTS = (
    "aside", "throw", "floor", "hand", "aside", "late", "nudge",
    "floor", "slide", "bump", "aside", "throw", "clear",
)  # fmt: skip


@dataclass(slots=True)
class DepartureCounts:
    """What was told of the acts."""

    acts: int = 0
    left: int = 0
    told: int = 0
    right: int = 0
    stayed: int = 0
    false: int = 0
    ms: list[float] = field(default_factory=list)

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.acts:>6}{self.left:>6}{self.told:>6}{self.right:>7}{self.stayed:>8}{self.false:>7}"
            f"{np.median(self.ms or [0]):>6.0f}"
        )

    def add(self, side: Side | None, found: Departure | None, ms: float) -> None:
        """One act; `side`: over which a die truly left."""
        self.acts += 1
        self.ms.append(ms)
        if side is None:
            self.stayed += 1
            self.false += found is not None
        else:
            self.left += 1
            self.told += found is not None
            self.right += found is not None and found.over == side


HEAD = f"{'acts':>6}{'left':>6}{'told':>6}{'right':>7}{'stayed':>8}{'false':>7}{'ms':>6}"


def really_over(story: ActStory, aim: End) -> Side | None:
    """Over which side a die truly left in that act, as the thrower sees it; None where none did."""
    edges = [die.departure.over for die in story.dice if die.departure]
    if not edges:
        return None
    if edges[0] not in ("left", "right"):
        return "end"
    # Who throws to the far end looks along the table frame, who throws to the near one against it.
    return "left" if (edges[0] == "left") == (aim == "far") else "right"


def play(acts: int, seed: int, fps: float) -> DepartureCounts:
    """What was told of so many acts."""
    counts = DepartureCounts()
    for act in acts_seen(ACTS, acts, seed, fps):
        begun = time.process_time()
        found = act.eye.went_off(act.look, act.since_ms)()
        took_ms = 1000 * (time.process_time() - begun)
        counts.add(really_over(act.table.stories[-1], act.aim), found, took_ms)
    return counts


def main() -> None:
    """Print the table."""
    print_acts("departures", play, HEAD, NUMBER, SEED)


if __name__ == "__main__":
    main()
