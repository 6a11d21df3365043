"""Sets the box up, step by step, in the browser or in the terminal: both drive the same steps.

A step looks at one picture after the other and says what it sees, what to do next and what may be pressed. It
keeps nothing before somebody says so, and what was kept before is put beside it.
"""

from device.setup.first_steps import DARK_GREY, MOST_BURNT
from device.setup.step import SetupStep, StepView
from device.setup.wizard import SetupWizard, open_steps

__all__ = [
    "DARK_GREY",
    "MOST_BURNT",
    "SetupStep",
    "SetupWizard",
    "StepView",
    "camera_lock",
    "open_steps",
]
