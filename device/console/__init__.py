"""The web console: shows what the box shows, and sends the same events as the buttons."""

from device.console.app import ConsoleSettings, make_app
from device.console.guard import Doors, Guard
from device.console.pages import STATIC, PageFiles, Pages, words
from device.console.server import ConsoleError, ConsoleServer

__all__ = [
    "STATIC",
    "ConsoleError",
    "ConsoleServer",
    "ConsoleSettings",
    "Doors",
    "Guard",
    "PageFiles",
    "Pages",
    "make_app",
    "words",
]
