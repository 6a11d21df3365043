"""A still table: frame after frame changes nothing, so nothing is read, asked, made or told anew."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from device.cameras import Frame
from device.journal import Journal, Moment, Storage
from device.landings import Watching
from device.mat import chosen
from device.match.showing import game_shown
from device.panel import Dummy, Lights
from device.shown.snapshot import GameShown, Reads, Snapshot
from tests.device.landings.play import FIVE, ToldEye
from tests.device.mat.test_places import Told, lying, with_tags
from tests.device.table.tables import open_table
from vision.watch import FrameState

PICTURE = with_tags()
START_MS = 1000.0
GAMES = {
    "ten-thousand": {"first": "named", "opening": "0"},
    "end-zone": {"mode": "threes", "order": "seats"},
}


class StillWatch:
    """Sees dice that have lain still for long."""

    def learn_anew(self) -> None:
        """They go on lying still."""

    def see(self, _picture: object, time_ms: float) -> FrameState:
        return FrameState(
            time_ms=time_ms,
            state="still",
            still_since_ms=START_MS - 200,
            settled=True,
            scene=1,
            hand_before_scene=False,
            tumbled_ms=500.0,
            hand_since_scene=False,
            trouble="",
        )


class Still:
    """A table with a game on it, and dice that lie still."""

    def __init__(self, folder: Path, game: str, layout: str, reads: Reads) -> None:
        self.time_ms = START_MS
        self.storage = Storage.open(folder)
        self.journal = Journal.open(self.storage.journal_path)
        self.eye, self.reader = ToldEye(), Told()
        self.eye.tell(FIVE)
        self.reader.dice = lying(1, 5, 2, 3, 4, 4)
        self.told: list[Snapshot] = []
        self.table = open_table(
            self.storage,
            self.journal,
            reader=self.reader,
            watch=Watching(StillWatch()),  # type: ignore[arg-type]
            eye=lambda: self.eye,
            lights=Lights(None, Dummy(2), print),
            now=lambda: Moment(datetime(2026, 11, 21, 18, 0, tzinfo=UTC), self.time_ms),
            tell=self.told.append,
            reads=reads,
            layout=chosen(layout),
        )
        assert self.table.start(game, ("Ann", "Bea"), GAMES[game]) == ""

    def frames(self, count: int, ms: float) -> None:
        for _ in range(count):
            self.time_ms += ms
            self.table.handle_frame(Frame(picture=PICTURE, time_ms=self.time_ms, name="still"))
            self.table.tick(self.time_ms)

    def press(self, button: str) -> None:
        for down in (True, False):
            self.table.edge(button, down, self.time_ms)
            self.time_ms += 80.0
            self.table.tick(self.time_ms)

    def close(self) -> None:
        self.journal.close()
        self.storage.close()


Open = Callable[[str, str, Reads], Still]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    tables: list[Still] = []

    def open_table(game: str, layout: str, reads: Reads) -> Still:
        tables.append(Still(tmp_path, game, layout, reads))
        return tables[-1]

    yield open_table
    for table in tables:
        table.close()


@pytest.mark.parametrize("reads", ["roll_done", "at_rest"])
@pytest.mark.parametrize(
    ("game", "layout"), [("ten-thousand", "none"), ("ten-thousand", "ten-thousand"), ("end-zone", "none")]
)
def test_frames_in_which_nothing_changes_make_nothing_anew(
    opened: Open, monkeypatch: pytest.MonkeyPatch, game: str, layout: str, reads: Reads
) -> None:
    made: list[GameShown] = []

    def make(*seen: object) -> GameShown:
        made.append(game_shown(*seen))  # type: ignore[arg-type]
        return made[-1]

    monkeypatch.setattr("device.match.match.game_shown", make)
    still = opened(game, layout, reads)
    still.frames(10, 50)
    still.press("roll_done")
    still.frames(20, 50)
    assert still.table.snapshot.table.reading_id == 1
    before = still.table.snapshot, len(still.told), len(made), still.reader.asked, still.eye.looked
    # So many milliseconds that no lamp blinks and no page of the scoreboard turns.
    still.frames(40, 1)
    after = still.table.snapshot, len(still.told), len(made), still.reader.asked, still.eye.looked
    assert after == before
    assert still.table.snapshot is before[0]
    still.press("undo")
    assert len(made) > before[2]
    assert len(still.told) > before[1]
