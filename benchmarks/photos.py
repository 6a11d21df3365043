"""Reads the photographs beside the project and prints, per source, how it did.

right, wrong and unsure count dice. A die of a kind that cannot be read (numerals) is right when not read.
"sure and wrong" are readings with a confidence of 0.99 or more that are wrong: there should be none.
"""

import json
import statistics
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict

from vision.pictures import load_sized
from vision.reader import Reader
from vision.reading import Reading, SeenDie

PHOTOS = Path(__file__).parents[2] / "shared" / "photos"
CONFIDENT = 0.99
TRAINED = {"nell_byler": 4, "damiantab": 2, "jamiekee_lime": 1}
"""Sources that the confidence curves are fitted on (benchmarks/trust.py), and every how many-th picture."""


class TrueDie(TypedDict):
    """One die of truth.json."""

    kind: str
    value: int
    box: list[float] | None


class Truth(TypedDict):
    """One picture of truth.json."""

    image: str
    dice: list[TrueDie]
    truth: str


@dataclass
class Score:
    """How a source was read."""

    pictures: int = 0
    dice: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    whole: int = 0
    sure_and_wrong: int = 0
    times_ms: list[float] = field(default_factory=list)


def sources() -> Iterator[tuple[str, list[Truth]]]:
    """Each source's name and truth; nothing where the photographs are not there."""
    for path in sorted(PHOTOS.glob("*/truth.json")):
        yield path.parent.name, json.loads(path.read_text(encoding="utf-8"))


def right_ones(reading: Reading, truth: Truth) -> list[bool]:
    """For each die that was read, whether the truth has it."""
    return _by_box(reading.dice, truth) if truth["truth"] == "boxes" else _by_value(reading.dice, truth)


def _by_value(dice: tuple[SeenDie, ...], truth: Truth) -> list[bool]:
    left = Counter(("pip", die["value"]) for die in truth["dice"] if die["kind"] == "pip")
    out = []
    for die in sorted(dice, key=lambda d: -d.confidence):
        key = (str(die.kind), int(die.value) if isinstance(die.value, int) else 0)
        out.append(left[key] > 0)
        left[key] -= 1
    order = sorted(range(len(dice)), key=lambda i: -dice[i].confidence)
    return [out[order.index(i)] for i in range(len(dice))]


def _by_box(dice: tuple[SeenDie, ...], truth: Truth) -> list[bool]:
    left = list(truth["dice"])
    out = []
    for die in dice:
        hit = next((one for one in left if one["box"] and _inside(die.center_px, one["box"])), None)
        out.append(hit is not None and hit["kind"] == die.kind and hit["value"] == die.value)
        if hit is not None:
            left.remove(hit)
    return out


def _inside(point: tuple[float, float], box: list[float]) -> bool:
    x, y, width, height = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def score(reader: Reader, source: str, truths: list[Truth]) -> Score:
    """Read every picture of a source."""
    total = Score()
    for truth in truths:
        reading = reader.read(load_sized(PHOTOS / source / truth["image"]).picture)
        good = right_ones(reading, truth)
        readable = sum(die["kind"] == "pip" for die in truth["dice"])
        foreign = len(truth["dice"]) - readable
        wrong = good.count(False)
        total.pictures += 1
        total.dice += len(truth["dice"])
        total.found += min(len(reading.dice) + len(reading.unsure), len(truth["dice"]))
        total.right += good.count(True) + max(0, foreign - wrong)
        total.wrong += wrong
        total.unsure += len(reading.unsure)
        total.whole += good.count(True) == readable and not wrong
        total.sure_and_wrong += sum(
            not ok and die.confidence >= CONFIDENT for ok, die in zip(good, reading.dice, strict=True)
        )
        total.times_ms.append(reading.elapsed_ms)
    return total


def main() -> None:
    """Print the table."""
    if not PHOTOS.is_dir():
        print(f"no photographs at {PHOTOS}: nothing to read")
        return
    reader = Reader(threads=1)
    print(
        f"{'source':<18}{'pictures':>9}{'dice':>6}{'found':>6}{'right':>6}{'wrong':>6}{'unsure':>7}"
        f"{'whole':>7}{'sure and wrong':>15}{'ms':>7}"
    )
    for source, truths in sources():
        it = score(reader, source, truths)
        name = source + ("*" if source in TRAINED else "")
        print(
            f"{name:<18}{it.pictures:>9}{it.dice:>6}{it.found:>6}{it.right:>6}{it.wrong:>6}{it.unsure:>7}"
            f"{it.whole:>7}{it.sure_and_wrong:>15}{statistics.median(it.times_ms):>7.1f}",
            flush=True,
        )
    print("* a part of these pictures fitted the confidence; the others only measure")


if __name__ == "__main__":
    main()
