"""How long reading takes: pictures of 1280 x 960 pixels with eight dice, everything loaded, two threads.

"finding" is `find_dice` and `look_closer` of `vision.learned.finder`, "faces" all looks at faces and at how
their dice stand, and "rest" what remains: colours, what is put together, and the classical reader, or waiting
for it at a table, where it runs beside. Decoding a picture's file is no part of these; what it takes is told
apart.
"""

import argparse
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from tqdm import tqdm

import vision.learned.reader
from calibration.arrays import Picture
from engine.dice import DieKind
from models.scenes import Scene, draw
from vision.incremental_reader import LOOKS, TableReader
from vision.reader import Reader

THREADS = 2
WAYS = ("read", "at a table", "once more", "still")
"""As `callbox read` does, of any dice; as the box does, to which the kind is known; as the box does when
nothing has moved since; and when it has looked at what stays unsure as often as it does."""
ROUNDS = 4
DICE = 8
EDGE_PX = (30, 70)
SEEDS: dict[DieKind, tuple[int, ...]] = {
    "pip": (96_017, 96_056, 96_090),
    "zoinx": (96_239, 96_281, 96_291),
    "bet": (96_403, 96_418, 96_438),
    "d4": (96_605, 96_647, 96_662),
}
"""Scenes that nothing learns from: the first ones with eight dice whose edges are 30 to 70 pixels long at the
median."""
PARTS = {
    "find_dice": "finding",
    "look_closer": "finding",
    "read_faces": "faces",
    "find_stances": "faces",
    "read_from_all_sides": "faces",
}
"""The functions of `vision.learned.reader` that are timed, and what for."""


@dataclass
class Times:
    """How long one way took, a number for each reading, ms."""

    total_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    """Processor time of the whole program; a busy machine changes it little."""
    parts_ms: dict[str, list[float]] = field(default_factory=lambda: {"finding": [], "faces": []})

    def add(self, total_ms: float, cpu_ms: float, spent_ms: dict[str, float]) -> None:
        """Count one reading."""
        self.total_ms.append(total_ms)
        self.cpu_ms.append(cpu_ms)
        for part, every in self.parts_ms.items():
            every.append(spent_ms.get(part, 0.0))

    def line(self, name: str, kind: str) -> str:
        """For the table."""
        finding, faces = (statistics.median(self.parts_ms[part]) for part in ("finding", "faces"))
        rest = statistics.median(
            total - one - two for total, one, two in zip(self.total_ms, *self.parts_ms.values(), strict=True)
        )
        return f"{name:<16}{kind:<8}{self.spread()}{finding:>9.1f}{faces:>7.1f}{rest:>7.1f}"

    def spread(self) -> str:
        """Median, 90th percentile, least; and the processor's median, which a busy machine spoils least."""
        least, slow = min(self.total_ms), np.quantile(self.total_ms, 0.9)
        cpu = statistics.median(self.cpu_ms)
        return f"{statistics.median(self.total_ms):>10.1f}{slow:>8.1f}{least:>8.1f}{cpu:>8.1f}"


HEAD = (
    f"{'way':<16}{'dice':<8}{'median ms':>10}{'p90':>8}{'least':>8}{'cpu':>8}"
    f"{'finding':>9}{'faces':>7}{'rest':>7}"
)


@contextmanager
def timed_parts(clock: Callable[[], float] = time.perf_counter) -> Iterator[dict[str, float]]:
    """While it is open, what the parts of learned readings took so far, ms; the caller sets it to nothing."""
    spent: dict[str, float] = {}

    def counted(inner: Callable[..., Any], part: str, *arguments: Any) -> Any:
        begun = clock()
        answer = inner(*arguments)
        spent[part] = spent.get(part, 0.0) + (clock() - begun) * 1000
        return answer

    with ExitStack() as stack:
        for name, part in PARTS.items():
            inner = getattr(vision.learned.reader, name)
            stack.enter_context(patch.object(vision.learned.reader, name, partial(counted, inner, part)))
        yield spent


def timed(does: Callable[[], object]) -> tuple[float, float]:
    """How long something takes by the clock, and of the program's processor time, ms."""
    begun, used = time.perf_counter(), time.process_time()
    does()
    return (time.perf_counter() - begun) * 1000, (time.process_time() - used) * 1000


def fits(scene: Scene) -> bool:
    """Whether a scene has eight dice of the size that is asked for."""
    edges = [np.hypot(*(die.corners_px - np.roll(die.corners_px, 1, axis=0)).T).mean() for die in scene.dice]
    return len(edges) == DICE and EDGE_PX[0] <= float(np.median(edges)) <= EDGE_PX[1]


def pictures() -> list[tuple[DieKind, Picture]]:
    """What is read, the kinds in turn."""
    rows = list(zip(*([(kind, seed) for seed in seeds] for kind, seeds in SEEDS.items()), strict=True))
    out: list[tuple[DieKind, Picture]] = []
    for kind, seed in tqdm([one for row in rows for one in row], desc="scenes", leave=False):
        scene = draw(seed, 1280, 960, kinds=(kind,))
        if fits(scene):
            out.append((kind, scene.picture))
        else:
            print(f"scene {seed} no longer shows eight dice of that size; it is left out")
    if not out:
        raise SystemExit(
            "No scene fits: models/scenes was changed. Find other seeds for benchmarks/speed.py."
        )
    return out


def measured(
    shown: list[tuple[DieKind, Picture]], rounds: int, threads: int = THREADS
) -> dict[tuple[str, str], Times]:
    """Times by way and kind ("all" is every kind); each round reads every picture once in every way. A first
    round goes uncounted."""
    reader, table = Reader(threads), TableReader(threads)
    out: dict[tuple[str, str], Times] = {}
    with timed_parts() as spent:
        for turn in tqdm(range(rounds + 1), desc="rounds", leave=False):
            for kind, picture in shown:
                at_table = partial(table.read, picture, kind)
                reads = (partial(reader.read, picture), at_table, at_table, at_table)
                for way, once in zip(WAYS, reads, strict=True):
                    for _ in range(LOOKS - 2 if way == "still" else 0):
                        at_table()
                    spent.clear()
                    took = timed(once)
                    for name in (kind, "all") if turn else ():
                        out.setdefault((way, name), Times()).add(*took, spent)
    return out


def decoding(picture: Picture, rounds: int = 15) -> dict[str, float]:
    """How long decoding a file of the picture takes at the median, ms, by format."""
    out: dict[str, float] = {}
    for name, ending, options in (
        ("JPEG", ".jpg", [cv2.IMWRITE_JPEG_QUALITY, 90]),
        ("PNG", ".png", []),
    ):
        _, data = cv2.imencode(ending, picture, options)
        decode = partial(cv2.imdecode, data, cv2.IMREAD_COLOR)
        out[name] = statistics.median(timed(decode)[0] for _ in range(rounds))
    return out


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed")
    parser.add_argument("--threads", type=int, default=THREADS)
    asked = parser.parse_known_args()[0]
    shown = pictures()
    times = measured(shown, ROUNDS, asked.threads)
    print(f"1280 x 960, eight dice, {asked.threads} threads, everything loaded\n{HEAD}")
    for way in WAYS:
        for kind in (*SEEDS, "all"):
            if (way, kind) in times:
                print(times[way, kind].line(way, kind))
    spans = ", ".join(f"{name} {took_ms:.1f}" for name, took_ms in decoding(shown[0][1]).items())
    print(f"decoding the file, not counted above, ms: {spans}")
