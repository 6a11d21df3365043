"""The desk's addresses for a referee: what waits at a table with its pictures, signing in, and answering.

Everybody in the hall's network may look. To answer takes the desk's own PIN (`callbox desk pin`), sealed in
the page as on a box's console; wrong ones are counted, and a page is known by its key.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, ClassVar, Protocol, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console import Authorizer, BoxTold, PeopleRoutes, Post, answer, respond
from device.decode import Undecodable, decode_json
from device.hall.ingest import NOT_CONNECTED, TableSpeaks
from device.people.people import People
from device.people.permissions import Permission
from device.people.pin_sessions import PinWords
from device.requests import AnswerQuestion, Declined, Done, Reply, SignIn, SignOut, WhoAmI
from device.shown.questions import QuestionReply
from device.shown.snapshot import Snapshot
from device.venue.messages import (
    LARGEST_PICTURE_BYTES,
    LOOKED_S,
    AsksPiece,
    AsksQuestion,
    AsksToAnswer,
    BoxShows,
    DeskAsks,
    ShowsDone,
    ShowsNothing,
    ShowsPiece,
    ShowsQuestion,
)
from engine.wording import phrase, phrase_later

# What the desk asks of a box while somebody at the desk looks at its question; and a referee's answer to
# it.
#
# The desk keeps a question and its pictures in memory alone, and no longer than somebody looks. What it
# asks goes to one box, encrypted with that box's key, for one start of that box, with a number
# (`device.venue.messages`).

FRESH_S = 5.0
"""A question is asked for anew after this, and at once when its table shows something new."""
PATIENCE_S = 12.0
"""A box on a slow network has so long."""
VIEWED = 64
"""More tables are not looked at at a time."""
WITH_PICTURES = 8
"""The pictures of so many tables are kept; the one looked at longest ago loses its own for another."""
BROKER_AWAY = phrase_later("The desk's broker does not answer now. Try again in a moment.")
SILENT = phrase_later(
    "{name} does not answer. Its box may be busy, or its Callbox older than the desk's. Look at the table."
)
NOT_KNOWN = phrase_later(
    "{name} did not say whether it took the answer. Look at what waits there now before you answer again."
)
NO_TABLE = phrase_later("There is no such table any more.")
TOO_MANY = phrase_later("Too many tables are looked at now. Try again in a moment.")
TOO_LARGE = phrase_later("That picture is too large for the desk. Look at the table.")


class QuestionUnavailable(Exception):
    """A box does not show what was asked for. `str(error)` says why, in a sentence."""


class AsksTables(Protocol):
    """As `device.hall.ingest.Ingest` does."""

    def speaks(self, box: str) -> TableSpeaks | None:
        """Who speaks for a table now; None where there is no such table."""
        ...

    def ask(self, box: str, body: bytes) -> bool:
        """Send that to a box, encrypted and sealed with its key; False where it cannot be sent."""
        ...


@dataclass(slots=True)
class _Viewed:
    """A table at whose question somebody looks. Times are seconds of a steady clock."""

    number: int
    """The last one given to a message."""
    turn: threading.Lock = field(default_factory=threading.Lock)
    """Held while a message gets its number and leaves: so they leave in that order."""
    looking: threading.Lock = field(default_factory=threading.Lock)
    pulling: threading.Lock = field(default_factory=threading.Lock)
    told: QuestionReply | None = None
    by: object = None
    """What the table showed when that was asked."""
    asked_s: float = float("-inf")
    looked_s: float = float("-inf")
    pictures: dict[str, bytes] = field(default_factory=dict)
    """By their addresses at the box."""
    waiting: dict[int, Future[BoxShows]] = field(default_factory=dict)


class HallQuestions:
    """Questions of all tables. For any thread; whoever asks waits for the box."""

    def __init__(
        self,
        tables: AsksTables,
        clock_s: Callable[[], float] = time.monotonic,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._tables, self._clock_s, self._patience_s = tables, clock_s, patience_s
        self._viewed: dict[str, _Viewed] = {}
        self._lock = threading.Lock()

    def hear(self, box: str, body: bytes) -> None:
        """A box shows something; that it is that box was looked after."""
        try:
            shows: BoxShows = decode_json(body, BoxShows)
        except Undecodable:
            return  # whoever waits for it is told that no answer came
        viewed, speaks = self._viewed.get(box), self._tables.speaks(box)
        if viewed is None or speaks is None or shows.run != speaks.run:
            return
        future = viewed.waiting.pop(shows.number, None)
        if future is not None:
            future.set_result(shows)

    def look(self, box: str) -> QuestionReply:
        """What waits at a table; raises `QuestionUnavailable`. Somebody looks from now on for a while."""
        speaks, viewed = self._speaking(box), self._view(box)
        viewed.looked_s = self._clock_s()
        with viewed.looking:
            now_s = self._clock_s()
            if viewed.told is not None and viewed.by is speaks.seen and now_s < viewed.asked_s + FRESH_S:
                return viewed.told
            shows = self._ask(box, AsksQuestion)
            if not isinstance(shows, ShowsQuestion):
                raise QuestionUnavailable(phrase(SILENT, name=speaks.name))
            if shows.told.question != (viewed.told and viewed.told.question):
                viewed.pictures = {}
            viewed.told, viewed.by, viewed.asked_s = shows.told, speaks.seen, now_s
            return shows.told

    def picture(self, box: str, question: str, place: int) -> bytes:
        """One of a question's pictures as JPEG, by its place there; raises `QuestionUnavailable`."""
        speaks, viewed = self._speaking(box), self._view(box)
        viewed.looked_s = self._clock_s()
        waits = viewed.told.question if viewed.told else None
        if waits is None or waits.id != question or not 0 <= place < len(waits.pictures):
            raise QuestionUnavailable(phrase("That picture belongs to no question that waits."))
        address = waits.pictures[place].address
        with viewed.pulling:
            if address not in viewed.pictures:
                viewed.pictures[address] = self._pulled(box, speaks.name, question, address)
                self._make_room()
            return viewed.pictures[address]

    def answer(self, box: str, asked: AnswerQuestion, by: str) -> Reply:
        """Have the box take a referee's answer; returns its reply."""
        fields, name = (asked.question, asked.choice, asked.words, asked.dice), ""
        try:
            name = self._speaking(box).name
            shows = self._ask(box, lambda run, number: AsksToAnswer(*fields, run=run, number=number, by=by))
        except _NoReply:
            return Declined(phrase(NOT_KNOWN, name=name))
        except QuestionUnavailable as why:
            return Declined(str(why))
        finally:
            self._view(box).asked_s = float("-inf")
        if not isinstance(shows, ShowsDone):
            return Declined(phrase(NOT_KNOWN, name=name))
        return Done(shows.text) if shows.ok else Declined(shows.text)

    def forget(self) -> None:
        """Keep nothing of tables at which nobody looks any more."""
        end_s = self._clock_s() - LOOKED_S
        with self._lock:
            self._viewed = {box: each for box, each in self._viewed.items() if each.looked_s > end_s}

    def _view(self, box: str) -> _Viewed:
        with self._lock:
            if box not in self._viewed:
                if len(self._viewed) >= VIEWED:
                    raise QuestionUnavailable(phrase(TOO_MANY))
                # Rises also from one start of the desk to the next.
                self._viewed[box] = _Viewed(time.time_ns() // 1_000_000, looked_s=self._clock_s())
            return self._viewed[box]

    def _make_room(self) -> None:
        """The pictures of the tables looked at last stay."""
        with self._lock:
            shown = [each for each in self._viewed.values() if each.pictures]
        for each in sorted(shown, key=lambda one: one.looked_s)[:-WITH_PICTURES]:
            each.pictures = {}

    def _speaking(self, box: str) -> TableSpeaks:
        speaks = self._tables.speaks(box)
        if speaks is None:
            raise QuestionUnavailable(phrase(NO_TABLE))
        if not speaks.online:
            raise QuestionUnavailable(phrase(NOT_CONNECTED, name=speaks.name))
        return speaks

    def _pulled(self, box: str, name: str, question: str, address: str) -> bytes:
        """A whole picture, piece by piece."""
        whole, size = b"", 1
        while len(whole) < size:
            offset = len(whole)
            shows = self._ask(
                box,
                lambda run, number, at=offset: AsksPiece(run, number, question, address, at),  # type: ignore[misc]
            )
            if not isinstance(shows, ShowsPiece) or shows.offset != offset or not shows.data:
                raise QuestionUnavailable(phrase(SILENT, name=name))
            whole, size = whole + shows.data, shows.size
            if max(size, len(whole)) > LARGEST_PICTURE_BYTES:
                raise QuestionUnavailable(phrase(TOO_LARGE))
        return whole

    def _ask(self, box: str, make: Callable[[str, int], DeskAsks]) -> BoxShows:
        """What the box shows to that message; raises `QuestionUnavailable`."""
        viewed, text = self._view(box), ""
        for _ in range(2):
            speaks, future = self._speaking(box), Future[BoxShows]()
            with viewed.turn:
                viewed.number = number = viewed.number + 1
                viewed.waiting[number] = future
                sent = self._tables.ask(box, msgspec.json.encode(make(speaks.run, number)))
            try:
                if not sent:
                    raise QuestionUnavailable(phrase(BROKER_AWAY))
                shows = future.result(self._patience_s)
            except TookTooLong:
                raise _NoReply(phrase(SILENT, name=speaks.name)) from None
            finally:
                viewed.waiting.pop(number, None)
            if not isinstance(shows, ShowsNothing):
                return shows
            text = shows.text
            if shows.last < number:
                break
            viewed.number = max(viewed.number, shows.last)  # another desk's clock was ahead
        raise QuestionUnavailable(text)


class _NoReply(QuestionUnavailable):
    """The box said nothing: what was asked may have been done all the same."""


T = TypeVar("T")
AT_DESK = PinWords(
    none={
        "referee": phrase_later(
            "No PIN is set for the desk's referee. On the desk's machine: callbox desk pin."
        ),
        "host": phrase_later("At a hall's desk only a referee signs in."),
    },
    wrong={
        "referee": phrase_later(
            "That is not the PIN of the desk's referee. If it is forgotten, set a new one on the desk's "
            "machine: callbox desk pin."
        ),
        "host": phrase_later("At a hall's desk only a referee signs in."),
    },
)
ASKING = 8
"""How many requests wait for boxes at a time, on threads of their own."""
WAITING = 64
"""Further ones than these are told to come again."""


class AnswerForTable(AnswerQuestion, frozen=True, kw_only=True, forbid_unknown_fields=True, tag="answers"):
    """A referee at the desk answers what a table's box asks."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("answer for a table")
    table: Annotated[str, msgspec.Meta(max_length=40)]


class QuestionAtTable(msgspec.Struct, frozen=True):
    """What the page gets: what waits, or why that cannot be shown."""

    ok: bool
    text: str = ""
    told: QuestionReply | None = None


class NoGame:
    """The desk has no game of its own."""

    def snapshot(self) -> Snapshot:
        """An empty table."""
        return Snapshot()


def people_of_desk(folder: Path, tell: Callable[[str], None]) -> People:
    """Who may answer at the desk whose folder that is."""
    return People("tournament", folder, tell, words=AT_DESK)


class RefereePages:
    """The addresses' functions."""

    def __init__(self, questions: HallQuestions, people: People) -> None:
        self._questions, self._people = questions, people
        self._threads = ThreadPoolExecutor(ASKING, "asking")
        self._waiting = 0

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        authorizer, people = Authorizer(self._people, NoGame()), PeopleRoutes(self._people, NoGame())
        return [
            Route("/box", self.box, methods=["GET"]),
            Route("/tables/{table}/question", self.question, methods=["GET"]),
            Route("/tables/{table}/pictures/{place:number}.jpg", self.picture, methods=["GET"]),
            *authorizer.routes((WhoAmI, SignIn, SignOut), people.do),
            *authorizer.routes((AnswerForTable,), self.answers),
        ]

    async def box(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The desk's public key and its present word."""
        seal = self._people.seal
        return respond(BoxTold(seal.public, seal.word, "tournament", ("referee",)))

    async def question(self, request: Request) -> Response:
        """What waits at a table now."""
        table = request.path_params["table"]
        try:
            found = await self._ask_box(lambda: self._questions.look(table))
        except QuestionUnavailable as why:
            return respond(QuestionAtTable(False, str(why)))
        return respond(QuestionAtTable(True, told=found))

    async def picture(self, request: Request) -> Response:
        """One of the pictures; `?of=QUESTION`."""
        table, place = request.path_params["table"], request.path_params["place"]
        question = request.query_params.get("of", "")
        try:
            jpeg = await self._ask_box(lambda: self._questions.picture(table, question, place))
        except QuestionUnavailable as why:
            return answer(False, str(why), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def answers(self, asked: AnswerForTable, post: Post) -> Reply:
        """A referee answers for a table."""
        by = post.who.name or phrase("the referee")
        try:
            return await self._ask_box(lambda: self._questions.answer(asked.table, asked, by))
        except QuestionUnavailable as why:
            return Declined(str(why))

    async def _ask_box(self, ask: Callable[[], T]) -> T:
        """Ask a box on a thread of its own: the tables' page waits for none."""
        if self._waiting >= WAITING:
            raise QuestionUnavailable(phrase(TOO_MANY))
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """No more is asked."""
        self._threads.shutdown(wait=False, cancel_futures=True)
