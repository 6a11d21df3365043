"""The panel: buttons, lamps and the scoreboard, on real pins or on mock ones."""

from device.panel.dials import bet_seat, dial_after
from device.panel.displays import DIGITS, Display, DisplayLost, Dummy, open_display
from device.panel.fitted import Fitted, Hearing
from device.panel.lights import Lights
from device.panel.off import OffButton
from device.panel.panel import Factory, Panel, PanelLost, open_factory
from device.panel.presses import Press, Presses, PressKind
from device.panel.segments import ALL, digits, drawable
from device.panel.status import StatusLamp
from device.panel.stuck import Stuck, sentence

__all__ = [
    "ALL",
    "DIGITS",
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
    "StatusLamp",
    "Stuck",
    "bet_seat",
    "dial_after",
    "digits",
    "drawable",
    "open_display",
    "open_factory",
    "sentence",
]
