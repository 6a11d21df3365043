"""The console's addresses for a tournament: the bracket for everybody, and what a host does with it."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import EmptyBody, OptionsBody, Word, answer, body, told
from device.console.post import Post, PostRoom
from device.desk import Desk
from device.tournaments.shown import TournamentShown
from device.tournaments.steps import TournamentAgreed
from device.tournaments.telling import tournament_csv, tournament_json
from engine.tournament import TournamentFormat
from engine.wording import phrase, phrase_later

BUSY = phrase_later("The box is busy. Try again.")
Number = Annotated[int, msgspec.Meta(ge=1, le=9999)]


class DrawBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A tournament to draw."""

    title: Word
    kind: TournamentFormat
    players: Annotated[tuple[Word, ...], msgspec.Meta(min_length=1, max_length=64)]
    game: Word
    options: OptionsBody = {}
    goal: Annotated[int, msgspec.Meta(ge=0, le=999)] = 0


class WhichMatchBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match to begin."""

    match: Number


class TakeMatchBackBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A match that is not to count."""

    match: Number
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class TournamentPages:
    """The addresses' functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self, room: PostRoom) -> list[BaseRoute]:
        """The addresses; the post room holds each post against who may do it."""

        def post(path: str, function: Callable[[Request], Awaitable[Response]]) -> Route:
            return Route(path, room.takes(path, function), methods=["POST"])

        return [
            Route("/tournament", self.bracket, methods=["GET"]),
            Route("/tournament.csv", self.csv, methods=["GET"]),
            Route("/tournament.jsonl", self.jsonl, methods=["GET"]),
            post("/tournament/draw", self.draw),
            post("/tournament/begin", self.begin),
            post("/tournament/take-back", self.take_back),
            post("/tournament/close", self.close),
        ]

    async def bracket(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The newest tournament, as pages draw it."""
        return await self._shown(told)

    async def csv(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Its matches for a spreadsheet."""
        return await self._shown(lambda shown: _file("csv", "text/csv", tournament_csv(shown)))

    async def jsonl(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Matches and standings for other programs, a JSON object a line."""
        return await self._shown(
            lambda shown: _file(
                "jsonl", "application/jsonl", "".join(f"{line}\n" for line in tournament_json(shown))
            ),
        )

    async def draw(self, request: Request) -> Response:
        """A new tournament."""
        asked = body(request, DrawBody)
        agreed = TournamentAgreed(
            title=asked.title.strip(),
            kind=asked.kind,
            players=tuple(each.strip() for each in asked.players),
            game=asked.game,
            options=asked.options,
            goal=asked.goal,
        )
        return told(await asyncio.to_thread(self._for(request).draw_tournament, agreed))

    async def begin(self, request: Request) -> Response:
        """The next match is played now."""
        asked = body(request, WhichMatchBody)
        return told(await asyncio.to_thread(self._for(request).begin_match, asked.match))

    async def take_back(self, request: Request) -> Response:
        """A match does not count."""
        asked = body(request, TakeMatchBackBody)
        return told(await asyncio.to_thread(self._for(request).take_match_back, asked.match, asked.reason))

    async def close(self, request: Request) -> Response:
        """The tournament is over."""
        body(request, EmptyBody)
        return told(await asyncio.to_thread(self._for(request).close_tournament))

    async def _shown(self, make: Callable[[TournamentShown], Response]) -> Response:
        try:
            return make(await run_in_threadpool(self._desk.tournament))
        except TimeoutError:
            return answer(False, phrase(BUSY), status=503)

    def _for(self, request: Request) -> Desk:
        post: Post = request.state.post
        return self._desk.asked_by(post.who)


def _file(ending: str, media: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="callbox-tournament.{ending}"'}
    return Response(text.encode(errors="backslashreplace"), media_type=media, headers=headers)
