"""Whether a stranger can tell a secret bet from what a running box sends.

A whole box runs with its own threads, clock, journal and console, a simulated table under it. Ann bets on the
panel again and again: so many short presses as her bet has it, at random moments of a second or so, then the
long one, which always comes when that time is over (how long people think is theirs to hide). Each bet is
undone again. Meanwhile a stranger, a process of its own, keeps `/events` open, and asks on another connection
for `/state` again and again.

From everything that comes (when, how many bytes, which numbers, how long answers take) the stranger makes
figures, learns from half of the bets what each looks like, and guesses the others, in three ways: by the one
figure that tells most of the first half, by the nearest mean, and by the eleven nearest examples. Chance
guesses one of six. "p" is how often blind guessing does as well.

    python -m benchmarks secret_bets [--bets 1000] [--seed 1]
"""

import argparse
import http.client
import json
import math
import multiprocessing
import socket
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from tqdm import tqdm

from device.box import Box
from device.config import Config, parse
from device.requests import PressButton, StartGame
from device.simulator.table import SimulatedTable
from tests.playing import trial_setup

BETS = 1000
SEED = 1
DOTS = (0, 2, 4, 6, 8, 10)
PLAYERS = ("Ann", "Bea")
BUTTON = "bet1"
TAP_S = 0.06
THINKS_S = 1.3
HOLD_S = 0.25
SETTLES_S = 0.35
POLL_S = 0.004
STARTS_S = 5.0
PATIENCE_S = 20.0
NEAREST = 11
SETTINGS = "[panel]\ndebounce_ms = 5\nlong_press_ms = 200\n"
Figures = npt.NDArray[np.float64]
Bets = npt.NDArray[np.int64]


class Stranger:
    """Somebody else in the network: reads the live feed to the byte, and asks for the state all the time."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.chunks: list[tuple[float, bytes]] = []
        self.states: list[tuple[float, float, bytes]] = []
        """When the answer came, how long it took, and what it was."""
        for work in (self._listen, self._ask):
            threading.Thread(target=work, daemon=True).start()

    def _listen(self) -> None:
        with socket.create_connection(("127.0.0.1", self._port)) as feed:
            feed.sendall(b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            while data := feed.recv(1 << 20):
                self.chunks.append((time.monotonic(), data))

    def _ask(self) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self._port)
        while True:
            began = time.monotonic()
            connection.request("GET", "/state")
            answer = connection.getresponse().read()
            came = time.monotonic()
            self.states.append((came, came - began, answer))
            time.sleep(POLL_S)

    def figures(self, began: float, until: float) -> list[float]:
        """What came of one bet, as numbers. Whatever was sent before is not looked at."""
        chunks = [(at - began, data) for at, data in self.chunks if began <= at < until]
        states = [(at - began, took, data) for at, took, data in self.states if began <= at < until]
        del self.chunks[:], self.states[:]
        numbers = [json.loads(data)["number"] for _, _, data in states]
        changes = [at for (at, _, data), (_, _, was) in zip(states[1:], states, strict=False) if data != was]
        came = [at for at, _ in chunks]
        gaps = [after - before for before, after in pairwise(came)] or [0.0]
        took = [each for _, each, _ in states] or [0.0]
        tail = sorted(took)[-10:]
        return [
            len(chunks),
            sum(len(data) for _, data in chunks),
            (numbers[-1] - numbers[0]) if numbers else 0,
            len(changes),
            float(np.mean(came or [0.0])),
            max(gaps),
            min(gaps),
            float(np.std(gaps)),
            float(np.mean(changes or [0.0])),
            sum(at % 0.25 for at in came),
            float(np.median(took)),
            sum(tail),
            tail[-1],
            float(len(states)),
        ]


def _look_on(port: int, pipe: Connection) -> None:
    """The stranger's process: answers each (began, until) with its figures."""
    stranger = Stranger(port)
    while True:
        pipe.send(stranger.figures(*pipe.recv()))


@contextmanager
def _box(folder: Path) -> Iterator[Box]:
    config: Config = parse(SETTINGS)
    camera = SimulatedTable(seed=3, fps=4, width=640, height=480)
    with Box(replace(trial_setup(camera, folder), config=config)) as box:
        box.start()
        yield box


def _press(box: Box, button: str, held_s: float) -> None:
    box.api.request(PressButton(down=True, button=button))
    time.sleep(held_s)
    box.api.request(PressButton(down=False, button=button))


def _bet(box: Box, dots: int, rng: Random) -> tuple[float, float]:
    """One bet, taken back again; when it began, and when all that came of it had come."""
    began = time.monotonic()
    count = dots // 2
    spare_s = THINKS_S - count * 2 * TAP_S
    pauses = np.diff([0.0, *sorted(rng.uniform(0, spare_s) for _ in range(count))])
    for pause_s in pauses:
        time.sleep(float(pause_s) + TAP_S)
        _press(box, BUTTON, TAP_S)
    time.sleep(max(0.0, began + THINKS_S - time.monotonic()))
    _press(box, BUTTON, HOLD_S)
    time.sleep(SETTLES_S)
    until = time.monotonic()
    _await(box, "locked")
    _press(box, "undo", TAP_S)
    _await(box, "thinking")
    time.sleep(SETTLES_S)
    return began, until


def _await(box: Box, bet: str) -> None:
    """Until Ann's bet is seen so: a busy machine takes its time."""
    end = time.monotonic() + PATIENCE_S
    while (game := box.table.snapshot.game) is None or game.bets[0] != bet:
        if time.monotonic() > end:
            raise SystemExit(f"the box did not show a bet as {bet}")
        time.sleep(POLL_S)


def _watched(bets: int, seed: int) -> tuple[Figures, Bets]:
    """A row of figures for each bet, and what it was."""
    rng = Random(seed)
    rows, truths = [], []
    with tempfile.TemporaryDirectory() as folder, _box(Path(folder)) as box:
        box.api.request(StartGame("zoinx", PLAYERS, {}))
        ours, theirs = multiprocessing.Pipe()
        work = multiprocessing.get_context("spawn").Process
        stranger = work(target=_look_on, args=(box.console.port, theirs), daemon=True)
        stranger.start()
        time.sleep(STARTS_S)
        for _ in tqdm(range(bets), desc="bets", leave=False):
            dots = rng.choice(DOTS)
            began, until = _bet(box, dots, rng)
            ours.send((began, until))
            rows.append(ours.recv())
            truths.append(dots)
        stranger.terminate()
    return np.array(rows, float), np.array(truths)


def nearest_mean(learnt: Figures, known: Bets, seen: Figures) -> Bets:
    """For each row of `seen` the bet whose mean in `learnt` lies nearest."""
    there = [dots for dots in DOTS if (known == dots).any()]
    means = np.array([learnt[known == dots].mean(axis=0) for dots in there])
    guessed: Bets = np.take(there, np.linalg.norm(seen[:, None] - means, axis=2).argmin(axis=1))
    return guessed


def nearest_examples(learnt: Figures, known: Bets, seen: Figures) -> Bets:
    """For each row of `seen` what most of the nearest rows of `learnt` are."""
    near = np.linalg.norm(seen[:, None] - learnt, axis=2).argsort(axis=1)[:, :NEAREST]
    votes = np.array([(known[near] == dots).sum(axis=1) for dots in DOTS])
    guessed: Bets = np.take(DOTS, votes.argmax(axis=0))
    return guessed


def best_figure(learnt: Figures, known: Bets, seen: Figures) -> Bets:
    """As `nearest_mean`, by the one figure that tells most of `learnt` itself."""
    hits = [
        int((nearest_mean(learnt[:, [at]], known, learnt[:, [at]]) == known).sum())
        for at in range(learnt.shape[1])
    ]
    best = [int(np.argmax(hits))]
    return nearest_mean(learnt[:, best], known, seen[:, best])


def as_good_by_chance(right: int, tried: int) -> float:
    """The probability that blind guessing among the bets is right as often."""
    hit = 1 / len(DOTS)
    return sum(math.comb(tried, k) * hit**k * (1 - hit) ** (tried - k) for k in range(right, tried + 1))


def main(words: Sequence[str] = ()) -> None:
    """Print how often each way of guessing is right."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks secret_bets")
    parser.add_argument("--bets", type=int, default=BETS)
    parser.add_argument("--seed", type=int, default=SEED)
    options = parser.parse_args(words)
    figures, truths = _watched(options.bets, options.seed)
    half = len(truths) // 2
    spread = figures[:half].std(axis=0)
    figures = (figures - figures[:half].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    tried = len(truths) - half
    blind = tried / len(DOTS)
    print(f"{len(truths)} bets, {half} of them to learn from, {tried} to guess; by chance {blind:.0f} right")
    for guess in (best_figure, nearest_mean, nearest_examples):
        right = int((guess(figures[:half], truths[:half], figures[half:]) == truths[half:]).sum())
        share, chance = 100 * right / tried, as_good_by_chance(right, tried)
        print(f"  {guess.__name__.replace('_', ' '):18}{right:>5} right  ({share:4.1f} %)  p {chance:.2g}")
