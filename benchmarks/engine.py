"""Events per second of each rulebook, a journal of 10,000 events replayed, and how fast the odds answer.

The recorded games of tests/recordings are played over and over. Seconds here are this machine's; the ratio
compares with reading the same lines by `json.loads` alone, in the same run, and travels better.
"""

import json
import statistics
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

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

RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings"
JOURNAL = 10_000
"""Events in the journal that is replayed."""
ROUNDS = 2
"""Each time is the best of so many."""

Game = tuple[Position, tuple[Event, ...]]
"""A recorded game: its first position and all events that were taken."""


def main() -> None:
    """Print the figures."""
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
    for _ in range(ROUNDS):
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
