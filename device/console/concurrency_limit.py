"""Limits concurrent console requests per address, so viewers never block button presses.

Each request waits for its turn, and turns come at a steady pace: so however much is asked, the console takes
no more than its share of the box's time. While many wait, the addresses they come from are served one after
the other: who asks a thousand times waits for it, and who asks once does not. What people do (POST) has turns
of its own beside those of looking on.

A connection asks for one thing at a time, and connections are numbered (`device.console.connections`): when
more wait than there can be connections, somebody asks, leaves and asks anew. Only such a one is turned away.
"""

import asyncio
import os
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Generic, TypeVar

from starlette.types import ASGIApp, Receive, Scope, Send

from device.console.answers import BadBody, answer
from device.console.connections import CONNECTIONS
from device.console.guard import ALWAYS
from engine.wording import phrase, phrase_later

LOOKS_PER_S = 80.0
PRESSES_PER_S = 100.0
AT_ONCE = 600
"""Turns that have not been used are saved up to this number: a page and its files are some forty requests."""
WAITING = CONNECTIONS
"""More than these do not wait; as many as there are connections."""
TOO_MUCH = phrase_later("The box is asked more than it can answer. Try again in a moment.")

Ticket = TypeVar("Ticket")


class WaitingLine(Generic[Ticket]):
    """Who is next. Pure; times are seconds of a steady clock."""

    def __init__(self, per_s: float, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._per_s = per_s
        self._at_once = at_once
        self._most = waiting
        self._saved = float(at_once)
        self._saved_s = float("-inf")
        self._queues: OrderedDict[str, deque[Ticket]] = OrderedDict()
        self._waiting = 0

    def put(self, address: str, ticket: Ticket) -> Ticket | None:
        """Somebody waits; returns who has to go for that, of those from where most wait."""
        self._queues.setdefault(address, deque()).append(ticket)
        self._waiting += 1
        if self._waiting <= self._most:
            return None
        return self._take(max(self._queues, key=lambda each: len(self._queues[each])))

    def next(self, now_s: float) -> Ticket | None:
        """Whose turn it is now, if a turn has come and somebody waits."""
        self._save(now_s)
        if not self._queues or self._saved < 1:
            return None
        self._saved -= 1
        address = next(iter(self._queues))
        ticket = self._take(address)
        if address in self._queues:
            self._queues.move_to_end(address)
        return ticket

    def everybody(self) -> Iterator[Ticket]:
        """All who wait, who wait no longer."""
        while self._queues:
            yield self._take(next(iter(self._queues)))

    def wait_s(self, now_s: float) -> float | None:
        """How long until the next turn; None while nobody waits."""
        self._save(now_s)
        return max(0.0, 1 - self._saved) / self._per_s if self._queues else None

    def _save(self, now_s: float) -> None:
        gained = (now_s - self._saved_s) * self._per_s
        self._saved, self._saved_s = min(float(self._at_once), self._saved + gained), now_s

    def _take(self, address: str) -> Ticket:
        queue = self._queues[address]
        ticket = queue.popleft()
        self._waiting -= 1
        if not queue:
            del self._queues[address]
        return ticket


class ConcurrencyLimit:
    """Lets requests in, each at its turn. For the server's own event loop, but for `open`."""

    def __init__(self, turns: WaitingLine[asyncio.Future[bool]]) -> None:
        self._turns = turns
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._opened = False

    async def wait(self, address: str) -> bool:
        """True when it is the turn of somebody from there; False for who is turned away."""
        if self._opened:
            return True
        loop = self._loop = asyncio.get_running_loop()
        turn: asyncio.Future[bool] = loop.create_future()
        away = self._turns.put(address, turn)
        if away is not None:
            _tell(away, False)
        if self._timer is None:
            self._serve()
        return await turn

    def open(self) -> None:
        """Let everybody in, now and later: the console closes. From any thread."""
        self._opened = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has already gone, and who waited with it
                self._loop.call_soon_threadsafe(self._serve_all)

    def _serve_all(self) -> None:
        for turn in self._turns.everybody():
            _tell(turn, True)

    def _serve(self) -> None:
        assert self._loop is not None  # noqa: S101 - for the type checker
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        now_s = self._loop.time()
        while (turn := self._turns.next(now_s)) is not None:
            _tell(turn, True)
        if (wait_s := self._turns.wait_s(now_s)) is not None:
            self._timer = self._loop.call_later(wait_s, self._serve)


def _tell(turn: asyncio.Future[bool], inside: bool) -> None:
    if not turn.done():  # else whoever waited was cancelled
        turn.set_result(inside)


class Queue:
    """ASGI middleware: each request waits for its turn."""

    def __init__(self, app: ASGIApp, looks: ConcurrencyLimit, presses: ConcurrencyLimit) -> None:
        self.app = app
        self._looks = looks
        self._presses = presses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        app = self.app
        if scope["type"] == "http":
            gate = self._presses if scope["method"] == "POST" else self._looks
            if not await gate.wait(str((scope["client"] or ("",))[0])):
                app = too_much = answer(False, phrase(TOO_MUCH), status=429)
                too_much.headers.update({**ALWAYS, "retry-after": "1"})
        await app(scope, receive, send)


def limits() -> tuple[ConcurrencyLimit, ConcurrencyLimit]:
    """For looking on, and for what people do."""
    return ConcurrencyLimit(WaitingLine(LOOKS_PER_S)), ConcurrencyLimit(WaitingLine(PRESSES_PER_S))


# Runs what hashes a PIN one after another on a thread of its own, so that no press waits for it.
#
# A hash takes a good part of a second on a Pi, and 16 MB. While many wait, their addresses are served in
# turn: a phone that asks sixty times waits sixty times as long, and nobody else does.

MOST_PINS = 64
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

    def __init__(self, waiting: int = MOST_PINS) -> None:
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
