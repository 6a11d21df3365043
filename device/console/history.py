"""The console's pages of what was played: asked of a process beside the box, so that no press waits."""

import asyncio
from importlib.resources import files
from pathlib import Path
from typing import Literal

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from device.console.answers import answer
from device.films import is_whole
from device.reports.asking import HistoryAsked, HistoryTold, TellsHistory
from engine.wording import phrase, phrase_later

CSS = Path(str(files("device.reports"))) / "report.css"
MOST_GAME = 2**63 - 1
"""The largest number that a game in the journal can have."""
KEPT_HEADERS = {"cache-control": "max-age=86400"}
"""A picture that was read never changes."""
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
            Route("/games/{game:number}", self.game, methods=["GET"]),
            Route("/games/{game:number}.html", self.game_file, methods=["GET"]),
            Route("/pictures/{game:number}/{name}.jpg", self.picture, methods=["GET"]),
            Route("/films/{game:number}/{name}.mp4", self.film, methods=["GET"]),
        ]

    async def page(self, request: Request) -> Response:
        """What was played, as a page; a game has an address of its own."""
        if "game" in request.query_params:
            number = game_number(request.query_params["game"])
            return RedirectResponse(f"games/{number}") if number else _no_number(request)
        return await self._reply(request, "page")

    async def game(self, request: Request) -> Response:
        """One game step by step."""
        return await self._ask(HistoryAsked(game=request.path_params["game"]))

    async def game_file(self, request: Request) -> Response:
        """The same as a file to share; `?names=no` is one without names."""
        names = request.query_params.get("names") != "no"
        return await self._ask(HistoryAsked(form="file", game=request.path_params["game"], names=names))

    async def picture(self, request: Request) -> Response:
        """A picture that a throw was read from."""
        return await self._ask(_kept_asked(request, "picture"))

    async def film(self, request: Request) -> Response:
        """The film of a throw; whole or in parts."""
        return await self._ask(_kept_asked(request, "film"))

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
        query = request.query_params
        number = game_number(query.get("game", "0"))
        if number is None:
            return _no_number(request)
        question = HistoryAsked(
            form=form,
            game=number,
            evening=query.get("evening", "")[:10],
            player=query.get("player", "")[:40],
            every="all" in query,
        )
        return await self._ask(question)

    async def _ask(self, question: HistoryAsked) -> Response:
        if self._tells is None:
            return answer(False, phrase(NONE), status=404)
        async with self._one_by_one:
            told = await run_in_threadpool(self._tells.ask, question)
        if told is None:
            return answer(False, phrase(BUSY), status=503)
        if question.form in ("picture", "film"):
            return await run_in_threadpool(_kept_file, told)
        headers = {"content-disposition": f'attachment; filename="{told.name}"'} if told.name else {}
        return Response(told.body, status_code=told.status, media_type=told.media, headers=headers)


def _kept_file(told: HistoryTold) -> Response:
    """A picture, or a film that is as it was written."""
    path = Path(told.path)
    if not told.path:
        return answer(False, phrase("That picture is not kept any more."), status=404)
    if path.suffix == ".mp4" and not is_whole(path):
        return answer(False, phrase("That film is not kept any more."), status=404)
    return FileResponse(path, media_type=told.media, headers=KEPT_HEADERS)


def game_number(text: str) -> int | None:
    """A game's number, and 0 for none named; None for what is no number."""
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= MOST_GAME):
        return None
    return int(text)


def _no_number(request: Request) -> Response:
    number = request.query_params["game"][:40]
    return answer(False, phrase("A game has a number; got {number!r}.", number=number), status=404)


def _kept_asked(request: Request, form: Literal["picture", "film"]) -> HistoryAsked:
    asked = request.path_params
    return HistoryAsked(form=form, game=asked["game"], name=asked["name"][:30])
