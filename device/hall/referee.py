"""The desk's addresses for a referee: what waits at a table with its pictures, signing in, and answering.

Everybody in the hall's network may look. To answer takes the desk's own PIN (`callbox desk pin`), sealed in
the page as on a box's console; wrong ones are counted, and a page is known by its key.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, ClassVar, TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console import Authorizer, BoxTold, PeopleDesk, Post, answer, respond
from device.hall.answering import Answering, NotShown
from device.people.people import People
from device.people.permissions import Permission
from device.people.pin_sessions import PinWords
from device.requests import BoxRequest, Declined, Reply, SignIn, SignOut, WhoAmI
from device.shown.questions import DieAsked, QuestionTold
from device.shown.snapshot import Snapshot
from engine.wording import phrase, phrase_later

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


class AnswerForTable(BoxRequest, frozen=True, forbid_unknown_fields=True, tag="answers"):
    """A referee's answer for a table: one of those offered, or what the dice show."""

    permission: ClassVar[Permission] = "judge"
    verb: ClassVar[str] = phrase_later("answer for a table")
    table: Annotated[str, msgspec.Meta(max_length=40)]
    question: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    choice: Annotated[int, msgspec.Meta(ge=0, le=9999)] = 0
    words: Annotated[str, msgspec.Meta(max_length=400)] = ""
    dice: Annotated[tuple[DieAsked, ...], msgspec.Meta(max_length=40)] = ()


class QuestionAtTable(msgspec.Struct, frozen=True):
    """What the page gets: what waits, or why that cannot be shown."""

    ok: bool
    text: str = ""
    told: QuestionTold | None = None


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

    def __init__(self, answering: Answering, people: People) -> None:
        self._answering, self._people = answering, people
        self._threads = ThreadPoolExecutor(ASKING, "asking")
        self._waiting = 0

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        authorizer, people = Authorizer(self._people, NoGame()), PeopleDesk(self._people, NoGame())
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
            found = await self._ask_box(lambda: self._answering.look(table))
        except NotShown as why:
            return respond(QuestionAtTable(False, str(why)))
        return respond(QuestionAtTable(True, told=found))

    async def picture(self, request: Request) -> Response:
        """One of the pictures; `?of=QUESTION`."""
        table, place = request.path_params["table"], request.path_params["place"]
        question = request.query_params.get("of", "")
        try:
            jpeg = await self._ask_box(lambda: self._answering.picture(table, question, place))
        except NotShown as why:
            return answer(False, str(why), status=404)
        return Response(jpeg, media_type="image/jpeg")

    async def answers(self, asked: AnswerForTable, post: Post) -> Reply:
        """A referee answers for a table."""
        by, answered = post.who.name or phrase("the referee"), (asked.choice, asked.words)
        try:
            return await self._ask_box(
                lambda: self._answering.answer(asked.table, asked.question, by, answered, asked.dice)
            )
        except NotShown as why:
            return Declined(str(why))

    async def _ask_box(self, ask: Callable[[], T]) -> T:
        """Ask a box on a thread of its own: the tables' page waits for none."""
        if self._waiting >= WAITING:
            raise NotShown(phrase("Too many tables are looked at now. Try again in a moment."))
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, ask)
        finally:
            self._waiting -= 1

    def close(self) -> None:
        """No more is asked."""
        self._threads.shutdown(wait=False, cancel_futures=True)
