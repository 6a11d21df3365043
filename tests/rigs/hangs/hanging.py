"""Loaded before the program, in the rig alone: a thread hangs for good when a file with its name appears.

The files go as they are heeded, so that the box that is started anew is a well one.
"""

import threading
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from device.console.server import _Server
from device.table.feed import Inbox

FOLDER = Path("/run/callbox")


def hang_if_asked(name: str) -> None:
    """Hang if the file is there; nothing but the end of the process helps."""
    asked = FOLDER / f"hang-{name}"
    if asked.exists():
        asked.unlink()
        threading.Event().wait()


def before(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The function, which first looks whether it is to hang."""

    @wraps(function)
    def looking(*args: Any, **named: Any) -> Any:
        hang_if_asked(name)
        return function(*args, **named)

    return looking


# What the table's thread and the console's call ten times a second and more.
Inbox.next = before(Inbox.next, "table")  # type: ignore[method-assign]
_Server.on_tick = before(_Server.on_tick, "console")  # type: ignore[method-assign]
