"""The console's addresses for the persons who play here: who they are, somebody new, somebody to forget."""

from typing import Annotated

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import Word, answer, body, told
from device.console.pin_queue import PinQueue
from device.console.post import Post, PostRoom
from device.people.people import Caller, People
from device.people.persons import PersonColor

OptionalPin = Annotated[str, msgspec.Meta(max_length=12)]


class PersonBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to remember."""

    name: Word
    color: PersonColor
    pin: OptionalPin = ""
    """The person's PIN, where there is one."""
    new_pin: OptionalPin | None = None
    """ "" takes it away; None leaves it as it is."""


class ForgetBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to forget."""

    name: Word
    pin: OptionalPin = ""


class PersonTold(msgspec.Struct, frozen=True):
    """Somebody, for the pages."""

    name: str
    color: PersonColor
    has_pin: bool


class PersonsTold(msgspec.Struct, frozen=True):
    """Everybody who is remembered."""

    persons: tuple[PersonTold, ...]
    ok: bool = True
    text: str = ""


class PersonsDesk:
    """The addresses' functions."""

    def __init__(self, people: People, pins: PinQueue) -> None:
        """`pins`: where PINs wait to be hashed."""
        self._people = people
        self._pins = pins

    def routes(self, room: PostRoom) -> list[BaseRoute]:
        """The addresses; the post room holds each post against who may do it."""
        return [
            Route("/persons", self.everybody, methods=["GET"]),
            Route("/persons", room.takes("/persons", self.put), methods=["POST"]),
            Route("/persons/forget", room.takes("/persons/forget", self.forget), methods=["POST"]),
        ]

    async def everybody(self, request: Request) -> Response:  # noqa: ARG002 - everybody gets the same
        """Who plays here; of a PIN only whether there is one."""
        known = await run_in_threadpool(self._people.persons)
        return told(PersonsTold(tuple(PersonTold(each.name, each.color, bool(each.pin)) for each in known)))

    async def put(self, request: Request) -> Response:
        """Somebody new, or somebody's new colour and PIN."""
        asked, caller = body(request, PersonBody), _caller_of(request)
        trouble = await self._pins.run(
            caller.address,
            lambda: self._people.put_person(caller, asked.name, asked.color, asked.pin, asked.new_pin),
        )
        return answer(not trouble, trouble)

    async def forget(self, request: Request) -> Response:
        """Somebody is to be forgotten."""
        asked, caller = body(request, ForgetBody), _caller_of(request)
        trouble = await self._pins.run(
            caller.address, lambda: self._people.forget_person(caller, asked.name, asked.pin)
        )
        return answer(not trouble, trouble)


def _caller_of(request: Request) -> Caller:
    post: Post = request.state.post
    return Caller(key=post.key, count=post.count, address=post.address)
