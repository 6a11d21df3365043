"""The desk's page: all tables, live; the hall's big screen (`?screen`); results; and the door for pairing.

It shows what strangers see at the boxes, so everybody in the hall's network may look. It changes nothing:
boxes are invited and revoked at the desk's keyboard. What a referee does has addresses of its own
(`device.hall.questions`).
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from importlib.resources import files
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from device.console import (
    CROWDED,
    SMALLER,
    STATIC,
    Doors,
    Guard,
    PageFiles,
    Pages,
    StreamShares,
    TournamentPages,
    words,
)
from device.decode import Undecodable, decode_json
from device.hall.ingest import HallLine, Ingest, wall_now
from device.hall.ledger import Ledger, results_of_all
from device.hall.tournament import HallTournamentView
from device.reports.pdf import make_pdf
from device.venue.membership import Membership
from device.venue.pairing import seal_membership
from engine.wording import phrase

FILES = Path(str(files("device.hall"))) / "static"
PAGES = Pages(FILES.with_name("templates"))
PACE_S = 0.5
BEAT_S = 10.0
STREAMS = 200
ASKED_BYTES = 1000
HandsOut = Callable[[str, str, str], Membership]
"""From a table's id, name and secret to what its box is handed out."""


class PairBody(msgspec.Struct, frozen=True):
    """A box comes with an invitation."""

    invitation: str


class TablesShown(msgspec.Struct, frozen=True):
    """What a page gets: the tables that changed."""

    tables: list[HallLine]
    count: int
    """How many tables there are: a page that knows others begins anew."""
    now: float
    """The desk's wall clock in seconds."""
    disk: str
    tournament: int
    """Counts the changes of the tournament, which /tournament tells; 0 where none was drawn."""


class HallPage:
    """The addresses' functions."""

    def __init__(self, ledger: Ledger, ingest: Ingest, hand_out: HandsOut) -> None:
        """`hand_out` makes what a box gets that comes with an invitation."""
        self._ledger, self._reception, self._hand_out = ledger, ingest, hand_out
        self._watchers = StreamShares(STREAMS)
        self.over = False

    async def page(self, request: Request) -> Response:
        """The page; `?screen` is the hall's big screen."""
        return await PAGES.answer(request, "hall.html")

    async def events(self, request: Request) -> Response:
        """All tables, and then what changes."""
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        address = request.client.host if request.client else ""
        return StreamingResponse(self._stream(address), media_type="text/event-stream", headers=headers)

    async def results(self, request: Request) -> Response:  # noqa: ARG002
        """Who came where, at all tables."""
        told = await run_in_threadpool(results_of_all, self._ledger)
        headers = {"content-disposition": 'attachment; filename="results.csv"'}
        return Response(told.encode(errors="backslashreplace"), media_type="text/csv", headers=headers)

    async def pair(self, request: Request) -> Response:
        """A box comes with a code."""
        raw = b""
        async for part in request.stream():
            raw += part
            if len(raw) > ASKED_BYTES:
                break
        try:
            asked = decode_json(raw, PairBody, max_bytes=ASKED_BYTES)
        except Undecodable:
            return JSONResponse({"ok": False, "text": phrase("That is no invitation.")}, status_code=422)
        sealed = await run_in_threadpool(self._take_up, asked.invitation)
        if sealed is None:
            said = phrase("The desk knows no such code, or no longer: each is good for one box and an hour.")
            return JSONResponse({"ok": False, "text": said}, status_code=404)
        return Response(sealed, media_type="application/octet-stream")

    def _take_up(self, invitation_id: str) -> bytes | None:
        now = wall_now()
        found = self._ledger.take_up(invitation_id, now.timestamp(), now.isoformat(timespec="seconds"))
        if found is None:
            return None
        invitation, box = found
        self._reception.meet()
        return seal_membership(invitation.code, self._hand_out(box.id, box.name, box.secret))

    async def _stream(self, address: str) -> AsyncGenerator[bytes]:
        watcher = self._watchers.enter(address)
        if watcher is None:
            yield (await self._tables(-1)) + CROWDED
            return
        sent, quiet_s = (-1, -1), 0.0
        try:
            while not self.over:
                change = self._changes()
                if change != sent or quiet_s >= BEAT_S:
                    yield await self._tables(sent[0])
                    sent, quiet_s = change, 0.0
                await asyncio.sleep(PACE_S)
                quiet_s += PACE_S
                if watcher not in self._watchers:
                    yield CROWDED
                    return
        finally:
            self._watchers.leave(watcher)

    def _changes(self) -> tuple[int, int]:
        """How often the tables and the tournament have changed."""
        return self._reception.change, self._reception.tournament.view.changes

    async def _tables(self, after: int) -> bytes:
        """The event with the tables that changed after that change."""
        tables = await run_in_threadpool(self._reception.lines, after)
        ingest = self._reception
        cup = ingest.tournament.view.changes
        shown = TablesShown(tables, ingest.size, wall_now().timestamp(), ingest.disk, cup)
        return b"event: tables\ndata: " + msgspec.json.encode(shown) + b"\n\n"

    def tournament(self) -> HallTournamentView:
        """The tournament as it is now."""
        return self._reception.tournament.view

    def close(self) -> None:
        """End the streams."""
        self.over = True


def make_hall_app(page: HallPage, doors: Doors, more: Sequence[BaseRoute] = ()) -> Starlette:
    """The desk's page and what else answers beside it; `ConsoleServer` runs it."""
    app = Starlette(
        routes=[
            Route("/", page.page, methods=["GET"]),
            Route("/events", page.events, methods=["GET"]),
            Route("/results.csv", page.results, methods=["GET"]),
            *TournamentPages(lambda: page.tournament().tournament, page.tournament, make_pdf).routes(),
            Route("/pair", page.pair, methods=["POST"]),
            Route("/words.js", words, methods=["GET"], middleware=SMALLER),
            *more,
            Mount("/static", PageFiles(directory=STATIC), middleware=SMALLER),
            Mount("/hall", PageFiles(directory=FILES), middleware=SMALLER),
        ],
        middleware=[Middleware(Guard, doors)],
    )
    app.state.when_closing = (page.close,)
    return app
