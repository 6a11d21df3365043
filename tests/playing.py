"""A whole box on the simulated table, in this process: real threads, pixels, mock pins, journal and console.

The simulated clock runs some times faster than the wall's, so that a throw does not take as long as in life.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec

from device.box import Box, Setup
from device.cameras.frames import Camera
from device.cameras.table import SimulatedTable
from device.config import Config, load
from device.places import chosen
from device.snapshot import Snapshot
from engine.events import Die
from tests.waiting import PATIENCE_S

HASTE = 3.0
"""So many times faster than the wall clock do the simulated table and the box's clock run."""


LONG_PRESS_S = 0.6
"""On the wall's clock: fingers and browsers are not hasty, and a tap on a busy machine must stay a tap."""


def unhurried(config: Config) -> Config:
    """The settings with a long press as long as in life, in the hasty clock's milliseconds."""
    long_press_ms = round(LONG_PRESS_S * 1000 * HASTE)
    return msgspec.structs.replace(
        config, panel=msgspec.structs.replace(config.panel, long_press_ms=long_press_ms)
    )


def clock(haste: float = HASTE) -> Callable[[], float]:
    """A hasty steady clock, in milliseconds."""
    return lambda: time.monotonic_ns() / 1e6 * haste


def simulated(
    seed: int,
    lie: Callable[[tuple[Die, ...]], tuple[Die, ...]] | None = None,
    *,
    fps: float = 8.0,
    haste: float = HASTE,
    size_px: tuple[int, int] = (960, 720),
) -> SimulatedTable:
    """A simulated table on a hasty clock. Fewer and smaller pictures than in life: painting costs most."""
    pause = threading.Event()
    return SimulatedTable(
        seed,
        fps=fps,
        width=size_px[0],
        height=size_px[1],
        clock=clock(haste),
        wait=lambda ms: pause.wait(ms / 1000 / haste),
        lie=lie,
    )


class Playing:
    """A running box and what a player can do with it."""

    def __init__(self, box: Box, camera: Camera) -> None:
        self.box = box
        self.camera = camera
        self.told: list[str] = []
        self.snapshots: list[Snapshot] = []
        self._changed = threading.Condition()
        box.desk.subscribe(self._note)

    @property
    def table(self) -> SimulatedTable:
        """The simulated table."""
        assert isinstance(self.camera, SimulatedTable)
        return self.camera

    @property
    def now(self) -> Snapshot:
        """What is shown."""
        return self.box.desk.snapshot()

    def until(self, holds: Callable[[Snapshot], object], what: str) -> Snapshot:
        """Wait until the snapshot shows it."""
        with self._changed:
            seen = self._changed.wait_for(lambda: holds(self.now), PATIENCE_S)
            assert seen, (
                f"never seen: {what}; the loop: {self.box.loop.failed!r}; told: {self.told}; {self.now}"
            )
            return self.now

    def press(self, button: str, *, long: bool = False) -> None:
        """Push a pin down and let it up again after the time that a finger takes."""
        held = threading.Event()
        assert self.box.desk.press(button, True).ok
        held.wait(LONG_PRESS_S + 0.1 if long else 0.06 / HASTE)
        assert self.box.desk.press(button, False).ok
        held.wait(60 / 1000 / HASTE)

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
        assert self.box.desk.world(act).ok
        self.until(lambda _: self.table.rest_time_ms not in (before, None), "dice at rest")
        self.until(lambda _: not self.table.busy, "a free hand")
        self.until(lambda shown: shown.table.state == "still" and self.up_to_date(), "a still table")

    def up_to_date(self) -> bool:
        """Whether the box has seen a frame from after the dice came to rest: a busy machine is late."""
        frame, rest_ms = self.box.table.frame, self.table.rest_time_ms
        return frame is not None and (rest_ms is None or frame.time_ms > rest_ms)

    def roll(self, act: str = "throw") -> Snapshot:
        """Throw, press ROLL DONE, and wait until the box has read it."""
        self.throw(act)
        reading = self.now.table.reading_id
        self.press("roll_done")
        return self.until(lambda shown: shown.table.reading_id > reading, "a reading")

    def _note(self, snapshot: Snapshot) -> None:
        with self._changed:
            self.snapshots.append(snapshot)
            self._changed.notify_all()


@contextmanager
def playing(
    folder: Path, camera: Camera, *, reads: str = "roll_done", layout: str = "none", haste: float = HASTE
) -> Iterator[Playing]:
    """A box that runs until the end of the `with`."""
    told: list[str] = []
    setup = Setup(
        config=unhurried(load(None)),
        camera=camera,
        data=folder,
        mock_pins=True,
        reads="at_rest" if reads == "at_rest" else "roll_done",
        layout=chosen(layout),
        host="127.0.0.1",
        port=0,
        tell=told.append,
        clock_ms=clock(haste),
    )
    with Box(replace(setup)) as box:
        player = Playing(box, camera)
        player.told = told
        box.start()
        yield player
