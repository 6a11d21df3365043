"""Reads drawn scenes that nothing was trained on, kind by kind, and prints how it did.

"accepted" counts dice that were vouched for; of these "right" have kind and value right and lie flat.
"share" is the share of all flat, free dice that were accepted and right. "told" are dice lying otherwise
(cocked, stacked, half hidden, cut off by the border) or of strangers that were not vouched for.

The numbers of a D4 are seen at a slant, so only large ones can be read: a row of its own tells how those did.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
from tqdm import tqdm

from engine.dice import DieKind
from models.scenes import SceneDie, draw
from models.scenes.draw import HIDDEN_FROM
from models.training.d4_cuts import large_seeds
from models.training.targets import lying_of
from vision.learned.d4_contract import edge_px
from vision.place import Place
from vision.reader import Reader
from vision.reading import Reading

FIRST_SEED = 95_000
"""The first seed of the scenes that only measure: training draws seeds below 90,000, confidence is fitted on
90,000 to 94,999."""
SCENES = 25
WIDTH_PX, HEIGHT_PX = 1280, 960
KINDS = ("pip", "zoinx", "bet", "d4", "foreign")
CONFIDENT = 0.99
LARGE_D4_PX = 70.0
"""D4 with such edges and longer ones count in the row of the large ones."""
LARGE_SCENES = 60


@dataclass
class Score:
    """How one kind was read."""

    flat: int = 0
    other: int = 0
    accepted: int = 0
    right: int = 0
    read_other: int = 0
    confident_errors: int = 0

    def add(self, dice: tuple[SceneDie, ...], reading: Reading) -> None:
        """Count one scene."""
        good = [die for die in dice if die.kind != "foreign" and die.pose == "flat"]
        self.flat += len(good)
        self.other += len(dice) - len(good)
        self.accepted += len(reading.dice)
        for seen in reading.dice:
            here = list(_at(dice, seen.center_px))
            right = any((d.kind, d.value, d.pose) == (seen.kind, seen.value, "flat") for d in here)
            self.right += right
            self.read_other += not right and any(die not in good for die in here)
            self.confident_errors += not right and seen.confidence >= CONFIDENT


def _at(dice: tuple[SceneDie, ...], point: tuple[float, float]) -> Iterator[SceneDie]:
    for die in dice:
        place = _place(die)
        if np.hypot(*(place.center - point)) < 0.5 * place.half_px:
            yield die


def _place(die: SceneDie) -> Place:
    return lying_of(die.corners_px, die.visible).place


def _faint(die: SceneDie) -> bool:
    return die.pose == "hidden" and die.visible >= HIDDEN_FROM


def scores(kind: DieKind | str, scenes: int = SCENES) -> Score:
    """The score on scenes of one kind, the kind not being told to the reader."""
    reader, total = Reader(threads=2), Score()
    for place in tqdm(range(scenes), desc=kind, leave=False):
        scene = draw(FIRST_SEED + 100 * KINDS.index(kind) + place, WIDTH_PX, HEIGHT_PX, kinds=(kind,))
        total.add(scene.dice, reader.read(scene.picture))
    return total


def scores_of_large_d4(scenes: int = LARGE_SCENES) -> Score:
    """The same of large D4 in scenes that are drawn large; what is said of smaller ones does not count.

    A D4 in plain sight with faint numbers counts as flat: missed when unsure, right when read right.
    """
    reader, total = Reader(threads=2), Score()
    seeds = islice(large_seeds(FIRST_SEED, LARGE_D4_PX, (WIDTH_PX, HEIGHT_PX)), scenes)
    for seed in tqdm(seeds, total=scenes, desc="large d4", leave=False):
        scene = draw(seed, WIDTH_PX, HEIGHT_PX, kinds=("d4",))
        reading = reader.read(scene.picture)
        dice = tuple(replace(die, pose="flat") if _faint(die) else die for die in scene.dice)
        small = tuple(die for die in dice if edge_px(_place(die)) < LARGE_D4_PX)
        seen = tuple(die for die in reading.dice if not any(_at(small, die.center_px)))
        total.add(tuple(die for die in dice if die not in small), replace(reading, dice=seen))
    return total


def main() -> None:
    """Print the table."""
    print(
        f"{'kind':<9}{'flat':>6}{'accepted':>10}{'right':>7}{'precision':>11}"
        f"{'share':>7}{'told':>12}{'conf. err.':>12}"
    )
    for kind in KINDS:
        _print(kind, scores(kind))
    _print("large d4", scores_of_large_d4())


def _print(name: str, it: Score) -> None:
    precision = f"{100 * it.right / it.accepted:.1f}" if it.accepted else "-"
    told = f"{it.other - it.read_other} of {it.other}"
    share = f"{100 * it.right / it.flat:.1f}" if it.flat else "-"
    print(
        f"{name:<9}{it.flat:>6}{it.accepted:>10}{it.right:>7}{precision:>11}{share:>7}{told:>12}"
        f"{it.confident_errors:>12}",
        flush=True,
    )


if __name__ == "__main__":
    main()
