"""The console's way to the set-up: its page, and two addresses that ask the same steps as the terminal.

Both take a POST, also the one that only looks: what the doctor says is for whoever may set up, and sealed.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import EmptyBody, answer, body, told
from device.console.pages import setup_page
from device.console.post import PostRoom
from device.setup import SetsUp
from engine.wording import phrase, phrase_later

NONE = phrase_later("This console sets nothing up; callbox setup does.")


class SetupBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A step to open, or one of its acts."""

    step: Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
    act: Annotated[str, msgspec.Meta(max_length=40)] = ""
    """"" opens the step."""


class SetupPages:
    """The addresses' functions."""

    def __init__(self, sets_up: SetsUp | None, room: PostRoom) -> None:
        self._sets_up = sets_up
        self._room = room

    def routes(self) -> list[BaseRoute]:
        """The addresses."""
        return [
            Route("/setup", setup_page, methods=["GET"]),
            Route("/setup/look", self._room.takes("/setup/look", self.look), methods=["POST"]),
            Route("/setup/do", self._room.takes("/setup/do", self.do), methods=["POST"]),
        ]

    async def look(self, request: Request) -> Response:
        """Where the set-up stands, by the newest picture."""
        body(request, EmptyBody)
        return await self._asked(lambda sets_up: sets_up.look())

    async def do(self, request: Request) -> Response:
        """Open a step, or do one of its acts."""
        asked = body(request, SetupBody)
        if not asked.act:
            return await self._asked(lambda sets_up: sets_up.open(asked.step))
        return await self._asked(lambda sets_up: sets_up.do(asked.step, asked.act))

    async def _asked(self, ask: Callable[[SetsUp], msgspec.Struct]) -> Response:
        if self._sets_up is None:
            return answer(False, phrase(NONE), status=404)
        return told(await asyncio.to_thread(ask, self._sets_up))
