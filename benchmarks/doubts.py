"""What each doubt costs and holds back: dice read more, rightly and wrongly, with one doubt switched off.

Everything is read as `benchmarks.accepted` reads it, by networks that did not learn from the source. Then,
one at a time, each number that the confidence weighs is told as for a face that leaves no doubt, and each
other thing that keeps dice from being read is left out. Where a doubt costs much and holds back little,
people are asked for no reason.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import replace
from unittest.mock import patch

import cv2
from tqdm import tqdm

from benchmarks.accepted import Accepted, read_all
from benchmarks.leaks import Shown, every_source
from benchmarks.photos import THREADS, unseen
from calibration.arrays import Picture
from vision import join
from vision.classic import ClassicReader
from vision.learned import d4, reader, trust
from vision.learned.contract import NONE
from vision.learned.faces import Face
from vision.place import Place
from vision.reader import Reader
from vision.reading import DiceChoice, Reading

SOURCES = (
    "rune55_trays",
    "epanemu_dice3",
    "nell_byler",
    "lurig_d6_numeral",
    "fudw_bowl",
    "painted/zoinx",
    "painted/pip",
    "painted/bets",
)
WITHOUT_DOUBT = {
    "heat": 4.0,
    "chance": 7.0,
    "flat": 7.0,
    "leans": -3.0,
    "askew": 0.0,
    "rivalled": 0.0,
    "off": 0.0,
    "small": 0.0,
}
"""The numbers of `vision.learned.trust` and `vision.learned.d4` for a face that leaves no doubt."""

Doubt = Callable[[], AbstractContextManager[object]]


def _told_as_sure(number: str) -> AbstractContextManager[object]:
    """Both kinds of curves see that number as for a face that leaves no doubt."""

    def sure(numbers: Callable[[Face], dict[str, float]]) -> Callable[[Face], dict[str, float]]:
        return lambda face: numbers(face) | {number: WITHOUT_DOUBT[number]}

    both = ExitStack()
    for module in (trust, d4):
        both.enter_context(patch.object(module, "numbers", sure(module.numbers)))
    return both


def _standing() -> AbstractContextManager[object]:
    both = ExitStack()
    both.enter_context(_told_as_sure("leans"))
    both.enter_context(patch.object(join, "LEANS", float("inf")))
    both.enter_context(patch.object(join, "LEANS_DOUBTED", float("inf")))
    return both


def _strangers() -> AbstractContextManager[object]:
    return patch.multiple(reader, SHARE_OF_STRANGERS=0.0, BESIDE_MARKS=0.0)


def _no_face() -> AbstractContextManager[object]:
    look_for_kind = reader.look_for_kind

    def some_face(face: Face, dice: DiceChoice) -> Face:
        named = look_for_kind(face, dice)
        chances = named.chances.copy()
        chances[NONE] = 0
        return replace(named, chances=chances / max(float(chances.sum()), 1e-9))

    return patch.object(reader, "look_for_kind", some_face)


def _classical() -> AbstractContextManager[object]:
    read = ClassicReader.read

    def without_yes(
        self: ClassicReader, picture: Picture, dice: DiceChoice = "auto", about: Sequence[Place] | None = None
    ) -> Reading:
        return replace(read(self, picture, dice, about), dice=())

    return patch.object(ClassicReader, "read", without_yes)


DOUBTS: Mapping[str, Doubt] = {
    "the finder's heat": lambda: _told_as_sure("heat"),
    "the face's own chance": lambda: _told_as_sure("chance"),
    "strangers of other kinds": _strangers,
    '"no face at all"': _no_face,
    "how flat it looks": lambda: _told_as_sure("flat"),
    "how it stands": _standing,
    "stretch among others": lambda: _told_as_sure("askew"),
    "rivals": lambda: _told_as_sure("rivalled"),
    "its place": lambda: _told_as_sure("off"),
    "its size": lambda: _told_as_sure("small"),
    "the classical yes": _classical,
}
"""Each doubt, and what switches it off."""


def reads(told: Accepted) -> tuple[int, int]:
    """How many dice were read right; and how many readings are wrong, of strangers' dice or of none."""
    return told.right, told.wrong + told.strangers_read + told.invented


def column_of(source: str, shown: Sequence[Shown], first: int | None) -> list[str]:
    """A source's column: what is read, then how much more, right and wrong, without each doubt."""
    some = shown[:first]
    networks = unseen(source)
    right, wrong = reads(read_all(some, Reader(THREADS, networks), source))
    column = [f"{right}, {wrong}"]
    for doubt, off in tqdm(DOUBTS.items(), desc=source, leave=False):
        with off():
            more = reads(read_all(some, Reader(THREADS, networks), doubt))
        column.append(f"{more[0] - right:+d}, {more[1] - wrong:+d}")
    return column


def main() -> None:
    """Print the table, a source at a time."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks doubts")
    parser.add_argument("--sources", nargs="+", default=SOURCES, metavar="SOURCE")
    parser.add_argument("--first", type=int, help="only so many pictures of each source")
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    for source, shown in every_source(asked.sources):
        print(f"{source}: right, wrong (among them strangers' dice and what is no die)")
        for name, told in zip(("as it is", *DOUBTS), column_of(source, shown, asked.first), strict=True):
            print(f"  {name:<26}{told:>12}", flush=True)


if __name__ == "__main__":
    main()
