"""Fits the confidence of D4 that were looked at closely, and prints how well it holds.

`python -m benchmarks.d4_trust` prints; with `--write` it puts the curve into `vision/learned/d4.py`. Fitted
on seeds of 90,000 to 94,999, from which no network learnt: scenes of large D4, the kept scenes of all kinds,
and throws of the simulated table. Then the curve is measured on seeds from 95,000 on. A D4 counts as right
when its value is right and it lies flat; one that is "hidden" only because its numbers are faint lies flat.
"""

import argparse
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

import vision.learned.d4
from benchmarks.learned_trust import Curves, Example, bins, fitted, predicted, write
from benchmarks.sharp import Lies, throws, zonk
from calibration.arrays import Singles
from device.simulator.designs import COLORS
from device.simulator.table import SimulatedTable
from models.scenes import draw
from models.scenes.draw import HIDDEN_FROM
from models.training.d4_cuts import large_seeds
from models.training.store import HELD_OUT, Store, scenes_folder
from models.training.targets import lying_of
from vision.learned.d4 import numbers
from vision.learned.d4_contract import EDGE
from vision.learned.reader import JudgedFace, LearnedReader
from vision.place import sharper_of
from vision.places import Surveyor, load_packaged

LOOKED_AT = {"read": ("margin", "chance", "heat", "small", "off", "flat"), "flat": ("flat", "off", "leans")}
SIZES = ((1280, 960), (640, 480))
LEAST_SCENE_PX = 52.0
FITTED, MEASURED = (90_000, 130), (95_000, 150)
"""First seed, and how many scenes of each size."""
HELD_SHARDS = 4
LYING_EVERY = 4
"""Every so many-th D4 that does not lie flat counts: at a table they are rarer."""
THROWS, TABLE_SEED = 24, 400
STEPS = (0.0, 0.5, 0.9, 0.95, 0.975, 0.985, 1.01)

Truth = tuple[str, int | str | None, str, tuple[float, float], float]
"""Kind, value, pose, middle and half edge of a die that lies there."""


def _examples(
    origin: str, name: str, looked: Sequence[JudgedFace], dice: Sequence[Truth]
) -> Iterator[Example]:
    for one in looked:
        if one.face.close and one.die is not None and one.die.kind == "d4" and one.whole:
            center = one.face.place.center
            near = [die for die in dice if np.hypot(*(center - die[3])) < 0.6 * die[4]]
            read = any(die[:2] == ("d4", one.die.value) for die in near)
            flat = all(die[2] == "flat" for die in near) if near else None
            yield Example(origin, name, numbers(one.face), read, flat)


def of_drawn(seeds: tuple[int, int]) -> Iterator[Example]:
    """Scenes of large D4, of both sizes, every second one seen aslant."""
    reader, (first, count) = LearnedReader(), seeds
    for size in SIZES:
        chosen = list(islice(large_seeds(first, LEAST_SCENE_PX, size), count))
        for seed in tqdm(chosen, desc=f"D4 from {first} on, {size[0]} px", leave=False):
            scene = draw(seed, *size, kinds=("d4",), view="aslant" if seed % 2 else "above")
            dice = [_truth(d.kind, d.value, d.pose, d.corners_px, d.visible) for d in scene.dice]
            yield from _examples("drawn", f"{size[0]}/{seed}", reader.look(scene.picture), dice)


def of_kept() -> Iterator[Example]:
    """Held-out scenes of all kinds: what is taken for a D4 there."""
    store, reader = Store(scenes_folder(), HELD_OUT, HELD_SHARDS), LearnedReader()
    for i in tqdm(range(len(store)), desc="all kinds", leave=False):
        dice = [_truth(d.kind, d.value, d.pose, d.corners, d.visible) for d in store.truths[i]]
        yield from _examples("drawn", f"kept {i}", reader.look(store.picture(i)), dice)


def _truth(kind: str, value: int | str | None, pose: str, corners: Singles, visible: float) -> Truth:
    place = lying_of(np.asarray(corners, np.float32), visible).place
    faint = pose == "hidden" and visible >= HIDDEN_FROM
    pose = "flat" if faint else pose
    return kind, value, pose, (float(place.center[0]), float(place.center[1])), place.half_px


def of_table(count: int = THROWS) -> Iterator[Example]:
    """Throws of the simulated table, which numbers the tips, read as a box reads them: found in the watched
    picture, read from the sharp one. On the tray one in four has a leaning die; on ZONK's mat a D4 lies among
    six-sided dice."""
    reader, surveyor, colors = LearnedReader(), Surveyor(load_packaged("zonk")), list(COLORS)

    def on_tray(table: SimulatedTable, number: int) -> str:
        table.lay("d4", 5, (colors[number % len(colors)], colors[3 * number % len(colors)]))
        return "cock" if number % 4 == 3 else "throw"

    for lay, mat in ((on_tray, ""), (zonk, "zonk")):
        for number, (frame, lying) in enumerate(throws(lay, count, TABLE_SEED, mat=mat)):
            picture = surveyor.paint_over_tags(frame.picture)[0] if mat else frame.picture
            dice = [_truth_of(one) for one in lying if one.die.kind == "d4"]
            looked = reader.look(picture, sharper=sharper_of(picture, frame.sharp))
            yield from _examples("table", f"{mat}{number}", looked, dice)


def _truth_of(one: Lies) -> Truth:
    center = float(one.center[0]), float(one.center[1])
    return "d4", one.die.value, "cocked" if one.leans else "flat", center, one.edge_px / EDGE


def thinned(examples: Sequence[Example]) -> list[Example]:
    """The examples with fewer D4 that do not lie flat: at a table they are rarer than in drawn scenes."""
    lying = [one for one in examples if one.flat is False]
    return [one for one in examples if one.flat is not False] + lying[::LYING_EVERY]


def table_of(examples: Sequence[Example], curves: Curves) -> str:
    """How many D4 were told with each confidence, and how many of them rightly."""
    told = predicted(examples, curves)
    right = np.array([one.right for one in examples])
    lines = [f"{'told':>7} {'right':>7} {'count':>6}"]
    lines += [f"{mean:7.4f} {share:7.4f} {count:6d}" for mean, share, count in bins(told, right, STEPS)]
    return "\n".join(lines)


def main() -> None:
    """Fit, print, measure; with --write keep the curve."""
    parser = argparse.ArgumentParser(description="The confidence of D4 looked at closely.")
    parser.add_argument("--write", action="store_true", help="keep the curve")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    examples = [*thinned([*of_drawn(FITTED), *of_kept()]), *of_table()]
    curves = fitted(examples, LOOKED_AT)
    print(f"fitted on {len(examples)} D4, {sum(one.right for one in examples)} of them read right: {curves}")
    print(table_of(examples, curves))
    print("\nscenes that nothing was fitted on:")
    print(table_of(thinned(list(of_drawn(MEASURED))), curves))
    if asked.write:
        write(curves, Path(str(vision.learned.d4.__file__)))


if __name__ == "__main__":
    main()
