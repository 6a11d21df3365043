"""Lamps and scoreboard from the snapshot, blinks included. Wires are touched on a change only."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from device.panel.displays import ALL, BLANK, DIGITS, Display, DisplayLost, Rows, digits
from device.panel.panel import BLINK_MS, Panel, PanelLost, lamps_at
from device.panel.presses import bet_seat
from device.panel.scoreboard import Scoreboard
from device.panel.status import Status, StatusLamp, status_of
from device.shown.snapshot import Snapshot
from engine.wording import phrase

# What is lit while lamps and scoreboard are tried, in the set-up and by `callbox panel`.

PrimaryColour = Literal["red", "green", "blue"]
STATUS_TRIED: tuple[tuple[PrimaryColour, Status], ...] = (
    ("red", "trouble"),
    ("green", "ready"),
    ("blue", "starting"),
)
"""Each colour of the status lamp, and what it shows in that colour."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is to be lit, whatever the game would show."""

    lamps: tuple[str, ...] = ()
    """These lamps, and no others."""
    status: Status | None = None
    """What the status lamp shows, without blinking; None: what it would show anyway."""
    rows: Rows = ()
    """The scoreboard; () leaves it dark."""
    brightness: int | None = None
    """How bright the scoreboard is, 0 to 15; None: as it is set."""
    mirrored: bool | None = None
    """Whether digit 0 is on the right of a module; None: as it is set."""


def every_segment(rows: int) -> Rows:
    """Every segment and point of that many rows lit."""
    return ((ALL,) * DIGITS,) * rows


def dark(rows: int) -> Rows:
    """A dark scoreboard of that many rows."""
    return ((BLANK,) * DIGITS,) * rows


def counted(rows: int) -> Rows:
    """Rows that tell themselves apart, and left from right: "1-345678", below it "2-345678"."""
    return tuple(digits(f"{row}-345678") for row in range(1, rows + 1))


TRIAL_MS = 3000.0
"""How long something is tried after somebody asked for it last: a page that goes away leaves nothing lit."""
REFRESH_MS = 2000.0
"""The scoreboard is sent all it shows this often; one that was lost, or never there, is tried again then."""


class Lights:
    """The panel's lamps, the scoreboard, the status lamp. Trouble is told once, and healed when it goes."""

    def __init__(
        self,
        panel: Panel | None,
        display: Display,
        tell: Callable[[str], None],
        status: StatusLamp | None = None,
    ) -> None:
        """`tell` gets a sentence when one of them fails, and when it is back."""
        self._panel = panel
        self._status = status
        self._display = display
        self._scoreboard = Scoreboard(display.rows, display.digits)
        self._acks: dict[str, float] = {}
        self._rows: Rows | None = None
        self._tried_ms = float("-inf")
        self._trial: tuple[Trial | None, float] = (None, float("-inf"))
        self._adjusted: tuple[int | None, bool | None] = (None, None)
        self._lamps_report = _TroubleReport(phrase("The lamps are back."), tell)
        self._board_report = _TroubleReport(phrase("The scoreboard is back."), tell)
        self._status_report = _TroubleReport(phrase("The status lamp is back."), tell)

    def acknowledge(self, button: str, time_ms: float) -> None:
        """Blink the lamp of a button that was pressed, in the same way whatever the press meant."""
        self._acks[button] = time_ms

    def rows(self, snapshot: Snapshot, time_ms: float) -> Rows:
        """The scoreboard's frame buffer, which the console draws as well."""
        return self._scoreboard.at(snapshot, time_ms)

    def lamps(self, lamps: Mapping[str, bool], time_ms: float) -> dict[str, bool]:
        """The lamps with their blinks, as they light up in the buttons."""
        if not self._acks:
            return dict(lamps)
        self._acks = {name: ack for name, ack in self._acks.items() if time_ms - ack < BLINK_MS}
        return lamps_at(lamps, self._acks, time_ms)

    def seen_afar(self, lamps: Mapping[str, bool], time_ms: float) -> tuple[str, ...]:
        """The lamps that blink as pages show them: no BET button does there, for blinks can be counted."""
        acks = {name: ack for name, ack in self._acks.items() if bet_seat(name) is None}
        shown = lamps_at(lamps, acks, time_ms) if acks else lamps
        return tuple(name for name, lit in lamps.items() if shown[name] != lit)

    def try_out(self, trial: Trial | None, time_ms: float) -> None:
        """Show this instead of the game's, for `TRIAL_MS` or until None; from any thread."""
        self._trial = trial, time_ms + TRIAL_MS

    def show(self, lamps: Mapping[str, bool], rows: Rows, time_ms: float) -> None:
        """Bring lamps and scoreboard to this state, or to what is tried; each does without the other."""
        trial = self._trial_at(time_ms)
        if trial is not None:
            lamps, rows = dict.fromkeys(trial.lamps, True), trial.rows or dark(self._display.rows)
        if self._panel is not None:
            with self._lamps_report.reporting():
                self._panel.show(lamps)
        adjusted = (trial.brightness, trial.mirrored) if trial is not None else (None, None)
        news = (rows != self._rows or adjusted != self._adjusted) and not self._board_report.lost
        if news or time_ms - self._tried_ms >= REFRESH_MS:
            self._rows, self._adjusted, self._tried_ms = rows, adjusted, time_ms
            with self._board_report.reporting():
                self._display.adjust(*adjusted)
                self._display.show(rows)

    def show_status(self, snapshot: Snapshot, time_ms: float) -> None:
        """Bring the status lamp to what is shown, or to what is tried."""
        if not self._tries_status(time_ms):
            self._bring_status(status_of(snapshot), time_ms)

    def show_trial(self, time_ms: float) -> None:
        """Bring all to what is tried, and to darkness else: for where no game is shown."""
        self.show({}, dark(self._display.rows), time_ms)
        self._tries_status(time_ms)

    def ending(self) -> None:
        """Let the status lamp say that the box ends."""
        self._bring_status("ending", 0)

    def _trial_at(self, time_ms: float) -> Trial | None:
        trial, until_ms = self._trial
        return trial if time_ms < until_ms else None

    def _tries_status(self, time_ms: float) -> bool:
        """Bring the status lamp to what is tried; False where nothing is."""
        trial = self._trial_at(time_ms)
        if trial is None or trial.status is None:
            return False
        self._bring_status(trial.status, 0)
        return True

    def _bring_status(self, status: Status, time_ms: float) -> None:
        if self._status is not None:
            with self._status_report.reporting():
                self._status.show(status, time_ms)


class _TroubleReport:
    """What is told of trouble: once when it comes, and once when it has gone."""

    def __init__(self, back: str, tell: Callable[[str], None]) -> None:
        self._back = back
        self._tell = tell
        self.lost = ""
        """What is wrong; "" when nothing is."""

    @contextmanager
    def reporting(self) -> Iterator[None]:
        """Take the trouble of what is done inside, and tell of it."""
        try:
            yield
        except (PanelLost, DisplayLost) as lost:
            if str(lost) != self.lost:
                self._tell(str(lost))
            self.lost = str(lost)
        else:
            if self.lost:
                self._tell(self._back)
            self.lost = ""
