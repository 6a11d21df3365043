"""What a stranger sees of the box: its console's own stream, read as any page reads it.

So nothing can leave for the desk that a page in the room may not have, and not earlier either: while bets are
secret the stream itself comes at set times (`device.console.bet_timing_guard`).
"""

import http.client
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

SILENT_S = 30.0
"""The console says every ten seconds that it is there."""
AGAIN_S = 1.0


class LookingOn:
    """Follows the stream on a thread of its own, and begins anew whenever it breaks off."""

    def __init__(self, host: str, port: int, show: Callable[[bytes], None]) -> None:
        """`show` gets each snapshot as the console's JSON."""
        self._host, self._port, self._show = host, port, show
        self._over = threading.Event()
        threading.Thread(target=self._follow, name="looking on", daemon=True).start()

    def stop(self) -> None:
        """Look no more."""
        self._over.set()

    def _follow(self) -> None:
        while not self._over.is_set():
            asking = http.client.HTTPConnection(self._host, self._port, timeout=SILENT_S)
            with suppress(OSError, http.client.HTTPException):
                asking.request("GET", "/events")
                answer = asking.getresponse()
                if answer.status == 200:
                    read_snapshots(answer, self._tell)
            asking.close()
            self._over.wait(AGAIN_S)

    def _tell(self, snapshot: bytes) -> None:
        if not self._over.is_set():
            self._show(snapshot)


def read_snapshots(stream: BinaryIO | http.client.HTTPResponse, show: Callable[[bytes], None]) -> None:
    """Each snapshot of a stream of server-sent events, until it ends."""
    event = b""
    while line := stream.readline():
        name, _, value = line.rstrip(b"\n").partition(b":")
        if name == b"event":
            event = value.strip()
        elif name == b"data" and event == b"snapshot":
            show(value.strip())
