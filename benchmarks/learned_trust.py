"""Fits the confidence of the learned reader anew, prints how well it holds, and draws it.

`python -m benchmarks.learned_trust` prints; with `--write` it puts the curves into
`vision/learned/confidence.py` and the picture into `docs/img/reliability.svg`. No face counts that
the networks in question learnt from:

- the photographs of the training sources, each read by networks that learnt without that source,
- drawn scenes of seeds that nothing was trained on (shards from `HELD_OUT` and `HELD_OUT_ASLANT` on),
- throws of the simulated table, on which no network is trained at all.

One curve tells whether kind and value are right, the other whether the die lies flat; a face counts as right
when both hold. A find at a die's side is nothing that could be read right: it counts for the second curve
alone. Of dice that lie otherwise and of strangers in drawn scenes, where both are common, only some count.
The reliability comes from two-fold cross-validation with folds by picture; the curves themselves are then
fitted on everything. D4 take no part: those that were looked at closely have curves of their own
(`benchmarks.d4_trust`), and the others are not vouched for.
"""

import argparse
import re
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

import vision.learned.confidence
from benchmarks.photos import die_meant, inside, sources, unseen
from benchmarks.watch import Clock
from calibration.arrays import Floats, Singles
from device.simulator.designs import COLORS
from device.simulator.table import SimulatedTable
from engine.dice import FACES, DieKind, read_die
from models.training.photos import PHOTOS, SOURCES, STRANGERS, PhotoTruth
from models.training.store import HELD_OUT, HELD_OUT_ASLANT, Store, scenes_folder
from models.training.store import Truth as Drawn
from models.training.targets import lying_of
from vision.learned.confidence import MOST, numbers
from vision.learned.reader import JudgedFace, LearnedReader
from vision.pictures import load_sized
from vision.reading import DiceChoice

HARMS = ("small", "off", "rivalled", "askew", "leans")
SIGNS = {"margin": 1, "chance": 1, "flat": 1, "heat": 1} | dict.fromkeys(HARMS, -1)
"""1 where more of a number may only help, -1 where it may only harm."""
LOOKED_AT = {
    "read": ("margin", "chance", "heat", "small", "off", "rivalled", "flat"),
    "flat": ("flat", "leans", "askew", "rivalled"),
}
"""What each curve may look at: how the face reads, how the die lies."""
RIDGE = 0.5
EDGES = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01)
FITTED_SHARDS = {HELD_OUT: 4, HELD_OUT_ASLANT: 1}
"""The first of the shards of held-out scenes, and how many of them."""
LYING_EVERY, STRAY_EVERY = 8, 4
"""Every so many-th die of drawn scenes that does not lie flat and free counts, as wrong; and every so many-th
find that is no die of ours, most often half a domino: at a table both are rarer."""
SEEN_COUNTS = 4.0
"""A face of a photograph or of the table counts so many times: drawn scenes are harder, on purpose."""
EVERY = {"nell_byler": 3}
"""Every so many-th picture of a large source is enough."""
THROWS: dict[DieKind, range] = {"pip": range(300, 312), "zoinx": range(320, 332), "bet": range(340, 352)}
"""Seeds of the simulated table's throws."""
PLOT = Path(__file__).parents[1] / "docs" / "img" / "reliability.svg"

Curve = tuple[float, dict[str, float]]
"""Bias and weights."""
Curves = dict[str, Curve]


@dataclass(frozen=True, slots=True)
class Example:
    """One face that was read."""

    origin: str
    picture: str
    seen: dict[str, float]
    read: bool | None
    """Whether kind and value are right; None for a second find in the box of a die: a side of it."""
    flat: bool | None
    """Whether it lies flat and free; None where no die is."""

    @property
    def right(self) -> bool:
        """Whether it may be vouched for."""
        return bool(self.read) and self.flat is not False


def of_photos() -> Iterator[Example]:
    """Training sources, read by networks that never saw them."""
    for source, truths in sources():
        networks = unseen(source) if source in SOURCES else None
        if networks is None:
            continue
        reader = LearnedReader(networks)
        for truth in tqdm(truths[:: EVERY.get(source, 1)], desc=source, leave=False):
            named = {die["kind"] for die in truth["dice"]} - set(STRANGERS)
            looked = reader.look(load_sized(PHOTOS / source / truth["image"]).picture, named_kind(named))
            known = [one for one in looked if one.die is not None and one.die.kind != "d4"]
            known = [one for one in known if not _bears_that_number(one, truth)]
            for one, right in zip(known, _right(known, truth), strict=True):
                flat = False if right is None else True if right else None
                yield Example(source, truth["image"], numbers(one.face), right, flat)


def _bears_that_number(one: JudgedFace, truth: PhotoTruth) -> bool:
    """Whether a stranger's die of the picture bears the number that was read as a betting die's: on plain
    digits nobody can tell, and only who names the kind knows."""
    strangers = {die["value"] for die in truth["dice"] if die["kind"] in STRANGERS}
    return one.die is not None and one.die.kind == "bet" and one.die.value in strangers


def _right(looked: Sequence[JudgedFace], truth: PhotoTruth) -> list[bool | None]:
    """Whether the truth has each face, None for the side of a die; by values alone, the surest have first
    choice."""
    left = list(truth["dice"])
    out: list[bool | None] = [False] * len(looked)
    for i in sorted(range(len(looked)), key=lambda i: -looked[i].confidence):
        one = looked[i]
        center = (float(one.face.place.center[0]), float(one.face.place.center[1]))
        without = (die for die in left if not die["box"] and one.die and die["value"] == one.die.value)
        die = die_meant(left, center, one.die) or next(without, None)
        if die is not None:
            out[i] = die["kind"] in FACES and one.die == read_die(die["kind"], die["value"])
            left.remove(die)
        elif any(die["box"] and inside(center, die["box"]) for die in truth["dice"]):
            out[i] = None
    return out


def of_drawn() -> Iterator[Example]:
    """Held-out scenes, read by the networks of the project."""
    for first, shards in FITTED_SHARDS.items():
        yield from _of_scenes(first, Store(scenes_folder(), first, shards))


def _of_scenes(first: int, store: Store) -> Iterator[Example]:
    reader, lying, strays = LearnedReader(), 0, 0
    for i in tqdm(range(len(store)), desc="drawn", leave=False):
        dice = store.truths[i]
        places = [lying_of(die.corners, die.visible).place for die in dice]
        for one in reader.look(store.picture(i), named_kind({die.kind for die in dice} - {"foreign"})):
            if one.die is None or one.die.kind == "d4":
                continue
            center = one.face.place.center
            near = [
                die
                for die, place in zip(dice, places, strict=True)
                if np.hypot(*(place.center - center)) < 0.5 * place.half_px
            ]
            if not near and any(_lies_on(die, center) for die in dice):
                yield Example("drawn", f"scene {first} {i}", numbers(one.face), None, flat=False)
                continue
            lies, stray = any(die.pose != "flat" for die in near), not any(die.kind in FACES for die in near)
            lying, strays = lying + lies, strays + stray
            if (not lies or lying % LYING_EVERY == 0) and (not stray or strays % STRAY_EVERY == 0):
                read = any((d.kind, d.value) == (one.die.kind, one.die.value) for d in near)
                flat = not lies if near else None
                yield Example("drawn", f"scene {first} {i}", numbers(one.face), read, flat)


def _lies_on(die: Drawn, center: Singles) -> bool:
    """Whether a place (2,) lies on a drawn die, up-face or sides."""
    outline = cv2.convexHull(np.vstack((die.corners, die.corners - die.step)).astype(np.float32))
    return cv2.pointPolygonTest(outline, (float(center[0]), float(center[1])), measureDist=False) >= 0


def named_kind(kinds: Collection[str]) -> DiceChoice:
    """What a player would say lies there: the kind, if it is one."""
    return next((kind for kind in FACES if kind in kinds), "auto") if len(kinds) == 1 else "auto"


def hurried_table(seed: int) -> SimulatedTable:
    """A simulated table on which waiting takes no time."""
    clock = Clock(now_ms=0.0)
    return SimulatedTable(seed, clock=clock, wait=clock.wait, fps=0.25)


def of_table() -> Iterator[Example]:
    """Throws of the simulated table, some with a leaning or a stacked die."""
    reader, colors = LearnedReader(), list(COLORS)
    for kind, seeds in THROWS.items():
        for seed in tqdm(seeds, desc=f"table, {kind}", leave=False):
            table = hurried_table(seed)
            table.lay(kind, 5, (colors[seed % 8], colors[seed // 3 % 8]))
            table.act(("throw", "throw", "cock", "stack")[seed % 4])
            frames = table.frames()
            next(frames)
            while table.busy or not table.lying:
                next(frames)
            picture, lying = next(frames).picture, table.lying
            table.close()
            for one in reader.look(picture, kind):
                x, y = one.face.place.center
                near = [d for d in lying if np.hypot(d.center_px[0] - x, d.center_px[1] - y) < 24]
                if one.die is not None and all(d.how in ("flat", "cocked") for d in near):
                    read = any(d.die == one.die for d in near)
                    flat = all(d.how == "flat" for d in near) if near else None
                    yield Example("table", f"{kind} {seed}", numbers(one.face), read, flat)


def fitted(examples: Sequence[Example], looked_at: Mapping[str, Sequence[str]] = LOOKED_AT) -> Curves:
    """The two curves of greatest penalised likelihood."""
    lying = [one for one in examples if one.flat is not None]
    shown = [one for one in examples if one.read is not None]
    return {
        "read": _curve(shown, [bool(one.read) for one in shown], looked_at["read"]),
        "flat": _curve(lying, [bool(one.flat) for one in lying], looked_at["flat"]),
    }


def _curve(examples: Sequence[Example], holds: Sequence[bool], looked_at: Sequence[str]) -> Curve:
    """Bias and weights; what would go against its sign is left out."""
    names = list(looked_at)
    counts = np.array([1.0 if one.origin == "drawn" else SEEN_COUNTS for one in examples])
    while True:
        table = np.array([[1.0, *(one.seen[name] for name in names)] for one in examples])
        weights = _newton(table, np.array(holds, np.float64), counts)
        wrong = [name for name, w in zip(names, weights[1:], strict=True) if w * SIGNS[name] < 0]
        if not wrong:
            return float(weights[0]), {n: float(w) for n, w in zip(names, weights[1:], strict=True)}
        worst = max(wrong, key=lambda name: abs(weights[1 + names.index(name)]))
        names.remove(worst)


def _newton(table: Floats, right: Floats, counts: Floats) -> Floats:
    weights = np.zeros(table.shape[1])
    penalty = np.diag([0.0] + [RIDGE] * (table.shape[1] - 1))
    for _ in range(40):
        chance = 1 / (1 + np.exp(-np.clip(table @ weights, -30, 30)))
        slope = table.T @ (counts * (right - chance)) - penalty @ weights
        curve = (
            (table * (counts * chance * (1 - chance))[:, None]).T @ table
            + penalty
            + 1e-6 * np.eye(len(weights))
        )
        weights = weights + np.linalg.solve(curve, slope)
    return np.asarray(weights)


def predicted(examples: Sequence[Example], curves: Curves) -> Floats:
    """The confidence of each example."""
    chances = np.ones(len(examples))
    for bias, weights in curves.values():
        total = np.array([bias + sum(w * one.seen[n] for n, w in weights.items()) for one in examples])
        chances /= 1 + np.exp(-np.clip(total, -30, 30))
    return np.minimum(MOST, chances)


def crossed(examples: Sequence[Example]) -> Floats:
    """Each example's confidence from the half of the pictures that it is not in."""
    fold = np.array([zlib.crc32(f"{one.origin}/{one.picture}".encode()) % 2 for one in examples])
    out = np.zeros(len(examples))
    for half in (0, 1):
        curves = fitted([one for one, f in zip(examples, fold, strict=True) if f != half])
        here = [int(i) for i in np.nonzero(fold == half)[0]]
        out[here] = predicted([examples[i] for i in here], curves)
    return out


def write(curves: Curves, path: Path) -> None:
    """Put the curves into the module that uses them."""
    listed = ""
    for name, (bias, weights) in curves.items():
        each = "".join(f'            "{number}": {weight:.4f},\n' for number, weight in weights.items())
        listed += f'    "{name}": (\n        {bias:.4f},\n        {{\n{each}        }},\n    ),\n'
    told = re.compile(r"(CURVES: .*? = \{\n).*?(\n\}\n)", re.DOTALL)
    text = told.sub(lambda found: found[1] + listed.rstrip("\n") + found[2], path.read_text(encoding="utf-8"))
    path.write_text(text, encoding="utf-8")


def bins(
    chances: Floats, right: NDArray[np.bool_], edges: Sequence[float] = EDGES
) -> list[tuple[float, float, int]]:
    """For each part between those edges that is not empty: mean confidence, share right, count."""
    out = []
    for low, high in pairwise(edges):
        here = (chances >= low) & (chances < high)
        if here.any():
            out.append((float(chances[here].mean()), float(right[here].mean()), int(here.sum())))
    return out


def plot(rows: Sequence[tuple[float, float, int]]) -> str:
    """A reliability diagram as SVG: told on the right, true upwards, area by count."""
    side, edge = 360, 46
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + 2 * edge} {side + 2 * edge}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{side + 2 * edge}" height="{side + 2 * edge}" fill="white"/>',
        f'<path d="M{edge} {edge + side}L{edge + side} {edge}" stroke="#999" stroke-dasharray="4 4"/>',
        f'<path d="M{edge} {edge}V{edge + side}H{edge + side}" fill="none" stroke="#333"/>',
        f'<text x="{edge + side / 2}" y="{edge + side + 34}" text-anchor="middle">confidence told</text>',
        f'<text x="14" y="{edge + side / 2}" text-anchor="middle" '
        f'transform="rotate(-90 14 {edge + side / 2})">share right</text>',
    ]
    for tick in (0, 0.25, 0.5, 0.75, 1):
        at = edge + side * tick
        parts.append(f'<text x="{at}" y="{edge + side + 17}" text-anchor="middle">{tick:g}</text>')
        parts.append(f'<text x="{edge - 6}" y="{2 * edge + side - at + 4}" text-anchor="end">{tick:g}</text>')
    for told, true, count in rows:
        x, y = edge + side * told, edge + side * (1 - true)
        parts.append(
            f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{2 + count**0.5 / 6:.1f}" '
            'fill="#27638a" fill-opacity="0.7"/>'
        )
    return "\n".join([*parts, "</svg>", ""])


def everything() -> list[Example]:
    """All faces by which the confidence is judged; some minutes."""
    return [*of_photos(), *of_drawn(), *of_table()]


def main() -> None:
    """Print the table; with --write keep curves and plot."""
    parser = argparse.ArgumentParser(description="The confidence of the learned reader.")
    parser.add_argument("--write", action="store_true", help="keep the curves and the plot")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    examples = everything()
    right = np.array([one.right for one in examples])
    chances = crossed(examples)
    drawn = np.array([one.origin == "drawn" for one in examples])
    rows = bins(chances, right)
    for name, some in (
        ("all", rows),
        ("photographs and table", bins(chances[~drawn], right[~drawn])),
        ("drawn", bins(chances[drawn], right[drawn])),
    ):
        print(f"{name}: told, true, faces")
        for told, true, count in some:
            print(f"{told:.3f}   {true:.4f}   {count}")
    for origin in sorted({one.origin for one in examples}):
        here = np.array([one.origin == origin for one in examples])
        sure = here & (chances >= 0.9)
        share = f"{right[sure].mean():.4f}" if sure.any() else "-"
        print(f"{origin}: {here.sum()} faces, {sure.sum()} at 0.9 or more, of these right {share}")
    curves = fitted(examples)
    for name, (bias, weights) in curves.items():
        print(name, round(bias, 3), {number: round(weight, 3) for number, weight in weights.items()})
    if asked.write:
        write(curves, Path(str(vision.learned.confidence.__file__)))
        PLOT.write_text(plot(rows), encoding="utf-8")


if __name__ == "__main__":
    main()
