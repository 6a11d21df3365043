"""The console's pages of what was played: asked of a process beside the box, so that no press waits."""

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import Literal

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import BaseRoute, Route

from device.console.answers import answer
from device.reports.asking import HistoryAsked, TellsHistory
from engine.wording import phrase, phrase_later

CSS = Path(str(files("device.reports"))) / "report.css"
MOST_GAME = 2**63 - 1
"""The largest number that a game in the journal can have."""
BUSY = phrase_later("The history cannot be told now. Try again in a moment.")
NONE = phrase_later("This console tells no history; callbox report does.")


class HistoryPages:
    """The addresses' functions."""

    def __init__(self, tells: TellsHistory | None) -> None:
        self._tells = tells
        self._one_by_one = asyncio.Lock()
        """However many ask, one thread waits for the answer, and the others stay free for pictures."""

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/history", self.page, methods=["GET"]),
            Route("/history.pdf", self.pdf, methods=["GET"]),
            Route("/history.csv", self.csv, methods=["GET"]),
            Route("/history.css", self.style, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """What was played, as a page."""
        return await self._reply(request, "page")

    async def pdf(self, request: Request) -> Response:
        """The same as a PDF."""
        return await self._reply(request, "pdf")

    async def csv(self, request: Request) -> Response:
        """The results for a spreadsheet."""
        return await self._reply(request, "csv")

    async def style(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """How these pages look."""
        return FileResponse(CSS, media_type="text/css", headers={"cache-control": "no-cache"})

    async def _reply(self, request: Request, form: Literal["page", "pdf", "csv"]) -> Response:
        if self._tells is None:
            return answer(False, phrase(NONE), status=404)
        query = request.query_params
        number = query.get("game", "0")
        if not (number.isascii() and number.isdigit() and len(number) < 20 and int(number) <= MOST_GAME):
            return answer(
                False, phrase("A game has a number; got {number!r}.", number=number[:40]), status=404
            )
        question = HistoryAsked(
            form=form,
            game=int(number),
            evening=query.get("evening", "")[:10],
            player=query.get("player", "")[:40],
            every="all" in query,
        )
        async with self._one_by_one:
            told = await run_in_threadpool(self._tells.ask, question)
        if told is None:
            return answer(False, phrase(BUSY), status=503)
        headers = {"content-disposition": f'attachment; filename="{told.name}"'} if told.name else {}
        return Response(told.body, status_code=told.status, media_type=told.media, headers=headers)
