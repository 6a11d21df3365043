"""Shares the live streams among the addresses that they go to, so that no guest shuts the others out."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

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
