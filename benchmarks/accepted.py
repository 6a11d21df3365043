"""What people are told of dice: read, asked about, or passed over in silence, source by source.

Everything is read as `callbox read` does where the kind of dice is named. "accepted" is the share of dice
that was read, right or wrong; "asked" are dice that are mentioned as unsure; "silent" are those that are
neither read nor mentioned; "else" are readings where no die lies, or a die lies that was read already;
"needless" are mentions where no die lies; "whole" is the share of pictures in which all dice were read right
and nothing else was. Of the "strangers", dice of other kinds, it is told how many were read as one of ours,
how many were mentioned, and how many there were.

With `--counted` the number of dice is known, too, as to a game that waits for so many.

Of a picture with values and no places, what is unsure stands for dice that were not read, and no mention is
needless. Photographs that networks learnt from are read by networks that did not, as in `benchmarks.photos`.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
from tqdm import tqdm

from benchmarks.leaks import Lying, Shown, every_source, is_in, percent
from benchmarks.photos import THREADS, unseen
from vision.pictures import load_sized
from vision.reader import Reader
from vision.reading import Point, Reading, SeenDie, UnsureDie, judge_throw_confidence

BESIDE = 0.25
"""How far outside a die's box, in sides of the box, a mention still is of it: it may point to the whole die,
and the box may be of the up-face."""


@dataclass(slots=True)
class Accepted:
    """What became of the dice of a source."""

    dice: int = 0
    right: int = 0
    wrong: int = 0
    asked: int = 0
    silent: int = 0
    invented: int = 0
    needless: int = 0
    pictures: int = 0
    whole: int = 0
    strangers: int = 0
    strangers_read: int = 0
    strangers_asked: int = 0

    def line(self) -> str:
        """For the table."""
        accepted = percent(self.right + self.wrong, self.dice)
        strangers = f"{self.strangers_read}, {self.strangers_asked} of {self.strangers}"
        return (
            f"{self.dice:>6}{self.right:>7}{self.wrong:>7}{accepted:>10}{self.asked:>7}{self.silent:>8}"
            f"{self.invented:>6}{self.needless:>10}{percent(self.whole, self.pictures):>8}"
            f"{strangers if self.strangers else '-':>15}"
        )

    def add(self, dice: Sequence[Lying], reading: Reading, burnt_out: Sequence[Lying] = ()) -> None:
        """Count one picture; dice that are burnt out need not be read, and may be."""
        right, before = self.right, (self.invented, self.strangers_read)
        unread, left = self._add_readings(dice, reading.dice)
        spared = [die for die in burnt_out if any(_reads(one, die) and one.die == die.die for one in left)]
        self.invented += len(left) - len(spared)
        self._add_mentions(dice, unread, reading.unsure)
        ours = sum(lying.die is not None for lying in dice)
        self.dice += ours
        self.strangers += len(dice) - ours
        self.pictures += bool(ours)
        nothing_else = (self.invented, self.strangers_read) == before
        self.whole += bool(ours) and self.right - right == ours and nothing_else

    def _add_readings(
        self, dice: Sequence[Lying], readings: Sequence[SeenDie]
    ) -> tuple[list[Lying], list[SeenDie]]:
        """Count what was read; the dice that were not, and the readings that are of no die."""
        left, unread = list(readings), list(dice)
        for rightly in (True, False):  # boxes overlap: what reads one die right is no misreading of another
            for lying in sorted(unread, key=lambda lying: lying.die is None):
                may = (one for one in left if _reads(one, lying) and rightly == (one.die == lying.die))
                here = next(may, None)
                if here is None:
                    continue
                left.remove(here)
                unread.remove(lying)
                self.strangers_read += lying.die is None
                self.right += rightly
                self.wrong += lying.die is not None and not rightly
        without_place = [lying for lying in unread if lying.box is None and lying.die is not None]
        for lying, one in zip(without_place, tuple(left), strict=False):
            left.remove(one)
            unread.remove(lying)
            self.wrong += 1
        return unread, left

    def _add_mentions(
        self, dice: Sequence[Lying], unread: Sequence[Lying], mentions: Sequence[UnsureDie]
    ) -> None:
        """Count what became of the dice that were not read, and the mentions that are of no die."""
        left = list(mentions)
        for lying in sorted(unread, key=lambda lying: lying.die is None):
            told = next((one for one in left if _is_of(lying, one.center_px, BESIDE)), None)
            if told is not None:
                left.remove(told)
            if lying.die is None:
                self.strangers_asked += told is not None
            else:
                self.asked += told is not None
                self.silent += told is None
        self.needless += sum(not any(_is_of(lying, one.center_px, BESIDE) for lying in dice) for one in left)


def _reads(one: SeenDie, lying: Lying) -> bool:
    """Whether a reading may be of this die."""
    return _is_of(lying, one.center_px, 0.0, one.die)


def _is_of(lying: Lying, at: Point, beside: float, shows: object = None) -> bool:
    """Whether something at that place is of this die; without a place, whether it shows the same, and any
    mention is."""
    if lying.box is None:
        return shows is None or shows == lying.die
    return is_in(lying.box, at, beside)


HEAD = (
    f"{'source':<20}{'dice':>6}{'right':>7}{'wrong':>7}{'accepted':>10}{'asked':>7}{'silent':>8}{'else':>6}"
    f"{'needless':>10}{'whole':>8}{'strangers':>15}"
)


def read_all(shown: Sequence[Shown], reader: Reader, name: str, *, counted: bool = False) -> Accepted:
    """What becomes of the dice of these pictures; `counted`: their number is known."""
    total = Accepted()
    for one in tqdm(shown, desc=name, leave=False):
        reading = reader.read(load_sized(one.path).picture, one.kind)
        if counted:
            reading = judge_throw_confidence(reading, sum(lying.die is not None for lying in one.dice))
        total.add(one.dice, reading, one.burnt_out)
    return total


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks accepted")
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE")
    parser.add_argument("--first", type=int, help="only so many pictures of each source")
    parser.add_argument("--counted", action="store_true", help="the number of dice is known")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    print(HEAD)
    for source, shown in every_source(asked.sources):
        networks = unseen(source)
        reader = Reader(THREADS, networks)
        mark = "*" if networks is None else ""
        total = read_all(shown[: asked.first], reader, source, counted=asked.counted)
        print(f"{source + mark:<20}{total.line()}", flush=True)
    print("* the networks learnt from these pictures")


if __name__ == "__main__":
    main()
