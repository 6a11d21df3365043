"""The live feed: one stream of server-sent events for each page that looks.

The table's thread hands over a snapshot and goes on at once; each page's stream sends the newest one when it
can, so a slow phone skips what it missed and never holds anybody up. While bets are secret, pages get what is
new at set times only (`device.console.bet_timing_guard`). Nobody looking costs nothing, and many looking cost
no more than some do: the more there are, the seldomer each gets something. When all streams are taken, a page
gets one snapshot and is told when to come again.
"""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

import msgspec

from device.box_api import BoxApi
from device.console.bet_timing_guard import BetTimingGuard
from device.shown.snapshot import Snapshot

# Shares the live streams among the addresses that they go to, so that no guest shuts the others out.

CROWDED = b"event: crowded\ndata: 5000\n\n"
"""Tells a page to come again after so many ms: the streams are all taken."""


@dataclass(eq=False, frozen=True, slots=True)
class Watcher:
    """A page that follows a stream."""

    address: str
    woken: asyncio.Event = field(default_factory=asyncio.Event)


class StreamShares:
    """Who follows, in the order in which they came. For the server's own event loop."""

    def __init__(self, limit: int) -> None:
        """`limit`: so many streams at a time."""
        self._limit = limit
        self._watchers: dict[Watcher, None] = {}

    def __len__(self) -> int:
        return len(self._watchers)

    def __iter__(self) -> Iterator[Watcher]:
        return iter(self._watchers)

    def __contains__(self, watcher: Watcher) -> bool:
        return watcher in self._watchers

    def enter(self, address: str) -> Watcher | None:
        """Let somebody from there follow; None where all streams are taken.

        If need be the oldest stream of the address with the most of them ends: it is woken, and is no longer
        among these. So an address loses one to another that has at least two fewer.
        """
        if len(self._watchers) >= self._limit and not self._make_room(address):
            return None
        watcher = Watcher(address)
        self._watchers[watcher] = None
        return watcher

    def leave(self, watcher: Watcher) -> None:
        """Follow no more; may be called twice."""
        self._watchers.pop(watcher, None)

    def _make_room(self, address: str) -> bool:
        share = Counter(each.address for each in self._watchers)
        most, count = max(share.items(), key=lambda each: each[1], default=("", 0))
        if count <= share[address] + 1:
            return False
        goes = next(each for each in self._watchers if each.address == most)
        self.leave(goes)
        goes.woken.set()
        return True


BEAT = b"event: beat\ndata:\n\n"
"""Tells a page that the box is there even when nothing happens; also finds out which phones have gone."""
STREAMS = 240
"""Pages that are kept up to date at a time."""
SNAPSHOTS_PER_S = 200
PICTURES_PER_S = 40
"""To all pages together: more than that, and a box on WLAN sends nothing but pictures."""
LOOK_MS = 200
"""Five pictures a second are enough to see hands move."""


class SnapshotFeed:
    """All live streams of one console. All but `close` and `newest` is for the server's own event loop."""

    def __init__(
        self, box: BoxApi, *, beat_s: float, pace_s: float, clock_s: Callable[[], float] = time.monotonic
    ) -> None:
        """`beat_s`: silence after which a beat is sent; `pace_s`: least time between two snapshots.

        `clock_s` is the steady clock by which secrets are kept.
        """
        self._box = box
        self._clock_s = clock_s
        self._beat_s = beat_s
        self._pace_s = pace_s
        self._guard = BetTimingGuard()
        self._watchers = StreamShares(STREAMS)
        self._leave: Callable[[], None] = lambda: None
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
        self._guard.fetch(self._box.snapshot, now_s)
        return self._guard.see(now_s)

    def close(self) -> None:
        """End every stream, now and later. From any thread."""
        self._closed = True
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop has already gone, and the streams with it
                self._loop.call_soon_threadsafe(self._wake_all)

    @property
    def next_look_ms(self) -> int:
        """After how long a page may ask for the camera's picture again."""
        return max(LOOK_MS, 1000 * self.watching // PICTURES_PER_S)

    async def stream(self, address: str = "") -> AsyncGenerator[bytes]:
        """Events for one page until it goes, the console closes, or another address has to have its place."""
        self._loop = asyncio.get_running_loop()
        sent = self.newest()
        first = b"retry: 1000\n\n" + self._event(sent)
        watcher = self._watchers.enter(address)
        if watcher is None:
            yield first + CROWDED
            return
        if self.watching == 1:
            self._leave = self._box.subscribe(self._hear)
        try:
            yield first
            while not self._closed:
                if self._pace_s:
                    await asyncio.sleep(max(self._pace_s, self.watching / SNAPSHOTS_PER_S))
                newest = await self._next(watcher, sent)
                if watcher not in self._watchers:
                    yield CROWDED
                    return
                yield BEAT if newest is None else self._event(newest)
                sent = newest or sent
        finally:
            self._go(watcher)

    def _go(self, watcher: Watcher) -> None:
        if watcher in self._watchers:
            self._watchers.leave(watcher)
            if not self.watching:
                self._leave()

    def _hear(self, snapshot: Snapshot) -> None:
        """Called from the table's thread."""
        self._guard.put(snapshot, self._clock_s())
        if self._loop is not None:
            with suppress(RuntimeError):  # the server stopped while the table went on
                self._loop.call_soon_threadsafe(self._wake_all)

    async def _next(self, watcher: Watcher, sent: Snapshot) -> Snapshot | None:
        """The next snapshot that the page may see; None after a silence, or when it has lost its place."""
        with suppress(TimeoutError):
            async with asyncio.timeout(self._beat_s):
                while not self._closed and watcher in self._watchers:
                    now_s = self._clock_s()
                    newest, due_s = self._guard.see(now_s), self._guard.due_s(now_s)
                    if newest is not sent:
                        return newest
                    with suppress(TimeoutError):
                        async with asyncio.timeout(None if due_s is None else due_s - now_s):
                            await watcher.woken.wait()
                            watcher.woken.clear()
        return None

    def _event(self, snapshot: Snapshot) -> bytes:
        # All pages want the same bytes: encode once.
        if self._encoded is None or self._encoded[0] is not snapshot:
            data = b"event: snapshot\ndata: " + msgspec.json.encode(snapshot) + b"\n\n"
            self._encoded = (snapshot, data)
        return self._encoded[1]

    def _wake_all(self) -> None:
        for watcher in self._watchers:
            watcher.woken.set()
