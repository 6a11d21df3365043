"""How surely a box tells that a die slid over the End Zone table instead of rolling.

Throws of the simulated table, every other one slid; with two cameras, each over one end. "slid" are dice
that never showed another face from the hand to rest, "answered" those of them of which enough was seen, and
"told" those that are asked about; "rolled" are the others, with how many were answered, and "false" those
of them that are asked about all the same. Of these the last column says how many truly slid over all of the
way that is named. "mm" is the median of the way that was looked at, "ms" what it takes, of one core, once
the die is measured.

    python -m benchmarks slides [--throws 120] [--seed 800] [--fps 20]
"""

import time
from dataclasses import dataclass, field
from math import dist

import numpy as np

from benchmarks.acts import acts_seen, print_acts
from device.landings.beside import WhenAsked
from device.landings.watched import WatchedThrow
from device.simulator.dice import up_side
from device.simulator.truth import DieStory
from vision.landing import CalledDie, Slide

THROWS, SEED = 120, 800
ACTS = ("throw", "slide", "line", "slide", "late", "slide", "throw", "slide", "bump", "slide")
NEAR_MM = 8.0
LOOK_MS = 5.0


@dataclass(slots=True)
class SlideCounts:
    """What was told of the throws."""

    slid: int = 0
    slid_answered: int = 0
    told: int = 0
    rolled: int = 0
    rolled_answered: int = 0
    false: int = 0
    false_slid_last: int = 0
    ways_mm: list[float] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.slid:>6}{self.slid_answered:>10}{self.told:>6}{self.rolled:>8}{self.rolled_answered:>10}"
            f"{self.false:>7}{self.false_slid_last:>11}{np.median(self.ways_mm or [0]):>6.0f}"
            f"{np.median(self.ms or [0]):>6.0f}"
        )

    def add(self, die: DieStory, found: Slide | None, ms: float) -> None:
        """One throw."""
        slid, told = not die.tips, found is not None and found.slid
        self.ms.append(ms)
        if found is not None:
            self.ways_mm.append(found.way_mm)
        if slid:
            self.slid += 1
            self.slid_answered += found is not None
            self.told += told
        else:
            self.rolled += 1
            self.rolled_answered += found is not None
            self.false += told
            self.false_slid_last += told and found is not None and slid_last_mm(die) >= found.way_mm


HEAD = (
    f"{'slid':>6}{'answered':>10}{'told':>6}{'rolled':>8}{'answered':>10}{'false':>7}{'slid last':>11}"
    f"{'mm':>6}{'ms':>6}"
)


def slid_last_mm(die: DieStory) -> float:
    """Over how much of the end of its way a die truly showed the same face."""
    course = die.course
    times_ms = np.arange(course.end_ms, course.start_ms, -LOOK_MS)
    poses = [pose for time_ms in times_ms if (pose := die.pose(float(time_ms)))]
    up = up_side(die.body, poses[0])
    same = next((at for at, pose in enumerate(poses) if up_side(die.body, pose) != up), len(poses))
    places = np.array([pose.center_mm[:2] for pose in poses[:same]])
    return float(np.hypot(*np.diff(places, axis=0).T).sum())


def play(throws: int, seed: int, fps: float) -> SlideCounts:
    """What was told of so many throws."""
    counts = SlideCounts()
    for act in acts_seen(ACTS, throws, seed, fps):
        thrown = act.table.stories[-1].thrown
        sight = act.eye.look(act.frame.picture, act.frame.far)
        lies = lying_of(thrown[0], sight.dice) if thrown else None
        if lies is None:
            continue
        watched = WatchedThrow(act.eye, WhenAsked, act.shots)
        begun = time.process_time()
        watched.measured(lies, sight, act.frame, act.look)
        found = watched.slide(lies)
        counts.add(thrown[0], found, 1000 * (time.process_time() - begun))
    return counts


def lying_of(die: DieStory, dice: tuple[CalledDie, ...]) -> CalledDie | None:
    """The measured die that this one is; None where it is gone, or was not measured."""
    if die.lying is None:
        return None
    x, y, _ = (float(part) for part in die.lying.pose.center_mm)
    return next((each for each in dice if dist(each.die.center_mm, (x, y)) < NEAR_MM), None)


def main() -> None:
    """Print the table."""
    print_acts("slides", play, HEAD, THROWS, SEED)


if __name__ == "__main__":
    main()
