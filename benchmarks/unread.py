"""How often a die that no reader saw is mentioned all the same, and how often something is that is none.

Acts of the simulated table as in `benchmarks.history`, seen from rest to rest. Readings are the truth, but
each die that came or moved is left out of them once: "left out" counts those, "mentioned" how many of them
are told as something of a die's size, at their place. "wrongly" are acts after which something is told though
every die was read. "ms" is what looking for it takes.

    python -m benchmarks unread [--acts 50] [--seed 950] [--fps 20]
"""

import argparse
import time
from dataclasses import dataclass, field, replace
from math import dist

import cv2
import numpy as np

from benchmarks.history import ACTS, FPS, KINDS, acts_of
from engine.dice import DieKind
from vision.reading import Reading
from vision.watch import find_unread
from vision.watch.thumbnail import Stretch

SEED = 950
NEAR_EDGES = 0.8
"""A mention so near to a die's middle is of that die: its shadow is a part of what is seen."""


@dataclass(slots=True)
class Mentions:
    """What was mentioned of the dice of one kind."""

    acts: int = 0
    wrongly: int = 0
    left_out: int = 0
    mentioned: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, stretch: Stretch, before: Reading | None, after: Reading) -> None:
        """Hold what is mentioned after one act against the truth."""
        self.acts += 1
        begun = time.process_time()
        self.wrongly += bool(find_unread(stretch, before, after))
        self.ms.append(1000 * (time.process_time() - begun))
        lain = {one.center_px for one in before.dice} if before else set()
        for one in after.dice:
            edge_px = dist(*one.corners_px[:2])
            if any(dist(one.center_px, other) < edge_px for other in lain):
                continue  # it lies where a die lay: nobody can see that it came
            others = replace(after, dice=tuple(die for die in after.dice if die is not one))
            told = find_unread(stretch, before, others)
            self.left_out += 1
            self.mentioned += any(dist(one.center_px, t.center_px) < NEAR_EDGES * edge_px for t in told)

    def line(self) -> str:
        """For the table."""
        counts = f"{self.acts:>6}{self.wrongly:>9}{self.left_out:>10}{self.mentioned:>11}"
        return f"{counts}{np.median(self.ms):>7.1f}"


def look(kind: DieKind, acts: int, seed: int, fps: float) -> Mentions:
    """That many acts with dice of that kind."""
    mentions = Mentions()
    for box, _ in acts_of(kind, acts, seed, fps):
        if box.seen is not None:
            mentions.add(*box.seen)
    return mentions


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks unread")
    parser.add_argument("--acts", type=int, default=ACTS, help="for each kind of dice")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fps", type=float, default=FPS)
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    print(f"{'':<7}{'acts':>6}{'wrongly':>9}{'left out':>10}{'mentioned':>11}{'ms':>7}")
    for kind in KINDS:
        print(f"{kind:<7}{look(kind, asked.acts, asked.seed, asked.fps).line()}", flush=True)


if __name__ == "__main__":
    main()
