"""The desk's addresses for its tournament: the bracket with its calls for pages, and files to take along."""

from collections.abc import Callable

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.hall.hall_cup import HallCupShown
from device.reports.pdf import make_pdf
from device.tournaments.shown import TournamentShown
from device.tournaments.telling import tell_tournament, tournament_csv, tournament_json


class HallTournamentPages:
    """The addresses' functions; nothing is changed by any."""

    def __init__(self, shown: Callable[[], HallCupShown]) -> None:
        """`shown`: the tournament as it is now; may be called from any thread."""
        self._shown = shown

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/tournament", self.cup, methods=["GET"]),
            Route("/tournament.csv", self.csv, methods=["GET"]),
            Route("/tournament.jsonl", self.jsonl, methods=["GET"]),
            Route("/tournament.pdf", self.pdf, methods=["GET"]),
        ]

    async def cup(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Calls, bracket and standings, as pages draw them."""
        headers = {"cache-control": "no-store"}
        return Response(msgspec.json.encode(self._shown()), media_type="application/json", headers=headers)

    async def csv(self, request: Request) -> Response:  # noqa: ARG002
        """Its matches for a spreadsheet."""
        return await self._file("csv", "text/csv", lambda shown: _bytes(tournament_csv(shown)))

    async def jsonl(self, request: Request) -> Response:  # noqa: ARG002
        """Matches and standings for other programs, a JSON object a line."""
        return await self._file(
            "jsonl",
            "application/jsonl",
            lambda shown: _bytes("".join(f"{line}\n" for line in tournament_json(shown))),
        )

    async def pdf(self, request: Request) -> Response:  # noqa: ARG002
        """A paper to pin up."""
        return await self._file(
            "pdf", "application/pdf", lambda shown: make_pdf(shown.title, tell_tournament(shown))
        )

    async def _file(self, ending: str, media: str, make: Callable[[TournamentShown], bytes]) -> Response:
        body = await run_in_threadpool(make, self._shown().tournament)
        headers = {"content-disposition": f'attachment; filename="callbox-tournament.{ending}"'}
        return Response(body, media_type=media, headers=headers)


def _bytes(text: str) -> bytes:
    return text.encode(errors="backslashreplace")
