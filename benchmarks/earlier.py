"""What a fixed camera's earlier throws tell of the next one: few dice on the simulated table, many of them
leaning, read without a calibration, each picture alone and with those before it.

On each table nine throws of one to five pip, Zoinx or betting dice are made one after the other; five of them
have a leaning die. "read" are dice that were vouched for; of the flat ones also how many rightly. A leaning
die that was read was taken for a flat one.

    python -m benchmarks earlier [--tables 12] [--seed 900]
"""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.learned_trust import hurried_table
from calibration.arrays import Picture
from device.simulator.designs import COLORS
from device.simulator.table import DieOnTable
from engine.dice import DieKind
from vision.learned.camera_prior import CameraPoseMemory
from vision.learned.networks import Networks
from vision.reader import Reader
from vision.reading import Reading

KINDS: tuple[DieKind, ...] = ("pip", "zoinx", "bet")
THROWS = (
    (5, "throw"),
    (1, "cock"),
    (2, "cock"),
    (1, "throw"),
    (3, "throw"),
    (1, "cock"),
    (2, "throw"),
    (1, "cock"),
    (5, "cock"),
)
"""How many dice each throw has, and whether one of them leans."""
NEAR_PX = 14.0


@dataclass(slots=True)
class Count:
    """What became of the dice."""

    flat: int = 0
    read: int = 0
    right: int = 0
    leaning: int = 0
    passed: int = 0
    """Leaning dice that were read."""

    def add(self, lying: list[DieOnTable], reading: Reading) -> None:
        """The dice of one picture."""
        for one in lying:
            x, y = one.center_px
            near = [d for d in reading.dice if np.hypot(d.center_px[0] - x, d.center_px[1] - y) < NEAR_PX]
            if one.how == "flat":
                self.flat += 1
                self.read += bool(near)
                self.right += any(die.die == one.die for die in near)
            else:
                self.leaning += 1
                self.passed += bool(near)


def throws(seed: int) -> Iterator[tuple[DieKind, Picture, list[DieOnTable]]]:
    """The throws of one table: what was named, the picture at rest, and how the dice lie."""
    table, colors, kind = hurried_table(seed), list(COLORS), KINDS[seed % len(KINDS)]
    frames = table.frames()
    for number, (many, act) in enumerate(THROWS):
        table.lay(kind, many, (colors[(seed + number) % 8], colors[(seed // 3 + number) % 8]))
        table.act(act)
        next(frames)
        while table.busy or not table.lying:
            next(frames)
        yield kind, next(frames).picture, list(table.lying)
    table.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks earlier")
    parser.add_argument("--tables", type=int, default=12, help="simulated tables, nine throws on each")
    parser.add_argument("--seed", type=int, default=900, help="the first table's seed")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    networks = Networks()
    counts = {"each picture alone": Count(), "with those before it": Count()}
    for seed in tqdm(range(asked.seed, asked.seed + asked.tables), desc="tables", leave=False):
        readers = [
            Reader(networks=networks, careful=True, earlier=earlier) for earlier in (None, CameraPoseMemory())
        ]
        for kind, picture, lying in throws(seed):
            for reader, count in zip(readers, counts.values(), strict=True):
                count.add(lying, reader.read(picture, kind))
    print(f"{'':<22}{'flat':>6}{'read':>6}{'right':>7}{'leaning':>9}{'read as flat':>14}")
    for name, one in counts.items():
        print(f"{name:<22}{one.flat:>6}{one.read:>6}{one.right:>7}{one.leaning:>9}{one.passed:>14}")


if __name__ == "__main__":
    main()
