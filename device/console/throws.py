"""The console's log of throws: worked out only when something that everybody may know has changed.

While bets are secret nothing of them leads to a look into the journal: no bet changes what the log is
kept by, so who asks again and again gets the same bytes as fast for each bet.
"""

import asyncio
import hashlib

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from device.box_api import BoxApi
from device.console.bet_timing_guard import hides_bets
from device.console.feed import SnapshotFeed
from device.shown.snapshot import Snapshot


class ThrowsDesk:
    """The address's function."""

    def __init__(self, box: BoxApi, feed: SnapshotFeed) -> None:
        self._box = box
        self._feed = feed
        self._seen: object = None
        """By what the log was told last."""
        self._newest = b""
        self._asking = asyncio.Lock()

    async def newest(self) -> bytes:
        """The newest throws, `ThrowsShown` as JSON."""
        async with self._asking:
            seen = public_facts(self._feed.newest())
            if seen != self._seen:
                self._newest = await self._asked(0, anew=True)
                self._seen = seen
        return self._newest

    async def throws(self, request: Request) -> Response:
        """The newest throws, or with `?before=THROW` older ones."""
        before = request.query_params.get("before", "")
        told = await self.newest()
        if before.isascii() and before.isdecimal() and (number := int(before[:9])) > 0:
            told = await self._asked(number, anew=False)
        tag = f'"{hashlib.sha256(told).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(told, media_type="application/json", headers=headers)

    async def _asked(self, before: int, *, anew: bool) -> bytes:
        return msgspec.json.encode(await run_in_threadpool(self._box.throw_log, before, anew=anew))


def public_facts(shown: Snapshot) -> object:
    """What of a snapshot says that the log may have changed; no bet that is still secret is in it."""
    game, landing = shown.game, shown.landing
    facts: tuple[object, ...] = (shown.game_id, shown.stage, shown.ask, shown.table.reading_id, landing)
    if game is None:
        return facts
    facts = (*facts, game.scores, game.running, game.active, game.last_dice, game.landings, game.winners)
    return facts if hides_bets(shown) else (*facts, game.line, game.news, shown.message)
