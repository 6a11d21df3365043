"""A whole End Zone box on the simulated table, without threads: frames, presses and time as the test says.

Everything from the pixels on is the box's own: watch, measurement, calls, match, journal, lamps and board.
The simulated clock stands still while the box works, so a game takes as long as looking at its pictures.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np

from calibration.ends import Ends
from calibration.table import TableCalibration
from device.cameras import Frame
from device.journal import Journal, Moment, Storage
from device.journal.rows import EventRow
from device.landings import Watching
from device.landings.sight import SeesLandings, open_eye
from device.panel import Dummy, Lights, digits
from device.panel.displays import Rows
from device.requests import ApplyRuling
from device.shown.snapshot import GameShown, LandingShown, Reads, Snapshot
from device.simulator.player import SimulatedHand
from device.simulator.table import DieOnTable, Lie, SimulatedTable
from device.table import Table
from device.table.session import Session
from engine.events import Event, Landed, Refereed
from engine.wire import event_object
from tests.device.table.tables import open_table
from tests.vision.landing.lying import die_at
from vision.landing import Call
from vision.landing.call import call_die
from vision.reader import Reader
from vision.watch import Watch, WatchSettings

FPS = 3.0
LONGEST_FRAMES = 200
"""No throw takes longer."""


class Rig:
    """A box and its simulated table, and what people can do with them."""

    def __init__(
        self,
        folder: Path,
        seed: int,
        *,
        reads: Reads = "roll_done",
        lie: Lie | None = None,
        far_end: bool = False,
        fps: float = FPS,
    ) -> None:
        self.time_ms = 0.0
        self.camera = SimulatedTable(
            seed,
            fps=fps,
            clock=lambda: self.time_ms,
            wait=self._pass,
            lie=lie,
            far_end=far_end,
        )
        self.storage = Storage.open(folder)
        self.journal = Journal.open(self.storage.journal_path)
        self.display = Dummy(2)
        self.boards: set[Rows] = set()
        """Everything that the scoreboard has shown."""
        self.told: list[str] = []
        self._known: set[int] = set()
        self.hand = SimulatedHand(self.camera, lambda _: None, lambda: self.table.snapshot)
        self.table = self._open_table(reads)
        self._frames: Iterator[Frame] = self.camera.frames()

    def _open_table(self, reads: Reads) -> Table:
        """What a box has, without buttons."""
        begun = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
        settings = WatchSettings(frozen_after_ms=None)
        return open_table(
            self.storage,
            self.journal,
            reader=Reader(),
            watch=Watching(Watch(settings), Watch(settings)),
            eye=self._eye,
            lights=Lights(None, self.display, self.told.append),
            now=lambda: Moment(begun + timedelta(milliseconds=self.time_ms), self.time_ms),
            tell=self._shown,
            reads=reads,
            acts=self.hand.acts,
        )

    def close(self) -> None:
        self.camera.close()
        self.journal.close()
        self.storage.close()

    @property
    def now(self) -> Snapshot:
        return self.table.snapshot

    @property
    def game(self) -> GameShown:
        assert self.now.game is not None
        return self.now.game

    @property
    def landing(self) -> LandingShown:
        assert self.now.landing is not None
        return self.now.landing

    @property
    def events(self) -> list[Event]:
        """What the journal holds of this game."""
        rows = self.journal.rows(self.now.game_id or 0)
        return [entry.row.event for entry in rows if isinstance(entry.row, EventRow)]

    @property
    def calibration(self) -> TableCalibration | Ends:
        return self.camera.calibration()

    def shouted(self, text: str) -> bool:
        """Whether the scoreboard has shown that word."""
        row = tuple(digits(text))
        return any(board[: len(row)] == row for rows in self.boards for board in rows)

    def newest(self) -> DieOnTable | None:
        """The truth about the die that was thrown last; None when it is off the table."""
        new = [die for die in self.camera.lying if die.number not in self._known]
        self._known.update(die.number for die in new)
        return new[0] if new else None

    def really(self, die: DieOnTable) -> Call:
        """The call where the die really lies, at the end where it lies."""
        made, (x, y, _) = self.calibration, die.center_mm
        if isinstance(made, Ends):
            end = made.end_of((x, y))
            x, y = (x, y) if end == "near" else made.turn.to_far(np.array([(x, y)]))[0].tolist()
            made = made.calibration(end)
        return call_die(die_at(x, y, die.yaw_deg, die.edge_mm, value=int(die.die.value)), made)

    def referee(self, die: DieOnTable) -> None:
        """Say on the console what really happened to the throw in question."""
        made = self.really(die)
        landed = Landed(value=int(die.die.value), zone=made.zone)
        ruling = ApplyRuling(event_object(Refereed(landed=landed, reason="seen by all")))
        assert Session(self.table, self.storage).request(ruling).ok

    def start(self, *players: str, **options: str) -> None:
        said = self.table.start("end-zone", players, options)
        assert said == ""
        self.frames(4)

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.table.handle_frame(next(self._frames))

    def throw(self, act: str = "throw") -> None:
        """Throw, and let all come to rest."""
        assert self.hand.act(act).ok
        for _ in range(LONGEST_FRAMES):
            self.frames(1)
            if not self.camera.busy:
                break
        self.frames(3)

    def press(self, button: str) -> None:
        for down in (True, False):
            self.table.edge(button, down, self.time_ms)
            self.time_ms += 80.0
            self.table.tick(self.time_ms)

    def roll(self, act: str = "throw") -> Snapshot:
        """Throw, and press ROLL DONE."""
        self.throw(act)
        number = self.now.table.reading_id
        self.press("roll_done")
        assert self.now.table.reading_id == number + 1, self.now.message
        return self.now

    def _eye(self) -> SeesLandings:
        return open_eye(self.hand.set_up_end_zone(), None, None, 1)

    def _pass(self, ms: float) -> None:
        self.time_ms += ms

    def _shown(self, snapshot: Snapshot) -> None:
        self.hand.follow(snapshot)
        self.boards.add(snapshot.segments)
