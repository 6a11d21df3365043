"""Tells systemd how the box is (sd_notify): a datagram to the socket named in $NOTIFY_SOCKET, else nothing.

systemd.service(5), Type=notify: READY=1 ends the start, WATCHDOG=1 says that all is well, STOPPING=1 that
the box ends by itself.
Not by the package sdnotify: its last release is of 2017 and has no wheel, and only wheels are installed here.
"""

import os
import socket
from collections.abc import Mapping


def send(message: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Send `message`; False where no one listens. A deaf systemd never stops a game, so nothing is raised."""
    path = environment.get("NOTIFY_SOCKET", "")
    if path[:1] not in {"/", "@"}:
        return False
    # A leading @ stands for the zero byte of Linux' abstract sockets, which have no file.
    address = "\0" + path[1:] if path[0] == "@" else path
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.connect(address)
            out.sendall(message.encode())
    except OSError:
        return False
    return True


def ready(environment: Mapping[str, str] = os.environ) -> bool:
    """The box can be played at."""
    return send("READY=1", environment)


def alive(environment: Mapping[str, str] = os.environ) -> bool:
    """The box moves on; where systemd does not hear this for WatchdogSec, it starts the box anew."""
    return send("WATCHDOG=1", environment)


def stopping(environment: Mapping[str, str] = os.environ) -> bool:
    """The box ends because it was asked to."""
    return send("STOPPING=1", environment)
