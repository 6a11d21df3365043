"""Sets the box up, step by step, in the browser or in the terminal: both are faces of the same steps.

A step looks at one picture after the other and says what it sees, what to do next and what may be pressed. It
keeps nothing before somebody says so, and what was kept before is put beside it.
"""

from device.setup.light import DARK_GREY, MOST_BURNT
from device.setup.opening import SetupMeans, open_steps
from device.setup.setting_up import SetsUp, SettingUp
from device.setup.shown import SetupShown
from device.setup.walk import SetupParts

__all__ = [
    "DARK_GREY",
    "MOST_BURNT",
    "SetsUp",
    "SettingUp",
    "SetupMeans",
    "SetupParts",
    "SetupShown",
    "open_steps",
]
