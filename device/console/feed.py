"""The live feed: one stream of server-sent events for each page that looks.

The table's thread hands over a snapshot and goes on at once; each page's stream sends the newest one when it
can, so a slow phone skips what it missed and never holds anybody up. Nobody looking costs nothing.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress

import msgspec

from device.desk import Desk
from device.snapshot import Snapshot

BEAT = b"event: beat\ndata:\n\n"
"""Tells a page that the box is there even when nothing happens; also finds out which phones have gone."""


class _Watcher:
    """One page's place: the newest snapshot that it has not been sent."""

    def __init__(self) -> None:
        self.newest: Snapshot | None = None
        self.woken = asyncio.Event()

    def put(self, snapshot: Snapshot | None) -> None:
        self.newest = snapshot
        self.woken.set()


class SnapshotFeed:
    """All live streams of one console. Everything but `close` happens on the server's own event loop."""

    def __init__(self, desk: Desk, *, beat_s: float, pace_s: float) -> None:
        """`beat_s`: silence after which a beat is sent; `pace_s`: least time between two snapshots."""
        self._desk = desk
        self._beat_s = beat_s
        self._pace_s = pace_s
        self._watchers: set[_Watcher] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False
        self._encoded: tuple[Snapshot, bytes] | None = None

    @property
    def watching(self) -> int:
        """How many pages look."""
        return len(self._watchers)

    def close(self) -> None:
        """End every stream, now and later. From any thread."""
        self._closed = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has already gone, and the streams with it
                self._loop.call_soon_threadsafe(self._wake_all)

    async def stream(self) -> AsyncGenerator[bytes]:
        """Events for one page until it goes or the console closes."""
        loop = self._loop = asyncio.get_running_loop()
        watcher = _Watcher()

        def listener(snapshot: Snapshot) -> None:
            with suppress(RuntimeError):  # the server stopped while the table went on
                loop.call_soon_threadsafe(watcher.put, snapshot)

        self._watchers.add(watcher)
        leave = self._desk.subscribe(listener)
        try:
            yield b"retry: 1000\n\n" + self._event(self._desk.snapshot())
            while not self._closed:
                yield await self._next(watcher)
        finally:
            leave()
            self._watchers.discard(watcher)

    async def _next(self, watcher: _Watcher) -> bytes:
        if self._pace_s:
            await asyncio.sleep(self._pace_s)
        try:
            async with asyncio.timeout(self._beat_s):
                await watcher.woken.wait()
        except TimeoutError:
            return BEAT
        watcher.woken.clear()
        newest, watcher.newest = watcher.newest, None
        return BEAT if newest is None else self._event(newest)

    def _event(self, snapshot: Snapshot) -> bytes:
        # All pages want the same bytes: encode once.
        if self._encoded is None or self._encoded[0] is not snapshot:
            data = b"event: snapshot\ndata: " + msgspec.json.encode(snapshot) + b"\n\n"
            self._encoded = (snapshot, data)
        return self._encoded[1]

    def _wake_all(self) -> None:
        for watcher in self._watchers:
            watcher.put(None)
