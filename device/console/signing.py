"""The console's addresses for a result that a referee signs off."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import OpenAgainBody, WhichGameBody, body, told
from device.console.post import Post, PostRoom
from device.desk import Desk


class SigningDesk:
    """The addresses' functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self, room: PostRoom) -> list[BaseRoute]:
        """The addresses; the post room holds each against who may do it."""
        return [
            Route("/sign-off", room.takes("/sign-off", self.sign), methods=["POST"]),
            Route("/sign-off/open", room.takes("/sign-off/open", self.open_again), methods=["POST"]),
        ]

    async def sign(self, request: Request) -> Response:
        """The result of a game counts from now on."""
        asked = body(request, WhichGameBody)
        return told(await asyncio.to_thread(self._for(request).sign_off, asked.game_id))

    async def open_again(self, request: Request) -> Response:
        """A result is opened again, for a reason."""
        asked = body(request, OpenAgainBody)
        reason = asked.reason.strip()
        return told(await asyncio.to_thread(self._for(request).open_again, asked.game_id, reason))

    def _for(self, request: Request) -> Desk:
        post: Post = request.state.post
        return self._desk.asked_by(post.who)
