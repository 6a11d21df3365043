"""How surely a box with a camera over each End Zone sees fouls, slides, and dice that leave the table.

    python -m benchmarks acts [fouls|slides|departures] [--acts 120] [--seed 50] [--fps 20]

Acts of the simulated table, players at both ends taking turns, compared with the truth. "ms" is what it
takes, of one core, beside measuring the die.

fouls: "seen" are throws of which the box says where the die left the hand, "held" those in which it truly
did so within the plus-minus, whose median is "mm". Fouls "beyond" lie farther past the line than the
plus-minus, "told" are the ones of these that are asked about; "near" are the other fouls, of which hardly any
can be told. "false" are throws by the rules that are asked about.

slides: "slid" are dice that never showed another face from the hand to rest, "slid_answered" those of them
of which enough was seen, "told" those that are asked about; "rolled" are the others, "false" those of them
that are asked about, of which "false_slid_last" truly slid over all of the way that is named, "mm".

departures: "left" are acts in which a die left the table, "told" those of which the box says so, "right"
those of which it names the right side as well; "false" are other acts in which one seems to have left.
"""

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, fields
from itertools import cycle
from math import dist

import cv2
import numpy as np
from tqdm import tqdm

from benchmarks.simulation import Clock
from calibration.ends import End, Ends
from device.cameras import Frame
from device.landings import InlineExecutor
from device.landings.ends import EndsEye, Watching
from device.landings.watched import LastShots, WatchedThrow
from device.simulator.dice import up_side
from device.simulator.end_zone.throw import release_line_mm
from device.simulator.table import SimulatedTable
from device.simulator.truth import ActStory, DieStory
from vision.landing import CalledDie, Side
from vision.watch import FrameState, Watch

FPS = 20.0
TURN = 3
"""How many dice a player throws in a turn."""
LEARNING = 12
"""How many pictures of the empty table come first."""
NEAR_MM = 8.0
POSE_STEP_MS = 5.0
FOUL_ACTS = ("throw", "line", "late", "slide", "throw", "late", "bump", "throw", "late")
SLIDE_ACTS = ("throw", "slide", "line", "slide", "late", "slide", "throw", "slide", "bump", "slide")
DEPARTURE_ACTS = (
    "aside", "throw", "floor", "hand", "aside", "late", "nudge",
    "floor", "slide", "bump", "aside", "throw", "clear",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ActSeen:
    """One act of the simulated table, as a box with a camera over each end saw it."""

    table: SimulatedTable
    ends: Ends
    eye: EndsEye
    look: FrameState
    since_ms: float
    """When all had come to rest before it."""
    aim: End
    frame: Frame
    """The last one, in which all lies still."""
    shots: LastShots

    @property
    def story(self) -> ActStory:
        """What truly happened."""
        return self.table.stories[-1]


def acts_seen(names: Sequence[str], count: int, seed: int, fps: float) -> Iterator[ActSeen]:
    """That many acts, the `names` over and over, players at both ends taking turns."""
    clock = Clock()
    table = SimulatedTable(seed, fps=fps, clock=clock, wait=clock.wait, far_end=True, sharp=False)
    table.set_up(landings=True)
    ends = table.calibration()
    assert isinstance(ends, Ends)
    eye, watching, shots, frames = EndsEye(ends), Watching(Watch(), Watch()), LastShots(), table.frames()

    def see() -> tuple[Frame, FrameState]:
        frame = next(frames)
        look = watching.watch(frame)
        shots.add(frame, look)
        return frame, look

    frame, look = [see() for _ in range(LEARNING)][-1]
    for number, name in zip(tqdm(range(count), leave=False), cycle(names)):
        seat, since_ms = number // TURN % 2, look.time_ms
        table.expect(number % TURN, seat)
        table.act(name)
        frame, look = see()
        while table.busy or not look.settled:
            frame, look = see()
        aim: End = "far" if seat else "near"
        yield ActSeen(
            table=table, ends=ends, eye=eye, look=look, since_ms=since_ms, aim=aim, frame=frame, shots=shots
        )


@dataclass(slots=True, kw_only=True)
class Tally:
    """What was counted: whole numbers, and times and lengths of which the median is printed."""

    ms: list[float] = field(default_factory=list)
    mm: list[float] = field(default_factory=list)

    def row(self) -> list[tuple[str, str]]:
        """Each column's name and figure."""
        every = [(each.name, getattr(self, each.name)) for each in fields(self)]
        every.sort(key=lambda pair: isinstance(pair[1], list))
        return [
            (name, f"{np.median(value or [0]):.0f}" if isinstance(value, list) else str(value))
            for name, value in every
        ]


@dataclass(slots=True, kw_only=True)
class FoulTally(Tally):
    """What was counted of throws."""

    throws: int = 0
    seen: int = 0
    held: int = 0
    beyond: int = 0
    told: int = 0
    near: int = 0
    near_told: int = 0
    false: int = 0


@dataclass(slots=True, kw_only=True)
class SlideTally(Tally):
    """What was counted of throws."""

    slid: int = 0
    slid_answered: int = 0
    told: int = 0
    rolled: int = 0
    rolled_answered: int = 0
    false: int = 0
    false_slid_last: int = 0


@dataclass(slots=True, kw_only=True)
class DepartureTally(Tally):
    """What was counted of acts."""

    acts: int = 0
    left: int = 0
    told: int = 0
    right: int = 0
    stayed: int = 0
    false: int = 0


def fouls(acts: int, seed: int, fps: float = FPS) -> FoulTally:
    """How surely it is told that a die was let go past the release line; every third throw is."""
    tally = FoulTally()
    for act in acts_seen(FOUL_ACTS, acts, seed, fps):
        past_mm = _past_line_mm(act)
        if past_mm is None:
            continue
        begun = time.process_time()
        found = act.eye.let_go(act.look, act.since_ms, act.aim)()
        tally.ms.append(1000 * (time.process_time() - begun))
        tally.throws += 1
        late = found is not None and found.late
        if found is not None:
            tally.seen += 1
            tally.held += abs(found.past_mm - past_mm) <= found.plus_minus_mm
            tally.mm.append(found.plus_minus_mm)
        if past_mm <= 0:
            tally.false += late
        elif past_mm > (found.plus_minus_mm if found else 0.0):
            tally.beyond += 1
            tally.told += late
        else:
            tally.near += 1
            tally.near_told += late
    return tally


def _past_line_mm(act: ActSeen) -> float | None:
    """How far past the release line the die truly left the hand; None if none was thrown."""
    releases = [die.release for die in act.story.thrown]
    if not releases or releases[0] is None:
        return None
    x, y, _ = releases[0].center_mm
    if act.aim == "far":
        y = float(act.ends.turn.to_far(np.array([(x, y)]))[0, 1])
    return release_line_mm() - y


def slides(acts: int, seed: int, fps: float = FPS) -> SlideTally:
    """How surely it is told that a die slid instead of rolling; every other one does."""
    tally = SlideTally()
    for act in acts_seen(SLIDE_ACTS, acts, seed, fps):
        sight = act.eye.look(act.frame.picture, act.frame.far)
        lies = _measured(act.story.thrown[0], sight.dice) if act.story.thrown else None
        if lies is None:
            continue
        watched = WatchedThrow(act.eye, InlineExecutor(), act.shots)
        begun = time.process_time()
        watched.begin_slide_search(lies, sight, act.frame, act.look)
        found = watched.wait_for_slide(lies)
        tally.ms.append(1000 * (time.process_time() - begun))
        die, told = act.story.thrown[0], found is not None and found.slid
        if found is not None:
            tally.mm.append(found.way_mm)
        if not die.tips:
            tally.slid += 1
            tally.slid_answered += found is not None
            tally.told += told
        else:
            tally.rolled += 1
            tally.rolled_answered += found is not None
            tally.false += told
            tally.false_slid_last += told and found is not None and _slid_last_mm(die) >= found.way_mm
    return tally


def _slid_last_mm(die: DieStory) -> float:
    """Over how much of the end of its way a die truly showed the same face."""
    times_ms = np.arange(die.course.end_ms, die.course.start_ms, -POSE_STEP_MS)
    poses = [pose for time_ms in times_ms if (pose := die.pose(float(time_ms)))]
    up = up_side(die.body, poses[0])
    same = next((at for at, pose in enumerate(poses) if up_side(die.body, pose) != up), len(poses))
    places = np.array([pose.center_mm[:2] for pose in poses[:same]])
    return float(np.hypot(*np.diff(places, axis=0).T).sum())


def _measured(die: DieStory, dice: tuple[CalledDie, ...]) -> CalledDie | None:
    """The measured die that this one is; None where it is gone, or was not measured."""
    if die.lying is None:
        return None
    x, y, _ = (float(part) for part in die.lying.pose.center_mm)
    return next((each for each in dice if dist(each.die.center_mm, (x, y)) < NEAR_MM), None)


def departures(acts: int, seed: int, fps: float = FPS) -> DepartureTally:
    """How surely it is told over which side of the table a die left it."""
    tally = DepartureTally()
    for act in acts_seen(DEPARTURE_ACTS, acts, seed, fps):
        begun = time.process_time()
        found = act.eye.went_off(act.look, act.since_ms)()
        tally.ms.append(1000 * (time.process_time() - begun))
        side = _left_over(act)
        tally.acts += 1
        if side is None:
            tally.stayed += 1
            tally.false += found is not None
        else:
            tally.left += 1
            tally.told += found is not None
            tally.right += found is not None and found.over == side
    return tally


def _left_over(act: ActSeen) -> Side | None:
    """Over which side a die truly left in that act, as the thrower sees it; None where none did."""
    edges = [die.departure.over for die in act.story.dice if die.departure]
    if not edges:
        return None
    if edges[0] not in ("left", "right"):
        return "end"
    # Who throws to the far end looks along the table frame, who throws to the near one against it.
    return "left" if (edges[0] == "left") == (act.aim == "far") else "right"


KINDS: dict[str, tuple[Callable[[int, int, float], Tally], int, int]] = {
    "fouls": (fouls, 120, 50),
    "slides": (slides, 120, 800),
    "departures": (departures, 130, 70),
}
"""What is counted, with the usual number of acts and seed."""


def main(words: Sequence[str] = ()) -> None:
    """Print a table for each kind."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks acts")
    parser.add_argument("kinds", nargs="*", help=f"{', '.join(KINDS)}; else all")
    parser.add_argument("--acts", type=int)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--fps", type=float, default=FPS)
    options = parser.parse_args(words)
    cv2.setNumThreads(1)
    for kind in options.kinds or KINDS:
        count, acts, seed = KINDS[kind]
        row = count(options.acts or acts, seed if options.seed is None else options.seed, options.fps).row()
        widths = [max(map(len, pair)) + 2 for pair in row]
        print(kind)
        for line in zip(*row, strict=True):
            print("".join(text.rjust(width) for text, width in zip(line, widths, strict=True)), flush=True)
