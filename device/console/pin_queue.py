"""Runs what hashes a PIN one after another on a thread of its own, so that no press waits for it.

A hash takes a good part of a second on a Pi, and 16 MB. While many wait, their addresses are served in turn:
a phone that asks sixty times waits sixty times as long, and nobody else does.
"""

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from device.console.answers import BadBody
from device.console.concurrency_limit import WaitingLine
from engine.wording import phrase, phrase_later

WAITING = 64
"""More than these do not wait: of those from the address where most wait, one is refused."""
UNTIMED_PER_S = 1e9
"""Turns come as fast as the thread is free."""
NICENESS = 10
TOO_MANY = phrase_later("Too many PINs are being checked for this device. Try again in a moment.")

T = TypeVar("T")


def _give_way() -> None:
    """Let all else go first where processors are few."""
    with suppress(OSError, AttributeError):  # another system than Linux
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


class PinQueue:
    """For the server's own event loop."""

    def __init__(self, waiting: int = WAITING) -> None:
        self._thread = ThreadPoolExecutor(1, "pins", _give_way)
        self._line: WaitingLine[asyncio.Future[bool]] = WaitingLine(UNTIMED_PER_S, waiting=waiting)
        self._busy = False

    async def run(self, address: str, work: Callable[[], T]) -> T:
        """Do the work once it is the turn of that address; raises `BadBody` where too many wait there."""
        loop = asyncio.get_running_loop()
        turn: asyncio.Future[bool] = loop.create_future()
        refused = self._line.put(address, turn)
        if refused is not None and not refused.done():
            refused.set_result(False)
        if not self._busy:
            self._call_next(loop)
        try:
            if not await turn:
                raise BadBody(429, phrase(TOO_MANY))
            return await loop.run_in_executor(self._thread, work)
        finally:
            if turn.done() and not turn.cancelled() and turn.result():
                self._call_next(loop)

    def _call_next(self, loop: asyncio.AbstractEventLoop) -> None:
        """Give the thread to whoever is next; whoever has gone meanwhile is passed over."""
        while (turn := self._line.next(loop.time())) is not None:
            if not turn.done():
                turn.set_result(True)
                break
        self._busy = turn is not None
