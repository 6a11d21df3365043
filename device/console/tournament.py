"""The console's addresses of the tournament: its bracket for everybody, and files for other programs."""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.box_api import BoxApi
from device.console.answers import answer, respond
from device.tournaments.view import TournamentShown, tournament_csv, tournament_json
from engine.wording import phrase, phrase_later

BUSY = phrase_later("The box is busy. Try again.")


class TournamentPages:
    """The addresses' functions."""

    def __init__(self, box: BoxApi) -> None:
        self._box = box

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/tournament", self.bracket, methods=["GET"]),
            Route("/tournament.csv", self.csv, methods=["GET"]),
            Route("/tournament.jsonl", self.jsonl, methods=["GET"]),
        ]

    async def bracket(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """The newest tournament, as pages draw it."""
        return await self._reply(respond)

    async def csv(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Its matches for a spreadsheet."""
        return await self._reply(lambda shown: _file("csv", "text/csv", tournament_csv(shown)))

    async def jsonl(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Matches and standings for other programs, a JSON object a line."""
        return await self._reply(
            lambda shown: _file(
                "jsonl", "application/jsonl", "".join(f"{line}\n" for line in tournament_json(shown))
            ),
        )

    async def _reply(self, make: Callable[[TournamentShown], Response]) -> Response:
        try:
            return make(await run_in_threadpool(self._box.tournament))
        except TimeoutError:
            return answer(False, phrase(BUSY), status=503)


def _file(ending: str, media: str, text: str) -> Response:
    headers = {"content-disposition": f'attachment; filename="callbox-tournament.{ending}"'}
    return Response(text.encode(errors="backslashreplace"), media_type=media, headers=headers)
