"""The live feed: one stream of server-sent events for each page that looks.

The table's thread hands over a snapshot and goes on at once; each page's stream sends the newest one when it
can, so a slow phone skips what it missed and never holds anybody up. While bets are secret, pages get what is
new at set times only (`device.console.veil`). Nobody looking costs nothing.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

import msgspec

from device.console.veil import Veil
from device.desk import Desk
from device.snapshot import Snapshot

BEAT = b"event: beat\ndata:\n\n"
"""Tells a page that the box is there even when nothing happens; also finds out which phones have gone."""


class SnapshotFeed:
    """All live streams of one console. All but `close` and `newest` is for the server's own event loop."""

    def __init__(
        self, desk: Desk, *, beat_s: float, pace_s: float, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        """`beat_s`: silence after which a beat is sent; `pace_s`: least time between two snapshots.

        `clock_s` is the steady clock by which secrets are kept.
        """
        self._desk = desk
        self._clock_s = clock_s
        self._beat_s = beat_s
        self._pace_s = pace_s
        self._veil = Veil()
        self._watchers: set[asyncio.Event] = set()
        """What wakes each page's stream."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._encoded: tuple[Snapshot, bytes] | None = None

    @property
    def watching(self) -> int:
        """How many pages look."""
        return len(self._watchers)

    def newest(self) -> Snapshot:
        """The newest snapshot that a page may see now. For any thread."""
        now_s = self._clock_s()
        self._veil.fetch(self._desk.snapshot, now_s)
        return self._veil.see(now_s)

    def close(self) -> None:
        """End every stream, now and later. From any thread."""
        self._closed = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has already gone, and the streams with it
                self._loop.call_soon_threadsafe(self._wake_all)

    async def stream(self) -> AsyncGenerator[bytes]:
        """Events for one page until it goes or the console closes."""
        loop = self._loop = asyncio.get_running_loop()
        woken = asyncio.Event()

        def listener(snapshot: Snapshot) -> None:
            self._veil.put(snapshot, self._clock_s())
            with suppress(RuntimeError):  # the server stopped while the table went on
                loop.call_soon_threadsafe(woken.set)

        self._watchers.add(woken)
        leave = self._desk.subscribe(listener)
        try:
            sent = self.newest()
            yield b"retry: 1000\n\n" + self._event(sent)
            while not self._closed:
                if self._pace_s:
                    await asyncio.sleep(self._pace_s)
                newest = await self._next(woken, sent)
                yield BEAT if newest is None else self._event(newest)
                sent = newest or sent
        finally:
            leave()
            self._watchers.discard(woken)

    async def _next(self, woken: asyncio.Event, sent: Snapshot) -> Snapshot | None:
        """The next snapshot that the page may see; None after a silence."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._beat_s):
                while not self._closed:
                    now_s = self._clock_s()
                    newest, due_s = self._veil.see(now_s), self._veil.due_s(now_s)
                    if newest is not sent:
                        return newest
                    with suppress(TimeoutError):
                        async with asyncio.timeout(None if due_s is None else due_s - now_s):
                            await woken.wait()
                            woken.clear()
        return None

    def _event(self, snapshot: Snapshot) -> bytes:
        # All pages want the same bytes: encode once.
        if self._encoded is None or self._encoded[0] is not snapshot:
            data = b"event: snapshot\ndata: " + msgspec.json.encode(snapshot) + b"\n\n"
            self._encoded = (snapshot, data)
        return self._encoded[1]

    def _wake_all(self) -> None:
        for woken in self._watchers:
            woken.set()
