"""The web console: shows what the box shows, and sends the same events as the buttons."""

from device.console.app import ConsoleSettings, make_app
from device.console.guard import Doors
from device.console.server import ConsoleError, ConsoleServer

__all__ = ["ConsoleError", "ConsoleServer", "ConsoleSettings", "Doors", "make_app"]
