"""The panel: buttons, lamps and the scoreboard, on real pins or on mock ones."""

from device.panel.displays import (
    DIGITS,
    Display,
    DisplayLost,
    Dummy,
    Rows,
    chip_messages,
    digits,
    drawable,
    drawn,
    open_display,
)
from device.panel.fitted import Fitted, Hearing, OffButton, Stuck, sentence
from device.panel.lights import STATUS_TRIED, Lights, PrimaryColour, Trial, counted, dark, every_segment
from device.panel.panel import Factory, Panel, PanelLost, open_factory
from device.panel.presses import Press, Presses, PressKind, bet_seat, dial_after
from device.panel.status import StatusLamp

__all__ = [
    "DIGITS",
    "STATUS_TRIED",
    "Display",
    "DisplayLost",
    "Dummy",
    "Factory",
    "Fitted",
    "Hearing",
    "Lights",
    "OffButton",
    "Panel",
    "PanelLost",
    "Press",
    "PressKind",
    "Presses",
    "PrimaryColour",
    "Rows",
    "StatusLamp",
    "Stuck",
    "Trial",
    "bet_seat",
    "chip_messages",
    "counted",
    "dark",
    "dial_after",
    "digits",
    "drawable",
    "drawn",
    "every_segment",
    "open_display",
    "open_factory",
    "sentence",
]
