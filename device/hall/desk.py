"""The venue's desk as a whole: ledger, broker, ingest and page, started and stopped in their order."""

import asyncio
import secrets
import socket
import threading
import time
import tomllib
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import Literal, Self

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
    ConsoleServer,
    Doors,
    Guard,
    PageFiles,
    Pages,
    StreamShares,
    TournamentPages,
    rulebooks,
    words,
)
from device.decode import Undecodable, decode_json
from device.hall.broker import HallBroker, NoBroker
from device.hall.ingest import HallLine, Ingest, wall_now
from device.hall.ledger import KnownBox, Ledger, results_of_all
from device.hall.organiser_page import OrganiserPages
from device.hall.questions import HallQuestions, RefereePages, people_of_desk
from device.hall.tournament import HallTournamentView
from device.reports.pdf import make_pdf
from device.venue.broker_link import BrokerLink
from device.venue.membership import Membership, password_of
from device.venue.messages import FROM_BOX, topic
from device.venue.pairing import seal_membership
from engine.wording import phrase, phrase_later

# The desk's page: all tables, live; the hall's big screen (`?screen`); results; and the door for pairing.
#
# It shows what strangers see at the boxes, so everybody in the hall's network may look. It changes nothing:
# boxes are invited and revoked at the desk's keyboard. What a referee and the organiser do has addresses of
# its own (`device.hall.questions`, `device.hall.organiser_page`).

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
            Route("/", page.page, methods=["GET"], middleware=SMALLER),
            Route("/events", page.events, methods=["GET"]),
            Route("/results.csv", page.results, methods=["GET"]),
            *TournamentPages(lambda: page.tournament().tournament, page.tournament, make_pdf).routes(),
            Route("/pair", page.pair, methods=["POST"]),
            Route("/words.js", words, methods=["GET"], middleware=SMALLER),
            Route("/rulebooks.js", rulebooks, methods=["GET"], middleware=SMALLER),
            *more,
            Mount("/static", PageFiles(directory=STATIC), middleware=SMALLER),
            Mount("/hall", PageFiles(directory=FILES), middleware=SMALLER),
        ],
        middleware=[Middleware(Guard, doors)],
    )
    app.state.when_closing = (page.close,)
    return app


# What Home Assistant is told of each table, so that it finds them by itself (MQTT discovery, by device).
#
# It shows what a box tells everybody who is let in by the broker: the retained snapshot and the box's
# health. Automations can go by it: light the lamp over table 4 when it waits for somebody.

LABELS = {
    "game": phrase_later("Game"),
    "turn": phrase_later("Whose turn"),
    "news": phrase_later("News"),
    "winners": phrase_later("Winner"),
    "scores": phrase_later("Scores"),
    "waits": phrase_later("Needs help"),
}
"""By their names in `home.toml`: what people read."""


def introduction_topic(table_id: str, prefix: str) -> str:
    """Where Home Assistant hears of a table; an empty retained message there makes it forget the table."""
    return f"{prefix}/device/callbox_{table_id}/config"


def introduce(table_id: str, name: str) -> bytes:
    """A table as Home Assistant shows it: a device with what is played there, and whether it waits."""
    told = tomllib.loads(files("device.hall").joinpath("home.toml").read_text(encoding="utf-8"))
    for key, part in told["components"].items():
        part |= {"name": phrase(LABELS[key]), "unique_id": f"callbox_{table_id}_{key}"}
    return msgspec.json.encode(
        {
            "device": {
                "identifiers": [f"callbox_{table_id}"],
                "name": phrase("Callbox {name}", name=name),
                "manufacturer": "Callbox",
            },
            "origin": {"name": "Callbox", "sw_version": version("callbox")},
            "state_topic": topic(table_id, "state"),
            "availability_topic": topic(table_id, "health"),
            **told,
        }
    )


HOME_PREFIX = "homeassistant"
"""Where Home Assistant hears of devices, unless its owner has set another prefix."""
WAITING = 20_000
"""This many answers may wait for the broker."""
AWAY_S = 20.0
"""A broker that comes back sooner is not told of as away."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSetup:
    """What a desk is to be made of."""

    data: Path
    host: str
    port: int
    """The page's."""
    broker: HallBroker
    home_prefix: str
    """Where Home Assistant hears of the tables; "" where it is told nothing."""
    visitors: Literal["local", "anybody"]
    names: tuple[str, ...]
    tell: Callable[[str], None]


class Away:
    """Says it once when the broker does not answer for long, and once when it does again."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self._tell = tell
        self._since_s: float | None = None
        self._told = False

    def look(self, now_s: float, link: BrokerLink) -> None:
        """`now_s` on a steady clock."""
        if link.is_there:
            if self._told:
                self._tell(phrase("The broker answers again."))
            self._since_s, self._told = None, False
            return
        if self._since_s is None:
            self._since_s = now_s
        if not self._told and now_s >= self._since_s + AWAY_S:
            self._told = True
            self._tell(
                phrase(
                    "The broker does not answer. The tables play on, and tell later what they played. {why}",
                    why=link.refused,
                ).strip()
            )


class Hall:
    """A running desk. Raises `LedgerBroken`, `NoBroker`, `ConsoleError`."""

    def __init__(self, setup: HallSetup) -> None:
        self._setup = setup
        self.ledger = Ledger.open(setup.data)
        self.broker = setup.broker
        self._unknown_at_home = threading.Event()
        """Home Assistant may not know the tables as they are."""
        self._link = BrokerLink(
            self.broker.as_desk,
            f"callbox-desk-{secrets.token_hex(4)}",
            hear=self._hear,
            joined=self._unknown_at_home.set,
            waiting=WAITING,
        )
        self._away = Away(setup.tell)
        self.ingest = Ingest(self.ledger, self._link, self._admit)
        self.questions = HallQuestions(self.ingest)
        self.ingest.hear_reply = self.questions.hear
        people = people_of_desk(setup.data, setup.tell)
        self._referee = RefereePages(self.questions, people)
        organiser = OrganiserPages(self.ledger, people, PAGES.answer)
        page = HallPage(self.ledger, self.ingest, self.broker.membership_for)
        doors = Doors(visitors=setup.visitors, names=setup.names, own_name=socket.gethostname())
        routes = [*self._referee.routes(), *organiser.routes()]
        self._server = ConsoleServer(make_hall_app(page, doors, routes), setup.host, setup.port)

    def __enter__(self) -> Self:
        try:
            self.broker.start(self._passwords(self.ledger.boxes()))
            self.ingest.start()
            self._link.start(*(topic("+", what) for what in FROM_BOX))
            self._server.start()
        except BaseException:
            self.broker.stop()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self._server.stop()
        self._referee.close()
        self.ingest.stop()
        self._link.stop()
        self.broker.stop()
        self.ledger.close()

    @property
    def address(self) -> str:
        """Where the page is."""
        return self._server.address

    def look(self) -> None:
        """Start the broker anew where it fell; tell Home Assistant what it may not know."""
        if not self.broker.runs:
            self._setup.tell(
                phrase("The broker stopped and is being restarted. Boxes send again what was not kept.")
            )
            try:
                self.broker.start(self._passwords(self.ledger.boxes()))
            except NoBroker as error:
                self._setup.tell(str(error))
        self.questions.forget()
        self._away.look(time.monotonic(), self._link)
        if self._setup.home_prefix and self._link.is_there and self._unknown_at_home.is_set():
            self._unknown_at_home.clear()
            for each in self.ledger.boxes():
                told = b"" if each.revoked else introduce(each.id, each.name)
                self._link.send(introduction_topic(each.id, self._setup.home_prefix), told, retain=True)

    def _hear(self, where: str, body: bytes, code: str) -> None:
        self.ingest.hear(where, body, code)

    def _admit(self, boxes: list[KnownBox]) -> None:
        self._unknown_at_home.set()
        if self.broker.runs:
            self.broker.admit(self._passwords(boxes))

    def _passwords(self, boxes: list[KnownBox]) -> dict[str, str]:
        return {each.id: password_of(each.secret) for each in boxes if not each.revoked}
