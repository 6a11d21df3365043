"""The panel: buttons, lamps and the scoreboard, on real pins or on mock ones."""

from device.panel.dials import bet_seat, dial_after
from device.panel.displays import DIGITS, Display, DisplayLost, Dummy, Rows, open_display
from device.panel.fitted import Fitted, Hearing
from device.panel.lights import Lights
from device.panel.off import OffButton
from device.panel.panel import Factory, Panel, PanelLost, open_factory
from device.panel.presses import Press, Presses, PressKind
from device.panel.segments import digits, drawable, drawn
from device.panel.status import StatusLamp
from device.panel.stuck import Stuck, sentence
from device.panel.trial import STATUS_TRIED, PrimaryColour, Trial, counted, dark, every_segment

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
