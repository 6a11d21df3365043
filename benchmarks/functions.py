"""How much code a roll, a landing and a bet pass: distinct functions and files of the product.

A whole box plays on its simulated table. For a roll and a landing, what the table's own thread calls in
`Table.handle_frame` counts, from the first frame in which the dice lie still to the frame whose snapshot has
the reading. For a bet, it is all that any thread calls between a page's POST and its answer. Counted are
named functions, no lambdas or comprehensions. Several seeds are tried, and the middle one is printed: other
dice take slightly other ways, so a difference of two or three is none.
"""

import argparse
import json
import sys
import tempfile
import threading
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from device.box import Box, Setup
from device.commands.opening import Shape, open_camera
from device.config import load
from device.table import Table

ROOT = Path(__file__).parents[1]
ROOMS = tuple(f"{ROOT / room}/" for room in ("device", "vision", "engine", "calibration", "models"))
SEEDS = range(11, 23)
COUNTED = 3
"""How many rolls, landings or bets are counted. One that the box has to ask about does not count."""
FPS = 5.0
"""Slow enough for a box that is being counted to handle every frame."""
STILL_FRAMES = 5
PATIENCE_S = 120.0
GAMES: dict[str, dict[str, object]] = {
    "roll": {"game": "zonk", "players": ["Ann", "Bea"]},
    "landing": {"game": "end-zone", "players": ["Ann"], "options": {"mode": "solo"}},
    "bet": {"game": "zoinx", "players": ["Ann", "Bea"]},
}
Codes = dict[CodeType, None]
"""Functions in the order in which they were first called."""


class CallRecorder:
    """Records the calls of each frame that a table handles, in the table's thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._frames: list[Codes] = []
        """What each frame called since the dice began to lie still."""
        self._reading = 0
        self.passed: Codes | None = None
        """What was called up to the newest reading."""

    @contextmanager
    def on(self, table: type[Any]) -> Iterator[None]:
        """Record what every table of this class does with a frame."""
        see = table.handle_frame

        def recorded(itself: Any, frame: object) -> None:
            called: Codes = {}
            sys.setprofile(_recorder(called))
            try:
                see(itself, frame)
            finally:
                sys.setprofile(None)
            self._add(called, itself.snapshot.table)

        table.handle_frame = recorded
        try:
            yield
        finally:
            table.handle_frame = see

    def _add(self, called: Codes, shown: Any) -> None:
        with self._changed:
            self._frames = [*self._frames, called] if shown.state == "still" else []
            if shown.reading_id != self._reading:
                self._reading = shown.reading_id
                self.passed = {code: None for frame in self._frames for code in frame}
            self._changed.notify_all()

    def wait_still(self) -> bool:
        """Wait until nothing has moved for some frames; False when that never came."""
        with self._changed:
            self._frames = []
            return self._changed.wait_for(lambda: len(self._frames) >= STILL_FRAMES, PATIENCE_S)

    def wait_reading(self) -> Codes | None:
        """Wait for the next reading."""
        with self._changed:
            self.passed = None
            self._changed.wait_for(lambda: self.passed is not None, PATIENCE_S)
            return self.passed


def _recorder(called: Codes) -> Any:
    """A profile function that adds each function of the product to `called`."""

    def record(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(ROOMS):
            called.setdefault(frame.f_code)

    return record


@contextmanager
def _playing(kind: str, seed: int, fps: float) -> Iterator[tuple[Box, Any, str]]:
    """A box in a game, with its camera and its address."""
    camera = open_camera("table", shape=Shape(fps=fps), seed=seed)
    with tempfile.TemporaryDirectory() as folder:
        setup = Setup(
            config=load(None),
            camera=camera,
            data=Path(folder),
            mock_pins=True,
            reads="at_rest",
            host="127.0.0.1",
            port=0,
            tell=lambda text: print(text, file=sys.stderr),
        )
        with Box(setup) as box:
            address = box.start()
            _post(address, "games", GAMES[kind])
            yield box, camera, address


def _post(address: str, path: str, body: object) -> None:
    headers = {"content-type": "application/json", "origin": address.rstrip("/")}
    request = urllib.request.Request(f"{address}{path}", json.dumps(body).encode(), headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:  # noqa: S310 - the box's own
        answer = json.loads(response.read())
    if not answer["ok"]:
        raise SystemExit(f"/{path} was refused: {answer['text']}")


def throw(kind: str, seed: int) -> Codes | None:
    """What one throw passes; None when the box did not take it, or had to ask."""
    recorder = CallRecorder()
    with recorder.on(Table), _playing(kind, seed, FPS) as (box, camera, _):
        if not recorder.wait_still():
            return None
        # The hand is the simulated table's own: no door above the wire is needed to move it.
        camera.act("throw")
        passed = recorder.wait_reading()
        return None if box.table.snapshot.ask else passed


def bet(seed: int) -> Codes:
    """What one bet passes, from the page's POST to its answer."""
    called: Codes = {}
    on = threading.Event()
    record = _recorder(called)
    threading.setprofile(lambda *event: record(*event) if on.is_set() else None)
    try:
        # One frame in ten seconds: none comes between the POST and its answer.
        with _playing("bet", seed, fps=0.1) as (_, _, address):
            on.set()
            _post(address, "bets", {"player": "Ann", "dots": 4})
            on.clear()
    finally:
        threading.setprofile(None)
    return called


def counts(codes: Codes) -> tuple[int, list[str]]:
    """How many named functions, and their files from the root, in the order of their first call."""
    named = [code for code in codes if not code.co_name.startswith("<")]
    files = dict.fromkeys(Path(code.co_filename).relative_to(ROOT).as_posix() for code in codes)
    return len(named), list(files)


def main(words: Sequence[str] = ()) -> None:
    """Print the table, or with `--files` also the files."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks functions", description=__doc__)
    parser.add_argument("--only", choices=GAMES, help="count only this")
    parser.add_argument("--files", action="store_true", help="list the files, too")
    options = parser.parse_args(words)
    for kind in [options.only] if options.only else GAMES:
        tries = (bet(seed) if kind == "bet" else throw(kind, seed) for seed in SEEDS)
        passed = list(islice(filter(None, tries), COUNTED))
        functions, files = sorted(map(counts, passed))[len(passed) // 2]
        print(f"{kind:9}{functions:5} functions in {len(files)} files", flush=True)
        if options.files:
            print(*files, sep="\n", end="\n\n")
