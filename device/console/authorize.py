"""Takes what is posted: opened if it was sealed, held against who may ask it, answered the way it came.

A page seals what it sends (`device.people.sealed_requests`); the page's key says whose it is. What was posted
is a request (`device.requests`), whose address is its tag and which says itself what it takes to ask for it.
Only who may is passed on. What is not sealed comes from nobody in particular: at a family's table that is
enough, but for what is secret where it crosses a network.
"""

import asyncio
import ipaddress
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from device.console.answers import BadBody, answer, decode_body, read_whole, respond
from device.decode import Undecodable, decode_json
from device.people.actor import Actor
from device.people.people import Caller, People
from device.people.sealed_requests import BadLetter, Envelope
from device.requests import BoxRequest, address_of
from device.shown.snapshot import Snapshot
from engine.wording import phrase, phrase_later

IN_CLEAR = phrase_later("Anyone on the network could read this. Reload the page: it encrypts what it sends.")
COUNTED = phrase_later(
    "Presses of BET on a page can be counted by whoever listens in the network. Bet on "
    "your own page, which seals the bet (open Phones), or press BET on the box."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """How something came."""

    who: Actor
    key: str = ""
    """The page's public key; "" where nothing was sealed."""
    count: int = 0
    address: str = ""
    """Whence it came."""
    host: str = ""
    """By which name of the box."""

    @property
    def caller(self) -> Caller:
        """For those who want to be known."""
        return Caller(key=self.key, count=self.count, address=self.address)


Does = Callable[[Any, Post], Awaitable[msgspec.Struct]]
"""Does a request of one of the types that it was given, and replies."""


class Again(msgspec.Struct, frozen=True):
    """The page is to seal it anew, for the box's present word."""

    text: str
    word: str
    ok: bool = False


class ShowsTable(Protocol):
    """As a `BoxApi` does."""

    def snapshot(self) -> Snapshot:
        """What is shown now."""
        ...


class Authorizer:
    """Opens, judges and answers whatever is posted."""

    def __init__(self, people: People, box: ShowsTable) -> None:
        self._people = people
        self._box = box

    def routes(self, requests: Iterable[type[BoxRequest]], do: Does) -> list[BaseRoute]:
        """The addresses of these requests; `do` gets those that may be asked."""
        return [
            Route(address_of(request), partial(self._take, request, do), methods=["POST"])
            for request in requests
        ]

    async def _take(self, kind: type[BoxRequest], do: Does, request: Request) -> Response:
        """Have a request done that was posted to its address."""
        try:
            raw = await read_whole(request)
            post, raw = await asyncio.to_thread(self._open, request, raw)
        except BadLetter as bad:
            if bad.again:
                return respond(Again(str(bad), self._people.seal.word), status=409)
            return answer(False, str(bad), status=400)
        except ClientDisconnect:
            return answer(False, phrase("The rest never came."), status=400)  # nobody is left to hear it
        except BadBody as error:
            return answer(False, str(error), status=error.status)
        try:
            asked = msgspec.structs.replace(decode_body(raw, kind), **request.path_params)
            why_not = await asyncio.to_thread(self._why_not, asked, post)
            response = answer(False, why_not, status=403) if why_not else respond(await do(asked, post))
        except BadBody as error:
            response = answer(False, str(error), status=error.status)
        return self._sealed(post, response)

    def _open(self, request: Request, raw: bytes) -> tuple[Post, bytes]:
        """Who posted this, and what; raises `BadLetter`."""
        address = request.client.host if request.client else ""
        host = request.headers.get("host", "")
        shown = self._box.snapshot()
        game_id = shown.game_id if shown.stage in ("playing", "ended") else None
        try:
            envelope = decode_json(raw, Envelope)
        except Undecodable:
            return Post(who=self._people.actor_of("", game_id), address=address, host=host), raw
        letter = self._people.seal.open(envelope, own_path(request))
        if game_id is not None and shown.game is not None:
            self._people.keep_seats(game_id, shown.game.players)
        if not self._people.takes(envelope.key, letter):
            raise BadLetter(phrase("This was sent before, so it does not count again. Reload the page."))
        who = self._people.actor_of(envelope.key, game_id)
        post = Post(who=who, key=envelope.key, count=letter.count, address=address, host=host)
        return post, bytes(letter.body)

    def _why_not(self, asked: BoxRequest, post: Post) -> str:
        """Why this may not be done; "" when it may."""
        secrecy = asked.how_secret()
        if secrecy != "open" and not _is_here(post.address):
            if secrecy == "here":
                return phrase(COUNTED)
            if not post.key:
                return phrase(IN_CLEAR)
        return self._people.why_not(asked.needs(self._box.snapshot()), post.who)

    def _sealed(self, post: Post, response: Response) -> Response:
        """The answer, sealed for the page where it had sealed."""
        if not post.key:
            return response
        reply = msgspec.Raw(bytes(response.body))
        text = msgspec.json.encode({"count": post.count, "said": reply})
        return respond(self._people.seal.close(post.key, text), status=response.status_code)


def own_path(request: Request) -> str:
    """The path as the box's own addresses are, without what a proxy has put before it."""
    path: str = request.scope["path"]
    return path.removeprefix(request.scope.get("root_path", ""))


def _is_here(address: str) -> bool:
    """Whether something came from this very machine, and so over no network."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
