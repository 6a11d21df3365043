"""Dice read at the simulated table: what a larger picture at rest brings, and what earlier throws do.

pip, d4 and zonk (four D6 and a D4 on its mat) are read from the watched picture alone and with the sharp one
beside it; a box has that where `camera.sharp` is on. "few" are nine throws of one to five dice on each table,
five of them with a leaning die, read each picture alone and with those before it. "read" are dice that were
vouched for, "right" those of them that show it and do not lean, "leaning" those that lean and were read all
the same, "small" dice left unsure because they are too small in the picture. A time is that of reading one
throw with one thread, and a ratio is of the same throws in the same run.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
from tqdm import tqdm

from benchmarks.simulation import hurried_table
from calibration.arrays import Floats, Picture
from device.cameras import Frame
from device.simulator.designs import COLORS
from device.simulator.table import SENSOR_PX, SimulatedTable
from engine.dice import Die, DieKind
from vision.learned.camera_prior import CameraPoseMemory
from vision.learned.networks import Networks
from vision.places import Surveyor, load_packaged
from vision.reader import Reader
from vision.reading import DiceChoice, Reading

THROWS, SEED = 30, 500
FEW_SEED = 900
FEW_KINDS: tuple[DieKind, ...] = ("pip", "zoinx", "bet")
FEW: tuple[tuple[int, str], ...] = (
    (5, "throw"), (1, "cock"), (2, "cock"), (1, "throw"), (3, "throw"),
    (1, "cock"), (2, "throw"), (1, "cock"), (5, "cock"),
)  # fmt: skip
"""How many dice each throw of a table has, and whether one of them leans."""
NEAR = 0.6
"""How far a die that was read may be from its truth, in its own edges."""
COLUMNS = ("dice", "read", "right", "wrong", "leaning", "small")
HEAD = f"{'':<8}{'read from':<12}" + "".join(f"{each:>8}" for each in COLUMNS) + f"{'ms':>8}{'ratio':>7}"

Lay = Callable[[SimulatedTable, int], str]
"""Puts dice into the hand for the throw of that number, and returns the act."""


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
    leaning: int = 0
    small: int = 0
    times_ms: list[float] = field(default_factory=list)

    def add(self, lying: list[Lies], reading: Reading, took_ms: float) -> None:
        """One picture's dice."""
        left = list(reading.dice)
        self.times_ms.append(took_ms)
        for one in lying:
            self.dice += 1
            near = [die for die in left if _is_of(one, die.center_px)]
            if near:
                left.remove(near[0])
                self.read += 1
                self.leaning += one.leans
                self.right += near[0].die == one.die and not one.leans
            else:
                doubts = [each.reason for each in reading.unsure if _is_of(one, each.center_px)]
                self.small += any("too small" in reason for reason in doubts)

    def line(self, name: str, way: str, beside: "Count") -> str:
        """A row of the table."""
        wrong = self.read - self.right - self.leaning
        middle, other = statistics.median(self.times_ms), statistics.median(beside.times_ms)
        counts = (self.dice, self.read, self.right, wrong, self.leaning, self.small)
        return (
            f"{name:<8}{way:<12}{''.join(f'{each:>8}' for each in counts)}{middle:8.1f}{middle / other:7.2f}"
        )


def _is_of(one: Lies, center_px: tuple[float, float]) -> bool:
    """Whether something read there is that die."""
    return bool(np.hypot(*(one.center - np.array(center_px))) < NEAR * one.edge_px)


def throws(lay: Lay, count: int, seed: int, *, mat: str = "") -> Iterator[tuple[Frame, list[Lies]]]:
    """Frames at rest, with their sharp picture, and the truth."""
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


def of_kind(kind: DieKind) -> Lay:
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


def few(kind: DieKind, seed: int) -> Lay:
    """Throws the dice of `FEW`."""
    colors = list(COLORS)

    def lay(table: SimulatedTable, number: int) -> str:
        many, act = FEW[number]
        table.lay(kind, many, (colors[(seed + number) % 8], colors[(seed // 3 + number) % 8]))
        return act

    return lay


SCENES: Mapping[str, tuple[DiceChoice, Lay, str]] = {
    "pip": ("pip", of_kind("pip"), ""),
    "d4": ("d4", of_kind("d4"), ""),
    "zonk": ("auto", zonk, "zonk"),
}
"""By name: the kind that is due, what is thrown, and the mat."""


def measure(name: str, count: int) -> dict[str, Count]:
    """Counts by what was read: the watched picture, or also the sharp one."""
    kind, lay, mat = SCENES[name]
    reader = Reader(threads=1)
    surveyor = Surveyor(load_packaged(mat)) if mat else None
    out = {"watched": Count(), "sharp": Count()}
    for frame, lying in tqdm(throws(lay, count, SEED, mat=mat), total=count, desc=name, leave=False):
        watched = surveyor.paint_over_tags(frame.picture)[0] if surveyor else frame.picture
        for way, sharp in (("watched", None), ("sharp", frame.sharp)):
            out[way].add(lying, *_timed(reader, watched, kind, sharp))
    return out


def measure_few(tables: int) -> dict[str, Count]:
    """Counts of few dice, each picture alone and with those before it."""
    networks, out = Networks(), {"alone": Count(), "earlier": Count()}
    for seed in tqdm(range(FEW_SEED, FEW_SEED + tables), desc="few", leave=False):
        kind = FEW_KINDS[seed % len(FEW_KINDS)]
        readers = [Reader(networks=networks, earlier=each) for each in (None, CameraPoseMemory())]
        for frame, lying in throws(few(kind, seed), len(FEW), seed):
            for reader, count in zip(readers, out.values(), strict=True):
                count.add(lying, *_timed(reader, frame.picture, kind, None))
    return out


def _timed(
    reader: Reader, picture: Picture, kind: DiceChoice, sharp: Picture | None
) -> tuple[Reading, float]:
    begun = time.perf_counter()
    reading = reader.read(picture, kind, sharp)
    return reading, 1000 * (time.perf_counter() - begun)


def print_table(count: int | None) -> None:
    """Print the table, of so many throws."""
    many = count or THROWS
    print(f"watched 1280 x 960, sharp {SENSOR_PX[0]} x {SENSOR_PX[1]} or as near as its shape allows\n{HEAD}")
    for name in (*SCENES, "few"):
        counts = measure(name, many) if name in SCENES else measure_few(-(-many // len(FEW)))
        for way, each in counts.items():
            print(each.line(name, way, next(iter(counts.values()))), flush=True)
