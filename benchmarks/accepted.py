"""What people are told of dice: read, asked about, or passed over in silence, source by source.

Everything is read as `callbox read` does where the kind of dice is named. "accepted" is the share of dice
that was read, right or wrong; "asked" are dice that are mentioned as unsure; "silent" are those that are
neither read nor mentioned; "else" are readings where no die lies, or a die lies that was read already;
"whole" is the share of pictures in which all dice were read right and nothing else was. "strangers" are dice
of other kinds that were read as one of ours, and how many there were.

Of a picture with values and no places, what is unsure stands for dice that were not read. Photographs that
networks learnt from are read by networks that did not, as in `benchmarks.photos`.
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
from vision.reading import Point, Reading, SeenDie

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
    pictures: int = 0
    whole: int = 0
    strangers: int = 0
    strangers_read: int = 0

    def line(self) -> str:
        """For the table."""
        accepted = percent(self.right + self.wrong, self.dice)
        strangers = f"{self.strangers_read} of {self.strangers}" if self.strangers else "-"
        return (
            f"{self.dice:>6}{self.right:>7}{self.wrong:>7}{accepted:>10}{self.asked:>7}{self.silent:>8}"
            f"{self.invented:>6}{percent(self.whole, self.pictures):>8}{strangers:>12}"
        )

    def add(self, dice: Sequence[Lying], reading: Reading, burnt_out: Sequence[Lying] = ()) -> None:
        """Count one picture; dice that are burnt out need not be read, and may be."""
        right, before = self.right, (self.invented, self.strangers_read)
        ours = [lying for lying in dice if lying.die is not None]
        strangers = [lying for lying in dice if lying.die is None]
        left, unsure = list(reading.dice), list(reading.unsure)
        unread = [*ours, *strangers]
        for rightly in (True, False):  # boxes overlap: what reads one die right is no misreading of another
            for lying in tuple(unread):
                may = (one for one in left if _reads(one, lying) and rightly == (one.die == lying.die))
                here = next(may, None)
                if here is None:
                    continue
                left.remove(here)
                unread.remove(lying)
                self.strangers_read += lying.die is None
                self.right += rightly
                self.wrong += lying.die is not None and not rightly
        for lying in (one for one in unread if one.die is not None):
            if lying.box is None and left:
                left.pop()
                self.wrong += 1
                continue
            told = next((one for one in unsure if _is_of(lying, one.center_px, BESIDE)), None)
            if told is not None:
                unsure.remove(told)
            self.asked += told is not None
            self.silent += told is None
        spared = [die for die in burnt_out if any(_reads(one, die) and one.die == die.die for one in left)]
        self.invented += len(left) - len(spared)
        self.dice += len(ours)
        self.strangers += len(strangers)
        self.pictures += bool(ours)
        nothing_else = (self.invented, self.strangers_read) == before
        self.whole += bool(ours) and self.right - right == len(ours) and nothing_else


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
    f"{'whole':>8}{'strangers':>12}"
)


def read_all(shown: Sequence[Shown], reader: Reader, name: str) -> Accepted:
    """What becomes of the dice of these pictures."""
    total = Accepted()
    for one in tqdm(shown, desc=name, leave=False):
        total.add(one.dice, reader.read(load_sized(one.path).picture, one.kind), one.burnt_out)
    return total


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks accepted")
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE")
    parser.add_argument("--first", type=int, help="only so many pictures of each source")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    print(HEAD)
    for source, shown in every_source(asked.sources):
        networks = unseen(source)
        reader = Reader(THREADS, networks)
        mark = "*" if networks is None else ""
        print(f"{source + mark:<20}{read_all(shown[: asked.first], reader, source).line()}", flush=True)
    print("* the networks learnt from these pictures")


if __name__ == "__main__":
    main()
