"""Lamps and scoreboard from the snapshot, blinks included. Wires are touched on a change only."""

from collections.abc import Callable, Mapping

from device.displays import Display, DisplayLost, Rows
from device.panel import BLINK_MS, Panel, PanelLost, lamps_at
from device.scoreboard import Scoreboard
from device.snapshot import Snapshot

REFRESH_MS = 2000.0
"""A scoreboard that was plugged in again comes back by itself after so long."""


class Lights:
    """The panel's lamps and the scoreboard. Trouble with either is told once, and healed when it goes."""

    def __init__(self, panel: Panel | None, display: Display, tell: Callable[[str], None]) -> None:
        """`tell` gets a sentence when lamps or scoreboard fail, and when they are back."""
        self._panel = panel
        self._display = display
        self._scoreboard = Scoreboard(display.rows, display.digits)
        self._tell = tell
        self._acks: dict[str, float] = {}
        self._rows: Rows | None = None
        self._shown_ms = float("-inf")
        self._lost = ""

    def acknowledge(self, button: str, time_ms: float) -> None:
        """Blink the lamp of a button that was pressed, in the same way whatever the press meant."""
        self._acks[button] = time_ms

    def rows(self, snapshot: Snapshot, time_ms: float) -> Rows:
        """The scoreboard's frame buffer, which the console draws as well."""
        return self._scoreboard.at(snapshot, time_ms)

    def lamps(self, lamps: Mapping[str, bool], time_ms: float) -> dict[str, bool]:
        """The lamps with their blinks."""
        self._acks = {name: ack for name, ack in self._acks.items() if time_ms - ack < BLINK_MS}
        return lamps_at(lamps, self._acks, time_ms)

    def show(self, lamps: Mapping[str, bool], rows: Rows, time_ms: float) -> None:
        """Bring lamps and scoreboard to this state."""
        try:
            if self._panel is not None:
                self._panel.show(lamps)
            if rows != self._rows or time_ms - self._shown_ms >= REFRESH_MS:
                self._display.show(rows)
                self._rows, self._shown_ms = rows, time_ms
        except (PanelLost, DisplayLost) as lost:
            self._rows, self._shown_ms = rows, time_ms  # tried again at the next change or refresh
            if str(lost) != self._lost:
                self._lost = str(lost)
                self._tell(self._lost)
        else:
            self._lost = ""
