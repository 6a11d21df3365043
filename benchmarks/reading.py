"""What becomes of dice on the way from a picture to the answer, source by source.

    python -m benchmarks read [--leaks|--scales|--taught|--table]
                              [--sources NAME...] [--first COUNT] [--any] [--counted]

Everything is read as `callbox read` does where the kind of dice is named. "accepted" is the share of dice
that was read, right or wrong; "asked" are dice that are mentioned as unsure; "silent" are those that are
neither read nor mentioned; "else" are readings where no die lies, or a die lies that was read already;
"needless" are mentions where no die lies; "whole" is the share of pictures in which all dice were read right
and nothing else was. Of the "strangers", dice of other kinds, it is told how many were read as one of ours,
how many were mentioned, and how many there were. Of a picture with values and no places, what is unsure
stands for dice that were not read, and no mention is needless. `--counted`: the number of dice is known, too,
as to a game that waits for so many. The sources: `benchmarks.photographs`; those marked * were
learnt from. `--any`: nobody names the kind.

`--leaks`: where dice are lost. "found" is the share of dice at whose place something
was found and read; "right" the share of those that were read right; "sure" the share of those read right that
were given 0.9 and more; "wrong" are dice read wrong and given 0.9 and more, and their share of all. "in
place" is the share that the face reader reads right when it is shown where each die lies; "and sure" the
share of these that would be given 0.9 and more if the finder had no doubt. "strangers" are dice of other
kinds that were read as one of ours and given 0.9 and more. `--finder`, `--faces`: other networks to measure.

`--scales`: the same pictures made smaller, from their whole size to `SCALES[-1]` of it; "px" is the edge of
the middle one of the dice whose places are known.

`--taught`: what `callbox learn` brings: dice read before and after five pictures of a source were taught, at
the places where the reader found them. "kept" says whether a box would have kept what was learnt. Each source
is taught three times, with other pictures.

`--table`: what larger pictures and earlier throws bring at the simulated table (`benchmarks.reading_table`).
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.photographs import (
    THREADS,
    LabelledPicture,
    Lying,
    every_source,
    is_in,
    unseen,
)
from benchmarks.reading_table import print_table
from calibration.arrays import Picture
from device.lessons.known_dice import DRAWN, drawn_pictures
from engine.dice import Die
from models import files
from vision.learned.contract import DICE
from vision.learned.custom_dice import CustomDice, LessonDie, LessonPicture, Outcome, learn_lessons
from vision.learned.faces import read_at
from vision.learned.networks import Networks
from vision.learned.reader import JudgedFace, LearnedReader, confidence, look_for_kind
from vision.reader import Reader
from vision.reading import Point, Reading, SeenDie, UnsureDie, judge_throw_confidence

BESIDE = 0.25
"""How far outside a die's box, in sides of the box, a mention still is of it: it may point to the whole die,
and the box may be of the up-face."""


SCALES = (1.0, 0.7, 0.5, 0.35, 0.25, 0.15)
SURE = 0.9
TAUGHT_SOURCES = ("rune55_trays", "epanemu_dice3", "nell_byler")
"""The sources of which most is left to be read, and which show many pictures of like dice."""
TAUGHT, TIMES = 5, 3


def percent(part: int, whole: int) -> str:
    """The share for a table."""
    return f"{100 * part / whole:.1f}" if whole else "-"


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


ACCEPTED_HEAD = (
    f"{'source':<20}{'dice':>6}{'right':>7}{'wrong':>7}{'accepted':>10}{'asked':>7}{'silent':>8}{'else':>6}"
    f"{'needless':>10}{'whole':>8}{'strangers':>15}"
)


def read_all(
    shown: Sequence[LabelledPicture], reader: Reader, name: str, *, counted: bool = False
) -> Accepted:
    """What becomes of the dice of these pictures; `counted`: their number is known."""
    total = Accepted()
    for one in tqdm(shown, desc=name, leave=False):
        reading = reader.read(one.picture, one.kind)
        if counted:
            reading = judge_throw_confidence(reading, sum(lying.die is not None for lying in one.dice))
        total.add(one.dice, reading, one.burnt_out)
    return total


@dataclass(slots=True)
class Leaks:
    """What became of the dice of a source."""

    dice: int = 0
    found: int = 0
    right: int = 0
    sure: int = 0
    wrong: int = 0
    placed: int = 0
    right_in_place: int = 0
    sure_in_place: int = 0
    strangers: int = 0
    strangers_read: int = 0

    def line(self) -> str:
        """For the table."""
        return (
            f"{self.dice:>6}{percent(self.found, self.dice):>8}{percent(self.right, self.found):>8}"
            f"{percent(self.sure, self.right):>8}{self.wrong:>6}{percent(self.wrong, self.dice):>7}"
            f"{percent(self.right_in_place, self.placed):>10}"
            f"{percent(self.sure_in_place, self.right_in_place):>10}"
            f"{f'{self.strangers_read} of {self.strangers}' if self.strangers else '-':>12}"
        )


LEAKS_HEAD = (
    f"{'source':<20}{'dice':>6}{'found':>8}{'right':>8}{'sure':>8}{'wrong':>6}{'of all':>7}{'in place':>10}"
    f"{'and sure':>10}{'strangers':>12}"
)


def leaks_of(shown: Sequence[LabelledPicture], networks: Networks, name: str) -> Leaks:
    """What becomes of the dice of these pictures."""
    reader, total = LearnedReader(networks), Leaks()
    for one in tqdm(shown, desc=name, leave=False):
        picture = one.picture
        count(total, one.dice, reader.look(picture, one.kind))
        count_in_place(total, one, picture, networks)
    return total


def count(total: Leaks, dice: Sequence[Lying], looked: Sequence[JudgedFace]) -> None:
    """Add what was found of a picture's dice. Each find is of one die at most, the surest first; of dice
    whose places are not known, what has the right value comes first, and what is left is found and wrong."""
    left = sorted((one for one in looked if not one.face.is_none), key=lambda one: -one.confidence)
    ours = [lying for lying in dice if lying.die is not None]
    strangers = [lying for lying in dice if lying.die is None]
    total.dice += len(ours)
    total.strangers += len(strangers)
    astray = []
    for lying in (*ours, *strangers):
        here = next((one for one in left if _fits(one, lying)), None)
        if here is not None:
            left.remove(here)
            _add(total, lying.die, here)
        elif lying.box is None:
            astray.append(lying.die)
    for die, one in zip(astray, left, strict=False):
        _add(total, die, one)


def _fits(one: JudgedFace, lying: Lying) -> bool:
    """Whether a find may be of this die."""
    if lying.box is None:
        return one.die is not None and one.die == lying.die
    x, y = one.face.place.center.tolist()
    return is_in(lying.box, (x, y))


def _add(total: Leaks, die: Die | None, one: JudgedFace) -> None:
    sure = one.die is not None and one.confidence >= SURE
    if die is None:
        total.strangers_read += sure
        return
    total.found += 1
    if one.die == die:
        total.right += 1
        total.sure += sure
    else:
        total.wrong += sure


def count_in_place(total: Leaks, shown: LabelledPicture, picture: Picture, networks: Networks) -> None:
    """Add what the face reader says of this picture's dice where it is told their places."""
    known = [(one.die, one.place) for one in shown.dice if one.die is not None and one.place is not None]
    faces = read_at(picture, [place for _, place in known], networks)
    total.placed += len(known)
    for (die, _), face in zip(known, faces, strict=True):
        seen = look_for_kind(face, shown.kind)
        if DICE[int(seen.chances[: len(DICE)].argmax())] == die:
            total.right_in_place += 1
            total.sure_in_place += seen.die == die and confidence(seen) >= SURE


def lesson(shown: LabelledPicture, networks: Networks) -> LessonPicture:
    """The dice of a picture as a person would teach them: each at the surest find in its box."""
    picture = shown.picture
    looked = sorted(LearnedReader(networks).look(picture), key=lambda one: -one.confidence)
    dice = []
    for lying in shown.dice:
        if lying.die is None or lying.box is None:
            continue
        for one in looked:
            x, y = one.face.place.center.tolist()
            if is_in(lying.box, (x, y)):
                dice.append(LessonDie(kind=lying.die.kind, value=lying.die.value, center_px=(x, y)))
                break
    return LessonPicture(shown.path.name, picture, tuple(dice))


def teach(shown: Sequence[LabelledPicture], networks: Networks) -> Outcome:
    """What is learnt from these pictures, as a box learns it."""
    kind = shown[0].kind
    lessons = [lesson(one, networks) for one in shown]
    return learn_lessons(
        lessons,
        drawn_pictures(DRAWN),
        None,
        lambda known, picture: Reader(THREADS, networks, known).read(picture, kind),
        networks,
    )


def newly_read(before: Accepted, after: Accepted) -> str:
    """The share of the dice not read before that is read afterwards, in percent."""
    missing = before.dice - before.right - before.wrong
    return f"{100 * (after.right - before.right) / missing:.0f} %" if missing else "-"


def _networks(source: str) -> tuple[Networks, str]:
    """Networks that learnt nothing from a source, else the project's own with a mark."""
    networks = unseen(source)
    return networks or Networks(threads=THREADS), "" if networks else "*"


def print_accepted(options: argparse.Namespace) -> None:
    """Print what people are told."""
    print(ACCEPTED_HEAD)
    for source, shown in every_source(options.sources):
        networks, mark = _networks(source)
        reader = Reader(THREADS, networks)
        some = shown[: options.first]
        if options.any:
            some = [replace(one, kind="auto") for one in some]
        total = read_all(some, reader, source, counted=options.counted)
        print(f"{source + mark:<20}{total.line()}", flush=True)


def print_scales(options: argparse.Namespace) -> None:
    """Print what people are told of the same pictures at smaller scales."""
    print(f"{'scale':>6}{'px':>5}  {ACCEPTED_HEAD}")
    for source, shown in every_source(options.sources):
        networks, mark = _networks(source)
        some, reader = shown[: options.first], Reader(THREADS, networks)
        edges = [2 * one.place.half_px for each in some for one in each.dice if one.place is not None]
        for scale in SCALES:
            smaller = [each.scaled(scale) for each in some]
            total = read_all(smaller, reader, f"{source} at {scale}")
            edge = f"{scale * float(np.median(edges)):.0f}" if edges else "-"
            print(f"{scale:>6}{edge:>5}  {source + mark:<20}{total.line()}", flush=True)


def print_leaks(options: argparse.Namespace) -> None:
    """Print where dice are lost."""
    given = None
    if options.finder or options.faces:
        finder, faces = options.finder or files.FINDER, options.faces or files.FACES
        given = Networks(finder=finder, faces=faces, threads=THREADS), ""
    print(LEAKS_HEAD)
    for source, shown in every_source(options.sources):
        networks, mark = given or _networks(source)
        print(f"{source + mark:<20}{leaks_of(shown[: options.first], networks, source).line()}", flush=True)


def print_taught(options: argparse.Namespace) -> None:
    """Print what teaching brings."""
    print(ACCEPTED_HEAD)
    for source, shown in every_source(options.sources or TAUGHT_SOURCES):
        networks, _ = _networks(source)
        for time in range(min(TIMES, len(shown) // TAUGHT)):
            chosen = shown[time :: len(shown) // TAUGHT][:TAUGHT]
            rest = [one for one in shown if one not in chosen][: options.first]
            outcome = teach(chosen, networks)
            known: dict[str, CustomDice | None] = {"untaught": None, f"{outcome.faces} taught": outcome.known}
            read = []
            for name, dice in known.items():
                read.append(read_all(rest, Reader(THREADS, networks, dice), f"{source}, {name}"))
                print(f"{source + ', ' + name:<30}{read[-1].line()}", flush=True)
            kept = "kept" if outcome.is_no_worse else "not kept"
            print(f"{'':<30}of what was not read before: {newly_read(*read)}; {kept}", flush=True)


def main(words: Sequence[str] = ()) -> None:
    """Print the table that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks read")
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--leaks", action="store_true", help="where dice are lost")
    way.add_argument("--scales", action="store_true", help="the same pictures, made smaller")
    way.add_argument("--taught", action="store_true", help="what five taught pictures bring")
    way.add_argument("--table", action="store_true", help="the simulated table, with larger pictures")
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE")
    parser.add_argument("--first", type=int, help="only so many pictures of each source, or throws")
    parser.add_argument("--any", action="store_true", help="nobody names the kind")
    parser.add_argument("--counted", action="store_true", help="the number of dice is known")
    parser.add_argument("--finder", type=Path, help="with --leaks: a finder in place of the project's")
    parser.add_argument("--faces", type=Path, help="with --leaks: a face reader in place of the project's")
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    if options.leaks:
        print_leaks(options)
    elif options.scales:
        print_scales(options)
    elif options.taught:
        print_taught(options)
    elif options.table:
        print_table(options.first)
    else:
        print_accepted(options)
