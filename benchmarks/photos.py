"""Reads the photographs beside the project in three ways and prints, per source, how each did.

The ways: the classical reader alone, the networks alone, and both together as `callbox read` uses them.
Precision is right of all accepted, recall is right of all dice. "confident errors" are readings with a
confidence of 0.99 or more that are wrong: there should be none. A die of a kind that cannot be read
(numerals) is in no way missed when it is not read. Sources that the networks learnt from are read with
networks that did not, where there are such (`models.files.MEASURING`); else they are marked.
"""

import math
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tqdm import tqdm

from calibration.arrays import Picture
from engine.dice import Die
from models.files import FACES, FINDER, MEASURING
from models.training.photos import HELD_FROM, PHOTOS, SOURCES, PhotoTruth, TrueDie, label_rightly
from vision.classic import ClassicReader
from vision.fuse_readings import fuse_readings
from vision.learned.networks import Networks
from vision.learned.reader import LearnedReader
from vision.pictures import load_sized
from vision.place import Place
from vision.reader import settled
from vision.reading import Reading, SeenDie

CONFIDENT = 0.99
TRAINED = {"nell_byler": 4, "damiantab": 2, "jamiekee_lime": 1}
"""Sources that the classical reader's curves are fitted on (benchmarks/trust.py), and every how many-th
picture."""
WAYS = ("classical", "learned", "both")
THREADS = 2


@dataclass
class Score:
    """How a source was read in one way."""

    pictures: int = 0
    dice: int = 0
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    whole: int = 0
    confident_errors: int = 0
    times_ms: list[float] = field(default_factory=list)

    def add(self, reading: Reading, truth: PhotoTruth) -> None:
        """Count one picture."""
        good = right_ones(reading, truth)
        readable = sum(die["kind"] == "pip" for die in truth["dice"])
        self.pictures += 1
        self.dice += readable
        self.right += good.count(True)
        self.wrong += good.count(False)
        self.unsure += len(reading.unsure)
        self.whole += good.count(True) == readable == len(good)
        self.confident_errors += sum(
            not ok and die.confidence >= CONFIDENT for ok, die in zip(good, reading.dice, strict=True)
        )
        self.times_ms.append(reading.elapsed_ms)

    def line(self) -> str:
        """For the table."""
        accepted = self.right + self.wrong
        precision = f"{100 * self.right / accepted:.1f}" if accepted else "-"
        return (
            f"{self.pictures:>9}{self.dice:>6}{self.right:>6}{self.wrong:>6}{self.unsure:>7}{precision:>10}"
            f"{100 * self.right / max(self.dice, 1):>8.1f}{100 * self.whole / self.pictures:>7.0f}"
            f"{self.confident_errors:>11}{statistics.median(self.times_ms):>7.0f}"
        )


HEAD = (
    f"{'source':<16}{'way':<11}{'pictures':>9}{'dice':>6}{'right':>6}{'wrong':>6}{'unsure':>7}{'precision':>10}"
    f"{'recall':>8}{'whole':>7}{'conf. err.':>11}{'ms':>7}"
)


def sources() -> Iterator[tuple[str, list[PhotoTruth]]]:
    """Each source's name and truth, known wrong labels corrected and missing ones added; nothing where the
    photographs are not there."""
    for path in sorted(PHOTOS.glob("*/truth.json")):
        yield path.parent.name, label_rightly(path)


def right_ones(reading: Reading, truth: PhotoTruth) -> list[bool]:
    """For each die that was read, whether the truth has it."""
    return _by_box(reading.dice, truth) if truth["truth"] == "boxes" else _by_value(reading.dice, truth)


def _by_value(dice: tuple[SeenDie, ...], truth: PhotoTruth) -> list[bool]:
    left = Counter(("pip", die["value"]) for die in truth["dice"] if die["kind"] == "pip")
    out = [False] * len(dice)
    for i in sorted(range(len(dice)), key=lambda i: -dice[i].confidence):
        value = dice[i].value
        key = (str(dice[i].kind), value if isinstance(value, int) else 0)
        out[i] = left[key] > 0
        left[key] -= 1
    return out


def _by_box(dice: tuple[SeenDie, ...], truth: PhotoTruth) -> list[bool]:
    left = list(truth["dice"])
    out = []
    for die in dice:
        hit = die_meant(left, die.center_px, die.die)
        out.append(hit is not None and hit["kind"] == die.kind and hit["value"] == die.value)
        if hit is not None:
            left.remove(hit)
    return out


def die_meant(left: Sequence[TrueDie], at: tuple[float, float], read: Die | None) -> TrueDie | None:
    """Which of the dice that are left a reading at that place is of; None where it lies in no box.

    Boxes of whole dice overlap where dice lie close: an up-face then lies in its neighbour's box too. The one
    with the value that was read is meant, and else the one whose middle is nearest.
    """
    here = [one for one in left if one["box"] and inside(at, one["box"])]

    def unlike(one: TrueDie) -> tuple[bool, float]:
        same = read is not None and (one["kind"], one["value"]) == (read.kind, read.value)
        return not same, _away(at, one["box"] or [])

    return min(here, key=unlike, default=None)


def _away(point: tuple[float, float], box: list[float]) -> float:
    x, y, width, height = box
    return math.hypot(point[0] - x - width / 2, point[1] - y - height / 2)


def inside(point: tuple[float, float], box: list[float]) -> bool:
    x, y, width, height = box
    return x <= point[0] <= x + width and y <= point[1] <= y + height


def unseen(source: str) -> Networks | None:
    """Networks that learnt nothing from a source; None where there are none (stages upper and lower of
    `models.training.train`)."""
    if source not in SOURCES:
        return Networks(threads=THREADS)
    for name, held in HELD_FROM.items():
        finder, faces = (MEASURING / f"{network}-{name}.onnx" for network in ("finder", "faces"))
        if source in held and finder.is_file() and faces.is_file():
            return Networks(finder=finder, faces=faces, threads=THREADS)
    return None


def read(picture: Picture, classic: ClassicReader, learned: LearnedReader) -> dict[str, Reading]:
    """One picture in all three ways."""
    alone = classic.read(picture)
    begun = time.perf_counter()
    looked = learned.look(picture)
    looked_ms = (time.perf_counter() - begun) * 1000
    out = {"classical": alone}
    asked: list[float] = []

    def ask(*, about: Sequence[Place] | None) -> Reading:
        second = classic.read(picture, about=about)
        asked.append(second.elapsed_ms)
        return second

    ways = {"learned": fuse_readings(looked, None, any_kind=True), "both": settled(looked, ask, "auto")}
    for way, (dice, unsure) in ways.items():
        out[way] = Reading(
            width_px=alone.width_px,
            height_px=alone.height_px,
            dice=dice,
            unsure=unsure,
            elapsed_ms=looked_ms + (sum(asked) if way == "both" else 0),
        )
    return out


def scores(source: str, truths: Sequence[PhotoTruth], networks: Networks) -> dict[str, Score]:
    """Each way's score on a source."""
    classic, learned = ClassicReader(THREADS), LearnedReader(networks)
    total = {way: Score() for way in WAYS}
    for truth in tqdm(truths, desc=source, leave=False):
        picture = load_sized(PHOTOS / source / truth["image"]).picture
        for way, reading in read(picture, classic, learned).items():
            total[way].add(reading, truth)
    return total


def main() -> None:
    """Print the table."""
    if not PHOTOS.is_dir():
        print(f"no photographs at {PHOTOS}: nothing to read")
        return
    print(HEAD)
    for source, truths in sources():
        networks = unseen(source)
        mark = "*" if networks is None else ""
        for way, score in scores(source, truths, networks or Networks(finder=FINDER, faces=FACES)).items():
            print(f"{source + mark:<16}{way:<11}{score.line()}", flush=True)
    print(
        "* the networks learnt from these pictures; every other source was read by networks that never saw it"
    )


if __name__ == "__main__":
    main()
