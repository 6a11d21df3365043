"""The console's addresses for players whom a hall's desk calls to this table."""

import asyncio
from typing import Annotated

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import Word, body, told
from device.console.post import Post, PostRoom
from device.desk import Desk


class BeginCallBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The players whom the desk has called begin."""

    call: Word


class RefuseCallBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table does not take them."""

    call: Word
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]


class CalledPages:
    """The addresses' functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self, room: PostRoom) -> list[BaseRoute]:
        """The addresses; the post room holds each against who may do it."""
        return [
            Route("/call/begin", room.takes("/call/begin", self.begin), methods=["POST"]),
            Route("/call/refuse", room.takes("/call/refuse", self.refuse), methods=["POST"]),
        ]

    async def begin(self, request: Request) -> Response:
        """The match is at the table."""
        asked = body(request, BeginCallBody)
        return told(await asyncio.to_thread(self._for(request).begin_call, asked.call))

    async def refuse(self, request: Request) -> Response:
        """The match goes to another table."""
        asked = body(request, RefuseCallBody)
        return told(await asyncio.to_thread(self._for(request).refuse_call, asked.call, asked.reason))

    def _for(self, request: Request) -> Desk:
        post: Post = request.state.post
        return self._desk.asked_by(post.who)
