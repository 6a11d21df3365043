"""A whole box on the simulated table, in this process: real threads, pixels, mock pins, journal and console.

`simulated` makes a table whose time stands still until the test waits for something: then frame after frame
is given and looked at, none is missed, and a busy machine sees the same game as a quiet one. A table made by
`live` has a clock of its own that runs on, some times faster than the wall's, for who plays from outside.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec

from device.box import Box, Setup
from device.cameras import Camera
from device.config import Config, load
from device.mat import chosen
from device.people.actor import TableKind
from device.requests import PressButton
from device.shown.snapshot import Snapshot
from device.simulator.player import SimulatedHand
from device.simulator.table import Lie, SimulatedTable
from tests.waiting import LOOK_S, PATIENCE_S

HASTE = 3.0
"""How many times faster than the wall clock the clock of a live table runs."""
LONG_PRESS_MS = 700.0
TAP_MS = 60.0
LONGEST_MS = 60_000.0
"""Nothing that a test waits for takes longer at the table."""


class TableTime:
    """The clock of a box and its simulated table, in milliseconds: it goes on when it is told to."""

    def __init__(self) -> None:
        self._now_ms = self._given_ms = 1000.0
        self._due_ms: float | None = None
        self._over = False
        self._changed = threading.Condition()

    def __call__(self) -> float:
        return self._now_ms

    def wait(self, ms: float) -> None:
        """The camera's wait for its next frame."""
        with self._changed:
            self._due_ms = self._now_ms + ms
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._due_ms is None or self._over)

    @property
    def given_ms(self) -> float | None:
        """When the newest frame was taken; None while the camera is at it."""
        return self._given_ms if self._due_ms is not None else None

    def await_frame(self) -> None:
        """Wait until the camera has taken its frame, or for a moment: where it is lost none comes."""
        with self._changed:
            self._changed.wait_for(lambda: self._due_ms is not None or self._over, LOOK_S)

    def next_frame(self) -> None:
        """Let time pass until the camera takes its next frame."""
        with self._changed:
            if self._due_ms is not None:
                self._now_ms = self._given_ms = max(self._now_ms, self._due_ms)
                self._due_ms = None
                self._changed.notify_all()

    def pass_ms(self, ms: float) -> None:
        """Let so much time pass without a frame."""
        self._now_ms += ms

    def end(self) -> None:
        """Nobody waits any more."""
        with self._changed:
            self._over = True
            self._changed.notify_all()


class SteppedTable(SimulatedTable):
    """A simulated table on a `TableTime`."""

    def __init__(
        self, seed: int, time: TableTime, lie: Lie | None, size_px: tuple[int, int], fps: float = 8.0
    ) -> None:
        width, height = size_px
        super().__init__(seed, fps=fps, width=width, height=height, clock=time, wait=time.wait, lie=lie)
        self.time = time


def simulated(
    seed: int, lie: Lie | None = None, *, size_px: tuple[int, int] = (960, 720), fps: float = 8.0
) -> SteppedTable:
    """A table whose time stands still. Fewer and smaller pictures than in life: painting costs most."""
    return SteppedTable(seed, TableTime(), lie, size_px, fps)


def clock() -> float:
    """A hasty steady clock, in milliseconds."""
    return time.monotonic_ns() / 1e6 * HASTE


def live(seed: int) -> SimulatedTable:
    """A simulated table on the hasty clock, with the pictures of life."""
    pause = threading.Event()
    return SimulatedTable(seed, fps=15.0, clock=clock, wait=lambda ms: pause.wait(ms / 1000 / HASTE))


class Playing:
    """A running box and what a player can do with it."""

    def __init__(self, box: Box, camera: Camera, told: list[str], long_press_ms: float) -> None:
        self.box = box
        self.camera = camera
        self.told = told
        self.snapshots: list[Snapshot] = []
        self._time = camera.time if isinstance(camera, SteppedTable) else None
        self._long_press_ms = long_press_ms
        box.api.subscribe(self.snapshots.append)

    @property
    def table(self) -> SimulatedTable:
        """The simulated table."""
        assert isinstance(self.camera, SimulatedTable)
        return self.camera

    @property
    def hand(self) -> SimulatedHand:
        """The simulated players' hand."""
        assert self.box.hand is not None
        return self.box.hand

    @property
    def now(self) -> Snapshot:
        """What is shown."""
        return self.box.api.snapshot()

    def until(self, holds: Callable[[Snapshot], object], what: str) -> Snapshot:
        """Let time pass until the snapshot shows it, which is then returned."""
        end_s, end_ms = time.monotonic() + PATIENCE_S, (self._time() + LONGEST_MS if self._time else 0.0)
        while True:
            seen = self._is_newest_frame_read()
            if seen:
                self._settle()
            shown = self.now
            if (seen or self._time is None or shown.camera.text) and holds(shown):
                return shown
            late = time.monotonic() > end_s or (self._time is not None and self._time() > end_ms)
            assert not late, f"never seen: {what}; {self._state()}"
            if self._time is None:
                time.sleep(LOOK_S)
            elif seen:
                self._time.next_frame()
            else:
                self._time.await_frame()
                self._settle()

    def sees(self, holds: Callable[[Snapshot], object], ms: float) -> bool:
        """Whether the snapshot shows it before so much of the table's time has passed."""
        clock_ms = self._time or clock
        end_ms = clock_ms() + ms
        return bool(holds(self.until(lambda shown: holds(shown) or clock_ms() >= end_ms, "an end")))

    def press(self, button: str, *, long: bool = False) -> None:
        """Push a pin down and let it up again after the time that a finger takes."""
        assert self.box.api.request(PressButton(down=True, button=button)).ok
        self._pass(self._long_press_ms + 100 if long else TAP_MS)
        assert self.box.api.request(PressButton(down=False, button=button)).ok
        self._pass(TAP_MS)

    def bet(self, player: str, dots: int) -> None:
        """Bet by touch: so many presses, then a long one."""
        game = self.now.game
        assert game is not None
        seat = game.players.index(player)
        for _ in range(dots // 2):
            self.press(f"bet{seat + 1}")
        self.press(f"bet{seat + 1}", long=True)
        self.until(
            lambda shown: shown.game and shown.game.bets[seat] != "thinking", f"{player}'s bet is locked"
        )

    def throw(self, act: str = "throw") -> None:
        """Throw on the simulated table and wait until its dice rest and the box sees them still."""
        before = self.table.rest_time_ms
        assert self.hand.act(act).ok
        self.until(lambda _: self.table.rest_time_ms not in (before, None), "dice at rest")
        self.until(lambda _: not self.table.busy, "a free hand")
        self.until(lambda shown: shown.table.state == "still" and self.up_to_date(), "a still table")

    def up_to_date(self) -> bool:
        """Whether the box has seen a frame from after the dice came to rest: a live table does not wait."""
        frame, rest_ms = self.box.table.frame, self.table.rest_time_ms
        return frame is not None and (rest_ms is None or frame.time_ms > rest_ms)

    def roll(self, act: str = "throw") -> Snapshot:
        """Throw, press ROLL DONE, and wait until the box has read it."""
        self.throw(act)
        reading = self.now.table.reading_id
        self.press("roll_done")
        return self.until(lambda shown: shown.table.reading_id > reading, "a reading")

    def _is_newest_frame_read(self) -> bool:
        """Whether the table's time stands still and its newest frame has been looked at, or is being."""
        given_ms = self._time.given_ms if self._time else None
        frame = self.box.table.frame
        return given_ms is not None and frame is not None and frame.time_ms >= given_ms

    def _settle(self) -> None:
        """Until all that has come to the table is done, and it has heard what time it is."""
        for _ in range(2):
            assert self.box.loop.failed is None, self._state()
            self.box.loop.ask(lambda: None, PATIENCE_S)

    def _pass(self, ms: float) -> None:
        if self._time is None:
            time.sleep(ms / 1000 / HASTE)
        else:
            self._time.pass_ms(ms)
            self._settle()

    def _state(self) -> str:
        return f"the loop: {self.box.loop.failed!r}; told: {self.told}; {self.now}"


def _settings(
    config: Config, long_press_ms: float, *, films: bool, kind: TableKind, publish: bool, answers: bool
) -> Config:
    panel = msgspec.structs.replace(config.panel, long_press_ms=round(long_press_ms))
    filming = msgspec.structs.replace(config.films, keep=films)
    people = msgspec.structs.replace(config.people, table=kind)
    venue = msgspec.structs.replace(config.venue, publish=publish, answers=answers)
    return msgspec.structs.replace(config, panel=panel, films=filming, people=people, venue=venue)


def trial_setup(camera: Camera, folder: Path) -> Setup:
    """A box as it stands on nobody's table: default settings, no pins, a page that only this machine sees."""
    return Setup(
        config=load(None),
        camera=camera,
        data=folder,
        mock_pins=True,
        reads="roll_done",
        host="127.0.0.1",
        port=0,
        tell=print,
    )


@contextmanager
def playing(
    folder: Path,
    camera: SimulatedTable,
    *,
    reads: str = "roll_done",
    layout: str = "none",
    long_press_ms: float = LONG_PRESS_MS,
    films: bool = False,
    kind: TableKind = "family",
    publish: bool = False,
    answers: bool = False,
) -> Iterator[Playing]:
    """A box that runs until the end of the `with`. It films no throw unless told to: encoding takes long."""
    told: list[str] = []
    stands_still = camera.time if isinstance(camera, SteppedTable) else None
    setup = replace(
        trial_setup(camera, folder),
        config=_settings(load(None), long_press_ms, films=films, kind=kind, publish=publish, answers=answers),
        reads="at_rest" if reads == "at_rest" else "roll_done",
        layout=chosen(layout),
        tell=told.append,
        clock_ms=stands_still or clock,
        patience_s=PATIENCE_S,
        uplink_word="a word of the tests" if publish else "",
    )
    with Box(setup) as box:
        player = Playing(box, camera, told, long_press_ms)
        try:
            box.start()
            yield player
        finally:
            if stands_still is not None:
                stands_still.end()
