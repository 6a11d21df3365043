"""Tells systemd how the box is (sd_notify): a datagram to the socket named in $NOTIFY_SOCKET, else nothing.

systemd.service(5), Type=notify: READY=1 ends the start, STATUS= is shown by `systemctl status`, WATCHDOG=1
says that the box lives, STOPPING=1 that it ends by itself.
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


def status(text: str, environment: Mapping[str, str] = os.environ) -> bool:
    """One line for `systemctl status`; lines are joined, for a second one would be another message."""
    return send("STATUS=" + " ".join(text.split()), environment)


def watchdog(environment: Mapping[str, str] = os.environ) -> bool:
    """The box lives; to be sent more often than `watchdog_ms`."""
    return send("WATCHDOG=1", environment)


def stopping(environment: Mapping[str, str] = os.environ) -> bool:
    """The box ends because it was asked to."""
    return send("STOPPING=1", environment)


def watchdog_ms(environment: Mapping[str, str] = os.environ, pid: int | None = None) -> float | None:
    """How long systemd waits for `watchdog` before it starts the box anew; None when it does not watch."""
    if environment.get("WATCHDOG_PID", str(pid or os.getpid())) != str(pid or os.getpid()):
        return None  # meant for another process
    allowed_us = environment.get("WATCHDOG_USEC", "")
    return (
        int(allowed_us) / 1000 if allowed_us.isascii() and allowed_us.isdigit() and int(allowed_us) else None
    )
