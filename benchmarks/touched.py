"""Dice that a hand touched after they came to rest and before ROLL DONE: how many are told, and how many of
those that nobody touched.

Throws of the simulated table, each of five dice of one kind. In a fifth of them a finger pushes one die, or a
hand turns one to another face where it lies. In the others a hand only comes and goes, all dice are thrown
again, or nothing happens; and before every fourth throw a die that has counted is pushed. "told" are touched
dice that are named, "asked" those that cannot be read any more or could not be read at rest, so that people
are asked for another reason; "missed" counts those that nobody is asked about. "wrongly" counts dice that
nobody touched and that are named all the same. The last column is what keeping a rest costs when a hand
comes.

    python -m benchmarks touched [--throws 30] [--seed 700]
"""

import argparse
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import dist

import cv2
from tqdm import tqdm

from benchmarks.simulation import Clock
from device.cameras import Frame
from device.rolls.counted import AwaitedRoll, CountedDice
from device.rolls.followed import RestedDice
from device.simulator.designs import COLORS
from device.simulator.table import DieOnTable, SimulatedTable
from device.table.reading import Sharpening
from engine.dice import DieKind
from engine.game import Wanted
from vision.incremental_reader import TableReader
from vision.reading import Point, Reading
from vision.watch import FrameState, Watch

THROWS, SEED, FPS, DICE = 30, 700, 15.0, 5
KINDS: tuple[DieKind, ...] = ("pip", "zoinx", "bet", "d4")
BETWEEN = ("", "nudge", "hand", "throw", "", "", "turn_over", "hand", "throw", "")
"""What happens between rest and ROLL DONE, in turn."""
GATHERED_EVERY = 4
SHARP_FRAMES = 2
"""How soon after the table has settled its sharpest picture has come, in frames."""
NEAR_PX = 25.0


@dataclass(slots=True)
class Counts:
    """What became of the dice of one kind."""

    throws: int = 0
    touched: int = 0
    told: int = 0
    asked: int = 0
    untouched: int = 0
    wrongly: int = 0
    keeping_ms: list[float] = field(default_factory=list)

    def line(self) -> str:
        """For the table."""
        missed = self.touched - self.told - self.asked
        keeping_ms = statistics.median(self.keeping_ms) if self.keeping_ms else 0.0
        return (
            f"{self.throws:>8}{self.touched:>9}{self.told:>6}{self.asked:>7}{missed:>8}{self.untouched:>11}"
            f"{self.wrongly:>9}{keeping_ms:>9.0f}"
        )


HEAD = (
    f"{'':<7}{'throws':>8}{'touched':>9}{'told':>6}{'asked':>7}{'missed':>8}{'untouched':>11}{'wrongly':>9}"
    f"{'ms':>9}"
)


class Box:
    """What a box does with the dice between rest and ROLL DONE (`device.rolls`), for one kind of dice."""

    def __init__(self, table: SimulatedTable, kind: DieKind, counts: Counts) -> None:
        self._table, self._kind, self._counts = table, kind, counts
        self._due = AwaitedRoll(wanted=Wanted(kind=kind, count=DICE), cast=DICE)
        self._reader, self._watch = TableReader(), Watch()
        self._sharpening = Sharpening(table.sharpen, at_once=True)
        self._rested, self._counted = RestedDice(), CountedDice()
        self._frames: Iterator[Frame] = table.frames()
        self._settled: tuple[Frame, FrameState] | None = None

    def act(self, name: str) -> None:
        """Let the hand do something, and see it until all is still."""
        if name:
            self._table.act(name)
            self._see()
        while self._table.busy or not self._table.lying or not self._see().settled:
            self._see()
        for _ in range(SHARP_FRAMES):
            self._see()

    def _see(self) -> FrameState:
        frame = next(self._frames)
        look = self._watch.see(frame.picture, frame.time_ms)
        frame = self._sharpening.add_sharp(frame, look)
        if look.settled:
            self._settled = frame, look
        if look.state == "hand" and self._settled is not None:
            self._rested.update(*self._settled, self._read_kept, self._due, self._counted)
        self._rested.note_hand(look)
        return look

    def _read(self) -> Reading:
        assert self._settled is not None
        frame, _ = self._settled
        return self._reader.read(frame.picture, self._kind, frame.sharp)

    def _read_kept(self) -> Reading:
        begun = time.perf_counter()
        reading = self._read()
        self._counts.keeping_ms.append(1000 * (time.perf_counter() - begun))
        return reading

    def roll_done(self) -> tuple[list[Point], Reading, Reading | None]:
        """Where dice lay that are told; what is read, and what was read at rest. The dice count."""
        assert self._settled is not None
        frame, look = self._settled
        reading, last = self._read(), self._rested.last
        told = self._rested.find_touched(reading, look, self._due, self._counted)
        self._counted.lay(reading, "counted")
        self._rested.set_rest(frame, reading, look.scene)
        return [one.rested.center_px for one in told], reading, last.reading if last else None


def play(kind: DieKind, throws: int, seed: int) -> Counts:
    """That many throws of that kind of dice, ten to a table."""
    counts, colors = Counts(), list(COLORS)
    for number in tqdm(range(throws), desc=kind, leave=False):
        if number % len(BETWEEN) == 0:
            clock = Clock()
            table = SimulatedTable(seed + number, fps=FPS, clock=clock, wait=clock.wait)
            box = Box(table, kind, counts)
            table.lay(kind, DICE, [colors[(number // 10 + 3 * each) % len(colors)] for each in range(DICE)])
        elif number % GATHERED_EVERY == 0:
            box.act("nudge")
        box.act("throw")
        before = table.lying
        box.act(BETWEEN[number % len(BETWEEN)])
        add(counts, before, table.lying, *box.roll_done())
    return counts


def add(
    counts: Counts,
    before: Sequence[DieOnTable],
    after: Sequence[DieOnTable],
    told: Sequence[Point],
    reading: Reading,
    rested: Reading | None,
) -> None:
    """Hold what was told of one throw against the truth."""
    old = {one.number: one for one in before}
    moved = [(old[one.number], one) for one in after if one.number in old]
    touched = [(was, one) for was, one in moved if was.center_mm != one.center_mm]
    left = list(told)
    counts.throws += 1
    counts.touched += len(touched)
    counts.untouched += len(after) - len(touched)
    for was, one in touched:
        here = next((at for at in left if dist(at, was.center_px) < NEAR_PX), None)
        if here is not None:
            left.remove(here)
            counts.told += 1
        elif not (_is_read(reading, one) and rested and _is_read(rested, was)):
            counts.asked += 1
    counts.wrongly += len(left)


def _is_read(reading: Reading, die: DieOnTable) -> bool:
    return any(dist(one.center_px, die.center_px) < NEAR_PX for one in reading.dice)


def main(words: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks touched")
    parser.add_argument("--throws", type=int, default=THROWS, help="of each kind of dice")
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    print(HEAD)
    for kind in KINDS:
        print(f"{kind:<7}{play(kind, options.throws, options.seed).line()}", flush=True)
