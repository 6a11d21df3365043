"""One soak: a whole box with its own threads, journal and console, players, and pages that look on."""

import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path
from random import Random

import msgspec
import numpy as np
from tqdm import tqdm

from device.box import Box
from device.config import Config, load
from device.mat import chosen
from device.service.machine import SpareMemory
from tests.playing import trial_setup
from tests.soak.camera import DrawnCamera
from tests.soak.drawn import Pool
from tests.soak.gauges import Gauges, read_gauges
from tests.soak.players import Players, SoakTally
from tests.soak.verdict import line
from tests.soak.viewers import viewers

GAMES = ("zoinx", "ten-thousand", "zonk", "zoinx", "tray")
GAUGE_EVERY, TELL_EVERY = 100, 500
"""Throws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoakAsked:
    """What kind of soak is asked for."""

    throws: int
    drawn: int
    """How many different throws of the same dice are drawn."""
    viewers: int = 0
    """Pages that look on."""
    films: bool = False
    """Whether the throws are filmed, too."""
    seed: int = 1
    folder: Path | None = None
    """Where the box has its data; None: where temporary files lie."""
    pool: Path | None = None
    """Where drawn throws are kept for another time; None: nowhere."""
    figures: Path | None = None
    """A file that gets a line of JSON whenever the gauges are read."""


@dataclass(slots=True)
class Soaked:
    """What has come of a soak so far."""

    tally: SoakTally
    gauges: list[Gauges] = field(default_factory=list)


def soak(asked: SoakAsked) -> Soaked:
    """Play so many throws. Ctrl-C ends it early, with what has come of it so far."""
    camera = DrawnCamera(asked.seed)
    if asked.folder is not None:
        asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=asked.folder) as own:
        pool = Pool(asked.pool or Path(own) / "pool", asked.drawn, asked.seed)
        data = Path(own) / "data"
        setup = replace(
            trial_setup(camera, data),
            config=_settings(films=asked.films),
            layout=chosen("none"),
            tell=lambda _: None,
            clock_ms=camera.clock_ms,
        )
        with Box(setup) as box:
            box.start()
            with viewers(box.console.port, asked.viewers):
                players = Players(box, camera, pool, Random(asked.seed))
                soaking = _Soaking(players, camera.clock_ms, data, asked)
                soaking.play()
                players.leave()
    return soaking.so_far


def _settings(*, films: bool) -> Config:
    config = load(None)
    return msgspec.structs.replace(config, films=msgspec.structs.replace(config.films, keep=films))


class _Soaking:
    """Plays, reads the gauges, tells."""

    def __init__(self, players: Players, clock_ms: Callable[[], float], data: Path, asked: SoakAsked) -> None:
        self._players, self._clock_ms, self._data, self._asked = players, clock_ms, data, asked
        self._spare = SpareMemory()
        self._began_s = time.monotonic()
        self._bar = tqdm(total=asked.throws, unit="throw", desc="soak", mininterval=10.0, disable=None)
        self.so_far = Soaked(players.tally)

    def play(self) -> None:
        """Game after game."""
        tally = self._players.tally
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # also where it runs unattended
        with self._bar, suppress(KeyboardInterrupt):
            try:
                for name in cycle(GAMES):
                    self._players.game(name, self._goes_on)
                    if tally.throws >= self._asked.throws:
                        break
            except AssertionError as error:
                tally.wrong.append(f"throw {tally.throws}: the soak ends here: {error}")
        signal.signal(signal.SIGINT, before)
        self._gauge()

    def _goes_on(self) -> bool:
        """Called before each throw or decision: whether there are more, and the gauges when it is time."""
        throws = self._players.tally.throws
        self._spare.look(self._clock_ms() / 1000)  # as the main thread of `callbox play` does
        self._bar.update(throws - self._bar.n)
        last = self.so_far.gauges[-1].throws if self.so_far.gauges else -GAUGE_EVERY
        if throws - last >= GAUGE_EVERY:
            now = self._gauge()
            if throws // TELL_EVERY > last // TELL_EVERY > -1:
                tqdm.write(line(now, self._players.tally), file=sys.stdout)
                sys.stdout.flush()
        return throws < self._asked.throws

    def _gauge(self) -> Gauges:
        """Read the gauges, and put the figures into the file."""
        tally = self._players.tally
        now = read_gauges(tally.throws, self._data, self._began_s)
        if tally.shown_ms:
            shown, work = (
                float(np.median(times[-GAUGE_EVERY:])) for times in (tally.shown_ms, tally.work_ms)
            )
            now = msgspec.structs.replace(now, shown_ms=shown, work_ms=work)
        self.so_far.gauges.append(now)
        if self._asked.figures:
            with self._asked.figures.open("ab") as file:
                file.write(msgspec.json.encode(now) + b"\n")
        return now
