"""The web console: every address it answers at, and what each may ask of the desk.

How it works. The page is static; what it shows comes as snapshots (`/events`, or once at `/state`), and what
people do goes to the desk as JSON. The console knows no rule and keeps no state but which fingers are on the
panel. The desk may take its time (the journal writes to a disk), so it is asked on a worker thread. What
people do has threads of its own (the event loop's), so that a slow disk behind a film holds up no press.
"""

import asyncio
import socket
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route

from device.console.answers import (
    ActBody,
    BadBody,
    BetBody,
    ChoiceBody,
    EmptyBody,
    GameBody,
    PinBody,
    WhichGameBody,
    answer,
    bad_body,
    body,
    no_such,
)
from device.console.called import CalledPages
from device.console.codes import page_link, qr_svg
from device.console.feed import LOOK_MS, SnapshotFeed
from device.console.fingers import Fingers
from device.console.guard import Doors, Guard, peer_is_here
from device.console.history import HistoryPages
from device.console.judging import JudgingDesk
from device.console.pages import (
    SMALLER,
    STATIC,
    PageFiles,
    player_page,
    rulebooks,
    table_page,
    words,
)
from device.console.people import PeopleDesk
from device.console.persons import PersonsDesk
from device.console.pin_queue import PinQueue
from device.console.post import Post, PostRoom
from device.console.questions import QuestionDesk
from device.console.setup import SetupPages
from device.console.signing import SigningDesk
from device.console.throws import ThrowsDesk
from device.console.tournament import TournamentPages
from device.console.turns import Queue, gates
from device.desk import Answer, Desk, Hand, Tending
from device.films import FilmNotKept
from device.odds import TellsOdds
from device.options import agreed_values, describe_agreement
from device.people.people import People
from device.reports.asking import TellsHistory
from device.setup import SetsUp
from engine.rulebooks import rulebook
from engine.wording import phrase

BUTTONS = ("bet1", "bet2", "bet3", "bet4", "stop", "cache", "roll_done", "undo")
"""The panel's buttons, by the names of their pins in callbox.toml."""

_BUTTON_NAMES = frozenset(BUTTONS)
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
    sets_up: SetsUp | None = None
    """Sets the box up; None where pages do not."""
    teller_word: str = ""
    """What the box's own teller says to answer for a hall's desk; "" where no desk may answer."""


class _Console:
    """The addresses' functions, all asking one desk."""

    def __init__(self, desk: Desk, settings: ConsoleSettings, hand: Hand | None) -> None:
        self.desk = desk
        self.hand = hand
        self.settings = settings
        self.feed = SnapshotFeed(
            desk, beat_s=settings.beat_s, pace_s=settings.pace_s, clock_s=settings.clock_s
        )
        self.drawn: tuple[float, tuple[int, bytes] | None] = (0.0, None)
        """The last picture that was asked for, and when."""
        self.fingers = Fingers()
        self.pins = asyncio.Lock()
        self.timers: dict[tuple[str, str], asyncio.TimerHandle] = {}
        self.tired: set[asyncio.Task[None]] = set()

    def desk_of(self, request: Request) -> Desk:
        """The desk, for the person who asks."""
        post: Post = request.state.post
        return self.desk.asked_by(post.who)

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
        return Response(msgspec.json.encode(self.desk.moves()), media_type="application/json")

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
            drawn = await run_in_threadpool(self.desk.picture)
            self.drawn = now_s, drawn
        return drawn

    async def reading(self, request: Request) -> Response:
        jpeg = await run_in_threadpool(self.desk.reading_picture, request.path_params["reading_id"])
        if jpeg is None:
            return answer(False, phrase("That picture is not kept any more."), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def evidence(self, request: Request) -> Response:
        jpeg = await run_in_threadpool(self.desk.evidence, request.path_params["number"])
        if jpeg is None:
            return answer(False, phrase("That close-up is not kept any more."), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def film(self, request: Request) -> Response:
        """Whole or in parts: a phone asks for a film in parts."""
        try:
            path = await run_in_threadpool(self.desk.film, request.path_params["number"])
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
        address = self.desk.snapshot().address or f"http://{request.headers['host']}/"
        asked = request.query_params
        if "play" in asked or "player" in asked:
            address = page_link(address, asked.get("player", ""), key=self.settings.people.seal.public)
        code = await run_in_threadpool(qr_svg, address)
        return Response(code, media_type="image/svg+xml")

    async def pin(self, request: Request) -> Response:
        button = request.path_params["button"]
        asked = body(request, PinBody)
        if button not in _BUTTON_NAMES:
            text = phrase(
                "The panel has no button {button!r}; it has {buttons}.",
                button=button[:40],
                buttons=", ".join(BUTTONS),
            )
            return answer(False, text, status=404)
        async with self.pins:  # one edge after the other, in the order in which they came
            if not asked.down:
                return _said(await self._lift(button, asked.finger))
            if not self.fingers.put(button, asked.finger):
                return answer(True)
            said = await asyncio.to_thread(self.desk_of(request).press, button, True)
            if not said.ok:
                self.fingers.lift(button, asked.finger)
                return _said(said)
            loop = asyncio.get_running_loop()
            late = loop.call_later(self.settings.hold_s, self._tire, button, asked.finger)
            self.timers[button, asked.finger] = late
        return _said(said)

    async def _lift(self, button: str, finger: str) -> Answer:
        timer = self.timers.pop((button, finger), None)
        if timer is not None:
            timer.cancel()
        if not self.fingers.lift(button, finger):
            return Answer(True)
        return await asyncio.to_thread(self.desk.press, button, False)

    def _tire(self, button: str, finger: str) -> None:
        async def let_go() -> None:
            async with self.pins:
                await self._lift(button, finger)

        task = asyncio.get_running_loop().create_task(let_go())
        self.tired.add(task)  # the loop itself keeps tasks only weakly
        task.add_done_callback(self.tired.discard)

    async def bet(self, request: Request) -> Response:
        asked = body(request, BetBody)
        return _said(await asyncio.to_thread(self.desk_of(request).bet, asked.player, asked.dots))

    async def choose(self, request: Request) -> Response:
        asked = body(request, ChoiceBody)
        return _said(await asyncio.to_thread(self.desk_of(request).choose, asked.choice, asked.words))

    async def game(self, request: Request) -> Response:
        asked = body(request, GameBody)
        return _said(
            await asyncio.to_thread(self.desk_of(request).start, asked.game, asked.players, asked.options)
        )

    async def pause(self, request: Request) -> Response:
        return await self._tend(request, "pause")

    async def go_on(self, request: Request) -> Response:
        return await self._tend(request, "go on")

    async def put_away(self, request: Request) -> Response:
        return await self._tend(request, "put away")

    async def take_up(self, request: Request) -> Response:
        return await self._tend(request, "take up")

    async def abandon(self, request: Request) -> Response:
        return await self._tend(request, "abandon")

    async def _tend(self, request: Request, what: Tending) -> Response:
        asked = body(request, WhichGameBody)
        return _said(await asyncio.to_thread(self.desk_of(request).tend, what, asked.game_id))

    async def restore(self, request: Request) -> Response:
        body(request, EmptyBody)
        return _said(await asyncio.to_thread(self.desk_of(request).restore))

    async def aside(self, request: Request) -> Response:  # noqa: ARG002 - there is one at most
        lines = await run_in_threadpool(self.desk.export_aside)
        if lines is None:
            return answer(False, phrase("No game that can be read is set aside."), status=404)
        headers = {"content-disposition": 'attachment; filename="callbox-set-aside.jsonl"'}
        return Response(lines, media_type="application/jsonl", headers=headers)

    async def no_hand(self, request: Request) -> Response:
        body(request, EmptyBody)
        return _said(await asyncio.to_thread(self.desk_of(request).no_hand))

    async def act(self, request: Request) -> Response:
        asked = body(request, ActBody)
        if self.hand is None:
            return answer(False, phrase("This is a real table: throw the dice by hand."))
        return _said(await asyncio.to_thread(self.hand.act, asked.act))

    async def carry_out(self, request: Request) -> Response:
        asked = body(request, ChoiceBody)
        if self.hand is None:
            return answer(False, phrase("This is a real table: move dice and cards by hand."))
        return _said(await asyncio.to_thread(self.hand.carry_out, asked.choice, asked.words))


def _said(said: Answer) -> Response:
    return answer(said.ok, said.text)


def make_app(desk: Desk, settings: ConsoleSettings | None = None, hand: Hand | None = None) -> Starlette:
    """The console for one desk; `server.ConsoleServer` calls what is in `app.state.when_closing` as it stops.

    `hand` is a simulated table's, which has its own door; a real table has none.
    """
    settings = settings or ConsoleSettings()
    console = _Console(desk, settings, hand)
    pins = PinQueue()
    people = PeopleDesk(settings.people, desk, pins)
    room = PostRoom(settings.people, desk)
    throws = ThrowsDesk(desk, console.feed)
    looks, presses = gates()
    app = Starlette(
        routes=[
            *_to_look_at(console, people, throws),
            *QuestionDesk(desk, console.feed, throws, settings.teller_word).routes(),
            *HistoryPages(settings.history).routes(),
            *SetupPages(settings.sets_up, room).routes(),
            *_to_do(console, people, room),
            *JudgingDesk(desk).routes(room),
            *SigningDesk(desk).routes(room),
            *PersonsDesk(settings.people, pins).routes(room),
            *TournamentPages(desk).routes(room),
            *CalledPages(desk).routes(room),
        ],
        middleware=[Middleware(Queue, looks, presses), Middleware(Guard, settings.doors)],
        exception_handlers={BadBody: bad_body, HTTPException: no_such},
    )
    app.state.when_closing = (console.feed.close, looks.open, presses.open)
    return app


def _to_look_at(console: _Console, people: PeopleDesk, throws: ThrowsDesk) -> list[BaseRoute]:
    """What pages ask for."""

    def get(path: str, function: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, function, methods=["GET"])

    return [
        get("/", table_page),
        get("/play", player_page),
        get("/events", console.events),
        get("/state", console.state),
        get("/health", console.health),
        get("/picture.jpg", console.picture),
        get("/reading/{reading_id:number}.jpg", console.reading),
        get("/evidence/{number:number}.jpg", console.evidence),
        get("/film/{number:number}.mp4", console.film),
        get("/odds", console.odds),
        get("/rules", console.rules),
        get("/throws", throws.throws),
        get("/qr.svg", console.qr),
        get("/aside.jsonl", console.aside),
        get("/box", people.box),
        Route("/words.js", words, methods=["GET"], middleware=SMALLER),
        Route("/rulebooks.js", rulebooks, methods=["GET"], middleware=SMALLER),
        Mount("/static", PageFiles(directory=STATIC), middleware=SMALLER),
    ]


def _to_do(console: _Console, people: PeopleDesk, room: PostRoom) -> list[BaseRoute]:
    """What people do; each is opened, and held against who may do it, by the post room."""

    def post(path: str, function: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, room.takes(path, function), methods=["POST"])

    return [
        post("/me", people.me),
        post("/sign-in", people.sign_in),
        post("/leave", people.leave),
        post("/sit", people.sit),
        post("/seats", people.seats),
        post("/seats/back", people.take_back),
        post("/pins/{button}", console.pin),
        post("/bets", console.bet),
        post("/choices", console.choose),
        post("/games", console.game),
        post("/games/pause", console.pause),
        post("/games/go-on", console.go_on),
        post("/games/put-away", console.put_away),
        post("/games/take-up", console.take_up),
        post("/games/abandon", console.abandon),
        post("/restore", console.restore),
        post("/no-hand", console.no_hand),
        post("/hand/acts", console.act),
        post("/hand/choices", console.carry_out),
    ]
