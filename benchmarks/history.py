"""What is told of each die of a throw, held against the truth: where it came from, and by which way.

Acts of the simulated table, each seen from rest to rest; "mat" are six ivory dice on ZONK's ivory mat. In a
fifth of them something else happens than a throw, or beside it: a die is pushed, turned over, falls off the
table, leans or lies on another. Readings are taken to be right: how well dice are read is told by other
benchmarks. "thrown" are acts with a throw, "found" those in which one die or more is called thrown or seen to
leave, "invented" the others in which one is. Of the dice that lie there in the end "right", "wrong" and
"unknown" tell their origin; "followed" is the share of the ways, of dice that were thrown or pushed, which
never are farther from the die than one and a half of its edges, and "part" how much of the time for which
these dice moved their ways tell. Then those that fell off the table, how many were seen to, and how many
seemed to that had not: the box tells of none. The last columns are what telling a history takes, the share of
a core that is at 4 s a throw, and the most memory that pictures take.

With `--unread` each die that came or moved is left out of the readings once: "left out" counts those,
"mentioned" how many of them are mentioned as something of a die's size, at their place. "wrongly" are acts
after which something is mentioned though every die was read. "ms" is what looking for it takes.

    python -m benchmarks history [--unread] [--acts 50] [--seed 900] [--fps 20]
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import dist

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.simulation import Clock
from device.cameras import Frame
from device.simulator.designs import COLORS
from device.simulator.table import DieOnTable, SimulatedTable
from device.simulator.truth import ActStory, DieStory
from engine.dice import DieKind
from vision.places import Layout, load_packaged
from vision.reading import Reading, SeenDie
from vision.watch import (
    FollowedDie,
    FrameState,
    Origin,
    Stretch,
    ThrowHistory,
    Watch,
    find_unread,
    tell_history,
)

ACTS, SEED, FPS, DICE = 50, 900, 20.0, 5
KINDS: tuple[DieKind, ...] = ("pip", "zoinx", "bet", "d4")
ON_MAT = 6
MISCHIEF = ("nudge", "floor", "turn_over", "cock", "slide", "hand", "stack")
"""The last one is left out with D4, on which nothing can lie."""
ON_MAT_MISCHIEF = ("nudge", "turn_over", "slide", "hand", "stack")
MISCHIEF_EVERY = 5
OFF_EDGES = 1.5
THROW_MS = 4000.0
NEAR_EDGES = 0.8
"""A mention so near to a die's middle is of that die: its shadow is a part of what is seen."""
CAUSES: dict[str, Origin] = {"nothing": "lay", "throw": "thrown", "die": "pushed", "hand": "by_hand"}


@dataclass(slots=True)
class Counts:
    """What was told of the dice of one kind."""

    thrown: int = 0
    found: int = 0
    invented: int = 0
    told: dict[str, int] = field(default_factory=lambda: {"right": 0, "wrong": 0, "unknown": 0})
    ways: int = 0
    followed: int = 0
    moved_ms: float = 0.0
    told_ms: float = 0.0
    left: int = 0
    left_told: int = 0
    left_wrongly: int = 0
    ms: list[float] = field(default_factory=list)
    most_bytes: int = 0

    def line(self) -> str:
        """For the table."""
        told = "".join(f"{count:>8}" for count in self.told.values())
        ms, followed = float(np.median(self.ms)), self.followed / max(1, self.ways)
        part = self.told_ms / max(1.0, self.moved_ms)
        return (
            f"{self.thrown:>7}{self.found:>6}{self.invented:>9}{told}{followed:>9.1%}{part:>6.0%}"
            f"{self.left:>6}{self.left_told:>6}{self.left_wrongly:>8}{ms:>6.0f}{ms / THROW_MS:>7.1%}"
            f"{self.most_bytes / 1e6:>6.0f}"
        )


HEAD = (
    f"{'':<7}{'thrown':>7}{'found':>6}{'invented':>9}{'right':>8}{'wrong':>8}{'unknown':>8}{'followed':>9}"
    f"{'part':>6}{'left':>6}{'told':>6}{'wrongly':>8}{'ms':>6}{'core':>7}{'MB':>6}"
)


Told = tuple[ThrowHistory, ActStory, tuple[DieOnTable, ...]]
"""What is told of one act, and what is true of it: the story, and the dice as they lie in the end."""


class Box:
    """What a box sees of one simulated table, from rest to rest."""

    def __init__(self, table: SimulatedTable, counts: Counts, fps: float) -> None:
        self.table, self._counts = table, counts
        self._watch = Watch()
        self._frames: Iterator[Frame] = table.frames()
        self._before: tuple[float, Reading] | None = None
        self.seen: tuple[Stretch, Reading | None, Reading] | None = None
        """What was seen of the last act, and what lay there before it and after."""
        self.frame_ms = 1000 / fps

    def act(self, name: str) -> Told | None:
        """Let the hand do something, and see it until all is still; None where nothing changed."""
        self.table.act(name)
        look = self._see()
        while self.table.busy or not look.settled:
            look = self._see()
        lying = self.table.lying
        reading = reading_of(lying, *self._size)
        assert look.reel is not None
        since_ms, before = self._before or (None, None)
        begun = time.process_time()
        stretch = look.reel.cut(since_ms)
        if stretch is None:
            return None
        self.seen = stretch, before, reading
        history = tell_history(stretch, before, reading)
        self._counts.ms.append(1000 * (time.process_time() - begun))
        self._counts.most_bytes = max(self._counts.most_bytes, look.reel.size)
        self._before = look.time_ms, reading
        return history, self.table.stories[-1], lying

    def _see(self) -> FrameState:
        frame = next(self._frames)
        self._size = frame.picture.shape[1], frame.picture.shape[0]
        return self._watch.see(frame.picture, frame.time_ms)


def reading_of(lying: Sequence[DieOnTable], width_px: int, height_px: int) -> Reading:
    """The truth as a reading, its dice in the same order."""
    dice = tuple(
        SeenDie(
            kind=one.die.kind,
            value=one.die.value,
            confidence=1.0,
            color=one.color,
            center_px=one.center_px,
            corners_px=one.corners_px[1:] if one.die.kind == "d4" else one.corners_px,
        )
        for one in lying
    )
    return Reading(width_px=width_px, height_px=height_px, dice=dice, unsure=(), elapsed_ms=0.0)


def acts_of(
    kind: DieKind,
    acts: int,
    seed: int,
    fps: float,
    counts: Counts | None = None,
    mat: Layout | None = None,
) -> Iterator[tuple[Box, Told | None]]:
    """The box after each of so many acts with dice of that kind, ten acts to a table, and what it told; on
    every other table, and on a mat, all dice are of one colour."""
    counts, colors = counts or Counts(), list(COLORS)
    for number in tqdm(range(acts), desc=kind, leave=False):
        if number % 10 == 0:
            clock = Clock()
            table = SimulatedTable(seed + number, fps=fps, clock=clock, wait=clock.wait, sharp=False)
            box = Box(table, counts, fps)
            step = number // 10 % 2
            if mat is not None:
                table.spread(mat)
                table.lay(kind, ON_MAT)
            else:
                table.lay(
                    kind,
                    DICE,
                    [colors[(number // 10 + 3 * each * step) % len(colors)] for each in range(DICE)],
                )
        mischief = number % MISCHIEF_EVERY == MISCHIEF_EVERY - 1
        names = ON_MAT_MISCHIEF if mat is not None else MISCHIEF[: -1 if kind == "d4" else None]
        yield box, box.act(names[number // MISCHIEF_EVERY % len(names)] if mischief else "throw")


def play(kind: DieKind, acts: int, seed: int, fps: float, mat: Layout | None = None) -> Counts:
    """What was told of so many acts with dice of that kind."""
    counts = Counts()
    for box, told in acts_of(kind, acts, seed, fps, counts, mat):
        if told is not None:
            add(counts, *told, box.table)
    return counts


def add(
    counts: Counts, history: ThrowHistory, story: ActStory, lying: Sequence[DieOnTable], table: SimulatedTable
) -> None:
    """Hold a history against the truth."""
    thrown = any(one.origin == "thrown" for one in history.dice) or bool(history.left)
    counts.thrown += bool(story.thrown)
    counts.found += bool(story.thrown) and thrown
    counts.invented += not story.thrown and thrown
    numbers = [one.number for one in lying]
    for one, die in zip(history.dice, lying, strict=True):
        truth = story.die(die.number)
        assert truth is not None
        counts.told[grade_origin(one, truth, numbers)] += 1
        if one.path and CAUSES[truth.course.cause] in ("thrown", "pushed"):
            counts.ways += 1
            counts.followed += is_followed(one, truth, table)
            counts.moved_ms += truth.course.end_ms - truth.course.start_ms
            counts.told_ms += one.path[-1].time_ms - one.path[0].time_ms
    gone = [one for one in story.dice if one.departure is not None]
    counts.left += len(gone)
    counts.left_told += min(len(gone), len(history.left))
    counts.left_wrongly += max(0, len(history.left) - len(gone))


def grade_origin(one: FollowedDie, truth: DieStory, numbers: Sequence[int]) -> str:
    """Whether the origin of a die is told rightly, wrongly, or not."""
    if one.origin == "unknown":
        return "unknown"
    right = one.origin == CAUSES[truth.course.cause]
    if right and one.origin == "pushed" and one.by is not None:
        right = numbers[one.by] in truth.pushed_by
    return "right" if right else "wrong"


def is_followed(one: FollowedDie, truth: DieStory, table: SimulatedTable) -> bool:
    """Whether the way never is far from the die."""
    edge_px = dist(*one.die.corners_px[:2]) if isinstance(one.die, SeenDie) else 1.0
    for point in one.path:
        pose = truth.pose(point.time_ms)
        if pose is None or dist(table.place_px(pose.center_mm.tolist()), point.at_px) > OFF_EDGES * edge_px:
            return False
    return True


@dataclass(slots=True)
class Mentions:
    """What was mentioned of the dice of one kind."""

    acts: int = 0
    wrongly: int = 0
    left_out: int = 0
    mentioned: int = 0
    ms: list[float] = field(default_factory=list)

    def add(self, stretch: Stretch, before: Reading | None, after: Reading) -> None:
        """Hold what is mentioned after one act against the truth."""
        self.acts += 1
        begun = time.process_time()
        self.wrongly += bool(find_unread(stretch, before, after))
        self.ms.append(1000 * (time.process_time() - begun))
        lain = {one.center_px for one in before.dice} if before else set()
        for one in after.dice:
            edge_px = dist(*one.corners_px[:2])
            if any(dist(one.center_px, other) < edge_px for other in lain):
                continue  # it lies where a die lay: nobody can see that it came
            others = replace(after, dice=tuple(die for die in after.dice if die is not one))
            told = find_unread(stretch, before, others)
            self.left_out += 1
            self.mentioned += any(dist(one.center_px, t.center_px) < NEAR_EDGES * edge_px for t in told)

    def line(self) -> str:
        """For the table."""
        counts = f"{self.acts:>6}{self.wrongly:>9}{self.left_out:>10}{self.mentioned:>11}"
        return f"{counts}{np.median(self.ms):>7.1f}"


def play_unread(kind: DieKind, acts: int, seed: int, fps: float) -> Mentions:
    """That many acts with dice of that kind."""
    mentions = Mentions()
    for box, _ in acts_of(kind, acts, seed, fps):
        if box.seen is not None:
            mentions.add(*box.seen)
    return mentions


def main(words: Sequence[str] = ()) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks history")
    parser.add_argument("--unread", action="store_true", help="dice that no reader saw")
    parser.add_argument("--acts", type=int, default=ACTS, help="for each kind of dice")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--fps", type=float, default=FPS)
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    if options.unread:
        print(f"{'':<7}{'acts':>6}{'wrongly':>9}{'left out':>10}{'mentioned':>11}{'ms':>7}")
        for kind in KINDS:
            print(f"{kind:<7}{play_unread(kind, options.acts, options.seed, options.fps).line()}", flush=True)
        return
    print(HEAD)
    for kind in KINDS:
        print(f"{kind:<7}{play(kind, options.acts, options.seed, options.fps).line()}", flush=True)
    print(f"{'mat':<7}{play('pip', options.acts, options.seed, options.fps, load_packaged('zonk')).line()}")
