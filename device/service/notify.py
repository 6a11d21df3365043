"""Tells systemd how the box is (sd_notify): a datagram to the socket named in $NOTIFY_SOCKET, else nothing.

systemd.service(5), Type=notify: READY=1 ends the start, WATCHDOG=1 says that all is well, STOPPING=1 that
the box ends by itself.
Not by the package sdnotify: its last release is of 2017 and has no wheel, and only wheels are installed here.
"""

import os
import socket
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass


def send(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send `message`; False where no one listens. A deaf systemd never stops a game, so nothing is raised."""
    if not is_service(environment):
        return False
    path = environment["NOTIFY_SOCKET"]
    # A leading @ stands for the zero byte of Linux' abstract sockets, which have no file.
    address = "\0" + path[1:] if path[0] == "@" else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.connect(address)
            out.sendall(message.encode())
    except OSError:
        return False
    return True


def is_service(environment: Mapping[str, str] = os.environ) -> bool:
    """Whether systemd runs this process as a service, and so starts it again when it ends."""
    return environment.get("NOTIFY_SOCKET", "")[:1] in {"/", "@"}


def ready(environment: Mapping[str, str] = os.environ) -> bool:
    """The box can be played at."""
    return send("READY=1", environment)


def alive(environment: Mapping[str, str] = os.environ) -> bool:
    """The box moves on; where systemd does not hear this for WatchdogSec, it starts the box anew."""
    return send("WATCHDOG=1", environment)


def stopping(environment: Mapping[str, str] = os.environ) -> bool:
    """The box ends because it was asked to."""
    return send("STOPPING=1", environment)


# Whether the box moves on: systemd is told so, and starts a box anew that does not.
#
# A thread that hangs (in a camera's library, on a disk that is gone) cannot be ended from within. So nothing
# here tries: only while each of the box's threads turns does the watchdog get its word.

EVERY_S = 2.0
"""How often systemd is told, at most; it waits many times as long (WatchdogSec in callbox.service)."""


@dataclass(slots=True, kw_only=True)
class Turning:
    """A thread that must move on."""

    turns: Callable[[], int | None]
    """Counts what it does; None when it has nothing more to do."""
    patience_s: float
    """How long one thing may take it."""
    last: int | None = None
    since_s: float = 0.0

    def moves_on(self, now_s: float) -> bool:
        """Whether it has turned lately; to be asked again and again."""
        turns = self.turns()
        if turns is None or turns != self.last:
            self.last, self.since_s = turns, now_s
        return now_s - self.since_s <= self.patience_s


class Watchdog:
    """Tells that all is well as long as it is. Not for several threads."""

    def __init__(self, threads: Sequence[Turning], tell: Callable[[], object]) -> None:
        """`tell` is called now and then while all `threads` move on."""
        self._threads = threads
        self._tell = tell
        self._told_s = float("-inf")

    def look(self, now_s: float) -> None:
        """Look; to be called a few times a second, with a steady clock's seconds."""
        stuck = [each for each in self._threads if not each.moves_on(now_s)]
        if not stuck and now_s - self._told_s >= EVERY_S:
            self._told_s = now_s
            self._tell()
