"""The status lamp: one LED of three colours that says across the room how the box is.

It says the same by its rhythm, for whoever cannot tell the colours: steady is well, slow blinking asks, quick
blinking is trouble. It knows what the console shows, and so no secret bet.
"""

from contextlib import closing
from typing import Literal

from gpiozero import RGBLED

from device.panel.panel import Factory, PanelLost, library_message, pin_troubles
from device.panel.scoreboard import alert_of
from device.shown.snapshot import Snapshot
from device.wiring import StatusConfig
from engine.wording import phrase

Colour = tuple[int, int, int]
"""Red, green, blue; each 0 or 1."""
DARK, RED, GREEN, BLUE, YELLOW, VIOLET, WHITE = (
    (0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0), (1, 0, 1), (1, 1, 1),
)  # fmt: skip
Status = Literal["starting", "ready", "asks", "trouble", "stuck", "ending"]
COLOURS: dict[Status, Colour] = {
    "starting": BLUE,
    "ready": GREEN,
    "asks": YELLOW,
    "trouble": RED,
    "stuck": VIOLET,
    "ending": WHITE,
}
BLINKS_MS: dict[Status, int] = {"asks": 1000, "trouble": 250, "stuck": 1000}
"""How long such a lamp is lit, and then dark; the others do not blink."""
TROUBLES = {"no PIC", "E 12", "Err", "drIFt", "FULL"}
"""Alerts that nobody's answer mends."""


def status_of(snapshot: Snapshot) -> Status:
    """How the box is, by what it shows; the gravest first."""
    alert = alert_of(snapshot)
    if alert in TROUBLES:
        return "trouble"
    if alert == "StUCK":
        return "stuck"
    return "asks" if alert not in {"", "PAUSE"} or snapshot.ask else "ready"


def colour_at(status: Status, time_ms: float) -> Colour:
    """What the lamp shows at `time_ms`: blinks go by the clock, so when they come tells of no press."""
    blink_ms = BLINKS_MS.get(status)
    dark = blink_ms is not None and int(time_ms // blink_ms) % 2 == 1
    return DARK if dark else COLOURS[status]


class StatusLamp:
    """The lamp on its three pins. Every method may be called from any thread."""

    def __init__(self, config: StatusConfig, factory: Factory, *, lit_high: bool) -> None:
        """Opens the pins and shows that the box starts; raises `PanelLost`. For a lamp that is fitted."""
        pins = config.fitted()
        try:
            # Without pwm: seven colours are enough, and nothing has to flicker for them.
            self._led = RGBLED(**pins, active_high=lit_high, pwm=False, pin_factory=factory)
        except pin_troubles() as error:
            raise PanelLost(
                phrase(
                    "The status lamp's pins {pins} cannot be opened ({error}). Does another program hold "
                    'them? Stop that, or set panel.status to "none" three times.',
                    pins=", ".join(map(str, pins.values())),
                    error=library_message(error),
                )
            ) from None
        self.show("starting", 0)

    def show(self, status: Status, time_ms: float) -> None:
        """Bring the lamp to this state; raises `PanelLost`. After `close` it does nothing."""
        colour = colour_at(status, time_ms)
        if self._led.closed or tuple(map(int, self._led.value)) == colour:
            return
        try:
            self._led.value = colour
        except pin_troubles() as error:
            raise PanelLost(
                phrase(
                    "The status lamp does not obey ({error}). Are its pins in use elsewhere?",
                    error=library_message(error),
                )
            ) from None

    def close(self) -> None:
        """Dark, and the pins let go. May be called twice."""
        with closing(self._led):
            pass
