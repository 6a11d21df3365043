"""Acts of the simulated End Zone, as a box with a camera over each end sees them."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Protocol

import cv2
from tqdm import tqdm

from benchmarks.watch import Clock
from calibration.ends import End, Ends
from device.cameras import Frame
from device.landings.ends import EndsEye
from device.landings.watched import LastShots
from device.landings.watching import Watching
from device.simulator.table import SimulatedTable
from vision.watch import Look, Watch

FPS = 20.0
TURN = 3
"""How many dice a player throws in a turn."""
LEARNING = 12
"""How many pictures of the empty table come first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActSeen:
    """One act of the simulated table, as a box with a camera over each end saw it."""

    table: SimulatedTable
    ends: Ends
    eye: EndsEye
    look: Look
    since_ms: float
    """When all had come to rest before it."""
    aim: End
    frame: Frame
    """The last one, in which all lies still."""
    shots: LastShots


def acts_seen(names: Sequence[str], count: int, seed: int, fps: float) -> Iterator[ActSeen]:
    """That many acts, the `names` over and over, players at both ends taking turns."""
    clock = Clock()
    table = SimulatedTable(seed, fps=fps, clock=clock, wait=clock.wait, far_end=True, sharp=False)
    table.set_up(landings=True)
    ends = table.calibration()
    assert isinstance(ends, Ends)
    eye, watching, shots, frames = EndsEye(ends), Watching(Watch(), Watch()), LastShots(), table.frames()

    def see() -> tuple[Frame, Look]:
        frame = next(frames)
        look = watching.see(frame)
        shots.see(frame, look)
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


class Counts(Protocol):
    """What was told of some acts."""

    def line(self) -> str:
        """For the table."""


def print_acts(name: str, play: Callable[[int, int, float], Counts], head: str, acts: int, seed: int) -> None:
    """Print a benchmark's table; `play` takes the number of acts, the seed and the pictures a second.

    `acts` and `seed` hold where the command line says nothing else.
    """
    parser = argparse.ArgumentParser(prog=f"python -m benchmarks {name}")
    parser.add_argument("--acts", "--throws", dest="acts", type=int, default=acts)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--fps", type=float, default=FPS)
    asked = parser.parse_known_args()[0]
    cv2.setNumThreads(1)
    print(head)
    print(play(asked.acts, asked.seed, asked.fps).line(), flush=True)
