"""An End Zone for tests without pixels: dice that lie where a test says, measured as surely as it says."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.arrays import Picture
from calibration.ends import End
from device.cameras import Frame
from device.journal import Journal, Moment, Storage
from device.journal.rows import Question
from device.landings import InlineExecutor, draw_now
from device.landings.detector import LandingThrowDetector
from device.landings.match import LandingMatch
from device.match import Match
from device.match.throw_detector import AcceptedReading, Record
from device.panel import Press
from device.simulator.end_zone.table import known_table
from engine.rulebooks import rulebook
from tests.vision.landing.lying import die_at, spread
from vision.landing import CalledDie, Departure, Release, Sight
from vision.landing.call import call_die
from vision.reading import UnsureDie
from vision.watch import FrameState

NOW = Moment(datetime(2026, 11, 20, 18, 0, tzinfo=UTC), 1000.0)
CALIBRATION = known_table(1280, 960)
PICTURE: Picture = np.zeros((960, 1280, 3), np.uint8)


def lies(
    value: int | None,
    x_mm: float,
    y_mm: float,
    color: str = "ivory",
    yaw_deg: float = 0.0,
    sigma_mm: float = 0.05,
) -> CalledDie:
    """A die that shows `value` and lies there; called by the real rules against the real lines."""
    at = die_at(x_mm, y_mm, yaw_deg, value=value, covariance=spread(sigma_mm, sigma_mm))
    middle = CALIBRATION.view.project(np.array([[x_mm, y_mm, at.edge_mm]]))[0]
    x, y = float(middle[0]), float(middle[1])
    corners = ((x - 8, y - 8), (x + 8, y - 8), (x + 8, y + 8), (x - 8, y + 8))
    die = replace(at, color=color, sigma_mm=sigma_mm, center_px=(x, y), corners_px=corners)
    return CalledDie(die=die, call=call_die(die, CALIBRATION))


@dataclass
class ToldEye:
    """An eye that sees what it is told."""

    sight: Sight = field(default_factory=lambda: Sight(calibration=CALIBRATION))
    looked: int = 0
    numbers_alone: list[bool] = field(default_factory=list)
    """For each close-up that was drawn, whether the die was rolled for its number."""

    def tell(self, *dice: CalledDie, unmeasured: tuple[str, ...] = (), **more: Any) -> None:
        """This lies there from now on."""
        doubts = tuple(UnsureDie(center_px=(9.0, 9.0), center_mm=None, reason=why) for why in unmeasured)
        self.sight = Sight(calibration=CALIBRATION, dice=dice, unmeasured=doubts, **more)

    covered: str = ""
    release: Release | None = None

    left: Departure | None = None

    def let_go(self, _look: FrameState, _since_ms: float, _aim: End, /) -> Callable[[], Release | None]:
        return lambda: self.release

    def went_off(self, _look: FrameState, _since_ms: float, /) -> Callable[[], Departure | None]:
        return lambda: self.left

    def look(self, _picture: Picture, _far: Picture | None, /) -> Sight:
        self.looked += 1
        return self.sight

    def shoved(self, _picture: Picture, _far: Picture | None, /) -> str:
        return self.covered

    def evidence(
        self,
        _sight: Sight,
        one: CalledDie,
        _picture: Picture,
        _far: Picture | None,
        /,
        *,
        number_alone: bool,
    ) -> bytes:
        self.numbers_alone.append(number_alone)
        grey = np.full((8, 8, 3), 40 * (one.die.value or 0), np.uint8)
        return bytes(cv2.imencode(".jpg", grey)[1])


class EndZoneTable:
    """A game at the table, without camera and threads."""

    def __init__(self, folder: Path, players: tuple[str, ...] = ("Ann", "Bea"), **options: str) -> None:
        self.folder = folder
        self.storage = Storage.open(folder)
        self.journal = Journal.open(self.storage.journal_path)
        self.eye = ToldEye()
        self._scene, self._since_ms, self._frames = 0, 0.0, 0
        agreed = {"mode": "threes", "order": "seats", "dot": "confirmed", **options}
        self.match = LandingMatch.begin(self.journal, rulebook("end-zone"), players, agreed, NOW)
        self.detector = self._detector()
        self.rest()

    def _detector(self, *, by_itself: bool = False) -> LandingThrowDetector:
        record = Record(self.storage, self.game.game_id, self.game.readings, lambda: NOW, print)
        return LandingThrowDetector(
            self.match,
            self.eye,
            draw_now,
            record,
            InlineExecutor(),
            by_itself=by_itself,
            first_counts=False,
        )

    def again(self, *, by_itself: bool = False) -> None:
        """A power cut, and the box starts anew on the same table, as it lies."""
        self.match = LandingMatch.resume(self.journal, self.game.game_id)
        self.detector = self._detector(by_itself=by_itself)
        self._scene = 0
        self.rest()

    def close(self) -> None:
        self.journal.close()
        self.storage.close()

    def rest(self, *dice: CalledDie, told: bool = True, **more: Any) -> AcceptedReading | None:
        """Something moved, and now these dice lie still."""
        if told and (dice or more):
            self.eye.tell(*dice, **more)
        self._scene, self._since_ms, self._frames = self._scene + 1, self._since_ms + 1000.0, 0
        return self.see()

    def see(self, *, asked: bool = False, settled: bool = True) -> AcceptedReading | None:
        """One frame."""
        self._frames += 1
        look = FrameState(
            time_ms=self._since_ms + 200 + self._frames,
            state="still" if settled else "moving",
            still_since_ms=self._since_ms,
            settled=settled,
            scene=self._scene,
            hand_before_scene=False,
            tumbled_ms=500.0,
            hand_since_scene=False,
            trouble="",
        )
        frame = Frame(picture=PICTURE, time_ms=look.time_ms, name="told")
        before = self.detector.state.taken
        if asked:
            self.detector.waiting.begin("", 0.0)
        self.detector.detect(frame, look)
        taken = self.detector.state.taken
        return None if taken is before else taken

    def covered(self, time_ms: float, since_ms: float = 0.0) -> None:
        """One frame with something like a hand in it, still since then."""
        look = FrameState(
            time_ms=time_ms,
            state="hand",
            still_since_ms=since_ms,
            settled=False,
            scene=self._scene,
            hand_before_scene=False,
            tumbled_ms=0.0,
            hand_since_scene=True,
            trouble="",
        )
        frame = Frame(picture=PICTURE, time_ms=time_ms, name="told")
        self.detector.detect(frame, look)

    def throw(self, *dice: CalledDie, **more: Any) -> AcceptedReading | None:
        """These dice lie there now, and somebody pressed ROLL DONE."""
        self.rest(*dice, **more)
        assert self.game.press(Press("roll_done", "short", 0.0), NOW), self.game.message
        return self.see(asked=True)

    def press(self, button: str) -> None:
        self.game.press(Press(button, "short", 0.0), NOW)

    @property
    def game(self) -> Match:
        """What takes presses and choices, and is shown."""
        return self.match

    @property
    def events(self) -> list[str]:
        """What the journal holds, briefly: "landed 5x10"."""
        return [
            f"{row.body['event']} {row.body.get('value', '')}x{row.body.get('zone', '')}".rstrip("x ")
            for row in self.journal.rows(self.game.game_id)
            if row.kind == "event"
        ]


def moved(one: CalledDie, dx_mm: float, dy_mm: float, value: int | None = None) -> CalledDie:
    """The same die, knocked on."""
    x, y = one.die.center_mm
    return lies(
        value or one.die.value, x + dx_mm, y + dy_mm, one.die.color, one.die.yaw_deg, one.die.sigma_mm
    )


Opened = Callable[..., EndZoneTable]
FIVE = lies(5, 0.0, 200.0)
"""A 5 in the middle of the 5 zone."""
LINE = lies(4, 20.0, 470.0 - 4.45)
"""A 4 whose outline ends on the front line of the 2 zone."""


def opening(folder: Path) -> Iterator[Opened]:
    """Opens a table for whoever asks, with these players and options; closes them all at the end."""
    tables: list[EndZoneTable] = []

    def open_table(*players: str, **options: str) -> EndZoneTable:
        tables.append(EndZoneTable(folder / str(len(tables)), players or ("Ann", "Bea"), **options))
        return tables[-1]

    yield open_table
    for table in tables:
        table.close()


def question(table: EndZoneTable) -> Question:
    """What the table asks."""
    assert table.match.questions.pending is not None, table.game.message
    return table.match.questions.pending
