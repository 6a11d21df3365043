"""The console's addresses for what a referee says of throws: other dice, another landing."""

import asyncio

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import BadBody, CorrectBody, body, posted_ruling, told
from device.console.post import Post, PostRoom
from device.desk import Desk
from engine.dice import Die, read_die
from engine.events import Corrected
from engine.wording import phrase


class JudgingDesk:
    """The addresses' functions."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def routes(self, room: PostRoom) -> list[BaseRoute]:
        """The addresses; the post room holds each against who may do it."""
        functions = {
            "/correct": self.correct,
            "/correct/preview": self.foresee_correction,
            "/rulings": self.rule,
            "/rulings/preview": self.foresee,
        }
        return [
            Route(path, room.takes(path, function), methods=["POST"]) for path, function in functions.items()
        ]

    async def correct(self, request: Request) -> Response:
        """The dice of a roll showed something else."""
        asked = body(request, CorrectBody)
        dice = _dice(asked)
        return told(await asyncio.to_thread(self._for(request).correct, dice, asked.reason, asked.roll))

    async def foresee_correction(self, request: Request) -> Response:
        """What a correction would change; nothing is done."""
        asked = body(request, CorrectBody)
        event = Corrected(dice=tuple(_dice(asked)), reason=asked.reason, roll=asked.roll)
        return told(await asyncio.to_thread(self._for(request).foresee, event))

    async def rule(self, request: Request) -> Response:
        """A die landed elsewhere, or otherwise."""
        event = posted_ruling(request)
        return told(await asyncio.to_thread(self._for(request).rule, event))

    async def foresee(self, request: Request) -> Response:
        """What a ruling would change; nothing is done."""
        event = posted_ruling(request)
        return told(await asyncio.to_thread(self._for(request).foresee, event))

    def _for(self, request: Request) -> Desk:
        post: Post = request.state.post
        return self._desk.asked_by(post.who)


def _dice(asked: CorrectBody) -> list[Die]:
    """The dice that were posted; raises `BadBody` for a face that no such die has."""
    try:
        return [read_die(die.kind, die.value) for die in asked.dice]
    except ValueError as error:
        raise BadBody(422, phrase("There is no such die: {error}.", error=error)) from None
