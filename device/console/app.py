"""The web console: every address it answers at.

How it works. The page is static; what it shows comes as snapshots (`/events`, or once at `/state`), and what
people do is posted as a request (`device.requests`). The console knows no rule and keeps no state but which
fingers are on the panel. The box may take its time (the journal writes to a disk), so it is asked on a worker
thread. What people do has threads of its own (the event loop's), so that a slow disk behind a film holds up
no press.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import get_args

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from device.box_api import BoxApi, Hand
from device.console.answers import BadBody, answer, bad_body
from device.console.authorize import Authorizer, Post
from device.console.button_holds import ButtonHolds
from device.console.concurrency_limit import Queue, limits
from device.console.feed import LOOK_MS, SnapshotFeed
from device.console.guard import Doors, Guard, peer_is_here
from device.console.history import HistoryPages, game_number
from device.console.maintenance import MaintenanceApi
from device.console.pages import (
    SMALLER,
    STATIC,
    PageFiles,
    maintenance_page,
    missing_page,
    page_link,
    player_page,
    qr_svg,
    rulebooks,
    settings_page,
    setup_page,
    table_page,
    words,
)
from device.console.people import PeopleRoutes
from device.console.questions import QuestionRoutes, ThrowRoutes
from device.console.settings import SettingsApi
from device.console.setup import SetupApi
from device.console.tournament import TournamentPages
from device.films import FilmNotKept
from device.maintenance import Maintenance
from device.odds import TellsOdds
from device.options import agreed_values, describe_agreement
from device.people.people import People
from device.reports.asking import TellsHistory
from device.requests import (
    AnswerQuestion,
    Declined,
    HandRequest,
    MaintenanceRequest,
    MoveDice,
    PeopleRequest,
    PressButton,
    Reply,
    SessionRequest,
    SettingsRequest,
    SetupRequest,
)
from device.settings_shown import OwnSettings
from device.setup import SetupWizard
from engine.rulebooks import rulebook
from engine.wording import phrase

FOR_BOX = [each for each in get_args(SessionRequest | HandRequest) if each is not AnswerQuestion]
"""What pages ask of box and hand. What a hall's desk answers comes by a door of its own."""
FEW = 4
"""How many pages get each picture as it is; for more, pictures are drawn as often as one page looks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsoleSettings:
    """The console's own times."""

    beat_s: float = 10.0
    """Silence on the live feed after which the box says that it is still there."""
    pace_s: float = 0.04
    """Least time between two snapshots to one page."""
    hold_s: float = 5.0
    """A button held longer than this from a page is let go: the phone has gone."""
    clock_s: Callable[[], float] = time.monotonic
    """The steady clock of the live feed."""
    doors: Doors = field(default_factory=lambda: Doors(own_name=socket.gethostname()))
    people: People = field(default_factory=People)
    """Who may do what."""
    odds: TellsOdds | None = None
    """Tells the odds; None where pages show none."""
    history: TellsHistory | None = None
    """Tells what was played; None where pages show nothing of it."""
    sets_up: SetupWizard | None = None
    """Sets the box up; None where pages do not."""
    own_settings: OwnSettings | None = None
    """The owner's settings; None where pages do not change them."""
    maintenance: Maintenance | None = None
    """How the box itself is; None where pages show nothing of it."""
    uplink_word: str = ""
    """What the box's own uplink says to answer for a hall's desk; "" where no desk may answer."""


class _Console:
    """The addresses' functions, all asking one desk."""

    def __init__(self, box: BoxApi, settings: ConsoleSettings, hand: Hand | None) -> None:
        self.box = box
        self.hand = hand
        self.settings = settings
        self.feed = SnapshotFeed(
            box, beat_s=settings.beat_s, pace_s=settings.pace_s, clock_s=settings.clock_s
        )
        self.drawn: tuple[float, tuple[int, bytes] | None] = (0.0, None)
        """The last picture that was asked for, and when."""
        self.buttons = ButtonHolds(box, settings.hold_s)

    async def events(self, request: Request) -> Response:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        address = request.client.host if request.client else ""
        return StreamingResponse(self.feed.stream(address), media_type="text/event-stream", headers=headers)

    async def state(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        return Response(msgspec.json.encode(self.feed.newest()), media_type="application/json")

    async def health(self, request: Request) -> Response:
        """For this machine alone: a press is a turn of the table's, so the count tells of secret bets."""
        if not peer_is_here(request.scope):
            return answer(
                False, phrase("How the box is it tells only at the box: callbox health."), status=403
            )
        return Response(msgspec.json.encode(self.box.moves()), media_type="application/json")

    async def picture(self, request: Request) -> Response:
        newest = await self._drawn()
        if newest is None:
            return Response(status_code=204)
        number, jpeg = newest
        headers = {"etag": f'"{number}"', "callbox-next-ms": str(self.feed.next_look_ms)}
        if request.headers.get("if-none-match") == headers["etag"]:
            return Response(status_code=304, headers=headers)
        return Response(jpeg, media_type="image/jpeg", headers=headers)

    async def _drawn(self) -> tuple[int, bytes] | None:
        """The newest picture; where more than a few look, one drawing does for all who ask soon."""
        now_s = self.settings.clock_s()
        drawn_s, drawn = self.drawn
        if self.feed.watching <= FEW or drawn is None or now_s >= drawn_s + LOOK_MS / 1000:
            drawn = await run_in_threadpool(self.box.picture)
            self.drawn = now_s, drawn
        return drawn

    async def reading(self, request: Request) -> Response:
        jpeg = await run_in_threadpool(self.box.reading_picture, *_asked_of(request))
        if jpeg is None:
            return answer(False, phrase("That picture is not kept any more."), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def evidence(self, request: Request) -> Response:
        jpeg = await run_in_threadpool(self.box.evidence, *_asked_of(request))
        if jpeg is None:
            return answer(False, phrase("That close-up is not kept any more."), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def film(self, request: Request) -> Response:
        """Whole or in parts: a phone asks for a film in parts."""
        try:
            path = await run_in_threadpool(self.box.film, *_asked_of(request))
        except FilmNotKept as error:
            return answer(False, str(error), status=404)
        if path is None:
            return answer(False, phrase("That film is not kept any more."), status=404)
        return FileResponse(path, media_type="video/mp4")

    async def odds(self, request: Request) -> Response:
        """The odds of the position that pages see, without secrets; `?allowed`: only whether any are told."""
        game, tells = self.feed.newest().game, self.settings.odds
        if tells is None or game is None or "allowed" in request.query_params:
            return Response(msgspec.json.encode({"shown": tells is not None}), media_type="application/json")
        found = await run_in_threadpool(tells.ask, game.line)
        told = {"shown": True, "line": game.line, "choices": found}
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def rules(self, _: Request) -> Response:
        """The rules of the running game in short, and what was agreed for it."""
        game = self.feed.newest().game
        if game is None:
            return answer(False, phrase("No game is at the table."), status=404)
        book = rulebook(game.game)
        agreed = agreed_values(book, game.line, game.options)
        told = {"brief": book.explain(agreed), "agreed": describe_agreement(book, agreed)}
        return Response(msgspec.json.encode(told), media_type="application/json")

    async def qr(self, request: Request) -> Response:
        address = self.box.snapshot().address or f"http://{request.headers['host']}/"
        asked = request.query_params
        if (game := asked.get("game", "")).isdecimal():
            address = f"{address.rstrip('/')}/games/{game[:20]}"
        elif "play" in asked or "player" in asked:
            address = page_link(address, asked.get("player", ""), key=self.settings.people.seal.public)
        code = await run_in_threadpool(qr_svg, address)
        return Response(code, media_type="image/svg+xml")

    async def aside(self, request: Request) -> Response:  # noqa: ARG002 - there is one at most
        lines = await run_in_threadpool(self.box.export_aside)
        if lines is None:
            return answer(False, phrase("No game that can be read is set aside."), status=404)
        headers = {"content-disposition": 'attachment; filename="callbox-set-aside.jsonl"'}
        return Response(lines, media_type="application/jsonl", headers=headers)

    async def do(self, asked: SessionRequest | HandRequest, post: Post) -> Reply:
        """Have done what somebody asks who may: by the session, or by a simulated table's players."""
        if isinstance(asked, PressButton):
            return await self.buttons.press(asked, post.who)
        if not isinstance(asked, HandRequest):
            return await asyncio.to_thread(self.box.request, asked, post.who)
        if self.hand is not None:
            return await asyncio.to_thread(self.hand.request, asked)
        if isinstance(asked, MoveDice):
            return Declined(phrase("This is a real table: throw the dice by hand."))
        return Declined(phrase("This is a real table: move dice and cards by hand."))


def _asked_of(request: Request) -> tuple[int, int | None]:
    """The number of the reading whose picture or film a page wants, and its game.

    A page names the game, for by the time that its question comes the next one may have begun; None where it
    does not: then the shown game is meant.
    """
    game, _, _ = request.query_params.get("of", "").partition("/")
    return request.path_params["number"], game_number(game) or None


def make_app(box: BoxApi, settings: ConsoleSettings | None = None, hand: Hand | None = None) -> Starlette:
    """The console of one box; `server.ConsoleServer` calls what is in `app.state.when_closing` as it stops.

    `hand` is a simulated table's; a real table has none.
    """
    settings = settings or ConsoleSettings()
    console = _Console(box, settings, hand)
    people = PeopleRoutes(settings.people, box)
    authorizer = Authorizer(settings.people, box)
    throws = ThrowRoutes(box, console.feed)
    maintenance = MaintenanceApi(settings.maintenance)
    looks, presses = limits()
    app = Starlette(
        routes=[
            *_to_look_at(console, people, throws),
            *QuestionRoutes(box, console.feed, throws, settings.uplink_word).routes(),
            *HistoryPages(settings.history).routes(),
            *TournamentPages(box.tournament).routes(),
            *authorizer.routes(FOR_BOX, console.do),
            *authorizer.routes(get_args(PeopleRequest), people.do),
            *authorizer.routes(get_args(SetupRequest), SetupApi(settings.sets_up).do),
            *authorizer.routes(get_args(SettingsRequest), SettingsApi(settings.own_settings).do),
            *authorizer.routes(get_args(MaintenanceRequest), maintenance.do),
            *maintenance.routes(),
        ],
        middleware=[Middleware(Queue, looks, presses), Middleware(Guard, settings.doors)],
        exception_handlers={BadBody: bad_body, HTTPException: missing_page},
    )
    app.state.when_closing = (console.feed.close, looks.open, presses.open)
    return app


def _to_look_at(console: _Console, people: PeopleRoutes, throws: ThrowRoutes) -> list[BaseRoute]:
    """What pages ask for."""

    def get(path: str, function: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, function, methods=["GET"])

    def get_smaller(path: str, function: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, function, methods=["GET"], middleware=SMALLER)

    return [
        get_smaller("/", table_page),
        get_smaller("/play", player_page),
        get("/events", console.events),
        get("/state", console.state),
        get("/health", console.health),
        get("/picture.jpg", console.picture),
        get("/reading/{number:number}.jpg", console.reading),
        get("/evidence/{number:number}.jpg", console.evidence),
        get("/film/{number:number}.mp4", console.film),
        get("/odds", console.odds),
        get("/rules", console.rules),
        get("/throws", throws.throws),
        get("/qr.svg", console.qr),
        get("/aside.jsonl", console.aside),
        get("/box", people.box),
        get("/persons", people.everybody),
        get_smaller("/setup", setup_page),
        get_smaller("/settings", settings_page),
        get_smaller("/maintenance", maintenance_page),
        get_smaller("/words.js", words),
        get_smaller("/rulebooks.js", rulebooks),
        Mount("/static", PageFiles(directory=STATIC), middleware=SMALLER),
    ]
