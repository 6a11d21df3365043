"""The addresses of a tournament, at a box and at a hall's desk: its bracket, and files to take along."""

from collections.abc import Callable, Iterator
from functools import partial

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from device.console.answers import answer, respond, wants_page
from device.reports.blocks import Block
from device.tournaments import TournamentView, tournament_blocks, tournament_csv, tournament_json
from engine.wording import phrase, phrase_later

BUSY = phrase_later("The box is busy. Try again.")
MakesPdf = Callable[[str, Iterator[Block]], bytes]


class TournamentPages:
    """The addresses' functions; everybody gets the same, and nothing is changed by any."""

    def __init__(
        self,
        view: Callable[[], TournamentView],
        bracket: Callable[[], msgspec.Struct] | None = None,
        make_pdf: MakesPdf | None = None,
    ) -> None:
        """`view`: the newest tournament; may wait, and raise TimeoutError. `bracket`: what pages draw, where
        that is more. `make_pdf`: where there is a paper to pin up, too."""
        self._view, self._bracket = view, bracket or view
        self._files = {"csv": ("text/csv", _csv), "jsonl": ("application/jsonl", _jsonl)}
        if make_pdf is not None:
            self._files["pdf"] = ("application/pdf", partial(_paper, make_pdf))

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        files = [
            Route(f"/tournament.{ending}", partial(self.file, ending), methods=["GET"])
            for ending in self._files
        ]
        return [Route("/tournament", self.bracket, methods=["GET"]), *files]

    async def bracket(self, request: Request) -> Response:
        """The newest tournament, as pages draw it; whoever opens this address is led to its page."""
        if wants_page(request):
            return RedirectResponse("./?tournament")
        return await self._reply(lambda: respond(self._bracket()))

    async def file(self, ending: str, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Its matches for a spreadsheet, or with the standings for other programs or the wall."""
        media, make = self._files[ending]
        headers = {"content-disposition": f'attachment; filename="callbox-tournament.{ending}"'}
        return await self._reply(lambda: Response(make(self._view()), media_type=media, headers=headers))

    async def _reply(self, make: Callable[[], Response]) -> Response:
        try:
            return await run_in_threadpool(make)
        except TimeoutError:
            return answer(False, phrase(BUSY), status=503)


def _csv(view: TournamentView) -> bytes:
    return tournament_csv(view).encode(errors="backslashreplace")


def _jsonl(view: TournamentView) -> bytes:
    return "".join(f"{line}\n" for line in tournament_json(view)).encode(errors="backslashreplace")


def _paper(make_pdf: MakesPdf, view: TournamentView) -> bytes:
    return make_pdf(view.title, tournament_blocks(view))
