"""What the larger picture at rest brings: throws of the simulated table, read from the watched picture alone
and with the sharp one beside it; and the other painter's D4.

"read" are dice that were vouched for, "right" those of them that show it and do not lean, "small" those left
unsure because they are too small in the picture. One in fifty of the pip dice and the D4 leans. A time is
that of reading one throw as a box does (both readers, one thread), and a ratio is of the same throws in the
same run.

    python -m benchmarks sharp [--throws 30] [--seed 500] [--whole]

`--whole` also reads the sharp picture alone, as `callbox read` reads a large file. The other painter's
pictures (../shared/painted) are shrunk to the watched size, with themselves as the sharp ones; they are for
measuring alone.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.leaks import PAINTED
from benchmarks.learned_trust import hurried_table
from calibration.arrays import Floats, Picture
from device.cameras import Frame
from device.simulator.designs import COLORS
from device.simulator.table import SENSOR_PX, SimulatedTable
from engine.dice import Die, DieKind
from vision.pictures import load_sized
from vision.places import Surveyor, load_packaged
from vision.reader import Reader
from vision.reading import DiceChoice, Reading

THROWS, SEED = 30, 500
NEAR = 0.6
"""How far a die that was read may be from its truth, in its own edges."""
WATCHED_PX = 1280
D4_BANDS_PX = ((0.0, 54.0), (54.0, 66.0), (66.0, 90.0), (90.0, np.inf))
"""Edges of the other painter's D4 as given: only below the second figure they are not asked for."""
COLUMNS = ("dice", "read", "right", "wrong", "small")
HEAD = f"{'':<12}{'read from':<12}" + "".join(f"{each:>6}" for each in COLUMNS) + f"{'ms':>8}{'ratio':>7}"


@dataclass(frozen=True, slots=True)
class Lies:
    """A die that lies there."""

    die: Die
    center: Floats
    edge_px: float
    leans: bool = False


@dataclass(slots=True)
class Count:
    """What became of the dice."""

    dice: int = 0
    read: int = 0
    right: int = 0
    small: int = 0
    times_ms: list[float] = field(default_factory=list)

    def add(self, lying: list[Lies], reading: Reading, *, scale: float = 1.0) -> None:
        """One picture's dice; `scale` is from the reading's pixels to the truth's."""
        left, unsure = list(reading.dice), list(reading.unsure)
        for one in lying:
            self.dice += 1
            near = [die for die in left if one_of(one, die.center_px, scale)]
            if near:
                left.remove(near[0])
                self.read += 1
                self.right += near[0].die == one.die and not one.leans
            elif any("too small" in doubt.reason and one_of(one, doubt.center_px, scale) for doubt in unsure):
                self.small += 1

    def line(self, name: str, way: str, beside: "Count | None" = None) -> str:
        """A row of the table."""
        middle = statistics.median(self.times_ms)
        ratio = middle / statistics.median(beside.times_ms) if beside else 1.0
        wrong = self.read - self.right
        return (
            f"{name:<12}{way:<12}{self.dice:6d}{self.read:6d}{self.right:6d}{wrong:6d}{self.small:6d}"
            f"{middle:8.1f}{ratio:7.2f}"
        )


def one_of(one: Lies, center_px: tuple[float, float], scale: float) -> bool:
    """Whether something read there is that die."""
    return bool(np.hypot(*(one.center - np.array(center_px) * scale)) < NEAR * one.edge_px)


def throws(
    lay: Callable[[SimulatedTable, int], str], count: int, seed: int, *, mat: str = ""
) -> Iterator[tuple[Frame, list[Lies]]]:
    """Frames at rest, with their sharp picture, and the truth. `lay` puts dice into the hand for the throw of
    that number, and returns the act."""
    table = hurried_table(seed)
    if mat:
        table.spread(load_packaged(mat))
    frames = table.frames()
    next(frames)
    for number in range(count):
        table.act(lay(table, number))
        next(frames)
        while table.busy or not table.lying:
            next(frames)
        table.sharpen(True)
        frame = next(frames)
        table.sharpen(False)
        yield frame, [_lies(one.die, one.corners_px, leans=one.how == "cocked") for one in table.lying]
    table.close()


def _lies(die: Die, corners_px: tuple[tuple[float, float], ...], *, leans: bool = False) -> Lies:
    """A D4 lies on three of its four corners, the others in `corners_px` order."""
    corners = np.array(corners_px[1:] if die.kind == "d4" else corners_px, np.float64)
    edges = np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1)
    return Lies(die, corners.mean(axis=0), float(edges.mean()), leans)


def of_kind(kind: DieKind) -> Callable[[SimulatedTable, int], str]:
    """Throws five dice, of each colour in turn; one leans in every tenth throw."""
    colors = list(COLORS)

    def lay(table: SimulatedTable, number: int) -> str:
        table.lay(kind, 5, (colors[number % len(colors)],))
        return "cock" if number % 10 == 9 else "throw"

    return lay


def zonk(table: SimulatedTable, _: int) -> str:
    """Throws ZONK's dice, four D6 and a D4, on its mat."""
    table.lay("pip", 4)
    table.lay_also("d4", 1)
    return "throw"


SCENES: Mapping[str, tuple[DiceChoice, Callable[[SimulatedTable, int], str], str]] = {
    "pip": ("pip", of_kind("pip"), ""),
    "d4": ("d4", of_kind("d4"), ""),
    "zonk": ("auto", zonk, "zonk"),
}
"""By name: the kind that is due, what is thrown, and the mat."""


def measure(name: str, count: int, seed: int, *, whole: bool) -> dict[tuple[str, str], Count]:
    """Counts by kind of dice and what they were read from."""
    kind, lay, mat = SCENES[name]
    reader = Reader(threads=1, careful=True)
    surveyor = Surveyor(load_packaged(mat)) if mat else None
    out: dict[tuple[str, str], Count] = {}
    for frame, lying in tqdm(throws(lay, count, seed, mat=mat), total=count, desc=name, leave=False):
        watched, sharp = frame.picture, frame.sharp
        assert sharp is not None
        if surveyor:
            watched, _ = surveyor.paint_over_tags(watched)
        ways: dict[str, tuple[Picture, Picture | None]] = {
            "watched": (watched, None),
            "sharp": (watched, sharp),
        }
        if whole:
            ways["all of it"] = surveyor.paint_over_tags(sharp)[0] if surveyor else sharp, None
        for way, (picture, beside) in ways.items():
            begun = time.perf_counter()
            reading = reader.read(picture, kind, beside)
            spent_ms = 1000 * (time.perf_counter() - begun)
            for each in {one.die.kind for one in lying}:
                total = out.setdefault((each, way), Count())
                total.times_ms.append(spent_ms)
                dice = [one for one in lying if one.die.kind == each]
                total.add(dice, reading, scale=frame.picture.shape[1] / picture.shape[1])
    return out


def painted() -> None:
    """The other painter's D4, by the length of their edges."""
    path = PAINTED / "d4" / "truth.json"
    if not path.exists():
        print("no other painter's dice beside the project")
        return
    reader = Reader(threads=1)
    totals = {(band, way): Count() for band in D4_BANDS_PX for way in ("watched", "sharp")}
    for truth in tqdm(json.loads(path.read_text()), desc="painted", leave=False):
        sharp = load_sized(path.parent / truth["image"]).picture
        shrink = WATCHED_PX / max(sharp.shape[:2])
        size = round(sharp.shape[1] * shrink), round(sharp.shape[0] * shrink)
        watched = np.asarray(cv2.resize(sharp, size, interpolation=cv2.INTER_AREA), np.uint8)
        corners = [((0.0, 0.0), *(tuple(corner) for corner in die["corners"])) for die in truth["dice"]]
        lying = [_lies(Die("d4", d["value"]), c) for d, c in zip(truth["dice"], corners, strict=True)]
        for way, beside in (("watched", None), ("sharp", sharp)):
            begun = time.perf_counter()
            reading = reader.read(watched, "d4", beside)
            spent_ms = 1000 * (time.perf_counter() - begun)
            for low, high in D4_BANDS_PX:
                total = totals[(low, high), way]
                total.times_ms.append(spent_ms)
                total.add([one for one in lying if low <= one.edge_px < high], reading, scale=1 / shrink)
    for ((low, high), way), total in totals.items():
        alone = totals[(low, high), "watched"] if way == "sharp" else None
        print(total.line(f"{low:.0f}-{high:.0f} px", way, alone))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks sharp")
    parser.add_argument("--throws", type=int, default=THROWS)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--whole", action="store_true")
    asked = parser.parse_known_args()[0]
    print(f"watched 1280 x 960, sharp {SENSOR_PX[0]} x {SENSOR_PX[1]} or as near as its shape allows\n{HEAD}")
    for name in SCENES:
        counts = measure(name, asked.throws, asked.seed, whole=asked.whole)
        for (kind, way), count in counts.items():
            beside = counts[kind, "watched"] if way != "watched" else None
            print(count.line(f"zonk {kind}" if name == "zonk" else name, way, beside), flush=True)
    print(f"the other painter's D4, by their edges in the sharp picture\n{HEAD}")
    painted()


if __name__ == "__main__":
    main()
