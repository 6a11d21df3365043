"""How long reading, watching, filming and the rules take.

    python -m benchmarks speed [reading|watch|films|engine] [--threads 2]

Milliseconds are this machine's; ratios compare with something plain in the same run, and travel better.

reading: pictures of 1280 x 960 pixels with eight dice, everything loaded. "finding" is `find_dice` and
`look_closer` of `vision.learned.finder`, "faces" all looks at faces and at how their dice stand, and "rest"
what remains: colours and what is decided. Decoding a picture's file is no part of these and stands apart.

watch: what a look costs on every frame, and how soon after the last die lies the table has settled. films:
what filming every throw costs beside the watching. engine: events per second of each rulebook, over the
recorded games of tests/recordings; a journal of 10,000 events replayed; how fast the odds answer.
"""

import argparse
import json
import resource
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import cv2
import numpy as np
from tqdm import tqdm

import vision.learned.reader
from benchmarks.simulation import Clock
from calibration.arrays import Picture
from device.films.filming import MOST_BYTES, FilmPicture, Strip, halved, make_film
from device.simulator.table import SimulatedTable
from engine.dice import DieKind
from engine.events import Event
from engine.game import Position
from engine.history import History
from engine.odds import advice
from engine.odds.ten_thousand import turn_table as ten_thousand_table
from engine.odds.zonk import turn_table as zonk_table
from engine.recording import play_again
from engine.rulebooks import RULEBOOKS
from engine.ten_thousand import Combos
from engine.wire import read_event, write_event, write_view
from engine.zonk import Modifiers
from models.scenes import Scene, draw
from vision.incremental_reader import LOOKS, TableReader
from vision.pictures import jpeg_of
from vision.reader import Reader
from vision.watch import FrameState, State, Watch

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


def print_reading(threads: int) -> None:
    """Print how long a picture takes to read."""
    shown = pictures()
    times = measured(shown, ROUNDS, threads)
    print(f"1280 x 960, eight dice, {threads} threads, everything loaded\n{HEAD}")
    for way in WAYS:
        for kind in (*SEEDS, "all"):
            if (way, kind) in times:
                print(times[way, kind].line(way, kind))
    spans = ", ".join(f"{name} {took_ms:.1f}" for name, took_ms in decoding(shown[0][1]).items())
    print(f"decoding the file, not counted above, ms: {spans}")


RATES = (15.0, 20.0, 30.0)


def _watch_throw(seed: int, fps: float, costs_ms: dict[State, list[float]]) -> list[float]:
    """One throw: for each scene that settled after the rest, how much later; the first is the throw's."""
    clock = Clock()
    table = SimulatedTable(seed, fps=fps, clock=clock, wait=clock.wait)
    table.lay("zoinx" if seed % 2 else "pip", 4)
    watch, late_ms = Watch(), []
    last: FrameState | None = None
    table.act("throw")
    for frame in table.frames():
        begun = time.process_time()
        look = watch.see(frame.picture, frame.time_ms)
        costs_ms[look.state].append((time.process_time() - begun) * 1000)
        rest_ms = table.rest_time_ms
        if last is not None and look.scene != last.scene and rest_ms is not None:
            late_ms.append(frame.time_ms - rest_ms)
        last = look
        if rest_ms is not None and frame.time_ms > rest_ms + 600 and not table.busy:
            break
    return late_ms


def print_watch(count: int) -> None:
    """Print what watching costs."""
    cv2.setNumThreads(1)
    costs_ms: dict[State, list[float]] = defaultdict(list)
    print(f"Watching: rest of the last die to settled, {count} throws a rate, simulated time")
    print(f"{'frames/s':>10} {'p50 ms':>8} {'p99 ms':>8} {'scenes a throw':>15}")
    for fps in RATES:
        throws = [_watch_throw(seed, fps, costs_ms) for seed in range(count)]
        late_ms = [throw[0] for throw in throws if throw]
        scenes = sum(map(len, throws)) / len(throws)
        p50, p99 = np.percentile(late_ms, [50, 99])
        print(f"{fps:10.0f} {p50:8.0f} {p99:8.0f} {scenes:15.2f}")
    print("Watching: ms of one core for a look at 1280x960")
    print(f"{'state':>10} {'looks':>8} {'p50 ms':>8} {'p99 ms':>8}")
    for state, spent_ms in costs_ms.items():
        p50, p99 = np.percentile(spent_ms, [50, 99])
        print(f"{state:>10} {len(spent_ms):8d} {p50:8.2f} {p99:8.2f}")


THROWS = 10
"""Throws that are filmed, and watched at each rate."""
FPS = 20.0
LIES_S = 6.0
"""How long the dice lie until the next throw: people look, add up and take them."""


@dataclass
class _Spent:
    """Milliseconds of one core, a value for each picture."""

    looks: list[float] = field(default_factory=list)
    packs: list[float] = field(default_factory=list)


def _film_throw(seed: int, strip: Strip, spent: _Spent) -> bytes:
    """Watch a throw and its rest as the box does, and keep its shots; returns the picture at rest."""
    clock = Clock()
    table = SimulatedTable(seed, fps=FPS, clock=clock, wait=clock.wait)
    table.lay("zoinx" if seed % 2 else "pip", 5)
    table.act("throw")
    watch = Watch()
    for frame in table.frames():
        begun = time.process_time()
        look = watch.see(frame.picture, frame.time_ms)
        seen = time.process_time()
        spent.looks.append(1000 * (seen - begun))
        if look.still_since_ms >= look.time_ms:
            strip.add(FilmPicture(time_ms=frame.time_ms, jpeg=jpeg_of(halved(frame.picture))))
            spent.packs.append(1000 * (time.process_time() - seen))
        rest_ms = table.rest_time_ms
        if rest_ms is not None and frame.time_ms > rest_ms + 1000 * LIES_S:
            return jpeg_of(frame.picture)
    raise SystemExit("the simulated table ended")


def print_films(count: int) -> None:
    """Print what filming costs."""
    cv2.setNumThreads(1)
    spent, films, largest = _Spent(), [], 0
    made_s: list[float] = []
    for seed in range(count):
        strip = Strip()
        rest = _film_throw(seed, strip, spent)
        largest = max(largest, strip.size)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        films.append(len(make_film(strip.cut(), rest)))
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        made_s.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    look, pack = float(np.median(spent.looks)), float(np.median(spent.packs))
    beside = sum(spent.packs) / sum(spent.looks)
    print(f"Filming, {count} throws at 1280x960, {FPS:.0f} frames/s, {LIES_S:.0f} s of rest after each")
    print(f"  a look at a frame, median               {look:6.2f} ms, {look * FPS / 10:5.1f} % of a core")
    print(f"  packing a frame in which dice move      {pack:6.2f} ms, {pack * FPS / 10:5.1f} % of a core")
    print(f"  packing beside looking, whole throws    {100 * beside:6.1f} % more; while nothing moves 0 %")
    print(f"  making a film, in its own process       {np.median(made_s):6.2f} s of a core, once a throw")
    print(
        f"  memory: packed pictures of a throw      {largest / 1e6:6.2f} MB, {MOST_BYTES / 1e6:.0f} at most"
    )
    print(f"  a film on the disk, mean                {np.mean(films) / 1e6:6.2f} MB")


RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings"
JOURNAL = 10_000
"""Events in the journal that is replayed."""
ENGINE_ROUNDS = 2
"""Each time is the best of so many."""

Game = tuple[Position, tuple[Event, ...]]
"""A recorded game: its first position and all events that were taken."""


def print_engine() -> None:
    """Print how fast rules and odds are."""
    print(f"{'game':14} {'events/s':>9} {'with view':>9} {'journal':>8} {'ratio':>6}")
    games = recorded()
    for name in RULEBOOKS:
        if found := games.get(name):
            print(f"{name:14} {_row(found)}")
        else:
            print(f"{name:14} no recorded game")
    print(
        f"\nevents/s: the rules alone. with view: and the public state as JSON. journal: {JOURNAL:,} events"
    )
    print("from their JSON lines to the last position. ratio: that time to json.loads of the same lines.\n")
    _odds(games)


def recorded() -> Mapping[str, list[Game]]:
    """All recorded games, by rulebook."""
    found: dict[str, list[Game]] = {}
    for path in sorted(RECORDINGS.glob("*.txt")):
        history = play_again(path.read_text(encoding="utf-8"))
        found.setdefault(history.position.view().game, []).append((history.start, history.events))
    return found


def _row(games: list[Game]) -> str:
    """Events per second, the journal's seconds and its ratio to reading the lines only."""
    repeated = _repeated(games)
    lines = [(start, [write_event(event) for event in events]) for start, events in repeated]
    rules = _seconds(partial(_play, repeated))
    shown = _seconds(partial(_play, repeated, shown=True))
    journal = _seconds(partial(_replay, lines))
    plain = _seconds(partial(_read, lines))
    count = sum(len(events) for _, events in repeated)
    journal_s = journal * JOURNAL / count
    return f"{count / rules:9,.0f} {count / shown:9,.0f} {journal_s:6.2f} s {journal / plain:6.1f}"


def _repeated(games: list[Game]) -> list[Game]:
    """The games over and over, to the length of the journal."""
    found: list[Game] = []
    while sum(len(events) for _, events in found) < JOURNAL:
        found += games
    return found


def _play(games: list[Game], *, shown: bool = False) -> None:
    for start, events in games:
        history = History(start)
        for event in events:
            position = history.take(event)
            if shown:
                write_view(position.view())


def _replay(games: list[tuple[Position, list[str]]]) -> None:
    for start, lines in games:
        History.replay(start, map(read_event, lines))


def _read(games: list[tuple[Position, list[str]]]) -> None:
    for _, lines in games:
        for line in lines:
            json.loads(line)


def _seconds(act: Callable[[], object]) -> float:
    """The best of some times."""
    took = []
    for _ in range(ENGINE_ROUNDS):
        begun = time.perf_counter()
        act()
        took.append(time.perf_counter() - begun)
    return min(took)


def _odds(games: Mapping[str, list[Game]]) -> None:
    """How long the odds take: to build a table, and to answer once it stands."""
    builds: list[tuple[str, Callable[[], object]]] = [
        ("ten-thousand, first of its combos", partial(ten_thousand_table, Combos(), 50)),
        ("ten-thousand, before the opening", partial(ten_thousand_table, Combos(), 750)),
        ("zonk, six D6", partial(zonk_table, (6, 0))),
        ("zonk, five D6 and a D4", partial(zonk_table, (5, 1))),
        ("zonk, seven D6, Final Chance", partial(zonk_table, (7, 0), Modifiers(), chance=True)),
        ("zonk, six D6 and two D4", partial(zonk_table, (6, 2))),
    ]
    print("the odds' tables, each built once when first asked for:")
    for words, build in builds:
        begun = time.perf_counter()
        build()
        print(f"  {words:36} {(time.perf_counter() - begun) * 1000:7.0f} ms")
    print("one answer to a table that stands, over the positions of the recorded games:")
    for name, found in games.items():
        took = _answers(found)
        if took:
            middle, slowest = statistics.median(took) * 1000, max(took) * 1000
            print(f"  {name:36} median {middle:6.2f} ms, slowest {slowest:6.2f} ms, {len(took)} positions")


def _answers(games: list[Game]) -> list[float]:
    """Seconds of each answer that says anything, asked for the second time."""
    took = []
    for start, events in games:
        history = History(start)
        for event in events:
            position = history.take(event)
            if not advice(position):
                continue
            begun = time.perf_counter()
            advice(position)
            took.append(time.perf_counter() - begun)
    return took


def main(words: Sequence[str] = ()) -> None:
    """Print the tables that are asked for, or all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks speed")
    parser.add_argument("parts", nargs="*", help="reading, watch, films, engine; else all")
    parser.add_argument("--threads", type=int, default=THREADS)
    parser.add_argument("--throws", type=int, default=THROWS, help="that are watched or filmed")
    options = parser.parse_args(words)
    prints: dict[str, Callable[[], None]] = {
        "reading": partial(print_reading, options.threads),
        "watch": partial(print_watch, options.throws),
        "films": partial(print_films, options.throws),
        "engine": print_engine,
    }
    for part in options.parts or prints:
        prints[part]()
